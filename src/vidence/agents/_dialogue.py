"""Calls, results and answers in the messages of a log, as a table describes them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vidence.agents._messages import Said, arguments_of
from vidence.agents._table import Table
from vidence.annotation.faults import RowError, shown

Span = tuple[int, int]
_NAME = re.compile(r"""["']name["']\s*:\s*["']([^"'\n]{1,100})["']""", re.I)
_AGENT = ("assistant", "gpt", "model", "agent")
_MOST_PYTHON = 1 << 16


@dataclass(frozen=True)
class Call:
    """A call of a tool; `args` is None where they were cut off."""

    tool: str | None
    args: dict[str, Any] | None
    raw: str
    message: int
    span: Span
    call_id: str | None = None


@dataclass(frozen=True)
class Result:
    """What a call gave; `call` is None where the log shows none."""

    tool: str | None
    call: Call | None
    message: int
    span: Span
    failed: bool
    call_id: str | None = None
    echo: str = ""


def by_agent(message: Said) -> bool:
    """Say whether a message is the agent's own."""
    return message.role.lower() in _AGENT


def thoughts(message: Said, table: Table) -> list[Span]:
    """Return the spans of closed thinking; what a mark that is never closed hides is unknown."""
    found = []
    for tag in table.think:
        for match in re.finditer(f"<{re.escape(tag)}>", message.text):
            end = message.text.find(f"</{tag}>", match.end())
            if end >= 0:
                found.append((match.start(), end + len(tag) + 3))
    return sorted(found)


def calls_of(message: Said, number: int, table: Table) -> list[Call]:
    """Return the calls of one of the agent's messages, in order; none inside its thinking."""
    found: list[Call] = []
    if "api" in table.calls.styles:
        found += [Call(c.tool, c.args, c.raw, number, c.span, c.call_id) for c in message.calls]
    api = [call.span for call in message.calls]
    hidden = thoughts(message, table)
    if "json" in table.calls.styles:
        found += _json_calls(message.text, number, table, [*hidden, *api])
    if "tags" in table.calls.styles:
        found += _tag_calls(message.text, number, table, hidden)
    found.sort(key=lambda call: call.span)
    return found[-1:] if table.calls.take == "last" else found


def _inside(place: int, spans: Sequence[Span]) -> bool:
    return any(start <= place < end for start, end in spans)


def _json_calls(text: str, number: int, table: Table, hidden: Sequence[Span]) -> Iterator[Call]:
    tag = table.calls.tag
    for match in re.finditer(f"<{re.escape(tag)}>", text):
        if _inside(match.start(), hidden):
            continue
        end = text.find(f"</{tag}>", match.end())
        raw = text[match.end() :] if end < 0 else text[match.end() : end]
        span = (match.start(), len(text) if end < 0 else end + len(tag) + 3)
        value = _object(raw)
        if value is None:
            name = _NAME.search(raw)
            yield Call(name[1] if name else None, None, raw, number, span)
            continue
        by_name = {str(key).lower(): item for key, item in value.items()}
        tool = by_name.get("name")
        args = by_name.get("arguments")
        if isinstance(args, str):
            args = _object(args)
        given = arguments_of(args) if "arguments" in by_name else {}
        yield Call(tool if isinstance(tool, str) else None, given, raw, number, span)


def _object(raw: str) -> dict[Any, Any] | None:
    """Return an object written as JSON or as a Python literal, never as code."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        try:
            value = ast.literal_eval(raw.strip()) if len(raw) <= _MOST_PYTHON else None
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            value = None
    return value if isinstance(value, dict) else None


def _tag_calls(text: str, number: int, table: Table, hidden: Sequence[Span]) -> Iterator[Call]:
    for tag, name in table.by_tag().items():
        for match in re.finditer(f"<{re.escape(tag)}>", text):
            if _inside(match.start(), hidden):
                continue
            end = text.find(f"</{tag}>", match.end())
            if end < 0:
                raw = text[match.end() :]
                yield Call(name, None, raw, number, (match.start(), len(text)))
                continue
            raw, stop = text[match.end() : end], end + len(tag) + 3
            args: dict[str, Any] = {tag: raw.strip()}
            asks = table.tools[name].query_tag
            if asks is not None:
                opened = re.compile(rf"\s*<{re.escape(asks)}>").match(text, stop)
                closed = text.find(f"</{asks}>", opened.end()) if opened else -1
                if opened and closed >= 0:
                    args[asks] = text[opened.end() : closed].strip()
                    stop = closed + len(asks) + 3
            yield Call(name, args, raw, number, (match.start(), stop))


def paired(messages: Sequence[Said], table: Table) -> tuple[list[Call], list[Result]]:
    """Return all calls, and all results with the calls that they belong to.

    A result with an id belongs to the call of this id; one that repeats its call to that one; any
    other to the first call of its tool that waits.

    Raises:
        RowError: two calls have one id, or a result names an id that no call before it has, or
            one that has its result already.
    """
    calls: list[Call] = []
    results: list[Result] = []
    waiting: list[Call] = []
    known: dict[str, Call] = {}
    for number, message in enumerate(messages):
        if by_agent(message):
            waiting = []  # what was not answered before the agent went on never is
            for call in calls_of(message, number, table):
                if call.call_id is not None and call.call_id in known:
                    raise RowError(
                        "unreadable_row",
                        f"message {number}: two calls have the id {shown(call.call_id)}",
                    )
                if call.call_id is not None:
                    known[call.call_id] = call
                calls.append(call)
                waiting.append(call)
            continue
        for result in _results(message, number, table):
            owner = _owner(result, waiting, known, results)
            if owner is not None and owner in waiting:
                waiting.remove(owner)
            tool = result.tool or (owner.tool if owner else None)
            results.append(
                Result(tool, owner, number, result.span, result.failed, result.call_id, result.echo)
            )
    return calls, results


def _owner(
    result: Result, waiting: list[Call], known: dict[str, Call], before: Sequence[Result]
) -> Call | None:
    if result.call_id is not None and known:
        call = known.get(result.call_id)
        if call is None:
            raise RowError(
                "unreadable_row",
                f"message {result.message}: a result for the unknown call {shown(result.call_id)}",
            )
        if any(other.call is call for other in before):
            raise RowError(
                "unreadable_row",
                f"message {result.message}: a second result for the call {shown(result.call_id)}",
            )
        return call
    mine = [c for c in waiting if result.tool is None or c.tool in (None, result.tool)]
    echoed = [c for c in mine if result.echo and c.raw.strip() == result.echo.strip()]
    if echoed:
        return echoed[0]
    if result.echo:
        return None
    return mine[0] if mine else None


def _results(message: Said, number: int, table: Table) -> Iterator[Result]:
    form = table.results
    text = message.text
    if message.role.lower() in form.roles:
        span = _trimmed(text, 0, len(text))
        failed = message.failed or _failed(text[span[0] :], table)
        yield Result(message.name, None, number, span, failed, message.call_id)
        return
    if form.tag is not None:
        for match in re.finditer(f"<{re.escape(form.tag)}>", text):
            end = text.find(f"</{form.tag}>", match.end())
            span = _trimmed(text, match.end(), len(text) if end < 0 else end)
            if span[0] < span[1]:
                yield Result(None, None, number, span, _failed(text[span[0] :], table))
    yield from _formed(text, number, table)


def _formed(text: str, number: int, table: Table) -> Iterator[Result]:
    """Yield results that begin by a form; each reaches to the next one, or to what ends them."""
    names = table.by_tag()
    found = []
    for form in table.results.forms:
        for match in re.finditer(form.pattern, text):
            groups = match.groupdict()
            tag = groups.get("tool")
            tool = form.tool or (names.get(tag, tag) if tag else None)
            found.append((match.start(), match.end(), tool, groups.get("call") or "", False))
    for pattern in table.results.failed:
        for match in re.finditer(pattern, text, re.M):
            if match.start() == 0 or text[match.start() - 1] == "\n":
                groups = match.groupdict()
                tool = names.get(groups.get("tool") or "", groups.get("tool"))
                found.append((match.start(), match.start(), tool, groups.get("call") or "", True))
    found.sort(key=lambda item: item[0])
    stops = [m.start() for end in table.results.ends for m in re.finditer(end, text)]
    for i, (_, begin, tool, echo, failed) in enumerate(found):
        last = found[i + 1][0] if i + 1 < len(found) else len(text)
        last = min([last, *(stop for stop in stops if stop > begin)])
        yield Result(tool, None, number, _trimmed(text, begin, last), failed, echo=echo)


def _failed(words: str, table: Table) -> bool:
    return any(re.match(pattern, words) for pattern in table.results.failed)


def _trimmed(text: str, start: int, end: int) -> Span:
    words = text[start:end]
    left = len(words) - len(words.lstrip())
    return (start, start) if left == len(words) else (start + left, start + len(words.rstrip()))


@dataclass(frozen=True)
class Answered:
    """An answer of the agent's.

    Args:
        raw: its words.
        message: where.
        span: characters of the words with their marks.
        cut: the mark was never closed.
    """

    raw: str
    message: int
    span: Span
    cut: bool = False


def answers_of(messages: Sequence[Said], calls: Sequence[Call], table: Table) -> list[Answered]:
    """Return all answers of a log in their order; none that stands inside thinking."""
    found: list[Answered] = []
    for call in calls:
        tool = table.tools.get(call.tool or "")
        if tool is not None and tool.answer is not None:
            value = call.raw if call.args is None else call.args.get(tool.answer)
            raw = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            if value is not None:
                found.append(Answered(raw, call.message, call.span, call.args is None))
    tag = table.answer.tag
    for number, message in enumerate(messages):
        if not tag or not by_agent(message):
            continue
        hidden = thoughts(message, table)
        for match in re.finditer(f"<{re.escape(tag)}>", message.text):
            if not _inside(match.start(), hidden):
                end = message.text.find(f"</{tag}>", match.end())
                stop = len(message.text) if end < 0 else end
                span = (match.start(), stop if end < 0 else stop + len(tag) + 3)
                raw = message.text[match.end() : stop]
                found.append(Answered(raw, number, span, end < 0))
    found.sort(key=lambda answer: (answer.message, answer.span))
    if not found and table.answer.last_message and messages:
        last = len(messages) - 1
        called = any(call.message == last for call in calls)
        if by_agent(messages[last]) and not called and messages[last].text.strip():
            text = messages[last].text
            cut = messages[last].finish == "length"
            found.append(Answered(text, last, (0, len(text)), cut))
    return found
