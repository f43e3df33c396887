"""The public files as their authors wrote them, read without any code of the loaders.

One entry a benchmark: its rows, read with the standard library or pyarrow, and the text of the
right option as each file's own form says it. What the loaders make of the rows is compared with it.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Raw = dict[str, Any]


@dataclass(frozen=True)
class Public:
    """What is known of a public file.

    Args:
        folder: below the data's benchmarks folder.
        choices: multiple-choice rows, of the design file's table.
        open_ended: rows with an answer in words or a number.
        videos: of the table; of the multiple-choice rows where `among` says so.
        rows: the rows by case id.
        right: the right option's text of a row.
        among: "all" rows, or those with "choices", to which the table's number of videos belongs.
        hidden: fields whose words must not reach a model.
    """

    folder: str
    choices: int
    videos: int
    rows: Callable[[Path], dict[str, Raw]]
    right: Callable[[Raw], str]
    open_ended: int = 0
    among: str = "all"
    hidden: tuple[str, ...] = ()


def parquet(field: str) -> Callable[[Path], dict[str, Raw]]:
    def read(folder: Path) -> dict[str, Raw]:
        from pyarrow.parquet import read_table

        (file,) = folder.glob("*.parquet")
        return {str(row[field]): row for row in read_table(file).to_pylist()}

    return read


def json_list(field: str) -> Callable[[Path], dict[str, Raw]]:
    def read(folder: Path) -> dict[str, Raw]:
        (file,) = folder.glob("*.json")
        return {str(row[field]): row for row in json.loads(file.read_text("utf-8"))}

    return read


def json_lines(field: str) -> Callable[[Path], dict[str, Raw]]:
    def read(folder: Path) -> dict[str, Raw]:
        (file,) = folder.glob("*.jsonl")
        rows = map(json.loads, file.read_text("utf-8").splitlines())
        return {str(row[field]): row for row in rows}

    return read


def tasks(folder: Path) -> dict[str, Raw]:
    return {
        f"{file.stem}-{i}": row
        for file in (folder / "json").glob("*.json")
        for i, row in enumerate(json.loads(file.read_text("utf-8")))
    }


def lvbench(folder: Path) -> dict[str, Raw]:
    (file,) = folder.glob("*.jsonl")
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    return {str(qa["uid"]): {**qa, "key": line["key"]} for line in lines for qa in line["qa"]}


def vcrbench(folder: Path) -> dict[str, Raw]:
    with (folder / "VCR-Bench.tsv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file, delimiter="\t")}


def after_letter(options: list[str], mark: str) -> str:
    """Return what follows a mark in the one option that begins with it."""
    (text,) = [option[len(mark) :] for option in options if option.startswith(mark)]
    return text


def in_question(mark: str) -> Callable[[Raw], str]:
    """Return the reader of an option that stands on a line of the question."""

    def read(row: Raw) -> str:
        letter = mark.replace("A", row["answer"])
        return after_letter(row["question"].split("\n"), letter)

    return read


def moments(text: str) -> Iterator[float]:
    """Yield the clocks of a text in seconds."""
    for clock in re.findall(r"\d+(?::\d\d)+", text):
        yield sum(int(part) * 60**i for i, part in enumerate(reversed(clock.split(":"))))


PUBLIC = {
    "egoschema": Public(
        "egoschema",
        500,
        500,
        parquet("question_idx"),
        lambda r: after_letter(r["option"], "ABCDE"[int(r["answer"])] + ". "),
    ),
    "implicitqa": Public(
        "implicitqa", 1001, 315, json_lines("question_id"), lambda r: r["answer_text"]
    ),
    "longvideobench": Public(
        "longvideobench",
        1337,
        753,
        json_list("id"),
        lambda r: r["candidates"][r["correct_choice"]],
    ),
    "lvbench": Public("lvbench", 1549, 103, lvbench, in_question("(A) ")),
    "minerva": Public(
        "minerva",
        1367,
        200,
        json_list("key"),
        lambda r: r["answer"],
        hidden=("reasoning",),
    ),
    "mlvu": Public("mlvu_test", 502, 349, json_list("question_id"), lambda r: str(r["answer"])),
    "mmrv": Public(
        "mmrvbench",
        1257,
        317,
        parquet("question_idx"),
        lambda r: after_letter(r["options"], r["correctAnswer"] + " "),
    ),
    "mvbench": Public("mvbench", 4000, 3655, tasks, lambda r: r["answer"], hidden=("subtitle",)),
    "tvbench": Public("tvbench", 2525, 2271, tasks, lambda r: r["answer"]),
    "rtvbench": Public(
        "rtv-bench", 4608, 552, json_list("questionID"), lambda r: r["options"][r["answer"]]
    ),
    "vcrbench": Public(
        "vcr-bench",
        511,
        449,
        vcrbench,
        in_question("A. "),
        open_ended=523,
        among="choices",
        hidden=("reasoning",),
    ),
    "vsibench": Public(
        "vsi-bench",
        2490,
        288,
        json_lines("id"),
        lambda r: after_letter(r["options"], r["ground_truth"] + ". "),
        open_ended=2640,
    ),
    "videoholmes": Public(
        "video-holmes",
        1837,
        270,
        json_list("Question ID"),
        lambda r: r["Options"][r["Answer"]],
        hidden=("Explanation",),
    ),
    "videomme": Public(
        "video-mme",
        2700,
        900,
        parquet("question_id"),
        lambda r: after_letter(r["options"], r["answer"] + ". "),
    ),
}
