"""Charts of the text-only report: the numbers of the data and nothing else, on any screen."""

from __future__ import annotations

import json

import pytest

from tests.report.factory import HOSTILE
from tests.report.factory_text import TextDesign, make_overview, make_text
from tests.report.test_report_charts import nodes, rows_with
from vidence.report import text_charts, text_heat, text_overview
from vidence.report.text_tables import LEARNER

PLAIN = TextDesign(n=120, videos=30)


@pytest.fixture(scope="module")
def data():
    return make_text(PLAIN)[0]


def specs(data):
    for name in ("guesses", "families", "overlap"):
        dots = getattr(text_charts, name)(data)
        yield f"{name}", dots.spec()
        yield f"{name} narrow", dots.spec(narrow=True)
    for name in ("calibration", "scores", "pruning"):
        yield name, getattr(text_charts, name)(data)


@pytest.mark.parametrize("narrow", [False, True])
def test_each_rule_is_a_dot_with_its_interval_and_chance_is_none(data, narrow):
    spec = text_charts.guesses(data).spec(narrow=narrow)
    rows = {row["name"]: row for row in rows_with(spec, "value")}
    rules = {rule["title"]: rule for name, rule in data["priors"].items() if name != "chance"}
    assert set(rows) == {LEARNER, *rules}
    for name, rule in {LEARNER: data["learner"], **rules}.items():
        for end in ("value", "low", "high"):
            assert rows[name][end] == pytest.approx(100 * rule["accuracy"][end], abs=1e-3)
        assert "questions, 30 videos" in rows[name]["told"]
    assert [row["at"] for row in rows_with(spec, "at")] == [25.0]
    (band,) = rows_with(spec, "low")
    assert (band["low"], band["high"]) == (25.0, 30.0)


def test_rules_stand_from_best_to_worst_below_the_learner(data):
    order = list(text_charts.guesses(data).order)
    accuracy = {r["title"]: r["accuracy"]["value"] for r in data["priors"].values()}
    assert order[0] == LEARNER
    assert order[1:] == sorted(order[1:], key=lambda title: -accuracy[title])


def test_a_rule_that_is_not_beyond_luck_is_hollow(data):
    rows = rows_with(text_charts.guesses(data).spec(), "value")
    claimed = {rule["title"]: rule["claimed"] for rule in data["priors"].values()}
    assert {row["name"]: row["fill"] != "var(--paper)" for row in rows[1:]} == {
        row["name"]: claimed[row["name"]] for row in rows[1:]
    }
    assert any(claimed.values())


def test_families_have_two_dots_each_and_the_whole_learner_as_a_line(data):
    spec = text_charts.families(data).spec()
    found = {(row["name"], row["slot"]): row["value"] for row in rows_with(spec, "value")}
    expected = {}
    for family in data["learner"]["families"]:
        expected[family["title"], 0] = family["alone"]["value"]
        expected[family["title"], 1] = family["without"]["value"]
    assert found == pytest.approx({key: 100 * share for key, share in expected.items()}, abs=1e-3)
    lines = [node["data"]["values"] for node in nodes(spec) if "data" in node]
    assert [{"at": round(100 * data["learner"]["accuracy"]["value"], 4)}] in lines


def test_calibration_has_a_point_a_bin_and_its_n(data):
    rows = rows_with(text_charts.calibration(data), "low")
    bins = [one for one in data["learner"]["calibration"]["bins"] if one["n"]]
    assert [row["n"] for row in rows] == [f"{one['n']:,}" for one in bins]
    for row, one in zip(rows, bins, strict=True):
        assert row["said"] == pytest.approx(100 * one["predicted"], abs=1e-3)
        assert row["right"] == pytest.approx(100 * one["right"]["value"], abs=1e-3)


def test_bins_that_lie_close_are_drawn_large_without_a_blur_of_n():
    data, _ = make_text(PLAIN)
    bins = data["learner"]["calibration"]["bins"]
    near = [one for one in bins if one["n"]][:3]
    for place, one in enumerate(near):
        one |= {"low": 0.3, "high": 0.31, "predicted": 0.3 + 0.003 * place}
        one["right"] |= {"value": 0.3, "low": 0.25, "high": 0.38}
    data["learner"]["calibration"]["bins"] = near
    spec = text_charts.calibration(data)
    assert "text" not in {node["mark"]["type"] for node in spec["layer"]}
    scale = spec["layer"][0]["encoding"]["x"]["scale"]
    assert scale["domain"] == [20, 40]


@pytest.mark.parametrize("leak", [0.2, -0.6])
def test_the_axis_holds_every_number(leak):
    data, _ = make_text(TextDesign(n=60, videos=20, leak=leak))
    for dots in (text_charts.guesses(data), text_charts.families(data)):
        domain = next(
            node["scale"]["domain"] for node in nodes(dots.spec()) if node.get("field") == "value"
        )
        for row in rows_with(dots.spec(), "value"):
            assert domain[0] <= row["low"] <= row["high"] <= domain[1]


def test_without_a_number_there_is_no_chart():
    data, _ = make_text(TextDesign(n=0, videos=0))
    assert [spec for _, spec in specs(data)] == [None] * 9
    assert text_charts.overview([]).spec() is None


@pytest.mark.parametrize(
    "design",
    [PLAIN, TextDesign(n=20, videos=1), TextDesign(n=30, videos=9, options=1)],
    ids=["plain", "one-video", "one-option"],
)
def test_charts_keep_to_the_schema(design):
    import altair as alt

    data, _ = make_text(design)
    lines = text_overview.lines(make_overview({"a": design, "b": design}))
    drawn = [*(spec for _, spec in specs(data)), text_charts.overview(lines).spec(narrow=True)]
    for spec in drawn:
        if spec is not None:
            alt.LayerChart.from_dict(spec, validate=True)
    assert sum(spec is not None for spec in drawn) >= 8


def test_text_of_a_dataset_is_data_only():
    data, _ = make_text(TextDesign(n=24, videos=8, hostile=True))
    secret = "') + alert(1) + ('"
    data["priors"]["longest_option"]["title"] = secret
    data["learner"]["families"][0]["title"] = secret
    data["learner"]["families"][1]["title"] = HOSTILE[2]
    for _, spec in specs(data):
        for node in nodes(spec):
            for key, value in node.items():
                if key not in ("sort", "domain"):
                    bad = isinstance(value, str) and ("alert" in value or "7*7" in value)
                    assert not bad, key
        assert "url" not in json.dumps(spec).replace("vega.github.io", "")


def test_the_overview_has_a_row_a_benchmark_and_chance_in_each():
    designs = {"a": PLAIN, "b": TextDesign(n=60, videos=20, options=5), "c": TextDesign(n=0)}
    lines = text_overview.lines(make_overview(designs))
    spec = text_charts.overview(lines).spec()
    assert {(row["name"], row["slot"]) for row in rows_with(spec, "value")} == {
        (name, slot) for name in "ab" for slot in range(3)
    }
    assert {row["name"]: row["at"] for row in rows_with(spec, "at")} == {"a": 25.0, "b": 20.0}


def test_categories_stand_from_most_to_least_with_few_questions_last():
    data, _ = make_text(TextDesign(n=300, videos=60, tags=1, values=9))
    for place, row in enumerate(data["categories"]):
        row["n"] = 5 if place % 3 == 0 else row["n"]
    (table,) = text_heat.categories(data)
    rows = {row["value"]: row for row in data["categories"]}
    shown = [rows[name] for name, _ in table.rows]
    assert [row["n"] < 20 for row in shown] == sorted(row["n"] < 20 for row in shown)
    for few in (False, True):
        gains = [r["over_chance"]["value"] for r in shown if (r["n"] < 20) == few]
        assert gains == sorted(gains, reverse=True)
    largest = max(abs(r["over_chance"]["value"]) for r in shown if r["n"] >= 20)
    most = next(share / 10 for share in range(1, 11) if share / 10 >= largest)
    assert text_heat.full(data) == pytest.approx(most)
    for name, cells in table.rows:
        over = rows[name]["over_chance"]["value"]
        assert cells[0].below == (over < 0)
        assert cells[0].step == min(10, round(10 * abs(over) / most))
        assert {cell.under for cell in cells} == {f"n = {rows[name]['n']}"}
        assert {cell.few for cell in cells} == {rows[name]["n"] < 20}


def test_long_tables_of_categories_are_folded_and_lose_nothing():
    data, _ = make_text(TextDesign(n=900, videos=90, tags=1, values=60))
    (table,) = text_heat.categories(data)
    first, rest = text_heat.folded(table)
    assert len(first.rows) == text_heat.VALUES
    assert (*first.rows, *rest.rows) == table.rows
    assert first.name != rest.name
    short = text_heat.categories(make_text(PLAIN)[0])[0]
    assert text_heat.folded(short) == (short, None)
