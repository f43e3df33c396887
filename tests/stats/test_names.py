"""The public names are true, and statistics load nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vidence import stats
from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats.clusters import Clusters
from vidence.stats.designs import clustered_differences, clustered_hits, guessing_panel


def test_every_public_name_exists_and_is_documented():
    assert len(set(stats.__all__)) == len(stats.__all__)
    for name in stats.__all__:
        thing = getattr(stats, name)
        assert not callable(thing) or thing.__doc__


def test_every_public_function_has_its_place_on_the_page():
    docs = Path(__file__).parents[2] / "docs"
    pages = [docs / name for name in ("statistics.md", "agent-statistics.md")]
    page = "\n".join(path.read_text(encoding="utf-8") for path in pages if path.exists())
    functions = [name for name in stats.__all__ if name[0].islower()]
    assert [name for name in functions if f"`{name}" not in page] == []


def test_statistics_do_not_load_scipy_stats():
    code = "import sys, vidence.stats; print([m for m in sys.modules if m == 'scipy.stats'])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("icc", [0, 0.3, 1])
def test_designed_hits_have_the_asked_correlation(icc):
    """Pairs of cases in 40,000 clusters of two; correlation and share within 5 errors."""
    hits, clusters = clustered_hits(np.full(40_000, 2), 0.3, icc, rng=rng_of("icc", icc))
    pairs = hits.reshape(-1, 2)
    assert np.corrcoef(pairs.T)[0, 1] == pytest.approx(icc, abs=5 / np.sqrt(40_000))
    assert hits.mean() == pytest.approx(0.3, abs=5 * np.sqrt(0.21 / 40_000))
    assert clusters.sizes().tolist() == [2] * 40_000


@pytest.mark.parametrize("icc", [0, 0.5, 1])
def test_designed_differences_have_the_asked_shares(icc):
    values, _ = clustered_differences(np.full(20_000, 2), 0.2, 0.1, icc, rng=rng_of("d", icc))
    assert set(np.unique(values)) == {-1.0, 0.0, 1.0}
    assert (values == 1).mean() == pytest.approx(0.2, abs=0.02)
    assert (values == -1).mean() == pytest.approx(0.1, abs=0.02)


def test_designs_refuse_impossible_shares():
    with pytest.raises(UsageError, match="icc = 2"):
        clustered_hits([1, 2], 0.5, 2, rng=rng_of("x"))


def test_a_guessing_panel_agrees_with_itself_but_not_with_the_key():
    counts = np.full(4_000, 4)
    votes = guessing_panel(counts, Clusters.alone(4_000), likeness=0.9, rng=rng_of("guessers"))
    assert (votes.votes.max(axis=2) == 3).mean() > 0.7
    assert votes.at_key().mean() / 3 == pytest.approx(0.25, abs=5 * np.sqrt(0.1875 / 4_000))
