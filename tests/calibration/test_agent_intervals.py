"""Do the intervals of the agent audit hold the truth 95 times in 100?

Design and truth: tests/calibration/agent_statistics.py. R = 400 repetitions a cell, so the Monte
Carlo error of a coverage of 95 % is 1.1 points; cells must lie within 93 to 97 % to two of those.
`python benchmarks/agent_coverage.py` prints all statistics with more repetitions.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.calibration.agent_statistics import coverage

pytestmark = pytest.mark.slow

REPETITIONS = 400
ERROR = float(np.sqrt(0.95 * 0.05 / REPETITIONS))
# One of each kind of interval: hybrid score, Korn-Graubard, bootstrap of ratios, ranks and areas.
CHECKED = [
    *("mean score", "tie excess", "gain", "yield", "repair share"),
    *("pearson", "roc auc", "aurc difference", "uplift area"),
]
AGAIN = {"mean score", "gain", "yield", "pearson", "roc auc"}


@pytest.mark.parametrize(
    ("name", "videos"),
    [*((name, 90) for name in CHECKED), *((name, 290) for name in CHECKED if name in AGAIN)],
)
def test_intervals_hold_at_the_size_of_real_probes(name: str, videos: int) -> None:
    held, _, _ = coverage(name, videos, REPETITIONS)
    assert 0.93 - 2 * ERROR <= held <= 0.97 + 2 * ERROR


@pytest.mark.parametrize("name", ["mean score", "yield", "pearson", "roc auc", "tie excess"])
def test_five_videos_get_t_and_say_that_they_are_few(name: str) -> None:
    """At least 90 % to two errors; the figure is printed, and every estimate carries a caution."""
    held, width, cautions = coverage(name, 5, REPETITIONS)
    print(f"{name}: {100 * held:.1f} % of intervals hold at 5 videos, mean width {width:.2f}")
    assert held >= 0.90 - 2 * ERROR
    assert None not in cautions
