"""Rows of a log joined to the cases of a benchmark, each by the strongest name that holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from vidence.imported.evidence import Evidence, look
from vidence.imported.keying import CaseIndex
from vidence.prediction import Prediction
from vidence.view import Case

LINKS = ("id", "video and question", "question", "prompt", "row number", "video")
"""What joins a row to a case."""
_WEAK = frozenset(("row number", "video"))
"""Links that hold for rows of another question as well."""
MOST_CONTRADICTED = 0.2
"""Share of rows that speak of other questions from which on a log is of another benchmark."""


@dataclass(frozen=True)
class Match:
    """A row of a log and the case it answers.

    Args:
        prediction: the row.
        case: None where there is none, or more than one.
        link: by what it was joined.
        evidence: what else the row shows of the case.
        problem: `unknown`, `ambiguous` or `contradicted` where `case` is None.
        detail: in words.
    """

    prediction: Prediction
    case: Case | None
    link: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    problem: str = ""
    detail: str = ""

    @property
    def verified(self) -> bool:
        """Say whether anything beside the link agrees."""
        return bool(self.evidence.shown)


def join(predictions: Sequence[Prediction], index: CaseIndex) -> list[Match]:
    """Join each row to a case, in the order given.

    A row is tried by its id, by video and question, by the question alone, by question and options
    in the prompt, by its row number and by the video alone. Cases that the row's own text, options
    or key contradict are passed over; where several are left, the next name has to choose among
    them.
    """
    return [_join(prediction, index) for prediction in predictions]


def _join(prediction: Prediction, index: CaseIndex) -> Match:
    left: dict[str, tuple[Case, Evidence]] | None = None
    link, refused = "", ""
    for name, found in _candidates(prediction, index):
        fits: dict[str, tuple[Case, Evidence]] = {}
        for case in found:
            if left is not None and case.id not in left:
                continue
            evidence = left[case.id][1] if left is not None else look(prediction, case)
            if name == "video" and not (evidence.tells or index.one_a_video):
                continue  # any question of the video would fit
            weak = name in _WEAK or (name == "id" and index.names_by_number(prediction))
            why = _contradiction(prediction, case, evidence, index, weak=weak)
            if why:
                refused = refused or f"{name} {_named(prediction, name)}: {why} than {case.id!r}"
            else:
                fits[case.id] = (case, evidence)
        if not fits:
            continue
        left, link = fits, link or name
        if len(left) == 1:
            ((case, evidence),) = left.values()
            return Match(prediction, case, link, evidence)
    if left:
        names = ", ".join(repr(name) for name in list(left)[:3])
        detail = f"{len(left)} questions fit ({names}), nothing tells which is meant"
        return Match(prediction, None, link, problem="ambiguous", detail=detail)
    if refused:
        return Match(prediction, None, problem="contradicted", detail=refused)
    return Match(prediction, None, problem="unknown", detail=_unknown(prediction))


def _candidates(prediction: Prediction, index: CaseIndex) -> Iterator[tuple[str, list[Case]]]:
    by_video = index.of_video(prediction)
    asked = index.asking(prediction)
    videos = {case.id for case in by_video}
    links: tuple[tuple[str, Callable[[], list[Case]]], ...] = (
        ("id", lambda: index.named(prediction)),
        ("video and question", lambda: [case for case in asked if case.id in videos]),
        ("question", lambda: asked),
        ("prompt", lambda: index.in_prompt(prediction)),
        ("row number", lambda: index.at_row(prediction)),
        ("video", lambda: by_video),
    )
    for name, find in links:
        found = find()
        if found:
            yield name, found


def _contradiction(
    prediction: Prediction, case: Case, evidence: Evidence, index: CaseIndex, *, weak: bool
) -> str:
    by_video = index.of_video(prediction)
    if by_video and all(other.id != case.id for other in by_video):
        return "another video"
    return evidence.contradicts(weak=weak)


def _named(prediction: Prediction, link: str) -> str:
    if link == "row number":
        return str(prediction.row)
    if link == "id":
        return repr(next(iter(prediction.ids.values()), ""))
    return repr((prediction.video or prediction.question)[:60])


def _unknown(prediction: Prediction) -> str:
    said = [f"{name} {value[:60]!r}" for name, value in prediction.ids.items()]
    if prediction.video:
        said.append(f"video {prediction.video[:60]!r}")
    if prediction.question:
        said.append(f"question {prediction.question[:60]!r}")
    if prediction.row is not None:
        task = f" of {prediction.task}" if prediction.task else ""
        said.append(f"row {prediction.row}{task}")
    return ", ".join(said) or "nothing names a question"
