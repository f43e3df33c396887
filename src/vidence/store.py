"""The store of a run: one SQLite file, one writer, nothing acknowledged is ever lost.

Each `commit` is one transaction. With a write-ahead log and `synchronous=NORMAL` a killed process
loses nothing that a `commit` has returned from; a power cut may lose the last few commits and
never damages the rest.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from vidence.answer import Reply
from vidence.call import Call, prompt_to_json, reply_from_json
from vidence.case_json import canonical, case_from_json, case_to_json
from vidence.errors import StoreError
from vidence.record import Outcome, Record
from vidence.run_folder import FolderLock
from vidence.store_file import FILE, open_to_read, open_to_write, translated
from vidence.store_rows import (
    CALL_COLUMNS,
    RECORD_COLUMNS,
    RECORD_ORDER,
    call_of,
    call_row,
    record_of,
    record_row,
    storable,
)
from vidence.view import Case


class Attempt(tuple[str, str, str]):
    """A request that failed: (call key, answerer, error)."""

    __slots__ = ()

    def __new__(cls, call: str, answerer: str, error: str) -> Attempt:
        """Build one from its three texts."""
        return super().__new__(cls, (call, answerer, error))


class Store:
    """A run folder, open for one writer or for readers.

    Use `Store.open`; close it, or use it in a `with`.
    """

    def __init__(
        self, folder: Path, connection: sqlite3.Connection, lock: FolderLock | None
    ) -> None:
        self.folder = folder
        self._db, self._lock = connection, lock

    @classmethod
    def open(
        cls, folder: str | os.PathLike[str], *, create: bool = False, read_only: bool = False
    ) -> Store:
        """Open a run folder.

        Args:
            folder: made if it is not there and `create` is set.
            create: begin a run where there is none; an existing one is opened.
            read_only: take no lock; works while another process writes.

        Raises:
            RunLockedError: another process writes there.
            StoreError: no run there, not a run of Vidence, of another format, or damaged.
            StoreFullError: no room for a new run.
        """
        path = Path(folder)
        file = path / FILE
        if not file.exists() and not create:
            raise StoreError(f"{path} holds no run (no {FILE}). Give the folder of a run.")
        if read_only:
            return cls(path, open_to_read(file), None)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{path} cannot be made: {error.strerror}. Choose another folder."
            ) from None
        lock = FolderLock(path)
        try:
            return cls(path, open_to_write(path, file), lock)
        except BaseException:
            lock.release()
            raise

    def close(self) -> None:
        """Close the file and let go of the lock."""
        self._db.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Store:
        """Return the store."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    # -- what a run is -------------------------------------------------------------------------

    def meta(self, name: str, default: Any = None) -> Any:
        """Return a fact about the run (`config`, `version`, `command`, `created`)."""
        row = self._row("SELECT value FROM meta WHERE name = ?", (name,))
        return default if row is None else json.loads(row[0])

    def set_meta(self, facts: Mapping[str, Any]) -> None:
        """Write facts about the run."""
        self.add((), facts)

    def add(self, cases: Sequence[Case], facts: Mapping[str, Any]) -> None:
        """Append cases in their order, as one batch, and write facts about the run with them."""
        row = self._row("SELECT COUNT(*), COALESCE(MAX(batch), -1) + 1 FROM cases")
        place, batch = row or (0, 0)
        with self._writing():
            self._db.executemany(
                "INSERT INTO cases VALUES (?, ?, ?, ?)",
                (
                    (case.id, place + i, batch, canonical(case_to_json(case)))
                    for i, case in enumerate(cases)
                ),
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO meta VALUES (?, ?)",
                [(name, canonical(value)) for name, value in facts.items()],
            )

    def cases(self) -> tuple[Case, ...]:
        """Return the cases in the order in which they were added."""
        rows = self._rows("SELECT body FROM cases ORDER BY place")
        return tuple(case_from_json(json.loads(body)) for (body,) in rows)

    def case_bodies(self) -> dict[str, str]:
        """Return case id -> its canonical JSON, to compare."""
        return dict(self._rows("SELECT id, body FROM cases ORDER BY place"))

    def batches(self) -> list[int]:
        """Return the batch of each case, in the order of `cases()`."""
        return [batch for (batch,) in self._rows("SELECT batch FROM cases ORDER BY place")]

    def see_videos(self, digests: Mapping[str, str]) -> list[str]:
        """Remember what each video holds (path -> digest); return those that held other bytes."""
        before = dict(self._rows("SELECT path, digest FROM videos"))
        new = {storable(path): digest for path, digest in digests.items()}
        new = {path: digest for path, digest in new.items() if before.get(path) != digest}
        if new:
            with self._writing():
                self._db.executemany("INSERT OR REPLACE INTO videos VALUES (?, ?)", new.items())
        return sorted(set(new) & set(before))

    # -- what came back ------------------------------------------------------------------------

    def commit(
        self,
        *,
        calls: Iterable[Call] = (),
        attempts: Iterable[Attempt] = (),
        records: Iterable[Record] = (),
    ) -> None:
        """Write what was handed over together, all or nothing; it is safe once this returns.

        Args:
            calls: with final replies; the first reply under a key stays.
            attempts: requests that failed, kept for people.
            records: in place of those of the same cell; one that is not final is asked again at
                resume.
        """
        asked = [(call, call.request.prompt.key()) for call in calls]
        now = time.time()
        rows: dict[str, list[tuple[Any, ...]]] = {
            "INSERT OR IGNORE INTO prompts VALUES (?, ?)": [
                (prompt, canonical(prompt_to_json(call.request.prompt))) for call, prompt in asked
            ],
            f"INSERT OR IGNORE INTO calls VALUES ({_marks(11)})": [
                call_row(*pair) for pair in asked
            ],
            "INSERT OR IGNORE INTO renderings VALUES (?, ?)": [
                (call.renderings[0], call.key) for call, _ in asked if call.kind == "rendering"
            ],
            "INSERT INTO attempts (call, answerer, error, at) VALUES (?, ?, ?, ?)": [
                (key, name, storable(error), now) for key, name, error in attempts
            ],
            f"INSERT OR REPLACE INTO records VALUES ({_marks(12)})": [
                record_row(record) for record in records
            ],
        }
        with self._writing():
            for sql, values in rows.items():
                if values:
                    self._db.executemany(sql, values)

    def reply(self, key: str) -> Reply | None:
        """Return the final reply under a call's key, None if there is none yet."""
        row = self._row("SELECT reply FROM calls WHERE key = ?", (key,))
        return None if row is None else reply_from_json(json.loads(row[0]))

    def rendered(self, rendering: str) -> Reply | None:
        """Return the reply of a rendering's maker, None if there is none yet."""
        row = self._row(
            "SELECT reply FROM calls WHERE key = (SELECT call FROM renderings WHERE key = ?)",
            (rendering,),
        )
        return None if row is None else reply_from_json(json.loads(row[0]))

    def call(self, key: str) -> Call | None:
        """Return a call with its request, None if there is none under the key."""
        return next(self._calls("WHERE c.key = ?", (key,)), None)

    def calls(self) -> Iterator[Call]:
        """Return every call."""
        return self._calls("", ())

    def replies(self, keys: Sequence[str]) -> dict[str, tuple[Reply, tuple[int, ...]]]:
        """Return call key -> (reply, keys of the options in the order shown), without prompts."""
        found: dict[str, tuple[Reply, tuple[int, ...]]] = {}
        for i in range(0, len(keys), 500):
            some = tuple(keys[i : i + 500])
            rows = self._rows(
                f"SELECT key, reply, shown FROM calls WHERE key IN ({_marks(len(some))})", some
            )
            for key, reply, shown in rows:
                found[key] = (reply_from_json(json.loads(reply)), tuple(json.loads(shown)))
        return found

    def costs(self) -> tuple[list[tuple[str, str, int, float]], list[tuple[str, str, float]]]:
        """Sum up the calls.

        Returns:
            (answerer, kind, calls, seconds) and (answerer, unit, amount) of the replies' usage.
        """
        calls = self._rows(
            "SELECT answerer, kind, COUNT(*), SUM(seconds) FROM calls GROUP BY 1, 2 ORDER BY 1, 2"
        )
        usage = self._rows(
            "SELECT c.answerer, u.key, SUM(u.value) FROM calls c, json_each(c.reply, '$.usage') u "
            "GROUP BY 1, 2 ORDER BY 1, 2"
        )
        return list(calls), list(usage)

    def attempts(self) -> Iterator[Attempt]:
        """Return the requests that failed, oldest first."""
        rows = self._rows("SELECT call, answerer, error FROM attempts ORDER BY number")
        return (Attempt(*row) for row in rows)

    def records(self) -> Iterator[Record]:
        """Return every record, in the order of their cells' names."""
        return map(record_of, self._rows(f"SELECT {RECORD_COLUMNS} FROM records {RECORD_ORDER}"))

    def records_of(self, case: str) -> list[Record]:
        """Return the records of one case."""
        rows = self._rows(
            f"SELECT {RECORD_COLUMNS} FROM records WHERE case_id = ? {RECORD_ORDER}", (case,)
        )
        return [record_of(row) for row in rows]

    def outcomes(self) -> Iterator[Outcome]:
        """Return every record's outcome, quickly, in no order."""
        rows = self._rows(
            "SELECT case_id, check_label, answerer, repeat, status, value, reason FROM records"
        )
        known: dict[str, Any] = {}
        for case, check, answerer, repeat, status, text, reason in rows:
            value = known.get(text, known)
            if value is known:
                value = known[text] = json.loads(text)
            yield Outcome(case, check, answerer, repeat, status, value, reason)

    def final(self) -> set[str]:
        """Return the keys of the cells that need nothing more."""
        return {key for (key,) in self._rows("SELECT key FROM records WHERE final")}

    def reopen(self, status: str, reason: str) -> int:
        """Mark records of a status and reason as not final; return how many."""
        with self._writing():
            cursor = self._db.execute(
                "UPDATE records SET final = 0 WHERE status = ? AND reason = ?",
                (status, storable(reason)),
            )
            return cursor.rowcount

    def count(self, table: str, where: str = "", values: tuple[Any, ...] = ()) -> int:
        """Count rows of a table."""
        row = self._row(f"SELECT COUNT(*) FROM {table} {where}", values)
        return int(row[0]) if row else 0

    def outcome_counts(self) -> tuple[dict[str, int], dict[tuple[str, str], int]]:
        """Count records by status, and by (status, reason) where no reply was read.

        The thirty commonest reasons are given.
        """
        statuses = self._rows(
            "SELECT status, COUNT(*) FROM records GROUP BY status ORDER BY COUNT(*) DESC, status"
        )
        reasons = self._rows(
            "SELECT status, reason, COUNT(*) FROM records WHERE status IN "
            "('skipped', 'failed', 'filtered') GROUP BY 1, 2 ORDER BY COUNT(*) DESC, 1, 2 LIMIT 30"
        )
        return dict(statuses), {(status, reason): n for status, reason, n in reasons}

    def worked(self) -> set[tuple[str, str]]:
        """Return each (answerer, check label or "renderings") with a reply that could be used."""
        return set(
            self._rows(
                "SELECT DISTINCT answerer, check_label FROM records "
                "WHERE status NOT IN ('skipped', 'failed', 'filtered') UNION "
                "SELECT DISTINCT answerer, 'renderings' FROM calls WHERE kind = 'rendering'"
            )
        )

    def _calls(self, where: str, values: tuple[Any, ...]) -> Iterator[Call]:
        rows = self._rows(
            f"SELECT {CALL_COLUMNS} FROM calls c JOIN prompts p ON p.key = c.prompt {where}",
            values,
        )
        return map(call_of, rows)

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        with translated(self.folder / FILE):
            cursor = self._db.execute(sql, values)
        while True:
            with translated(self.folder / FILE):
                rows = cursor.fetchmany(512)
            if not rows:
                return
            yield from rows

    def _row(self, sql: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        with translated(self.folder / FILE):
            row: tuple[Any, ...] | None = self._db.execute(sql, values).fetchone()
            return row

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._lock is None:
            raise StoreError(f"{self.folder} was opened to read. Open it to write.")
        with translated(self.folder / FILE), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield


def _marks(n: int) -> str:
    return ", ".join("?" * n)
