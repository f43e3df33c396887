"""A log of one benchmark never becomes the replies to another, however little it holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from string import ascii_uppercase

import pytest

from tests.predictions.films import KEYS, benchmark, bring, kept, write_lines
from tests.predictions.test_lm_eval import prompt
from vidence.answer import Reply
from vidence.benchmark import load_benchmark
from vidence.errors import CaseError
from vidence.imported.join import MOST_CONTRADICTED, join
from vidence.imported.keying import CaseIndex
from vidence.prediction import Prediction
from vidence.view import Case

FOLDERS = {
    "egoschema": "egoschema",
    "implicitqa": "implicitqa",
    "longvideobench": "longvideobench",
    "lvbench": "lvbench",
    "minerva": "minerva",
    "mlvu": "mlvu_test",
    "mmrv": "mmrvbench",
    "mvbench": "mvbench",
    "rtvbench": "rtv-bench",
    "tvbench": "tvbench",
    "vcrbench": "vcr-bench",
    "videoholmes": "video-holmes",
    "videomme": "video-mme",
    "vsibench": "vsi-bench",
}
MOST = 120


def bare(cases: Sequence[Case], *, by_id: bool) -> list[Prediction]:
    """Rows with a number, a reply and the key's letter, and nothing to see of the question."""
    found = []
    for i, case in enumerate(cases[:MOST]):
        place = case.gold_position()
        gold = str(case.gold) if place is None else ascii_uppercase[place]
        task, _, number = case.id.rpartition("-")
        by_task = "task" in case.tags and number.isdigit()
        found.append(
            Prediction(
                f"row {i}",
                Reply(text="A"),
                ids={"id": str(i)} if by_id else {},
                row=None if by_id else int(number) if by_task else i,
                task=task if by_task else "",
                gold=gold,
            )
        )
    return found


@pytest.mark.data
@pytest.mark.slow
def test_numbers_and_keys_alone_join_no_other_public_benchmark(data_dir: Path) -> None:
    indexes = {
        form: CaseIndex(load_benchmark(form, data_dir / "benchmarks" / folder), form)
        for form, folder in FOLDERS.items()
    }
    taken = {}
    for form, index in indexes.items():
        for by_id in (False, True):
            rows = bare(index.benchmark.cases, by_id=by_id)
            for other, there in indexes.items():
                matches = join(rows, there)
                joined = sum(match.case is not None for match in matches)
                against = sum(match.problem == "contradicted" for match in matches)
                if joined and against <= MOST_CONTRADICTED * (joined + against):
                    taken[form, other, by_id] = joined
    others = {pair: n for pair, n in taken.items() if pair[0] != pair[1]}
    assert others == {}
    assert {form for form, _, by_id in taken if not by_id} == set(FOLDERS), "its own log is taken"


def test_a_number_for_an_id_does_not_outweigh_the_prompt(tmp_path: Path) -> None:
    rows = [
        {"id": i, "video": f"v{i}.mp4", "question": f"How far is wall {i}?", "answer": float(i)}
        for i in range(8)
    ]
    path = write_lines(tmp_path / "rooms.jsonl", [{**r, "answer": str(r["answer"])} for r in rows])
    log = write_lines(
        tmp_path / "d_samples_films.jsonl",
        [
            {
                "doc_id": i,
                "filtered_resps": "A",
                "target": "A",
                "input": f"What is in film {i}?\nA. cat\nB. dog",
                "films_acc": {"question_idx": i, "pred_answer": "A", "answer": "A", "score": 1.0},
            }
            for i in range(8)
        ],
    )
    with pytest.raises(CaseError, match="speaks of other questions than rooms"):
        bring("lmms-eval", log, path, tmp_path / "run")


def test_a_key_written_in_another_way_does_not_lose_a_question_that_agrees(tmp_path: Path) -> None:
    path = tmp_path / "open.jsonl"
    path.write_text(
        json.dumps({"id": "1", "video": "v.mp4", "question": "In which room?", "answer": "Kitchen"})
    )
    row = {"id": "1", "question": "In which room?", "reply": "the kitchen", "gold": "the kitchen."}
    bring("plain", write_lines(tmp_path / "log.jsonl", [row]), path, tmp_path / "run")
    assert kept(tmp_path / "run") == {"1": ("ok", "the kitchen")}
    other = {**row, "question": "How many rooms are there in the house?"}
    with pytest.raises(CaseError, match="another question than '1'"):
        bring("plain", write_lines(tmp_path / "log.jsonl", [other]), path, tmp_path / "other")


def test_a_key_that_no_option_is_speaks_against_a_number_alone(tmp_path: Path) -> None:
    rows = [{"row": i, "reply": "A", "gold": "3.25"} for i in range(8)]
    log = write_lines(tmp_path / "log.jsonl", rows)
    with pytest.raises(CaseError, match="a key or options of another kind"):
        bring("plain", log, benchmark(tmp_path), tmp_path / "run")


def test_row_numbers_of_a_part_do_not_outweigh_the_prompt(tmp_path: Path) -> None:
    """A task on a part of a benchmark counts its own rows from 0."""
    half = [
        {"doc_id": i - 4, "filtered_resps": KEYS[i], "target": KEYS[i], "input": prompt(i)}
        for i in range(4, 8)
    ]
    log = write_lines(tmp_path / "d_samples_films_late.jsonl", half)
    report = bring("lmms-eval", log, benchmark(tmp_path), tmp_path / "run")
    assert report.links == {"prompt": 4}
    assert report.joined == ("q4", "q5", "q6", "q7")
    assert kept(tmp_path / "run") == {f"q{i}": ("ok", i - 4) for i in range(4, 8)}


def test_a_log_most_of_whose_rows_name_no_question_says_so(tmp_path: Path) -> None:
    more = [{"id": f"q{i}", "reply": "A", "gold": KEYS[i % 8]} for i in range(20)]
    log = write_lines(tmp_path / "log.jsonl", more)
    report = bring("plain", log, benchmark(tmp_path), tmp_path / "run")
    assert len(report.joined) == 8
    assert "12 of 20 rows name no question of films" in report.warnings[0]
