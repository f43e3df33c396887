"""The command line as a person uses it: real files, a real process, a stub of a model server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.stub_server import Fault, StubServer
from vidence.media.write import write_video

COLOURS = {"red": (200, 30, 30), "green": (30, 160, 30), "blue": (30, 30, 200)}


def vidence(
    *arguments: object, cwd: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "FORCE_COLOR")}
    env.update(variables)
    return subprocess.run(
        [sys.executable, "-m", "vidence", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=cwd,
        env=env,
    )


@pytest.fixture(scope="module")
def server() -> Iterator[StubServer]:
    with StubServer(seconds=600) as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path, server: StubServer) -> Path:
    """Four questions about two films (one more film is missing), and a panel of two."""
    videos = tmp_path / "videos"
    videos.mkdir()
    for name, colour in (("a.mp4", "red"), ("b.mp4", "blue")):
        write_video(videos / name, [np.full((48, 64, 3), COLOURS[colour], np.uint8)] * 20, 10)
    rows = [
        {"id": f"q{i}", "video": video, "question": f"Question {i}?", "options": list(COLOURS)}
        for i, video in enumerate(["a.mp4", "a.mp4", "b.mp4", "gone.mp4"])
    ]
    lines = [json.dumps({**row, "answer": i % 3, "note": f"n{i}"}) for i, row in enumerate(rows)]
    lines.append('{"id": "broken"')
    (tmp_path / "cases.jsonl").write_text("\n".join(lines))
    write_panel(tmp_path, server.url)
    return tmp_path


def write_panel(folder: Path, url: str) -> None:
    (folder / "panel.toml").write_text(
        "".join(
            f'[answerers.{name}]\nkind = "openai"\nmodel = "{name}"\nbase_url = "{url}"\n'
            "max_retries = 0\n"
            for name in ("one", "two")
        )
    )


def audit_line(folder: Path, *more: object) -> list[str]:
    line = ("audit", folder / "cases.jsonl", "--videos", folder / "videos", "--panel")
    rest = (folder / "panel.toml", "--checks", "blind,center_frame", "--out", folder / "run")
    return [str(word) for word in (*line, *rest, *more)]


def audit(folder: Path, *more: object) -> subprocess.CompletedProcess[str]:
    return vidence(*audit_line(folder, *more))


def test_an_audit_ends_with_a_headline_a_table_and_a_report(bench: Path) -> None:
    done = audit(bench)
    assert done.returncode == 0, done.stderr
    assert "cases:" in done.stdout
    assert "blind" in done.stdout
    assert done.stdout.rstrip().endswith(f"Report: {bench / 'run' / 'report.html'}")
    assert "gone.mp4" in done.stderr
    assert "cases  1 left out, no case; the first: line 5: " in done.stderr
    assert "\x1b[" not in done.stdout + done.stderr
    files = {path.name for path in (bench / "run").iterdir()}
    assert {"report.html", "report.md", "report.json", "cases.jsonl", "run.sqlite"} <= files
    data = json.loads((bench / "run" / "report.json").read_text())
    assert data["cases"]["n"] == 4
    assert [r["where"] for r in data["cases"]["rejected"]] == ["line 5"]
    center = [r for r in data["accuracy"] if r["check"] == "center_frame"]
    assert [r["statuses"] for r in center] == [{"ok": 3, "failed": 1}] * 2
    assert [(r["replied"]["n"], r["accuracy"]["n"]) for r in center] == [(3, 4)] * 2
    assert data["run"]["command"].startswith("vidence audit")


def test_a_video_that_is_not_there_is_named_before_any_model_is_asked(bench: Path) -> None:
    lines = audit(bench).stderr.splitlines()
    named = next(i for i, line in enumerate(lines) if line.startswith("video  gone.mp4: "))
    asked = next(i for i, line in enumerate(lines) if line.startswith("asking"))
    assert named < asked


def test_json_is_all_that_stands_on_stdout(bench: Path) -> None:
    done = audit(bench, "--json")
    data = json.loads(done.stdout)
    for row in (data["headline"]["shortcut"], data["curve"][0]["luck"]):
        assert {"value", "low", "high", "n", "clusters", "method"} <= set(row)
    assert data["format"] == "vidence.report/1"


def test_json_is_whole_where_the_terminal_knows_ascii_only(bench: Path) -> None:
    audit(bench, "--title", "Größe 日本")
    done = vidence("report", bench / "run", "--json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["title"] == "Größe 日本"
    assert vidence("report", bench / "run", PYTHONIOENCODING="ascii").returncode == 0


def test_a_complete_run_says_so_and_asks_nobody(bench: Path, server: StubServer) -> None:
    (bench / "cases.jsonl").write_text((bench / "cases.jsonl").read_text().replace("gone", "b"))
    assert audit(bench).returncode == 0
    asked = len(server.calls)
    again = audit(bench)
    assert again.returncode == 0
    assert "already complete (16 of 16)" in again.stderr
    assert vidence("resume", bench / "run").returncode == 0
    assert len(server.calls) == asked


def test_distill_writes_the_rows_as_they_were(bench: Path) -> None:
    audit(bench)
    done = vidence("distill", bench / "run", "--consensus", 1, "--json")
    counts = json.loads(done.stdout)
    rows = [
        json.loads(line)
        for name in ("kept", "removed")
        for line in (bench / "run" / f"{name}.jsonl").read_text().splitlines()
    ]
    assert counts["kept"] + counts["removed"] == len(rows) == 4
    originals = {}
    for line in (bench / "cases.jsonl").read_text().splitlines()[:4]:
        originals[json.loads(line)["id"]] = json.loads(line)
    for row in rows:
        said = row.pop("vidence")
        assert row == originals[row["id"]]
        assert set(said) == {"id", "verdict", "because", "votes", "consensus"}


def test_distill_into_a_file_is_refused(bench: Path) -> None:
    audit(bench)
    done = vidence("distill", bench / "run", "--out", bench / "cases.jsonl")
    assert done.returncode == 4
    assert "could not be written: File exists" in done.stderr
    assert "Traceback" not in done.stderr


def test_distill_beyond_the_panel_is_refused(bench: Path) -> None:
    audit(bench)
    done = vidence("distill", bench / "run", "--consensus", 3)
    assert done.returncode == 2
    assert "Consensus 3 came; 1 to 2" in done.stderr


def test_reparse_asks_nobody(bench: Path, server: StubServer) -> None:
    audit(bench)
    asked = len(server.calls)
    done = vidence("reparse", bench / "run", "--json")
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)
    assert len(server.calls) == asked


def test_a_server_that_is_not_there_stops_the_run_with_3(bench: Path) -> None:
    with StubServer() as gone:
        url = gone.url
    write_panel(bench, url)
    done = audit(bench)
    assert done.returncode == 3, done.stderr
    assert url.split("/")[2] in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_server_with_an_answer_for_nothing_stops_the_run_too(bench: Path) -> None:
    with StubServer(faults=[Fault("500")]) as broken:
        write_panel(bench, broken.url)
        done = audit(bench)
    assert done.returncode == 3
    assert "500" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("list", "probs"), "Did you mean 'probes'?"),
        (("resume", "nowhere"), "nowhere holds no run"),
        (("report", "nowhere"), "nowhere holds no run"),
        (("schema", "casses"), "Did you mean 'cases'?"),
    ],
)
def test_errors_are_short_and_have_a_code(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    done = vidence(*arguments, cwd=tmp_path)
    assert done.returncode in (2, 4)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("--checks", "blnd"), "Unknown probe 'blnd'. Did you mean 'blind'?"),
        (("--checks", "bag_of_frames"), "The checks ask answerers of the kind encoder"),
        (("--panel", "no.toml"), "no.toml cannot be read"),
        (("--format", "jsonlines"), "Did you mean 'jsonl'?"),
        (("--executor", "locl"), "Did you mean 'local'?"),
    ],
)
def test_wrong_input_is_named_before_anything_is_made(
    bench: Path, change: tuple[str, str], message: str
) -> None:
    done = audit(bench, *change)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert not (bench / "run").exists()


def test_another_run_in_the_folder_is_refused(bench: Path) -> None:
    audit(bench)
    done = audit(bench, "--seed", 7)
    assert done.returncode == 4
    assert "its seed is 0, 7 came" in done.stderr


def test_a_case_file_in_the_folder_is_not_overwritten(bench: Path) -> None:
    before = (bench / "cases.jsonl").read_text()
    done = audit(bench, "--out", bench)
    assert done.returncode == 4
    assert "holds a file cases.jsonl and no run" in done.stderr
    assert (bench / "cases.jsonl").read_text() == before
    assert not (bench / "run.sqlite").exists()


def test_ctrl_c_says_how_to_go_on(bench: Path) -> None:
    with StubServer(faults=[Fault("slow", value=0.5, match="Question 2")]) as slow:
        write_panel(bench, slow.url)
        child = subprocess.Popen(
            [sys.executable, "-m", "vidence", *audit_line(bench, "--executor", "serial")],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        end = time.monotonic() + 60
        while len(slow.calls) < 9 and time.monotonic() < end:
            time.sleep(0.02)
        os.kill(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert f"of 16 done. Go on with: vidence resume {bench / 'run'}" in err
    assert "Traceback" not in err
    assert out == ""


def test_a_run_goes_on_when_nobody_reads_what_it_says(bench: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "vidence", *audit_line(bench)], stderr=writer, stdout=writer
    )
    os.close(writer)
    assert done.returncode in (0, 1)
    assert (bench / "run" / "report.html").exists()


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "vidence", "list", "probes", "--json"],
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_lists_are_tables_and_json() -> None:
    for kind in ("probes", "answerers", "worlds", "benchmarks", "executors"):
        rows = json.loads(vidence("list", kind, "--json").stdout)
        table = vidence("list", kind).stdout.splitlines()
        assert [row["name"] for row in rows] == [line.split()[0] for line in table]


def test_the_schema_is_printed(tmp_path: Path) -> None:
    assert json.loads(vidence("schema", "cases").stdout)["title"] == "Vidence case"


def test_the_version_is_printed_in_both_ways() -> None:
    assert vidence("--version").stdout == vidence("version").stdout != ""


def test_names_of_files_and_texts_cannot_move_the_cursor(tmp_path: Path) -> None:
    broken = tmp_path / "\x1b]0;own\x07broken.jsonl"
    broken.write_text("{")
    done = vidence("lint", "table", broken)
    assert done.returncode == 2
    assert "⟨U+001B⟩]0;own⟨U+0007⟩broken.jsonl" in done.stderr
    assert not {"\x1b", "\x07"} & set(done.stderr)

    row = {
        "id": "\x9b31m\u202eq",
        "video": "v",
        "question": "?",
        "options": ["a", "b"],
        "answer": 0,
    }
    (tmp_path / "t.jsonl").write_text(json.dumps(row))
    done = vidence("lint", "table", tmp_path / "t.jsonl", "--json", PYTHONUTF8="1")
    assert not {"\x9b", "\u202e"} & set(done.stdout)
    assert row["id"] in {fault["id"] for fault in json.loads(done.stdout)["found"]}


def test_a_path_that_is_too_long_is_said(tmp_path: Path) -> None:
    done = vidence("lint", "table", "n" * 5000, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("vidence: the path nnn")
    assert "Traceback" not in done.stderr
