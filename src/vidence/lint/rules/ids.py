"""Faults of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vidence.lint.rule import Found, reported, rule
from vidence.lint.subject import Subject

reported(
    "repeated_id",
    severity="error",
    what="An id that stands for two rows.",
    why="Replies to the two would be mixed up; the later row is left out.",
)


@rule(severity="warning", why="Files and tables of other tools may take the two for one.")
def ids_differ_in_case(subject: Subject) -> Iterator[Found]:
    """Ids, or names of videos, that differ in capital letters only."""
    yield from _alike(case.id for case in subject.cases)
    videos = dict.fromkeys(case.cluster for case in subject.cases)
    for found in _alike(videos):
        yield Found(found.id, f"video: {found.detail}")


def _alike(names: Iterable[str]) -> Iterator[Found]:
    first: dict[str, str] = {}
    for name in names:
        known = first.setdefault(name.casefold(), name)
        if known != name:
            yield Found(name, f"differs from {known!r} in capital letters only")
