"""Print how much faster the statistics are than plain loops over cases, side by side.

    python benchmarks/statistics.py

The loops are the obvious way to write each task. Both sides run in this one process, in turn, so
only the ratio means anything.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from time import perf_counter

import numpy as np

from vidence.seeds import rng_of
from vidence.stats import (
    Clusters,
    PanelVotes,
    bootstrap_difference,
    case_flags,
    case_luck,
    consensus,
    sign_flip_p,
)
from vidence.stats.designs import clustered_hits, guessing_panel


def seconds(task: Callable[[], object], repeats: int) -> float:
    """Return the fastest of some runs."""
    best = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        task()
        best = min(best, perf_counter() - start)
    return best


def row(name: str, naive: Callable[[], object] | None, ours: Callable[[], object]) -> None:
    """Print one comparison, or our own time alone where no loop does the same."""
    slow, fast = (seconds(naive, 2) if naive else None), seconds(ours, 5)
    tracemalloc.start()
    ours()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    loop, ratio = (f"{slow:.2f} s", f"{slow / fast:,.0f}x") if slow else ("-", "-")
    print(f"| {name} | {loop} | {1e3 * fast:.1f} ms | {ratio} | {peak:.1f} MB |")


def bootstrap_row() -> None:
    """Compare 10,000 resamples of 90 videos with picking up every case."""
    rng = rng_of("benchmark bootstrap")
    sizes = rng.multinomial(1258 - 90, np.full(90, 1 / 90)) + 1
    first, clusters = clustered_hits(sizes, 0.6, 0.3, rng=rng)
    second = np.where(rng.random(1258) < 0.2, ~first, first)
    members = [np.flatnonzero(clusters.codes == g) for g in range(90)]

    def naive() -> np.ndarray:
        means = []
        for _ in range(10_000):
            cases = np.concatenate([members[g] for g in rng.integers(0, 90, 90)])
            means.append(first[cases].mean() - second[cases].mean())
        return np.quantile(means, [0.025, 0.975])

    row(
        "paired bootstrap by video, 10,000 resamples, 1,258 questions in 90 videos",
        naive,
        lambda: bootstrap_difference(first, second, clusters, rng=rng),
    )


def full_panel() -> PanelVotes:
    """Return a panel of full size: 24,416 questions, six checks, three members."""
    rng = rng_of("benchmark consensus")
    clusters = Clusters(np.sort(rng.integers(0, 8_000, 24_416)), 8_000)
    return guessing_panel(rng.integers(2, 6, 24_416), clusters, rng=rng)


def loop_over_cases(votes: PanelVotes) -> list[tuple[float, float]]:
    """Return ratio and luck at each threshold, case by case."""
    found = []
    for c in votes.thresholds:
        flagged, luck = 0, 0.0
        for n in range(len(votes)):
            agreed = set()
            for t in range(len(votes.checks)):
                for o in range(int(votes.n_options[n])):
                    if votes.votes[n, t, o] >= c:
                        agreed.add(o)
            flagged += int(votes.key[n]) in agreed
            luck += len(agreed) / int(votes.n_options[n])
        found.append((flagged / len(votes), luck / len(votes)))
    return found


def main() -> None:
    """Print the table."""
    print("| task | naive loop | vidence | ratio | peak memory |\n|---|---|---|---|---|")
    bootstrap_row()
    votes = full_panel()

    def ours() -> list[tuple[float, float]]:
        return [
            (float(case_flags(votes, c)[0].any(axis=1).mean()), float(case_luck(votes, c).mean()))
            for c in votes.thresholds
        ]

    if not np.allclose(ours(), loop_over_cases(votes)):
        raise SystemExit("The loop and vidence disagree; the table would mean nothing.")
    row(
        "flags and luck, 24,416 x 6 checks x 3 members, c = 1..3",
        lambda: loop_over_cases(votes),
        ours,
    )
    row(
        "the same with every check's shares, luck and excess, 60-odd intervals a threshold",
        None,
        lambda: [consensus(votes, c, baseline="check 0") for c in votes.thresholds],
    )
    rng = rng_of("benchmark flips")
    first, second = rng.random((2, 1258)) < 0.6
    videos = np.sort(rng.integers(0, 90, 1258))

    def flips() -> float:
        sums = np.bincount(videos, first.astype(float) - second)
        far = [abs(rng.choice([-1, 1], len(sums)) @ sums) >= abs(sums.sum()) for _ in range(10_000)]
        return float(np.mean(far))

    row(
        "sign-flip p by video: 10,000 random flips against the exact value",
        flips,
        lambda: sign_flip_p(first, second, videos),
    )


if __name__ == "__main__":
    main()
