"""From a trajectory to a case, or a counted reason."""

from __future__ import annotations

from typing import Any

import pytest
from agents.made import LATER, LOOK, made
from pydantic import ValidationError

from vidence.eligibility import (
    NO_ANSWER,
    NO_EVIDENCE,
    NO_OPTIONS,
    NO_VIDEO,
    NOT_REBUILT,
    UNPLACED_ANSWER,
    UNREAD_ANSWER,
    Ineligible,
    case_of,
    looked_at,
)
from vidence.media.clip import At, Fps
from vidence.prompt import render
from vidence.trajectory import Trajectory
from vidence.view import Case


def part(name: str, /, index: int | None = None, **changes: Any) -> Any:
    """Return one part of the made trajectory with fields changed."""
    whole = made().model_dump()[name]
    if index is None:
        return {**whole, **changes}
    return [{**item, **changes} if i == index else item for i, item in enumerate(whole)]


def test_the_dialogue_ends_before_the_answer_and_keeps_every_word_before_it() -> None:
    case = case_of(made())
    assert isinstance(case, Case)
    text = render(case.view).text()
    assert text.startswith(
        "[user]\nWhich animal is it?\n\n[assistant]\nI look at 0-4 and at 6-7.\n\n[tool]\n"
        f"Results: {LOOK} and then {LATER} Go on."
    )
    assert "<answer>" not in text
    assert (case.gold, case.committed, case.cluster) == (0, 1, "v")


def test_evidence_holds_the_words_the_query_and_the_frames() -> None:
    case = case_of(made())
    assert isinstance(case, Case)
    first, second = case.view.evidence()
    assert (first.text, first.query, first.item) == (LOOK, "What animal?", 0)
    assert first.clip is not None
    assert (first.clip.start, first.clip.end, first.clip.sampling) == (0, 4, Fps(2, 8))
    assert second.clip is not None, "a moment is widened by half a second on either side"
    assert (second.clip.start, second.clip.end) == (5.5, 7.0)


def test_nothing_of_the_view_hangs_on_key_or_answer() -> None:
    one = case_of(made())
    other = case_of(made(sample=part("sample", gold=2), answer=part("answer", raw="A", position=0)))
    assert isinstance(one, Case)
    assert isinstance(other, Case)
    assert [p for _, p in one.view.parts] == [p for _, p in other.view.parts]
    assert one.view.options == other.view.options


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"answer": {"why_not": "no letter"}}, NO_ANSWER),
        ({"answer": {}, "stop": "step_limit"}, "no answer (step limit)"),
        ({"answer": {}, "stop": "timeout"}, "no answer (timeout)"),
        ({"answer": {"raw": "hm", "why_not": "no letter"}}, UNREAD_ANSWER),
        ({"answer": part("answer", message=None)}, UNPLACED_ANSWER),
        ({"sample": part("sample", options=[], gold=None), "answer": {}}, NO_OPTIONS),
        ({"sample": part("sample", video={"id": "v"})}, NO_VIDEO),
        ({"evidence": []}, NO_EVIDENCE),
        ({"answer": part("answer", message=1)}, NOT_REBUILT),
    ],
)
def test_what_cannot_be_replayed_has_one_counted_reason(
    changes: dict[str, Any], reason: str
) -> None:
    found = case_of(made(**changes))
    assert isinstance(found, Ineligible)
    assert (found.qid, found.reason) == ("q1", reason)
    assert found.detail


@pytest.mark.parametrize(
    "change",
    [{"query": None}, {"kind": "subtitle"}, {"start": None}, {"obstacle": "the clock is unclear"}],
    ids=str,
)
def test_a_piece_that_cannot_be_rebuilt_keeps_its_words(change: dict[str, Any]) -> None:
    case = case_of(made(evidence=part("evidence", 0, **change)))
    assert isinstance(case, Case)
    first, second = case.view.evidence()
    assert first.clip is None
    assert first.text == LOOK
    assert second.clip is not None
    alone = [{**part("evidence", 0)[0], **change}]
    found = case_of(made(evidence=alone))
    assert isinstance(found, Ineligible)
    assert found.reason == NOT_REBUILT


def test_single_frames_are_asked_by_their_times() -> None:
    case = case_of(made(evidence=part("evidence", 0, times=[3.0, 1.0])))
    assert isinstance(case, Case)
    clip = case.view.evidence()[0].clip
    assert clip is not None
    assert clip.sampling == At((3.0, 1.0))


def test_spans_looked_at_are_joined_and_in_order() -> None:
    items = part("evidence", 0, start=5, end=9)
    assert list(looked_at(made(evidence=items))) == [(5, 9)]
    assert list(looked_at(made())) == [(0, 4), (6, 6.5)]


@pytest.mark.parametrize(
    "changes",
    [
        {"evidence": part("evidence", 0, message=9)},
        {"evidence": part("evidence", 0, span=(0, 999))},
        {"evidence": part("evidence", 0, start=5, end=4)},
        {"evidence": part("evidence", 0, start=float("nan"))},
        {"answer": part("answer", position=3)},
        {"sample": part("sample", gold=-1)},
        {"form": "vidence.trajectory/2"},
    ],
    ids=str,
)
def test_a_trajectory_that_contradicts_itself_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        made(**changes)


def test_a_trajectory_is_written_and_read_back() -> None:
    assert Trajectory.model_validate_json(made().model_dump_json()) == made()


def test_a_question_with_one_option_cannot_flip() -> None:
    one = made(
        sample={**made().sample.model_dump(mode="json"), "options": ["cat"], "gold": 0},
        answer={"raw": "A", "position": 0, "message": 3},
    )
    found = case_of(one)
    assert isinstance(found, Ineligible)
    assert found.reason == "one option"


@pytest.mark.parametrize("confidence", ["inf", "0.5", True, float("nan"), float("inf")])
def test_a_confidence_is_a_finite_number(confidence: object) -> None:
    with pytest.raises(ValidationError, match="confidence"):
        made(answer={"raw": "B", "position": 1, "message": 3, "confidence": confidence})
    assert made(answer={"raw": "B", "position": 1, "confidence": 1}).answer.confidence == 1.0


def test_an_annotated_span_does_not_end_before_it_starts() -> None:
    sample = made().sample.model_dump(mode="json")
    with pytest.raises(ValidationError, match="ends before it starts"):
        made(sample={**sample, "gold_spans": [[5, 2]]})
