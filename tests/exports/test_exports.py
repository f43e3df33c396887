"""What leaves a run comes back as the same records, whatever the replies look like."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cli.test_cli import vidence
from tests.run.run_makers import asks
from vidence.answer import Reply, Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.benchmark import load_benchmark
from vidence.check import parse_checks
from vidence.errors import StoreError, UnknownNameError, UsageError
from vidence.exports import EXPORTS, Exported, export
from vidence.imported import Import, import_predictions
from vidence.panel import Panel, panel_of
from vidence.predictions._cells import escaped, unescaped
from vidence.record import Outcome
from vidence.run import run
from vidence.store import Store

NASTY: tuple[str | Reply, ...] = (
    '=HYPERLINK("http://example.invalid","A")',
    "+B",
    "-A",
    "@SUM(1+1)",
    "'=A",
    "''",
    "\tA\r\nB\rC\n",
    'A, "quoted", and; more',
    "日本 \u202e B \u2028 \x00 \x0b end",
    "",
    "   ",
    "Failed to obtain answer via API.",
    "The answer is B.",
    "<think>A?</think>\nC",
    "D" * 40_000,
    "None",
    "nan",
    Reply(text="First, I think of", finish_reason="length"),
    Reply(status="filtered", error="the service refused this content"),
    Reply(status="failed", error="HTTP 503, try later\nagain"),
)
CHECKS = "blind,shuffled_options:of=blind,rotated_options:of=blind,audio,swapped_evidence"


def case_file(folder: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {
            "id": f"{i:03d}",
            "video": f"film{i // 4}.mp4",
            "question": f"=What is in film {i}?",
            "options": ["cat", "-dog", "bird", "@fish"],
            "answer": i % 4,
            "tags": {"kind of": "=a" if i % 2 else "b"},
        }
        for i in range(len(NASTY))
    ]
    rows.append({"id": "open", "video": "film0.mp4", "question": "How many?", "answer": "-3"})
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def nasty(request: Request) -> str | Reply:
    number = request.prompt.question.removeprefix("=What is in film ").removesuffix("?")
    return NASTY[int(number)] if number.isdigit() else "-3 or +4"


def steady(request: Request) -> str:
    """Choose the option "bird" wherever it stands; the second time another."""
    options = request.prompt.options
    return "ABCD"[(options.index("bird") + request.draw) % 4] if options else "=3"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with every kind of reply, several views, repeats and checks that do not apply."""
    folder = tmp_path_factory.mktemp("exports")
    cases = load_benchmark("jsonl", case_file(folder)).cases
    panel = panel_of(FunctionAnswerer("nasty/m 1", nasty), FunctionAnswerer("steady", steady))
    run(cases, parse_checks(CHECKS), panel, folder / "run", seed=0, repeats=2)
    return folder


def outcomes(folder: Path) -> dict[tuple[Any, ...], Outcome]:
    with Store.open(folder, read_only=True) as store:
        return {(o.case, o.check, o.answerer, o.repeat): o for o in store.outcomes()}


def raw(folder: Path) -> dict[tuple[Any, ...], list[Any]]:
    with Store.open(folder, read_only=True) as store:
        return {
            (r.cell.case, r.cell.check, r.cell.answerer, r.cell.repeat): [
                (reply.text, reply.status, reply.finish_reason, shown)
                for key in r.calls
                for reply, shown in store.replies([key]).values()
            ]
            for r in store.records()
        }


def back(form: str, files: Callable[[str, str], list[Path]], made: Path, out: Path) -> None:
    """Import what was exported, one check and answerer after the other."""
    with Store.open(made / "run", read_only=True) as store:
        members = store.meta("config")["members"]
    for check, names in members.items():
        for name in names:
            found = tuple(files(check, name))
            if found:
                what = Import(form, found, "jsonl", made / "cases.jsonl", check, name)
                import_predictions(what, out)


def test_the_run_has_what_makes_round_trips_hard(made: Path) -> None:
    found = outcomes(made / "run").values()
    assert {o.status for o in found} >= {"ok", "no_answer", "filtered", "failed", "skipped"}
    assert {o.repeat for o in found} == {0, 1}
    assert any(o.status == "ok" and o.value is None for o in found), "rotations that disagree"


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_table_comes_back_as_the_same_records(form: str, made: Path, tmp_path: Path) -> None:
    written = export(made / "run", form, tmp_path / f"out.{form}")
    before = outcomes(made / "run")
    assert (written.records, written.left_out) == (len(before), {})
    back("plain", lambda check, name: list(written.files), made, tmp_path / "again")
    assert outcomes(tmp_path / "again") == before
    assert raw(tmp_path / "again") == raw(made / "run")


def named(written: Exported, suffix: str) -> Callable[[str, str], list[Path]]:
    """Return the files of a check and an answerer; odd letters were taken out of their names."""

    def files(check: str, name: str) -> list[Path]:
        begins = f"{check.replace(':', '-')}_{name.split('/')[0]}"
        here = [p for p in written.files if p.suffix == suffix]
        return [p for p in here if p.name.removeprefix("samples_").startswith(begins)]

    return files


def test_samples_of_lmms_eval_come_back(made: Path, tmp_path: Path) -> None:
    written = export(made / "run", "lmms-eval", tmp_path / "out")
    before = outcomes(made / "run")
    skipped = sum(o.status == "skipped" for o in before.values())
    assert written.left_out["skipped"] == skipped
    moved = written.left_out.get("in another order of the options", 0)
    assert written.records == len(before) - skipped - moved
    back("lmms-eval", named(written, ".jsonl"), made, tmp_path / "again")
    after, said = outcomes(tmp_path / "again"), raw(made / "run")
    compared = 0
    for cell, o in before.items():
        if o.status == "skipped" or (cell not in after and o.repeat == 1):
            continue
        again = after[cell]
        marker = said[cell][:1]
        if o.status in ("filtered", "failed") or (marker and marker[0][0].startswith("Failed to")):
            assert again.status == "failed", cell
        elif marker and marker[0][2] == "length":
            assert again.status in ("no_answer", "unparsed"), cell
        else:
            assert (again.status, again.value) == (o.status, o.value), cell
            compared += 1
    assert compared > len(before) / 3


@pytest.mark.slow
def test_logs_of_inspect_come_back_and_inspect_reads_them(made: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    from inspect_ai.log import read_eval_log

    written = export(made / "run", "inspect", tmp_path / "out")
    before = outcomes(made / "run")
    skipped = sum(o.status == "skipped" for o in before.values())
    assert written.records == len(before) - skipped
    (first,) = [p for p in written.files if p.name.startswith("blind_steady")]
    log = read_eval_log(str(first))
    assert (log.status, log.eval.model, log.eval.task) == ("success", "steady", "blind")
    assert {(s.id, s.epoch) for s in log.samples or ()} == {
        (o.case, o.repeat + 1)
        for o in before.values()
        if o.check == "blind" and o.answerer == "steady"
    }
    sample = next(s for s in log.samples or () if (s.id, s.epoch) == ("001", 1))
    assert (sample.output.completion, sample.target) == ("C", "B")
    assert (sample.scores or {})["vidence"].value == "I"
    back("inspect", named(written, ".eval"), made, tmp_path / "again")
    after, said = outcomes(tmp_path / "again"), raw(made / "run")
    for cell, o in before.items():
        if o.status != "skipped":
            if said[cell] and said[cell][0][0].startswith("Failed to obtain"):
                assert after[cell].status == "failed"
            else:
                assert (after[cell].status, after[cell].value) == (o.status, o.value), cell


def test_no_cell_of_a_csv_begins_a_formula(made: Path, tmp_path: Path) -> None:
    (path,) = export(made / "run", "csv", tmp_path / "out.csv").files
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    numbers = {"repeat", "view", "value", "gold"}
    risky = [
        (name, cell)
        for row in rows
        for name, cell in zip(rows[0], row, strict=True)
        if cell[:1] in tuple("=+-@\t\r") and cell and name not in numbers
    ]
    assert risky == []
    by_name = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    row = next(r for r in by_name if r["case"] == "000" and r["check"] == "blind")
    assert row["question"] == "'=What is in film 0?"
    assert (row["gold_letter"], row["gold_text"], row["cluster"]) == ("A", "cat", "film0.mp4")
    assert {name for name in row if name.startswith("tag:")} == {"tag:kind of"}


@given(st.text())
@example("'=")
@example("''@")
@example("＝1")
def test_an_escaped_cell_is_no_formula_and_comes_back(text: str) -> None:
    cell = escaped(text)
    assert unescaped(cell) == text
    assert cell[:1] not in tuple("=+-@\t\r＝＋－＠") or not cell


def test_the_letter_shown_and_the_letter_in_the_file_are_both_there(
    made: Path, tmp_path: Path
) -> None:
    (path,) = export(made / "run", "csv", tmp_path / "out.csv").files
    with path.open(newline="", encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["answerer"] == "steady" and r["repeat"] == "0"]
    moved = [r for r in rows if r["check"] == "shuffled_options:of=blind" and r["options"]]
    assert {r["letter"] for r in moved} == {"C"}
    assert {r["text"] for r in moved} == {"bird"}
    assert len({r["shown_letter"] for r in moved}) > 1
    for row in moved:
        assert json.loads(row["shown"])["ABCD".index(row["shown_letter"])] == "bird"
    views = [r for r in rows if r["check"] == "rotated_options:of=blind" and r["case"] == "001"]
    assert [r["view"] for r in views] == ["0", "1", "2", "3"]


def test_parquet_has_types(made: Path, tmp_path: Path) -> None:
    from pyarrow import parquet

    (path,) = export(made / "run", "parquet", tmp_path / "out.parquet").files
    table = parquet.read_table(path)
    assert str(table.schema.field("correct").type) == "bool"
    assert str(table.schema.field("repeat").type) == "int64"
    assert table.column("question")[0].as_py() == "=What is in film 0?"


def test_a_reply_of_half_a_surrogate_is_spelt_out(tmp_path: Path) -> None:
    cases = load_benchmark("jsonl", case_file(tmp_path)).cases[:2]
    panel: Panel = asks("m", lambda request: "A \ud800")
    run(cases, parse_checks("blind"), panel, tmp_path / "run", seed=0)
    for form in ("csv", "parquet", "lmms-eval"):
        for path in export(tmp_path / "run", form).files:
            assert b"\\ud800" in path.read_bytes()


def test_the_command_writes_into_the_run_s_folder_by_default(made: Path) -> None:
    done = vidence("export", made / "run", "--format", "lmms-eval", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert all(Path(path).parent == made / "run" / "export-lmms-eval" for path in data["files"])
    assert data["left_out"]["skipped"] > 0
    shown = vidence("export", made / "run", "--out", made / "all.csv")
    assert f"file      {made / 'all.csv'}" in shown.stdout
    assert not list(made.glob("part-*"))


def test_wrong_input_is_named(made: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'parquet'"):
        export(made / "run", "parket")
    with pytest.raises(UsageError, match="is a folder; the form 'csv' writes one file"):
        export(made / "run", "csv", tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="is a file; the form 'lmms-eval' writes a folder"):
        export(made / "run", "lmms-eval", tmp_path / "file")
    with pytest.raises(StoreError, match="holds no run"):
        export(tmp_path, "csv", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_without_inspect_it_says_how_to_get_it(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(UsageError, match=r"pip install 'vidence\[inspect\]'"):
        export(made / "run", "inspect", tmp_path / "out")


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_a_form_describes_itself(name: str) -> None:
    assert EXPORTS.describe(name).startswith("Write ")
