"""Logs of messages as the OpenAI interface has them, with a table that names the agent's tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vidence.agent_log import Found, Read, agent_log
from vidence.agents._build import trajectory_of
from vidence.agents._files import Record, found_in
from vidence.agents._table import load_table
from vidence.errors import UsageError
from vidence.trajectory import Trajectory

NAME = "openai"


def _with_table(name: str | Path) -> Read:
    table = load_table(name)

    def make(record: Record, key: str, where: str) -> Trajectory:
        return trajectory_of(record, key, where, table, NAME)

    return lambda path: found_in(path, make)


@agent_log(NAME, with_table=_with_table, needs_table=True)
def read(path: Path) -> Iterator[Found]:
    """Messages with tool calls, JSON or JSONL; a table says what the agent's tools are."""
    raise UsageError(f"{path.name}: the form {NAME!r} needs a table. Name one with --table.")
