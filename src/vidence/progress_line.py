"""What a person sees while a run goes on: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Any

from vidence.progress import Progress

STAGES = {
    "videos": "opening videos",
    "renderings": "captions, transcripts",
    "answers": "asking",
}
EVERY = 10.0
"""Seconds between plain lines."""
NAMED = 5
"""How many unusable videos are named on the terminal."""


class ProgressLine:
    """Show the stages of a run on stderr; a context manager that is called with each `Progress`."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}
        self._said: dict[str, float] = {}
        self._over: set[str] = set()
        self._begin: dict[str, tuple[float, int]] = {}

    def __enter__(self) -> ProgressLine:
        """Start the bar where stderr is a terminal."""
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("{task.description:<22}"),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the bar."""
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show how far a stage is; a stage without anything to do is not shown."""
        if progress.total == 0:
            return
        if progress.problems:
            self._name(progress)
            return
        now = time.monotonic()
        begin, before = self._begin.setdefault(progress.stage, (now, progress.done))
        passed = now - begin
        rate = (progress.done - before) / passed if passed > 0.5 else 0.0
        said = f"{rate:.1f}/s" if rate else ""
        if progress.failed:
            said += f" {progress.failed} failed"
        if self._bar is not None:
            self._show(progress, said)
        elif progress.stage in self._over:
            return
        elif progress.done >= progress.total or now - self._said.get(progress.stage, 0.0) > EVERY:
            self._say(progress, said, now)

    def _name(self, progress: Progress) -> None:
        """Name the videos that cannot be used; the report names all of them."""
        lines = [f"video  {problem}" for problem in progress.problems.values()]
        if len(lines) > NAMED:
            lines[NAMED:] = [f"video  and {len(lines) - NAMED} more; see the report"]
        for line in lines:
            if self._bar is not None:
                self._bar.console.print(line, markup=False, highlight=False)
            else:
                with suppress(OSError):
                    print(line, file=sys.stderr, flush=True)

    def _show(self, progress: Progress, said: str) -> None:
        if progress.stage not in self._tasks:
            name = STAGES[progress.stage]
            self._tasks[progress.stage] = self._bar.add_task(name, total=progress.total, rate="")
        task = self._tasks[progress.stage]
        self._bar.update(task, completed=progress.done, total=progress.total, rate=said)

    def _say(self, progress: Progress, said: str, now: float) -> None:
        self._said[progress.stage] = now
        if progress.done >= progress.total:
            self._over.add(progress.stage)
        line = f"{STAGES[progress.stage]:<22} {progress.done:,} of {progress.total:,}  {said}"
        with suppress(OSError):  # nobody reads: no reason to stop a run
            print(line.rstrip(), file=sys.stderr, flush=True)
