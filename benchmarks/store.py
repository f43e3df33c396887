"""Print what storing, driving and resuming cost, side by side in one process.

    python benchmarks/store.py [--records 5000] [--cases 1000]

Only ratios mean anything. `floor` is SQLite with the same journal and the same bytes in one table;
`JSONL, fsync` is the file that many harnesses append to, made as safe as it can be.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from vidence.answer import Answer, Reply, Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.call import Call, call_key
from vidence.cells import RunPlan
from vidence.check import parse_checks
from vidence.panel import panel_of
from vidence.parse import parse
from vidence.prompt import render
from vidence.record import Cell, Record
from vidence.run import run
from vidence.seeds import seed_of
from vidence.store import Store
from vidence.store_rows import call_row, record_row
from vidence.view import Case, Option, View

OPTIONS = tuple(Option(key, text) for key, text in enumerate(["cat", "dog", "bird", "fish"]))


def outcomes(n: int) -> list[tuple[Call, Record]]:
    """Make as many calls, each with its record, as a run commits together."""
    made = []
    for i in range(n):
        view = View(f"What happens at the {i}th moment of the film?", OPTIONS)
        request = Request(render(view), seed_of("benchmark store", i))
        key = call_key({"model": "m"}, request)
        call = Call(key, "answer", "m", request, Reply("B", "stop", usage={"tokens": 9}))
        answer = Answer("ok", 1, "the letter alone")
        cell = Cell(f"case {i}", "blind", "m")
        made.append((call, Record(cell, (key,), (answer,), "ok", 1, answer.reason)))
    return made


def seconds(task: Callable[[Path], object]) -> float:
    """Return the time of a task in a folder of its own."""
    with TemporaryDirectory() as folder:
        begin = perf_counter()
        task(Path(folder))
        return perf_counter() - begin


def commit(folder: Path, made: list[tuple[Call, Record]], group: int) -> None:
    """Write through the store, so many outcomes a commit."""
    with Store.open(folder, create=True) as store:
        for i in range(0, len(made), group):
            calls, records = zip(*made[i : i + group], strict=True)
            store.commit(calls=calls, records=records)


def floor(folder: Path, made: list[tuple[Call, Record]]) -> None:
    """Write the same bytes with bare SQLite, one outcome a commit."""
    db = sqlite3.connect(folder / "floor.sqlite", isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("CREATE TABLE t (key TEXT PRIMARY KEY, body TEXT)")
    for call, record in made:
        body = json.dumps([call_row(call, "key"), record_row(record)])
        db.execute("INSERT INTO t VALUES (?, ?)", (call.key, body))
    db.close()


def lines(folder: Path, made: list[tuple[Call, Record]]) -> None:
    """Append a line an outcome and sync it to the disk."""
    with (folder / "rows.jsonl").open("w") as file:
        for call, record in made:
            file.write(json.dumps([call_row(call, "key"), record_row(record)]) + "\n")
            file.flush()
            os.fsync(file.fileno())


def storing(n: int) -> None:
    """Compare ways to keep n outcomes."""
    made = outcomes(n)
    ours = seconds(lambda folder: commit(folder, made, 1))
    print(f"\n{n:,} outcomes, each a call with its record\n")
    print("| way | a second | against the store, one a commit |")
    print("|---|---|---|")
    ways: dict[str, float] = {
        "store, one a commit": ours,
        "store, 64 a commit": seconds(lambda folder: commit(folder, made, 64)),
        "floor, one a commit": seconds(lambda folder: floor(folder, made)),
        "JSONL, fsync": seconds(lambda folder: lines(folder, made)),
    }
    with TemporaryDirectory() as name:
        commit(Path(name), made, 64)
        begin = perf_counter()
        with Store.open(name, read_only=True) as store:
            assert sum(1 for _ in store.records()) == sum(1 for _ in store.calls()) == n
        ways["read all back"] = perf_counter() - begin
    for way, took in ways.items():
        print(f"| {way} | {n / took:,.0f} | {ours / took:.2f}x |")


def driving(n: int) -> None:
    """Compare a run with a plain loop over the same questions, and a resume with a run."""
    cases = [Case(f"c{i}", View(f"Question {i}?", OPTIONS), gold=i % 4) for i in range(n)]
    checks = parse_checks("blind,shuffled_options")
    asked = 0

    def answer(request: Request) -> str:
        nonlocal asked
        asked += 1
        return "B"

    panel = panel_of(*(FunctionAnswerer(name, answer) for name in "abc"))

    def loop() -> None:
        plan = RunPlan(tuple(cases), checks, panel, 0)
        for case, check, repeat in plan.groups():
            for view in plan.views(case, check, repeat):
                for member in panel.answerers.values():
                    request = Request(member.prepare(view), 0)
                    (reply,) = member.ask([request], None)  # type: ignore[arg-type]
                    parse(reply, view)

    begin = perf_counter()
    loop()
    plain = perf_counter() - begin
    with TemporaryDirectory() as folder:
        asked, begin = 0, perf_counter()
        first = run(cases[: n // 2], checks, panel, folder, seed=0)
        half, first_asked = perf_counter() - begin, asked
        begin = perf_counter()
        run(cases, checks, panel, folder, seed=0)
        rest, second_asked = perf_counter() - begin, asked - first_asked
        begin = perf_counter()
        run(cases, checks, panel, folder, seed=0)
        again = perf_counter() - begin
    cells = first.total * n // (n // 2)
    print(f"\n{cells:,} cells of an answerer that costs nothing\n")
    print("| task | ms a cell | against the plain loop | calls |")
    print("|---|---|---|---|")
    rows = (
        ("plain loop, nothing kept", plain, cells, cells),
        ("run, first half", half, cells // 2, first_asked),
        ("gone on with, second half", rest, cells // 2, second_asked),
        ("complete, started again", again, cells, asked - first_asked - second_asked),
    )
    for name, took, count, calls in rows:
        each = took / count
        print(f"| {name} | {1e3 * each:.3f} | {each / (plain / cells):.2f}x | {calls:,} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=5000)
    parser.add_argument("--cases", type=int, default=1000)
    chosen = parser.parse_args()
    storing(chosen.records)
    driving(chosen.cases)
