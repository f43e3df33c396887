"""The SQLite file of a run: its tables, how it is opened, and what its errors mean."""

from __future__ import annotations

import errno
import os
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vidence.errors import StoreError, StoreFullError
from vidence.run_folder import NETWORK, file_system_type

FILE = "run.sqlite"
FORMAT = 1
"""Of the tables below; a reader refuses another one."""
APPLICATION = 0x56444E43

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cases (
    id TEXT PRIMARY KEY, place INTEGER NOT NULL, batch INTEGER NOT NULL, body TEXT NOT NULL);
CREATE TABLE videos (path TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE prompts (key TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE calls (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, answerer TEXT NOT NULL, prompt TEXT NOT NULL,
    seed INTEGER NOT NULL, draw INTEGER NOT NULL, shown TEXT NOT NULL, renderings TEXT NOT NULL,
    status TEXT NOT NULL, reply TEXT NOT NULL, seconds REAL NOT NULL);
CREATE TABLE renderings (key TEXT PRIMARY KEY, call TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE attempts (
    number INTEGER PRIMARY KEY, call TEXT NOT NULL, answerer TEXT NOT NULL, error TEXT NOT NULL,
    at REAL NOT NULL);
CREATE TABLE records (
    key TEXT PRIMARY KEY, case_id TEXT NOT NULL, check_label TEXT NOT NULL,
    answerer TEXT NOT NULL, repeat INTEGER NOT NULL, final INTEGER NOT NULL, calls TEXT NOT NULL,
    answers TEXT NOT NULL, status TEXT NOT NULL, value TEXT NOT NULL, reason TEXT NOT NULL,
    notes TEXT NOT NULL);
CREATE INDEX records_of_case ON records (case_id);
"""


class StoreWarning(UserWarning):
    """Something about a run folder that its owner should know."""


def open_to_read(file: Path) -> sqlite3.Connection:
    """Open the file without a lock, also while another process writes it.

    Raises:
        StoreError: not a run of Vidence, of another format, or damaged.
    """
    return _checked(file, _connect(file, read_only=True))


def open_to_write(folder: Path, file: Path) -> sqlite3.Connection:
    """Open or make the file; the caller holds the folder's lock.

    Raises:
        StoreError: not a run of Vidence, of another format, or damaged.
        StoreFullError: no room.
    """
    kind = file_system_type(folder)
    network = kind in NETWORK
    if network:
        warnings.warn(
            f"{folder} is on a network file system ({kind}). Each outcome is written more slowly "
            "there, and a second machine may not see the lock. A local folder is safer.",
            StoreWarning,
            stacklevel=4,
        )
    db = _connect(file)
    try:
        with translated(file):
            new = _is_empty(db)
            if not new:
                _checked(file, db)
            db.execute(f"PRAGMA journal_mode={'DELETE' if network else 'WAL'}")
            db.execute(f"PRAGMA synchronous={'FULL' if network else 'NORMAL'}")
            if new:
                db.executescript(
                    f"BEGIN; PRAGMA application_id={APPLICATION}; PRAGMA user_version={FORMAT};"
                    f"{_TABLES} COMMIT;"
                )
    except BaseException:
        db.close()
        raise
    return db


def _connect(file: Path, *, read_only: bool = False) -> sqlite3.Connection:
    with translated(file):
        place = file.absolute().as_uri()
        return sqlite3.connect(
            f"{place}?{_mode(file, read_only)}",
            uri=True,
            isolation_level=None,
            timeout=30.0,
        )


def _mode(file: Path, read_only: bool) -> str:
    if not read_only:
        return "mode=rwc"
    # Readers of a write-ahead log keep a file beside it. Where that may not be written there is
    # no writer either, and a closed file has no log left: it can be read as it stands.
    log = file.with_name(f"{file.name}-wal")
    mine = os.access in os.supports_effective_ids
    writable = os.access(file.parent, os.W_OK, effective_ids=mine)
    still = not writable and not log.exists()
    return "mode=ro&immutable=1" if still else "mode=ro"


def _is_empty(db: sqlite3.Connection) -> bool:
    """Say whether nothing was ever written, or a process was killed before its first commit."""
    (tables,) = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    return not tables and not application


def _checked(file: Path, db: sqlite3.Connection) -> sqlite3.Connection:
    try:
        with translated(file):
            (application,) = db.execute("PRAGMA application_id").fetchone()
            (version,) = db.execute("PRAGMA user_version").fetchone()
            empty = _is_empty(db)
        if empty:
            raise StoreError(
                f"{file} is empty: the run was stopped before it began. Start it again."
            )
        if application != APPLICATION:
            raise StoreError(
                f"{file} is an SQLite file of another program. Choose another folder for the run."
            )
        if version != FORMAT:
            raise StoreError(
                f"{file} has format {version}, this version of Vidence reads {FORMAT}. "
                "Use the version that wrote it."
            )
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def translated(file: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours, with the file's name."""
    try:
        yield
    except sqlite3.Error as error:
        raise _store_error(file, error) from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise _full(file) from error
        raise


def _store_error(file: Path, error: sqlite3.Error) -> StoreError:
    code = getattr(error, "sqlite_errorcode", 0) or 0
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_FULL or (primary == sqlite3.SQLITE_IOERR and _no_room(file)):
        return _full(file)
    if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StoreError(
            f"{file} is not a run of Vidence, or it is damaged ({error}). "
            "Choose another folder, or restore the file from a copy."
        )
    return StoreError(f"{file} cannot be used: {error}. Check the folder and its permissions.")


def _full(file: Path) -> StoreFullError:
    return StoreFullError(
        f"No room left to write {file}. Everything stored before is kept. "
        "Free some space, then run the same command again."
    )


def _no_room(file: Path) -> bool:
    import resource

    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    largest = max((p.stat().st_size for p in file.parent.glob(f"{FILE}*")), default=0)
    if limit != resource.RLIM_INFINITY and largest + 65536 >= limit:
        return True
    room = os.statvfs(file.parent)
    return room.f_bavail * room.f_frsize < 65536
