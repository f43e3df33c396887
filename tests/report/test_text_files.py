"""What `publish_text` leaves behind, and the form in percent."""

from __future__ import annotations

import json
import math

import pytest

from tests.report.factory_text import TextDesign, make_text
from vidence.errors import StoreError, UsageError
from vidence.report.text_report import NEEDED, publish_text, to_json

SMALL = TextDesign(n=24, videos=8)
FILES = ["cases.jsonl", "report.html", "report.json", "report.md"]


def test_four_files_and_nothing_else(tmp_path):
    data, cards = make_text(SMALL)
    path = publish_text(data, iter(cards), tmp_path / "new" / "run")
    assert path == tmp_path / "new" / "run" / "report.html"
    assert sorted(p.name for p in path.parent.iterdir()) == FILES


def test_the_same_input_gives_the_same_bytes(tmp_path):
    first, again = (publish_text(*make_text(SMALL), tmp_path / name) for name in "ab")
    for name in FILES:
        assert (first.parent / name).read_bytes() == (again.parent / name).read_bytes()


def test_every_case_is_a_line_and_at_most_so_many_are_embedded(tmp_path):
    data, cards = make_text(SMALL)
    path = publish_text(data, cards, tmp_path, embed=5)
    lines = (tmp_path / "cases.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == cards
    block = path.read_text("utf-8").split('id="cases-data">')[1].split("</script>")[0]
    assert len(json.loads(block)["cards"]) == 5


def test_half_a_surrogate_comes_back_as_it_was(tmp_path):
    data, cards = make_text(SMALL)
    cards[0]["question"] = "half \ud83d of it"
    path = publish_text(data, cards, tmp_path)
    line = (tmp_path / "cases.jsonl").read_text("utf-8").splitlines()[0]
    assert json.loads(line)["question"] == "half \ud83d of it"
    assert "⟨U+D83D⟩" in path.read_text("utf-8")


def test_estimates_are_in_percent_and_say_so():
    data, _ = make_text(SMALL)
    shown = to_json(data)
    for name, prior in data["priors"].items():
        row = shown["priors"][name]
        assert row["unit"] == "percent"
        assert row["value"] == pytest.approx(100 * prior["accuracy"]["value"], abs=1e-6)
        assert (row["n"], row["title"]) == (24, prior["title"])
        assert "accuracy" not in row
    accuracy, learner = data["learner"]["accuracy"], shown["learner"]
    for end in ("value", "low", "high"):
        assert learner[end] == pytest.approx(100 * accuracy[end], abs=1e-6)
    assert learner["p"] == data["learner"]["p"]
    assert learner["null"]["mean"] == pytest.approx(100 * data["learner"]["null"]["mean"])
    assert learner["null"]["unit"] == learner["over_chance"]["unit"] == "percent"
    for row, given in zip(shown["categories"], data["categories"], strict=True):
        assert row["learner"]["value"] == pytest.approx(100 * given["learner"]["value"], abs=1e-6)


def estimates(data):
    """Yield every estimate of some JSON."""
    if isinstance(data, dict):
        if {"value", "low", "high", "method"} <= set(data):
            yield data
        data = list(data.values())
    if isinstance(data, list):
        for item in data:
            yield from estimates(item)


def test_no_estimate_is_left_in_shares_and_the_input_is_not_touched():
    data, _ = make_text(SMALL)
    before = json.dumps(data)
    shown = list(estimates(to_json(data)))
    assert json.dumps(data) == before
    assert len(shown) == len(list(estimates(data)))
    assert {one["unit"] for one in shown} == {"percent"}


def test_report_json_is_that_form(tmp_path):
    data, cards = make_text(SMALL)
    data["extra"] = {"a": math.nan, "b": (1, math.inf)}
    path = publish_text(data, cards, tmp_path)
    back = json.loads(path.with_suffix(".json").read_text("utf-8"), parse_constant=pytest.fail)
    assert back == to_json(data)
    assert back["extra"] == {"a": None, "b": [1, None]}


def test_parts_that_are_not_there_stay_null():
    data, _ = make_text(TextDesign(n=0, videos=0))
    shown = to_json(data)
    assert shown["learner"] is shown["overlap"] is shown["pruning"] is None
    assert shown["priors"]["longest_option"]["value"] is None


def test_a_write_that_fails_leaves_the_old_report(tmp_path, monkeypatch):
    data, cards = make_text(SMALL)
    publish_text(data, cards, tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in FILES}

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        publish_text(data | {"title": "changed"}, cards, tmp_path)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


@pytest.mark.parametrize("key", ["format", "kind"])
def test_another_form_is_refused_by_name(tmp_path, key):
    data, cards = make_text(SMALL)
    with pytest.raises(UsageError, match=rf"{key} is 'other'; 'vidence.report/1'|'text-audit'"):
        publish_text(data | {key: "other"}, cards, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", NEEDED)
def test_a_missing_part_is_named(tmp_path, part):
    data, cards = make_text(SMALL)
    del data[part]
    with pytest.raises(UsageError, match=f"lacks {part};"):
        publish_text(data, cards, tmp_path)
