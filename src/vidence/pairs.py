"""Records to arrays: the only bridge between runs and statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vidence.answer import MISSING, STATUSES
from vidence.record import Outcome
from vidence.view import Case

NOT_ASKED = 255
_CODE: dict[str, int] = {status: code for code, status in enumerate(STATUSES)}
_MISSING_CODES = np.array([_CODE[status] for status in sorted(MISSING)], dtype=np.uint8)


@dataclass(frozen=True)
class CheckReplies:
    """What a panel replied under one check.

    Args:
        members: the answerers' names, M of them.
        choice: int [N, M], position of the chosen option among the view's options, -1 for none.
        status: uint8 [N, M], index in `STATUSES`; `NOT_ASKED` where no record is.
    """

    members: tuple[str, ...]
    choice: NDArray[np.int64]
    status: NDArray[np.uint8]

    @property
    def skipped(self) -> NDArray[np.bool_]:
        """Bool [N]: the check does not apply to the case for any member that was asked."""
        skipped = self.status == _CODE["skipped"]
        return np.asarray(skipped.any(axis=1) & (skipped | (self.status == NOT_ASKED)).all(axis=1))

    @property
    def asked(self) -> NDArray[np.bool_]:
        """Bool [N, M]: a record is there and the check applied."""
        return np.asarray((self.status != NOT_ASKED) & (self.status != _CODE["skipped"]))

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Bool [N, M]: the member's choice is unknown (see `vidence.answer.MISSING`)."""
        unknown = np.isin(self.status, _MISSING_CODES) | (self.status == NOT_ASKED)
        return np.asarray(unknown & ~self.skipped[:, None])

    def votes(self, options: int) -> NDArray[np.int64]:
        """Int [N, options]: how many members chose each option."""
        places = np.arange(options)
        return np.asarray((self.choice[:, :, None] == places).sum(axis=1, dtype=np.int64))

    def count(self, member: int) -> dict[str, int]:
        """Count the statuses of one member, `not_asked` included, zeros left out."""
        codes, counts = np.unique(self.status[:, member], return_counts=True)
        names = [STATUSES[c] if c < len(STATUSES) else "not_asked" for c in codes]
        return {name: int(n) for name, n in zip(names, counts, strict=True)}


@dataclass(frozen=True)
class Grid:
    """A run as arrays; rows are the cases in the order given.

    Args:
        ids: the cases, N of them.
        gold: int [N], position of the key among the options, -1 where there is none.
        n_options: int [N].
        clusters: int [N], codes of the videos in order of appearance.
        tags: name -> N values, "" where a case has none.
        checks: label -> replies.
    """

    ids: tuple[str, ...]
    gold: NDArray[np.int64]
    n_options: NDArray[np.int64]
    clusters: NDArray[np.int64]
    tags: Mapping[str, tuple[str, ...]]
    checks: Mapping[str, CheckReplies]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Bool [N]: a multiple-choice case with a key."""
        return np.asarray((self.gold >= 0) & (self.n_options > 0))

    def right(self, label: str) -> NDArray[np.bool_]:
        """Bool [N, M]: the member chose the key."""
        choice = self.checks[label].choice
        return np.asarray((choice == self.gold[:, None]) & (self.gold[:, None] >= 0))


def grid(
    cases: Sequence[Case],
    outcomes: Iterable[Outcome],
    members: Mapping[str, Sequence[str]],
    *,
    repeat: int = 0,
) -> Grid:
    """Arrange the outcomes of records as arrays.

    Args:
        cases: the rows; outcomes of other cases are left out.
        outcomes: in any order.
        members: check label -> the answerers that it asks, in the order of the columns.
        repeat: which repeat.
    """
    row = {case.id: i for i, case in enumerate(cases)}
    place = [{o.key: p for p, o in enumerate(case.view.options)} for case in cases]
    shape = {label: (len(cases), len(names)) for label, names in members.items()}
    choice = {label: np.full(shape[label], -1, dtype=np.int64) for label in members}
    status = {label: np.full(shape[label], NOT_ASKED, dtype=np.uint8) for label in members}
    column = {label: {name: j for j, name in enumerate(names)} for label, names in members.items()}
    for case, check, answerer, at, said, value, _ in outcomes:
        i = row.get(case)
        j = column.get(check, {}).get(answerer)
        if i is None or j is None or at != repeat:
            continue
        status[check][i, j] = _CODE[said]
        if said == "ok" and isinstance(value, int):
            choice[check][i, j] = place[i].get(value, -1)
    return Grid(
        ids=tuple(row),
        gold=_ints(-1 if (p := case.gold_position()) is None else p for case in cases),
        n_options=_ints(len(case.view.options) for case in cases),
        clusters=codes([case.cluster or case.id for case in cases]),
        tags=_tags(cases),
        checks={
            label: CheckReplies(tuple(names), choice[label], status[label])
            for label, names in members.items()
        },
    )


@dataclass(frozen=True)
class CheckWords:
    """What a panel replied to open questions under one check.

    Args:
        members: the answerers' names, M of them.
        words: N rows of M, the words of each reply, None where there are none.
        reasons: the same shape, why each answer is what it is.
        status: uint8 [N, M], index in `STATUSES`; `NOT_ASKED` where no record is.
    """

    members: tuple[str, ...]
    words: tuple[tuple[str | None, ...], ...]
    reasons: tuple[tuple[str, ...], ...]
    status: NDArray[np.uint8]


def open_words(
    cases: Sequence[Case],
    outcomes: Iterable[Outcome],
    members: Mapping[str, Sequence[str]],
    *,
    repeat: int = 0,
) -> dict[str, CheckWords]:
    """Arrange the replies to open questions: check label -> words; other cases are left out.

    Args:
        cases: the rows.
        outcomes: in any order.
        members: check label -> the answerers that it asks, in the order of the columns.
        repeat: which repeat.
    """
    row = {case.id: i for i, case in enumerate(cases)}
    shape = {label: (len(cases), len(names)) for label, names in members.items()}
    status = {label: np.full(shape[label], NOT_ASKED, dtype=np.uint8) for label in members}
    words: dict[str, list[list[str | None]]] = {}
    reasons: dict[str, list[list[str]]] = {}
    for label, (n, m) in shape.items():
        words[label] = [[None] * m for _ in range(n)]
        reasons[label] = [[""] * m for _ in range(n)]
    column = {label: {name: j for j, name in enumerate(names)} for label, names in members.items()}
    for case, check, answerer, at, said, value, why in outcomes:
        i, j = row.get(case), column.get(check, {}).get(answerer)
        if i is None or j is None or at != repeat:
            continue
        status[check][i, j] = _CODE[said]
        reasons[check][i][j] = why
        words[check][i][j] = None if value is None else str(value)
    return {
        label: CheckWords(
            tuple(names),
            tuple(map(tuple, words[label])),
            tuple(map(tuple, reasons[label])),
            status[label],
        )
        for label, names in members.items()
    }


def codes(names: Sequence[str]) -> NDArray[np.int64]:
    """Number names in order of appearance."""
    number: dict[str, int] = {}
    return _ints(number.setdefault(name, len(number)) for name in names)


def _ints(values: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(values, dtype=np.int64)


def _tags(cases: Sequence[Case]) -> dict[str, tuple[str, ...]]:
    names = dict.fromkeys(name for case in cases for name in case.tags)
    return {name: tuple(case.tags.get(name, "") for case in cases) for name in names}
