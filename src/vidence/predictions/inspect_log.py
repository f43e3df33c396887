"""Inspect: `.eval` and `.json` logs, read by inspect_ai itself (an optional extra)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from vidence.annotation.faults import shown
from vidence.answer import Reply
from vidence.errors import CaseError, UsageError
from vidence.prediction import Log, Prediction, Summary, Wanted, prediction_log
from vidence.predictions._fields import Scores, names_of, reply_of

_WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Inspect's own values of a score: correct, incorrect, partial, no answer."""
_SHUFFLED = re.compile(
    r"Choices were shuffled before generating a response.*?\n\n(?P<shown>.*?)\n"
    r"Shuffled answer:\n(?P<reply>.*)",
    re.DOTALL,
)
"""How its multiple-choice scorer tells that it moved the options, and what the model then said."""
_LETTER = re.compile(r"^[A-Z]\) ", re.MULTILINE)


@prediction_log("inspect")
def read(path: Path, wanted: Wanted) -> Log:
    """Read logs of Inspect (.eval, .json); needs the extra: pip install 'vidence[inspect]'."""
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise UsageError(
            "Logs of Inspect are read by inspect_ai, which is not installed. "
            "Install it: pip install 'vidence[inspect]'."
        ) from None
    if path.suffix.lower() not in (".eval", ".json"):
        raise CaseError(f"{path.name} came; Inspect writes .eval and .json. Give one of these.")
    try:
        # Long texts stand apart as attachments; without this only their names would come.
        log = read_eval_log(str(path), resolve_attachments=True)
    except Exception as error:  # whatever its readers of zip, JSON and its models raise
        first = str(error).split("\n")[0]
        raise CaseError(
            f"{path.name} is no log that inspect_ai can read ({type(error).__name__}: "
            f"{shown(first, 160)}). Fetch it again; a log of a newer version needs a newer "
            "inspect_ai."
        ) from None
    scores = Scores(path.name)
    warnings: list[str] = []
    if log.status != "success":
        why = f": {shown(log.error.message, 120)}" if log.error is not None else ""
        warnings.append(f"{path.name}: the evaluation ended as {log.status!r}{why}.")
    predictions = [
        one
        for sample in log.samples or ()
        for one in _predictions(sample, f"{path.name}, sample {sample.id}", scores, wanted)
    ]
    return Log(
        tuple(predictions),
        model=str(log.eval.model),
        settings=_settings(log),
        summaries=tuple(_summaries(log)),
        warnings=(*warnings, *scores.warnings()),
    )


def _predictions(sample: Any, where: str, scores: Scores, wanted: Wanted) -> Iterator[Prediction]:
    """Yield a reply once for each scorer that read it."""
    where = f"{where}, epoch {sample.epoch}"
    names = _names(sample)
    reply, notes = _reply(sample, wanted), _notes(sample)
    prompt = _prompt(sample)
    found: Mapping[str, Any] = sample.scores or {}
    moved = _moved(found)
    if moved is not None and reply.status == "ok":
        # What the log shows as reply and prompt was rewritten as if nothing had been moved.
        options, said = moved
        names["options"], prompt = options, ""
        reply = Reply(text=said, finish_reason=reply.finish_reason)
        names["gold"] = _text_of(names.get("gold"), sample.choices)
        notes = (*notes, "Inspect moved the options and rewrote the reply; read as it was sent")
    for i, (name, score) in enumerate(found.items() or [("", None)]):
        yield Prediction(
            where,
            reply,
            prompt=prompt,
            parsed=None if score is None else _parsed(score.answer, moved, sample.choices),
            score=None if score is None else _value(score.value, scores, where),
            filter=name if len(found) > 1 or i else "",
            repeat=sample.epoch - 1,
            notes=notes,
            **names,
        )


def _names(sample: Any) -> dict[str, Any]:
    """Return what tells the question: the sample's id, its metadata, input and choices."""
    names = names_of(sample.metadata or {})
    names["ids"] = {"id": str(sample.id), **names.get("ids", {})}
    if "question" not in names:
        names["question"] = sample.input if isinstance(sample.input, str) else _last(sample.input)
    if sample.choices:
        names["options"] = tuple(sample.choices)
    target = sample.target
    if isinstance(target, list):
        target = target[0] if len(target) == 1 else None
    if target:
        names["gold"] = target
    return names


def _last(messages: Any) -> str:
    """Return the words of the last thing that a user said."""
    said = [message.text for message in messages if message.role == "user"]
    return said[-1] if said else ""


def _prompt(sample: Any) -> str:
    """Return the words of all messages before the last reply."""
    messages = list(sample.messages or ())
    while messages and messages[-1].role == "assistant":
        messages.pop()
    return "\n\n".join(message.text for message in messages if message.text)


def _reply(sample: Any, wanted: Wanted) -> Reply:
    output = sample.output
    error = sample.error.message if sample.error is not None else (output and output.error) or ""
    if error:
        return Reply(status="failed", error=f"the log says: {error.splitlines()[0][:200]}")
    choices = output.choices if output is not None else []
    if not choices:
        if sample.limit is not None:
            return Reply(finish_reason="length")
        return Reply(status="failed", error="the log holds no output of the model")
    return reply_of(output.completion, failures=wanted.failures, finish=str(choices[0].stop_reason))


def _notes(sample: Any) -> tuple[str, ...]:
    notes = [] if sample.limit is None else [f"stopped by the limit on {sample.limit.type}"]
    if sample.invalidation is not None:
        notes.append("the log calls this sample invalid")
    return tuple(notes)


def _moved(scores: Mapping[str, Any]) -> tuple[tuple[str, ...], str] | None:
    """Return options in the order shown and the reply as it came, where the options were moved."""
    for score in scores.values():
        match = _SHUFFLED.match(score.explanation or "")
        if match:
            return tuple(
                text.removesuffix("\n") for text in _LETTER.split(match["shown"])[1:]
            ), match["reply"]
    return None


def _value(value: Any, scores: Scores, where: str) -> float | None:
    """Return a score as a number; objects and lists of several values are none."""
    if isinstance(value, str) and value in _WORDS:
        return _WORDS[value]
    if not isinstance(value, bool | int | float):
        return None
    return scores.read(value, where)


def _parsed(answer: Any, moved: Any, choices: Any) -> str | None:
    """Return what a scorer read; letters of before the move become texts."""
    found = _text_of(answer, choices) if moved else answer
    return found if isinstance(found, str) else None


def _text_of(letter: Any, choices: Any) -> Any:
    """Return the option that a letter stands for in the sample's own order."""
    place = ascii_uppercase.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
    return choices[place] if choices and 0 <= place < len(choices) else letter


def _summaries(log: Any) -> Iterator[Summary]:
    for score in (log.results.scores if log.results is not None else ()) or ():
        error = score.metrics.get("stderr")
        known = float(error.value) if error is not None else None
        for name, metric in score.metrics.items():
            if name != "stderr" and isinstance(metric.value, int | float):
                yield Summary(f"{score.name} {name}", float(metric.value), known)


def _settings(log: Any) -> dict[str, Any]:
    """Return how the log was made, as plain values."""
    spec = log.eval
    config = spec.model_generate_config.model_dump(exclude_none=True)
    found = {
        "task": spec.task,
        "dataset": spec.dataset.name,
        "created": spec.created,
        "inspect_ai": (spec.packages or {}).get("inspect_ai"),
        "status": log.status,
        "epochs": spec.config.epochs,
        "limit": spec.config.limit if isinstance(spec.config.limit, int) else None,
        **{name: config.get(name) for name in ("temperature", "max_tokens", "seed")},
    }
    return {name: value for name, value in found.items() if value is not None}
