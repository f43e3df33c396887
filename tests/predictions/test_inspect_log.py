"""Inspect: logs written by inspect_ai's own `eval()` with its mock model, in both of its forms."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.predictions.films import bring, kept, replies
from vidence.errors import CaseError, UsageError
from vidence.prediction import PREDICTIONS, Log, Wanted
from vidence.store import Store

pytest.importorskip("inspect_ai")
pytestmark = pytest.mark.slow  # Inspect takes seconds to start
WRITER = Path(__file__).with_name("inspect_writer.py")
COUNT = 8


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of logs, and of the benchmark that they are about."""
    folder = tmp_path_factory.mktemp("inspect")
    done = subprocess.run(
        [sys.executable, str(WRITER), str(folder)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [
        {
            "id": row["id"],
            "video": f"film{i // 2}.mp4",
            "question": row["input"],
            "options": row["choices"],
            "answer": row["target"],
        }
        for i, row in enumerate(json.loads((folder / "samples.json").read_text()))
    ]
    (folder / "films.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def read(path: Path) -> Log:
    return PREDICTIONS["inspect"](path, Wanted())


def test_eval_is_a_zip_whose_members_python_itself_cannot_unpack(logs: Path) -> None:
    """Otherwise the tests would not be about the current form."""
    with zipfile.ZipFile(logs / "plain.eval") as file:
        assert {member.compress_type for member in file.infolist()} == {93}, "zstd"


@pytest.mark.parametrize("form", ["eval", "json"])
def test_both_forms_say_the_same(form: str, logs: Path, tmp_path: Path) -> None:
    report = bring("inspect", logs / f"plain.{form}", logs / "films.jsonl", tmp_path / "run")
    assert len(report.joined) == COUNT
    assert report.verified == {"question": 8, "options": 8, "gold": 8, "nothing": 0}
    assert replies(tmp_path / "run")["q1"] == ["ANSWER: B"]
    (comparison,) = report.comparisons
    assert comparison.log.value == comparison.vidence.value == 6 / 8
    assert comparison.differences == ()
    (source,) = report.sources
    assert source.log.model == "mockllm/model"
    assert (source.log.settings["status"], source.log.settings["task"]) == ("success", "task")
    (stated,) = source.log.summaries
    assert (stated.name, stated.value) == ("choice accuracy", 0.75)


def test_a_long_text_is_there_whole(logs: Path) -> None:
    """Inspect keeps long texts apart and leaves their name where they stood."""
    first = read(logs / "plain.eval").predictions[0]
    assert len(first.question) > 2000
    assert first.question in first.prompt


def test_epochs_are_repeats(logs: Path, tmp_path: Path) -> None:
    bring("inspect", logs / "epochs.eval", logs / "films.jsonl", tmp_path / "run")
    with Store.open(tmp_path / "run", read_only=True) as store:
        said = {
            (o.case, o.repeat): o.value for o in store.outcomes() if o.reason != "not in the log"
        }
        assert store.meta("config")["repeats"] == 3
    assert len(said) == 12
    assert sorted({repeat for _, repeat in said}) == [0, 1, 2]
    from inspect_ai.log import read_eval_log

    log = read_eval_log(str(logs / "epochs.eval"))
    for sample in log.samples or ():
        letter = sample.output.completion.removeprefix("ANSWER: ")
        assert said[str(sample.id), sample.epoch - 1] == "ABCD".index(letter)


def test_moved_options_are_read_as_the_model_saw_them(logs: Path, tmp_path: Path) -> None:
    """The log shows reply and prompt as if nothing had been moved; what was said was always A."""
    report = bring("inspect", logs / "moved.eval", logs / "films.jsonl", tmp_path / "run")
    assert set(map(tuple, replies(tmp_path / "run").values())) == {("ANSWER: A",)}
    assert len({value for _, value in kept(tmp_path / "run").values()}) > 1
    (comparison,) = report.comparisons
    assert comparison.log.value == comparison.vidence.value
    assert comparison.differences == ()
    with Store.open(tmp_path / "run", read_only=True) as store:
        notes = [note for record in store.records() for note in record.notes]
    assert any(note.startswith("options shown in the order ") for note in notes)


def test_a_sample_that_broke_is_missing_not_wrong(logs: Path, tmp_path: Path) -> None:
    report = bring("inspect", logs / "errors.eval", logs / "films.jsonl", tmp_path / "run")
    assert report.statuses == {"ok": 7, "failed": 1}
    with Store.open(tmp_path / "run", read_only=True) as store:
        (broken,) = store.records_of("q3")
    assert broken.reason.startswith("the log says: ValueError('no film for q3")
    assert report.comparisons[0].log.n == 7


def test_an_evaluation_that_ended_early_says_so(logs: Path, tmp_path: Path) -> None:
    report = bring("inspect", logs / "stopped.json", logs / "films.jsonl", tmp_path / "run")
    assert report.warnings[0].startswith("stopped.json: the evaluation ended as 'error'")
    assert kept(tmp_path / "run")["q3"] == ("failed", None)
    assert len(report.missing) > 0


def test_two_scorers_are_two_readings_of_one_reply(logs: Path, tmp_path: Path) -> None:
    report = bring("inspect", logs / "two.eval", logs / "films.jsonl", tmp_path / "run")
    assert len(report.joined) == 4
    assert {c.filter: c.log.value for c in report.comparisons} == {
        "first_letter": 0.5,
        "includes": 0.75,
    }


def test_a_reply_that_was_cut_is_no_answer(logs: Path, tmp_path: Path) -> None:
    bring("inspect", logs / "cut.eval", logs / "films.jsonl", tmp_path / "run")
    assert kept(tmp_path / "run")["q0"] == ("no_answer", None)


@pytest.mark.parametrize("form", ["eval", "json"])
@pytest.mark.parametrize("damage", ["half", "html", "empty", "zip"])
def test_a_damaged_log_is_an_error_that_names_it(
    damage: str, form: str, logs: Path, tmp_path: Path
) -> None:
    path = tmp_path / f"broken.{form}"
    whole = (logs / f"plain.{form}").read_bytes()
    if damage == "zip":
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("hello.txt", "no log")
    else:
        path.write_bytes(
            {"half": whole[: len(whole) // 2], "html": b"<html>", "empty": b""}[damage]
        )
    with pytest.raises(CaseError, match=rf"broken\.{form} is no log that inspect_ai can read"):
        bring("inspect", path, logs / "films.jsonl", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_without_the_package_it_says_how_to_get_it(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(UsageError, match=r"pip install 'vidence\[inspect\]'"):
        read(logs / "plain.eval")


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("id,reply\n")
    with pytest.raises(CaseError, match=r"Inspect writes \.eval and \.json"):
        read(path)
