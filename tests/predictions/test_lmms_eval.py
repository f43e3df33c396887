"""Samples of lmms-eval, built field by field in the forms of its versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.predictions.made import case_file, lines, prompt, records, rows, sample, take_in
from vidence.prediction import PREDICTIONS, Log, Prediction, Wanted

CASES = rows(6)


def read(tmp_path: Path, *found: dict[str, Any], name: str = "20250101_samples_own") -> Log:
    return PREDICTIONS["lmms-eval"](lines(tmp_path / f"{name}.jsonl", found), Wanted())


def only(log: Log) -> Prediction:
    (found,) = log.predictions
    return found


def test_the_old_form_holds_the_document_and_the_arguments(tmp_path: Path) -> None:
    case = CASES[0]
    found = only(
        read(
            tmp_path,
            {
                "doc_id": 4,
                "doc": {"question_id": case["id"], "question": case["question"], "answer": "A"},
                "target": "A",
                "arguments": [[prompt(case), {"max_new_tokens": 16}]],
                "resps": [["The answer is (A)"]],
                "filtered_resps": ["A"],
            },
        )
    )
    assert found.reply.text == "The answer is (A)"  # what was sent back, not what a filter left
    assert (found.ids, found.row, found.gold) == ({"questionid": "q00"}, 4, "A")
    assert found.prompt == prompt(case)
    assert found.task == "own"


@pytest.mark.parametrize(
    "arguments",
    [
        [["words", {"until": []}]],
        [["words"]],
        ["words", {"until": []}],
        {"gen_args_0": {"arg_0": "words", "arg_1": {"until": []}}},
    ],
)
def test_arguments_in_every_form(tmp_path: Path, arguments: object) -> None:
    found = only(read(tmp_path, {"doc_id": 0, "resps": [["A"]], "arguments": arguments}))
    assert found.prompt == "words"


@pytest.mark.parametrize(
    ("metric", "names", "parsed", "score"),
    [
        (
            {"videomme_perception_score": {"question_id": "001-1", "duration": "short",
             "videoID": "abc", "pred_answer": "B", "answer": "C", "score": 0.0}},
            {"questionid": "001-1"}, "B", 0.0,
        ),
        (
            {"lvb_acc": {"id": "x_0", "duration_group": 15, "answer": "A", "parsed_pred": "A"},
             "submission": {"x_0": "A"}},
            {"id": "x_0"}, "A", 1.0,
        ),
        ({"minerva_acc": {"id": "v:1", "pred_answer": "E", "answer": "E", "score": 1.0}},
         {"id": "v:1"}, "E", 1.0),
        ({"mvbench_accuracy": {"pred_answer": "(B)", "gt_answer": "B", "score": 1}},
         {}, "(B)", 1.0),
        ({"lvbench_score": True}, {}, None, 1.0),
    ],
)  # fmt: skip
def test_payloads_name_the_question_and_the_score(
    tmp_path: Path, metric: dict[str, Any], names: dict[str, str], parsed: str, score: float
) -> None:
    found = only(read(tmp_path, sample(3, "B", **metric)))
    assert dict(found.ids) == names
    assert (found.parsed, found.score) == (parsed, score)


def test_an_id_that_is_the_question_is_taken_for_the_question(tmp_path: Path) -> None:
    """MLVU's payload has the question's words under `question_id`."""
    payload = {
        "question_id": CASES[2]["question"],
        "task_type": "x",
        "pred_answer": "A",
        "answer": "B",
    }
    found = only(read(tmp_path, sample(0, "A", mlvu_percetion_score=payload)))
    assert found.question == CASES[2]["question"]
    assert not found.ids


def test_a_document_comes_once_a_filter(tmp_path: Path) -> None:
    raw = "I think B.\nA."
    log = [
        sample(0, "B", resps=[raw], acc=0.0, input=prompt(CASES[0])),
        sample(0, "A", resps=[raw], acc=1.0, input=prompt(CASES[0])),
        sample(0, "B", resps=[raw], acc=0.0, input=prompt(CASES[0])),
    ]
    report = take_in(
        tmp_path / "run", case_file(tmp_path, CASES), lines(tmp_path / "d_samples_x.jsonl", log)
    )
    assert [p.filter for p in report.sources[0].log.predictions] == ["", "reading 2", ""]
    assert (len(report.merged.identical), len(report.merged.readings)) == (1, 1)
    assert [(c.filter, c.log.value) for c in report.comparisons] == [("", 0), ("reading 2", 1)]
    assert not report.conflicting


def test_no_reply_is_told_from_an_empty_one_and_from_a_line_of_another_kind(tmp_path: Path) -> None:
    log = read(
        tmp_path, sample(0, ""), {"doc_id": 1, "target": "A"}, sample(2, "failed to obtain answer")
    )
    assert [p.reply.status for p in log.predictions] == ["ok", "failed"]
    assert [r.reason for r in log.rejected] == ["no field resps or filtered_resps"]


def test_log_likelihoods_are_scores_of_options(tmp_path: Path) -> None:
    pairs = [[["-4.5", "False"]], [["-0.25", "True"]], [["-9", "False"]], [["-3", "False"]]]
    log = lines(tmp_path / "l.jsonl", [{"doc_id": 1, "resps": pairs, "target": 1}])
    take_in(tmp_path / "run", case_file(tmp_path, CASES), log)
    assert records(tmp_path / "run")["q01"].value == 1
