"""A run that is killed again and again ends as one that was left alone, and pays nothing twice."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from run_makers import film_cases, records
from stub_server import read_log, stub_process

from vidence.check import parse_checks
from vidence.errors import RunLockedError
from vidence.panel import load_panel
from vidence.run import resume, run
from vidence.seeds import seed_of
from vidence.store import Store

CASES = 16
CHECKS = "blind,rotated_options:of=blind,summary:segments=2,center_frame"
BEGIN = """
    import sys
    from vidence.driver import RunSettings
    from vidence.progress import Progress
    from vidence.run import resume
    def told(progress):
        if progress.stage != "videos":
            print(progress.done, flush=True)
    resume(sys.argv[1], settings=RunSettings(on_progress=told))
    print("complete", flush=True)
"""


def tables(url: str) -> dict[str, object]:
    """Two members, and a captioner that is the same server."""
    member = {"kind": "openai", "model": "stub", "base_url": url, "concurrency": 3, "size": 32}
    answerers = {"a": member, "b": {**member, "temperature": 0.5}, "captions": member}
    return {"answerers": answerers, "roles": {"captioner": "captions"}}


def begin(folder: Path) -> subprocess.Popen[str]:
    """Go on with a run in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(BEGIN), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
    )


def prepare(folder: Path, films: Path, url: str) -> None:
    """Store a run's plan and nothing else."""
    from vidence.cells import RunPlan
    from vidence.run_config import open_run

    films.mkdir(exist_ok=True)
    cases = film_cases(films, CASES)
    open_run(
        folder, RunPlan(tuple(cases), parse_checks(CHECKS), load_panel(tables(url)), "kill")
    ).close()


@pytest.mark.slow
def test_ten_kills_change_no_record_and_repeat_no_acknowledged_call(tmp_path: Path) -> None:
    """SIGKILL at times named by round; the server logs every call in a process of its own.

    A call is acknowledged if its reply is in the store when the process is dead. Its seed names
    it: every request of a run has its own. None may come to the server again after that kill.
    """
    log = tmp_path / "calls.jsonl"
    with stub_process(log, seconds=600) as url:
        left_alone, killed = tmp_path / "alone", tmp_path / "killed"
        prepare(left_alone, tmp_path / "films", url)
        prepare(killed, tmp_path / "films", url)
        resume(left_alone)
        first_calls = len(read_log(log))
        acknowledged: list[tuple[set[int], int]] = []
        ended_early = 0
        for i in range(10):
            child = begin(killed)
            assert child.stdout is not None
            for _ in range(1 + seed_of("kill after so many commits", i) % 24):
                child.stdout.readline()
            time.sleep(seed_of("kill so much later", i) % 30 / 1000)
            child.kill()
            ended_early += "complete" in child.communicate(timeout=30)[0]
            with Store.open(killed, read_only=True) as store:
                seeds = {call.request.seed & 0x7FFFFFFF for call in store.calls()}
            acknowledged.append((seeds, len(read_log(log))))
        progress = [len(seeds) for seeds, _ in acknowledged]
        summary = resume(killed)
        calls = read_log(log)
    assert summary.done == summary.total == CASES * 4 * 2
    assert records(killed) == records(left_alone)
    for seeds, already in acknowledged:
        assert not seeds & {call.seed for call in calls[already:]}
    # The test must have tested something: the kills came in the middle of the work.
    assert progress == sorted(progress)
    assert len(set(progress)) >= 8, progress
    assert ended_early <= 2, progress
    repeated = len(calls) - 2 * first_calls
    assert 0 <= repeated <= 10 * 9, "only what was in flight at a kill may come again"


def test_two_processes_on_one_run(tmp_path: Path) -> None:
    """The second is refused with the first one's pid, and the first is not disturbed."""
    log = tmp_path / "calls.jsonl"
    with stub_process(log, seconds=600) as url:
        prepare(tmp_path / "run", tmp_path / "films", url)
        child = begin(tmp_path / "run")
        assert child.stdout is not None
        child.stdout.readline()
        with pytest.raises(RunLockedError, match=f"in use by process {child.pid}"):
            resume(tmp_path / "run")
        with pytest.raises(RunLockedError):
            run(
                film_cases(tmp_path / "films", CASES),
                parse_checks(CHECKS),
                load_panel(tables(url)),
                tmp_path / "run",
                seed="kill",
            )
        assert child.communicate(timeout=60)[0].splitlines()[-1] == "complete"
        assert child.returncode == 0
    assert len(records(tmp_path / "run")) == CASES * 4 * 2
