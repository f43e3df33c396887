"""What stops a run, what it says then, and what is kept."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from run_makers import Asked, asks, film_cases, go, letter, records, text_cases
from stub_server import Fault, StubServer

from vidence.answer import Reply, Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.chunk import Breaker
from vidence.errors import (
    NothingMeasuredError,
    RejectedError,
    UnreachableError,
    VidenceError,
)
from vidence.panel import Panel, load_panel, panel_of
from vidence.progress import RunInterrupted
from vidence.run import resume
from vidence.store import Store
from vidence.view import Case, View


def stub_panel(url: str, **settings: object) -> Panel:
    table = {"kind": "openai", "model": "stub", "base_url": url, "max_retries": 0, **settings}
    return load_panel({"answerers": {"m": table}})


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def test_a_dead_service_stops_the_run_and_nothing_counts_as_wrong(tmp_path: Path) -> None:
    """Kind e13: never a normal-looking low score with exit code 0."""
    url = f"http://127.0.0.1:{free_port()}/v1"
    with pytest.raises(UnreachableError, match=f"Nothing answers at {url}, where 'm'") as caught:
        go(text_cases(30), stub_panel(url), tmp_path)
    assert caught.value.exit_code == 3
    assert f"{tmp_path}: 0 of 30 done" in caught.value.__notes__[0]
    assert records(tmp_path) == []


@pytest.mark.parametrize("said", [None, 5, b"A"])
def test_an_answerer_that_returns_no_reply_is_told_so(tmp_path: Path, said: object) -> None:
    kind = type(said).__name__
    with pytest.raises(RejectedError, match=f"'m' returned a {kind} where a Reply") as caught:
        go(text_cases(3), asks("m", lambda _: said), tmp_path)  # type: ignore[arg-type]
    assert caught.value.exit_code == 3
    assert records(tmp_path) == []


def test_a_service_that_comes_back_is_asked_the_rest(tmp_path: Path) -> None:
    with StubServer() as server:
        go(text_cases(4), stub_panel(server.url), tmp_path)
    with pytest.raises(UnreachableError):
        go(text_cases(9), stub_panel(server.url), tmp_path)
    with StubServer() as server:  # at another address: that changes no reply
        summary = go(text_cases(9), stub_panel(server.url), tmp_path)
        assert summary.statuses == {"ok": 9}
        assert len(server.calls) == 5


@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        (Fault("401"), RejectedError, "refuses the key of 'm'.*Set api_key_env"),
        (Fault("404"), RejectedError, "refuses the model 'stub' of 'm'.*does not exist"),
        (Fault("500"), UnreachableError, "first 5 requests to 'm' for blind all failed.*500"),
        (Fault("429"), UnreachableError, "first 5 requests .*429: Rate limit reached"),
        (Fault("cut"), UnreachableError, "first 5 requests .*the connection broke"),
        (Fault("garbage"), UnreachableError, "first 5 requests .*no chat completion"),
        (Fault("too_long"), UnreachableError, "first 5 requests .*too long: .*53481"),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_a_service_that_refuses_everything_stops_the_run_early(
    tmp_path: Path, fault: Fault, error: type[VidenceError], message: str
) -> None:
    with StubServer([fault]) as server:
        with pytest.raises(error, match=message) as caught:
            go(text_cases(200), stub_panel(server.url, concurrency=2), tmp_path)
        assert caught.value.exit_code == 3
        assert len(server.calls) < 20


def test_one_failing_item_costs_one_item(tmp_path: Path) -> None:
    """Kind e5."""
    with StubServer([Fault("500", match="c3?")]) as server:
        summary = go(text_cases(10), stub_panel(server.url), tmp_path)
    assert summary.statuses == {"ok": 9, "failed": 1}


def test_used_up_retries_are_an_error_and_not_a_wrong_answer(tmp_path: Path) -> None:
    """Kind e12: 429 on every try of one item; a later run asks it again."""
    with StubServer([Fault("429", times=3, match="c2?")]) as server:
        panel = stub_panel(server.url, max_retries=2)
        summary = go(text_cases(4), panel, tmp_path)
        assert summary.statuses == {"ok": 3, "failed": 1}
        assert len([c for c in server.calls if "c2?" in c.text]) == 3
        assert resume(tmp_path).statuses == {"ok": 4}


@pytest.mark.parametrize(
    ("kind", "status"),
    [("too_long", "filtered"), ("content_filter", "filtered"), ("null", "no_answer")],
)
def test_a_final_refusal_is_asked_once_and_never_again(
    tmp_path: Path, kind: str, status: str
) -> None:
    """Kinds e3, e6, e10: not retried unchanged, counted apart, and the run goes on."""
    with StubServer([Fault(kind, match="c2?")]) as server:
        panel = stub_panel(server.url, max_retries=3)
        summary = go(text_cases(6), panel, tmp_path)
        assert summary.statuses == {"ok": 5, status: 1}
        assert summary.too_long == (kind == "too_long")
        assert go(text_cases(6), panel, tmp_path).already_complete
        assert len([c for c in server.calls if "c2?" in c.text]) == 1
    (record,) = [r for r in records(tmp_path) if r.status == status]
    assert record.value is None
    expected = {"too_long": "too long: 400", "content_filter": "400: The response was filtered"}
    assert expected.get(kind, "length") in record.reason


def test_twenty_failures_in_a_row_stop_a_run_that_had_worked(tmp_path: Path) -> None:
    asked = Asked(
        lambda r: letter(r) if len(asked.requests) <= 10 else Reply(status="failed", error="gone")
    )
    with pytest.raises(
        UnreachableError, match="20 requests to 'm' in a row failed; the last: gone"
    ):
        go(text_cases(100), asks("m", asked, concurrency=1), tmp_path)
    assert len(asked.requests) <= 32
    with Store.open(tmp_path, read_only=True) as store:
        assert len(list(store.calls())) == 10


def test_a_success_of_another_check_does_not_hide_one_that_always_fails(tmp_path: Path) -> None:
    """Words alone work, frames do not: the two are counted apart."""

    def reply(request: Request) -> Reply:
        return Reply(status="failed", error="no") if request.prompt.clips() else Reply("A")

    panel = asks("m", reply, concurrency=1)
    with pytest.raises(UnreachableError, match=r"first 5 requests .* for center_frame all failed"):
        go(film_cases(tmp_path, 8), panel, tmp_path / "run", "blind,center_frame")
    assert {r.cell.check for r in records(tmp_path / "run") if r.status == "ok"} == {"blind"}


def test_the_breaker_can_be_set_and_switched_off(tmp_path: Path) -> None:
    fails = asks("m", lambda r: Reply(status="failed", error="no"), concurrency=1)
    with pytest.raises(UnreachableError, match="The first 2 requests"):
        go(text_cases(50), fails, tmp_path / "a", breaker=Breaker(first=2))
    with pytest.raises(NothingMeasuredError):
        go(text_cases(50), fails, tmp_path / "b", breaker=Breaker(first=0, row=0))


def test_a_run_without_one_usable_reply_is_an_error(tmp_path: Path) -> None:
    fails = asks("m", lambda r: Reply(status="failed", error="no luck"))
    with pytest.raises(
        NothingMeasuredError, match=r"none of 3 cells .*3 failed: no luck"
    ) as caught:
        go(text_cases(3), fails, tmp_path)
    assert caught.value.exit_code == 3
    with pytest.raises(NothingMeasuredError, match="1 skipped: 0 options"):
        go([Case("x", View("?"))], asks("m"), tmp_path / "b", "rotated_options")


def test_a_stop_keeps_what_the_other_answerers_still_reply(tmp_path: Path) -> None:
    """One member dies while another one's reply is on its way: that reply is paid for, and kept."""
    on_its_way = threading.Event()

    def dies(request: Request) -> str:
        assert on_its_way.wait(20)
        raise RejectedError("no such model")

    def slow(request: Request) -> str:
        on_its_way.set()
        time.sleep(0.3)
        return "A"

    panel = panel_of(FunctionAnswerer("dies", dies), FunctionAnswerer("slow", slow, concurrency=2))
    with pytest.raises(RejectedError, match="no such model"):
        go(text_cases(50), panel, tmp_path)
    kept = records(tmp_path)
    assert {r.cell.answerer for r in kept} == {"slow"}
    assert 1 <= len(kept) <= 4


CHILD = """
    import sys, time
    sys.path.insert(0, {here!r})
    from pathlib import Path
    from run_makers import asks, go, text_cases
    from vidence.progress import RunInterrupted
    def slowly(request):
        time.sleep(0.05)
        return "A"
    def told(progress):
        print(progress.stage, progress.done, flush=True)
    try:
        go(text_cases(200), asks("m", slowly, concurrency=2), Path(sys.argv[1]), on_progress=told)
    except KeyboardInterrupt as error:
        assert isinstance(error, RunInterrupted)
        print("stopped", error.summary.done, error.summary.total, error)
        sys.exit(130)
"""


def test_ctrl_c_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    """Kind f8: what came back is on disk, and a restart asks the rest only."""
    here = str(Path(__file__).parent)
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CHILD.format(here=here)), str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    lines = []
    while not lines or lines[-1] != "answers 5\n":
        lines.append(child.stdout.readline())
    os.kill(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert "Traceback" not in err
    done = len(records(tmp_path))
    assert 5 <= done < 30
    said = out.splitlines()[-1]
    assert said == (
        f"stopped {done} 200 Stopped with {done} of 200 done. Go on with: vidence resume {tmp_path}"
    )
    asked: list[Request] = []

    def slowly(request: Request) -> str:
        asked.append(request)
        return "A"

    slowly.__qualname__ = "slowly"  # it is part of the identity
    summary = go(text_cases(200), asks("m", slowly), tmp_path)
    assert summary.done == 200
    assert len(asked) == 200 - done


def test_an_interrupt_between_two_replies_keeps_both(tmp_path: Path) -> None:
    def stop(progress: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(RunInterrupted) as caught:
        go(text_cases(20), asks("m", concurrency=4), tmp_path, on_progress=stop)
    assert caught.value.summary.done == len(records(tmp_path))
    assert go(text_cases(20), asks("m"), tmp_path).done == 20
