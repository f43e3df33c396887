"""Every error that Vidence raises on purpose.

    VidenceError                 exit code
    |-- UsageError                   2   the caller asked for something impossible
    |   |-- UnknownNameError         2   a name that no registry holds, with "did you mean"
    |   |-- CaseError                2   a case file that cannot be read as cases
    |   `-- PanelError               2   a panel file that cannot be read as a panel
    |-- MediaError                   -   one video or sound; a run turns it into counted records
    |-- NotApplicableError           -   a probe has nothing to show for one case; counted too
    |-- AnswererError                3   a model or its service
    |   |-- UnreachableError         3   nothing answers there: the run stops
    |   `-- RejectedError            3   it refuses all requests of this kind: the run stops
    |-- NothingMeasuredError         3   a run ended without one usable reply
    `-- StoreError                   4   the run folder
        |-- RunLockedError           4   another process writes there
        |-- RunMismatchError         4   the folder holds another run
        `-- StoreFullError           4   the disk is full

A message has three parts: what came, what is allowed, what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from os import PathLike
from pathlib import Path


class VidenceError(Exception):
    """Base of all errors raised on purpose; `exit_code` is what the command line returns."""

    exit_code = 1


class UsageError(VidenceError):
    """The caller asked for something that cannot be done as asked."""

    exit_code = 2


class UnknownNameError(UsageError):
    """A name is in no registry.

    Args:
        kind: what was looked for, singular (`"probe"`).
        name: what came.
        known: the names that exist.
        see: the command or page that lists them.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], see: str = "") -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        folded = {known.casefold(): known for known in self.known}
        close = [
            folded[match] for match in get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
        ]
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listing = f" See: {see}." if see else f" Known: {', '.join(self.known) or 'none'}."
        super().__init__(f"Unknown {kind} {name!r}.{hint}{listing}")


class CaseError(UsageError):
    """A case file holds something that is not a case."""


class PanelError(UsageError):
    """A panel file does not describe a panel."""


class MediaError(VidenceError):
    """One video or sound cannot be used.

    Args:
        path: the file or folder.
        problem: what is wrong with it.
        advice: what to do.
    """

    def __init__(self, path: str | PathLike[str], problem: str, advice: str = "") -> None:
        self.path, self.problem, self.advice = Path(path), problem, advice
        super().__init__(f"{self.path.name}: {problem}." + (f" {advice}" if advice else ""))


class NotApplicableError(VidenceError):
    """A probe has nothing to show for this case; the message is the counted reason."""


class AnswererError(VidenceError):
    """A model or its service cannot be used."""

    exit_code = 3


class UnreachableError(AnswererError):
    """Nothing answers at the service's address; a run stops rather than count it as wrong."""


class RejectedError(AnswererError):
    """The service refuses requests of this kind (key, model name, number of images)."""


class NothingMeasuredError(VidenceError):
    """A run ended without one usable reply."""

    exit_code = 3


class StoreError(VidenceError):
    """The run folder cannot be read or written."""

    exit_code = 4


class RunLockedError(StoreError):
    """Another process holds the run folder's lock."""

    def __init__(self, folder: str | PathLike[str], pid: int | None) -> None:
        self.pid = pid
        who = f"process {pid}" if pid is not None else "another process"
        super().__init__(
            f"{folder} is in use by {who}. One process at a time writes a run. "
            "Wait until it ends, or stop it, then run the same command again."
        )


class RunMismatchError(StoreError):
    """The folder holds a run with other cases, checks or answerers."""


class StoreFullError(StoreError):
    """The file system of the run folder is full; everything acknowledged before is kept."""
