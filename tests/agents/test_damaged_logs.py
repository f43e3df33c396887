"""Damaged logs: no reader breaks, and every record is a trajectory or a counted reason."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from agents.made import made
from agents.made_logs import explorer, write
from agents.test_openai import discovery, longvt
from agents.test_videoseal import END, LOOK, seal
from hypothesis import given
from hypothesis import strategies as st

from vidence.agent_log import AGENT_LOGS, Unread
from vidence.errors import VidenceError
from vidence.trajectory import Trajectory

RECORDS: dict[str, tuple[str | None, Callable[[int], Any]]] = {
    "videoexplorer": (None, lambda i: explorer(f"q{i}")),
    "videoseal": (None, lambda i: seal(LOOK, END, uid=f"q{i}")),
    "openai": ("longvt", lambda i: {**longvt(bool(i % 2)), "qid": f"q{i}"}),
    "vidence": (None, lambda i: made().model_dump(mode="json")),
}
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


def test_every_reader_is_tried() -> None:
    assert set(RECORDS) == set(AGENT_LOGS)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every value inside a value."""
    yield at
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*at, key))


def bent(value: Any, at: tuple[Any, ...], new: Any, drop: bool) -> Any:
    """Return a value with one inner value replaced or taken away."""
    if not at:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    if drop and len(at) == 1:
        del copy[at[0]]
    else:
        copy[at[0]] = bent(copy[at[0]], at[1:], new, drop)
    return copy


def read(form: str, text: str) -> list[Trajectory | Unread]:
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "trajectory.json", text)
        try:
            found = list(AGENT_LOGS[form](path, RECORDS[form][0]))
        except VidenceError:
            return []
    for item in found:
        if isinstance(item, Trajectory):
            assert Trajectory.model_validate_json(item.model_dump_json()) == item
        else:
            assert item.where
            assert item.reason
    return found


@pytest.mark.parametrize("form", sorted(RECORDS))
@given(data=st.data())
def test_a_bent_record_leaves_its_neighbours_alone(form: str, data: st.DataObject) -> None:
    make = RECORDS[form][1]
    record = make(1)
    at = data.draw(st.sampled_from(list(places(record))))
    new, drop = data.draw(ODD), data.draw(st.booleans())
    lines = [make(0), bent(record, at, new, drop), make(2)]
    found = read(form, "".join(f"{json.dumps(line)}\n" for line in lines))
    assert len(found) == 3
    assert [isinstance(item, Trajectory) for item in found][::2] == [True, True]


@pytest.mark.parametrize("form", sorted(RECORDS))
@given(data=st.data())
def test_a_cut_file_of_lines_loses_its_last_line_at_most(form: str, data: st.DataObject) -> None:
    make = RECORDS[form][1]
    text = "".join(f"{json.dumps(make(i))}\n" for i in range(3))
    end = data.draw(st.integers(0, len(text)))
    found = read(form, text[:end])
    whole = sum(isinstance(item, Trajectory) for item in found)
    assert whole in (text[:end].count("\n"), text[: end + 1].count("\n"))
    assert sum(isinstance(item, Unread) for item in found) <= 1
    assert found


@pytest.mark.parametrize("form", sorted(set(RECORDS) - {"vidence"}))
@given(data=st.data())
def test_a_cut_list_keeps_its_whole_records(form: str, data: st.DataObject) -> None:
    make = RECORDS[form][1]
    text = json.dumps([make(i) for i in range(3)])
    ends = [len(json.dumps([make(i) for i in range(n)])) - 1 for n in (1, 2, 3)]
    end = data.draw(st.integers(0, len(text) - 1))
    found = read(form, text[:end])
    assert sum(isinstance(item, Trajectory) for item in found) == sum(e <= end for e in ends)
    assert sum(isinstance(item, Unread) for item in found) == 1


@pytest.mark.parametrize("form", sorted(RECORDS))
@given(text=st.text(max_size=60) | ODD.map(json.dumps) | st.binary(max_size=40).map(repr))
def test_no_text_breaks_a_reader(form: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    read(form, text)


@given(data=st.data())
def test_a_record_by_its_name_is_counted_by_it(data: st.DataObject) -> None:
    record = discovery()
    at = data.draw(st.sampled_from(list(places(record))))
    value = {"a": discovery(), "b": bent(record, at, data.draw(ODD), False), "c": discovery()}
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder) / "log.json", value)
        found = list(AGENT_LOGS["openai"](path, "deepvideodiscovery"))
    if all(isinstance(item, dict | str | None) for item in value.values()):
        names = [i.sample.qid if isinstance(i, Trajectory) else i.qid for i in found]
        assert names == ["a", "b", "c"]
    else:
        assert found
