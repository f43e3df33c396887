"""Print how often the intervals of `vidence.stats` hold the truth.

    python benchmarks/coverage.py [--repetitions 4000]

Design: videos with 1 to 15 questions (uniform, drawn anew), answers correlated inside a video
(ICC). Columns are ICC 0 / 0.3 / 1, in percent. Seeds come from each cell's name.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.random import Generator

from vidence.seeds import rng_of
from vidence.stats import (
    Clusters,
    Estimate,
    bootstrap_ratio,
    case_flags,
    case_luck,
    difference_by_cluster,
    excess_over_luck,
    mean_by_cluster,
    proportion_by_cluster,
)
from vidence.stats.designs import clustered_differences, clustered_hits, guessing_panel

ICCS = (0.0, 0.3, 1.0)
VIDEOS = (5, 10, 20, 40, 90, 300)
Measure = Callable[[Generator, int, float], Estimate]


def rates(draw: Callable[[], Estimate], truth: float, repetitions: int) -> tuple[float, float]:
    """Return the shares of intervals that hold the truth and that lie wholly above it."""
    held, above = 0, 0
    for _ in range(repetitions):
        made = draw()
        if made.low is not None and made.high is not None:
            held += made.low - 1e-12 <= truth <= made.high + 1e-12
            above += made.low > truth
    return held / repetitions, above / repetitions


def table(title: str, rows: dict[str, tuple[Measure, float]], repetitions: int) -> None:
    """Print one Markdown table: a row per measure and truth, a column per number of videos."""
    print(f"\n{title}\n")
    print("| |" + "".join(f" {videos} videos |" for videos in VIDEOS))
    print("|---|" + "---|" * len(VIDEOS))
    for name, (measure, truth) in rows.items():
        cells = []
        for videos in VIDEOS:
            found = []
            for icc in ICCS:
                rng = rng_of("coverage table", name, videos, icc)
                held, _ = rates(partial(measure, rng, videos, icc), truth, repetitions)
                found.append(f"{100 * held:.1f}")
            cells.append(" / ".join(found))
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def hits(share: float, interval: str) -> Measure:
    """Return a measure of a clustered share with one kind of interval."""

    def measure(rng: Generator, videos: int, icc: float) -> Estimate:
        drawn, clusters = clustered_hits(rng.integers(1, 16, videos), share, icc, rng=rng)
        if interval == "t":
            return mean_by_cluster(drawn.astype(np.float64), clusters)
        if interval in ("bca", "percentile"):
            return bootstrap_ratio(
                drawn, None, clusters, rng=rng, n_resamples=999, interval=interval
            )
        return proportion_by_cluster(drawn, clusters, interval=interval)

    return measure


def differences(up: float, down: float, interval: str) -> Measure:
    """Return a measure of a clustered paired difference with one kind of interval."""

    def measure(rng: Generator, videos: int, icc: float) -> Estimate:
        sizes = rng.integers(1, 16, videos)
        drawn, clusters = clustered_differences(sizes, up, down, icc, rng=rng)
        if interval == "t":
            return mean_by_cluster(drawn, clusters)
        return difference_by_cluster(drawn, clusters)

    return measure


def guessers(likeness: float, c: int, prior: str, guarded: bool) -> Callable[..., Estimate]:
    """Return a measure of the excess of a panel that knows nothing."""

    def measure(rng: Generator, videos: int) -> Estimate:
        codes = np.repeat(np.arange(videos), rng.integers(1, 16, videos))
        votes = guessing_panel(
            rng.integers(2, 6, len(codes)), Clusters(codes, videos), likeness=likeness, rng=rng
        )
        flagged = case_flags(votes, c)[0].any(axis=1)
        luck = case_luck(votes, c, prior=prior)
        if guarded:
            return excess_over_luck(flagged, luck, votes.clusters)
        return difference_by_cluster(flagged - luck, votes.clusters)

    return measure


def luck_table(repetitions: int) -> None:
    """Print false-positive rates of the excess for panels that know nothing."""
    print("\nExcess over luck of panels that know nothing: interval excludes 0 (lies above 0)\n")
    thresholds = (1, 2, 3)
    print("| videos, likeness, prior |" + "".join(f" c = {c} |" for c in thresholds))
    print("|---|" + "---|" * len(thresholds))
    for videos, likeness, prior, guarded in (
        (10, 0.5, "uniform", True),
        (20, 0.5, "uniform", True),
        (90, 0.0, "uniform", True),
        (90, 0.0, "uniform", False),
        (90, 0.5, "uniform", True),
        (90, 0.9, "uniform", True),
        (90, 0.5, "positions", True),
        (90, 0.9, "positions", True),
    ):
        cells = []
        for c in thresholds:
            rng = rng_of("luck table", videos, likeness, prior, c)
            draw = partial(guessers(likeness, c, prior, guarded), rng, videos)
            held, above = rates(draw, 0.0, repetitions)
            cells.append(f"{100 * (1 - held):.1f} ({100 * above:.1f})")
        name = f"{videos}, {likeness}, {prior}" + ("" if guarded else ", least variance off")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=4_000)
    repetitions = parser.parse_args().repetitions
    error = 100 * np.sqrt(0.95 * 0.05 / repetitions)
    print(f"{repetitions} repetitions a cell; Monte Carlo error of 95 %: {error:.2f} points")
    shares = (0.01, 0.05, 0.3, 0.5, 0.95)
    table(
        "Share by cluster, the default (Korn-Graubard); ICC 0 / 0.3 / 1",
        {f"share {p}": (hits(p, "clopper-pearson"), p) for p in shares},
        repetitions,
    )
    table(
        "Share by cluster, the other ways at share 0.05; ICC 0 / 0.3 / 1",
        {name: (hits(0.05, name), 0.05) for name in ("wilson", "t")},
        repetitions,
    )
    pairs = ((0.05, 0.0), (0.05, 0.05), (0.3, 0.1), (0.6, 0.1))
    table(
        "Paired difference (share up, share down); ICC 0 / 0.3 / 1",
        {f"up {u}, down {d}": (differences(u, d, "score"), u - d) for u, d in pairs}
        | {"t: up 0.05, down 0.0": (differences(0.05, 0.0, "t"), 0.05)},
        repetitions,
    )
    table(
        "Cluster bootstrap, 999 resamples, a quarter of the repetitions; ICC 0 / 0.3 / 1",
        {
            f"{kind}, share {p}": (hits(p, kind), p)
            for p in (0.05, 0.3)
            for kind in ("bca", "percentile")
        },
        max(100, repetitions // 4),
    )
    luck_table(repetitions)


if __name__ == "__main__":
    main()
