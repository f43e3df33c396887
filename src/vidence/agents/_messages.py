"""Messages of a log as words, with what is no word marked in place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vidence.annotation.faults import RowError, shown

_WORDS = ("text", "input_text", "output_text")


@dataclass(frozen=True)
class ApiCall:
    """A call of a message's field `tool_calls`.

    Args:
        tool: its name, None where the field lacks it.
        args: null where they were cut off or are no object.
        raw: the arguments as they stand.
        call_id: its name.
        span: characters of the message.
    """

    tool: str | None
    args: dict[str, Any] | None
    raw: str
    call_id: str | None
    span: tuple[int, int]


@dataclass(frozen=True)
class Said:
    """One message.

    Args:
        role: as the log has it.
        text: its words; calls of the field `tool_calls` are written behind them.
        source: where it stands.
        calls: of the field `tool_calls`.
        pictures: spans of the marks that stand for pictures.
        call_id, name: whose result it is.
        finish: why it ended.
        failed: the log says that the call failed.
        left_out: fields with words that are not part of the dialogue.
    """

    role: str
    text: str
    source: str
    calls: tuple[ApiCall, ...] = ()
    pictures: tuple[tuple[int, int], ...] = ()
    call_id: str | None = None
    name: str | None = None
    finish: str | None = None
    failed: bool = False
    left_out: tuple[str, ...] = ()


def said(value: Any, number: int, where: str) -> Said:
    """Return a message.

    Raises:
        RowError: it is no object, or has no role.
    """
    if not isinstance(value, Mapping):
        raise RowError("unreadable_row", f"message {number} is {shown(value)}, no object")
    role = value.get("role", value.get("from"))
    if not isinstance(role, str) or not role.strip():
        raise RowError("unreadable_row", f"message {number} has no role")
    text, pictures = _words(value.get("content", value.get("value")), number)
    calls: list[ApiCall] = []
    listed = value.get("tool_calls") or []
    if isinstance(value.get("function_call"), Mapping):
        listed = [{"function": value["function_call"]}]
    if not isinstance(listed, list):
        raise RowError("unreadable_row", f"message {number}: tool_calls is {shown(listed)}")
    for item in listed:
        text, call = _call(item, number, text)
        calls.append(call)
    return Said(
        role=role,
        text=text,
        source=f"{where}, message {number}",
        calls=tuple(calls),
        pictures=tuple(pictures),
        call_id=_text(value.get("tool_call_id")),
        name=_text(value.get("name")),
        finish=_text(value.get("finish_reason", value.get("stop_reason"))),
        failed=value.get("is_error") is True or value.get("status") == "error",
        left_out=tuple(n for n in ("reasoning", "reasoning_content") if _text(value.get(n))),
    )


def _words(content: Any, number: int) -> tuple[str, list[tuple[int, int]]]:
    if content is None:
        return "", []
    if isinstance(content, str):
        return content, []
    if not isinstance(content, list):
        return json.dumps(content, ensure_ascii=False), []
    pieces: list[tuple[str, bool]] = []
    run: list[str] = []

    def close() -> None:
        if run:
            kind = f"{run[0]}s" if len(run) > 1 else run[0]
            pieces.append((f"[{len(run)} {kind}]", run[0] == "picture"))
            run.clear()

    for part in content:
        words, kind = _part(part, number)
        if words is None:
            if run and run[0] != kind:
                close()
            run.append(kind)
        else:
            close()
            pieces.append((words, False))
    close()
    text, marks = "", []
    for words, picture in pieces:
        text += "\n" if text and words else ""
        if picture:
            marks.append((len(text), len(text) + len(words)))
        text += words
    return text, marks


def _part(part: Any, number: int) -> tuple[str | None, str]:
    """Return the words of a part of a message, or None and what it is."""
    if isinstance(part, str):
        return part, ""
    if not isinstance(part, Mapping):
        raise RowError("unreadable_row", f"message {number} holds {shown(part)}")
    kind = str(part.get("type") or next(iter(part), "part"))
    words = part.get("text")
    if isinstance(words, str) and (kind in _WORDS or "type" not in part):
        return words, ""
    if "image" in kind:
        return None, "picture"
    if "video" in kind:
        return None, "video"
    return None, kind if kind.isidentifier() else "part"


def _call(item: Any, number: int, text: str) -> tuple[str, ApiCall]:
    if not isinstance(item, Mapping):
        raise RowError("unreadable_row", f"message {number}: a tool call is {shown(item)}")
    function = item.get("function")
    function = function if isinstance(function, Mapping) else item
    raw = function.get("arguments", function.get("input"))
    args = arguments_of(raw)
    words = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)
    tool = _text(function.get("name"))
    mark = f'<tool_call>{{"name": {json.dumps(tool)}, "arguments": {words}}}</tool_call>'
    start = len(text) + (1 if text else 0)
    text = f"{text}\n{mark}" if text else mark
    return text, ApiCall(tool, args, words, _text(item.get("id")), (start, start + len(mark)))


def arguments_of(raw: Any) -> dict[str, Any] | None:
    """Return arguments as an object, also those that are written as JSON, or None."""
    if isinstance(raw, str):
        try:
            raw = json.loads(raw) if raw.strip() else {}
        except (ValueError, RecursionError):
            return None
    if raw is None:
        return {}
    return {str(k): v for k, v in raw.items()} if isinstance(raw, Mapping) else None


def _text(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None
