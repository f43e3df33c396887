"""A row of a log is joined to the question that it answers, or to none, and it is said why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.predictions.made import LETTERS, case_file, lines, prompt, records, rows, sample, take_in
from vidence.errors import CaseError
from vidence.imported.evidence import options_in, order_of


@pytest.mark.parametrize("key", ["id", "question", "row"])
def test_the_order_of_the_lines_does_not_matter(tmp_path: Path, key: str) -> None:
    cases = rows()
    said = {i: LETTERS[(i * 7) % 4] for i in range(len(cases))}
    log = []
    for i in reversed(range(len(cases))):
        more = {
            "id": {"payload": {"id": cases[i]["id"], "pred_answer": said[i], "score": 0.0}},
            "question": {"doc": {"question": cases[i]["question"]}},
            "row": {"input": prompt(cases[i])},
        }[key]
        log.append(sample(i if key == "row" else 999, said[i], **more))
    report = take_in(tmp_path / "run", case_file(tmp_path, cases), lines(tmp_path / "l.jsonl", log))
    assert len(report.joined) == 12
    found = records(tmp_path / "run")
    assert {name: r.value for name, r in found.items()} == {
        cases[i]["id"]: LETTERS.index(said[i]) for i in range(12)
    }


def test_numbers_of_another_benchmark_join_nothing_and_leave_no_run(tmp_path: Path) -> None:
    other = [{**row, "question": f"What colour is lamp {i}?"} for i, row in enumerate(rows())]
    log = lines(
        tmp_path / "l.jsonl", [sample(i, "A", input=prompt(c)) for i, c in enumerate(other)]
    )
    with pytest.raises(CaseError, match=r"12 of 12 rows disagree"):
        take_in(tmp_path / "run", case_file(tmp_path, rows()), log)
    assert not (tmp_path / "run").exists()


def test_keys_alone_tell_another_benchmark_by_their_share(tmp_path: Path) -> None:
    cases = rows(40)
    log = [sample(i, "A", target=LETTERS[(i // 4) % 4]) for i in range(40)]
    with pytest.raises(CaseError, match="another key"):
        take_in(tmp_path / "run", case_file(tmp_path, cases), lines(tmp_path / "l.jsonl", log))
    right = [sample(i, "A", target=LETTERS[c["answer"]]) for i, c in enumerate(cases)]
    report = take_in(tmp_path / "r", case_file(tmp_path, cases), lines(tmp_path / "r.jsonl", right))
    assert report.verified["gold"] == 40
    assert not report.warnings


def test_nothing_to_verify_is_said(tmp_path: Path) -> None:
    log = lines(tmp_path / "l.jsonl", [sample(i, "A") for i in range(12)])
    report = take_in(tmp_path / "run", case_file(tmp_path, rows()), log)
    assert len(report.joined) == 12
    assert any("nothing in the log can verify" in warning for warning in report.warnings)


def test_a_rejected_row_keeps_its_number(tmp_path: Path) -> None:
    """A log counts the rows of the file, the broken ones among them."""
    cases = rows(6)
    broken = [*cases[:2], {**cases[2], "answer": 9}, *cases[3:]]
    log = lines(
        tmp_path / "l.jsonl",
        [sample(i, LETTERS[c["answer"]], input=prompt(c)) for i, c in enumerate(cases)],
    )
    report = take_in(tmp_path / "run", case_file(tmp_path, broken), log)
    assert report.joined == ("q00", "q01", "q03", "q04", "q05")
    assert [m.prediction.row for m in report.matches if m.case is None] == [2]
    found = records(tmp_path / "run")
    assert {name: record.value for name, record in found.items()} == {
        case["id"]: case["answer"] for case in cases if case["id"] != "q02"
    }


def test_ids_that_lost_their_zeros_join_only_where_one_is_meant(tmp_path: Path) -> None:
    cases = rows(3, ids=("001", "002", "2"))
    log = lines(tmp_path / "l.jsonl", [{"id": 1, "reply": "A"}, {"id": "2", "reply": "B"}])
    report = take_in(tmp_path / "run", case_file(tmp_path, cases), log, form="plain")
    assert report.joined == ("001", "2")
    assert any("agree as numbers" in warning for warning in report.warnings)


def test_an_unknown_id_is_named_and_not_joined_by_its_video(tmp_path: Path) -> None:
    log = lines(
        tmp_path / "l.jsonl",
        [
            {"id": "q00", "reply": "A", "video": "film0.mp4"},
            {"id": "nobody", "reply": "A", "video": "film0.mp4", "gold": "A"},
        ],
    )
    report = take_in(tmp_path / "run", case_file(tmp_path, rows()), log, form="plain")
    assert report.joined == ("q00",)
    assert [m.prediction.where for m in report.matches if m.case is None] == ["l.jsonl, line 2"]


def test_equal_questions_are_told_apart_by_their_video(tmp_path: Path) -> None:
    cases = [{**row, "question": "What is opened first?"} for row in rows(12)[::3]]
    log = [{"reply": "B", "question": c["question"], "video": f"/data/{c['video']}"} for c in cases]
    report = take_in(
        tmp_path / "run", case_file(tmp_path, cases), lines(tmp_path / "l.jsonl", log), form="plain"
    )
    assert report.links == {"video and question": 4}
    bare = [{"reply": "B", "question": c["question"]} for c in cases]
    with pytest.raises(CaseError, match="4 ambiguous"):
        take_in(
            tmp_path / "r",
            case_file(tmp_path, cases),
            lines(tmp_path / "b.jsonl", bare),
            form="plain",
        )


def test_a_question_that_comes_twice_is_one_or_none(tmp_path: Path) -> None:
    cases = rows(6)
    log = [sample(i, "A", input=prompt(c)) for i, c in enumerate(cases)]
    log += [dict(log[1]), {**log[2], "filtered_resps": "B"}]
    report = take_in(tmp_path / "run", case_file(tmp_path, cases), lines(tmp_path / "l.jsonl", log))
    assert len(report.merged.identical) == 1
    assert report.conflicting == ("q02",)
    lost = records(tmp_path / "run")["q02"]
    assert (lost.status, lost.value) == ("failed", None)
    assert "l.jsonl, line 3; l.jsonl, line 8" in lost.reason


def test_a_failure_beside_a_reply_was_an_attempt(tmp_path: Path) -> None:
    log = [{"id": "q00", "reply": "Failed to obtain answer via API."}, {"id": "q00", "reply": "B"}]
    log += [{"id": "q01", "reply": "Failed to obtain answer via API."}]
    take_in(
        tmp_path / "run",
        case_file(tmp_path, rows()),
        lines(tmp_path / "l.jsonl", log),
        form="plain",
    )
    found = records(tmp_path / "run")
    assert found["q00"].value == 1
    assert found["q01"].status == "failed"
    assert not found["q01"].calls


@pytest.mark.parametrize("where", ["prompt", "options"])
def test_letters_mean_the_options_that_were_shown(tmp_path: Path, where: str) -> None:
    """The key is D, options are rotated by one: C is right in the log and is the file's D."""
    case = {**rows(1)[0], "answer": 3}
    order = (1, 2, 3, 0)
    shown = {"input": prompt(case, order)}
    if where == "options":
        shown = {
            "doc": {"question": case["question"], "options": [case["options"][k] for k in order]}
        }
    log = [sample(0, "C", target="C", **shown)]
    report = take_in(
        tmp_path / "run", case_file(tmp_path, [case]), lines(tmp_path / "l.jsonl", log)
    )
    assert report.verified["gold"] == 1
    record = records(tmp_path / "run")["q00"]
    assert record.value == 3
    assert "options shown in the order BCDA; the key D was shown as C" in record.notes


def test_another_key_is_counted_and_the_file_decides(tmp_path: Path) -> None:
    case = rows(1)[0]
    payload = {"m_score": {"id": "q00", "pred_answer": "B", "answer": "B", "score": 1.0}}
    log = lines(tmp_path / "l.jsonl", [sample(0, "B", input=prompt(case), **payload)])
    report = take_in(tmp_path / "run", case_file(tmp_path, [case]), log)
    assert any("1 rows have another key" in warning for warning in report.warnings)
    (comparison,) = report.comparisons
    assert [d.reason for d in comparison.differences] == ["log right: it has another key"]


def test_moved_options_without_their_order_give_no_answer(tmp_path: Path) -> None:
    log = lines(tmp_path / "l.jsonl", [{"id": "q00", "reply": "A"}])
    with_order = lines(
        tmp_path / "o.jsonl",
        [{"id": "q00", "reply": "A", "options": json.dumps(rows(1)[0]["options"][::-1])}],
    )
    cases = case_file(tmp_path, rows(1))
    take_in(tmp_path / "a", cases, log, form="plain", check="shuffled_options")
    take_in(tmp_path / "b", cases, with_order, form="plain", check="shuffled_options")
    assert records(tmp_path / "a", check="shuffled_options")["q00"].status == "failed"
    assert records(tmp_path / "b", check="shuffled_options")["q00"].value == 3


texts = st.lists(
    st.text("abcd (.)A", min_size=1, max_size=8).map(str.strip).filter(bool),
    min_size=2,
    max_size=6,
    unique_by=lambda t: " ".join(t.casefold().split()),
)


@given(texts, st.randoms())
def test_any_order_of_any_options_is_found_again(options: list[str], random: object) -> None:
    places = list(range(len(options)))
    random.shuffle(places)  # type: ignore[attr-defined]
    found = order_of([options[p] for p in places], options)
    assert found is not None
    assert found[0] == tuple(places)
    assert order_of([*options[:-1], "something else"], options) is None


def test_the_last_list_of_a_prompt_counts() -> None:
    """Worked examples stand above the question."""
    text = "A. one\nB. two\nAnswer: A\n\nWhich?\n(A) three\n(B) four"
    assert options_in(text, 2)[0] == ["three", "four"]
