"""Print how often the agent audit's 95 % intervals hold the truth, by statistic and videos.

    python benchmarks/agent_coverage.py --repetitions 1000

Design and truth: tests/calibration/agent_statistics.py. The last column is the mean width at 90
videos.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The folder of this file holds a `statistics.py`, which must not stand for the standard library's.
sys.path[0] = str(ROOT)

from tests.calibration.agent_statistics import STATISTICS, coverage  # noqa: E402

VIDEOS = (5, 10, 30, 90, 290)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("names", nargs="*", default=list(STATISTICS))
    args = parser.parse_args()
    print("| statistic | " + " | ".join(f"{v} videos" for v in VIDEOS) + " | width at 90 |")
    print("|---" * (len(VIDEOS) + 2) + "|")
    for name in args.names:
        cells, width = [], 0.0
        for videos in VIDEOS:
            held, mean, _ = coverage(name, videos, args.repetitions)
            cells.append(f"{100 * held:.1f}")
            width = mean if videos == 90 else width
        print(f"| {name} | " + " | ".join(cells) + f" | {width:.3f} |", flush=True)


if __name__ == "__main__":
    main()
