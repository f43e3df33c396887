"""Logs in, a run out: reports, gates and boards work on it as on any run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_cli import vidence
from tests.predictions.made import LETTERS, case_file, lines, prompt, rows, sample, table, take_in
from vidence.errors import RunMismatchError, StoreError, UnknownNameError, UsageError
from vidence.reparse import reparse
from vidence.run import resume
from vidence.store import Store

CASES = rows(60)
KNOWN = 24
"""Questions that every model answers without the video; each misses others of its own."""


def said(model: int, check: str) -> list[int]:
    """Return the option that a model chooses for each question."""
    found = []
    for i, case in enumerate(CASES):
        knows = i < KNOWN or check == "intact" or i % 5 == model
        found.append(case["answer"] if knows else (case["answer"] + 1) % 4)
    return found


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three models under two checks, of two forms of logs, by the command line."""
    folder = tmp_path_factory.mktemp("logs")
    cases = case_file(folder, CASES)
    for model in range(3):
        for check in ("intact", "blind"):
            chosen = said(model, check)
            if model == 0:
                log = table(
                    folder / f"{check}.csv",
                    [
                        {"qid": c["id"], "words": f"The answer is {LETTERS[k]}."}
                        for c, k in zip(CASES, chosen, strict=True)
                    ],
                )
                form, more = "plain", ["--columns", "id=qid,reply=words"]
            else:
                log = lines(
                    folder / f"d_samples_own_{model}_{check}.jsonl",
                    [sample(i, LETTERS[k], input=prompt(CASES[i])) for i, k in enumerate(chosen)],
                )
                form, more = "lmms-eval", []
            done = vidence(
                *("import", form, log, "--benchmark", "jsonl", cases, "--check", check),
                *("--model", f"m{model}", "--out", folder / "run", *more),
            )
            assert done.returncode == 0, done.stderr
            assert "joined    60 of 60 questions" in done.stdout
    return folder / "run"


@pytest.mark.slow
def test_the_report_counts_what_the_logs_say(imported: Path) -> None:
    data = json.loads(vidence("report", imported, "--json").stdout)
    blind = [said(model, "blind") for model in range(3)]
    solved = sum(
        all(chosen[i] == case["answer"] for chosen in blind) for i, case in enumerate(CASES)
    )
    assert data["headline"]["shortcut"]["value"] == pytest.approx(solved / len(CASES))
    assert data["headline"]["shortcut"]["n"] == 60
    assert solved == KNOWN
    assert data["run"]["complete"]
    assert not any("vidence resume" in row["command"] for row in data["commands"])
    assert {row["identity"]["kind"] for row in data["run"]["panel"]} == {"imported"}
    assert (imported / "report.html").is_file()


@pytest.mark.slow
def test_the_other_commands_work_on_it(imported: Path) -> None:
    counts = json.loads(vidence("distill", imported, "--json").stdout)
    assert counts["removed"] == KNOWN
    board = json.loads(vidence("leaderboard", imported, "--json").stdout)
    assert {row["name"] for row in board["rows"]} == {"m0", "m1", "m2"}
    assert vidence("gate", imported, "--max-shortcut", "0.9").returncode == 0
    assert vidence("gate", imported, "--max-shortcut", "0.1").returncode == 1
    assert reparse(imported).changed == 0


@pytest.mark.slow
def test_nobody_can_be_asked(imported: Path) -> None:
    with pytest.raises(UsageError, match="imported, and nobody can be asked"):
        resume(imported)
    done = vidence("resume", imported)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_raw_replies_and_prompts_are_kept(imported: Path) -> None:
    with Store.open(imported, read_only=True) as store:
        calls = {(c.answerer, c.request.prompt.question, c.reply.text): c for c in store.calls()}
    question = CASES[0]["question"]
    mine = calls["m1", question, LETTERS[CASES[0]["answer"]]]
    assert mine.request.prompt.text() == prompt(CASES[0])
    words = calls["m0", question, f"The answer is {LETTERS[CASES[0]['answer']]}."]
    assert question in words.request.prompt.text()
    assert "Frames" not in words.request.prompt.text()  # a log does not say what was shown


def log_of(path: Path, replies: dict[str, str]) -> Path:
    return lines(path, [{"id": name, "reply": text} for name, text in replies.items()])


def contents(run: Path) -> list[Any]:
    with Store.open(run, read_only=True) as store:
        return [store.meta("config"), list(store.records()), sorted(c.key for c in store.calls())]


def test_the_same_log_twice_changes_nothing(tmp_path: Path) -> None:
    cases, run = case_file(tmp_path, CASES), tmp_path / "run"
    log = log_of(tmp_path / "l.jsonl", {"q00": "A", "q01": "B"})
    take_in(run, cases, log, form="plain")
    before = contents(run)
    report = take_in(run, cases, log, form="plain")
    assert contents(run) == before
    assert (report.kept.added, report.kept.unchanged) == (0, 2)


def test_a_second_part_fills_what_was_missing_and_replaces_nothing(tmp_path: Path) -> None:
    cases, run = case_file(tmp_path, CASES[:4]), tmp_path / "run"
    take_in(run, cases, log_of(tmp_path / "1.jsonl", {"q00": "A", "q01": "B"}), form="plain")
    take_in(run, cases, log_of(tmp_path / "2.jsonl", {"q01": "B", "q02": "C"}), form="plain")
    before = contents(run)
    with pytest.raises(RunMismatchError, match="other replies of 'm' to 1 questions"):
        take_in(run, cases, log_of(tmp_path / "3.jsonl", {"q00": "D", "q03": "D"}), form="plain")
    assert contents(run) == before
    with Store.open(run, read_only=True) as store:
        statuses = {r.cell.case: r.status for r in store.records()}
    assert statuses == {"q00": "ok", "q01": "ok", "q02": "ok", "q03": "failed"}


def test_a_reply_that_another_tool_logged_as_well_is_the_same_reply(tmp_path: Path) -> None:
    """Tools differ in why they say that a reply ended; an export goes back into its own run."""
    cases, run = case_file(tmp_path, CASES[:4]), tmp_path / "run"
    take_in(run, cases, log_of(tmp_path / "1.jsonl", {"q00": "A"}), form="plain")
    before = contents(run)[1:]
    again = [{"id": "q00", "reply": "A", "finish_reason": "stop"}]
    report = take_in(run, cases, lines(tmp_path / "2.jsonl", again), form="plain")
    assert report.kept.unchanged == 1
    assert contents(run)[1:] == before


def test_another_benchmark_and_a_run_that_asks_are_refused(tmp_path: Path) -> None:
    cases, run = case_file(tmp_path, CASES[:4]), tmp_path / "run"
    log = log_of(tmp_path / "1.jsonl", {"q00": "A"})
    take_in(run, cases, log, form="plain")
    more = case_file(tmp_path, CASES[:5], "more")
    with pytest.raises(RunMismatchError, match="holds other questions"):
        take_in(run, more, log, form="plain")
    with Store.open(run) as store:
        config = store.meta("config")
        config["panel"][0]["identity"] = {"kind": "openai"}
        store.set_meta({"config": config})
    with pytest.raises(RunMismatchError, match="answered on request"):
        take_in(run, cases, log, form="plain", model="other")


def test_a_check_that_is_none_leaves_no_folder(tmp_path: Path) -> None:
    log = log_of(tmp_path / "1.jsonl", {"q00": "A"})
    with pytest.raises(UnknownNameError, match="Did you mean 'intact'"):
        take_in(tmp_path / "run", case_file(tmp_path, CASES), log, form="plain", check="intct")
    assert not (tmp_path / "run").exists()


def test_what_the_parser_alone_moves(tmp_path: Path) -> None:
    """The log's reader takes the first capital; 'I' and 'A' in words are then answers."""
    cases = CASES[:40]
    replies = ["A box was opened, so the answer is C." if c["answer"] == 2 else "D" for c in cases]
    log = [
        sample(
            i,
            text,
            input=prompt(c),
            m={
                "id": c["id"],
                "pred_answer": text[0],
                "score": float(LETTERS[c["answer"]] == text[0]),
            },
        )
        for i, (c, text) in enumerate(zip(cases, replies, strict=True))
    ]
    report = take_in(tmp_path / "run", case_file(tmp_path, cases), lines(tmp_path / "l.jsonl", log))
    (comparison,) = report.comparisons
    data = comparison.to_json()
    assert (data["log"]["value"], data["vidence"]["value"]) == (25.0, 50.0)
    assert data["difference"]["value"] == pytest.approx(25.0)
    assert data["difference"]["unit"] == "points"
    assert data["difference"]["low"] < 25.0 < data["difference"]["high"]
    assert [(d["reason"], d["n"]) for d in data["differ"]["by_reason"]] == [
        ("log wrong, Vidence reads the key", 10)
    ]


def test_a_share_with_an_error_of_zero_is_inconsistent(tmp_path: Path) -> None:
    results = tmp_path / "20250101_results.json"
    figures = {"own": {"score,none": 263 / 307, "score_stderr,none": 0.0, "all,none": 1.0}}
    figures["own"]["all_stderr,none"] = 0.0
    results.write_text(json.dumps({"results": figures}))
    log = lines(
        tmp_path / "l.jsonl", [sample(i, "A", input=prompt(c)) for i, c in enumerate(CASES)]
    )
    report = take_in(tmp_path / "run", case_file(tmp_path, CASES), log, results)
    (warning,) = [text for text in report.warnings if "inconsistent" in text]
    assert "own score,none is 0.856678" in warning


def test_a_file_that_the_report_would_overwrite_is_kept(tmp_path: Path) -> None:
    cases = case_file(tmp_path, CASES[:4])
    before = cases.read_bytes()
    log = log_of(tmp_path / "l.jsonl", {"q00": "A"})
    with pytest.raises(StoreError, match=r"holds a file cases\.jsonl and no run"):
        take_in(tmp_path, cases, log, form="plain")
    assert cases.read_bytes() == before
    assert not (tmp_path / "run.sqlite").exists()
