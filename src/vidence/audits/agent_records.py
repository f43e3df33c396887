"""A probed run as arrays: which option each replay of each question chose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vidence.errors import UsageError
from vidence.record import Outcome
from vidence.stats.arrays import Bools, Floats, Ints
from vidence.stats.clusters import Clusters
from vidence.stats.flip_counts import FLIPPED, INVALID, KEPT, UNDRAWN, FlipDraws
from vidence.view import Case, Span

SELF, SHAM, DESTROY = "self_replay", "sham", "destroy"
"""Labels of the three conditions of CARVE; a run may hold others, and other edits."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AgentRecords:
    """Hold the replays of one agent (or one member of a panel) by one answerer.

    Rows are the eligible questions, in the order of the run. Positions count an option's place in
    the question as its authors wrote it, from 0.

    Args:
        name: of the agent in tables.
        answerer: who answered the replays.
        ids, clusters: questions and the video of each, N.
        gold: int [N], position of the key, -1 where there is none.
        committed: int [N], position that the agent answered; never -1, or it were not eligible.
        options: int [N], how many options there are.
        items: int [N], pieces of evidence that are replayed.
        looked, spans: per question, seconds that the agent looked at, and annotated ones.
        tags: per question.
        confidence: float [N], how sure the agent said it was of its answer; NaN where it did not.
        chosen: check label -> int [N, K], position chosen in each draw, in the order of draws;
            `INVALID` where no option could be read, `UNDRAWN` where nothing was asked.
        aside: questions with a key that the probe does not cover: id -> (video, right). They keep
            the agent's answer, and belong to the universe of a routing table.
    """

    name: str
    answerer: str
    ids: tuple[str, ...]
    clusters: tuple[str, ...]
    gold: Ints
    committed: Ints
    options: Ints
    items: Ints
    looked: tuple[tuple[Span, ...], ...]
    spans: tuple[tuple[Span, ...], ...]
    tags: tuple[Mapping[str, str], ...]
    chosen: Mapping[str, Ints]
    aside: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    confidence: Floats = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        """Fill in that no confidence is known."""
        if len(self.confidence) != len(self.ids):
            object.__setattr__(self, "confidence", np.full(len(self.ids), np.nan))

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(
        cls,
        cases: Sequence[Case],
        outcomes: Iterable[Outcome],
        answerer: str,
        *,
        name: str,
        checks: Sequence[str],
        repeats: int,
        aside: Mapping[str, tuple[str, bool]] | None = None,
    ) -> AgentRecords:
        """Arrange the outcomes of a run.

        Only an answer that names an option is valid: what cannot be read, is declined or names a
        letter that is not there leaves numerator and denominator, and is counted as invalid. What
        failed, or did not apply to the question, was not drawn.

        Args:
            cases: rows, each with a committed answer.
            outcomes: in any order; of other answerers, checks and cases they are left out.
            checks: labels, the columns' order.
            repeats: draws a check.

        Raises:
            UsageError: a case without a committed answer.
        """
        row = {case.id: i for i, case in enumerate(cases)}
        place = [{o.key: p for p, o in enumerate(case.view.options)} for case in cases]
        committed = [_place(place[i], case.committed) for i, case in enumerate(cases)]
        if -1 in committed:
            raise UsageError(
                f"The question {cases[committed.index(-1)].id!r} has no committed answer among its "
                "options; only an answered question can be probed."
            )
        chosen = {label: np.full((len(cases), repeats), UNDRAWN, np.int64) for label in checks}
        for case, check, who, repeat, status, value, _ in outcomes:
            i = row.get(case)
            if i is None or who != answerer or check not in chosen or repeat >= repeats:
                continue
            if status in ("failed", "skipped"):
                continue
            at = _place(place[i], value) if status == "ok" else -1
            chosen[check][i, repeat] = at if at >= 0 else INVALID
        return cls(
            name=name,
            answerer=answerer,
            ids=tuple(row),
            clusters=tuple(case.cluster or case.id for case in cases),
            gold=_ints(-1 if (p := case.gold_position()) is None else p for case in cases),
            committed=_ints(committed),
            options=_ints(len(case.view.options) for case in cases),
            items=_ints(_items(case) for case in cases),
            looked=tuple(_looked(case) for case in cases),
            spans=tuple(case.spans for case in cases),
            tags=tuple(dict(case.tags) for case in cases),
            confidence=np.array([_confidence(case) for case in cases], dtype=np.float64),
            chosen=chosen,
            aside=dict(aside or {}),
        )

    @property
    def groups(self) -> Clusters:
        """The videos as clusters."""
        return Clusters.of(self.clusters)

    @property
    def keyed(self) -> Bools:
        """Bool [N]: the question has a key."""
        return np.asarray(self.gold >= 0)

    @property
    def right(self) -> Bools:
        """Bool [N]: the committed answer is the key; False where there is no key."""
        return np.asarray((self.committed == self.gold) & self.keyed)

    def flips(self, label: str) -> Ints:
        """Int [N, K]: `FLIPPED`, `KEPT`, `INVALID` or `UNDRAWN` for each draw of a check."""
        chosen = self._of(label)
        flipped = np.where(chosen != self.committed[:, None], FLIPPED, KEPT)
        return np.where(chosen < 0, chosen, flipped)

    def draws(self, low: str = SHAM, high: str = DESTROY) -> FlipDraws:
        """Return two checks' draws, to be compared: by default the score of CARVE."""
        return FlipDraws.of(self.flips(low), self.flips(high), self.groups)

    def where(self, mask: Bools) -> AgentRecords:
        """Return the questions in `mask`, without those aside."""
        at = np.flatnonzero(mask)
        pick: dict[str, Any] = {
            name: tuple(getattr(self, name)[i] for i in at)
            for name in ("ids", "clusters", "looked", "spans", "tags")
        }
        for name in ("gold", "committed", "options", "items", "confidence"):
            pick[name] = getattr(self, name)[at]
        chosen = {label: draws[at] for label, draws in self.chosen.items()}
        return AgentRecords(name=self.name, answerer=self.answerer, chosen=chosen, **pick)

    def _of(self, label: str) -> Ints:
        if label not in self.chosen:
            raise UsageError(
                f"{self.name} has no draws of {label!r}; there are {', '.join(self.chosen)}. "
                "Probe the run with that condition first."
            )
        return self.chosen[label]


def _place(places: Mapping[int, int], key: int | float | str | None) -> int:
    return places.get(key, -1) if isinstance(key, int) else -1


def _items(case: Case) -> int:
    evidence = [part for part in case.view.evidence() if part.clip is not None]
    return len(evidence) or 1  # a benchmark's clip is one piece


def _looked(case: Case) -> tuple[Span, ...]:
    """Return what an agent looked at; a benchmark's row may mean something else by that name."""
    if not any(part.clip is not None for part in case.view.evidence()):
        return ()
    return tuple((float(start), float(end)) for start, end in case.row.get("looked", ()))


def _confidence(case: Case) -> float:
    given = case.row.get("confidence") if case.view.evidence() else None
    return float(given) if isinstance(given, int | float) else np.nan


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)
