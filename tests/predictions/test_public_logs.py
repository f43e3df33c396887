"""Logs over the public annotation files: every row finds its question, in every form that it has.

The logs are made of the authors' rows as `tests/benchmarks/public.py` reads them, without the
loaders; the expected answers come from there as well.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.public import PUBLIC, Raw
from tests.predictions.made import LETTERS, lines
from vidence.benchmark import load_benchmark
from vidence.errors import CaseError
from vidence.imported import Import, ImportReport, import_predictions
from vidence.imported.join import join
from vidence.imported.keying import CaseIndex
from vidence.prediction import PREDICTIONS, Wanted
from vidence.seeds import rng_of, seed_of
from vidence.store import Store

pytestmark = [pytest.mark.data, pytest.mark.slow]
BY_TASK = ("mvbench", "tvbench")
LOSES = {"mmrv": 3, "vcrbench": 1}
"""Rows that are no cases."""


def folder_of(name: str, data_dir: Path) -> Path:
    return data_dir / "benchmarks" / PUBLIC[name].folder


def import_as(name: str, data_dir: Path, tmp_path: Path, *logs: Path) -> ImportReport:
    what = Import("lmms-eval", logs, name, folder_of(name, data_dir), "intact", "model")
    return import_predictions(what, tmp_path / "run")


def write(name: str, tmp_path: Path, samples: dict[str, list[dict[str, Any]]]) -> list[Path]:
    """Write one file a task, its lines in gather order."""
    written = []
    for task, found in samples.items():
        order = rng_of("gather", name, task).permutation(len(found))
        path = tmp_path / f"20250101_000000_samples_{name}{task and f'_{task}'}.jsonl"
        written.append(lines(path, [found[i] for i in order]))
    return written


def by_task(name: str, rows: dict[str, Raw]) -> dict[str, list[tuple[str, Raw]]]:
    found: dict[str, list[tuple[str, Raw]]] = {}
    for case, row in rows.items():
        task = case.rpartition("-")[0] if name in BY_TASK else ""
        found.setdefault(task, []).append((case, row))
    return found


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_every_row_joins_and_is_scored_as_its_author_would(
    name: str, data_dir: Path, tmp_path: Path
) -> None:
    """The form with documents. All rows are joined; some of them are read and kept."""
    public, folder = PUBLIC[name], folder_of(name, data_dir)
    rows = public.rows(folder)
    benchmark = load_benchmark(name, folder)
    texts = {case.id: [o.text for o in case.view.options] for case in benchmark.cases}
    right: dict[str, bool] = {}
    samples: dict[str, list[dict[str, Any]]] = {}
    for task, found in by_task(name, rows).items():
        for i, (case, row) in enumerate(found):
            options = texts.get(case) or [""]
            guess = seed_of("reply", name, case) % min(6, len(options))
            said = f"({LETTERS[guess]})"
            samples.setdefault(task, []).append(
                {"doc_id": i, "doc": row, "resps": [[said]], "filtered_resps": ["x"]}
            )
            if texts.get(case) and options.count(options[guess]) == 1:
                right[case] = options[guess] == public.right(row)
    logs = write(name, tmp_path, samples)
    reader, index = PREDICTIONS["lmms-eval"], CaseIndex(benchmark, name)
    joined = [
        match.case.id
        for log in logs
        for match in join(reader(log, Wanted()).predictions, index)
        if match.case is not None
    ]
    assert sorted(joined) == sorted(texts)
    assert len(joined) == len(rows) - LOSES.get(name, 0)

    few = {task: found[::17] for task, found in samples.items()}
    report = import_as(name, data_dir, tmp_path, *write(f"{name}_few", tmp_path, few))
    assert len(report.joined) > len(rows) // 20
    with Store.open(tmp_path / "run", read_only=True) as store:
        gold = {case.id: case.gold for case in store.cases()}
        read = {r.case: r.value == gold[r.case] for r in store.outcomes() if r.status == "ok"}
    scored = [case for case in right if case in read]
    assert len(scored) >= 0.99 * sum(case in right for case in report.joined)
    assert all(read[case] == right[case] for case in scored)


@pytest.mark.parametrize("name", ["videomme", "longvideobench", "minerva", "mvbench", "egoschema"])
def test_the_new_form_joins_by_payload_or_by_row(name: str, data_dir: Path, tmp_path: Path) -> None:
    index = CaseIndex(load_benchmark(name, folder_of(name, data_dir)), name)
    samples: dict[str, list[dict[str, Any]]] = {}
    for task, rows in by_task(name, PUBLIC[name].rows(folder_of(name, data_dir))).items():
        for i, (case, row) in enumerate(rows):
            gold = {"pred_answer": "A", "answer": row.get("answer"), "score": 0.0}
            payload = {
                "videomme": {"videomme_perception_score": {"question_id": case, **gold}},
                "longvideobench": {"lvb_acc": {"id": case, "parsed_pred": "A"}},
                "minerva": {"minerva_acc": {"id": case, "pred_answer": "A", "score": 0}},
                "mvbench": {"mvbench_accuracy": {"pred_answer": "A", "score": 0}},
                "egoschema": {"submission": {row.get("video_idx"): 0}},
            }[name]
            number = i if name == "mvbench" else 9_999_999
            said = {"doc_id": number, "input": row["question"], "filtered_resps": "A"}
            samples.setdefault(task, []).append({**said, **payload})
    matches = [
        match
        for log in write(name, tmp_path, samples)
        for match in join(PREDICTIONS["lmms-eval"](log, Wanted()).predictions, index)
    ]
    assert {m.case.id for m in matches if m.case} == {c.id for c in index.benchmark.cases}
    assert {m.link for m in matches} == {"row number" if name == "mvbench" else "id"}
    assert all(m.verified for m in matches)


@pytest.mark.parametrize(
    ("mine", "other"), [("videomme", "lvbench"), ("minerva", "videoholmes"), ("mlvu", "egoschema")]
)
def test_a_log_of_another_benchmark_is_refused(
    mine: str, other: str, data_dir: Path, tmp_path: Path
) -> None:
    rows = list(PUBLIC[other].rows(folder_of(other, data_dir)).values())
    log = [
        {"doc_id": i, "input": json.dumps(row, ensure_ascii=False), "filtered_resps": "A"}
        for i, row in enumerate(rows[:400])
    ]
    (path,) = write(other, tmp_path, {"": log})
    with pytest.raises(CaseError, match="speaks of other questions"):
        import_as(mine, data_dir, tmp_path, path)
    assert not (tmp_path / "run").exists()
