"""Ridge regression in folds whose answers are linear in the keys, so that keys can be redrawn.

A row x is an option, centred within its question; its target is 1 - 1/k for the key and -1/k for
the k - 1 others. The weights of the folds but one are (X'X + s I)^-1 X'y. X'X and X'y add up over
folds, so that a fit without one or two folds needs no row again, and a thousand redrawn keys are
a thousand right-hand sides. Source: Hoerl & Kennard (1970), Technometrics 12, 55-67.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vidence.seeds import rng_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STRENGTHS = (10.0, 40.0, 160.0, 640.0, 2560.0, 10240.0)
"""Of the penalty, from which one is chosen inside the training folds."""


def folds_of(clusters: Ints, folds: int, *, seed: int | str, repeat: int) -> Ints:
    """Return a fold for each question, int [N]; a video's questions stay together.

    Videos in a seeded order go to the fold with the fewest questions so far, so that folds are
    nearly equal in size.
    """
    rng = rng_of("text folds", seed, repeat)
    sizes = np.bincount(clusters)
    load = np.zeros(folds, dtype=np.int64)
    fold = np.zeros(len(sizes), dtype=np.int64)
    for cluster in rng.permutation(len(sizes)):
        fold[cluster] = int(load.argmin())
        load[fold[cluster]] += sizes[cluster]
    return fold[clusters]


@dataclass(frozen=True, eq=False)
class Folded:
    """Rows of features cut into folds, with the sums that fits need.

    Args:
        parts: sparse [M_f, d], a fold each.
        rows: which rows each fold holds.
        grams: float [F, d, d], X'X of each fold.
    """

    parts: tuple[csr_matrix, ...]
    rows: tuple[Ints, ...]
    grams: Floats

    @classmethod
    def of(cls, matrix: csr_matrix, row_fold: Ints, folds: int) -> Folded:
        """Cut rows [M, d] by their fold [M]."""
        rows = tuple(np.flatnonzero(row_fold == f) for f in range(folds))
        parts = tuple(matrix[mine] for mine in rows)
        grams = np.stack([np.asarray((part.T @ part).todense()) for part in parts])
        return cls(parts, rows, grams)

    def moments(self, targets: Floats) -> Floats:
        """Return X'y of each fold, [F, d, P], for targets [M, P]."""
        return np.stack(
            [np.asarray(p.T @ targets[r]) for p, r in zip(self.parts, self.rows, strict=True)]
        )

    def weights(self, moments: Floats, without: tuple[int, ...], strength: float) -> Floats:
        """Fit all folds but some: weights [d, P]."""
        from scipy.linalg import cho_factor, cho_solve

        kept = [f for f in range(len(self.parts)) if f not in without]
        gram = self.grams[kept].sum(axis=0)
        gram[np.diag_indices_from(gram)] += strength
        factor = cho_factor(gram, lower=True, overwrite_a=True, check_finite=False)
        solved: Floats = cho_solve(factor, moments[kept].sum(axis=0), check_finite=False)
        return solved

    def scores(self, weights: Floats, fold: int) -> Floats:
        """Return the scores of a fold's rows, [M_f, P]."""
        return np.asarray(self.parts[fold] @ weights)

    def columns(self, chosen: Ints) -> Folded:
        """Keep some columns."""
        parts = tuple(part[:, chosen] for part in self.parts)
        return Folded(parts, self.rows, self.grams[:, chosen][:, :, chosen])


@dataclass(frozen=True, eq=False)
class Held:
    """What a fit in folds says of rows that it did not see.

    Args:
        scores: float [M].
        strengths: the penalty of each fold, chosen in the other folds.
        inner: for each fold, scores float [M] of the other folds' rows by fits without either;
            nan on the fold's own.
    """

    scores: Floats
    strengths: tuple[float, ...]
    inner: tuple[Floats, ...]


def held_out(folded: Folded, targets: Floats) -> Held:
    """Score every row by a fit without its fold, the penalty chosen inside the other folds.

    A penalty is good if the scores of the fits without fold f and one more fold g go with the
    targets of g, over all g: the highest sum of score times target over the length of the scores,
    the largest penalty where none is positive. Unlike squared error it does not ask scores to have
    the right size, which only their order needs. One fit without f and g serves both.

    Args:
        targets: float [M].
    """
    count, columns = len(folded.parts), targets[:, None]
    moments = folded.moments(columns)
    total = len(targets)
    inner = np.full((len(STRENGTHS), count, total), np.nan)
    for f in range(count):
        for g in range(f + 1, count):
            for s, strength in enumerate(STRENGTHS):
                weights = folded.weights(moments, (f, g), strength)
                inner[s, f, folded.rows[g]] = folded.scores(weights, g)[:, 0]
                inner[s, g, folded.rows[f]] = folded.scores(weights, f)[:, 0]
    # With two folds nothing is left to choose on.
    best = _choice(inner, targets) if count > 2 else np.full(count, STRENGTHS.index(160.0))
    scores = np.zeros(total)
    for f in range(count):
        weights = folded.weights(moments, (f,), STRENGTHS[best[f]])
        scores[folded.rows[f]] = folded.scores(weights, f)[:, 0]
    chosen = tuple(STRENGTHS[i] for i in best)
    return Held(scores, chosen, tuple(inner[best[f], f] for f in range(count)))


def _choice(inner: Floats, targets: Floats) -> Ints:
    """Return the best penalty of each fold, int [F], of scores [S, F, M]."""
    known = np.nan_to_num(inner)
    length = np.sqrt((known**2).sum(axis=2))
    going = (known @ targets) / np.where(length > 0, length, 1.0)
    going[-1] = np.maximum(going[-1], 0.0)
    return np.asarray(going.argmax(axis=0), dtype=np.int64)


def fixed(folded: Folded, targets: Floats, strengths: tuple[float, ...]) -> Floats:
    """Score every row by a fit without its fold at given penalties, [M, P].

    Args:
        targets: float [M, P], a column a set of keys.
    """
    moments = folded.moments(targets)
    scores = np.zeros(targets.shape)
    for f, strength in enumerate(strengths):
        scores[folded.rows[f]] = folded.scores(folded.weights(moments, (f,), strength), f)
    return scores


def padded(values: Any, start: Ints, fill: float) -> Floats:
    """Return rows [M, ...] as [N, K, ...], `fill` where a question has fewer than K options."""
    counts = np.diff(start)
    most = int(counts.max(initial=0))
    there = np.arange(most) < counts[:, None]
    table = np.full((len(counts), most, *np.shape(values)[1:]), fill)
    table[there] = values
    return table
