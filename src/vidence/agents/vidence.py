"""The neutral form itself: one trajectory a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from vidence.agent_log import Found, agent_log
from vidence.agents._files import Record, found_in
from vidence.trajectory import Trajectory


@agent_log("vidence")
def read(path: Path) -> Iterator[Found]:
    """Vidence's own form of trajectories, JSONL (docs/trajectory.schema.json)."""
    return found_in(path, _make)


def _make(record: Record, key: str, where: str) -> Trajectory:
    return Trajectory.model_validate(record, strict=False)
