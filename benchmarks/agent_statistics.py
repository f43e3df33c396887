"""Print how much faster the agent audit's statistics are than plain loops, side by side.

    python benchmarks/agent_statistics.py

Sizes are those of a real probe: 1,258 questions in 90 videos, three draws a condition. Both sides
run in this one process, in turn, so only the ratio means anything. A loop that would take minutes
runs a part of its resamples, and its time is scaled up; the first column says how many.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from time import perf_counter

# The folder of this file holds a `statistics.py`, which must not stand for the standard library's.
sys.path[0] = str(Path(__file__).resolve().parents[1])

import numpy as np  # noqa: E402

from vidence.seeds import rng_of  # noqa: E402
from vidence.stats import (  # noqa: E402
    FlipPrior,
    SignRule,
    agreement,
    component_table,
    energy_effect,
    exact_p,
    fit_flips,
    flip_effect,
    matched_random,
    posterior,
    roc_auc,
    route_all,
    score_spread,
    selective_difference,
    spearman,
    split_half,
    tie_excess,
    transition,
    uplift_area,
)
from vidence.stats.agent_designs import simulated_probe  # noqa: E402
from vidence.stats.energy_effect import Replies  # noqa: E402

PRIOR = FlipPrior.reference()
RNG = rng_of("benchmark agent")
SIZES = RNG.multinomial(1258 - 90, np.full(90, 1 / 90)) + 1
PROBE = simulated_probe(SIZES, PRIOR, 3, icc=0.2, rng=RNG)
TEN = simulated_probe(SIZES, PRIOR, 10, icc=0.2, rng=RNG)
COUNTS = PROBE.draws.counts()
SCORES, CHANGE, COVERED = COUNTS.scores(), PROBE.outcomes.change, PROBE.covered
VIDEOS = PROBE.clusters.codes
DEFERRED = SCORES <= 0
MEMBERS = [np.flatnonzero(v == VIDEOS) for v in range(90)]


def seconds(task: Callable[[], object], repeats: int) -> float:
    """Return the fastest of some runs."""
    best = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        task()
        best = min(best, perf_counter() - start)
    return best


def row(
    name: str, naive: Callable[[], object] | None, ours: Callable[[], object], part: int = 1
) -> None:
    """Print one comparison; `part` says which fraction of the loop was run."""
    fast = seconds(ours, 3)
    if naive is None:
        print(f"| {name} | - | {1e3 * fast:.1f} ms | - |", flush=True)
        return
    slow = part * seconds(naive, 2)
    ran = f", 1/{part} run" if part > 1 else ""
    print(f"| {name}{ran} | {slow:.2f} s | {1e3 * fast:.1f} ms | {slow / fast:,.0f}x |", flush=True)


def picked(statistic: Callable[[np.ndarray], float], resamples: int) -> np.ndarray:
    """Resample videos by picking up every case."""
    values = []
    for _ in range(resamples):
        cases = np.concatenate([MEMBERS[g] for g in RNG.integers(0, 90, 90)])
        values.append(statistic(cases))
    return np.quantile(values, [0.025, 0.975])


def plain_subsets() -> np.ndarray:
    m = int(DEFERRED.sum())
    return np.array([CHANGE[RNG.permutation(len(CHANGE))[:m]].sum() for _ in range(10_000)])


def balanced_subsets() -> list[int]:
    wanted = [int(DEFERRED[cases].sum()) for cases in MEMBERS]
    nets = []
    for _ in range(500):
        pairs = zip(MEMBERS, wanted, strict=True)
        nets.append(sum(int(CHANGE[RNG.permutation(c)[:m]].sum()) for c, m in pairs))
    return nets


def auc_of(cases: np.ndarray) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(COVERED[cases], SCORES[cases]))


def aurc_of(cases: np.ndarray, scores: np.ndarray) -> float:
    order = np.argsort(-scores[cases], kind="stable")
    return float((np.cumsum(~COVERED[cases][order]) / np.arange(1, len(cases) + 1)).mean())


def spearman_of(cases: np.ndarray) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(SCORES[cases], TRUST[cases]).statistic)


def boschloo_one_by_one() -> list[float]:
    from scipy.stats import boschloo_exact

    counts = TEN.draws.counts()
    tables = counts.tables()[0]
    found = []
    for x, kd, y, ks in tables[::4].tolist():
        table = [[x, y], [kd - x, ks - y]]
        bare = x + y in (0, kd + ks)
        found.append(1.0 if bare else boschloo_exact(table, alternative="greater").pvalue)
    return found


def boschloo_at_once() -> np.ndarray:
    from vidence.stats import exact_tests

    exact_tests._table.cache_clear()
    return exact_p(TEN.draws.counts())


def halves_resampled() -> list[float]:
    values = []
    for _ in range(10):
        cases = np.concatenate([MEMBERS[g] for g in RNG.integers(0, 90, 90)])
        d, s = TEN.draws.destroy[cases], TEN.draws.sham[cases]
        found = []
        for half in combinations(range(1, 10), 4):
            one = [0, *half]
            rest = [i for i in range(10) if i not in one]
            scores = [d[:, h].mean(axis=1) - s[:, h].mean(axis=1) for h in (one, rest)]
            found.append(np.corrcoef(*scores)[0, 1])
        values.append(float(np.mean(found)))
    return values


LETTERS = RNG.integers(0, 4, (len(VIDEOS), 6))
TRUST = RNG.normal(size=len(VIDEOS))


def labels_shuffled() -> int:
    def total(draws: np.ndarray) -> float:
        s, d = draws[:, :3], draws[:, 3:]
        across = (s[:, :, None] == d[:, None, :]).mean(axis=(1, 2))
        own = [((h[:, :, None] == h[:, None, :]).sum(axis=(1, 2)) - 3) / 6 for h in (s, d)]
        return float(((own[0] + own[1]) / 2 - across).sum())

    observed = total(LETTERS)
    return sum(total(RNG.permuted(LETTERS, axis=1)) >= observed for _ in range(500))


def whole_audit() -> None:
    """Work out everything that a report prints about one probe with a second run and k = 10."""
    rng = rng_of("whole audit")
    ten, again = TEN.draws.counts(), PROBE.again.counts()
    flip_effect(COUNTS)
    tie_excess(COUNTS, rng=rng)
    fit = fit_flips(COUNTS)
    posterior(COUNTS, fit.prior)
    SignRule(fit.prior).expected()
    exact_p(COUNTS)
    score_spread(COUNTS, rng=rng)
    split_half(TEN.draws, rng=rng)
    agreement(COUNTS, again, rng=rng)
    transition(TEN.draws.first(3).counts(), ten, rng=rng)
    component_table(COUNTS, COVERED, PROBE.outcomes.vanilla)
    roc_auc(SCORES, COVERED, PROBE.clusters, rng=rng)
    route_all(PROBE.outcomes, {"inclusive": DEFERRED, "strict": SCORES < 0})
    matched_random(CHANGE, DEFERRED, rng=rng)
    matched_random(CHANGE, DEFERRED, PROBE.clusters, rng=rng)
    uplift_area(SCORES, CHANGE, PROBE.clusters, rng=rng)
    energy_effect(Replies.of(LETTERS[:, :3], LETTERS[:, 3:], PROBE.clusters), rng=rng)


def main() -> None:
    """Print the table."""
    clusters = PROBE.clusters
    print("| task | naive loop | vidence | ratio |\n|---|---|---|---|")
    row(
        "matched random subsets, 10,000 draws with exact p",
        plain_subsets,
        lambda: matched_random(CHANGE, DEFERRED, rng=RNG),
    )
    row(
        "video-balanced random subsets, 10,000 draws with exact p",
        balanced_subsets,
        lambda: matched_random(CHANGE, DEFERRED, clusters, rng=RNG),
        20,
    )
    row(
        "ROC-AUC, 10,000 resamples by video (loop: scikit-learn)",
        lambda: picked(auc_of, 250),
        lambda: roc_auc(SCORES, COVERED, clusters, rng=RNG),
        40,
    )
    row(
        "Spearman, continuous against k = 3 scores (loop: scipy)",
        lambda: picked(spearman_of, 250),
        lambda: spearman(SCORES, TRUST, clusters, rng=RNG),
        40,
    )
    row(
        "AURC of two scores, paired, one of them continuous",
        lambda: picked(lambda cases: aurc_of(cases, SCORES) - aurc_of(cases, TRUST), 1_000),
        lambda: selective_difference(SCORES, TRUST, COVERED, clusters, rng=RNG),
        10,
    )
    row(
        "Boschloo p of every table at k = 10 (loop: scipy)",
        boschloo_one_by_one,
        boschloo_at_once,
        4,
    )
    row(
        "split-half over all 126 halves of k = 10, 10,000 resamples",
        halves_resampled,
        lambda: split_half(TEN.draws, rng=RNG),
        1_000,
    )
    row(
        "energy distance, 10,000 permutations of labels",
        labels_shuffled,
        lambda: energy_effect(Replies.of(LETTERS[:, :3], LETTERS[:, 3:], clusters), rng=RNG),
        20,
    )
    row("fit of the heterogeneity model with errors by video", None, lambda: fit_flips(COUNTS))
    row("everything a report prints about one probe", None, whole_audit)


if __name__ == "__main__":
    main()
