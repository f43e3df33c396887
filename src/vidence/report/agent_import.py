"""What an import of agents' logs says, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vidence.report.untrusted import visible

if TYPE_CHECKING:
    from vidence.audits.agent_import import Imported

_SHOWN = 200


def lines(done: Imported) -> Iterator[str]:
    """Yield the summary, then one line a question that cannot be replayed."""
    for line in _lines(done):
        yield visible(line)


def _lines(done: Imported) -> Iterator[str]:
    data = done.to_json()
    n = data["counts"]
    agents = ", ".join(data["agents"])
    yield f"import    {agents} -> {data['run']}"
    yield (
        f"read      {n['trajectories']:,} trajectories of {n['records']:,} records "
        f"({n['added']:,} added, {n['repeated']:,} repeated, {n['unread']:,} unread)"
    )
    yield (
        f"answered  {n['answered']:,} of {n['trajectories']:,}; {n['scored']:,} have a key, "
        f"{n['right']:,} are right"
    )
    yield f"evidence  {n['evidence']:,} items, {n['calls']:,} calls, {n['failed_calls']:,} failed"
    yield f"eligible  {n['eligible']:,} of {n['trajectories']:,} on {n['videos']:,} videos"
    for reason, count in data["reasons"].items():
        yield f"          {count:,} not: {reason}"
    out = [q for q in data["questions"] if not q["eligible"]]
    for question in out[:_SHOWN]:
        yield f"not       {question['qid']}: {question['reason']}: {question['detail']}"[:400]
    if len(out) > _SHOWN:
        yield f"          and {len(out) - _SHOWN:,} more, in eligibility.json"


def warnings(done: Imported) -> Iterator[str]:
    """Yield what should be known before the numbers are believed."""
    for line in _warnings(done):
        yield visible(line)


def _warnings(done: Imported) -> Iterator[str]:
    if done.unread:
        first = done.unread[0]
        yield (
            f"{len(done.unread):,} records are no trajectory; the first: {first.where}: "
            f"{first.reason}"
        )
    for conflict in done.conflicts[:5]:
        places = "; ".join(conflict.where)
        yield f"{conflict.qid} has different runs and was left out: {places}"
    if len(done.conflicts) > 5:
        yield f"{len(done.conflicts) - 5:,} more questions have different runs"
    if done.not_on_disk:
        some = ", ".join(done.not_on_disk[:5])
        yield f"{len(done.not_on_disk):,} questions have a result, but no trace: {some}"
    if done.missing:
        some = ", ".join(done.missing[:5])
        yield f"{len(done.missing):,} questions of the benchmark have no trajectory: {some}"
