"""Every loader of a public benchmark on a small invented file of its form, whole and broken."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.made import MADE, SECRET
from tests.benchmarks.made_file import Made, write
from vidence.benchmark import BENCHMARKS, Benchmark, load_benchmark
from vidence.errors import CaseError
from vidence.media.clip import Clip
from vidence.media.video import probe


def every_but(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", sorted(set(MADE) - set(names)))


every = every_but()


def views(read: Benchmark) -> list[str]:
    return [repr(case.view) for case in read.cases]


def questions(made: Made) -> list[dict[str, Any]]:
    """Return the objects that hold one question each, nested ones too."""
    return [qa for row in made.rows for qa in row.get("qa", [row])]


def changed(made: Made, field: str, value: Any, place: int = 0) -> list[dict[str, Any]]:
    """Return the rows with a field of one question changed."""
    rows: list[dict[str, Any]] = json.loads(json.dumps(made.rows))
    inner = rows[0].get("qa", rows)[place]
    (inner if field in inner else rows[0])[field] = value
    return rows


def test_every_benchmark_with_a_title_is_made_here() -> None:
    assert set(MADE) == {name for name in BENCHMARKS if BENCHMARKS[name].title}


@every
@pytest.mark.parametrize("as_folder", [True, False])
def test_the_file_and_its_folder_are_read_alike(name: str, as_folder: bool, tmp_path: Path) -> None:
    made = MADE[name]
    file = write(tmp_path, made)
    read = load_benchmark(name, tmp_path if as_folder else file)
    assert read.rejected == ()
    assert read.name == BENCHMARKS[name].title
    assert [case.id for case in read.cases] == made.ids
    assert [case.cluster for case in read.cases] == made.clusters
    right = [
        case.gold
        if not case.view.options
        else next(o.text for o in case.view.options if o.key == case.gold)
        for case in read.cases
    ]
    assert right == made.right
    assert [case.spans for case in read.cases] == (made.spans or [()] * len(made.ids))
    assert [dict(case.tags) for case in read.cases] == (made.tags or [{}] * len(made.ids))
    assert all(
        case.view.question in qa[made.question]
        for case, qa in zip(read.cases, questions(made), strict=True)
    )


@every
def test_the_key_and_what_explains_it_are_nowhere_in_a_view(name: str, tmp_path: Path) -> None:
    """With another key and other explanations the views are the same to the last byte."""
    made = MADE[name]
    before = load_benchmark(name, write(tmp_path / "a", made))
    rows = json.loads(json.dumps(made.rows))
    others = {"answer_id": 0, "correct_choice": 0}
    for row in rows:
        for qa in row.get("qa", [row]):
            for field in made.key:
                if field in qa:
                    if made.file.endswith("interaction.json") or name in ("tvbench", "mlvu"):
                        other: Any = qa["candidates"][0] if field == "answer" else "Nothing."
                    elif isinstance(qa[field], int):
                        other = others[field]
                    else:
                        letters = {"B": "A", "C": "A", "A": "B", "D": "B", "(B)": "(A)"}
                        numbers = {"0": "1", "4": "0", "2.5": "7"}
                        other = {**letters, **numbers}.get(qa[field], "Nothing.")
                    qa[field] = other
    after = load_benchmark(name, write(tmp_path / "b", made, rows))
    assert [c.gold for c in after.cases] != [c.gold for c in before.cases]
    assert views(after) == views(before)
    assert SECRET not in repr([case.view for case in before.cases])


@every
def test_ids_stay_when_the_rows_are_turned_round(name: str, tmp_path: Path) -> None:
    made = MADE[name]
    if "json/" in made.file:  # rows have no names of their own: task and row are the id
        other = tmp_path / "json" / "another_task.json"
        for folder in ("a", "b"):
            write(tmp_path / folder, made)
            other = tmp_path / folder / "json" / ("z" * (folder == "b") + "another.json")
            other.write_text(json.dumps(made.rows), encoding="utf-8")
        pair = [load_benchmark(name, tmp_path / folder) for folder in ("a", "b")]
        kept = [{c.id: repr(c.view) for c in read.cases if c.id in made.ids} for read in pair]
        assert kept[0] == kept[1]
        assert set(kept[0]) == set(made.ids)
        return
    read = load_benchmark(name, write(tmp_path / "a", made))
    turned = load_benchmark(name, write(tmp_path / "b", made, made.rows[::-1]))
    assert {c.id: repr(c.view) for c in turned.cases} == {c.id: repr(c.view) for c in read.cases}


@every_but("mvbench", "tvbench")  # their rows are named by their place
def test_a_repeated_row_is_rejected_and_not_merged(name: str, tmp_path: Path) -> None:
    made = MADE[name]
    read = load_benchmark(name, write(tmp_path, made, [*made.rows, *made.rows]))
    assert [case.id for case in read.cases] == made.ids
    assert [r.kind for r in read.rejected] == ["repeated_id"] * len(made.ids)
    assert [r.where.split(" (")[0] for r in read.rejected] == made.ids


@every
def test_an_empty_question_is_rejected_by_its_id(name: str, tmp_path: Path) -> None:
    made = MADE[name]
    first = questions(made)[0][made.question]
    blank = first[first.index("\n") :] if "\n" in first else " "
    read = load_benchmark(name, write(tmp_path, made, changed(made, made.question, blank)))
    assert [case.id for case in read.cases] == made.ids[1:]
    (rejected,) = read.rejected
    assert rejected.kind == "empty_question"
    assert rejected.where.startswith(f"{made.ids[0]} ({Path(made.file).name}, ")


@every_but("vcrbench")  # what its rows are is told by their key
def test_a_key_that_is_null_is_no_fault_of_the_row(name: str, tmp_path: Path) -> None:
    """Row b14: everything that needs no key still works."""
    made = MADE[name]
    rows = json.loads(json.dumps(made.rows))
    for row in rows:
        for qa in row.get("qa", [row]):
            for field in made.key:
                if field in qa and field not in ("reasoning", "subtitle", "Explanation"):
                    qa[field] = None
    suffix = ".jsonl" if made.file.endswith(".parquet") else ""
    read = load_benchmark(name, write(tmp_path, made, rows, suffix=suffix))
    assert [case.id for case in read.cases] == made.ids
    assert [case.gold for case in read.cases] == [None] * len(made.ids)


@every
def test_videos_are_found_without_suffix_and_missing_ones_have_a_path(
    name: str, tmp_path: Path
) -> None:
    made = MADE[name]
    file = write(tmp_path / "annotations", made)
    films = tmp_path / "films"
    first = made.clusters[0]
    where = films / (first if "." in Path(first).name else f"{first}.mkv")
    where.parent.mkdir(parents=True)
    where.write_bytes(b"film")
    read = load_benchmark(name, file, films)
    for case in read.cases:
        path = case.view.clip().video.path
        assert path == where if case.cluster == first else not path.exists()
        assert films in path.parents
    assert read.remarks == load_benchmark(name, file).remarks
    with pytest.raises(CaseError, match=r"nowhere is no folder.*--videos"):
        load_benchmark(name, file, tmp_path / "nowhere")


@every
def test_two_files_of_one_name_are_never_merged(name: str, tmp_path: Path) -> None:
    """Row b6: the case is kept, its path is where nothing is, and both files are named."""
    made = MADE[name]
    first = made.clusters[0].split("/")[-1]
    for folder in ("clevrer", "perception"):
        film = tmp_path / "films" / folder / (first if "." in first else f"{first}.mp4")
        film.parent.mkdir(parents=True)
        film.write_bytes(folder.encode())
    read = load_benchmark(name, write(tmp_path / "annotations", made), tmp_path / "films")
    path = read.cases[0].view.clip().video.path
    assert not path.exists()
    ambiguous = [r for r in read.remarks if r.kind == "ambiguous_video"]
    if "/" in made.clusters[0] and name != "vsibench":  # a name with its folder is that path only
        assert ambiguous == []
    else:
        assert ambiguous[0].case == made.ids[0]
        assert "clevrer/" in ambiguous[0].detail
        assert "perception/" in ambiguous[0].detail


VIDEO = {
    "egoschema": "video_idx",
    "longvideobench": "video_path",
    "lvbench": "key",
    "minerva": "video_id",
    "vcrbench": "video_path",
    "videoholmes": "video ID",
    "videomme": "videoID",
    "vsibench": "scene_name",
}


@every_but("implicitqa")  # its names are ids of eleven characters
def test_a_video_outside_the_folder_is_rejected(name: str, tmp_path: Path) -> None:
    made = MADE[name]
    for bad in ("../../private", "/etc/passwd", "nul\0", "x" * 300):
        rows = json.loads(json.dumps(made.rows))
        for row in rows:
            row[VIDEO.get(name, "video")] = bad
        with pytest.raises(CaseError, match="no row is a case"):
            load_benchmark(name, write(tmp_path, made, rows))


@every
def test_another_file_gives_the_fields_that_were_looked_for(name: str, tmp_path: Path) -> None:
    """Row b20: nothing is read as nothing; the message lists what is there."""
    made = MADE[name]
    path = write(tmp_path, made, [{"frage": "Was?", "antwort": "A", "nr": "1"}] * 3)
    with pytest.raises(CaseError) as caught:
        load_benchmark(name, path)
    message = str(caught.value)
    assert "3 rejected" in message
    assert "no field" in message or "needed" in message
    assert "docs/benchmarks.md" in message


@every
@pytest.mark.parametrize("content", [b"", b"PAR1", b'{"a": 1}', b"[[1]]", b"\xff\xfe\x00"])
def test_a_hostile_file_is_named(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / MADE[name].file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    for given_path in (path, tmp_path):
        with pytest.raises(
            CaseError, match=path.name.replace(".", r"\.") + "|" + BENCHMARKS[name].title
        ):
            load_benchmark(name, given_path)


@every
def test_a_folder_without_the_file_says_what_is_there(name: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    with pytest.raises(CaseError, match=r"holds README\.md; .* was looked for"):
        load_benchmark(name, tmp_path)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@every
@settings(max_examples=60)
@given(data=st.data())
def test_no_value_of_a_field_breaks_a_loader(name: str, data: st.DataObject) -> None:
    """Whatever one field holds, the row is a case or is rejected, and the others are kept."""
    made = MADE[name]
    place = data.draw(st.integers(0, len(made.ids) - 1))
    fields = sorted(questions(made)[place]) + sorted(set(made.rows[0]) - set(questions(made)[0]))
    field = data.draw(st.sampled_from(fields))
    rows = changed(made, field, data.draw(ODD), place)
    suffix = ".jsonl" if "json/" not in made.file else ""
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), made, rows, suffix=suffix)
        try:
            read = load_benchmark(name, path)
        except CaseError:
            assert name == "lvbench"  # both questions hang on one line
            return
    assert made.ids[1 - place] in [case.id for case in read.cases] or name == "lvbench"
    assert read.rows >= len(made.ids) or field in ("qa",)
    for case in read.cases:
        assert case.gold is None or not case.view.options or 0 <= case.gold < len(case.view.options)


@every
@settings(max_examples=40)
@given(data=st.data())
def test_bytes_that_are_lost_or_changed_break_no_loader(name: str, data: st.DataObject) -> None:
    made = MADE[name]
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), made)
        blob = bytearray(path.read_bytes())
        for place in data.draw(st.lists(st.integers(0, len(blob) - 1), max_size=4)):
            blob[place] = data.draw(st.integers(0, 255))
        path.write_bytes(blob[: data.draw(st.integers(0, len(blob)))])
        try:
            read = load_benchmark(name, path)
        except CaseError as error:
            message = str(error)
        else:
            message = " ".join(row.reason for row in read.rejected)
        assert len(message) < 2000


def test_the_two_sources_of_mvbench_are_kept_apart(tmp_path: Path) -> None:
    """Two films are called video_1.mp4; the task says which one is meant."""
    row = {"video": "video_1.mp4", "question": "Q?", "candidates": ["x", "y"], "answer": "x"}
    folders = {"moving_count": "clevrer/video_validation", "state_change": "perception/videos"}
    for task, folder in folders.items():
        write(tmp_path, Made(f"json/{task}.json", [row], [], [], [], []))
        (tmp_path / "films" / folder).mkdir(parents=True)
        (tmp_path / "films" / folder / "video_1.mp4").touch()
    read = load_benchmark("mvbench", tmp_path, tmp_path / "films")
    paths = {case.tags["task"]: case.view.clip().video.path for case in read.cases}
    assert paths == {t: tmp_path / "films" / f / "video_1.mp4" for t, f in folders.items()}
    assert read.remarks == ()


def test_frames_of_a_folder_come_at_the_rate_of_the_row(tmp_path: Path) -> None:
    from PIL import Image

    made = MADE["mvbench"]
    folder = tmp_path / "films" / "tvqa" / "frames_fps3_hq" / "v_2"
    folder.mkdir(parents=True)
    for i in range(1, 19):
        Image.new("RGB", (8, 8)).save(folder / f"{i:05d}.jpg")
    row = made.rows[1] | {"video": "v_2"}
    write(tmp_path, Made("json/episodic_reasoning.json", [row], [], [], [], []))
    clip = load_benchmark("mvbench", tmp_path, tmp_path / "films").cases[0].view.clip()
    assert isinstance(clip, Clip)
    info = probe(clip.video)
    assert (info.fps, info.frames, info.duration) == (3, 18, 6)
    assert (clip.start, clip.end) == (0, 5.5)


def test_rows_that_disagree_on_a_length_are_named(tmp_path: Path) -> None:
    """Row b13: the first is kept, and the other one told."""
    made = MADE["mlvu"]
    rows = [{**row, "video": "a.mp4"} for row in made.rows]
    read = load_benchmark("mlvu", write(tmp_path, made, rows))
    assert read.seconds == {"a.mp4": 300.5}
    (remark,) = read.remarks
    assert (remark.case, remark.kind) == ("C_1", "duration_disagrees")
    assert "200" in remark.detail
    assert "300.5" in remark.detail


def test_a_row_without_options_is_rejected_where_options_are_the_rule(tmp_path: Path) -> None:
    """Row b4."""
    for name, field, kind in (
        ("mlvu", "candidates", "no_options"),
        ("egoschema", "option", "no_options"),
        ("rtvbench", "options", "no_options"),
        ("vsibench", "options", "no_options"),
    ):
        made = MADE[name]
        rows = json.loads(json.dumps(made.rows))
        rows[-1][field] = {} if isinstance(rows[-1][field], dict) else []
        path = write(tmp_path / name, made, rows, suffix=".jsonl")
        read = load_benchmark(name, path)
        assert [r.kind for r in read.rejected] == [kind], name
        assert read.rejected[0].where.startswith(made.ids[-1])


def test_a_choice_without_options_in_its_question_is_rejected(tmp_path: Path) -> None:
    made = MADE["vcrbench"]
    path = write(tmp_path, made, changed(made, "question", "Which antibody is it?"))
    (rejected,) = load_benchmark("vcrbench", path).rejected
    assert (rejected.kind, rejected.open_ended) == ("answer_outside_options", False)
    assert rejected.where.startswith("5 (VCR-Bench.tsv, line 2)")


def test_an_open_row_that_is_rejected_is_no_lost_choice(tmp_path: Path) -> None:
    made = MADE["vsibench"]
    path = write(tmp_path, made, changed(made, "ground_truth", "two"))
    (rejected,) = load_benchmark("vsibench", path).rejected
    assert rejected.open_ended
