"""Which replays changed the answer: draws per question and condition, counted exactly.

A question is replayed k times with its evidence intact (sham) and k times with it destroyed. Each
draw either flips the committed answer or keeps it. Draws that cannot be parsed leave numerator and
denominator, so the two conditions may end with different numbers of valid draws. All arithmetic on
scores is over whole numbers: 1/3 - 1/3 and 2/6 - 1/3 are ties and not rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, as_whole, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.intervals import Labels

FLIPPED, KEPT, INVALID, UNDRAWN = 1, 0, -1, -2


@dataclass(frozen=True, eq=False)
class FlipDraws:
    """Hold every replay draw in the order in which it was made.

    Args:
        sham, destroy: int [N, K] each, of `FLIPPED`, `KEPT`, `INVALID` (drawn, not parsed) and
            `UNDRAWN`; the two may have different K.
        clusters: the video of each question.
    """

    sham: Ints
    destroy: Ints
    clusters: Clusters

    @classmethod
    def of(cls, sham: ArrayLike, destroy: ArrayLike, clusters: Labels) -> FlipDraws:
        """Return checked draws.

        Raises:
            UsageError: a code other than the four, not two axes, or lengths that differ.
        """
        a, b = _codes("sham", sham), _codes("destroy", destroy)
        groups = Clusters.of(clusters)
        same_length(sham=len(a), destroy=len(b), clusters=len(groups))
        return cls(a, b, groups)

    def __len__(self) -> int:
        return len(self.clusters)

    def first(self, k: int) -> FlipDraws:
        """Return the first k draws of each condition: a smaller budget nested in this one."""
        most = max(self.sham.shape[1], self.destroy.shape[1])
        if not 1 <= k <= most:
            raise UsageError(f"k = {k}; there are {most} draws, 1 to {most} are allowed.")
        return FlipDraws(self.sham[:, :k], self.destroy[:, :k], self.clusters)

    def counts(self) -> FlipCounts:
        """Return the counts per question."""
        sham, destroy = self.sham, self.destroy
        return FlipCounts(
            sham_flips=_sum(sham == FLIPPED),
            sham_valid=_sum(sham >= 0),
            sham_asked=_sum(sham > UNDRAWN),
            destroy_flips=_sum(destroy == FLIPPED),
            destroy_valid=_sum(destroy >= 0),
            destroy_asked=_sum(destroy > UNDRAWN),
            clusters=self.clusters,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class FlipCounts:
    """Hold flips, valid draws and draws asked for, per question and condition, int [N] each.

    A question without a valid draw in either condition has no score. Its place is kept: methods
    that return scores name the questions they cover by `scored`.
    """

    sham_flips: Ints
    sham_valid: Ints
    sham_asked: Ints
    destroy_flips: Ints
    destroy_valid: Ints
    destroy_asked: Ints
    clusters: Clusters

    @classmethod
    def of(
        cls,
        sham: tuple[ArrayLike, ArrayLike],
        destroy: tuple[ArrayLike, ArrayLike],
        clusters: Labels | None = None,
    ) -> FlipCounts:
        """Return counts from (flips, valid draws) per condition, where no draw was lost.

        Args:
            sham, destroy: flips [N] and valid draws, [N] or one number for all.
            clusters: labels [N]; None makes every question its own cluster.

        Raises:
            UsageError: more flips than draws, a negative count, or lengths that differ.
        """
        y, x = as_whole("sham flips", sham[0]), as_whole("destroy flips", destroy[0])
        ks = np.broadcast_to(as_whole("sham draws", sham[1]), y.shape)
        kd = np.broadcast_to(as_whole("destroy draws", destroy[1]), x.shape)
        groups = Clusters.alone(len(y)) if clusters is None else Clusters.of(clusters)
        same_length(sham=len(y), destroy=len(x), clusters=len(groups))
        for name, flips, draws in (("sham", y, ks), ("destroy", x, kd)):
            if ((flips < 0) | (flips > draws)).any():
                raise UsageError(f"{name}: flips must lie between 0 and the valid draws.")
        return cls(
            sham_flips=y,
            sham_valid=ks,
            sham_asked=ks,
            destroy_flips=x,
            destroy_valid=kd,
            destroy_asked=kd,
            clusters=groups,
        )

    def __len__(self) -> int:
        return len(self.clusters)

    @property
    def scored(self) -> Bools:
        """Whether each question has a valid draw in both conditions, [N]."""
        both: Bools = (self.sham_valid > 0) & (self.destroy_valid > 0)
        return both

    def where(self, mask: Bools) -> FlipCounts:
        """Return the questions in `mask`."""
        return FlipCounts(
            sham_flips=self.sham_flips[mask],
            sham_valid=self.sham_valid[mask],
            sham_asked=self.sham_asked[mask],
            destroy_flips=self.destroy_flips[mask],
            destroy_valid=self.destroy_valid[mask],
            destroy_asked=self.destroy_asked[mask],
            clusters=self.clusters.where(mask),
        )

    def rates(self) -> tuple[Floats, Floats]:
        """Return the flip rates of the scored questions under sham and under destroy, [M] each."""
        s = self.where(self.scored)
        return s.sham_flips / s.sham_valid, s.destroy_flips / s.destroy_valid

    def scores(self) -> Floats:
        """Return x / k_d - y / k_s of the scored questions, [M].

        One correctly rounded division of whole numbers, so equal fractions are equal floats.
        """
        s = self.where(self.scored)
        scores: Floats = s._cross() / (s.destroy_valid * s.sham_valid)
        return scores

    def signs(self) -> Ints:
        """Return -1, 0 or 1 for the scored questions, [M], by comparing whole numbers."""
        return np.sign(self.where(self.scored)._cross())

    def fractions(self) -> tuple[Fraction | None, ...]:
        """Return every question's exact score; None where it has none."""
        low = self.sham_valid * self.destroy_valid
        return tuple(
            Fraction(int(top), int(bottom)) if bottom else None
            for top, bottom in zip(self._cross(), low, strict=True)
        )

    def bounds(self) -> tuple[Floats, Floats]:
        """Return the lowest and highest score that the lost draws allow, [N] each.

        Lowest: every lost sham draw would have flipped and no lost destroy draw; highest: the
        reverse. -1 and 1 where nothing was drawn.
        """
        lost_s, lost_d = self.sham_asked - self.sham_valid, self.destroy_asked - self.destroy_valid
        ks, kd = np.maximum(self.sham_asked, 1), np.maximum(self.destroy_asked, 1)
        none_s, none_d = self.sham_asked == 0, self.destroy_asked == 0
        low = np.where(none_d, 0, self.destroy_flips / kd) - np.where(
            none_s, 1, (self.sham_flips + lost_s) / ks
        )
        high = np.where(none_d, 1, (self.destroy_flips + lost_d) / kd) - np.where(
            none_s, 0, self.sham_flips / ks
        )
        return low, high

    def tables(self) -> tuple[Ints, Ints]:
        """Return the distinct scored tables (x, k_d, y, k_s), [T, 4], and each one's index, [M].

        What depends on a question through its counts alone is worked out once per table.
        """
        s = self.where(self.scored)
        rows = np.stack([s.destroy_flips, s.destroy_valid, s.sham_flips, s.sham_valid], axis=1)
        found, index = np.unique(rows, axis=0, return_inverse=True)
        return found, index.reshape(-1)

    def _cross(self) -> Ints:
        return self.destroy_flips * self.sham_valid - self.sham_flips * self.destroy_valid


def _codes(name: str, draws: ArrayLike) -> Ints:
    codes = as_whole(name, draws)
    if codes.ndim != 2:
        raise UsageError(f"{name} has shape {codes.shape}; two axes [questions, draws] are needed.")
    if ((codes < UNDRAWN) | (codes > FLIPPED)).any():
        raise UsageError(
            f"{name}: draws are 1 (flipped), 0 (kept), -1 (invalid) or -2 (not drawn)."
        )
    return codes


def _sum(flags: Bools) -> Ints:
    return np.asarray(flags.sum(axis=1), dtype=np.int64)
