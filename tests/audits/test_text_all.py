"""Several benchmarks in one call: shared videos, broken files, and processes that die."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.audits import made_text
from vidence.audits.text_all import audit_all, find
from vidence.audits.text_apart import Failed, apart, in_turn
from vidence.errors import CaseError, MediaError, UsageError
from vidence.text.learner import LearnerSettings

QUICK = LearnerSettings(permutations=39, repeats=1, explain=False)


def minerva(folder: Path, made: list[dict[str, object]], prefix: str = "") -> None:
    """Write rows in the form of MINERVA, which is plain JSON."""
    folder.mkdir(parents=True)
    rows = [
        {
            "key": f"{prefix}{row['id']}",
            "video_id": str(row["video"]).removesuffix(".mp4"),
            "question": row["question"],
            **{f"answer_choice_{j}": text for j, text in enumerate(row["options"])},  # type: ignore[arg-type,var-annotated]
            "answer_choice_4": "none of these",
            "answer_id": row["answer"],
            "answer": row["options"][row["answer"]],  # type: ignore[index]
            "reasoning": "",
            "question_type": "Counting",
            "split": "a",
            "category": "b",
        }
        for row in made
    ]
    (folder / "minerva.json").write_text(json.dumps(rows))


def holmes(folder: Path, made: list[dict[str, object]]) -> None:
    """Write rows in the form of Video-Holmes."""
    folder.mkdir(parents=True)
    rows = [
        {
            "video ID": str(row["video"]).removesuffix(".mp4"),
            "Question ID": i,
            "Question Type": "SR",
            "Question": row["question"],
            "Explanation": "",
            "Options": dict(zip("ABCD", row["options"], strict=True)),  # type: ignore[call-overload]
            "Answer": "ABCD"[row["answer"]],  # type: ignore[index]
        }
        for i, row in enumerate(made)
    ]
    (folder / "test_Video-Holmes.json").write_text(json.dumps(rows))


def films(seed: int) -> list[dict[str, object]]:
    """Return rows whose videos have names that tell (ten digits)."""
    made = made_text.rows(60, leak=0.5, seed=seed)
    for row in made:
        row["video"] = f"{1000000000 + int(row['video'][1:4])}.mp4"
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("all")
    minerva(base / "bench" / "MINERVA", films(1))
    holmes(base / "bench" / "video-holmes", films(2))
    (base / "bench" / "lvbench").mkdir()
    (base / "bench" / "lvbench" / "video_info.meta.jsonl").write_text("{broken\n")
    (base / "bench" / "somebody's notes").mkdir()
    made_text.transcripts(base / "heard" / "Video_Holmes", films(2), tell=True)
    (base / "heard" / "elsewhere").mkdir()
    return base


@pytest.fixture(scope="module")
def overview(folder: Path) -> dict[str, object]:
    found = find(folder / "bench", transcripts=folder / "heard", settings=QUICK)
    return audit_all(found, workers=2)


def test_what_is_found_is_audited_and_the_rest_is_named(overview: dict[str, object]) -> None:
    assert list(overview["benchmarks"]) == ["minerva", "videoholmes"]  # type: ignore[call-overload]
    (failed,) = overview["failed"]  # type: ignore[misc]
    assert failed["name"] == "lvbench"
    assert "line 1" in failed["reason"]
    assert overview["unknown"] == ["somebody's notes"]
    assert any("elsewhere" in note for note in overview["notes"])  # type: ignore[attr-defined]


def test_transcripts_are_matched_by_name(overview: dict[str, object]) -> None:
    benchmarks = overview["benchmarks"]
    assert benchmarks["videoholmes"]["overlap"]["coverage"]["usable"] == 20  # type: ignore[index]
    assert benchmarks["minerva"]["overlap"] is None  # type: ignore[index]


def test_shared_videos_are_one_cluster_and_both_means_are_given(
    overview: dict[str, object],
) -> None:
    together = overview["together"]
    pooled, macro = together["pooled"], together["macro"]  # type: ignore[index]
    assert (pooled["n"], pooled["benchmarks"], pooled["videos"]) == (120, 2, 20)
    assert pooled["learner"]["clusters"] == 20, "the same twenty videos in both"
    each = [data["learner"]["accuracy"]["value"] for data in overview["benchmarks"].values()]  # type: ignore[attr-defined]
    assert macro["learner"]["value"] == pytest.approx(sum(each) / 2)
    assert pooled["learner"]["value"] == pytest.approx(sum(each) / 2), "of equal size"
    for given in (pooled, macro):
        for name in ("learner", "over_chance"):
            assert "widened for 5 folds" in given[name]["method"]
    assert pooled["chance"]["value"] == pytest.approx((1 / 5 + 1 / 4) / 2)
    text = " ".join(together["notes"])  # type: ignore[index]
    assert "20 videos" in text
    assert "Holm's correction over 2 benchmarks" in text


def test_one_process_or_two_give_the_same(folder: Path, overview: dict[str, object]) -> None:
    found = find(folder / "bench", transcripts=folder / "heard", settings=QUICK)
    alone = audit_all(found, workers=1)
    for side in (alone, overview):
        for data in side["benchmarks"].values():  # type: ignore[attr-defined]
            data["run"] = {k: v for k, v in data["run"].items() if k not in ("created", "seconds")}
    assert alone == overview


def test_two_files_of_one_form_keep_their_own_names(tmp_path: Path) -> None:
    minerva(tmp_path / "minerva", films(1))
    minerva(tmp_path / "MI-NERVA", films(2), "b")
    found = find(tmp_path, settings=QUICK)
    assert sorted(job.name for job in found.jobs) == ["MI-NERVA", "minerva"]


def test_a_folder_without_benchmarks_is_an_error_that_names_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "holiday").mkdir()
    with pytest.raises(CaseError, match="holiday"):
        find(tmp_path)
    with pytest.raises(UsageError, match="gone is no folder"):
        find(tmp_path / "gone")


def test_all_failed_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "lvbench").mkdir()
    found = audit_all(find(tmp_path, settings=QUICK))
    assert (found["benchmarks"], found["together"]) == ({}, {})
    assert [one["name"] for one in found["failed"]] == ["lvbench"]


def fate(job: str) -> str:
    """Do what the job's name says; a function of a module, so that a process can find it."""
    if job == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if job == "exits":
        os._exit(7)
    if job == "slips":
        raise ZeroDivisionError("by nothing")
    if job == "known":
        raise MediaError("/v/film.mp4", "is no film")
    if job == "sleeps":
        time.sleep(60)
    return f"{job} done"


JOBS = ("first", "dies", "exits", "slips", "known", "last")


def test_a_process_that_dies_takes_no_other_along() -> None:
    made = dict(apart(fate, JOBS, workers=2))
    assert (made["first"], made["last"]) == ("first done", "last done")
    reasons = {name: one.reason for name, one in made.items() if isinstance(one, Failed)}
    assert set(reasons) == {"dies", "exits", "slips", "known"}
    assert "signal 9" in reasons["dies"]
    assert "code 7" in reasons["exits"]
    assert reasons["slips"] == "ZeroDivisionError: by nothing"
    assert reasons["known"] == "film.mp4: is no film."


def test_in_turn_means_the_same_by_failure() -> None:
    jobs = ("first", "slips", "known")
    assert dict(in_turn(fate, jobs)) == dict(apart(fate, jobs, workers=1))


def test_a_caller_that_stops_ends_what_still_runs() -> None:
    began = time.monotonic()
    results = apart(fate, ("sleeps", "first"), workers=2)
    assert next(results) == ("first", "first done")
    results.close()
    assert time.monotonic() - began < 50, "the sleeper sleeps for a minute"


def test_no_job_is_no_process() -> None:
    assert list(apart(fate, (), workers=2)) == []
