"""What several benchmarks share: the same videos, the same questions.

A model that is better on a shared video is better on each benchmark that has it, so figures over
several benchmarks count such cases as one cluster.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any

from vidence.annotation.addresses import YOUTUBE_ID
from vidence.benchmark import Benchmark, plain_name
from vidence.lint.subject import folded
from vidence.media.find import VIDEO_SUFFIXES
from vidence.text.tokens import words
from vidence.view import Case

ONE_SOURCE = 20
"""So many equal telling names say that two benchmarks draw on one source; then all names count."""
TELLING_DIGITS = 5
TELLING_LETTERS = 16
TELLING_WORDS = 12
"""Different words from which on equal question and options are no accident."""

WHOLE, ALONE = "question and options", "question alone"
"""Rules for questions; only the first joins clusters."""

Node = tuple[str, str]
"""(benchmark, name of the video there) or (benchmark, case id)."""


@dataclass(frozen=True)
class SharedVideo:
    """One video that two benchmarks have.

    Args:
        name: without folder and suffix.
        rule: `YouTube id`, `file name` (a telling one) or `one source`.
        benchmarks: the two.
        cases: ids of the questions on it, in either.
    """

    name: str
    rule: str
    benchmarks: tuple[str, str]
    cases: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class SharedQuestion:
    """One question that two benchmarks have.

    Args:
        rule: `question and options`, or `question alone` where only that is the same.
        benchmarks: the two.
        cases: ids in either.
    """

    rule: str
    benchmarks: tuple[str, str]
    cases: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Shared:
    """What was found among several benchmarks.

    Args:
        videos: by pair of benchmarks, then by name.
        questions: by pair of benchmarks, in the order of the first one's file.
        clusters: (benchmark, case id) -> label; cases of one label are not independent.
        before: number of clusters if each benchmark's videos were its own.
    """

    videos: tuple[SharedVideo, ...]
    questions: tuple[SharedQuestion, ...]
    clusters: Mapping[Node, str]
    before: int

    def to_json(self, examples: int = 5) -> dict[str, Any]:
        """Return counts and the first examples of each rule by id, a pair of benchmarks each."""
        pairs: dict[tuple[str, str], dict[str, Any]] = {}
        for video in self.videos:
            row = pairs.setdefault(video.benchmarks, _empty(video.benchmarks))
            _count(row["videos"], video.rule)
            row["cases"] = [n + len(ids) for n, ids in zip(row["cases"], video.cases, strict=True)]
            if row["videos"][video.rule] <= examples:
                example = {"rule": video.rule, "video": video.name, "cases": video.cases}
                row["video_examples"].append(example)
        for asked in self.questions:
            row = pairs.setdefault(asked.benchmarks, _empty(asked.benchmarks))
            _count(row["questions"], asked.rule)
            if row["questions"][asked.rule] <= examples:
                row["question_examples"].append({"rule": asked.rule, "cases": asked.cases})
        return {
            "videos": len({video.name for video in self.videos}),
            "questions": sum(asked.rule == WHOLE for asked in self.questions),
            "pairs": list(pairs.values()),
            "clusters": {"alone": self.before, "together": len(set(self.clusters.values()))},
        }


def _count(counts: dict[str, int], rule: str) -> None:
    counts[rule] = counts.get(rule, 0) + 1


def _empty(benchmarks: tuple[str, str]) -> dict[str, Any]:
    return {
        "benchmarks": list(benchmarks),
        "videos": {},
        "cases": [0, 0],
        "video_examples": [],
        "questions": {},
        "question_examples": [],
    }


def shared_clusters(benchmarks: Mapping[str, Benchmark]) -> Mapping[Node, str]:
    """Return one cluster label for each (benchmark, case id).

    Cases on one video have one label, in whichever benchmark they stand, and so have the videos of
    a question that two benchmarks share; labels are joined through all benchmarks (union-find).
    Two videos that are taken for one by mistake make an interval a little wider, never narrower.
    """
    return shared(benchmarks).clusters


def shared(benchmarks: Mapping[str, Benchmark]) -> Shared:
    """Find the videos and questions that several benchmarks share.

    Videos are the same where their names are, without folder and suffix, and the name is telling:
    an id of YouTube, five or more digits, capitals mixed with digits, or a title of three words and
    16 letters. A name like `video_36` tells nothing, unless the two benchmarks share 20 telling
    names, or a folder in the path is called like the other benchmark: then they draw on one source.

    Questions are the same where question and options are, in any order of the options, if they are
    asked of one video only in each benchmark (else they are a template), and the video is the same
    or they have 12 different words. Where the question alone is the same, that is said and no
    more: short questions ("How many people are in the video?") are asked by many.
    """
    held = {name: _Held(name, benchmark) for name, benchmark in sorted(benchmarks.items())}
    groups = _Groups()
    for each in held.values():
        for names in each.by_stem.values():
            for video in names:
                groups.join((each.name, video), (each.name, video))
        for stem, names in each.by_stem.items():
            if _youtube(stem):  # one id in two folders is one video
                groups.join(*((each.name, video) for video in names))
    before = groups.count()
    videos: list[SharedVideo] = []
    questions: list[SharedQuestion] = []
    for one, other in combinations(held.values(), 2):
        seen = list(_videos(one, other))
        for found in seen:
            groups.join(
                *((one.name, video) for video in one.by_stem[found.name]),
                *((other.name, video) for video in other.by_stem[found.name]),
            )
        videos += seen
        for asked in _questions(one, other, {found.name for found in seen}):
            questions.append(asked)
            if asked.rule == WHOLE:
                nodes = [
                    (each.name, _video_of(each.cases[case_id]))
                    for each, ids in zip((one, other), asked.cases, strict=True)
                    for case_id in ids
                ]
                groups.join(*nodes)
    labels = groups.labels()
    clusters = {
        (each.name, case.id): labels[(each.name, _video_of(case))]
        for each in held.values()
        for case in each.cases.values()
    }
    return Shared(tuple(videos), tuple(questions), clusters, before)


class _Held:
    """A benchmark's cases by the names of their videos and by their words."""

    def __init__(self, name: str, benchmark: Benchmark) -> None:
        self.name = name
        self.titles = {plain_name(name), plain_name(benchmark.name)}
        self.cases = {case.id: case for case in benchmark.cases}
        self.on: dict[str, list[str]] = defaultdict(list)
        self.by_stem: dict[str, dict[str, None]] = defaultdict(dict)
        self.folders: dict[str, set[str]] = defaultdict(set)
        self.whole: dict[tuple[str, ...], list[Case]] = defaultdict(list)
        self.questions: dict[str, list[Case]] = defaultdict(list)
        for case in benchmark.cases:
            path = PurePosixPath(_video_of(case))
            stem = _stem(path.name)
            self.by_stem[stem][_video_of(case)] = None
            self.on[stem].append(case.id)
            self.folders[stem] |= {plain_name(part) for part in path.parts[:-1]}
            question = folded(case.view.question)
            options = sorted(folded(option.text) for option in case.view.options)
            self.whole[(question, *options)].append(case)
            self.questions[question].append(case)


def _videos(one: _Held, other: _Held) -> Iterable[SharedVideo]:
    both = [stem for stem in one.by_stem if stem in other.by_stem]
    telling = [stem for stem in both if _telling(stem)]
    one_source = len(telling) >= ONE_SOURCE
    for stem in sorted(both):
        named = one.folders[stem] & other.titles or other.folders[stem] & one.titles
        if _youtube(stem):
            rule = "YouTube id"
        elif _telling(stem):
            rule = "file name"
        elif one_source or named:
            rule = "one source"
        else:
            continue
        cases = (tuple(one.on[stem]), tuple(other.on[stem]))
        yield SharedVideo(stem, rule, (one.name, other.name), cases)


def _questions(one: _Held, other: _Held, same: set[str]) -> Iterable[SharedQuestion]:
    pair = (one.name, other.name)
    said = set()
    for key, mine in one.whole.items():
        theirs = other.whole.get(key, [])
        if not theirs or not _one_video(mine, theirs):
            continue
        if _stems(mine) | _stems(theirs) <= same or len(set(words(" ".join(key)))) >= TELLING_WORDS:
            said.add(key[0])
            yield SharedQuestion(WHOLE, pair, (_ids(mine), _ids(theirs)))
    for question, mine in one.questions.items():
        theirs = other.questions.get(question, [])
        if theirs and question not in said and _one_video(mine, theirs):
            yield SharedQuestion(ALONE, pair, (_ids(mine), _ids(theirs)))


def _one_video(mine: Sequence[Case], theirs: Sequence[Case]) -> bool:
    """Return whether neither benchmark asks it about several videos, as a template is."""
    return len(_stems(mine)) == len(_stems(theirs)) == 1


def _stems(cases: Iterable[Case]) -> set[str]:
    return {_stem(PurePosixPath(_video_of(case)).name) for case in cases}


def _ids(cases: Iterable[Case]) -> tuple[str, ...]:
    return tuple(case.id for case in cases)


def _video_of(case: Case) -> str:
    return case.cluster or f"case {case.id}"


def _stem(name: str) -> str:
    path = PurePosixPath(unicodedata.normalize("NFC", name))
    return path.stem if path.suffix.lower() in VIDEO_SUFFIXES else path.name


def _youtube(stem: str) -> bool:
    # Of random ids 3 in 1,000 have no capital and 3 no small letter; words of 11 letters have one.
    return bool(
        YOUTUBE_ID.fullmatch(stem) and re.search("[A-Z]", stem) and re.search("[a-z]", stem)
    )


def _telling(stem: str) -> bool:
    if _youtube(stem) or sum(char.isdigit() for char in stem) >= TELLING_DIGITS:
        return True
    letters = sum(char.isalpha() for char in stem)
    if letters >= TELLING_LETTERS and len(words(stem)) >= 3:
        return True
    # Capitals and digits mixed (`9GT3K`), and no name that only counts (`Clip12`, `S01_E02`).
    mixed = re.fullmatch(r"(?=.*[A-Z])(?=.*\d)[A-Z\d]{5,}", stem, re.ASCII)
    return bool(mixed) and re.fullmatch(r"[A-Z]+\d+", stem, re.ASCII) is None


class _Groups:
    """Sets of nodes that are joined one by one (union-find with path halving)."""

    def __init__(self) -> None:
        self._parent: dict[Node, Node] = {}

    def join(self, *nodes: Node) -> None:
        for node in nodes:
            self._parent.setdefault(node, node)
            low, high = sorted((self._root(nodes[0]), self._root(node)))
            self._parent[high] = low  # the smallest name stands for the group, in any order

    def _root(self, node: Node) -> Node:
        while self._parent[node] != node:
            self._parent[node] = self._parent[self._parent[node]]
            node = self._parent[node]
        return node

    def count(self) -> int:
        return len({self._root(node) for node in self._parent})

    def labels(self) -> dict[Node, str]:
        return {node: "/".join(self._root(node)) for node in self._parent}
