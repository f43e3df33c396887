"""TVBench: ten tasks that need the order of frames, one file each."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import build
from vidence.annotation.files import find_files
from vidence.annotation.reading import read_rows
from vidence.annotation.tasks import TASK_FILES, task_id, task_item
from vidence.benchmark import Benchmark, benchmark

TITLE = "TVBench"


@benchmark("tvbench", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read TVBench (one JSON file a task, or one of them): the task is the file's name."""
    rows = read_rows(*find_files(path, *TASK_FILES))
    return build(TITLE, rows, videos, name=task_id, read=lambda row: task_item(row, row.stem))
