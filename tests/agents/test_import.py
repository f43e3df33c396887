"""Logs in, a run folder out: who can be replayed, who cannot and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from agents.made import made
from agents.made_logs import OPTIONS, QUESTION, explorer, lines, read, write
from agents.test_openai import discovery
from agents.test_videoseal import LOOK, api, seal

from tests.cli.test_cli import vidence
from vidence.audits.agent_import import Imported, Logs, import_logs, load_trajectories
from vidence.audits.agent_questions import Questions
from vidence.eligibility import NO_VIDEO, NOT_REBUILT, UNREAD_ANSWER, case_of
from vidence.errors import CaseError, RunMismatchError, StoreError
from vidence.prompt import render
from vidence.replay import as_logged
from vidence.trajectory import Trajectory
from vidence.view import Case

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def videos(tmp_path: Path) -> Path:
    folder = tmp_path / "videos"
    folder.mkdir()
    (folder / "yard.mp4").touch()
    return folder


def take(videos: Path, *files: Path, form: str = "videoexplorer", **more: Any) -> Imported:
    return import_logs(Logs(files, form, videos=videos, **more), videos.parent / "run")


def saying(qid: str, words: str) -> dict[str, Any]:
    record = explorer(qid)
    record["messages"][-1]["content"] = words
    return record


def test_each_question_is_eligible_or_has_a_counted_reason(videos: Path, tmp_path: Path) -> None:
    unclear = explorer("unclear")
    for message in unclear["messages"][1:3]:
        words = message["content"].replace("12:20.5", "noon").replace("3;4", "later")
        message["content"] = words
    limit = saying("limit", "Hm.")
    limit["messages"].append({"role": "user", "content": "Maximum number of rounds reached! Now"})
    log = write(
        tmp_path / "log.json",
        [
            explorer("good"),
            explorer("elsewhere", video_path="/data/other.mp4"),
            unclear,
            limit,
            saying("words", "<answer>the boat or the cat</answer>"),
            {"raw_data": {"id": "gone"}, "messages": None, "score": 0},
        ],
    )
    done = take(videos, log)
    assert {qid: why and why.reason for qid, why in done.eligible.items()} == {
        "good": None,
        "elsewhere": NO_VIDEO,
        "unclear": NOT_REBUILT,
        "limit": "no answer (step limit)",
        "words": UNREAD_ANSWER,
    }
    assert done.eligible["elsewhere"] is not None
    assert "other.mp4" in done.eligible["elsewhere"].detail
    assert done.eligible["unclear"] is not None
    assert "noon" in done.eligible["unclear"].detail
    counts = done.to_json()["counts"]
    assert counts["records"] == 6 == counts["trajectories"] + counts["unread"]
    assert (counts["eligible"], counts["answered"], counts["scored"]) == (1, 3, 5)
    assert sum(done.reasons.values()) + counts["eligible"] == counts["trajectories"]
    assert done.not_on_disk == ("gone",)


def test_the_same_import_again_leaves_the_same_files(videos: Path, tmp_path: Path) -> None:
    log = write(tmp_path / "log.json", [explorer("a"), explorer("b")])
    first = take(videos, log)
    before = {p.name: p.read_bytes() for p in first.folder.iterdir() if p.suffix != ""}
    again = take(videos, log)
    assert {p.name: p.read_bytes() for p in first.folder.iterdir() if p.suffix != ""} == before
    assert (first.added, again.added) == (2, 0)
    more = take(videos, write(tmp_path / "log2.json", [explorer("c")]))
    assert [t.sample.qid for t in load_trajectories(more.folder)] == ["a", "b", "c"]


def test_two_runs_of_one_question_are_a_named_conflict(videos: Path, tmp_path: Path) -> None:
    one = write(tmp_path / "one.json", [explorer("a"), explorer("b")])
    two = write(tmp_path / "two.json", [explorer("a"), saying("b", "<answer>C</answer>")])
    done = take(videos, one, two)
    assert [t.sample.qid for t in done.trajectories] == ["a"]
    assert done.repeated == 1
    (conflict,) = done.conflicts
    assert (conflict.qid, conflict.where) == ("b", ("one.json, row 2", "two.json, row 2"))


def test_another_run_is_not_mixed_into_a_folder(videos: Path, tmp_path: Path) -> None:
    done = take(videos, write(tmp_path / "one.json", [explorer("b")]))
    before = (done.folder / "trajectories.jsonl").read_bytes()
    with pytest.raises(RunMismatchError, match="b"):
        take(videos, write(tmp_path / "two.json", [saying("b", "<answer>C</answer>")]))
    assert (done.folder / "trajectories.jsonl").read_bytes() == before


def test_a_log_without_a_trajectory_writes_nothing(videos: Path, tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="no JSON"):
        take(videos, write(tmp_path / "log.json", '[{"mess'))
    assert not (tmp_path / "run").exists()


def test_a_damaged_run_is_named(videos: Path, tmp_path: Path) -> None:
    done = take(videos, write(tmp_path / "log.json", [explorer("a")]))
    path = done.folder / "trajectories.jsonl"
    path.write_text(path.read_text()[:-30])
    with pytest.raises(StoreError, match="damaged"):
        load_trajectories(done.folder)


def questions(tmp_path: Path, *, swap: bool = False) -> Questions:
    """Return a benchmark whose options stand in another order, or are others."""
    options = [*OPTIONS[1:], "a kettle" if swap else OPTIONS[0]]
    row = {
        "id": "q1",
        "video": "yard.mp4",
        "question": QUESTION,
        "options": options,
        "answer": 0,
        "evidence": [[10, 20]],
        "tags": {"kind": "order"},
    }
    rows = [row, {**row, "id": "q2", "question": "Which other?"}]
    return Questions.load("jsonl", lines(tmp_path / "cases.jsonl", *rows))


def test_key_spans_and_video_come_from_the_questions(videos: Path, tmp_path: Path) -> None:
    log = write(tmp_path / "log.json", {"q1": discovery()})
    done = take(
        videos, log, form="openai", table="deepvideodiscovery", questions=questions(tmp_path)
    )
    (found,) = done.trajectories
    assert found.sample.options == tuple(OPTIONS), "the letters of the log are kept"
    assert (found.sample.gold, found.answer.position) == (1, 1)
    assert found.sample.gold_spans == ((10, 20),)
    assert found.sample.video.path == "yard.mp4"
    assert done.eligible["q1"] is None
    assert done.missing == ["q2"]


def test_options_from_the_questions_let_an_answer_be_read(videos: Path, tmp_path: Path) -> None:
    record = discovery(question=QUESTION)
    log = write(tmp_path / "log.json", {"q1": record})
    done = take(
        videos, log, form="openai", table="deepvideodiscovery", questions=questions(tmp_path)
    )
    (found,) = done.trajectories
    assert found.sample.options[found.answer.position or 0] == OPTIONS[2]


def test_a_log_of_other_questions_is_not_joined(videos: Path, tmp_path: Path) -> None:
    log = write(tmp_path / "log.json", {"q1": discovery(), "q9": discovery(question="Else?")})
    with pytest.raises(CaseError, match="its options are not those"):
        take(
            videos,
            log,
            form="openai",
            table="deepvideodiscovery",
            questions=questions(tmp_path, swap=True),
        )
    done = take(
        videos, log, form="openai", table="deepvideodiscovery", questions=questions(tmp_path)
    )
    assert [u.qid for u in done.unread] == ["q9"]


def test_scores_without_a_trace_are_reported(videos: Path, tmp_path: Path) -> None:
    log = write(tmp_path / "log.json", [explorer(q) for q in "abcd"])
    scores = write(tmp_path / "scores.json", dict.fromkeys("abcde", 1))
    assert take(videos, log, scores=scores).not_on_disk == ("e",)


SECRET = "the boat was seen by all"


@pytest.mark.parametrize(
    "trajectory",
    [
        pytest.param(("videoexplorer", None, saying("q", f"<answer>B</answer>{SECRET}")), id="tag"),
        pytest.param(
            ("openai", "deepvideodiscovery", discovery(answer=f"B. {SECRET}")), id="beside"
        ),
        pytest.param(
            (
                "videoseal",
                None,
                seal(LOOK, api("visual_inspect", {"spans": []}, f"B {SECRET}"), answer="B"),
            ),
            id="by the looker, at no clear time",
        ),
        pytest.param(
            (
                "videoseal",
                None,
                seal(
                    LOOK,
                    api(
                        "visual_inspect",
                        {"spans": [{"start_time": "00:00:10", "end_time": "00:00:14"}]},
                        f"B {SECRET}",
                    ),
                    answer="B",
                ),
            ),
            id="by the looker",
        ),
    ],
)
def test_no_view_holds_the_answer_or_the_key(
    videos: Path, tmp_path: Path, trajectory: tuple[str, str | None, Any]
) -> None:
    form, table, record = trajectory
    path = write(tmp_path / "trajectory.json", record)
    (found,) = read(form, path, table)
    assert isinstance(found, Trajectory)
    assert SECRET in found.model_dump_json()
    film = found.sample.video.model_copy(update={"path": "yard.mp4"})
    sample = found.sample.model_copy(update={"video": film, "gold": 3})
    case = case_of(found.model_copy(update={"sample": sample}), videos)
    assert isinstance(case, Case), case
    assert SECRET not in repr(case.view)
    assert SECRET not in render(as_logged(case.view)).text()
    other = case_of(
        found.model_copy(update={"sample": sample.model_copy(update={"gold": 0})}), videos
    )
    assert isinstance(other, Case)
    assert other.view == case.view


def test_an_earlier_answer_is_taken_out_of_the_dialogue(videos: Path, tmp_path: Path) -> None:
    record = explorer("q")
    first = {"role": "assistant", "content": "<answer>D</answer> or not."}
    record["messages"][1:1] = [first, {"role": "user", "content": "Look again."}]
    done = take(videos, write(tmp_path / "log.json", [record]))
    case = case_of(done.trajectories[0], videos)
    assert isinstance(case, Case)
    text = render(case.view).text()
    assert "<answer>" not in text
    assert "[answer] or not." in text
    assert "So B." not in text


def test_the_published_schema_is_the_one_in_use() -> None:
    published = json.loads((ROOT / "docs" / "trajectory.schema.json").read_text(encoding="utf-8"))
    assert published == Trajectory.model_json_schema()
    good = json.loads(made().model_dump_json())
    jsonschema.validate(good, published)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**good, "colour": 1}, published)


def test_the_command_says_who_can_be_replayed(videos: Path, tmp_path: Path) -> None:
    log = write(
        tmp_path / "log.json", [explorer("a"), saying("b", "<answer>what?</answer>"), {"x": 1}]
    )
    command = ("agent", "import", log, "--format", "videoexplorer", "--videos", videos)
    done = vidence(*command, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "eligible  1 of 2" in done.stdout
    assert "b: answer not readable" in done.stdout
    assert "row 3" in done.stderr
    data = json.loads(vidence(*command, "--out", tmp_path / "run", "--json").stdout)
    assert data["counts"]["eligible"] == 1
    again = vidence(
        *("agent", "import", tmp_path / "run" / "trajectories.jsonl", "--format", "vidence"),
        *("--videos", videos, "--out", tmp_path / "again"),
    )
    assert again.returncode == 0, again.stderr
    ours, theirs = (tmp_path / n / "trajectories.jsonl" for n in ("run", "again"))
    assert ours.read_bytes() == theirs.read_bytes()
    bad = vidence(
        *("agent", "import", write(tmp_path / "bad.json", "{"), "--format", "videoexplorer"),
        *("--videos", videos, "--out", tmp_path / "none"),
    )
    assert bad.returncode == 2
    assert "Traceback" not in bad.stderr
    schema = json.loads(vidence("schema", "trajectory").stdout)
    assert schema == Trajectory.model_json_schema()
