"""Logs of Inspect, written by inspect_ai itself (an optional extra)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from vidence.errors import UsageError
from vidence.exports.export import Exported, exporter
from vidence.exports.files import file_name
from vidence.exports.lines import Line, lines_of
from vidence.whole import whole_file

_STOPS = {"length": "max_tokens", "max_output_tokens": "max_tokens", "max_new_tokens": "max_tokens"}
_KNOWN = frozenset(("stop", "max_tokens", "model_length", "tool_calls", "content_filter"))


@exporter("inspect")
def write(run: Path, out: Path) -> Exported:
    """Write logs of Inspect (.eval, one a check and answerer); needs the extra vidence[inspect].

    Repeats are epochs. A check that shows several views has a log for each. Records without a
    question (skipped) have no place.
    """
    try:
        from inspect_ai.log import write_eval_log
    except ImportError:
        raise UsageError(
            "Logs of Inspect are written by inspect_ai, which is not installed. "
            "Install it: pip install 'vidence[inspect]'."
        ) from None
    groups: dict[tuple[str, str, int], list[Line]] = {}
    left_out: Counter[str] = Counter()
    for line in lines_of(run):
        if line.record.status == "skipped":
            left_out["skipped"] += 1
        else:
            cell = line.record.cell
            groups.setdefault((cell.check, cell.answerer, line.view), []).append(line)
    files: list[Path] = []
    for (check, answerer, view), lines in groups.items():
        name = file_name(f"{check}_{answerer}" + (f"_view{view + 1}" if view else ""))
        log = _log(run.name, check, answerer, lines)
        with whole_file(out / f"{name}.eval") as part:
            write_eval_log(log, str(part), format="eval")
        files.append(out / f"{name}.eval")
    records = sum(line.view == 0 for lines in groups.values() for line in lines)
    return Exported(tuple(sorted(files)), records, dict(left_out))


def _log(name: str, check: str, answerer: str, lines: Sequence[Line]) -> Any:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec

    epochs = max(line.record.cell.repeat for line in lines) + 1
    ids = list(dict.fromkeys(line.case.id for line in lines))
    spec = EvalSpec(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        task=check,
        dataset=EvalDataset(name=name, samples=len(ids), sample_ids=ids),
        model=answerer,
        config=EvalConfig(epochs=epochs),
        metadata={"written_by": "vidence"},
    )
    results = EvalResults(
        total_samples=len(lines), completed_samples=sum(line.call is not None for line in lines)
    )
    samples = [_sample(line) for line in lines]
    return EvalLog(status="success", eval=spec, samples=samples, results=results)


def _sample(line: Line) -> Any:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
    from inspect_ai.scorer import Score

    case, reply = line.case, line.reply
    gold = line.shown_letter(case.gold) or ("" if case.gold is None else str(case.gold))
    sample = EvalSample(
        id=case.id,
        epoch=line.record.cell.repeat + 1,
        input=case.view.question,
        choices=list(line.options) or None,
        target=gold,
        metadata={"video": case.cluster, "check": line.record.cell.check, **dict(case.tags)},
    )
    if line.call is None:
        why = reply.error or "no reply came"
        sample.error = EvalError(message=why, traceback=why, traceback_ansi=why)
        return sample
    text = reply.text
    sample.messages = [
        ChatMessageUser(content=line.call.request.prompt.text()),
        ChatMessageAssistant(content=text),
    ]
    sample.output = ModelOutput.from_content(line.record.cell.answerer, text, _stop(line))
    sample.scores = {
        "vidence": Score(
            value={True: "C", False: "I", None: "N"}[line.right],
            answer=line.shown_letter(line.answer.value) or None,
            explanation=f"{line.answer.status}: {line.answer.reason}",
        )
    }
    return sample


def _stop(line: Line) -> Any:
    if line.reply.status == "filtered":
        return "content_filter"
    word = line.reply.finish_reason or "stop"
    word = _STOPS.get(word, word)
    return word if word in _KNOWN else "unknown"
