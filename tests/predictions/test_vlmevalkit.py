"""VLMEvalKit: xlsx, tsv and json as its `dump` writes them, and what spreadsheets do to replies."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.predictions.films import COUNT, KEYS, WORDS, benchmark, bring, kept, question, replies
from vidence.benchmark import load_benchmark
from vidence.errors import CaseError, UnknownNameError, UsageError
from vidence.prediction import PREDICTIONS, Wanted

FAILED = "Failed to obtain answer via API."
NAME = "Qwen2-VL-7B_films_8frame_subs"


def rows(said: Sequence[Any] = KEYS) -> list[dict[str, Any]]:
    """Rows of a video dataset without a question id, options as Python writes a list."""
    return [
        {
            "index": i,
            "video": f"film{i // 2}",
            "video_path": f"./video/film{i // 2}.mp4",
            "candidates": str([f"{letter}. {w}" for letter, w in zip("ABCD", WORDS, strict=True)]),
            "question": question(i),
            "answer": KEYS[i],
            "prediction": text,
        }
        for i, text in enumerate(said)
    ]


def write(path: Path, table: Sequence[dict[str, Any]]) -> Path:
    """Write a table by the suffix of its file."""
    if path.suffix == ".json":
        path.write_text(json.dumps(list(table), indent=4, ensure_ascii=False))
    elif path.suffix == ".tsv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(table[0]), delimiter="\t", quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(table)
    else:
        book = openpyxl.Workbook()
        book.active.append(list(table[0]))
        for row in table:
            book.active.append([row.get(name) for name in table[0]])
        book.save(path)
    return path


@pytest.mark.parametrize("suffix", ["xlsx", "tsv", "json"])
def test_the_three_forms_say_the_same(suffix: str, tmp_path: Path) -> None:
    said = ["A", "(B)", "C. bird", "The answer is D.", FAILED, "", "dog\nor A cat?\tC", "=D"]
    log = write(tmp_path / f"{NAME}.{suffix}", rows(said))
    report = bring("vlmevalkit", log, benchmark(tmp_path), tmp_path / "run")
    assert (len(report.joined), len(report.missing)) == (COUNT, 0)
    assert report.verified == {"question": 8, "options": 8, "gold": 8, "nothing": 0}
    status = {name: status for name, (status, _) in kept(tmp_path / "run").items()}
    assert status["q4"] == "failed"
    assert status["q5"] == "no_answer"
    assert kept(tmp_path / "run")["q7"] == ("ok", 3)
    assert replies(tmp_path / "run")["q6"] == [said[6]]
    assert replies(tmp_path / "run")["q7"] == ["=D"]


def test_a_file_s_name_tells_the_model_and_the_budget(tmp_path: Path) -> None:
    log = write(tmp_path / f"{NAME}.tsv", rows())
    found = PREDICTIONS["vlmevalkit"](log, Wanted(benchmark=("films",)))
    assert found.model == "Qwen2-VL-7B"
    assert found.settings == {"dataset": "films_8frame_subs", "frames": 8.0, "subtitles": True}
    other = log.rename(tmp_path / "m_x_Video-MME_0.5fps.tsv")
    found = PREDICTIONS["vlmevalkit"](other, Wanted(benchmark=("videomme", "Video-MME")))
    assert (found.model, dict(found.settings)) == (
        "m_x",
        {"dataset": "Video-MME_0.5fps", "fps": 0.5},
    )


def test_a_formula_is_the_text_that_was_written(tmp_path: Path) -> None:
    path = write(tmp_path / "m_films.xlsx", rows())
    book = openpyxl.load_workbook(path)
    column = list(rows()[0]).index("prediction") + 1
    book.active.cell(row=2, column=column, value='=HYPERLINK("http://example.invalid","B")')
    book.active.cell(row=3, column=column, value="=1+1").data_type = "f"
    book.active.cell(row=4, column=column, value="#N/A")
    book.save(path)
    bring("vlmevalkit", path, benchmark(tmp_path), tmp_path / "run")
    said = replies(tmp_path / "run")
    assert said["q0"] == ['=HYPERLINK("http://example.invalid","B")']
    assert (said["q1"], said["q2"]) == (["=1+1"], ["#N/A"])


def test_the_score_of_what_failed_is_no_score(tmp_path: Path) -> None:
    """-1 is written where no judge could read a reply; an average over it would be nonsense."""
    table = [{**row, "score": (1, 1, 1, -1, 1, 0, 1, 1)[i]} for i, row in enumerate(rows())]
    report = bring(
        "vlmevalkit",
        write(tmp_path / "m_films_score.xlsx", table),
        benchmark(tmp_path),
        tmp_path / "run",
    )
    (comparison,) = report.comparisons
    assert (comparison.log.n, comparison.log.value) == (7, 6 / 7)
    assert comparison.vidence.value == 1.0
    assert [(d.reason, d.ids) for d in comparison.differences] == [
        ("log wrong, Vidence reads the key", ("q5",))
    ]


def test_a_column_of_scores_of_several_types_is_one_type_or_an_error(tmp_path: Path) -> None:
    mixed = (True, 1, "1", 1.0, "True", 0, "0", False)
    table = [{**row, "score": score} for row, score in zip(rows(), mixed, strict=True)]
    path = write(tmp_path / "m_films.json", table)
    report = bring("vlmevalkit", path, benchmark(tmp_path), tmp_path / "run")
    assert report.comparisons[0].log.value == 5 / 8
    assert "several types" in report.warnings[0]
    table[2]["score"] = "yes"
    with pytest.raises(CaseError, match=r"row 3: the score 'yes' came; numbers, true and false"):
        bring("vlmevalkit", write(path, table), benchmark(tmp_path), tmp_path / "other")


def test_an_option_called_none_that_a_table_lost_is_named(tmp_path: Path) -> None:
    """One tool reads the option "None" as a missing value and never shows it (33 items)."""
    case = {"id": "q0", "video": "film0.mp4", "question": question(0), "answer": "B"}
    path = tmp_path / "films.jsonl"
    path.write_text(json.dumps({**case, "options": ["cat", "None", "bird"]}) + "\n")
    table = [{"index": 0, "question": question(0), "A": "cat", "B": None, "C": "bird"}]
    table[0] |= {"answer": "B", "prediction": "C"}
    log = write(tmp_path / "m_films.xlsx", table)
    report = bring("vlmevalkit", log, path, tmp_path / "run")
    assert kept(tmp_path / "run") == {"q0": ("ok", 2)}
    assert report.warnings == (
        "1 rows show one option empty: the model may not have been shown it.",
    )


def rotated() -> list[dict[str, Any]]:
    """A circular evaluation: each rotation has the index plus a million more."""
    table = []
    for i, row in enumerate(rows()):
        del row["candidates"]
        for turn in range(4):
            words = WORDS[turn:] + WORDS[:turn]
            right = "ABCD"[words.index(WORDS["ABCD".index(KEYS[i])])]
            cells = dict(zip("ABCD", words, strict=True))
            # q0 is known; of all others the first option is named, wherever the key stands
            said = right if i == 0 else "A"
            table.append(
                {**row, **cells, "index": i + turn * 1_000_000, "answer": right, "prediction": said}
            )
    return table


def test_rotations_are_the_views_of_rotated_options(tmp_path: Path) -> None:
    log = write(tmp_path / "m_films.xlsx", rotated())
    path = benchmark(tmp_path)
    bring("vlmevalkit", log, path, tmp_path / "run", check="rotated_options")
    found = kept(tmp_path / "run")
    assert found.pop("q0") == ("ok", 0)
    assert set(found.values()) == {("ok", None)}
    with pytest.raises(CaseError, match="several orders: import such a log with --check rotated"):
        bring("vlmevalkit", log, path, tmp_path / "other")


def test_letters_are_those_of_the_options_as_they_were_shown(tmp_path: Path) -> None:
    """A rotated log shows another key letter, which is not wrong."""
    log = write(tmp_path / "m_films.tsv", [row for row in rotated() if row["index"] // 10**6 == 1])
    report = bring("vlmevalkit", log, benchmark(tmp_path), tmp_path / "run")
    assert report.verified["gold"] == COUNT
    found = kept(tmp_path / "run")
    assert found["q0"] == ("ok", 0)
    assert {found[f"q{i}"] for i in range(1, COUNT)} == {("ok", 1)}


def test_a_list_of_options_is_read_and_never_run(tmp_path: Path) -> None:
    table = rows()
    trap = tmp_path / "trap"
    table[0]["candidates"] = f"[open({str(trap)!r}, 'w').write('x'), 'dog', 'bird', 'fish']"
    report = bring(
        "vlmevalkit", write(tmp_path / "m_films.tsv", table), benchmark(tmp_path), tmp_path / "run"
    )
    assert not trap.exists()
    assert (len(report.joined), report.verified["options"]) == (COUNT, COUNT - 1)


def test_a_reply_that_fills_its_cell_was_cut(tmp_path: Path) -> None:
    long = "x" * (32767 - 12) + " The answer "
    table = rows([long, *KEYS[1:]])
    found = PREDICTIONS["vlmevalkit"](write(tmp_path / "m_films.xlsx", table), Wanted())
    assert found.predictions[0].reply.finish_reason == "length"
    assert "1 replies have 32767 characters" in found.warnings[0]


def test_a_carriage_return_comes_back(tmp_path: Path) -> None:
    table = rows(["A\r\nB", "_x0041_", *KEYS[2:]])
    found = PREDICTIONS["vlmevalkit"](write(tmp_path / "m_films.xlsx", table), Wanted())
    assert found.predictions[0].reply.text.split() == ["A", "B"]


def test_numbers_in_cells_are_names_and_options_without_a_point(tmp_path: Path) -> None:
    path = tmp_path / "counts.jsonl"
    path.write_text(
        json.dumps(
            {
                "id": "7",
                "video": "v.mp4",
                "question": "How many?",
                "options": ["2", "3"],
                "answer": "3",
            }
        )
    )
    table = [{"index": 7.0, "question": "How many?", "A": 2.0, "B": 3, "prediction": 3.0}]
    bring("vlmevalkit", write(tmp_path / "m_counts.xlsx", table), path, tmp_path / "run")
    assert kept(tmp_path / "run") == {"7": ("ok", 1)}


@pytest.mark.parametrize("damage", ["half", "html", "empty", "zip", "no rows", "two names"])
def test_a_damaged_spreadsheet_is_an_error_that_names_it(damage: str, tmp_path: Path) -> None:
    path = write(tmp_path / "m_films.xlsx", rows())
    whole = path.read_bytes()
    if damage == "half":
        path.write_bytes(whole[: len(whole) // 2])
    elif damage == "html":
        path.write_text("<html>gone</html>")
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "zip":
        import zipfile

        with zipfile.ZipFile(path, "w") as file:
            file.writestr("hello.txt", "no sheet")
    else:
        book = openpyxl.Workbook()
        book.active.append(["index", "index"] if damage == "two names" else ["index"])
        book.save(path)
    with pytest.raises(CaseError, match=r"m_films\.xlsx"):
        bring("vlmevalkit", path, benchmark(tmp_path), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_pickle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m_films.pkl"
    path.write_bytes(b"\x80\x04N.")
    with pytest.raises(CaseError, match="can run code when it is read"):
        bring("vlmevalkit", path, benchmark(tmp_path), tmp_path / "run")


def test_columns_and_names_are_checked(tmp_path: Path) -> None:
    log, path = write(tmp_path / "m_films.tsv", rows()), benchmark(tmp_path)
    with pytest.raises(UnknownNameError, match="Did you mean 'vlmevalkit'"):
        bring("vlm-eval-kit", log, path, tmp_path / "run")
    with pytest.raises(UsageError, match="Columns came"):
        bring("vlmevalkit", log, path, tmp_path / "run", columns={"id": "index"})


@pytest.mark.data
def test_video_mme_has_no_question_id_and_joins_by_video_and_question(
    data_dir: Path, tmp_path: Path
) -> None:
    path = data_dir / "benchmarks" / "video-mme"
    cases = load_benchmark("videomme", path).cases[900:1500]
    table = [
        {
            "index": i,
            "video": case.row["videoID"],
            "candidates": str(case.row["options"]),
            "question": case.row["question"],
            "answer": case.row["answer"],
            "prediction": "ABCD"[i % 4],
        }
        for i, case in enumerate(cases)
    ]
    log = write(tmp_path / "m_Video-MME_8frame.tsv", table[::-1])
    report = bring("vlmevalkit", log, path, tmp_path / "run", form="videomme")
    assert report.joined == tuple(case.id for case in cases)
    assert report.verified == {"question": 600, "options": 600, "gold": 600, "nothing": 0}
    assert not report.problem("contradicted")
    found = kept(tmp_path / "run")
    other = [case.id for i, case in enumerate(cases) if found[case.id] != ("ok", i % 4)]
    assert other == ["367-2"], "whose options are letters themselves: (d). (a)(c). ..."


@pytest.mark.data
def test_mvbench_in_one_table_joins_by_video_question_and_options(
    data_dir: Path, tmp_path: Path
) -> None:
    """The index counts over all tasks in an order of its own, so it names no row of a task file."""
    path = data_dir / "benchmarks" / "mvbench"
    cases = load_benchmark("mvbench", path).cases[::4]
    table = [
        {
            "task_type": case.tags["task"].replace("_", " ").title(),
            "video": case.row["video"],
            "question": case.row["question"],
            "answer": case.row["answer"],
            "candidates": str(case.row["candidates"]),
            "index": i,
            "prediction": f"({'ABC'[i % 3]})",
        }
        for i, case in enumerate(reversed(cases))
    ]
    log = write(tmp_path / "m_MVBench.tsv", table)
    report = bring("vlmevalkit", log, path, tmp_path / "run", form="mvbench")
    assert not report.problem("contradicted")
    assert not report.problem("unknown")
    told_apart = 1000 - len(report.problem("ambiguous"))
    assert len(report.joined) == told_apart >= 990
    found = kept(tmp_path / "run")
    by_id = {case.id: i for i, case in enumerate(reversed(cases))}
    assert all(value in (by_id[name] % 3, None) for name, (_, value) in found.items())
