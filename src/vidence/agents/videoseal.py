"""VideoSEAL: one trajectory.json a question, a list of steps with action and observation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vidence.agent_log import Found, Read, Unread, agent_log
from vidence.agents._build import trajectory_of
from vidence.agents._files import Record, found_in
from vidence.agents._table import Table, load_table
from vidence.annotation.faults import RowError, shown
from vidence.annotation.reading import decode
from vidence.errors import CaseError
from vidence.trajectory import Trajectory

NAME = "videoseal"
_FILE = "trajectory.json"


def _with_table(name: str | Path) -> Read:
    table = load_table(name)

    def make(record: Record, key: str, where: str) -> Trajectory:
        return _made(record, key, where, table)

    def read_all(path: Path) -> Iterator[Found]:
        if path.is_file():
            yield from found_in(path, make)
            return
        files = sorted(path.rglob(_FILE))
        if not files:
            raise CaseError(f"{path} holds no {_FILE}. Name the folder of the runs.")
        there = set()
        for file in files:
            place = file.relative_to(path).as_posix()
            for found in found_in(file, lambda r, k, w, at=place: make(r, k, at)):  # type: ignore[misc]
                if isinstance(found, Unread):
                    yield Unread(place, found.reason, found.qid, found.scored)
                else:
                    there.add(found.sample.qid)
                    yield found
        yield from _without_trace(path, there)

    return read_all


@agent_log(NAME, with_table=_with_table, folders=True)
def read(path: Path) -> Iterator[Found]:
    """VideoSEAL: a trajectory.json, or the folder of all of them with their preds/."""
    return _with_table(NAME)(path)


def _without_trace(folder: Path, there: set[str]) -> Iterator[Unread]:
    """Yield the predictions of `preds/` whose trajectory is not on disk."""
    for file in sorted(folder.rglob("preds/*.json")):
        try:
            value = decode(file.read_text(encoding="utf-8-sig", errors="surrogateescape"))
        except (OSError, ValueError, RecursionError):
            value = None
        uid = value.get("uid") if isinstance(value, Mapping) else None
        qid = str(uid) if isinstance(uid, str | int) and uid != "" else file.stem
        if qid not in there:
            place = file.relative_to(folder).as_posix()
            yield Unread(place, "a prediction, but no trajectory", qid, scored=True)


def _made(record: Record, key: str, where: str, table: Table) -> Trajectory:
    steps = record.get("steps")
    if not isinstance(steps, list):
        raise RowError("unreadable_row", f"the steps are {shown(steps)}, a list is needed")
    messages = _messages(record, steps)
    made = trajectory_of({**record, "messages": messages}, key, where, table, NAME)
    return _by_its_looker(made)


def _messages(record: Record, steps: list[Any]) -> list[dict[str, Any]]:
    """Return the dialogue that the steps stand for.

    A step's `chat_prompt` repeats what came before it and is left out.
    """
    found: list[dict[str, Any]] = []
    if isinstance(record.get("system_prompt"), str) and record["system_prompt"]:
        found.append({"role": "system", "content": record["system_prompt"]})
    question, reference = record.get("question"), record.get("time_reference")
    if isinstance(question, str):
        asked = f"[Time reference: {reference}]\n{question}" if reference else question
        found.append({"role": "user", "content": asked})
    for number, step in enumerate(steps):
        if not isinstance(step, Mapping):
            raise RowError("unreadable_row", f"step {number} is {shown(step)}, no object")
        words, action, seen = (step.get(n) for n in ("model_response", "action", "observation"))
        text = words if isinstance(words, str) else ""
        if text.lstrip().startswith('{"tool_calls"'):  # the step's action has the call
            text = ""
        said: dict[str, Any] = {"role": "assistant", "content": text}
        if isinstance(action, Mapping) and "<tool_call>" not in text:
            said["tool_calls"] = [{"function": action}]
        found.append(said)
        if isinstance(seen, Mapping):
            failed = seen.get("ok") is False or seen.get("error") not in (None, "")
            output = seen.get("error") if failed else seen.get("output")
            given = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
            found.append({"role": "tool", "content": given, "is_error": failed})
    return found


def _by_its_looker(made: Trajectory) -> Trajectory:
    """Let the frames stand for the words where the tool that looked gave the answer itself.

    The run's answer is then what the last look said, so a replay shows the answerer the frames of
    that look in place of its words.
    """
    answer = made.answer
    committed = any(event.type == "answer" for event in made.events)
    if committed or answer.raw is None or not made.evidence:
        return made
    last = max(range(len(made.evidence)), key=lambda i: made.evidence[i].message)
    item = made.evidence[last]
    words = made.messages[item.message].text
    ended = item.message == len(made.messages) - 1
    if item.kind != "frames" or not ended or answer.raw.strip() not in words:
        return made
    whole = item.model_copy(update={"shown": "frames", "span": (0, len(words))})
    evidence = tuple(whole if i == last else e for i, e in enumerate(made.evidence))
    placed = answer.model_copy(update={"message": item.message + 1})
    changed = made.model_copy(update={"evidence": evidence, "answer": placed})
    return Trajectory.model_validate(changed.model_dump())
