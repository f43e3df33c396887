"""Evidence items made of results: what was looked at, when, and how frames were taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vidence.agents._dialogue import Result
from vidence.agents._messages import Said
from vidence.agents._table import Table, Tool
from vidence.agents._times import moment_of, stretches_of
from vidence.annotation.faults import RowError, shown
from vidence.trajectory import EvidenceItem, Sampling

QUESTION = "@question"


@dataclass(frozen=True)
class Asked:
    """What of the record evidence needs: the question, and the length of the video."""

    question: str
    seconds: float | None


def evidence_of(result: Result, message: Said, table: Table, asked: Asked) -> EvidenceItem | None:
    """Return what a result is evidence of, None where it is none.

    A failed call shows nothing; neither does a tool that retrieves nothing, or one that the table
    does not know.
    """
    tool = table.tools.get(result.tool or "")
    if tool is None or tool.kind == "none" or result.failed or result.span[0] == result.span[1]:
        return None
    span = result.span
    if tool.shown == "frames" and message.pictures:
        inside = [p for p in message.pictures if span[0] <= p[0] and p[1] <= span[1]]
        span = (inside[0][0], inside[-1][1]) if inside else span
    fields: dict[str, Any] = {
        "message": result.message,
        "span": span,
        "tool": result.tool,
        "kind": tool.kind,
        "shown": tool.shown,
    }
    if tool.fps is not None and tool.most is not None:
        fields["sampling"] = Sampling(fps=tool.fps, most=tool.most, size=tool.size)
    args = result.call.args if result.call else None
    if args is None and result.echo:
        args = {tool.tag or result.tool or "": result.echo}
    if args is None:
        why = "its call was cut off" if result.call else "the log shows no call for it"
        return EvidenceItem(**fields, obstacle=why)
    if query := _query(args, tool, asked):
        fields["query"] = query
    try:
        fields |= _when(args, tool, table, asked)
    except RowError as error:
        fields["obstacle"] = error.reason
    return EvidenceItem(**fields)


def _query(args: Mapping[str, Any], tool: Tool, asked: Asked) -> str:
    if tool.query is None and tool.query_tag is None:
        return ""
    name = tool.query or tool.query_tag or ""
    value = asked.question if name == QUESTION else args.get(name)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = "\n".join(value)
    if not isinstance(value, str) or not value.strip():
        return ""
    return tool.prompt.replace("{query}", value)


def _when(args: Mapping[str, Any], tool: Tool, table: Table, asked: Asked) -> dict[str, Any]:
    if tool.kind != "frames":
        return {}
    if tool.whole:
        if asked.seconds is None:
            raise RowError("unclear_time", "it looked at the whole video, whose length is unknown")
        return {"start": 0.0, "end": asked.seconds}
    value, video = _given(args, tool), None
    fields: dict[str, Any] = {"raw_interval": _raw(value)}
    if tool.moment is not None and args.get(tool.moment) is not None:
        time, video = moment_of(value, tool, table.days)
        fields |= {"start": time, "end": time, "times": (time,)}
    else:
        found, video = stretches_of(value, tool, table.days)
        fields |= {"start": min(a for a, _ in found), "end": max(b for _, b in found)}
        if len(found) > 1:
            fields["stretches"] = found
    return {**fields, **({"video": video} if video else {})}


def _given(args: Mapping[str, Any], tool: Tool) -> Any:
    """Return the argument, or the pair of arguments, that holds the times.

    Raises:
        RowError: it is not there.
    """
    for name in (tool.interval, tool.moment):
        if name is not None and args.get(name) is not None:
            return args[name]
    if tool.start is not None and tool.end is not None:
        pair = [args.get(tool.start), args.get(tool.end)]
        if None not in pair:
            return pair
    names = [n for n in (tool.interval, tool.moment, tool.start, tool.end) if n]
    raise RowError(
        "unclear_time",
        f"its call has no {' or '.join(names) or 'time'}; it has {shown(sorted(args), 120)}",
    )


def _raw(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return ", ".join(_raw(item) for item in value)
    return str(value)
