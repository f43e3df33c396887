"""From the store to the report's data, beside plain loops over the records.

    python benchmarks/analysis.py [--cases N]

Writes a run with made-up replies (three models, intact and six checks), then times every table
with its intervals, and a loop that reads the same records one by one and counts one ratio alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from vidence.answer import Answer
from vidence.answerers.recorded import FunctionAnswerer
from vidence.audits.benchmark import PAPER, BenchmarkAudit
from vidence.cells import RunPlan
from vidence.check import parse_checks
from vidence.panel import panel_of
from vidence.record import Cell, Record
from vidence.run_config import open_run
from vidence.seeds import rng_of
from vidence.store import Store
from vidence.view import Case, Option, View

MEMBERS = ("one", "two", "three")
ENCODERS = ("bag1", "bag2", "bag3")


def write(folder: Path, count: int) -> int:
    """Write the run; returns its number of records."""
    options = tuple(Option(i, f"option {i}") for i in range(4))
    rng = rng_of("benchmark", "analysis", count)
    cases = [
        Case(f"q{i}", View(f"Question {i}?", options), int(rng.integers(4)), None, f"v{i // 4}")
        for i in range(count)
    ]
    made = [
        FunctionAnswerer(n, lambda _: "A", panel="encoder" if n in ENCODERS else "model")
        for n in (*MEMBERS, *ENCODERS)
    ]
    plan = RunPlan(tuple(cases), parse_checks(PAPER), panel_of(*made), "benchmark")
    with open_run(folder, plan) as store:
        for start in range(0, count, 500):
            some = cases[start : start + 500]
            records = [
                _record(Cell(case.id, check.label, name), int(value))
                for check in plan.checks
                for name in plan.members(check)
                for case, value in zip(some, rng.integers(0, 4, len(some)), strict=True)
            ]
            store.commit(records=records)
    return plan.total


def _record(cell: Cell, value: int) -> Record:
    return Record(cell, (cell.key(),), (Answer("ok", value),), "ok", value)


def loops(folder: Path) -> float:
    """Count the shortcut ratio at full consensus the plain way."""
    with Store.open(folder, read_only=True) as store:
        gold = {case.id: case.gold for case in store.cases()}
        right: dict[tuple[str, str], int] = {}
        for record in store.records():
            if record.cell.check != "intact" and record.value == gold[record.cell.case]:
                key = (record.cell.case, record.cell.check)
                right[key] = right.get(key, 0) + 1
    return len({case for (case, _), n in right.items() if n >= 3}) / len(gold)


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """Return CPU seconds and the result."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=4000)
    count = parser.parse_args().cases
    with TemporaryDirectory() as name:
        folder = Path(name) / "run"
        total = write(folder, count)
        plain, ratio = timed(lambda: loops(folder))
        read, audit = timed(lambda: BenchmarkAudit(folder))
        assert isinstance(audit, BenchmarkAudit)
        tables, data = timed(audit.data)
    assert isinstance(data, dict)
    found = data["headline"]["shortcut"]["value"]
    assert abs(found - float(str(ratio))) < 1e-12, (found, ratio)
    print(f"{count:,} questions, {total:,} records; CPU seconds, and against plain loops")
    for name, seconds in (
        ("plain loops: one ratio, no interval", plain),
        ("store to arrays", read),
        ("all tables with intervals", tables),
        ("store to report data", read + tables),
    ):
        print(f"  {name:<38} {seconds:>7.2f}   {seconds / plain:>5.2f}x")


if __name__ == "__main__":
    main()
