"""Find the annotation file that a path stands for."""

from __future__ import annotations

import re
from pathlib import Path

from vidence.errors import CaseError

_SHARD = re.compile(r"(.+)-\d+-of-\d+")


def find_files(path: Path, *patterns: str, alone: bool = False) -> list[Path]:
    """Return the files that a path stands for, in the order of their names.

    A file stands for itself. A folder stands for the files of the first pattern that any of its
    files has; parts of one table (`test-00000-of-00003.parquet`) belong together, and so do the
    files of a pattern with a folder in it (`json/*.json`). Hidden files are passed over.

    Args:
        path: a file, or the folder that holds it.
        patterns: globs below the folder, the most telling first.
        alone: no pattern is more telling than another; files of two patterns may both be meant.

    Raises:
        CaseError: nothing there, no file of these names, or several that may be meant.
    """
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise CaseError(
            f"{path} is no file and no folder. Annotations are a file, or the folder that holds "
            f"{' or '.join(patterns)}. Check the path."
        )
    groups = [
        (pattern, sorted(p for p in path.glob(pattern) if p.is_file() and p.name[0] != "."))
        for pattern in patterns
    ]
    if alone:
        groups = [("*", [file for _, files in groups for file in files])]
    for pattern, found in groups:
        if len(found) > 1 and "/" not in pattern and not _one_table(found):
            raise CaseError(
                f"{path} holds {_names(found)}, and any of them may be meant. "
                "Give the path of one file."
            )
        if found:
            return found
    seen = _names(sorted(p for p in path.iterdir() if not p.name.startswith(".")))
    raise CaseError(
        f"{path} holds {seen or 'no file'}; {' or '.join(patterns)} was looked for. "
        "Give the path of the annotation file."
    )


def _one_table(files: list[Path]) -> bool:
    shards = [_SHARD.fullmatch(file.stem) for file in files]
    return all(shards) and len({shard[1] for shard in shards if shard}) == 1


def _names(paths: list[Path], most: int = 12) -> str:
    names = [path.name + "/" * path.is_dir() for path in paths]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
