"""Checked arrays: one type, one length, no missing value hidden in a number.

A column that mixes `True`, `1` and `"1"` is refused rather than coerced, because a silent cast
turns whole categories into something else.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vidence.errors import UsageError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def as_array(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return `values` as an array of one type, or raise `UsageError` naming the types that came.

    A Python sequence is looked at before numpy sees it: `np.asarray([True, 1, "1"])` would make
    text of all three.
    """
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise UsageError(f"{name}: rows of unequal length; give a rectangle.") from error
    if isinstance(values, list | tuple):
        members = set(map(type, _leaves(values)))
    else:
        members = set(map(type, array.ravel())) if array.dtype == object else set()
    kinds = {_kind(member) for member in members}
    if len(kinds) > 1:
        found = ", ".join(sorted(member.__name__ for member in members))
        raise UsageError(f"{name} mixes types ({found}). Give one type, converted on purpose.")
    if array.dtype == object and kinds:
        array = np.array(array.tolist())
    return array


def _leaves(values: object) -> list[object]:
    if isinstance(values, list | tuple):
        return [leaf for value in values for leaf in _leaves(value)]
    # An array inside a list has one type by construction: one member stands for it.
    return list(values.ravel()[:1]) if isinstance(values, np.ndarray) else [values]


def _kind(member: type) -> str:
    if issubclass(member, bool | np.bool_):
        return "bool"
    if issubclass(member, int | float | np.integer | np.floating):
        return "number"
    return "text" if issubclass(member, str) else member.__name__


def as_numbers(name: str, values: ArrayLike) -> Floats:
    """Return finite float64 numbers of shape [N]; booleans count as 0 and 1.

    Raises:
        UsageError: text, mixed types, NaN or infinity, or more than one axis.
    """
    array = as_array(name, values)
    if array.size == 0:
        array = array.astype(np.float64)
    if array.dtype.kind not in "biuf":
        raise UsageError(f"{name} has type {array.dtype}; numbers or booleans are allowed.")
    if array.ndim != 1:
        raise UsageError(f"{name} has shape {array.shape}; one axis [N] is allowed.")
    numbers = array.astype(np.float64)
    bad = int(np.count_nonzero(~np.isfinite(numbers)))
    if bad:
        raise UsageError(
            f"{name} holds {bad} of {numbers.size} values that are NaN or infinite. "
            "Leave unscored cases out and say how many were asked with total=."
        )
    return numbers


def as_flags(name: str, values: ArrayLike) -> Bools:
    """Return booleans of shape [N] from booleans or from numbers that are all 0 or 1."""
    numbers = as_numbers(name, values)
    odd = numbers[(numbers != 0) & (numbers != 1)]
    if odd.size:
        raise UsageError(f"{name} holds {odd[0]:g}; only true/false or 1/0 are allowed.")
    return numbers.astype(np.bool_)


def as_whole(name: str, values: ArrayLike) -> Ints:
    """Return whole numbers of any shape as int64; booleans and fractions are refused."""
    array = as_array(name, values)
    if array.dtype.kind not in "iu" and array.size:
        raise UsageError(f"{name} has type {array.dtype}; whole numbers are allowed.")
    return array.astype(np.int64)


def any_of(flags: Bools, axis: int | tuple[int, ...]) -> Bools:
    """Return `flags.any(axis)` as an array; at least one axis must be left."""
    return np.asarray(flags.any(axis=axis), dtype=np.bool_)


def same_length(**arrays: int) -> None:
    """Raise `UsageError` unless all named lengths are equal."""
    if len(set(arrays.values())) > 1:
        lengths = ", ".join(f"{name} {length}" for name, length in arrays.items())
        raise UsageError(f"Lengths differ: {lengths}. Give one entry per case in each.")


def check_level(level: float) -> float:
    """Return a confidence level in (0, 1), or raise `UsageError`."""
    if not 0 < level < 1:
        raise UsageError(f"level = {level}; a share between 0 and 1 is allowed, such as 0.95.")
    return float(level)
