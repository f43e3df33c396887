"""The planted kinds, and what each of them means for each check.

For a case and a check there are three possibilities. *Planted*: the check's view holds the answer,
so the check should flag the case. *Sound*: the view holds nothing that tells the right option from
the others, so flagging is an error. *Neither*: the view holds a part of it, or the check shows the
shortcut of another check as well (every check shows the options); such cases are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from vidence.errors import UnknownNameError, UsageError

BLIND, AUDIO, SUMMARY = "blind", "audio", "summary"
CENTER, SHUFFLE, BAG = "center_frame", "frame_shuffle", "bag_of_frames"
SIX = (BLIND, AUDIO, SUMMARY, CENTER, SHUFFLE, BAG)

Room = Literal["lane", "centre", "lead", "anywhere"]


@dataclass(frozen=True)
class Kind:
    """A planted kind.

    Args:
        name: as in the truth file.
        share: of all cases, in a mix of the default kind.
        room: the part of the film it needs.
        checks: for which it is a planted shortcut.
        sound: the checks that show nothing which tells the right option from the others.
    """

    name: str
    share: float
    room: Room
    checks: tuple[str, ...] = ()
    sound: tuple[str, ...] = ()


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        # The question is part of every view, so it is neither planted nor sound elsewhere.
        Kind("question", 18, "anywhere", (BLIND,)),
        Kind("option_length", 16, "lane", (BLIND,)),
        # An order-only question whose answer is said aloud.
        Kind("transcript", 26, "lane", (AUDIO,), (BLIND, SUMMARY, CENTER, SHUFFLE, BAG)),
        # Captions of frames are frames without order, so shuffled frames hold the answer too.
        Kind("captions", 24, "lead", (SUMMARY, SHUFFLE), (BLIND, AUDIO, CENTER)),
        Kind("one_frame", 24, "centre", (CENTER, SHUFFLE), (BLIND, AUDIO, SUMMARY)),
        # `bag_of_frames` is planted only where the question is which option appears.
        Kind("unordered", 30, "lane", (SHUFFLE, BAG), (BLIND, AUDIO, SUMMARY, CENTER)),
        Kind("order", 112, "lane", (), SIX),
        Kind("ambiguous", 8, "lane", ("consistency",), (BLIND, AUDIO, SUMMARY, CENTER)),
        Kind(
            "redundant", 14, "lead", (SUMMARY, CENTER, SHUFFLE, BAG, "redundancy"), (BLIND, AUDIO)
        ),
        # The key is wrong: who sees the answer misses the key, so neither list would mean much.
        Kind("mislabelled", 8, "lane"),
    )
}
LEAKING = (
    "question",
    "option_length",
    "transcript",
    "captions",
    "one_frame",
    "unordered",
    "redundant",
)
"""Kinds with a shortcut for a check; without their leak they are order-only cases."""


def known(names: Iterable[str]) -> None:
    """Check that names are kinds.

    Raises:
        UnknownNameError: one is not.
    """
    for name in names:
        if name not in KINDS:
            raise UnknownNameError("kind of case", name, KINDS)


def counts_of(cases: int | dict[str, int]) -> dict[str, int]:
    """Return how many cases of each kind; a total is shared out by largest remainders.

    Raises:
        UsageError: a negative number.
        UnknownNameError: no such kind.
    """
    if isinstance(cases, dict):
        known(cases)
        for name, count in cases.items():
            if count < 0:
                raise UsageError(f"{count} cases of {name!r} came; 0 or more is allowed.")
        return {name: cases.get(name, 0) for name in KINDS}
    if cases < 0:
        raise UsageError(f"{cases} cases came; 0 or more is allowed.")
    whole = sum(kind.share for kind in KINDS.values())
    exact = {name: cases * kind.share / whole for name, kind in KINDS.items()}
    counts = {name: int(value) for name, value in exact.items()}
    order = sorted(KINDS, key=lambda name: (counts[name] - exact[name], name))
    for name in order[: cases - sum(counts.values())]:
        counts[name] += 1
    return counts
