"""Work in processes of their own, a few at a time, so that one that dies takes no other along."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from vidence.errors import VidenceError

Job = TypeVar("Job")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Failed:
    """A job that made nothing.

    Args:
        reason: in words.
        exit_code: what a command that did only this would return.
    """

    reason: str
    exit_code: int = 1


def in_turn(
    work: Callable[[Job], Made], jobs: Sequence[Job]
) -> Iterator[tuple[Job, Made | Failed]]:
    """Yield each job with its result, or with why it failed, in this process."""
    for job in jobs:
        yield job, _outcome(work, job)


def apart(
    work: Callable[[Job], Made], jobs: Sequence[Job], *, workers: int, preload: Sequence[str] = ()
) -> Iterator[tuple[Job, Made | Failed]]:
    """Yield each job with its result, or with why it failed, as they are done.

    Every job has a fresh process, at most `workers` at a time. When the caller stops (Ctrl-C
    included) the processes that still run are ended. The program's main module must be one that
    can be imported (`if __name__ == "__main__"`).

    Args:
        work: a function of a module, given a job that can be pickled.
        jobs: begun in this order.
        workers: most processes at a time.
        preload: modules to import once for all processes, where the system can.
    """
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else None)
    if "forkserver" in methods and preload:
        context.set_forkserver_preload(list(preload))
    waiting, running = list(jobs), dict[Connection, _Running[Job]]()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                job = waiting.pop(0)
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(work, job, theirs), daemon=True)
                with _one_thread():
                    process.start()
                theirs.close()
                running[ours] = _Running(job, process)
            for pipe in wait(list(running)):
                assert isinstance(pipe, Connection)
                done = running.pop(pipe)
                yield done.job, _received(pipe, done)
    finally:
        for pipe, one in running.items():
            one.process.terminate()
            one.process.join()
            pipe.close()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let new processes count with one thread each, unless the user has said otherwise.

    Processes that each use all cores for their matrices stand in each other's way.
    """
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    missing = [name for name in names if name not in os.environ]
    os.environ.update(dict.fromkeys(missing, "1"))
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]


class _Running(Generic[Job]):
    def __init__(self, job: Job, process: Any) -> None:
        self.job, self.process = job, process


def _received(pipe: Connection, done: _Running[Any]) -> Any:
    try:
        made = pipe.recv()
    except EOFError:
        done.process.join()
        code = done.process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
        made = Failed(f"its process ended {how} and left no result; is there memory enough?")
    pipe.close()
    done.process.join()
    return made


def _work(work: Callable[[Any], Any], job: Any, pipe: Connection) -> None:
    # Ctrl-C reaches the whole group; the caller hears it and ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe.send(_outcome(work, job))
    pipe.close()


def _outcome(work: Callable[[Job], Made], job: Job) -> Made | Failed:
    try:
        return work(job)
    except VidenceError as error:
        return Failed(str(error), error.exit_code)
    except Exception as error:  # whatever is wrong with one benchmark, the others go on
        return Failed(f"{type(error).__name__}: {error}")
