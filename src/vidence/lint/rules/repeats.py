"""Questions that stand in a file more than once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vidence.lint.near import near_pairs
from vidence.lint.rule import Found, rule
from vidence.lint.subject import Subject, clip_of, folded, key_of
from vidence.text.tokens import words
from vidence.view import Case

ALIKE = 0.5
"""Share of the weight of their words that two nearly equal questions have in common."""
Moment = tuple[float | None, float | None]
# A word replaced by another ("red" by "blue", "first" by "last") makes another question; words of
# this kind do not.
_FUNCTION = frozenset(
    words(
        "a an the is are was were be been being do does did has have had of in on at to for from "
        "by with as and or that this there it its what which who how please video clip"
    )
)


@rule(severity="warning", why="The question counts more than once in every score.")
def repeated_question(subject: Subject) -> Iterator[Found]:
    """Video, question, options and key of an earlier row; a note where the moment is another."""
    return _repeats(subject, conflict=False)


@rule(severity="error", why="One of the two keys is wrong.")
def conflicting_repeat(subject: Subject) -> Iterator[Found]:
    """Video, question and options of an earlier row, another key; a note at another moment."""
    return _repeats(subject, conflict=True)


@rule(severity="note", why="The two may count as one question; only a person can say.")
def near_duplicate_question(subject: Subject) -> Iterator[Found]:
    """Video, options and key of an earlier row, and its words with a few more or fewer."""
    # Of equal ones the first stands for all: the others are repeats, and thousands stay cheap.
    different = {
        (case.cluster, folded(case.view.question), key_of(case), *sorted(_options(case))): case
        for case in reversed(subject.cases)
        if len(case.view.options) > 1
    }
    cases = list(reversed(different.values()))
    said = [_content(case.view.question) for case in cases]
    groups = [(case.cluster, folded(str(key_of(case))), *sorted(_options(case))) for case in cases]
    for earlier, later, alike in near_pairs([frozenset(w) for w in said], groups, ALIKE):
        one, other = cases[earlier], cases[later]
        same = folded(one.view.question) == folded(other.view.question)
        if not same and (
            _within(said[earlier], said[later]) or _within(said[later], said[earlier])
        ):
            detail = f"{alike:.0%} of {one.id} on video {other.cluster}, same options and key"
            yield Found(other.id, f"{detail}: {other.view.question!r}, {one.view.question!r}")


def _content(question: str) -> tuple[str, ...]:
    return tuple(word for word in words(question) if word not in _FUNCTION)


def _within(few: Sequence[str], many: Sequence[str]) -> bool:
    """Return whether all words of one are in the other in the same order."""
    rest = iter(many)
    return bool(few) and all(word in rest for word in few)


class _Earlier:
    """Rows of one video, question and options: the first of each key, at each moment and at any.

    A thousand equal rows are then one to compare with.
    """

    def __init__(self) -> None:
        self._at: dict[Moment, dict[str | None, Case]] = {}
        self._any: dict[str | None, Case] = {}

    def add(self, case: Case) -> None:
        for firsts in (self._at.setdefault(_moment(case), {}), self._any):
            firsts.setdefault(_key(case), case)

    def worst(self, case: Case) -> Case | None:
        """Return the row that a case is held against, None for the first of its kind.

        The same moment comes first: there another key is an error. At another moment it may be
        what the question is about.
        """
        for firsts in (self._at.get(_moment(case), {}), self._any):
            others = [old for old in firsts.values() if _conflict(old, case)]
            if firsts:
                return others[0] if others else next(iter(firsts.values()))
        return None


def _repeats(subject: Subject, *, conflict: bool) -> Iterator[Found]:
    earlier: dict[tuple[str, ...], _Earlier] = {}
    for case in subject.cases:
        about = (case.cluster, folded(case.view.question), *sorted(_options(case)))
        group = earlier.setdefault(about, _Earlier())
        worst = group.worst(case)
        if worst is not None and _conflict(worst, case) == conflict:
            yield _compared(case, worst)
        group.add(case)


def _compared(case: Case, old: Case) -> Found:
    conflict, apart = _conflict(old, case), _moment(old) != _moment(case)
    keys = f"key {key_of(case)!r}, there {key_of(old)!r}" if conflict else "same key"
    moment = f" {_until(case)}, there {_until(old)};" if apart else ""
    if conflict and case.spans != old.spans:
        keys += "; their evidence lies at other times, which the question does not say"
    order = "" if _options(case) == _options(old) else "; options in another order"
    detail = f"repeats {old.id} on video {case.cluster};{moment} {keys}{order}"
    return Found(case.id, detail, "note" if apart else None)


def _conflict(one: Case, other: Case) -> bool:
    keys = _key(one), _key(other)
    return None not in keys and keys[0] != keys[1]


def _key(case: Case) -> str | None:
    key = key_of(case)
    return None if key is None else folded(key)


def _options(case: Case) -> list[str]:
    return [folded(option.text) for option in case.view.options]


def _moment(case: Case) -> Moment:
    clip = clip_of(case)
    return (None, None) if clip is None else (clip.start or 0.0, clip.end)


def _until(case: Case) -> str:
    start, end = _moment(case)
    return f"{start or 0:g} s to {'the end' if end is None else f'{end:g} s'}"
