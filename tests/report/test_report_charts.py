"""Charts: the data of the report and nothing else; text of a dataset is never an expression."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.report.factory import HOSTILE, Design, make
from vidence.report import charts, curve, heat
from vidence.report.palette import COLOURS, Palette, palette_of
from vidence.report.tables import FEW


def nodes(spec: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a spec outside its data."""
    if isinstance(spec, dict):
        yield spec
        for key, value in spec.items():
            if key != "values":
                yield from nodes(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from nodes(value)


def rows_with(spec: dict[str, Any], field: str) -> list[dict[str, Any]]:
    """Return the rows of the first layer's data that has a field."""
    sources = [node["data"] for node in nodes(spec) if "data" in node]
    tables = [spec.get("datasets", {}).get(s.get("name"), s.get("values")) for s in sources]
    return next(table for table in tables if table and field in table[0])


@pytest.fixture(scope="module")
def data():
    return make(Design(n=60, videos=20))[0]


def test_the_curve_has_the_estimates_of_the_report(data):
    rows = rows_with(curve.curve(data), "shortcut")
    for row, point in zip(rows, data["curve"], strict=True):
        assert row["c"] == point["c"]
        for name, share in (
            ("shortcut", point["shortcut"]["value"]),
            ("low", point["shortcut"]["low"]),
            ("high", point["shortcut"]["high"]),
            ("luck", point["luck"]["value"]),
            ("independent", point["independent"]),
        ):
            assert row[name] == pytest.approx(100 * share, abs=1e-3)


def test_the_strip_has_a_dot_for_each_model_and_check(data):
    spec = charts.accuracy(data, palette_of(data))
    dots = {(d["check"], round(d["value"], 3)) for d in rows_with(spec, "slot")}
    assert dots == {
        (row["check"], round(100 * row["accuracy"]["value"], 3)) for row in data["accuracy"]
    }
    assert len(rows_with(spec, "slot")) == len(data["accuracy"])
    chance = rows_with(spec, "chance")
    assert {row["chance"] for row in chance} == {25.0}


def test_bars_split_into_here_alone_and_elsewhere_too(data):
    bars = rows_with(charts.flags(data), "from")
    for row in data["checks"]:
        alone, rest = (bar for bar in bars if bar["check"] == row["check"])
        assert (
            alone["to"]
            == rest["from"]
            == pytest.approx(100 * row["unique_share"]["value"], abs=1e-3)
        )
        assert rest["to"] == pytest.approx(100 * row["flagged"][2]["value"], abs=1e-3)


def test_a_model_has_one_look_on_the_whole_page(data):
    palette = palette_of(data)
    spec = charts.accuracy(data, palette)
    for dot in rows_with(spec, "slot"):
        name = next(n for n, _ in palette.items() if f", {n}: " in dot["told"])
        assert (dot["colour"], dot["shape"]) == (palette[name].colour, palette[name].shape)


def test_forty_answerers_can_be_told_apart():
    looks = {(look.number, look.shape) for _, look in Palette(map(str, range(40))).items()}
    assert len(looks) == 40
    assert {number for number, _ in looks} == set(range(COLOURS))


def test_the_first_eight_colours_differ():
    assert len({look.colour for _, look in Palette(map(str, range(8))).items()}) == 8


@pytest.mark.parametrize("name", ["curve", "accuracy", "flags", "calibration"])
def test_text_of_a_dataset_is_data_only(name):
    data, _ = make(Design(n=24, videos=8, hostile=True))
    secret = "') + alert(1) + ('"
    data["checks"][0]["check"] = secret
    for row in data["accuracy"]:
        row["check"] = secret if row["check"] == "blind" else row["check"]
        row["answerer"] = HOSTILE[2] if row["answerer"].startswith("mid") else row["answerer"]
    rates = [
        {"name": secret, "first": row["found_rate"], "second": row["flagged_rate"]}
        for row in data["calibration"].values()
    ]
    spec = {
        "curve": lambda: curve.curve(data),
        "accuracy": lambda: charts.accuracy(data, palette_of(data)),
        "flags": lambda: charts.flags(data),
        "calibration": lambda: charts.two_rates(rates),
    }[name]()
    for node in nodes(spec):
        for key, value in node.items():
            if key in ("sort", "domain"):
                continue
            assert not (isinstance(value, str) and ("alert" in value or "7*7" in value)), key
    assert "url" not in json.dumps(spec).replace("vega.github.io", "")


@pytest.mark.parametrize("design", [Design(n=24, videos=8), Design(n=3, videos=1, missing=0.5)])
def test_charts_keep_to_the_schema(design):
    import altair as alt
    from jsonschema import ValidationError

    data, _ = make(design)
    kinds = [
        {"name": row["kind"], "first": row["shortcut"], "second": row["excess"]}
        for row in data["planted"]
    ]
    drawn = [
        curve.curve(data),
        charts.accuracy(data, palette_of(data)),
        charts.flags(data),
        charts.two_rates(kinds),
    ]
    for spec in drawn:
        alt.LayerChart.from_dict(spec, validate=True)
    with pytest.raises(ValidationError):
        alt.LayerChart.from_dict(drawn[0] | {"layer": [{"mark": "nothing"}]}, validate=True)


def test_without_a_number_there_is_no_chart():
    data, _ = make(Design(n=0, videos=0))
    assert curve.curve(data) is None
    assert charts.accuracy(data, palette_of(data)) is None
    assert charts.flags(data) is None
    assert charts.two_rates([]) is None


def test_a_check_with_a_smaller_panel_is_drawn_at_its_own_size():
    data, _ = make(Design(n=40, videos=9, models=4, encoders=2, threshold=4))
    data["checks"][-1]["flagged"][3] |= {"value": None, "low": None, "high": None}
    bars = rows_with(charts.flags(data), "from")
    bag = [bar for bar in bars if bar["check"] == "bag_of_frames"]
    assert bag[-1]["to"] == pytest.approx(100 * data["checks"][-1]["flagged"][1]["value"], abs=1e-3)


def test_every_cell_of_the_heat_map_has_its_n_and_small_ones_are_marked(data):
    seen = 0
    for table in heat.categories(data):
        mine = [row for row in data["categories"] if f"by {row['tag']} and" in table.caption]
        for (name, cells), row in zip(table.rows, mine, strict=True):
            assert name == row["value"]
            whole = [row["shortcut"], row["luck"], *row["checks"].values()]
            for place, (cell, estimate) in enumerate(zip(cells, whole, strict=True)):
                seen += 1
                assert cell.under == f"n = {estimate['n']}"
                if place != 1:
                    assert cell.few == (estimate["n"] < FEW)
                    assert cell.step == round(10 * estimate["value"])
    assert seen > 40


def test_overlap_is_the_matrix_of_the_report(data):
    table = heat.overlap(data)
    cells = [[int(cell.text) for cell in cells] for _, cells in table.rows]
    assert cells == data["overlap"]["both"]
    assert [name for name, _ in table.rows] == list(table.head) == data["overlap"]["checks"]
