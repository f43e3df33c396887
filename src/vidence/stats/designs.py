"""Random data of known truth, for calibration and for planning how many cases to ask."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, as_whole
from vidence.stats.clusters import Clusters
from vidence.stats.panel_votes import PanelVotes


def clustered_hits(
    sizes: ArrayLike, share: float, icc: float, *, rng: Generator
) -> tuple[Bools, Clusters]:
    """Return beta-binomial hits [N] and their clusters.

    Formula: each cluster draws its own probability from Beta(share a, (1 - share) a) with
    a = (1 - icc) / icc, so that two cases of one cluster have correlation `icc`; 0 makes cases
    independent, 1 makes a cluster's cases copies.

    Args:
        sizes: whole numbers [G], cases per cluster.
    """
    clusters = _blocks(sizes)
    own = _own_shares(np.array([share, 1 - share]), icc, clusters.count, rng)[:, 0]
    hits: Bools = rng.random(len(clusters)) < own[clusters.codes]
    return hits, clusters


def clustered_differences(
    sizes: ArrayLike, up: float, down: float, icc: float, *, rng: Generator
) -> tuple[Floats, Clusters]:
    """Return differences in {-1, 0, 1}, [N], and their clusters.

    Formula: each cluster draws its shares of +1, -1 and 0 from a Dirichlet distribution of mean
    (up, down, 1 - up - down) and total (1 - icc) / icc.
    """
    clusters = _blocks(sizes)
    own = _own_shares(np.array([up, down, 1 - up - down]), icc, clusters.count, rng)
    draw = rng.random(len(clusters))
    rise, fall = own[clusters.codes, 0], own[clusters.codes, 1]
    return (draw < rise).astype(np.float64) - ((draw >= rise) & (draw < rise + fall)), clusters


def guessing_panel(
    n_options: ArrayLike,
    clusters: Clusters,
    *,
    checks: int = 6,
    members: int = 3,
    likeness: float = 0.5,
    rng: Generator,
) -> PanelVotes:
    """Return the votes of a panel that knows no key but agrees with itself.

    Every case has an attractive option, shared by all members and checks and drawn with a lean
    to the first position; each reply is that option with probability `likeness` and a uniform
    guess otherwise. Keys are uniform and drawn apart from all replies: the null hypothesis of
    the luck line holds exactly, at any dependence between replies.
    """
    counts = as_whole("n_options", n_options)
    n, width = len(counts), int(counts.max(initial=1))
    shape = (n, checks, members)
    lean = np.floor(rng.random(n) ** 1.5 * counts).astype(np.int64)
    guess = np.floor(rng.random(shape) * counts[:, None, None]).astype(np.int64)
    replies = np.where(rng.random(shape) < likeness, lean[:, None, None], guess)
    return PanelVotes.of(
        (replies[..., None] == np.arange(width)).sum(axis=2),
        np.zeros((n, checks), dtype=np.int64),
        np.ones((n, checks), dtype=np.bool_),
        options=(counts, np.floor(rng.random(n) * counts).astype(np.int64)),
        panel=np.full(checks, members),
        clusters=clusters,
        checks=[f"check {t}" for t in range(checks)],
    )


def _blocks(sizes: ArrayLike) -> Clusters:
    counts = as_whole("sizes", sizes)
    return Clusters(np.repeat(np.arange(len(counts)), counts), len(counts))


def _own_shares(mean: Floats, icc: float, groups: int, rng: Generator) -> Floats:
    if not 0 <= icc <= 1 or (mean < 0).any():
        raise UsageError(f"icc = {icc}, shares = {mean.tolist()}; 0 to 1 is allowed in each.")
    if icc == 0:
        return np.tile(mean, (groups, 1))
    if icc == 1:
        return rng.multinomial(1, mean, size=groups).astype(np.float64)
    return rng.dirichlet(np.maximum(mean, 1e-9) * (1 - icc) / icc, size=groups)
