"""How far a run is, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Stage = Literal["videos", "renderings", "answers"]


@dataclass(frozen=True)
class Progress:
    """How far a stage is.

    Args:
        stage: `videos` are opened, `renderings` and then `answers` are asked for.
        done: of `total`; earlier runs of the folder included.
        total: videos, renderings or cells.
        failed: of `done`.
        problems: path -> what is wrong with it, told once when all videos were opened, before
            anything is asked.
    """

    stage: Stage
    done: int
    total: int
    failed: int = 0
    problems: Mapping[str, str] = field(default_factory=dict)


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True)
class RunSummary:
    """How a run ended.

    Args:
        folder: where it is.
        total: cells of the run, N.
        statuses: status -> number of cells; their sum is the number of cells with a record.
        reasons: (status, reason) -> number, of skipped, failed and filtered cells.
        too_long: of the filtered cells, those too long for their model's context.
        asked: requests made this time, renderings included.
        videos: path -> problem of each video that could not be read, or is another file now.
        unasked: checks that nobody in the panel answers; they have no cells.
        already_complete: nothing was missing when it was started.
        seconds: how long it took this time.
    """

    folder: Path
    total: int
    statuses: Mapping[str, int]
    reasons: Mapping[tuple[str, str], int] = field(default_factory=dict)
    too_long: int = 0
    asked: int = 0
    videos: Mapping[str, str] = field(default_factory=dict)
    unasked: tuple[str, ...] = ()
    already_complete: bool = False
    seconds: float = 0.0

    @property
    def done(self) -> int:
        """Return the number of cells that need nothing more."""
        return sum(n for status, n in self.statuses.items() if status != "failed")

    @property
    def failed(self) -> int:
        """Return the number of cells that a resume would ask again."""
        return self.statuses.get("failed", 0)

    def __str__(self) -> str:
        """Say it in one or two sentences."""
        if self.already_complete:
            return (
                f"{self.folder} is already complete ({self.done} of {self.total}). "
                "To ask again, choose another folder or delete this one."
            )
        counts = ", ".join(f"{n} {status}" for status, n in self.statuses.items())
        if self.too_long:
            counts += f"; {self.too_long} of the filtered are too long for their model"
        again = f" Run it again to ask the {self.failed} failed once more." if self.failed else ""
        return f"{self.folder}: {self.done} of {self.total} done ({counts or 'none'}).{again}"


class RunInterrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C; everything that came back is stored, and it can be resumed.

    Args:
        summary: where, and how far it is.
    """

    def __init__(self, summary: RunSummary) -> None:
        self.summary = summary
        super().__init__(
            f"Stopped with {summary.done} of {summary.total} done. "
            f"Go on with: vidence resume {summary.folder}"
        )
