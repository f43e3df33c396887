"""Keys, options and annotated spans of a benchmark, joined to trajectories by question."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vidence.agent_log import Unread, answer_read
from vidence.annotation.reading import decode, read_rows
from vidence.benchmark import Benchmark, load_benchmark
from vidence.errors import CaseError
from vidence.trajectory import Trajectory
from vidence.view import Case

_IDS = ("qid", "question_id", "uid", "id", "case_id")


@dataclass(frozen=True)
class Questions:
    """The questions that an agent was asked.

    Args:
        benchmark: as its loader reads it.
    """

    benchmark: Benchmark

    @classmethod
    def load(
        cls, form: str, path: Path, videos: Path | None = None, columns: str | None = None
    ) -> Questions:
        """Read a benchmark's file; see `load_benchmark`."""
        return cls(load_benchmark(form, path, videos, columns))

    @property
    def ids(self) -> tuple[str, ...]:
        """Names of the questions, in the file's order."""
        return tuple(case.id for case in self.benchmark.cases)

    def by_id(self) -> dict[str, Case]:
        """Return id -> case; a name that a row has under another field counts where it is alone."""
        found: dict[str, Case] = {case.id: case for case in self.benchmark.cases}
        other: dict[str, list[Case]] = {}
        for case in self.benchmark.cases:
            for name in _IDS:
                value = case.row.get(name)
                if isinstance(value, str | int) and str(value) not in found:
                    other.setdefault(str(value), []).append(case)
        return {**{n: c[0] for n, c in other.items() if len(c) == 1}, **found}

    def by_words(self) -> dict[str, Case]:
        """Return question -> case, for questions whose words no other has."""
        found: dict[str, list[Case]] = {}
        for case in self.benchmark.cases:
            found.setdefault(plain_words(case.view.question), []).append(case)
        return {words: cases[0] for words, cases in found.items() if len(cases) == 1 and words}


def joined(
    trajectories: Sequence[Trajectory], questions: Questions
) -> tuple[list[Trajectory], list[Unread]]:
    """Return trajectories with key, spans, options and video of their questions.

    A trajectory is known by its id, else by the words of its question. The options of the log
    count where it has them, since its letters mean them; the key is found among them by its text.

    Returns:
        those that are known, and the others with why not.
    """
    by_id, by_words = questions.by_id(), questions.by_words()
    found: list[Trajectory] = []
    strangers: list[Unread] = []
    for trajectory in trajectories:
        sample = trajectory.sample
        case = by_id.get(sample.qid) or by_words.get(plain_words(sample.question))
        problem = f"the benchmark has no question {sample.qid!r}" if case is None else ""
        if case is not None:
            change, problem = _change(trajectory, case, questions.benchmark.seconds)
            if not problem:
                found.append(change)
                continue
        source = trajectory.provenance
        where = f"{source.file}, {source.place}" if source.place else source.file
        strangers.append(Unread(where, problem, sample.qid))
    return found, strangers


def _change(
    trajectory: Trajectory, case: Case, seconds: Mapping[str, float]
) -> tuple[Trajectory, str]:
    sample = trajectory.sample
    theirs = tuple(option.text for option in case.view.options)
    options = sample.options or theirs
    order = {plain_words(text): i for i, text in enumerate(options)}
    gold = case.gold_position()
    if theirs and set(order) != {plain_words(text) for text in theirs}:
        return trajectory, f"its options are not those of the question {case.id!r}"
    key = sample.gold if gold is None else order.get(plain_words(theirs[gold]))
    if sample.gold is not None and sample.gold != key:
        letter = chr(65 + sample.gold)
        return trajectory, f"its key is {letter}, the benchmark's is another option"
    film = sample.video
    path = film.path or _path(case)
    if not film.id:
        film = film.model_copy(update={"id": case.cluster})
    length = film.seconds if film.seconds is not None else seconds.get(case.cluster)
    film = film.model_copy(update={"path": path, "seconds": length})
    changed = sample.model_copy(
        update={
            "qid": case.id,
            "video": film,
            "question": sample.question or case.view.question,
            "options": options,
            "gold": key,
            "gold_spans": sample.gold_spans or case.spans,
            "tags": {**case.tags, **sample.tags},
        }
    )
    answer = trajectory.answer
    if not sample.options:
        answer = answer_read(answer, options)
    whole = trajectory.model_copy(update={"sample": changed, "answer": answer})
    return Trajectory.model_validate(whole.model_dump()), ""


def _path(case: Case) -> str | None:
    value = case.row.get("video")
    return value if isinstance(value, str) and value else case.cluster or None


def plain_words(text: str) -> str:
    """Return a text by which two writings of it are the same: blanks joined, case folded."""
    return " ".join(text.split()).casefold()


def scored_ids(path: Path) -> list[str]:
    """Return the questions that a file of scores names: `{qid: score}`, or rows with an id.

    Raises:
        CaseError: it can be read as neither.
    """
    if path.suffix.lower() == ".json":
        try:
            value = decode(path.read_text(encoding="utf-8-sig", errors="surrogateescape"))
        except (OSError, ValueError, RecursionError) as error:
            raise CaseError(f"{path} is no JSON that can be read: {error}. Check it.") from None
        if isinstance(value, dict) and all(not isinstance(v, list) for v in value.values()):
            return [str(name) for name in value]
    found: list[str] = []
    for row in read_rows(path).rows:
        name: Any = next((row.values[n] for n in _IDS if row.values.get(n) is not None), None)
        if name is None:
            raise CaseError(
                f"{path.name}, {row.place}: no id; a column {' or '.join(_IDS)} is needed. "
                f"It has {json.dumps(list(row.values)[:8])}."
            )
        found.append(str(name))
    return found
