"""Where a run folder lies, and what follows from it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from vidence import run_folder
from vidence.answer import Answer
from vidence.record import Cell, Record
from vidence.run_folder import file_system_type
from vidence.store import Store
from vidence.store_file import FILE, StoreWarning

RECORD = Record(Cell("a", "blind", "m"), ("k",), (Answer("ok", 1),), "ok", 1)

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
proc /proc proc rw 0 0
server:/team /team nfs4 rw 0 0
tmpfs /team/quick/scratch tmpfs rw 0 0
//nas/x /mnt/my\\040files cifs rw 0 0
broken
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/var/runs", "ext4"),
        ("/team", "nfs4"),
        ("/team/quick/run", "nfs4"),
        ("/team/quick/scratch/run", "tmpfs"),
        ("/teams/run", "ext4"),
        ("/mnt/my files/run", "cifs"),
    ],
)
def test_the_file_system_of_a_folder_is_found(folder: str, kind: str) -> None:
    assert file_system_type(Path(folder), MOUNTS) == kind


def test_the_file_system_here_is_known_and_missing_mounts_are_no_error() -> None:
    assert file_system_type(Path.cwd()) != ""
    assert file_system_type(Path("/x"), "") == ""


def test_on_a_network_file_system_it_warns_and_uses_no_shared_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vidence.store_file.file_system_type", lambda folder: "nfs4")
    with pytest.warns(StoreWarning, match=r"network file system \(nfs4\)"):
        store = Store.open(tmp_path, create=True)
    with store:
        store.commit(records=[RECORD])
        files = {path.name for path in tmp_path.iterdir()}
    assert files == {FILE, run_folder.LOCK_NAME}
    assert sqlite3.connect(tmp_path / FILE).execute("PRAGMA journal_mode").fetchone() == ("delete",)


READ = """
import os, sys
from vidence.store import Store
if os.geteuid() == 0:
    os.seteuid(65534)
assert not os.access(sys.argv[1], os.W_OK, effective_ids=True)
with Store.open(sys.argv[1], read_only=True) as store:
    print([record.cell.case for record in store.records()])
"""


def test_a_run_in_a_folder_that_may_not_be_written_can_be_read() -> None:
    """Root may write everywhere, so root reads as a user who owns nothing."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        folder = Path(name) / "run"
        with Store.open(folder, create=True) as store:
            store.commit(records=[RECORD])
        folder.chmod(0o555)
        try:
            done = subprocess.run(
                [sys.executable, "-c", READ, str(folder)],
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            folder.chmod(0o755)
    assert (done.stdout, done.stderr) == ("['a']\n", "")
