"""Work as a stream: items in, outcomes out, a bounded number in flight.

`map_items` pulls its items lazily and gives back each outcome as it comes. Between two outcomes
the caller has the thread to itself, so it can commit one before it asks for the next. What runs
the items is an executor: `serial` (in the caller's thread) or `local` (threads); another one is a
class with three methods under `@executor(name)`.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from vidence.errors import UsageError
from vidence.registry import Registry

Item = TypeVar("Item")
Value = TypeVar("Value")

GRACE_SECONDS = 10.0
"""How long `Stream.stop` waits for what is in flight."""
LOOKAHEAD = 256
"""Most items held back because their group is at its limit."""


@dataclass(frozen=True)
class Outcome(Generic[Item, Value]):
    """What became of one item.

    Args:
        key: its name.
        item: the item.
        value: what the function returned, None if it raised.
        error: what it raised at the last attempt, or None.
        seconds: of the last attempt.
        attempts: from 1.
    """

    key: str
    item: Item
    value: Value | None
    error: Exception | None
    seconds: float
    attempts: int

    def get(self) -> Value:
        """Return the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]


@dataclass(frozen=True)
class Finished:
    """One run of a function, as an executor reports it.

    Args:
        token: the number given to `start`.
        value: what came.
        error: what was raised, or None.
        seconds: how long it took.
    """

    token: int
    value: Any
    error: BaseException | None
    seconds: float


class Executor(Protocol):
    """What runs items. `at_once` is the most it takes at a time."""

    at_once: int

    def start(self, token: int, function: Callable[[Any], Any], item: Any) -> None:
        """Begin one item; return at once, or after it ran."""
        ...

    def wait(self, seconds: float | None) -> Finished | None:
        """Return the next item that ended; None if none did within `seconds`."""
        ...

    def close(self) -> None:
        """Let go; never wait for what is in flight."""
        ...


EXECUTORS: Registry[Callable[[int], Executor]] = Registry(
    "executor", packages=(), group="vidence.executors"
)
executor = EXECUTORS.register


@executor("serial")
class Serial:
    """Run one item at a time in the caller's thread."""

    def __init__(self, concurrency: int) -> None:
        self.at_once = 1
        self._finished: deque[Finished] = deque()

    def start(self, token: int, function: Callable[[Any], Any], item: Any) -> None:
        """Run it now."""
        self._finished.append(_timed(token, function, item))

    def wait(self, seconds: float | None) -> Finished | None:
        """Return what was run."""
        return self._finished.popleft() if self._finished else None

    def close(self) -> None:
        """Do nothing."""


@executor("local")
class Local:
    """Run items in threads of this process.

    The threads are daemons: a process that stops does not wait for a server that never answers.
    """

    def __init__(self, concurrency: int) -> None:
        self.at_once = concurrency
        self._todo: SimpleQueue[tuple[int, Callable[[Any], Any], Any] | None] = SimpleQueue()
        self._finished: SimpleQueue[Finished] = SimpleQueue()
        self._threads = 0
        self._busy = 0

    def start(self, token: int, function: Callable[[Any], Any], item: Any) -> None:
        """Hand it to a thread."""
        self._busy += 1
        if self._busy > self._threads:
            self._threads += 1
            Thread(target=self._work, daemon=True, name=f"vidence-{self._threads}").start()
        self._todo.put((token, function, item))

    def wait(self, seconds: float | None) -> Finished | None:
        """Return what a thread ended."""
        try:
            finished = self._finished.get(timeout=seconds)
        except Empty:
            return None
        self._busy -= 1
        return finished

    def close(self) -> None:
        """Send the threads home once each has ended its item."""
        for _ in range(self._threads):
            self._todo.put(None)

    def _work(self) -> None:
        while (task := self._todo.get()) is not None:
            self._finished.put(_timed(*task))


def _timed(token: int, function: Callable[[Any], Any], item: Any) -> Finished:
    begin = time.perf_counter()
    value: Any = None
    error: BaseException | None = None
    try:
        value = function(item)
    except BaseException as raised:
        error = raised
    return Finished(token, value, error, time.perf_counter() - begin)


@dataclass
class _Flight(Generic[Item]):
    key: str
    item: Item
    group: str
    attempts: int = 1


class Stream(Iterator[Outcome[Item, Value]]):
    """Outcomes as they come, in any order; see `map_items`.

    After `stop()` nothing new is started, and iterating gives what was in flight and ends within
    the grace given.
    """

    def __init__(
        self,
        function: Callable[[Item], Value],
        items: Iterable[Item],
        names: tuple[Callable[[Item], str], Callable[[Item], str]],
        limits: Mapping[str, int],
        engine: Executor,
        retries: int,
    ) -> None:
        self._function, self._items = function, iter(items)
        self._key, self._group = names
        self._limits, self._engine, self._retries = limits, engine, retries
        self._flights: dict[int, _Flight[Item]] = {}
        self._in_group: Counter[str] = Counter()
        self._held: dict[str, deque[Item]] = {}
        self._held_count = 0
        self._token = 0
        self._exhausted = False
        self._deadline: float | None = None
        self._closed = False

    def __next__(self) -> Outcome[Item, Value]:
        while True:
            if self._deadline is None:
                self._fill()
            if not self._flights:
                self._close()
                raise StopIteration
            finished = self._engine.wait(self._patience())
            if finished is None:
                if self._deadline is not None and time.monotonic() >= self._deadline:
                    self._close()
                    raise StopIteration
                continue
            outcome = self._land(finished)
            if outcome is not None:
                return outcome

    def stop(self, grace: float = GRACE_SECONDS) -> None:
        """Start nothing more; go on for `grace` seconds at most."""
        if self._deadline is None:
            self._deadline = time.monotonic() + grace

    def _patience(self) -> float | None:
        if self._deadline is None:
            return None
        return max(0.0, self._deadline - time.monotonic())

    def _land(self, finished: Finished) -> Outcome[Item, Value] | None:
        flight = self._flights.pop(finished.token)
        self._in_group[flight.group] -= 1
        error = finished.error
        if error is not None and not isinstance(error, Exception):
            self.stop()
            raise error
        if error is not None and flight.attempts <= self._retries and self._deadline is None:
            flight.attempts += 1
            self._launch(flight)
            return None
        return Outcome(
            flight.key, flight.item, finished.value, error, finished.seconds, flight.attempts
        )

    def _fill(self) -> None:
        while len(self._flights) < self._engine.at_once:
            item = self._next_item()
            if item is None:
                return
            self._launch(_Flight(self._key(item[0]), item[0], self._group(item[0])))

    def _next_item(self) -> tuple[Item] | None:
        for group, held in self._held.items():
            if held and self._room(group):
                self._held_count -= 1
                return (held.popleft(),)
        while not self._exhausted and self._held_count < LOOKAHEAD:
            if not any(self._room(group) for group in self._limits):
                return None
            try:
                item = next(self._items)
            except StopIteration:
                self._exhausted = True
                return None
            group = self._group(item)
            if self._room(group):
                return (item,)
            self._held.setdefault(group, deque()).append(item)
            self._held_count += 1
        return None

    def _room(self, group: str) -> bool:
        try:
            return self._in_group[group] < self._limits[group]
        except KeyError:
            raise UsageError(
                f"The group {group!r} has no limit; limits came for {sorted(self._limits)}. "
                "Give a limit for every group."
            ) from None

    def _launch(self, flight: _Flight[Item]) -> None:
        self._token += 1
        self._flights[self._token] = flight
        self._in_group[flight.group] += 1
        self._engine.start(self._token, self._function, flight.item)

    def _close(self) -> None:
        if not self._closed:
            self._closed = True
            self._engine.close()


def map_items(
    function: Callable[[Item], Value],
    items: Iterable[Item],
    *,
    key: Callable[[Item], str],
    executor: str = "local",
    concurrency: int | Mapping[str, int] = 4,
    group: Callable[[Item], str] | None = None,
    retries: int = 0,
) -> Stream[Item, Value]:
    """Run a function over items and stream the outcomes.

    At least once and unordered. An item is pulled only when there is room for one; each outcome
    is handed over alone, and the next is asked for by the caller. An exception of the function is
    an outcome's `error`; KeyboardInterrupt, SystemExit and exceptions of the item source pass
    through. The caller then calls `stop()` and may take what is still in flight.

    Args:
        function: called with one item.
        items: pulled lazily, in the caller's thread.
        key: names an item.
        executor: a name of `EXECUTORS`.
        concurrency: most items in flight; with `group`, one limit for each group. Items of a
            group at its limit are held back (at most `LOOKAHEAD`) and do not stop the others.
        group: names an item's group.
        retries: how often an item that raised is run again.

    Raises:
        UsageError: a limit below 1, or an unknown executor.
    """
    if isinstance(concurrency, Mapping):
        limits = dict(concurrency)
        grouped = group or (lambda _: "")
    else:
        limits = {"": concurrency}
        grouped = lambda _: ""  # noqa: E731
    for name, limit in limits.items():
        if limit < 1:
            raise UsageError(
                f"concurrency = {limit} came{f' for {name!r}' if name else ''}; "
                "at least 1 is needed."
            )
    engine = EXECUTORS[executor](max(1, sum(limits.values())))
    return Stream(function, items, (key, grouped), limits, engine, retries)
