"""Video-Oasis: one JSON a sample, the annotation with `pred` and `diagnostic`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.predictions.films import COUNT, KEYS, WORDS, benchmark, bring, kept, question
from vidence.benchmark import load_benchmark
from vidence.errors import CaseError
from vidence.prediction import PREDICTIONS, Wanted


def annotation(i: int, db: str = "Films") -> dict[str, Any]:
    return {
        "db": db,
        "qid": f"q{i}",
        "video": f"film{i // 2}",
        "video_path": f"../data/benchmarks/videos/films/film{i // 2}.mp4",
        "question": question(i),
        "options": [f"{letter}. {word}" for letter, word in zip("ABCD", WORDS, strict=True)],
        "answer": KEYS[i],
    }


def sample(
    folder: Path, i: int, pred: str, test: str = "blind", model: str = "qwen", db: str = "Films"
) -> Path:
    told = {"axis": "visual", "test": test, "model": model, "context_source": None}
    return save(folder, {**annotation(i, db), "pred": pred, "diagnostic": told})


def save(folder: Path, body: Mapping[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{body['db']}**@@**{str(body['qid']).replace('/', '_')}.json"
    path.write_text(json.dumps(body, indent=4, ensure_ascii=False) + "\n")
    return path


def test_a_folder_of_samples_is_one_log(tmp_path: Path) -> None:
    folder = tmp_path / "blind" / "qwen"
    for i in range(COUNT):
        sample(folder, i, f"The answer is {KEYS[i]}." if i else "")
    report = bring("video-oasis", folder, benchmark(tmp_path), tmp_path / "run", check="blind")
    assert len(report.joined) == COUNT
    assert report.verified == {"question": 8, "options": 8, "gold": 8, "nothing": 0}
    found = kept(tmp_path / "run")
    assert found["q0"] == ("no_answer", None)
    assert found["q1"] == ("ok", 1)
    assert report.sources[0].log.model == "qwen"


def test_only_what_is_asked_for_is_taken_from_a_folder_of_everything(tmp_path: Path) -> None:
    for test in ("blind", "frame_shuffle"):
        for model in ("qwen", "eagle"):
            for db in ("Films", "Others"):
                sample(tmp_path / "out" / test / model / db, 1, "B", test, model, db)
    path = benchmark(tmp_path)
    how = {"check": "frame_shuffle", "model": "eagle"}
    report = bring("video-oasis", tmp_path / "out", path, tmp_path / "run", **how)
    assert report.joined == ("q1",)
    left = report.sources[0].log.left_out
    assert dict(left) == {
        "of the benchmark Others": 4,
        "of the test blind": 2,
        "of the model qwen": 1,
    }
    with pytest.raises(CaseError, match="out holds nothing of the check 'summary' by 'qwen': 2 of"):
        bring("video-oasis", tmp_path / "out", path, tmp_path / "x", check="summary", model="qwen")


def test_a_test_and_a_check_that_differ_are_not_mixed_up(tmp_path: Path) -> None:
    folder = tmp_path / "blind"
    sample(folder, 0, "A")
    with pytest.raises(CaseError, match="of the test blind"):
        bring("video-oasis", folder, benchmark(tmp_path), tmp_path / "run")


def test_consistency_shows_the_whole_video(tmp_path: Path) -> None:
    sample(tmp_path / "c", 2, "C", "consistency")
    bring("video-oasis", tmp_path / "c", benchmark(tmp_path), tmp_path / "run")
    assert kept(tmp_path / "run") == {"q2": ("ok", 2)}


def test_an_encoder_s_scores_decide_and_a_tie_is_none(tmp_path: Path) -> None:
    for i, scores in enumerate(([0.1, 0.4, 0.2, 0.2], [0.4, 0.4, 0.1, 0.1])):
        told = {"test": "bag_of_frames", "model": "clip", "top_k": 32, "option_scores": [scores]}
        save(tmp_path / "b", {**annotation(i), "pred": "B", "diagnostic": told})
    folder = tmp_path / "b"
    bring("video-oasis", folder, benchmark(tmp_path), tmp_path / "run", check="bag_of_frames")
    assert kept(tmp_path / "run") == {"q0": ("ok", 1), "q1": ("ambiguous", None)}


def test_a_sample_without_a_prediction_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    sample(folder, 0, "A")
    save(folder, {**annotation(1), "chunks": [{"chunk_index": 0, "pred": "A"}]})
    save(folder, annotation(2))
    (folder / "cut.json").write_text('{"db": "Films", "qid": "q3", "pred": "D')
    (folder / "summary.json").write_text('{"total": 8}')
    log = PREDICTIONS["video-oasis"](folder, Wanted(check="blind"))
    assert len(log.predictions) == 1
    reasons = {rejected.where: rejected.reason for rejected in log.rejected}
    assert "redundancy test" in reasons["Films**@@**q1.json"]
    assert reasons["Films**@@**q2.json"].startswith("no field pred; it has 'db', 'qid'")
    assert reasons["cut.json"].startswith("no JSON")
    assert len(reasons) == 4


def test_one_file_and_lines_are_read_too_and_a_name_stands_in_for_fields(tmp_path: Path) -> None:
    path = benchmark(tmp_path)
    one = tmp_path / "Films**@@**q5.json"
    one.write_text(json.dumps({"pred": "B"}))
    report = bring("video-oasis", one, path, tmp_path / "run")
    assert (report.joined, report.verified["nothing"]) == (("q5",), 1)
    lines = tmp_path / "all.jsonl"
    lines.write_text("".join(json.dumps({**annotation(i), "pred": "A"}) + "\n" for i in range(3)))
    assert len(bring("video-oasis", lines, path, tmp_path / "two").joined) == 3


@pytest.mark.data
@pytest.mark.parametrize(
    ("form", "folder", "db"),
    [
        ("tvbench", "tvbench", "TVBench"),
        ("lvbench", "lvbench", "LVBench"),
        ("vcrbench", "vcr-bench", "VCR-Bench"),
        ("rtvbench", "rtv-bench", "RTV-Bench"),
    ],
)
def test_public_benchmarks_join_by_what_the_samples_hold(
    form: str, folder: str, db: str, data_dir: Path, tmp_path: Path
) -> None:
    """TVBench has no question id there: the qid is the video's name with a mark for repeats."""
    path = data_dir / "benchmarks" / folder
    cases = load_benchmark(form, path).multiple_choice[:800]
    seen: dict[str, int] = {}
    lines = tmp_path / "all.jsonl"
    with lines.open("w") as file:
        for case in cases:
            seen[case.cluster] = seen.get(case.cluster, 0) + 1
            qid = case.cluster + "@" * (seen[case.cluster] - 1) if form == "tvbench" else case.id
            letters = [
                f"{chr(65 + k)}. {option.text}" for k, option in enumerate(case.view.options)
            ]
            body = {
                "db": db,
                "qid": qid,
                "video": case.cluster,
                "question": case.view.question,
                "options": letters,
                "answer": chr(65 + (case.gold_position() or 0)),
                "pred": chr(65 + len(case.id) % len(letters)),
            }
            file.write(json.dumps(body) + "\n")
    report = bring("video-oasis", lines, path, tmp_path / "run", form=form)
    assert not report.problem("contradicted")
    assert not report.problem("unknown")
    lost = len(report.problem("ambiguous"))
    assert len(report.joined) + len(report.conflicting) >= len(cases) - lost
    assert lost <= len(cases) // 100
    by_id = {case.id: case for case in cases}
    for name, (status, value) in kept(tmp_path / "run").items():
        if status == "ok" and name in by_id:
            assert value == len(name) % len(by_id[name].view.options)
