"""What the store promises: all or nothing, in order, never lost, never mistaken."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from vidence.answer import Answer, Reply, Request
from vidence.call import Call, call_key
from vidence.errors import RunLockedError, StoreError, StoreFullError
from vidence.media.clip import Clip, Video
from vidence.prompt import Prompt
from vidence.record import Cell, Record
from vidence.seeds import seed_of
from vidence.store import Attempt, Store
from vidence.store_file import FILE
from vidence.view import Case, View

CLIP = Clip(Video(Path(__file__)), 1.0, 2.0)  # any file: nothing is decoded here


def call(name: str, text: str = "A", **changes: object) -> Call:
    prompt = Prompt((f"{name}?", CLIP), f"{name}?", ("cat", "dog"))
    request = Request(prompt, seed_of("store test", name), draw=0)
    parts = {
        "key": call_key({"model": "m"}, request),
        "kind": "answer",
        "answerer": "m",
        "request": request,
        "reply": Reply(text, "stop", (0.25, -1.5), {"tokens": 3}, notes=("9 of 16 frames",)),
        "shown": (1, 0),
        "seconds": 0.5,
    }
    return Call(**{**parts, **changes})  # type: ignore[arg-type]


def record(name: str, status: str = "ok", value: object = 1) -> Record:
    answer = Answer(status, value, "why")  # type: ignore[arg-type]
    return Record(Cell(name, "blind", "m"), ("k",), (answer,), answer.status, answer.value, "why")


def test_what_is_committed_is_read_back_equal(tmp_path: Path) -> None:
    odd = call("odd", "\ud800 \x00 \u2028", kind="rendering", renderings=("r1",), shown=())
    odd_view = Call(**{**vars(odd), "request": Request(Prompt(("x",), "x"), 2**63 - 1, 4)})
    with Store.open(tmp_path / "run", create=True) as store:
        store.commit(
            calls=[call("a"), odd_view],
            attempts=[Attempt("k", "m", "500: \ud800")],
            records=[
                record("b", value=2.5),
                record("a", value="text"),
                record("c", "failed", None),
            ],
        )
    with Store.open(tmp_path / "run", read_only=True) as store:
        assert sorted(store.calls(), key=lambda c: c.kind) == [call("a"), odd_view]
        assert store.call(call("a").key) == call("a")
        assert store.call("no such key") is None
        assert store.reply(call("a").key) == call("a").reply
        assert store.rendered("r1") == odd.reply
        assert store.rendered("r2") is None
        assert list(store.attempts()) == [("k", "m", "500: \\ud800")]
        assert [r.cell.case for r in store.records()] == ["a", "b", "c"]
        assert [r.value for r in store.records()] == ["text", 2.5, None]
        assert store.final() == {record(name).cell.key() for name in "ab"}


def test_the_first_reply_under_a_key_stays(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.commit(calls=[call("a", "first", kind="rendering", renderings=("r",))])
        store.commit(calls=[call("a", "second", kind="rendering", renderings=("r",))])
        assert store.reply(call("a").key) == call("a", "first").reply
        assert store.rendered("r") == call("a", "first").reply


def test_a_record_replaces_that_of_its_cell(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.commit(records=[record("a", "failed", None)])
        assert store.final() == set()
        store.commit(records=[record("a")])
        assert list(store.records()) == [record("a")]
        assert store.final() == {record("a").cell.key()}


def test_what_is_handed_over_together_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.commit(calls=[call("before")])
        broken = Record(Cell("x", "blind", "m"), ("k",), (), "ok", value={1})  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            store.commit(calls=[call("a")], records=[broken])
        assert [c.key for c in store.calls()] == [call("before").key]
        store.commit(calls=[call("a")])
        assert len(list(store.calls())) == 2


def test_cases_keep_their_order_and_their_batch(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.add([Case("z", View("?")), Case("a", View("?"))], {"config": {"seed": 1}})
        store.add([Case("m", View("?"))], {})
        assert [case.id for case in store.cases()] == ["z", "a", "m"]
        assert store.batches() == [0, 0, 1]
        assert store.meta("config") == {"seed": 1}
        assert store.meta("none", "default") == "default"


def test_a_store_that_is_read_refuses_to_write(tmp_path: Path) -> None:
    Store.open(tmp_path, create=True).close()
    with (
        Store.open(tmp_path, read_only=True) as store,
        pytest.raises(StoreError, match="opened to read"),
    ):
        store.commit(calls=[call("a")])


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    for read_only in (True, False):
        with pytest.raises(StoreError, match=r"holds no run \(no run.sqlite\)"):
            Store.open(tmp_path, read_only=read_only)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be made: Not a directory"):
        Store.open(tmp_path / "file" / "run", create=True)


@pytest.mark.parametrize("size", [20, 100, 5000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, size: int) -> None:
    data = b"PK\x03\x04" + bytes(range(256)) * 20
    (tmp_path / FILE).write_bytes(data[:size])
    for read_only in (True, False):
        with pytest.raises(StoreError, match="not a run of Vidence, or it is damaged"):
            Store.open(tmp_path, read_only=read_only)
    assert (tmp_path / FILE).read_bytes() == data[:size]
    with pytest.raises(StoreError):  # and the lock was let go
        Store.open(tmp_path)


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("CREATE TABLE records (x)")
    db.commit()
    db.close()
    with pytest.raises(StoreError, match="SQLite file of another program"):
        Store.open(tmp_path, create=True)


def test_a_run_of_another_format_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path, create=True).close()
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("PRAGMA user_version=99")
    db.commit()
    db.close()
    with pytest.raises(StoreError, match="has format 99, this version of Vidence reads 1"):
        Store.open(tmp_path)


def test_a_damaged_page_is_an_error_with_the_files_name(tmp_path: Path) -> None:
    with Store.open(tmp_path, create=True) as store:
        store.commit(calls=[call(f"{i}", "x" * 2000) for i in range(200)])
    data = bytearray((tmp_path / FILE).read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    (tmp_path / FILE).write_bytes(data)
    with Store.open(tmp_path, read_only=True) as store, pytest.raises(StoreError, match="damaged"):
        list(store.calls())


CHILD = """
    import sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from store.test_store import call, record
    from vidence.errors import StoreFullError
    from vidence.store import Store
"""


def child(body: str, *arguments: str, prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Start a process that runs `body` with this module's makers at hand."""
    head = textwrap.dedent(CHILD.format(tests=str(Path(__file__).parents[1])))
    return subprocess.Popen(
        [*prefix, sys.executable, "-c", head + textwrap.dedent(body), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=60)
    return out, err


def test_a_second_writer_is_refused_with_the_first_ones_pid(tmp_path: Path) -> None:
    """Kinds f10 and f12: two processes on one run."""
    first = child(
        """
        with Store.open(sys.argv[1], create=True) as store:
            store.commit(calls=[call("first")])
            print("open", flush=True)
            sys.stdin.readline()
        """,
        str(tmp_path),
    )
    assert first.stdout is not None
    assert first.stdout.readline() == "open\n"
    with pytest.raises(RunLockedError, match=f"in use by process {first.pid}") as caught:
        Store.open(tmp_path, create=True)
    assert caught.value.pid == first.pid
    assert caught.value.exit_code == 4
    with Store.open(tmp_path, read_only=True) as reader:  # readers need no lock
        assert len(list(reader.calls())) == 1
    end(first)
    with Store.open(tmp_path) as store:
        store.commit(calls=[call("second")])
        assert len(list(store.calls())) == 2


def test_a_killed_writer_leaves_no_lock(tmp_path: Path) -> None:
    first = child(
        """
        store = Store.open(sys.argv[1], create=True)
        print("open", flush=True)
        sys.stdin.readline()
        """,
        str(tmp_path),
    )
    assert first.stdout is not None
    first.stdout.readline()
    first.kill()
    end(first)
    assert (tmp_path / "lock").read_text() == f"{first.pid}\n"
    Store.open(tmp_path).close()


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_run_killed_before_its_first_commit_begins_again(tmp_path: Path, journal: str) -> None:
    """What such a process leaves: a file without tables, empty or with its first page alone."""
    db = sqlite3.connect(tmp_path / FILE)
    db.execute(f"PRAGMA journal_mode={journal}")
    db.close()
    with pytest.raises(StoreError, match="stopped before it began"):
        Store.open(tmp_path, read_only=True)
    with Store.open(tmp_path, create=True) as store:
        store.commit(records=[record("a")])
        assert len(list(store.records())) == 1


@pytest.mark.parametrize("round_", range(5))
def test_a_killed_writer_loses_nothing_that_it_was_told_is_safe(
    tmp_path: Path, round_: int
) -> None:
    writer = child(
        """
        with Store.open(sys.argv[1], create=True) as store:
            for i in range(100000):
                store.commit(calls=[call(f"{i}")], records=[record(f"{i}")])
                print(i, flush=True)
        """,
        str(tmp_path),
    )
    assert writer.stdout is not None
    for _ in range(seed_of("kill the writer", round_) % 300):
        writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    told = [int(line) for line in end(writer)[0].splitlines() if line.isdigit()]
    with Store.open(tmp_path) as store:
        cases = {int(r.cell.case) for r in store.records()}
        assert cases == set(range(len(cases)))
        assert set(told) <= cases
        assert len(list(store.calls())) == len(cases)  # a call and its record came together
        store.commit(records=[record("after")])


def test_a_torn_end_of_the_log_costs_the_torn_commit_alone(tmp_path: Path) -> None:
    """Kind f6: what was cut in its middle is gone; whole rows stay, and new ones are whole."""
    writer = child(
        """
        import os, signal
        store = Store.open(sys.argv[1], create=True)
        for i in range(50):
            store.commit(records=[record(f"{i:02}")])
        os.kill(os.getpid(), signal.SIGKILL)
        """,
        str(tmp_path),
    )
    end(writer)
    log = tmp_path / f"{FILE}-wal"
    log.write_bytes(log.read_bytes()[:-1000])
    with Store.open(tmp_path) as store:
        names = [r.cell.case for r in store.records()]
        assert names == [f"{i:02}" for i in range(len(names))]
        assert 45 <= len(names) < 50
        store.commit(records=[record("new")])
        assert len(list(store.records())) == len(names) + 1


FILL = """
    import resource
    store = Store.open(sys.argv[1], create=True)
    if len(sys.argv) > 2:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
    done = 0
    try:
        for i in range(100000):
            store.commit(calls=[call(f"{i}", "x" * 500)], records=[record(f"{i}")])
            done += 1
    except StoreFullError as error:
        print(done)
        print(len(list(store.records())))
        print(error)
    store.close()
"""


def check_full(out: str, err: str, folder: Path) -> None:
    done, rows, message = out.splitlines()
    assert int(done) > 5, err
    assert rows == done
    assert message.startswith(f"No room left to write {folder / FILE}.")
    assert "Everything stored before is kept" in message


def test_a_file_at_its_size_limit_stops_cleanly(tmp_path: Path) -> None:
    process = child(FILL, str(tmp_path), str(600_000))
    out, err = end(process)
    check_full(out, err, tmp_path)
    assert process.returncode == 0
    with Store.open(tmp_path) as store:  # room again: it goes on
        before = len(list(store.records()))
        assert before == int(out.splitlines()[0])
        store.commit(records=[record("after")])


def test_a_full_file_system_stops_cleanly(tmp_path: Path) -> None:
    """Kind f16. A file system of 1 MB, in a mount name space that ends with the process."""
    script = 'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"'
    probe = ["unshare", "-rm", "sh", "-c", script, "sh", str(tmp_path), "true"]
    try:
        allowed = subprocess.run(probe, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        pytest.skip("mounting a small file system is not allowed here")
    process = child(FILL, str(tmp_path), prefix=tuple(probe[:-1]))
    out, err = end(process)
    check_full(out, err, tmp_path)


def test_no_room_to_begin_is_the_same_error(tmp_path: Path) -> None:
    body = """
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        try:
            Store.open(sys.argv[1], create=True)
        except StoreFullError as error:
            print(error)
    """
    out, err = end(child(body, str(tmp_path)))
    assert out.startswith("No room left to write"), err


def test_store_full_has_the_stores_exit_code() -> None:
    assert StoreFullError("x").exit_code == 4
