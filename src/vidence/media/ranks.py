"""Give an array the values of another one, by rank, in linear time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BUCKETS = 1 << 16


def match_histogram(values: NDArray[np.floating], like: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the values of `like` in the rank order of `values`; equal ranks in reading order.

    The histogram of the result is exactly that of `like`. Method: values fall into 65,536 buckets
    of equal width; where all of a bucket's ranks get one value a table serves, and only the few
    buckets in which the value changes (255 at most) are sorted. The same as giving the sorted
    values of `like` to a stable sort of `values`, without the sort.

    Args:
        values: finite numbers, any shape.
        like: uint8, as many.
    """
    flat = np.ascontiguousarray(values).ravel()
    upto = np.cumsum(np.bincount(like.ravel(), minlength=256))
    bucket = _buckets(flat)
    count = np.bincount(bucket, minlength=_BUCKETS)
    end = np.cumsum(count)
    start = end - count
    first = _at_most(np.searchsorted(start, upto, side="left"))
    last = _at_most(np.searchsorted(end, upto, side="right"))
    mixed = (first != last) & (count > 0)
    out: NDArray[np.uint8] = np.minimum(first, 255).astype(np.uint8).take(bucket)
    if mixed.any():
        where = np.flatnonzero(mixed.take(bucket))
        where = where[np.argsort(flat[where], kind="stable")]
        mine = bucket[where]
        # All members of a mixed bucket are here, in order: the place within it gives the rank.
        opened = np.flatnonzero(np.r_[True, mine[1:] != mine[:-1]])
        within = np.arange(len(where)) - np.repeat(opened, np.diff(np.r_[opened, len(where)]))
        out[where] = np.searchsorted(upto, start[mine] + within, side="right").astype(np.uint8)
    return out.reshape(values.shape)


def _at_most(place: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return how many of 256 places are at or before each bucket, int [65536]."""
    return np.asarray(np.cumsum(np.bincount(place, minlength=_BUCKETS + 1)[:_BUCKETS]))


def _buckets(flat: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return a bucket a value, never falling where the value rises."""
    low, high = flat.min(), flat.max()
    if low == high:
        return np.zeros(flat.shape, np.intp)
    scale = (_BUCKETS - 1) / (float(high) - float(low))
    if scale > float(np.finfo(flat.dtype).max):  # too narrow: one bucket, which is sorted
        return np.zeros(flat.shape, np.intp)
    scaled = (flat - low) * flat.dtype.type(scale)
    places: NDArray[np.intp] = np.minimum(scaled, _BUCKETS - 1, out=scaled).astype(np.intp)
    return places
