"""lm-evaluation-harness: the forms of 0.4.13 (its own files were compared) and of before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.predictions.films import (
    COUNT,
    KEYS,
    WORDS,
    benchmark,
    bring,
    kept,
    question,
    write_lines,
)
from vidence.errors import CaseError
from vidence.prediction import PREDICTIONS, Wanted

NAME = "samples_films_2026-01-02T03-04-05.067890.jsonl"


def prompt(i: int) -> str:
    options = "\n".join(f"{letter}. {word}" for letter, word in zip("ABCD", WORDS, strict=True))
    return f"{question(i)}\n{options}\nAnswer:"


def doc(i: int) -> dict[str, Any]:
    return {"id": f"q{i}", "question": question(i), "options": list(WORDS), "answer": KEYS[i]}


def generated(i: int, said: str, read: str, right: float, name: str = "strict") -> dict[str, Any]:
    """A sample of a task that generates, as 0.4.13 writes it."""
    return {
        "doc_id": i,
        "doc": doc(i),
        "target": KEYS[i],
        "arguments": {"gen_args_0": {"arg_0": prompt(i), "arg_1": {"until": ["\n\n"]}}},
        "resps": [[said]],
        "filtered_resps": [read],
        "filter": name,
        "metrics": ["exact_match"],
        "doc_hash": f"{i:064x}",
        "prompt_hash": f"{i:064x}",
        "target_hash": f"{i:064x}",
        "exact_match": right,
    }


def chosen(i: int, numbers: list[float], right: float) -> dict[str, Any]:
    """A sample of a multiple-choice task: numbers and flags are texts in the file."""
    pairs = [[str(number), "False"] for number in numbers]
    return {
        "doc_id": i,
        "doc": doc(i),
        "target": str("ABCD".index(KEYS[i])),
        "arguments": {
            f"gen_args_{k}": {"arg_0": f"{question(i)} Answer:", "arg_1": f" {word}"}
            for k, word in enumerate(WORDS)
        },
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "acc": right,
        "acc_norm": 1.0 - right,
    }


def test_a_document_that_comes_once_for_each_filter_is_one_reply_with_two_readings(
    tmp_path: Path,
) -> None:
    rows = [generated(i, f"I say {KEYS[i]}.", "[invalid]", 0.0) for i in range(COUNT)]
    rows += [generated(i, f"I say {KEYS[i]}.", KEYS[i], 1.0, "flexible") for i in range(COUNT)]
    log = write_lines(tmp_path / NAME, rows)
    report = bring("lm-eval", log, benchmark(tmp_path), tmp_path / "run")
    assert (len(report.joined), len(report.matches)) == (COUNT, 2 * COUNT)
    assert (len(report.merged.identical), len(report.merged.readings)) == (0, COUNT)
    strict, flexible = report.comparisons
    assert (strict.filter, flexible.filter) == ("strict", "flexible")
    assert (strict.log.value, flexible.log.value) == (0.0, 1.0)
    assert strict.vidence.value == flexible.vidence.value == 1.0
    assert strict.difference.value == 1.0
    (difference,) = strict.differences
    assert difference.ids == tuple(f"q{i}" for i in range(COUNT))


def test_log_likelihoods_choose_an_option_and_a_tie_chooses_none(tmp_path: Path) -> None:
    rows = [
        chosen(0, [-1.5, -2.0, -3.0, -4.0], 1.0),
        chosen(1, [-1.5, -2.0, -3.0, -4.0], 0.0),
        chosen(2, [-2.0, -1.5, -1.5, -4.0], 0.0),
    ]
    log = write_lines(tmp_path / NAME, rows)
    report = bring("lm-eval", log, benchmark(tmp_path), tmp_path / "run")
    assert kept(tmp_path / "run") == {"q0": ("ok", 0), "q1": ("ok", 0), "q2": ("ambiguous", None)}
    (comparison,) = report.comparisons
    assert (comparison.log.value, comparison.vidence.value) == pytest.approx((1 / 3, 1 / 3))


def test_the_options_of_log_likelihoods_are_those_asked_for_in_their_order(tmp_path: Path) -> None:
    row = chosen(1, [-9.0, -9.0, -9.0, -1.0], 1.0)
    asked = [" dog", " cat", " fish", " bird"]
    for k, word in enumerate(asked):
        row["arguments"][f"gen_args_{k}"]["arg_1"] = word
    log = write_lines(tmp_path / NAME, [row])
    bring("lm-eval", log, benchmark(tmp_path), tmp_path / "run")
    assert kept(tmp_path / "run") == {"q1": ("ok", WORDS.index("bird"))}


def test_the_older_form_has_lists_of_arguments_flags_and_no_filter(tmp_path: Path) -> None:
    old = generated(1, "B", "B", 1.0)
    del old["filter"], old["metrics"], old["prompt_hash"], old["target_hash"]
    old["arguments"] = [[prompt(1), {"until": ["\n\n"]}]]
    pairs = chosen(2, [-3.0, -3.5, -0.5, -4.0], 1.0)
    pairs["arguments"] = [[f"{question(2)} Answer:", f" {word}"] for word in WORDS]
    pairs["resps"] = [[[-3.0, False]], [[-3.5, False]], [[-0.5, True]], [[-4.0, False]]]
    del pairs["filtered_resps"]
    log = write_lines(tmp_path / NAME, [old, pairs])
    bring("lm-eval", log, benchmark(tmp_path), tmp_path / "run")
    assert kept(tmp_path / "run") == {"q1": ("ok", 1), "q2": ("ok", 2)}


def test_a_prompt_of_chat_messages_is_read_as_its_words(tmp_path: Path) -> None:
    row = generated(3, "D", "D", 1.0)
    row["doc"] = {}
    messages = [{"role": "system", "content": "Be short."}, {"role": "user", "content": prompt(3)}]
    row["arguments"]["gen_args_0"]["arg_0"] = json.dumps(messages)
    report = bring(
        "lm-eval", write_lines(tmp_path / NAME, [row]), benchmark(tmp_path), tmp_path / "run"
    )
    assert report.links == {"prompt": 1}
    assert report.verified == {"question": 1, "options": 1, "gold": 1, "nothing": 0}


def test_several_replies_to_a_document_are_repeats(tmp_path: Path) -> None:
    row = generated(0, "A", "A", 1.0)
    row["resps"] = [["A", "B", "A"]]
    log = PREDICTIONS["lm-eval"](write_lines(tmp_path / NAME, [row]), Wanted())
    assert [(p.repeat, p.reply.text, p.score) for p in log.predictions] == [
        (0, "A", None),
        (1, "B", None),
        (2, "A", None),
    ]


def test_a_stated_error_of_0_beside_a_share_is_inconsistent(tmp_path: Path) -> None:
    results = tmp_path / "results_2026-01-02T03-04-05.json"
    stated = {"acc,none": 263 / 307, "acc_stderr,none": 0.0, "alias": "films", "sample_len": 307}
    results.write_text(json.dumps({"results": {"films": stated}, "model_name": "lab/m"}))
    log = write_lines(tmp_path / NAME, [generated(0, "A", "A", 1.0)])
    report = bring("lm-eval", [log, results], benchmark(tmp_path), tmp_path / "run")
    (warning,) = report.warnings
    assert "inconsistent: films acc,none is 0.856678 with an error of 0" in warning


def test_a_cut_line_costs_itself_alone(tmp_path: Path) -> None:
    log = write_lines(tmp_path / NAME, [generated(i, "A", "A", 0.0) for i in range(3)])
    log.write_text(log.read_text()[:-200])
    found = PREDICTIONS["lm-eval"](log, Wanted())
    assert len(found.predictions) == 2
    assert found.rejected[0].where == f"{NAME}, line 3"


@pytest.mark.parametrize("text", ["", "{}\n", '{"results": 1}', "\x00\x01", '[{"a": 1}]'])
@pytest.mark.parametrize("name", [NAME, "results.json"])
def test_what_is_no_log_is_an_error_that_names_the_file(
    name: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(CaseError, match=name.replace(".", r"\.")):
        bring("lm-eval", path, benchmark(tmp_path), tmp_path / "run")
    assert not (tmp_path / "run").exists()
