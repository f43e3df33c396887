"""Why a row is no case."""

from __future__ import annotations


class RowError(ValueError):
    """One row cannot be used; the builder counts it and goes on.

    Args:
        kind: the fault's kind, of the vocabulary that `vidence lint` counts by.
        reason: what came, and what was needed.
    """

    def __init__(self, kind: str, reason: str) -> None:
        self.kind, self.reason = kind, reason
        super().__init__(reason)


def shown(value: object, length: int = 80) -> str:
    """Return a value for a message: cut to a length, on one line."""
    text = repr(value)
    return text if len(text) <= length else f"{text[: length - 3]}..."
