"""A record of a log, read by its table, as a trajectory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from vidence.agent_log import answer_read
from vidence.agents._dialogue import Answered, Call, Result, answers_of, by_agent, paired, thoughts
from vidence.agents._evidence import Asked, evidence_of
from vidence.agents._files import NoTraceError, Record
from vidence.agents._messages import Said, said
from vidence.agents._table import Fields, Table
from vidence.annotation.faults import RowError, shown
from vidence.annotation.keys import by_any, by_index, by_letter, by_text
from vidence.annotation.options import split_question, without_letters
from vidence.annotation.row import as_number, as_texts
from vidence.seeds import digest
from vidence.trajectory import (
    Committed,
    Event,
    Film,
    Message,
    Model,
    Provenance,
    Run,
    Sample,
    Stop,
    Trajectory,
)

_KEYS = {"letter": by_letter, "text": by_text, "number": by_index, "any": by_any}
_TIGHT = re.compile(r"\s*\(?([A-Z])[.):]\s*(?=\S)")
_OURS = ("answered", "step_limit", "length", "timeout", "error")


def pick(record: Record, names: Sequence[str]) -> Any:
    """Return the first field that is there and not null; dots go inside."""
    for name in names:
        value: Any = record
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None


def trajectory_of(record: Record, key: str, where: str, table: Table, reader: str) -> Trajectory:
    """Return a record's trajectory.

    Raises:
        NoTraceError: it has no messages.
        RowError: they contradict themselves.
        ValidationError: its parts do not fit together.
    """
    raw = pick(record, table.record.messages)
    if raw is None or raw == []:
        raise NoTraceError(_text(pick(record, table.record.qid)), _result(record, table))
    if not isinstance(raw, list):
        raise RowError("unreadable_row", f"the messages are {shown(raw)}, a list is needed")
    notes: list[str] = []
    sample = _sample(record, key, table, notes)
    messages = [said(value, number, where) for number, value in enumerate(raw)]
    calls, results = paired(messages, table)
    answers = answers_of(messages, calls, table)
    asked = Asked(sample.question, sample.video.seconds)
    evidence = [evidence_of(r, messages[r.message], table, asked) for r in results]
    answer = _answer(record, messages, results, answers, table, notes)
    notes += _notes(messages, calls, evidence)
    file = where.split(", ")[0]
    return Trajectory(
        run=_run(record, table),
        sample=sample,
        messages=tuple(Message(role=m.role, text=m.text, source=m.source) for m in messages),
        events=tuple(_events(messages, calls, results, answers, table)),
        evidence=tuple(item for item in evidence if item is not None),
        answer=answer_read(answer, sample.options, cut=bool(answers) and answers[-1].cut),
        stop=_stop(record, messages, answers, table, notes),
        notes=tuple(notes),
        provenance=Provenance(reader=reader, file=file, place=where[len(file) + 2 :]),
    )


def _result(record: Record, table: Table) -> str:
    for what, names in (("a score", table.record.score), ("an answer", table.record.answer)):
        value = pick(record, names)
        if value is not None:
            return f"{what} ({shown(value, 20)})"
    return ""


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _run(record: Record, table: Table) -> Run:
    model = _text(pick(record, table.record.model))
    return Run(
        agent=table.agent,
        models=(Model(role="planner", name=model),) if model else (),
        created=_text(pick(record, table.record.created)) or None,
    )


def _sample(record: Record, key: str, table: Table, notes: list[str]) -> Sample:
    names = table.record
    question = _text(pick(record, names.question))
    options = _options(pick(record, names.options), notes)
    if not options and question:
        question, options = _inside(question)
    film = _film(record, names, notes)
    qid = key or _text(pick(record, names.qid))
    if not qid:
        qid = f"{film.id}-{digest('question', film.id, question)[:12]}"
        notes.append("the log has no id of the question: it is named by its video and its words")
    gold = pick(record, names.gold)
    position = None
    if gold is not None and options:
        try:
            position = _KEYS[table.gold](gold, options)
        except RowError as error:
            notes.append(f"the key in the log cannot be read: {error.reason}")
    return Sample(
        qid=qid,
        video=film,
        question=question,
        options=options,
        gold=position,
        tags={tag: _text(pick(record, (field,))) for tag, field in names.tags.items()},
    )


def _film(record: Record, names: Fields, notes: list[str]) -> Film:
    path = _text(pick(record, names.path))
    name = _text(pick(record, names.video))
    found = name or PurePosixPath(path.replace("\\", "/")).stem
    if not found:
        notes.append("the log does not name the video")
    length = as_number(pick(record, names.seconds))
    return Film(
        id=found, path=path or name or None, seconds=length if length and length > 0 else None
    )


def _options(value: Any, notes: list[str]) -> tuple[str, ...]:
    if value is None or value == []:
        return ()
    try:
        texts = as_texts(value, "options")
    except RowError as error:
        notes.append(error.reason)
        return ()
    cut = without_letters(texts)
    if cut != texts:
        return tuple(cut)
    found = [_TIGHT.match(text) for text in texts]
    letters = [match[1] for match in found if match]
    if letters == [chr(65 + i) for i in range(len(texts))]:
        return tuple(t[m.end() :] for t, m in zip(texts, found, strict=True) if m)
    return tuple(texts)


def _inside(question: str) -> tuple[str, tuple[str, ...]]:
    """Return a question and the options that its text holds, if it holds any."""
    for form in ("(A) ", "A. ", "A) "):
        try:
            words, options = split_question(question, form)
        except RowError:
            continue
        if len(options) > 1:
            return words, tuple(options)
    return question, ()


def _answer(
    record: Record,
    messages: Sequence[Said],
    results: Sequence[Result],
    answers: Sequence[Answered],
    table: Table,
    notes: list[str],
) -> Committed:
    apart = pick(record, table.record.answer)
    apart = _text(apart) if not isinstance(apart, list | dict) else ""
    if answers:
        last = answers[-1]
        if apart and apart.strip() != last.raw.strip():
            notes.append(f"the record's answer is {shown(apart, 60)}, its last message's another")
        return Committed(raw=last.raw, message=_first_telling(answers, results))
    if not apart:
        return Committed()
    own = [number for number, message in enumerate(messages) if by_agent(message)]
    notes.append("the answer stands beside the messages; the last of the agent's may tell it")
    return Committed(raw=apart, message=own[-1] if own else len(messages))


def _first_telling(answers: Sequence[Answered], results: Sequence[Result]) -> int:
    """Return the first message of the answers after which nothing was retrieved.

    An agent that revises its answer has told it before; what comes between two looks is taken out
    where the dialogue is shown.
    """
    looked = max((r.message for r in results if r.message < answers[-1].message), default=-1)
    return min(answer.message for answer in answers if answer.message > looked)


def _events(
    messages: Sequence[Said],
    calls: Sequence[Call],
    results: Sequence[Result],
    answers: Sequence[Answered],
    table: Table,
) -> list[Event]:
    found = [
        Event(type="think", message=number, span=span)
        for number, message in enumerate(messages)
        if by_agent(message)
        for span in thoughts(message, table)
    ]
    found += [
        Event(
            type="tool_call",
            message=call.message,
            span=call.span,
            tool=call.tool,
            args=call.args,
            call_id=call.call_id,
            error="its arguments are cut off or no object" if call.args is None else None,
        )
        for call in calls
    ]
    for result in results:
        start, end = result.span
        words = messages[result.message].text[start:end]
        found.append(
            Event(
                type="tool_result",
                message=result.message,
                span=result.span,
                tool=result.tool,
                call_id=result.call_id,
                ok=not result.failed,
                error=words[:200] if result.failed else None,
            )
        )
    found += [Event(type="answer", message=a.message, span=a.span) for a in answers]
    return sorted(found, key=lambda event: (event.message, event.span or (0, 0)))


def _notes(messages: Sequence[Said], calls: Sequence[Call], evidence: Sequence[Any]) -> list[str]:
    found = []
    for call in calls:
        if call.args is None:
            name = call.tool or "a tool"
            found.append(f"message {call.message}: the arguments of {name} are cut off")
    places = {item.message for item in evidence if item is not None}
    for number, message in enumerate(messages):
        if message.pictures and number not in places:
            found.append(f"message {number} shows pictures that are not part of a replay")
        if message.left_out:
            names = ", ".join(message.left_out)
            found.append(f"message {number}: {names} is left out of the dialogue")
    return found


def _stop(
    record: Record,
    messages: Sequence[Said],
    answers: Sequence[Answered],
    table: Table,
    notes: list[str],
) -> Stop:
    """Return why the run ended: as the log says, by its mark of an answer, else unknown."""
    word = _text(pick(record, table.record.stop))
    if word:
        known = table.stops.get(word, word)
        for stop in _OURS:
            if known == stop:
                return stop  # type: ignore[return-value]
    if answers:
        return "answered"
    for stop, pattern in table.marks.items():
        if any(re.search(pattern, m.text) for m in messages) or re.search(pattern, word):
            return stop
    if messages and by_agent(messages[-1]) and messages[-1].finish in ("length", "max_tokens"):
        return "length"
    if word:
        notes.append(f"the log says that it ended by {shown(word, 60)}, which is not known here")
    return "unknown"
