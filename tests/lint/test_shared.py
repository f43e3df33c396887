"""Videos and questions that several benchmarks share, and the clusters they make."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.public import PUBLIC
from tests.lint.made import case, made
from vidence.audits.shared import shared, shared_clusters
from vidence.benchmark import Benchmark, find_benchmarks

LONG = "Which of the two boats that leave the harbour before the storm comes back with a torn sail?"


def videos(*names: str, question: str = "") -> Benchmark:
    cases = [
        case(f"{i}", video=name, question=question or f"What, {i}, in {names}?")
        for i, name in enumerate(names)
    ]
    return made(*cases)


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ("clips/aB3-_xY9zQ1.mp4", "aB3-_xY9zQ1", "YouTube id"),
        ("a/Top012_03585.mp4", "b/Top012_03585.webm", "file name"),
        ("9GT3K.mp4", "9GT3K.mp4", "file name"),
        ("A Short Film About Rain.f137.mp4", "x/A Short Film About Rain.f137.mp4", "file name"),
        ("video_36.mp4", "video_36.mp4", None),
        ("DrivingCam_001.mp4", "DrivingCam_001.mp4", None),
        ("description.mp4", "description.mp4", None),
        ("S01E02.mp4", "S01E02.mp4", "file name"),
        ("CLIP12.mp4", "CLIP12.mp4", None),
        ("2481132749.mp4", "2481132740.mp4", None),
        ("ab3-_xY9zQ1", "aB3-_xY9zQ1", None),
        ("src/Other Bench/video_36.mp4", "video_36.mp4", "one source"),
    ],
)
def test_which_names_are_one_video(one: str, other: str, rule: str | None) -> None:
    found = shared({"one": videos(one), "other_bench": videos(other, question="Who?")})
    assert [v.rule for v in found.videos] == ([rule] if rule else [])
    assert len(set(found.clusters.values())) == (1 if rule else 2)


def test_twenty_telling_names_make_one_source_and_then_all_names_count() -> None:
    def held(n: int) -> Benchmark:
        return videos("video_36.mp4", *(f"clip_{10_000 + i}.mp4" for i in range(n)))

    few = shared({"a": held(19), "b": held(19)})
    many = shared({"a": held(20), "b": held(20)})
    assert "video_36" not in {v.name for v in few.videos}
    assert {v.rule for v in many.videos if v.name == "video_36"} == {"one source"}


def test_questions_that_are_shared_templates_and_accidents() -> None:
    def asked(question: str, *names: str) -> Benchmark:
        return videos(*names, question=question)

    def rules(one: Benchmark, other: Benchmark) -> list[str]:
        return [q.rule for q in shared({"a": one, "b": other}).questions]

    assert rules(asked(LONG, "x"), asked(LONG, "y")) == ["question and options"]
    assert rules(asked(LONG, "x", "z"), asked(LONG, "y")) == []
    assert rules(asked("Who wins?", "x"), asked("Who wins?", "y")) == ["question alone"]
    options = made(case("0", "a dog.", "A cat", gold=1, question=LONG, video="y"))
    assert rules(asked(LONG, "x"), options) == ["question and options"]
    others = made(case("0", "a bird", "a fish", question=LONG, video="y"))
    assert rules(asked(LONG, "x"), others) == ["question alone"]


def test_clusters_are_joined_through_other_benchmarks() -> None:
    one = made(case("q1", video="12345.mp4"), case("q2", video="own.mp4"))
    two = made(case("q1", video="12345.mp4", question=LONG), case("q2", video="67890.mp4"))
    three = made(case("q1", video="67890.mp4"), case("q9", video="w.mp4", question=LONG))
    clusters = shared_clusters({"one": one, "two": two, "three": three})
    label = clusters["one", "q1"]
    assert clusters["two", "q1"] == clusters["three", "q9"] == label != clusters["one", "q2"]
    assert clusters["two", "q2"] == clusters["three", "q1"] != label
    assert set(clusters) == {
        *(("one", q) for q in ("q1", "q2")),
        *(("two", q) for q in ("q1", "q2")),
        *(("three", q) for q in ("q1", "q9")),
    }


NAMES = st.lists(st.sampled_from(["12345", "67890", "11111", "x", "y"]), min_size=1, max_size=6)


@given(NAMES, NAMES, NAMES)
def test_clusters_are_those_of_a_search_over_all_pairs(
    one: list[str], two: list[str], three: list[str]
) -> None:
    """The oracle walks from case to case; it knows only which names are equal and telling."""
    held = {"one": one, "two": two, "three": three}
    nodes = [(b, str(i), name) for b, names in held.items() for i, name in enumerate(names)]

    def linked(a: tuple[str, str, str], b: tuple[str, str, str]) -> bool:
        return a[2] == b[2] and (a[0] == b[0] or a[2].isdecimal())

    label: dict[tuple[str, str], int] = {}
    for number, start in enumerate(nodes):
        todo = [start]
        while todo:
            node = todo.pop()
            if node[:2] not in label:
                label[node[:2]] = number
                todo += [other for other in nodes if linked(node, other)]
    found = shared_clusters({name: videos(*names) for name, names in held.items()})
    pairs = [(a[:2], b[:2]) for a in nodes for b in nodes]
    assert all((label[a] == label[b]) == (found[a] == found[b]) for a, b in pairs)
    again = shared_clusters({name: videos(*names) for name, names in reversed(held.items())})
    assert dict(found) == dict(again)


@pytest.mark.data
def test_what_public_benchmarks_share(data_dir: Path) -> None:
    """Ids of YouTube are compared with those that a plain search of the raw rows finds."""
    loaded = {
        loader.name: loader(path)
        for path, loader in find_benchmarks(data_dir / "benchmarks")
        if loader is not None
    }
    found = shared(loaded)
    fields = {"videomme": "videoID", "lvbench": "key", "minerva": "video_id"}
    ids = {
        name: {row[field] for row in PUBLIC[name].rows(data_dir / "benchmarks" / folder).values()}
        for name, field in fields.items()
        for folder in [PUBLIC[name].folder]
    }
    for pair in (("lvbench", "minerva"), ("lvbench", "videomme"), ("minerva", "videomme")):
        expected = ids[pair[0]] & ids[pair[1]]
        assert {v.name for v in found.videos if v.benchmarks == pair} == expected
    both = [v for v in found.videos if v.benchmarks == ("mvbench", "tvbench")]
    names = [{row["video"] for row in PUBLIC[n].rows(data_dir / "benchmarks" / n).values()}
             for n in ("mvbench", "tvbench")]  # fmt: skip
    assert {v.name for v in both} >= {n.rsplit(".", 1)[0] for n in names[0] & names[1]}
    assert len(found.clusters) == sum(len(b.cases) for b in loaded.values())
    for name, benchmark in loaded.items():
        alone: dict[str, set[str]] = {}
        for each in benchmark.cases:
            alone.setdefault(each.cluster, set()).add(found.clusters[name, each.id])
        assert all(len(labels) == 1 for labels in alone.values())
