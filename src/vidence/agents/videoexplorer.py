"""VideoExplorer, which is VideoDeepResearch: calls and results are tags in the messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vidence.agent_log import Found, Read, agent_log
from vidence.agents._build import trajectory_of
from vidence.agents._files import Record, found_in
from vidence.agents._table import load_table
from vidence.trajectory import Trajectory

NAME = "videoexplorer"


def _with_table(name: str | Path) -> Read:
    table = load_table(name)

    def make(record: Record, key: str, where: str) -> Trajectory:
        return trajectory_of(record, key, where, table, NAME)

    return lambda path: found_in(path, make)


@agent_log(NAME, with_table=_with_table)
def read(path: Path) -> Iterator[Found]:
    """VideoExplorer (VideoDeepResearch): a list, or an object with processed_results."""
    return _with_table(NAME)(path)
