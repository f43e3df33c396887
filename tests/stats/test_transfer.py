"""Transfer between answerers and thresholds with a promise: loops, bounds, kept promises."""

from __future__ import annotations

import numpy as np
import pytest

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import Outcomes, control_harms, gain_p, prove_gain, transfer


def made_outcomes(n: int, videos: int, name: str) -> tuple[Outcomes, np.ndarray]:
    """Return outcomes in which low scores are worth deferring, and the scores."""
    rng = rng_of(name, n)
    score = rng.integers(-3, 4, n) / 3
    vanilla = rng.random(n) < 0.5
    fallback = rng.random(n) < np.where(score <= 0, 0.65, 0.35)
    return Outcomes.of(vanilla, fallback, np.arange(n) % videos), score


def test_splits_are_what_a_loop_over_videos_gives():
    """The same splits drawn again: gains, choices and the corrected error by hand."""
    own, score = made_outcomes(300, 20, "source")
    far, other = made_outcomes(300, 20, "target")
    rules = {"never": np.zeros(300, bool), "strict": score < 0, "inclusive": score <= 0}
    there = {"never": np.zeros(300, bool), "strict": other < 0, "inclusive": other <= 0}
    made = transfer((own, rules), (far, there), rng=rng_of("splits"), splits=50)
    order = np.argsort(rng_of("splits").random((50, 20)), axis=1)
    videos, gains, picks = np.arange(300) % 20, ([], []), []
    for row in order:
        train, test = np.isin(videos, row[:10]), np.isin(videos, row[10:])
        nets = {name: (own.change * mask)[train].sum() for name, mask in rules.items()}
        name = max(nets, key=nets.get)
        picks.append(name)
        gains[0].append((own.change * rules[name])[test].mean())
        gains[1].append((far.change * there[name])[test].mean())
    assert made.source.value == pytest.approx(np.mean(gains[0]))
    assert made.target.value == pytest.approx(np.mean(gains[1]))
    assert made.source_sd == pytest.approx(np.std(gains[0], ddof=1))
    assert made.chosen == pytest.approx({name: picks.count(name) / 50 for name in rules})
    half = 2.0096 * np.sqrt((1 / 50 + 1) * np.var(gains[1], ddof=1))
    assert made.target.high - made.target.value == pytest.approx(half, rel=1e-3)


def test_ties_go_to_the_rule_listed_first():
    outcomes = Outcomes.of(np.zeros(40), np.zeros(40, dtype=int), np.arange(40) // 2)
    rules = {"never": np.zeros(40), "always": np.ones(40)}
    made = transfer((outcomes, rules), (outcomes, rules), rng=rng_of("t"), splits=10)
    assert made.chosen == {"never": 1.0, "always": 0.0}
    assert (made.source.value, made.source.low) == (0, None)


def test_transfer_refuses_what_is_not_matched():
    outcomes, score = made_outcomes(40, 10, "x")
    rules = {"strict": score < 0}
    other = Outcomes.of(outcomes.vanilla, outcomes.fallback, np.arange(40) // 4)
    with pytest.raises(UsageError, match="different videos"):
        transfer((outcomes, rules), (other, rules), rng=rng_of("x"))
    with pytest.raises(UsageError, match="Rules differ"):
        transfer((outcomes, rules), (outcomes, {"other": score < 0}), rng=rng_of("x"))
    with pytest.raises(UsageError, match="at least 4 videos"):
        transfer((outcomes, rules), (outcomes, rules), rng=rng_of("x"), splits=1)


def test_the_harm_threshold_is_the_largest_that_the_rule_allows():
    """Two videos of two questions: losses by hand, (V R + 1) / (V + 1) <= alpha."""
    score = np.array([-1.0, 0.0, 0.5, 1.0] * 50)
    change = np.tile([0, -1, 0, -1], 50)
    videos = np.repeat(np.arange(100), 2)
    # Video losses: even videos 1/2 from t = 0 on, odd videos 1/2 from t = 1 on.
    made = control_harms(score, change, videos, alpha=0.3)
    assert (made.threshold, made.risk, made.videos) == (0.5, 0.25, 100)
    assert (100 * 0.25 + 1) / 101 <= 0.3 < (100 * 0.5 + 1) / 101
    strict = control_harms(score, change, videos, alpha=0.2)
    assert strict.threshold == -1.0
    few = control_harms(score[:8], change[:8] * 0, videos[:8], alpha=0.05)
    assert few.threshold is None


def simulated(videos: int, rng, harm: float, repair: float):
    """Return scores, changes and videos; harms and repairs differ from video to video."""
    sizes = rng.integers(1, 16, videos)
    labels = np.repeat(np.arange(videos), sizes)
    score = rng.random(len(labels))
    lean = rng.beta(0.8, 1.2, videos)[labels] * 2.5
    u = rng.random(len(labels))
    change = np.where(u < harm * lean, -1, np.where(u > 1 - repair, 1, 0))
    return score, change, labels


def test_harms_of_new_videos_stay_below_the_promise():
    """1,000 calibrations on 60 videos: mean loss of new videos at most alpha + 3 errors."""
    rng, losses = rng_of("harms"), []
    for _ in range(1_000):
        chosen = control_harms(*simulated(60, rng, 0.2, 0.2), alpha=0.1).threshold
        score, change, videos = simulated(40, rng, 0.2, 0.2)
        hit = (change < 0) & (score <= (-1 if chosen is None else chosen))
        losses.append(np.mean([hit[videos == v].mean() for v in range(40)]))
    assert np.mean(losses) <= 0.1 + 3 * np.std(losses) / np.sqrt(1_000)
    assert np.mean(losses) > 0.06


@pytest.mark.parametrize("bound", ["betting", "hoeffding-bentkus"])
@pytest.mark.parametrize("family", ["fixed-sequence", "bonferroni"])
def test_gains_that_are_not_there_are_rarely_proved(bound, family):
    """600 calibrations on 60 videos without any gain: a claim in at most 5 % + 3 errors."""
    rng, claims = rng_of("no gain", bound, family), 0
    for _ in range(600):
        score, change, videos = simulated(60, rng, 0.0, 0.0)
        change = rng.choice([-1, 0, 1], len(score), p=[0.15, 0.7, 0.15])
        tried = [0.25, 0.5, 0.75]
        claims += prove_gain(
            score, change, videos, thresholds=tried, bound=bound, family=family
        ).proved.any()
    assert claims / 600 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)


def test_betting_proves_what_the_range_alone_cannot():
    """90 videos that gain 10 points with an SD of 15: a t of 6, and Hoeffding sees nothing."""
    gains = np.clip(0.10 + 0.15 * rng_of("gain").normal(size=90), -1, 1)
    assert gain_p(gains) < 0.01
    assert gain_p(gains, bound="hoeffding-bentkus") > 0.1
    assert gain_p(-gains) > 0.5
    assert gain_p([]) == 1.0
    assert gain_p(np.ones(20), bound="hoeffding-bentkus") == pytest.approx(0.5**20)


def test_a_fixed_sequence_stops_at_the_first_failure():
    rng = rng_of("sequence")
    score = np.tile([0.0, 1.0], 300)
    change = np.where(score == 0, rng.random(600) < 0.8, 0).astype(int)
    change[score == 1] = -(rng.random(300) < 0.8).astype(int)
    videos = np.arange(600) // 6
    down = prove_gain(score, change, videos)
    assert down.thresholds.tolist() == [1.0, 0.0]
    assert (down.best, down.proved.any()) == (None, False)
    up = prove_gain(score, change, videos, thresholds=[0.0, 1.0])
    assert (up.best, up.proved.tolist()) == (0.0, [True, False])
    assert prove_gain(score, change, videos, family="bonferroni").best == 0.0
    assert prove_gain(score, change, videos, thresholds=[0.0], aims=(0.05, 0.45)).best is None


def test_risk_control_refuses_nonsense():
    with pytest.raises(UsageError, match="alpha = 0"):
        control_harms([1.0], [0], ["v"], alpha=0.0)
    with pytest.raises(UsageError, match="No question"):
        control_harms([], [], [])
    with pytest.raises(UsageError, match="fixed-sequence, bonferroni"):
        prove_gain([1.0], [0], ["v"], family="holm")
    with pytest.raises(UsageError, match="betting"):
        gain_p([0.1], bound="clt")
    with pytest.raises(UsageError, match="-1 to 1"):
        gain_p([1.5])
