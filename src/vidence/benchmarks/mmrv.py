"""MMR-V: seven to thirteen options a question, several steps to the answer."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_printed_letter
from vidence.annotation.options import without_letters
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Benchmark, benchmark

TITLE = "MMR-V"


@benchmark("mmrv", title=TITLE, aliases=("mmrvbench",))
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read MMR-V (Parquet): letters are printed in the options, and some options skip one."""
    rows = read_rows(*find_files(path, "test-*.parquet", "*.parquet"))
    return build(TITLE, rows, videos, name="question_idx", read=_item)


def _item(row: Row) -> Item:
    printed = row.texts("options")
    return Item(
        video=row.name("video"),
        question=row.text("question"),
        options=without_letters(printed, gaps=True),
        gold=by_printed_letter(row.get("correctAnswer"), printed),
        tags=row.tags("abilityType_L2", "abilityType_L3", "videoType"),
    )
