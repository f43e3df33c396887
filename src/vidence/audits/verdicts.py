"""What is said of each case, and the card that shows why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from vidence.answer import Reply
from vidence.audits.panel_grid import PanelGrid
from vidence.errors import UsageError
from vidence.record import Record
from vidence.stats import case_flags
from vidence.view import Case

Label = Literal["shortcut", "needs_video", "undecided"]
LABELS: tuple[Label, ...] = ("shortcut", "needs_video", "undecided")


@dataclass(frozen=True)
class Verdict:
    """One case's verdict at one consensus threshold.

    Args:
        label: `shortcut`: at least c members chose the key under some check. `needs_video`: under
            none, even if every missing reply were right. `undecided`: it hangs on missing
            replies, no check applied, or there is no key.
        because: the same in words.
        votes: check -> members that chose the key.
    """

    label: Label
    because: str
    votes: Mapping[str, int]


def verdicts(panel: PanelGrid, c: int | None = None) -> dict[str, Verdict]:
    """Return case id -> verdict.

    Args:
        panel: the run.
        c: consensus threshold; None is the panel's size.

    Raises:
        UsageError: a threshold beyond the panel, or a run without a counted check.
    """
    size = panel.panel_size
    if size == 0:
        raise UsageError(
            "The run has no check that enters the shortcut ratio, so no case has a verdict. "
            "Run one of: blind, audio, summary, center_frame, frame_shuffle, bag_of_frames."
        )
    c = size if c is None else c
    if not 1 <= c <= size:
        raise UsageError(f"Consensus {c} came; 1 to {size} (the panel's size) is allowed.")
    votes = panel.votes
    sure, possible = case_flags(votes, c)
    right = votes.at_key()
    result: dict[str, Verdict] = {}
    for s, i in enumerate(panel.rows):
        tally = {
            name: int(right[s, t]) for t, name in enumerate(votes.checks) if votes.applicable[s, t]
        }
        flagged = [name for t, name in enumerate(votes.checks) if sure[s, t]]
        hanging = [n for t, n in enumerate(votes.checks) if possible[s, t] and not sure[s, t]]
        result[panel.cases[i].id] = _verdict(tally, flagged, hanging, c)
    for case in panel.cases:
        why = "it has no options" if not case.view.options else "it has no key"
        result.setdefault(case.id, Verdict("undecided", f"not scored: {why}", {}))
    return {case.id: result[case.id] for case in panel.cases}


def _verdict(tally: dict[str, int], flagged: list[str], hanging: list[str], c: int) -> Verdict:
    if flagged:
        said = ", ".join(f"{name} ({tally[name]} right)" for name in flagged)
        return Verdict("shortcut", f"at least {c} of the panel are right under {said}", tally)
    if not tally:
        return Verdict("undecided", "no check applies to it", tally)
    if hanging:
        return Verdict("undecided", f"replies are missing under {', '.join(hanging)}", tally)
    best = max(tally, key=lambda name: tally[name])
    return Verdict(
        "needs_video",
        f"no check has {c} right; the most is {tally[best]}, under {best}",
        tally,
    )


Reader = Callable[[Sequence[str]], Mapping[str, tuple[Reply, tuple[int, ...]]]]
"""Call keys -> (reply, keys of the options as shown); see `Store.replies`."""


def cards(
    panel: PanelGrid,
    said: Mapping[str, Verdict],
    records: Callable[[str], Iterable[Record]],
    replies: Reader,
) -> Iterator[dict[str, Any]]:
    """Yield one plain dictionary a case, with every reply as it came and as it was read.

    Args:
        panel: the run.
        said: the verdicts.
        records: case id -> its records; see `Store.records_of`.
        replies: call keys -> replies; see `Store.replies`.

    Positions are those of the options in the case's own order; `shown` tells, for each view, which
    of them stood at A, B, C and so on.
    """
    order = {check.label: t for t, check in enumerate(panel.checks)}
    for case in panel.cases:
        verdict = said[case.id]
        mine = sorted(
            (r for r in records(case.id) if r.cell.check in order),
            key=lambda r: (order[r.cell.check], r.cell.answerer, r.cell.repeat),
        )
        came = replies([key for record in mine for key in record.calls])
        yield {
            "id": case.id,
            "cluster": case.cluster,
            "question": case.view.question,
            "options": [option.text for option in case.view.options],
            "gold": case.gold_position() if case.view.options else case.gold,
            "tags": dict(case.tags),
            "verdict": verdict.label,
            "because": verdict.because,
            "flags": dict(verdict.votes),
            "replies": [reply_card(case, record, came) for record in mine],
        }


def reply_card(
    case: Case, record: Record, came: Mapping[str, tuple[Reply, tuple[int, ...]]]
) -> dict[str, Any]:
    """Return one record as a card shows it: every reply as it came, and as it was read."""
    place = {option.key: p for p, option in enumerate(case.view.options)}
    asked = [came[key] for key in record.calls if key in came]
    value = place.get(record.value) if case.view.options else record.value  # type: ignore[arg-type]
    return {
        "check": record.cell.check,
        "answerer": record.cell.answerer,
        "repeat": record.cell.repeat,
        "status": record.status,
        "value": value if record.status == "ok" else None,
        "reason": record.reason,
        "raw": [reply.text or _scores(reply) for reply, _ in asked],
        "shown": [[place[key] for key in shown] for _, shown in asked],
        "notes": list(record.notes),
    }


def _scores(reply: Reply) -> str:
    scores = reply.scores
    return "" if scores is None else "scores " + ", ".join(f"{score:.3f}" for score in scores)
