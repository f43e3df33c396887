"""The learner against refits by scikit-learn, on planted leaks, and at its edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.linear_model import Ridge

from vidence.benchmark import load_benchmark
from vidence.seeds import rng_of
from vidence.text.features import features_of
from vidence.text.items import TextItems
from vidence.text.learner import LearnerSettings, learn, targets_of
from vidence.text.null import permuted, redrawn
from vidence.text.planted import LEAKS, Leak, Planted
from vidence.text.probability import expected_right, sharpness_of, softmax
from vidence.text.ridge import STRENGTHS, Folded, folds_of, held_out, padded

QUICK = LearnerSettings(permutations=99, repeats=1)
SMALL = Planted(questions=90, videos=30, options=(2, 3, 4), leak="length", strength=0.5)


def made(*rows: tuple[str, tuple[str, ...], int, int]) -> TextItems:
    questions, options, gold, clusters = zip(*rows, strict=True)
    names = tuple(f"q{i}" for i in range(len(rows)))
    return TextItems(names, questions, options, np.array(gold), np.array(clusters))


@pytest.fixture(scope="module")
def small() -> TextItems:
    return SMALL.make(seed="learner test")


def test_fits_in_folds_are_those_of_a_ridge_regression_refitted_on_the_rows(
    small: TextItems,
) -> None:
    features, targets = features_of(small), targets_of(small)
    fold = folds_of(small.clusters, 5, seed=1, repeat=0)[features.question]
    rows = features.matrix.toarray()
    held = held_out(Folded.of(features.matrix, fold, 5), targets)

    def refit(taught: np.ndarray, asked: np.ndarray, strength: float) -> np.ndarray:
        model = Ridge(alpha=strength, fit_intercept=False, solver="cholesky")
        return model.fit(rows[taught], targets[taught]).predict(rows[asked])

    for f in range(5):
        going = []
        for strength in STRENGTHS:
            inner = np.zeros(len(fold))
            for g in range(5):
                if g != f:
                    taught = (fold != f) & (fold != g)
                    inner[fold == g] = refit(taught, fold == g, strength)
            going.append(inner @ targets / np.sqrt(inner @ inner))
        best = STRENGTHS[int(np.argmax(going))]
        assert held.strengths[f] == best
        np.testing.assert_allclose(held.scores[fold == f], refit(fold != f, fold == f, best))
        g = (f + 1) % 5
        inner = refit((fold != f) & (fold != g), fold == g, best)
        np.testing.assert_allclose(held.inner[f][fold == g], inner)
        assert np.isnan(held.inner[f][fold == f]).all()


def test_redrawn_keys_are_judged_as_if_the_learner_were_taught_them(small: TextItems) -> None:
    features = features_of(small)
    fold = folds_of(small.clusters, 5, seed=1, repeat=0)[features.question]
    folded = Folded.of(features.matrix, fold, 5)
    strengths = (10.0, 40.0, 160.0, 640.0, 40.0)

    def gain(keys: np.ndarray) -> np.ndarray:
        drawn = TextItems(small.ids, small.questions, small.options, keys, small.clusters)
        targets, scores = targets_of(drawn), np.zeros(len(fold))
        for f in range(5):
            model = Ridge(alpha=strengths[f], fit_intercept=False, solver="cholesky")
            model.fit(features.matrix[fold != f].toarray(), targets[fold != f])
            scores[fold == f] = model.predict(features.matrix[fold == f].toarray())
        right = expected_right(padded(scores, features.start, -np.inf), drawn.gold)
        return right - 1 / small.counts

    gains = np.stack([gain(column) for column in redrawn(small, 5, seed=3).T])
    videos = np.unique(small.clusters)

    def t(row: np.ndarray) -> float:
        sums = [(row[small.clusters == v] - row.mean()).sum() for v in videos]
        return float(row.sum() / np.sqrt(np.sum(np.square(sums))))

    ts = [t(row) for row in gains]
    observed = gains[int(np.argsort(ts)[2])]
    test = permuted(small, folded, strengths, observed + 1 / small.counts, count=5, seed=3)
    assert test.null_mean == pytest.approx(gains.mean() + (1 / small.counts).mean())
    assert test.observed == pytest.approx(observed.mean())
    assert test.p == pytest.approx((1 + 3) / (1 + 5))


def test_a_video_stays_in_one_fold_and_folds_are_nearly_equal(small: TextItems) -> None:
    fold = folds_of(small.clusters, 5, seed=1, repeat=0)
    for cluster in np.unique(small.clusters):
        assert len(set(fold[small.clusters == cluster])) == 1
    sizes = np.bincount(fold, minlength=5)
    assert sizes.max() - sizes.min() <= np.bincount(small.clusters).max()
    assert (fold != folds_of(small.clusters, 5, seed=1, repeat=1)).any()


def test_features_are_centred_and_never_look_at_the_key(small: TextItems) -> None:
    features = features_of(small)
    dense = features.matrix.toarray()
    for i in range(len(small)):
        block = dense[features.start[i] : features.start[i + 1]]
        np.testing.assert_allclose(block.sum(axis=0), 0, atol=1e-9)
    moved = TextItems(
        small.ids, small.questions, small.options, np.zeros_like(small.gold), small.clusters
    )
    other = features_of(moved)
    assert other.names == features.names
    assert (other.matrix != features.matrix).nnz == 0


def test_redrawn_keys_are_uniform_and_a_question_asked_again_keeps_its_key() -> None:
    rows = [(f"q{i}", ("a", "b", "c"), i % 3, i) for i in range(40)]
    again = [(f"q{i}", ("c", "a", "b"), (i % 3 + 1) % 3, i) for i in range(40)]
    items = made(*rows, *again)
    keys = redrawn(items, 2000, seed=5)
    shares = np.bincount(keys[:40].ravel(), minlength=3) / keys[:40].size
    # 80,000 draws: a standard error of 0.0017, five of which are 0.009.
    assert np.abs(shares - 1 / 3).max() < 0.009
    first = np.array(["a", "b", "c"])[keys[:40]]
    second = np.array(["c", "a", "b"])[keys[40:]]
    assert (first == second).all()
    assert (keys[0] != keys[1]).any(), "different questions are drawn apart"


FOUND: dict[Leak, tuple[float, str]] = {
    "length": (0.3, "longest option is right"),
    "absolute": (0.5, "absolute word"),
    "overlap": (0.6, "shares most words with the question"),
    "token": (0.3, "“zzkey”"),
    "template": (0.3, "“usual”"),
    "position": (0.4, "place 2"),
}
"""In which share of the questions the key is given away, and what must be said of it."""


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found_and_named(leak: Leak) -> None:
    """Strong leaks; how weak ones may be is measured in benchmarks/text_learner.py."""
    strength, said = FOUND[leak]
    items = Planted(questions=400, videos=100, leak=leak, strength=strength).make(seed=leak)
    learned = learn(items, seed=0, settings=QUICK)
    assert learned.permutation.p == 0.01
    assert learned.over_chance.low is not None
    assert learned.over_chance.low > 0
    assert any(said in carrier.sentence for carrier in learned.carriers)


def test_nothing_is_named_where_nothing_is_planted() -> None:
    """Holm at 5 % over all marks: of 10 files at most 3 name anything (P = 0.001 if it holds)."""
    named = 0
    for i in range(10):
        items = Planted(questions=300, videos=80).make(seed=f"none {i}")
        settings = LearnerSettings(permutations=0, repeats=1)
        named += bool(learn(items, seed=0, settings=settings).carriers)
    assert named <= 3


def test_the_family_that_carries_the_leak_is_the_one_that_is_missed() -> None:
    items = Planted(questions=400, videos=100, leak="length", strength=0.4).make(seed="family")
    learned = learn(items, seed=0, settings=QUICK)
    by_name = {family.name: family for family in learned.families}
    best = max(learned.families, key=lambda family: family.alone.value or 0.0)
    assert best.name == "length"
    position = by_name["position"].alone
    assert position.low is not None
    assert position.high is not None
    assert position.low < 0.25 < position.high + 0.02


def test_probabilities_sum_to_one_and_follow_the_scores(small: TextItems) -> None:
    learned = learn(small, seed=0, settings=QUICK)
    np.testing.assert_allclose(learned.option_probability.sum(axis=1), 1)
    there = np.arange(4) < small.counts[:, None]
    assert (learned.option_probability[~there] == 0).all()
    mine = learned.option_probability[np.arange(len(small)), small.gold]
    np.testing.assert_allclose(learned.probability, mine)
    assert learned.calibration.error is not None
    assert sum(b.n for b in learned.calibration.bins) == len(small)


def test_the_sharpness_is_the_likeliest() -> None:
    rng = rng_of("sharpness")
    scores = rng.normal(size=(300, 4)) * 0.1
    gold = np.array([rng.choice(4, p=row) for row in softmax(scores, 12.0)])

    def loss(t: float) -> float:
        return -float(np.log(softmax(scores, t)[np.arange(300), gold]).mean())

    best = minimize_scalar(loss, bounds=(0, 400), method="bounded", options={"xatol": 1e-6}).x
    assert sharpness_of(scores, gold) == pytest.approx(best, abs=1e-3)
    assert sharpness_of(-scores, gold) == 0.0


def test_ties_are_shared_out() -> None:
    scores = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, -np.inf], [2.0, 1.0, 0.0]])
    assert expected_right(scores, np.array([0, 1, 1])).tolist() == [0.5, 0.5, 0.0]


def test_the_same_seed_gives_the_same_and_the_order_of_options_does_not_matter_to_texts(
    small: TextItems,
) -> None:
    one, two = (learn(small, seed=4, settings=QUICK) for _ in range(2))
    assert one.accuracy == two.accuracy
    assert one.permutation == two.permutation
    assert (one.probability == two.probability).all()
    assert learn(small, seed=5, settings=QUICK).accuracy.value != one.accuracy.value


EDGES = {
    "nothing": [],
    "few": [(f"q{i}", ("a", "b"), 0, i) for i in range(19)],
    "one video": [(f"q{i}", ("a", "b c"), i % 2, 0) for i in range(40)],
    "one option": [(f"q{i}", ("a",), 0, i) for i in range(40)],
    "equal options": [(f"q{i}", ("a", "a"), i % 2, i) for i in range(40)],
}


@pytest.mark.parametrize("name", EDGES)
def test_what_cannot_be_learned_from_says_why_and_gives_no_number(name: str) -> None:
    rows = EDGES[name]
    none = TextItems((), (), (), np.zeros(0, np.int64), np.zeros(0, np.int64))
    items = made(*rows) if rows else none
    learned = learn(items, seed=0, settings=QUICK)
    if name == "equal options":  # where an option stands still tells them apart
        assert learned.accuracy.value is not None
        return
    assert learned.accuracy.value is None
    assert learned.accuracy.degenerate
    assert learned.permutation.p is None
    assert np.isfinite(learned.probability).all()
    assert len(learned.probability) == len(items)


TEXTS = {
    "empty": ("", ("", " ", "x")),
    "chinese": ("他在做什么？", ("跑步", "睡觉在床上", "吃饭")),
    "thai and arabic": ("ทำอะไร", ("กำลังวิ่ง", "ماذا", "يفعل الآن")),
    "marks alone": ("???", ("!", "…", "—")),
    "thirteen": ("Which?", tuple(f"thing {i}" for i in range(13))),
    "long": ("word " * 3000, ("a " * 5000, "b", "c" * 5000)),
    "half a surrogate": ("\ud800?", ("\ud800", "b", "c")),
    "numbers": ("How many?", ("1", "2,000", "three")),
}


@pytest.mark.parametrize("name", TEXTS)
def test_any_text_can_be_learned_from(name: str) -> None:
    question, options = TEXTS[name]
    items = made(*((question + str(i), options, i % len(options), i) for i in range(39)))
    learned = learn(items, seed=0, settings=QUICK)
    assert learned.accuracy.value is not None
    assert np.isfinite(learned.option_probability).all()
    assert learned.permutation.p is not None


@pytest.mark.data
def test_a_real_file_is_learned_from(data_dir: Path) -> None:
    read = load_benchmark("egoschema", data_dir / "benchmarks" / "egoschema")
    learned = learn(TextItems.of(read.cases), seed=0, settings=QUICK)
    assert learned.permutation.p == 0.01
    assert learned.accuracy.n == 500
