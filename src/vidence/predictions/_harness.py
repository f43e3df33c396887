"""Samples of lm-evaluation-harness and of lmms-eval, which began as its copy: what both share."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vidence.answer import Reply
from vidence.prediction import Summary
from vidence.predictions._fields import Scores, as_name, field_name, names_of, reply_of

KNOWN = frozenset(
    (
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash", "input", "input_media", "token_counts"),
        *("task_name", "repeats", "system_instruction", "chat_history"),
    )
)
"""Fields that are no metric."""
_TASK = re.compile(r"samples_(.+?)(?:_\d{4}-\d\d-\d\dT[\d.:_-]+)?$")
_PARSED = ("predanswer", "parsedpred", "pred", "prediction", "answerpred")
_GOLD = ("answer", "gtanswer", "groundtruth", "gt", "gold", "target")
_SCORE = ("score", "acc", "accuracy", "correct", "exactmatch", "iscorrect", "hit")
_WHOLE = ("acc", "exact_match", "score", "accuracy")
"""Metrics that are taken first where a sample has several."""


_NO_METRIC = frozenset(("name", "alias", "sample_len", "samples"))


def task_of(path: Path) -> str:
    """Return the task that a samples file is named for, "" where its name has another form."""
    match = _TASK.search(path.stem)
    return match[1] if match else ""


def prompts_of(sample: Mapping[str, Any]) -> list[str]:
    """Return the texts that were sent, one a request.

    Old forms hold a list of [text, settings], new ones `input`, or an object of objects
    `gen_args_0: {arg_0: text, arg_1: settings}`.
    """
    if isinstance(sample.get("input"), str):
        return [sample["input"]]
    return [args[0] for args in arguments_of(sample) if args]


def arguments_of(sample: Mapping[str, Any]) -> list[list[str]]:
    """Return the texts among the arguments of each request."""
    value = sample.get("arguments")
    if isinstance(value, Mapping):
        requests: list[Any] = [
            list(v.values()) if isinstance(v, Mapping) else v for v in value.values()
        ]
    elif isinstance(value, list) and any(isinstance(v, list) for v in value):
        requests = value
    else:
        requests = [value] if isinstance(value, list) else []
    found = [[_words(a) for a in r if isinstance(a, str)] for r in requests if isinstance(r, list)]
    return [texts for texts in found if texts]


def _words(text: str) -> str:
    """Return the words of a prompt that is a list of chat messages as JSON, else the prompt."""
    if not text.lstrip().startswith("[{"):
        return text
    try:
        messages = json.loads(text)
        return "\n\n".join(str(m["content"]) for m in messages)
    except (ValueError, TypeError, KeyError):
        return text


def replies_of(sample: Mapping[str, Any], failures: Sequence[str]) -> list[Reply]:
    """Return the raw replies of a sample, one a repeat, or one with a score an option.

    `resps` is the raw reply, in as many lists as there are requests and repeats; where it is left
    out, since equal, `filtered_resps` is it.
    """
    value = sample["resps"] if sample.get("resps") is not None else sample.get("filtered_resps")
    likelihoods = _likelihoods(value)
    if likelihoods is not None:
        return [Reply(scores=tuple(likelihoods))]
    texts = list(_leaves(value))
    return [reply_of(text, failures=failures) for text in texts] or [reply_of(None)]


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _likelihoods(value: Any) -> list[float] | None:
    """Return the log-likelihoods of a multiple-choice sample: pairs of a number and a flag."""
    pairs = value if isinstance(value, list) else []
    while len(pairs) and all(isinstance(p, list) and len(p) == 1 for p in pairs):
        pairs = [p[0] for p in pairs]
    numbers: list[float] = []
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and _is_flag(pair[1])):
            return None
        try:
            numbers.append(float(pair[0]))
        except (TypeError, ValueError):
            return None
    return numbers if len(numbers) > 1 else None


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or value in ("True", "False")


@dataclass(frozen=True)
class Scored:
    """What a log says of a reply: what it read, what that is worth, and the key it compared with.

    Args:
        names: what the payload tells of the question.
    """

    parsed: int | float | str | None
    score: float | None
    gold: Any
    names: Mapping[str, Any]


def scored_of(sample: Mapping[str, Any], scores: Scores, where: str) -> Scored:
    """Return a sample's own reading: from a metric that holds an object, or from plain metrics."""
    metrics = {name: v for name, v in sample.items() if name not in KNOWN}
    named = sample.get("metrics")
    named = named if isinstance(named, list) else []
    listed = [name for name in named if isinstance(name, str) and name in metrics]
    payloads: list[Mapping[str, Any]] = []
    for value in metrics.values():  # a task with many metrics gives the same object to each
        if isinstance(value, Mapping) and len(value) > 1 and value not in payloads:
            payloads.append(value)
    names: dict[str, Any] = {}
    for payload in reversed(payloads):
        names.update(names_of(payload))
    single = [v for v in metrics.values() if isinstance(v, Mapping) and len(v) == 1]
    if single:  # {id: what was read}
        names.setdefault("ids", {"id": as_name(next(iter(single[0])))})
    plain = {n: v for n, v in metrics.items() if _is_score(v)}
    first = next((n for n in (*_WHOLE, *listed, *plain) if n in plain), None)
    for payload in payloads:
        by_name = {field_name(str(name)): value for name, value in payload.items()}
        parsed = _first(by_name, _PARSED)
        gold = _first(by_name, _GOLD)
        mean_relative = tuple(name for name in by_name if name.startswith("mra"))
        value = _first(by_name, (*_SCORE, *mean_relative))
        if value is not None:
            return Scored(_plain(parsed), scores.read(value, where), gold, names)
        if parsed is not None and gold is not None:
            right = as_name(parsed).casefold() == as_name(gold).casefold()
            return Scored(_plain(parsed), float(right), gold, names)
    parsed = _plain(next(iter(single[0].values()))) if single else None
    return Scored(parsed, scores.read(plain[first], where) if first else None, None, names)


def summaries_of(results: Mapping[str, Any]) -> Iterator[Summary]:
    """Yield the numbers of a results file: `metric,filter` beside `metric_stderr,filter`."""
    for task, numbers in results.items():
        for name, value in numbers.items() if isinstance(numbers, Mapping) else ():
            metric, _, rest = name.partition(",")
            if metric.endswith("_stderr") or metric in _NO_METRIC or isinstance(value, bool):
                continue
            if isinstance(value, int | float):
                error = numbers.get(f"{metric}_stderr,{rest}" if rest else f"{metric}_stderr")
                known = float(error) if isinstance(error, int | float) else None
                yield Summary(f"{task} {name}", float(value), known)


def _is_score(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _plain(value: Any) -> int | float | str | None:
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _first(by_name: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((by_name[name] for name in names if by_name.get(name) is not None), None)
