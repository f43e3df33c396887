"""Write logs with Inspect's own `eval()` and its mock model, in a process of their own.

    python inspect_writer.py FOLDER

Inspect opens event loops and streams of its own; apart from pytest they disturb nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Target, accuracy, choice, includes, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, multiple_choice, solver

WORDS = ("cat", "dog", "bird", "fish")
LONG = "Look at all that moves in the picture, then say what it is. " * 40
"""Longer than Inspect keeps in place: it becomes an attachment."""


def samples(count: int = 8) -> list[Sample]:
    return [
        Sample(
            id=f"q{i}",
            input=f"{LONG if i == 0 else ''}What is in film {i}?",
            choices=list(WORDS),
            target="ABCD"[i % 4],
            metadata={"video": f"film{i // 2}.mp4", "category": "animals"},
        )
        for i in range(count)
    ]


def said(texts: list[str], stop: str = "stop") -> list[ModelOutput]:
    found = []
    for text in texts:
        output = ModelOutput.from_content("mockllm/model", text, stop_reason=stop)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        found.append(output)
    return found


@solver
def breaks_at(name: str) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.sample_id == name:
            raise ValueError(f"no film for {name}\nand more lines")
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def first_letter():
    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        return Score(value=text[:1] == target.text, answer=text[:1])

    return score


def write(folder: Path, name: str, form: str, task: Task, texts: list[str], **how) -> None:
    stop = how.pop("stop", "stop")
    model = get_model("mockllm/model", custom_outputs=said(texts, stop))
    (log,) = eval(
        task,
        model=model,
        log_dir=str(folder / "work"),
        log_format=form,
        display="none",
        max_samples=1,
        **how,
    )
    Path(log.location).rename(folder / f"{name}.{form}")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    letters = [f"ANSWER: {'ABCDABDC'[i]}" for i in range(8)]
    for form in ("eval", "json"):
        task = Task(dataset=samples(), solver=multiple_choice(), scorer=choice())
        write(folder, "plain", form, task, letters)
    moved = Task(
        dataset=samples(), solver=multiple_choice(shuffle=True), scorer=choice(), name="moved"
    )
    write(folder, "moved", "eval", moved, ["ANSWER: A"] * 8)
    task = Task(dataset=samples(4), solver=multiple_choice(), scorer=choice())
    write(folder, "epochs", "eval", task, [f"ANSWER: {c}" for c in "ABCDBBCDCBCD"], epochs=3)
    broken = Task(dataset=samples(), solver=[breaks_at("q3"), multiple_choice()], scorer=choice())
    write(folder, "errors", "eval", broken, letters, fail_on_error=False)
    stopped = Task(dataset=samples(), solver=[breaks_at("q3"), multiple_choice()], scorer=choice())
    write(folder, "stopped", "json", stopped, letters, fail_on_error=True)
    two = Task(
        dataset=samples(4), solver=generate(), scorer=[first_letter(), includes()], name="two"
    )
    write(folder, "two", "eval", two, ["A cat", "I say B", "D", "D."])
    cut = Task(dataset=samples(2), solver=multiple_choice(), scorer=choice())
    write(folder, "cut", "eval", cut, ["First I look at a", "ANSWER: B"], stop="max_tokens")
    (folder / "samples.json").write_text(
        json.dumps([s.model_dump(include={"id", "input", "choices", "target"}) for s in samples()])
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
