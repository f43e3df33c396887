"""The folder of a run: its lock, and the file system that it lies on."""

from __future__ import annotations

import fcntl
import os
import re
from pathlib import Path

from vidence.errors import RunLockedError, StoreError

LOCK_NAME = "lock"
_NETWORK = (
    "9p afs beegfs ceph cifs fuse.ceph fuse.glusterfs fuse.sshfs glusterfs gpfs lustre ncpfs nfs "
    "nfs4 smb2 smb3 smbfs"
)
NETWORK = frozenset(_NETWORK.split())
"""File systems on which SQLite's write-ahead log is not safe: it needs memory shared by every
process that has the file open."""


class FolderLock:
    """One writer a run folder, held by the operating system until the process ends.

    The file `lock` holds the writer's process id, for people; the lock itself is `flock`, so a
    killed process leaves none behind.

    Raises:
        RunLockedError: another process holds it.
        StoreError: the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK_NAME
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(
                f"{path} cannot be written: {error.strerror}. Choose a folder where you may write."
            ) from None
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            digits = os.read(self._fd, 32).decode("ascii", "replace").strip()
            os.close(self._fd)
            raise RunLockedError(folder, int(digits) if digits.isdigit() else None) from None
        except OSError as error:
            os.close(self._fd)
            raise StoreError(
                f"{path} cannot be locked: {error.strerror}. "
                "Choose a folder on a file system with locks."
            ) from None
        try:
            os.ftruncate(self._fd, 0)
            os.write(self._fd, f"{os.getpid()}\n".encode())
        except OSError:
            pass  # a full disk must not stop reading what is there; the lock holds without a pid

    def release(self) -> None:
        """Let another process write."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def file_system_type(folder: Path, mounts: str | None = None) -> str:
    """Return the type of the file system that holds a folder, "" if it is not known.

    Args:
        folder: any path.
        mounts: the text of /proc/self/mounts; read from there by default.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/self/mounts").read_text(errors="surrogateescape")
        except OSError:
            return ""
    place = os.path.realpath(folder)
    best, found = -1, ""
    for line in mounts.splitlines():
        words = line.split(" ")
        if len(words) < 3:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), words[1])
        inside = place == point or place.startswith(point.rstrip("/") + "/")
        # The last mount on a point hides the ones before it.
        if inside and len(point) >= best:
            best, found = len(point), words[2]
    return found
