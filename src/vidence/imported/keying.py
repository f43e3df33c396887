"""How the rows of each benchmark are named, and the cases found by such names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from vidence.benchmark import Benchmark, Rejected
from vidence.imported.evidence import holds, options_in, plain
from vidence.prediction import Prediction
from vidence.view import Case


@dataclass(frozen=True)
class Keying:
    """What names a row of a benchmark in other tools' logs.

    Args:
        ids: fields of the author's row that name it, beside the case's id.
        videos: fields that name its video, beside the cluster.
        by_task: rows are counted within a task, not within the whole benchmark.
    """

    ids: tuple[str, ...] = ()
    videos: tuple[str, ...] = ()
    by_task: bool = False


KEYINGS: Mapping[str, Keying] = {
    "egoschema": Keying(ids=("question_idx", "video_idx")),
    "implicitqa": Keying(ids=("question_id",), videos=("video_id",)),
    "longvideobench": Keying(ids=("id",), videos=("video_id", "video_path")),
    "lvbench": Keying(ids=("uid",), videos=("key",)),
    "minerva": Keying(ids=("key",), videos=("video_id",)),
    "mlvu": Keying(ids=("question_id",), videos=("video",)),
    "mmrv": Keying(ids=("question_idx",), videos=("video",)),
    "mvbench": Keying(videos=("video",), by_task=True),
    "rtvbench": Keying(ids=("questionID",), videos=("video",)),
    "tvbench": Keying(videos=("video",), by_task=True),
    "vcrbench": Keying(ids=("id",), videos=("video", "video_path")),
    "videoholmes": Keying(ids=("Question ID",), videos=("video ID",)),
    "videomme": Keying(ids=("question_id",), videos=("videoID", "video_id")),
    "vsibench": Keying(ids=("id",), videos=("scene_name",)),
}
OTHER = Keying(ids=("id", "question_id", "qid", "uid"), videos=("video", "video_id", "video_path"))
"""Of a benchmark that is not named above, general forms included."""
_SUFFIX = re.compile(r"\.(mp4|webm|avi|mkv|mov|m4v|gif|ts)$", re.IGNORECASE)
_PLACE = re.compile(r"(?:row|line) (\d+)")


@dataclass
class CaseIndex:
    """The cases of a benchmark, found by what a log may call them.

    Args:
        benchmark: with its rejected rows, which count in the numbering.
        form: its name.
    """

    benchmark: Benchmark
    form: str
    by_id: dict[str, list[Case]] = field(default_factory=dict, repr=False)
    by_number: dict[int, list[Case]] = field(default_factory=dict, repr=False)
    by_video: dict[str, list[Case]] = field(default_factory=dict, repr=False)
    by_question: dict[str, list[Case]] = field(default_factory=dict, repr=False)
    by_options: dict[tuple[str, ...], list[Case]] = field(default_factory=dict, repr=False)
    by_row: dict[tuple[str, int], Case] = field(default_factory=dict, repr=False)
    tasks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Fill the indexes."""
        self.keying = KEYINGS.get(self.form, OTHER)
        for case in self.benchmark.cases:
            for name in dict.fromkeys(ids_of(case, self.keying)):
                self.by_id.setdefault(name, []).append(case)
                if re.fullmatch(r"[0-9]{1,12}", name):
                    self.by_number.setdefault(int(name), []).append(case)
            for name in videos_of(case, self.keying):
                self.by_video.setdefault(name, []).append(case)
            self.by_question.setdefault(plain(case.view.question), []).append(case)
            if case.view.options:
                texts = _texts([option.text for option in case.view.options])
                self.by_options.setdefault(texts, []).append(case)
        if self.keying.by_task:
            self.tasks = tuple(dict.fromkeys(c.tags.get("task", "") for c in self.benchmark.cases))
        self.by_row = dict(_numbered(self.benchmark, self.keying))

    @cached_property
    def one_a_video(self) -> bool:
        """Say whether a video's name is a question's name as well."""
        return all(len(cases) == 1 for cases in self.by_video.values())

    def task_named(self, name: str) -> str | None:
        """Return the benchmark's task that a log's task stands for ("mvbench_state_change")."""
        if not self.keying.by_task:
            return ""
        fits = [task for task in self.tasks if task and name.casefold().endswith(task.casefold())]
        return max(fits, key=len, default=None)

    def named(self, prediction: Prediction) -> list[Case]:
        """Return the cases that an id of the log names; "1" is "001" where nothing else is."""
        for name in prediction.ids.values():
            if name in self.by_id:
                return self.by_id[name]
        for name in prediction.ids.values():
            if re.fullmatch(r"[0-9]{1,12}", name) and len(self.by_number.get(int(name), ())) == 1:
                return self.by_number[int(name)]
        return []

    def names_by_number(self, prediction: Prediction) -> bool:
        """Say whether the ids that name a case are plain numbers, as any benchmark may have."""
        known = [name for name in prediction.ids.values() if name in self.by_id]
        return all(name.isdecimal() for name in known)

    def of_video(self, prediction: Prediction) -> list[Case]:
        """Return the cases of the video that the log names."""
        return self.by_video.get(video_name(prediction.video), []) if prediction.video else []

    def at_row(self, prediction: Prediction) -> list[Case]:
        """Return the case at a row number of the annotation file."""
        task = self.task_named(prediction.task)
        if prediction.row is None or task is None:
            return []
        case = self.by_row.get((task, prediction.row))
        return [] if case is None else [case]

    def asking(self, prediction: Prediction) -> list[Case]:
        """Return the cases whose question the log's question is, or begins with."""
        text = plain(prediction.question)
        if not text:
            return []
        if text in self.by_question:
            return self.by_question[text]
        # Logs that keep the options below the question: the first lines are the question.
        lines = prediction.question.strip().split("\n")
        for end in range(len(lines) - 1, 0, -1):
            found = self.by_question.get(plain("\n".join(lines[:end])))
            if found:
                return found
        return []

    def in_prompt(self, prediction: Prediction) -> list[Case]:
        """Return the cases whose options the prompt lists, in whatever order, and whose question
        it holds.
        """
        for count in self._counts if prediction.prompt else ():
            for shown in options_in(prediction.prompt, count):
                found = self.by_options.get(_texts(shown), [])
                asked = [case for case in found if holds(prediction.prompt, case.view.question)]
                if asked:
                    return asked
        return []

    @cached_property
    def _counts(self) -> list[int]:
        return sorted({len(texts) for texts in self.by_options}, reverse=True)


def _texts(options: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(plain(text) for text in options))


def ids_of(case: Case, keying: Keying) -> Iterator[str]:
    """Yield the names of a case: its id, and the author's."""
    yield case.id
    for name in keying.ids:
        value = case.row.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            yield str(value).strip()


def videos_of(case: Case, keying: Keying) -> set[str]:
    """Return the names of a case's video, without folders and suffixes."""
    values: list[Any] = [case.cluster, *(case.row.get(name) for name in keying.videos)]
    names = {video_name(str(v)) for v in values if isinstance(v, str | int) and str(v).strip()}
    return names - {""}


def video_name(text: str) -> str:
    """Return a video's name without folder and suffix; capitals count."""
    return _SUFFIX.sub("", PurePosixPath(text.replace("\\", "/")).name)


def _numbered(benchmark: Benchmark, keying: Keying) -> Iterator[tuple[tuple[str, int], Case]]:
    if keying.by_task:  # their ids are task and row
        for case in benchmark.cases:
            task, _, number = case.id.rpartition("-")
            if number.isdigit():
                yield (task, int(number)), case
        return
    gaps = _gaps(benchmark.rejected)
    row = 0
    for case in benchmark.cases:
        while row in gaps:
            row += 1
        yield ("", row), case
        row += 1


def _gaps(rejected: Iterable[Rejected]) -> set[int]:
    """Return the row numbers, from 0, of rejected rows, which were no cases but are counted."""
    places: list[Sequence[str]] = [_PLACE.findall(r.where) for r in rejected]
    return {int(found[-1]) - 1 for found in places if found}
