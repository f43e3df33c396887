"""How the text learner's test and interval behave where the truth is known.

    python benchmarks/text_learner.py [--repetitions 200] [--part false|power|coverage]

false: how often p <= 0.05 where no text tells the key. power: how often with a planted leak.
coverage: how often the 95 % interval holds the procedure's mean accuracy, which is the mean over
the repetitions; `plain` is the interval without its widening.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from vidence.stats import mean_by_cluster
from vidence.text.learner import LearnerSettings, learn
from vidence.text.planted import Planted

FALSE = {
    "300 questions, 80 videos": Planted(questions=300, videos=80),
    "200 questions, 20 videos": Planted(questions=200, videos=20),
    "2 to 6 options": Planted(questions=300, videos=80, options=(2, 3, 4, 5, 6)),
    "2 options": Planted(questions=300, videos=80, options=(2,)),
    "each asked 3 times": Planted(questions=300, videos=40, repeats=3),
    "half the keys at their video's place": Planted(questions=300, videos=60, same_place=0.5),
}
POWER = {
    f"{leak} in {strength:.0%}": Planted(questions=600, videos=150, leak=leak, strength=strength)
    for leak, strengths in {
        "length": (0.05, 0.1, 0.2),
        "absolute": (0.1, 0.2, 0.4),
        "overlap": (0.1, 0.2, 0.4),
        "token": (0.02, 0.05, 0.1),
        "template": (0.02, 0.05, 0.1),
        "position": (0.05, 0.1, 0.2),
    }.items()
    for strength in strengths
}
COVERAGE = {
    f"{questions} questions, {videos} videos, {leak or 'no leak'} {strength or ''}": Planted(
        questions=questions, videos=videos, leak=leak, strength=strength
    )
    for questions, videos in ((300, 80), (300, 300), (900, 90), (900, 300))
    for leak, strength in (
        (None, 0.0),
        ("length", 0.15),
        ("length", 0.6),
        ("token", 0.1),
        ("absolute", 0.5),
    )
} | {
    "300 questions, 25 videos, length 0.4": Planted(
        questions=300, videos=25, leak="length", strength=0.4
    ),
    "600 questions, 60 videos, length 0.3 by video": Planted(
        questions=600, videos=60, leak="length", strength=0.3, by_video=True
    ),
    "300 questions, 60 videos, keys share places": Planted(
        questions=300, videos=60, same_place=0.5
    ),
}


def rejections(title: str, cells: dict[str, Planted], repetitions: int) -> None:
    """Print how often the test rejects at 5 %."""
    print(f"\n{title}, {repetitions} repetitions, 99 redraws")
    settings = LearnerSettings(permutations=99, explain=False, repeats=1)
    for name, cell in cells.items():
        hits = 0
        for r in range(repetitions):
            items = cell.make(seed=f"benchmark {name} {r}")
            p = learn(items, seed=r, settings=settings).permutation.p
            hits += p is not None and p <= 0.05
        share = hits / repetitions
        error = math.sqrt(max(share * (1 - share), 0.05 * 0.95) / repetitions)
        print(f"  {name:<40} {100 * share:5.1f} %  (Monte Carlo error {100 * error:.1f})")


def coverage(cells: dict[str, Planted], repetitions: int) -> None:
    """Print how often the intervals hold the mean over the repetitions."""
    print(f"\nCoverage at 95 %, {repetitions} repetitions, 3 repeats of 5 folds")
    settings = LearnerSettings(permutations=0, explain=False)
    for name, cell in cells.items():
        ends, values = [], []
        for r in range(repetitions):
            items = cell.make(seed=f"coverage {name} {r}")
            learned = learn(items, seed=r, settings=settings)
            plain = mean_by_cluster(learned.right, items.clusters)
            one = learned.accuracy
            values.append(one.value)
            ends.append((one.low, one.high, plain.low, plain.high))
        truth, spread = np.mean(values), np.array(ends, dtype=np.float64)
        held = ((spread[:, 0] <= truth) & (truth <= spread[:, 1])).mean()
        bare = ((spread[:, 2] <= truth) & (truth <= spread[:, 3])).mean()
        error = math.sqrt(0.05 * 0.95 / repetitions)
        print(
            f"  {name:<48} accuracy {100 * truth:4.1f}  covers {100 * held:5.1f} %  "
            f"plain {100 * bare:5.1f} %  (Monte Carlo error {100 * error:.1f})"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--part", choices=["false", "power", "coverage"])
    given = parser.parse_args()
    if given.part in (None, "false"):
        rejections("False alarms", FALSE, given.repetitions)
    if given.part in (None, "power"):
        rejections("Power", POWER, given.repetitions)
    if given.part in (None, "coverage"):
        coverage(COVERAGE, given.repetitions)


if __name__ == "__main__":
    main()
