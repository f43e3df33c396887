"""The contract of `map_items`, held for every registered executor."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from vidence.errors import UnknownNameError, UsageError
from vidence.executors import EXECUTORS, LOOKAHEAD, Outcome, map_items

ALL = pytest.mark.parametrize("executor", sorted(EXECUTORS))


def test_the_executors_that_a_run_may_name_are_here() -> None:
    assert {"serial", "local"} <= set(EXECUTORS)
    assert all(EXECUTORS.describe(name).endswith(".") for name in EXECUTORS)


@ALL
def test_every_item_has_one_outcome_with_its_key_and_value(executor: str) -> None:
    outcomes = list(map_items(lambda n: n * n, range(50), key=str, executor=executor))
    assert sorted((o.key, o.item, o.value) for o in outcomes) == sorted(
        (str(n), n, n * n) for n in range(50)
    )
    assert all(o.error is None and o.attempts == 1 and o.seconds >= 0 for o in outcomes)


@ALL
def test_no_item_gives_no_outcome(executor: str) -> None:
    assert list(map_items(lambda n: n, [], key=str, executor=executor)) == []


@ALL
def test_an_exception_is_an_outcome_and_stops_nothing(executor: str) -> None:
    def fail_at_three(n: int) -> int:
        if n == 3:
            raise ValueError("three")
        return n

    outcomes = {o.item: o for o in map_items(fail_at_three, range(6), key=str, executor=executor)}
    assert [outcomes[n].value for n in (0, 1, 2, 4, 5)] == [0, 1, 2, 4, 5]
    assert isinstance(outcomes[3].error, ValueError)
    with pytest.raises(ValueError, match="three"):
        outcomes[3].get()


@ALL
@pytest.mark.parametrize(("retries", "works"), [(0, False), (1, False), (2, True)])
def test_an_item_that_raises_is_run_again_as_often_as_allowed(
    executor: str, retries: int, works: bool
) -> None:
    tries: Counter[str] = Counter()

    def works_at_the_third(name: str) -> str:
        tries[name] += 1
        if tries[name] < 3:
            raise OSError(name)
        return name

    (outcome,) = map_items(works_at_the_third, ["x"], key=str, executor=executor, retries=retries)
    assert (outcome.error is None) == works
    assert outcome.attempts == tries["x"] == min(3, retries + 1)


@ALL
def test_items_are_pulled_only_when_there_is_room(executor: str) -> None:
    pulled = 0

    def items() -> Iterator[int]:
        nonlocal pulled
        for n in range(40):
            pulled += 1
            yield n

    for taken, _ in enumerate(
        map_items(lambda n: n, items(), key=str, executor=executor, concurrency=3), 1
    ):
        assert pulled <= taken + 3


@ALL
def test_no_more_than_the_limit_are_in_flight(executor: str) -> None:
    guard, now, most = threading.Lock(), 0, 0

    def work(n: int) -> int:
        nonlocal now, most
        with guard:
            now += 1
            most = max(most, now)
        time.sleep(0.005)
        with guard:
            now -= 1
        return n

    outcomes = list(map_items(work, range(40), key=str, executor=executor, concurrency=3))
    assert len(outcomes) == 40
    assert most == min(3, EXECUTORS[executor](3).at_once)


@ALL
def test_each_group_has_its_own_limit_in_one_stream(executor: str) -> None:
    guard, now = threading.Lock(), Counter[str]()
    most = Counter[str]()

    def work(item: tuple[str, int]) -> tuple[str, int]:
        with guard:
            now[item[0]] += 1
            most[item[0]] = max(most[item[0]], now[item[0]])
        time.sleep(0.004)
        with guard:
            now[item[0]] -= 1
        return item

    items = [(group, n) for n in range(30) for group in ("fast", "slow")]
    outcomes = list(
        map_items(
            work,
            items,
            key=str,
            executor=executor,
            concurrency={"fast": 4, "slow": 1},
            group=lambda item: item[0],
        )
    )
    assert sorted(o.item for o in outcomes) == sorted(items)
    assert most["slow"] == 1
    assert most["fast"] <= 4


def test_a_group_at_its_limit_does_not_hold_up_the_others() -> None:
    """One item of `slow` blocks until every item of `fast`, behind it in the queue, is done."""
    fast_done = threading.Semaphore(0)
    items = ["slow", "slow", "slow", *["fast"] * 20]

    def work(item: str) -> str:
        if item == "fast":
            fast_done.release()
        else:
            for _ in range(20):
                assert fast_done.acquire(timeout=20)
            for _ in range(20):
                fast_done.release()
        return item

    stream = map_items(
        work,
        items,
        key=str,
        executor="local",
        concurrency={"fast": 2, "slow": 1},
        group=str,
    )
    assert [o.value for o in stream].count("fast") == 20


def test_what_is_held_back_for_a_group_is_bounded() -> None:
    gate, pulled = threading.Event(), 0

    def items() -> Iterator[str]:
        nonlocal pulled
        yield "fast"
        for _ in range(LOOKAHEAD * 3):
            pulled += 1
            yield "slow"

    def work(item: str) -> str:
        if item == "slow":
            assert gate.wait(20)
        return item

    stream = map_items(
        work,
        items(),
        key=str,
        executor="local",
        concurrency={"fast": 1, "slow": 1},
        group=str,
    )
    assert next(stream).item == "fast"
    assert pulled <= LOOKAHEAD + 2
    gate.set()
    assert sum(1 for _ in stream) == LOOKAHEAD * 3


@ALL
def test_after_stop_nothing_starts_and_what_is_in_flight_is_given(executor: str) -> None:
    started: list[int] = []

    def work(n: int) -> int:
        started.append(n)
        time.sleep(0.02)
        return n

    stream = map_items(work, range(100), key=str, executor=executor, concurrency=4)
    taken: list[Outcome[int, int]] = [next(stream)]
    stream.stop(grace=20)
    taken += stream
    assert sorted(o.item for o in taken) == sorted(started)
    assert len(started) <= 5
    assert list(stream) == []


def test_after_stop_the_wait_is_bounded() -> None:
    never = threading.Event()
    stream = map_items(
        lambda n: never.wait(60) if n else n, range(3), key=str, executor="local", concurrency=3
    )
    assert next(stream).item == 0
    begin = time.monotonic()
    stream.stop(grace=0.2)
    assert list(stream) == []
    assert time.monotonic() - begin < 20  # it would be 60 if it waited for the items
    never.set()


@ALL
def test_an_exception_of_the_items_reaches_the_caller(executor: str) -> None:
    def items() -> Iterator[int]:
        yield 1
        raise KeyError("no more")

    stream = map_items(lambda n: n, items(), key=str, executor=executor, concurrency=1)
    assert next(stream).item == 1
    with pytest.raises(KeyError, match="no more"):
        next(stream)


@ALL
def test_a_stop_signal_raised_in_an_item_reaches_the_caller(executor: str) -> None:
    def work(n: int) -> int:
        if n == 2:
            raise KeyboardInterrupt
        return n

    stream = map_items(work, range(50), key=str, executor=executor, concurrency=1)
    with pytest.raises(KeyboardInterrupt):
        list(stream)
    assert list(stream) == []


def test_ctrl_c_wakes_a_waiting_stream_and_in_flight_items_are_still_given() -> None:
    program = """
        import sys, threading, time
        from vidence.executors import map_items
        gate = threading.Event()
        def work(n):
            gate.wait(30)
            return n
        stream = map_items(work, range(10), key=str, executor="local", concurrency=3)
        print("ready", flush=True)
        try:
            next(stream)
        except KeyboardInterrupt:
            stream.stop(grace=20)
            gate.set()
            print("given", sorted(o.item for o in stream), flush=True)
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)  # until it waits
    os.kill(child.pid, signal.SIGINT)
    assert child.stdout.read() == "given [0, 1, 2]\n"
    assert child.wait(20) == 0
    child.stdout.close()


def test_a_process_that_ends_does_not_wait_for_an_item_that_never_does() -> None:
    program = """
        import threading
        from vidence.executors import map_items
        stream = map_items(lambda n: threading.Event().wait(600) if n else n, range(2), key=str,
                           executor="local", concurrency=2)
        print(next(stream).item)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(limit: int) -> None:
    with pytest.raises(UsageError, match=rf"concurrency = {limit} came.*at least 1"):
        map_items(str, [1], key=str, concurrency=limit)
    with pytest.raises(UsageError, match="for 'm'"):
        map_items(str, [1], key=str, concurrency={"m": limit}, group=lambda _: "m")


def test_a_group_without_a_limit_is_named() -> None:
    stream = map_items(str, [1], key=str, concurrency={"a": 1}, group=lambda _: "b")
    with pytest.raises(UsageError, match=r"'b' has no limit.*\['a'\]"):
        next(stream)


def test_an_unknown_executor_gets_did_you_mean() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'local'"):
        map_items(str, [1], key=str, executor="locl")
