"""What the rules look at."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property

from vidence.benchmark import Benchmark
from vidence.media.clip import Clip
from vidence.view import Case


@dataclass(frozen=True)
class Subject:
    """A benchmark and what was measured of it.

    Args:
        benchmark: what the loader read.
    """

    benchmark: Benchmark

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """All cases, open-ended ones included."""
        return self.benchmark.cases


def clip_of(case: Case) -> Clip | None:
    """Return a case's clip, None where it has none or several."""
    clips = [part for _, part in case.view.parts if isinstance(part, Clip)]
    return clips[0] if len(clips) == 1 else None


def folded(text: str) -> str:
    """Return a text without what does not change its meaning: case, spaces, a last full stop.

    Other signs stay: "-5" is not "5", "m²" is not "m2".
    """
    plain = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    return plain.removesuffix(".").rstrip() or plain


def key_of(case: Case) -> str | None:
    """Return the text of a case's key, None where it has no key."""
    if case.gold is None:
        return None
    place = case.gold_position()
    return str(case.gold) if place is None else case.view.options[place].text
