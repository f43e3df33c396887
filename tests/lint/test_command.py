"""`vidence lint` as a person and a build server use it."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.benchmarks.public import PUBLIC
from tests.cli.test_cli import vidence
from tests.lint.made import case, made
from vidence.lint.findings import lint
from vidence.lint.rule import RULES
from vidence.lint.subject import Subject
from vidence.report import lint as report

NASTY = "q\x1b[2J\x00\u202e|<&>]]>\r\n日本"
ROW: dict[str, Any] = {"video": "v.mp4", "options": ["cat", "dog"], "answer": "cat"}


def write(folder: Path, *changes: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{**ROW, "id": f"q{i}", "question": f"What in part {i}?"} | change
            for i, change in enumerate(changes)]  # fmt: skip
    path = folder / "cases.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_a_sound_file_is_exit_code_0_and_a_faulty_one_1(tmp_path: Path) -> None:
    good = vidence("lint", "jsonl", write(tmp_path / "good", {}, {}))
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout == "cases: 2 rows (2 with options), 1 video\n0 errors, 0 warnings, 0 notes\n"
    bad = vidence("lint", "jsonl", write(tmp_path / "bad", {"options": ["cat"]}, {}))
    assert bad.returncode == 1
    assert "error    one_option  1  q0" in bad.stdout
    warned = vidence("lint", "jsonl", write(tmp_path / "warned", {"answer": None}, {}))
    assert warned.returncode == 0


def test_json_has_every_fault_and_junit_every_kind(tmp_path: Path) -> None:
    changes = [{"id": NASTY, "options": ["cat", "cat"], "answer": 0}, {}, {"answer": "bird"}]
    xml = tmp_path / "new" / "lint.xml"
    done = vidence("lint", "jsonl", write(tmp_path, *changes), "--json", "--junit", xml)
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert (data["benchmark"], data["title"], data["rows"]) == ("jsonl", "cases", 3)
    assert (data["cases"], data["rejected"], data["open_ended"], data["videos"]) == (2, 1, 0, 1)
    assert data["faults"] == {"answer_outside_options": 1, "duplicated_options": 1}
    assert {f["id"] for f in data["found"]} == {NASTY, "q2"}
    assert {f["severity"] for f in data["found"]} == {"error"}
    suite = ElementTree.parse(xml).getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == (str(len(RULES)), "2")
    (failure,) = suite.iterfind("testcase[@name='duplicated_options']/failure")
    assert "⟨U+001B⟩[2J⟨U+0000⟩⟨U+202E⟩|<&>]]>" in str(failure.text)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "A benchmark's form and its path are needed"),
        (("jsonl",), "A benchmark's form and its path are needed"),
        (("jsonn", "x"), "Did you mean 'jsonl'?"),
        (("jsonl", "absent.jsonl"), "absent.jsonl is no file"),
        (("jsonl", "x", "--all", "."), "leave the others out"),
        (("--all", "absent"), "absent is no folder"),
        (("--all", "."), "No benchmark was found"),
    ],
)
def test_wrong_input_is_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = vidence("lint", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_columns_and_folders_are_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("qid,vid,q,a,b,gold\n1,v.mp4,Which?,cat,dog,b\n")
    (tmp_path / "v.srt").write_text("1\n00:00:00,000 --> 00:00:02,000\nthe dog comes in\n")
    columns = "id=qid,video=vid,question=q,options=a;b,answer_letter=gold"
    done = vidence("lint", "table", path, "--columns", columns, "--transcripts", tmp_path,
                   "--videos", tmp_path, "--verbose")  # fmt: skip
    assert done.returncode == 1
    assert "videos: 0 of 1 can be read, 1 missing, 0 unreadable" in done.stdout
    assert "transcripts: 1 of 1 videos have one, 1 with usable words" in done.stdout
    assert re.search(r"^error +missing_video +v\.mp4: no such file in", done.stdout, re.M)


def test_all_of_a_folder_is_one_call(tmp_path: Path) -> None:
    options = {"A": "the small boat", "B": "the tall mast"}
    rows = [
        {"Question ID": i, "video ID": video, "Question": f"{word} is it?", "Question Type": "SR"}
        | {"Options": options, "Answer": "A", "Explanation": ""}
        for i, (video, word) in enumerate([("aB3-_xY9zQ1", "Who"), ("b", "What")])
    ]
    (tmp_path / "Video-Holmes").mkdir()
    (tmp_path / "Video-Holmes" / "test.json").write_text(json.dumps(rows))
    (tmp_path / "lvbench").mkdir()
    (tmp_path / "lvbench" / "video_info.meta.jsonl").write_text('{"key": "aB3-_xY9zQ1", "qa": []}')
    (tmp_path / "minerva.json").write_text("[")
    (tmp_path / "other").mkdir()
    done = vidence("lint", "--all", tmp_path, "--json", "--junit", tmp_path / "lint.xml")
    data = json.loads(done.stdout)
    assert done.returncode == 1
    assert list(data["benchmarks"]) == ["videoholmes"]
    assert data["benchmarks"]["videoholmes"]["cases"] == 2
    assert data["unknown"] == ["other"]
    assert set(data["unreadable"]) == {"lvbench", "minerva"}
    assert data["shared"]["clusters"] == {"alone": 2, "together": 2}
    errors = list(ElementTree.parse(tmp_path / "lint.xml").getroot().iter("error"))
    assert len(errors) == 2
    shown = vidence("lint", "--all", tmp_path)
    assert "error    minerva cannot be read" in shown.stdout
    assert re.search(r"^videoholmes +2 +2 +2 +0 +0 +0$", shown.stdout, re.M)


@pytest.mark.parametrize("verbose", [True, False])
def test_hostile_ids_cannot_move_the_cursor_and_lines_fit(verbose: bool) -> None:
    cases = [case(f"{NASTY}{i}" + "長" * 60, "a cat", question=f"{i}?") for i in range(9)]
    for terminal in (True, False):
        out = io.StringIO()
        plain = {"highlight": False, "markup": False, "emoji": False}
        console = Console(file=out, width=80, force_terminal=terminal or None, **plain)
        report.show(lint(Subject(made(*cases))), verbose=verbose, console=console)
        shown = out.getvalue()
        assert "\x00" not in shown
        assert "\r" not in shown
        assert "\u202e" not in shown
        bare = re.sub(r"\x1b\[[0-9;]*m", "", shown)
        assert "\x1b" not in bare
        if not terminal:
            assert bare == shown
        if not verbose:
            assert max(map(cell_len, bare.splitlines())) <= 80


@pytest.mark.data
def test_the_public_files_add_up_to_the_table(data_dir: Path) -> None:
    """Counts are of the design's table; the six questions with one option are known from it."""
    done = vidence("lint", "--all", data_dir / "benchmarks", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 1
    assert (data["unknown"], data["unreadable"]) == ([], {})
    assert set(data["benchmarks"]) == set(PUBLIC)
    for name, known in PUBLIC.items():
        found = data["benchmarks"][name]
        assert found["cases"] + found["rejected"] == known.choices, name
        assert (found["open_ended"], found["videos"]) == (known.open_ended, known.videos), name
    counts = [found["faults"] for found in data["benchmarks"].values()]
    assert sum(count.get("one_option", 0) for count in counts) == 6
    assert data["benchmarks"]["mmrv"]["faults"]["answer_outside_options"] == 2
    assert next(f["id"] for f in data["benchmarks"]["vcrbench"]["found"]) == "268"
    assert data["benchmarks"]["mlvu"]["faults"] == {"duplicated_options": 4}


@pytest.mark.data
def test_every_repeated_row_of_rtv_bench_is_found(data_dir: Path) -> None:
    """The rows are those that a plain comparison of the raw fields finds: 1,638 of them."""
    known = PUBLIC["rtvbench"]
    raw = known.rows(data_dir / "benchmarks" / known.folder)
    first: dict[str, str] = {}
    repeated = set()
    for case_id, row in raw.items():
        key = json.dumps([row["video"], row["question"], row["options"]])
        if first.setdefault(key, case_id) != case_id:
            repeated.add(case_id)
    assert len(repeated) == 1638
    done = vidence("lint", "rtvbench", data_dir / "benchmarks" / known.folder, "--json")
    kinds = ("repeated_question", "conflicting_repeat")
    found = {f["id"] for f in json.loads(done.stdout)["found"] if f["kind"] in kinds}
    assert repeated <= found
