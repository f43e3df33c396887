"""Readers of agents' logs: what each makes of a file, and how the answer in it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vidence.answer import Reply
from vidence.errors import CaseError, UsageError
from vidence.parse import parse
from vidence.registry import Registry, first_line
from vidence.trajectory import Committed, Trajectory
from vidence.view import Option, View


@dataclass(frozen=True)
class Unread:
    """A record of a log that is no trajectory.

    Args:
        where: file and place in it.
        reason: what came, and what was needed.
        qid: the question, where it is known.
        scored: the log holds a result for it, but no trace.
    """

    where: str
    reason: str
    qid: str = ""
    scored: bool = False


Found = Trajectory | Unread
Read = Callable[[Path], Iterator[Found]]


@dataclass(frozen=True)
class AgentLog:
    """A form of logs, callable as `log(path, table)`.

    Args:
        name: its id.
        read: reads a log with the form's own table, or without one.
        with_table: for a form that a table describes: `table -> read`; a table is the name of one
            that comes with Vidence, or a TOML file.
        needs_table: whether the form means nothing without one.
        folders: whether a log may be a folder of files.
    """

    name: str
    read: Read
    with_table: Callable[[str | Path], Read] | None = None
    needs_table: bool = False
    folders: bool = False

    def __call__(self, path: Path, table: str | Path | None = None) -> Iterator[Found]:
        """Read a log; what cannot be read in it is yielded with its place and reason.

        Raises:
            CaseError: there is no such file.
            UsageError: a table for a form that takes none, a table that cannot be read, or none
                where one is needed.
        """
        if table is not None and self.with_table is None:
            raise UsageError(
                f"A table came for the form {self.name!r}, which takes none. Leave --table out."
            )
        if table is None and self.needs_table:
            raise UsageError(
                f"The form {self.name!r} needs a table that names the agent's tools: --table NAME "
                "for one that comes with Vidence, or a TOML file (docs/agent-logs.md)."
            )
        if not path.exists():
            raise CaseError(f"{path} is not there. Check the path.")
        if path.is_dir() and not self.folders:
            raise CaseError(
                f"{path} is a folder; a log of the form {self.name!r} is a file. Name its files."
            )
        read = self.read
        if table is not None and self.with_table is not None:
            read = self.with_table(table)
        yield from read(path)

    @property
    def description(self) -> str:
        """The first line of the function's docstring."""
        return first_line(self.read)

    @property
    def defaults(self) -> Mapping[str, Any]:
        """What `vidence list agent_logs` shows beside the description."""
        return {"table": "needed" if self.needs_table else "own"} if self.with_table else {}


AGENT_LOGS: Registry[AgentLog] = Registry(
    "agent_log", packages=("vidence.agents",), group="vidence.agents"
)


def agent_log(
    name: str,
    *,
    with_table: Callable[[str | Path], Read] | None = None,
    needs_table: bool = False,
    folders: bool = False,
) -> Callable[[Read], Read]:
    """Return a decorator that registers a reader; the function itself stays as it is."""

    def register(read: Read) -> Read:
        AGENT_LOGS.add(name, AgentLog(name, read, with_table, needs_table, folders))
        return read

    return register


def answer_read(answer: Committed, options: tuple[str, ...], *, cut: bool = False) -> Committed:
    """Return an answer with its words read against the options, or with why they cannot be.

    Args:
        answer: of which `raw` counts; a position from before is dropped.
        options: texts, A first.
        cut: the log says that the words were cut off.
    """
    if answer.raw is None:
        return answer.model_copy(update={"position": None})
    if not options:
        return answer.model_copy(update={"position": None, "why_not": "the options are not known"})
    view = View("", tuple(Option(i, text) for i, text in enumerate(options)))
    found = parse(Reply(text=answer.raw, finish_reason="length" if cut else None), view)
    position = found.value if found.status == "ok" and isinstance(found.value, int) else None
    why = None if position is not None else f"{found.status}: {found.reason}"
    return answer.model_copy(update={"position": position, "why_not": why})
