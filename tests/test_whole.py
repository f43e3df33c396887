"""Files appear whole or not at all, and what is no file is left what it is."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from vidence.errors import StoreError
from vidence.whole import json_line, whole_file, write_whole


def test_a_file_is_replaced_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    write_whole(path, "one \ud800\n")
    assert path.read_bytes() == b"one \\ud800\n"

    def stop_half_way() -> None:
        with whole_file(path) as part:
            part.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        stop_half_way()
    assert path.read_bytes() == b"one \\ud800\n"
    assert [p.name for p in path.parent.iterdir()] == ["a.txt"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_whole(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_what_is_no_file_is_written_and_not_replaced(tmp_path: Path) -> None:
    """A pipe stands for every device: `--junit /dev/null` must leave /dev/null a device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "words")
    reader.join(timeout=20)
    assert read == ["words"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"a\.txt could not be written"):
        write_whole(tmp_path / "file" / "a.txt", "x")


def test_standard_output_is_written_also_where_it_is_a_pipe() -> None:
    program = (
        "from pathlib import Path\nfrom vidence.whole import json_line, whole_file\n"
        "with whole_file(Path('/dev/stdout')) as part:\n    part.open('w').write('all of it')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("all of it", "")


def test_a_row_is_one_line_to_every_reader() -> None:
    row = {"text": "a\x85b\u2028c\u2029d\ne\x0bf", "name": "naïve 映像"}
    line = json_line(row)
    assert len(line.splitlines()) == 1
    assert json.loads(line) == row
    assert "naïve 映像" in line
