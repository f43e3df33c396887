"""Files that appear whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vidence.errors import StoreError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a name to write a file under; the file gets its own name when the block ends well.

    A link is followed, so that it stays a link. What is no file (`/dev/null`, `/dev/stdout`, a
    pipe) is written as it is: put a file in its place and the device would be gone.
    """
    # Asked before links are followed: /dev/stdout leads to a pipe, whose name is no file's.
    if path.exists() and not path.is_file():
        yield path
        return
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"part-{os.getpid()}-{target.name}"[:250])
    try:
        yield part
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a text as UTF-8, whole or not at all, and make it last.

    Half a surrogate becomes its escape, which JSON reads back as the same half.

    Raises:
        StoreError: the file cannot be written.
    """
    try:
        with (
            whole_file(path) as part,
            part.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
        ):
            file.write(text)
            file.flush()
            if part.is_file():
                os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(
            f"{path} could not be written: {error.strerror or error}. A folder with space that "
            "you may write to is needed. Free some space, or let yourself write there."
        ) from error


def json_line(row: Any, **how: Any) -> str:
    """Return a row of a JSON Lines file, which any program reads as one line.

    Letters stay as they are, but for the characters that some readers take for the end of a line.

    Args:
        row: plain values.
        how: passed on to `json.dumps`.
    """
    return json.dumps(row, ensure_ascii=False, **how).translate(_BREAKS) + "\n"


_BREAKS = {ord(c): f"\\u{ord(c):04x}" for c in "\x85\u2028\u2029"}
