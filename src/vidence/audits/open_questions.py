"""Open questions: how right and how close, and what one constant answer would score."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vidence.answer import MISSING, STATUSES
from vidence.audits.tables import MOST_VALUES
from vidence.pairs import NOT_ASKED, CheckWords, codes, open_words
from vidence.parse import CUT_OFF
from vidence.parse.marks import LABEL
from vidence.parse.number import NumberRead, number_of
from vidence.parse.page import plain
from vidence.record import Outcome
from vidence.stats import difference_by_cluster, mean_by_cluster, proportion_by_cluster
from vidence.stats.relative_accuracy import constant_floor, relative_accuracy
from vidence.view import Case

Row = dict[str, Any]
Kind = Literal["number", "words"]
FULL = "intact"

_LEAD = re.compile(
    r"\s*(?:(?:so|therefore|thus|hence)[ ,]+)?(?:the |my )?(?:final |correct )?answer"
    r" (?:is|would be)[:\s]+",
    re.IGNORECASE,
)


def is_number(gold: object) -> bool:
    """Say whether a key is a finite number."""
    return isinstance(gold, int | float) and not isinstance(gold, bool) and isfinite(gold)


def same_number(value: float, gold: float) -> bool:
    """Say whether a number is the key, rounded to the decimals that the key has.

    A whole key asks for that very number: 3.6 is not 4. A key of 2.4 is met by 2.35 to 2.45.
    """
    decimals = repr(float(gold)).partition("e")[0].partition(".")[2].rstrip("0")
    if not decimals or "e" in repr(float(gold)):
        return abs(value - gold) <= 1e-9 * max(1.0, abs(gold))
    half: float = 0.5 * 10.0 ** -len(decimals)
    return abs(value - gold) <= half * (1 + 1e-9)


def same_words(words: str, gold: str) -> bool:
    """Say whether a reply is the key's words and nothing else.

    Both lose capitals, accents' forms (NFKC), punctuation, the articles a, an and the, and a lead
    such as "the answer is". A sentence that holds the key among other words is not it.
    """
    lead = LABEL.match(words.lstrip()) or _LEAD.match(words.lstrip())
    rest = words.lstrip()[lead.end() :] if lead else words
    wanted = _normal(gold)
    if not wanted:  # nothing but marks
        return words.strip() == gold.strip()
    return wanted in (_normal(rest), _normal(words))


def _normal(text: str) -> str:
    folded = unicodedata.normalize("NFKC", plain(text)).casefold()
    parts = re.findall(r"\w+(?:\.\d+)?", folded)
    return " ".join([p for p in parts if p not in ("a", "an", "the")] or parts)


@lru_cache(maxsize=1 << 16)
def _number(words: str, question: str, cut: bool) -> NumberRead:
    return number_of(words, question, cut=cut)


@dataclass(frozen=True, eq=False)
class _Scores:
    """One answerer's replies to the open questions of one kind under one check, N cases.

    Args:
        asked: bool, the check applies.
        read: bool, the reply says a number, or words.
        exact: bool, it is the key.
        close: relative accuracy, and the same with ties; 0 where nothing was read.
        missing, unread, refused, converted: counts among those asked.
    """

    asked: NDArray[np.bool_]
    read: NDArray[np.bool_]
    exact: NDArray[np.bool_]
    close: tuple[NDArray[np.float64], NDArray[np.float64]]
    missing: int
    unread: int
    refused: int
    converted: int


def open_questions(
    cases: Sequence[Case], outcomes: Iterable[Outcome], members: Mapping[str, Sequence[str]]
) -> Row | None:
    """Return the table of open questions with a key, None where there are none.

    `rows` has one row a kind of key, check and answerer: `exact` and, for numbers, `relative`
    (mean relative accuracy) count missing and unread replies as wrong; `exact_read` and
    `relative_read` are among those read. `over_floor` is paired with the best constant's score on
    the same cases, `minus_intact` with the answerer's own score on the whole video. `floors` has
    one row a tag: what the best constant per value scores on videos that it was not chosen on.

    Args:
        cases: of the run.
        outcomes: in any order.
        members: check label -> the answerers that it asks.
    """
    known = [c for c in cases if not c.view.options and c.gold is not None]
    outcomes = list(outcomes)
    tables = [
        _Table(kind, [c for c in known if is_number(c.gold) is (kind == "number")], members)
        for kind in ("number", "words")
    ]
    if not known:
        return None
    return {
        "number": len(tables[0].cases),
        "words": len(tables[1].cases),
        "rows": [row for table in tables for row in table.rows(outcomes)],
        "floors": tables[0].floors(),
    }


class _Table:
    """The open questions of one kind."""

    def __init__(
        self, kind: str, cases: Sequence[Case], members: Mapping[str, Sequence[str]]
    ) -> None:
        self.kind, self.cases, self.members = kind, cases, members
        self.videos = codes([case.cluster or case.id for case in cases])
        self.gold = np.array([case.gold for case in cases if kind == "number"], dtype=np.float64)
        self._floors: list[tuple[str | None, Any]] = []
        if kind == "number" and cases:
            self._floors = [(None, constant_floor(self.gold, [""] * len(cases), self.videos))]
            for tag, values in self._tags().items():
                self._floors.append((tag, constant_floor(self.gold, values, self.videos)))

    def _tags(self) -> dict[str, list[str]]:
        names = dict.fromkeys(name for case in self.cases for name in case.tags)
        tags = {name: [case.tags.get(name, "") for case in self.cases] for name in names}
        return {name: v for name, v in tags.items() if 2 <= len(set(v)) <= MOST_VALUES}

    @property
    def best(self) -> Any:
        """The floor with the highest score; choosing it errs against the answerers."""
        return max((floor for _, floor in self._floors), key=lambda f: float(f.score.mean()))

    def rows(self, outcomes: Sequence[Outcome]) -> list[Row]:
        if not self.cases:
            return []
        found = open_words(self.cases, outcomes, self.members)
        scores = {
            (label, name): self._score(replies, j)
            for label, replies in found.items()
            for j, name in enumerate(replies.members)
        }
        return [
            self._row(label, name, mine, scores.get((FULL, name)) if label != FULL else None)
            for (label, name), mine in scores.items()
            if mine.asked.any()
        ]

    def _score(self, replies: CheckWords, j: int) -> _Scores:
        n = len(self.cases)
        asked, read, exact = (np.zeros(n, dtype=np.bool_) for _ in range(3))
        value = np.zeros(n)
        missing = unread = refused = converted = 0
        for i, case in enumerate(self.cases):
            code = int(replies.status[i, j])
            status = "" if code == NOT_ASKED else STATUSES[code]
            if status == "skipped":
                continue
            asked[i] = True
            words = replies.words[i][j]
            if status == "ok" and words is not None:
                if self.kind == "words":
                    read[i], exact[i] = True, same_words(words, str(case.gold))
                    continue
                cut = CUT_OFF in replies.reasons[i][j]
                number = _number(words, case.view.question, cut)
                converted += number.converted
                if number.value is not None:
                    read[i], value[i] = True, number.value
                    exact[i] = same_number(number.value, float(self.gold[i]))
                elif number.status == "refused":
                    refused += 1
                else:
                    unread += 1
            elif not status or status in MISSING:
                missing += 1
            else:  # refused, off list, or different answers under the views of one check
                refused += 1
        close = np.zeros((2, n))
        if self.kind == "number":
            for k, closed in enumerate((False, True)):
                close[k, read] = relative_accuracy(value[read], self.gold[read], closed=closed)
        return _Scores(
            asked, read, exact, (close[0], close[1]), missing, unread, refused, converted
        )

    def _row(self, label: str, name: str, mine: _Scores, intact: _Scores | None) -> Row:
        score = mine.close[0] if self.kind == "number" else mine.exact.astype(np.float64)
        row: Row = {
            "kind": self.kind,
            "check": label,
            "answerer": name,
            "n": int(mine.asked.sum()),
            "exact": self._share(mine.exact, mine.asked),
            "exact_read": self._share(mine.exact, mine.read),
            "missing": mine.missing,
            "unread": mine.unread,
            "refused": mine.refused,
            "converted": mine.converted,
            "relative": None,
            "relative_read": None,
            "relative_closed": None,
            "over_floor": None,
            "minus_intact": None,
        }
        if self.kind == "number":
            known = mine.asked & self.best.known
            row |= {
                "relative": self._mean(mine.close[0], mine.asked),
                "relative_read": self._mean(mine.close[0], mine.read),
                "relative_closed": self._mean(mine.close[1], mine.asked),
                "over_floor": self._difference(score - self.best.score, known),
            }
        if intact is not None:
            other = intact.close[0] if self.kind == "number" else intact.exact.astype(np.float64)
            row["minus_intact"] = self._difference(score - other, mine.asked & intact.asked)
        return row

    def floors(self) -> list[Row]:
        """Return what the best constant scores, over all and by the values of each tag."""
        tags = self._tags()
        rows: list[Row] = []
        for tag, floor in self._floors:
            values = np.array(tags[tag] if tag else [""] * len(self.cases), dtype=object)
            rows.append(
                {
                    "tag": tag,
                    "relative": self._mean(floor.score, floor.known),
                    "used": floor is self.best,
                    "values": [
                        {
                            "value": value,
                            "n": int((values == value).sum()),
                            "constant": constant,
                            "relative": self._mean(floor.score, floor.known & (values == value)),
                        }
                        for value, constant in floor.constants.items()
                    ],
                }
            )
        return rows

    def _share(self, hits: NDArray[np.bool_], where: NDArray[np.bool_]) -> Row:
        return proportion_by_cluster(
            hits[where], self.videos[where], total=len(self.cases)
        ).to_json()

    def _mean(self, values: NDArray[np.float64], where: NDArray[np.bool_]) -> Row:
        return mean_by_cluster(
            values[where], self.videos[where], bounds=(0.0, 1.0), total=len(self.cases)
        ).to_json()

    def _difference(self, values: NDArray[np.float64], where: NDArray[np.bool_]) -> Row:
        return difference_by_cluster(
            values[where], self.videos[where], total=len(self.cases)
        ).to_json()
