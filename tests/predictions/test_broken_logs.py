"""Whatever a log holds, an import ends in a report or in an error that was raised on purpose."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.predictions import test_lm_eval as lm_eval
from tests.predictions import test_video_oasis as video_oasis
from tests.predictions import test_vlmevalkit as vlmevalkit
from tests.predictions.films import COUNT, KEYS, WORDS, benchmark, bring, question
from vidence.errors import VidenceError
from vidence.imported import ImportReport

FULL = tuple(range(COUNT))


def lmms_eval(i: int) -> dict[str, Any]:
    if i % 2:
        told = {"id": f"q{i}", "pred_answer": "A", "answer": KEYS[i], "score": 0.0}
        return {"doc_id": i, "filtered_resps": "A", "input": lm_eval.prompt(i), "acc": told}
    old = {"doc_id": i, "doc": lm_eval.doc(i), "arguments": [lm_eval.prompt(i), {}]}
    return {**old, "target": KEYS[i], "resps": [["B"]], "filtered_resps": ["B"], "acc": 1.0}


def plain(i: int) -> dict[str, Any]:
    told = {"question": question(i), "options": list(WORDS), "gold": "A", "video": "film0"}
    return {"id": f"q{i}", "reply": "A", "row": i, "score": 1, "repeat": 0, "prompt": "p", **told}


def oasis(i: int) -> dict[str, Any]:
    told = {"test": "intact", "model": "m", "option_scores": [1, 2, 3, 4]}
    return {**video_oasis.annotation(i), "pred": "A", "diagnostic": told}


LOGS: dict[str, tuple[str, Callable[[], list[dict[str, Any]]]]] = {
    "lmms-eval": ("d_samples_films.jsonl", lambda: [lmms_eval(i) for i in FULL]),
    "lm-eval": (
        "samples_films.jsonl",
        lambda: [
            lm_eval.generated(i, "A", "A", 1.0) if i % 2 else lm_eval.chosen(i, [-1.0] * 4, 1.0)
            for i in FULL
        ],
    ),
    "vlmevalkit": ("m_films.json", vlmevalkit.rows),
    "video-oasis": ("all.jsonl", lambda: [oasis(i) for i in FULL]),
    "plain": ("log.jsonl", lambda: [plain(i) for i in FULL]),
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


def changed(data: st.DataObject, value: Any) -> Any:
    """Replace something in a value, however deep it stands."""
    inside = isinstance(value, dict | list) and bool(value) and data.draw(st.integers(0, 3))
    if not inside:
        return data.draw(VALUES)
    found = copy.copy(value)
    place = data.draw(
        st.sampled_from(list(found) if isinstance(found, dict) else range(len(found)))
    )
    found[place] = changed(data, found[place])
    return found


def outcome(act: Callable[[], ImportReport]) -> str:
    """Return the report as JSON, or the message of an error that was raised on purpose."""
    try:
        return json.dumps(act().to_json(), allow_nan=False)
    except VidenceError as error:
        return str(error)


@pytest.mark.parametrize("form", sorted(LOGS))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_field_of_any_kind_breaks_nothing_but_its_row(
    form: str, data: st.DataObject, tmp_path: Path
) -> None:
    name, make = LOGS[form]
    rows = make()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, COUNT - 1))
        rows[place] = changed(data, rows[place])
    text = json.dumps(rows) if name.endswith("json") else "\n".join(map(json.dumps, rows))
    (tmp_path / name).write_text(text)
    check = data.draw(st.sampled_from(["intact", "shuffled_options", "rotated_options"]))
    out = tmp_path / f"run{data.draw(st.integers(0, 10**9))}"
    said = outcome(lambda: bring(form, tmp_path / name, benchmark(tmp_path), out, check=check))
    assert name in said or "--model" in said


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_spreadsheet_with_changed_bytes_is_read_or_named(
    data: st.DataObject, tmp_path: Path
) -> None:
    path = vlmevalkit.write(tmp_path / "m_films.xlsx", vlmevalkit.rows())
    whole = path.read_bytes()
    places = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=9)
    if data.draw(st.booleans()):
        body = bytearray(whole)
        for place, byte in data.draw(places):
            body[place % len(body)] = byte
        path.write_bytes(bytes(body))
    else:  # a whole zip around broken XML
        with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(path, "w") as target:
            for member in source.infolist():
                body = bytearray(source.read(member))
                for place, byte in data.draw(places) if "sheet" in member.filename else ():
                    body[place % len(body)] = byte
                target.writestr(member.filename, bytes(body))
    out = tmp_path / f"run{data.draw(st.integers(0, 10**9))}"
    said = outcome(lambda: bring("vlmevalkit", path, benchmark(tmp_path), out))
    assert "m_films.xlsx" in said
