"""Where a text-only report may be written: never over annotations, nor over another report."""

from __future__ import annotations

import json
from pathlib import Path

from vidence.errors import StoreError
from vidence.store_file import FILE

REPORT = ("report.html", "report.md", "report.json", "cases.jsonl")
OURS = frozenset({"text-audit", "text-audit-overview"})


def check_folder(folder: Path, source: Path, *more: str) -> None:
    """Make sure that nothing is overwritten but an earlier report of this kind.

    Args:
        folder: where the report goes.
        source: the annotations, a file or a folder.
        more: names of files that are written beside the report.

    Raises:
        StoreError: a file there is another's.
    """
    there = [folder / name for name in (*REPORT, *more) if (folder / name).exists()]
    for path in there:
        inside = source.is_dir() and path.resolve().is_relative_to(source.resolve())
        if inside or (source.is_file() and path.samefile(source)):
            raise StoreError(
                f"{path} lies among the annotations and would be overwritten. "
                "Choose another folder with --out."
            )
    if (folder / FILE).exists() or (there and not _is_ours(folder)):
        held = "a run" if (folder / FILE).exists() else there[0].name
        raise StoreError(
            f"{folder} holds {held} that is no text-only report and would be overwritten. "
            "Choose another folder with --out."
        )


def _is_ours(folder: Path) -> bool:
    try:
        data = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and data.get("kind") in OURS
