"""Several text-only audits side by side: one page, Markdown and JSON."""

from __future__ import annotations

import json

import pytest
from markdown_it import MarkdownIt

from tests.report.factory import HOSTILE
from tests.report.factory_text import TextDesign, make_overview, make_text
from tests.report.test_report_page import Page, words
from vidence.errors import UsageError
from vidence.report import text_overview
from vidence.report.text_report import overview_json, publish_overview, publish_text, to_json
from vidence.report.untrusted import visible

DESIGNS = {
    "leaky": TextDesign(n=200, videos=50, leak=0.4),
    "sound": TextDesign(n=120, videos=30, leak=0.0, options=5),
    "empty": TextDesign(n=0, videos=0),
}


def said(page):
    return words(" ".join(page.words))


def test_three_files_with_a_row_a_benchmark_and_those_together(tmp_path):
    overview = make_overview(DESIGNS)
    path = publish_overview(overview, tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["report.html", "report.json", "report.md"]
    page = Page(path.read_text("utf-8"))
    assert page.stack == []
    rows = {row[0]: row for row in page.tables["overview"][1:]}
    together = {"all questions as one", "mean of benchmarks"}
    assert set(rows) == {*DESIGNS, *together}
    for name, data in overview["benchmarks"].items():
        assert rows[name][1] == str(data["cases"]["scored"])
    shown = rows["leaky"][6]
    value = 100 * overview["benchmarks"]["leaky"]["learner"]["accuracy"]["value"]
    assert float(shown.split("\u00a0")[0]) == pytest.approx(value, abs=0.51)
    text = said(page)
    assert "Two videos are shared." in text
    assert "broken could not be audited: line 3 is no JSON." in text
    assert "No known benchmark was found in: notes" in text
    other = Page(
        MarkdownIt("commonmark").enable("table").render((tmp_path / "report.md").read_text())
    )
    cells = [[words(cell) for cell in row] for row in other.tables[""]]
    for row in page.tables["overview"]:
        assert [words(cell) for cell in row] in cells


def test_only_reports_that_are_there_are_linked(tmp_path):
    overview = make_overview({**DESIGNS, "../up": TextDesign(n=30, videos=9)})
    data, cards = make_text(DESIGNS["leaky"])
    publish_text(data, cards, tmp_path / "all" / "leaky")
    publish_text(data, cards, tmp_path / "up")
    page = Page(publish_overview(overview, tmp_path / "all").read_text("utf-8"))
    assert [given["href"] for _, given in page.elements if "href" in given] == ["leaky/report.html"]


def test_json_is_each_report_in_percent():
    overview = make_overview(DESIGNS)
    shown = json.loads(json.dumps(overview_json(overview), allow_nan=False))
    assert shown["benchmarks"]["leaky"] == to_json(overview["benchmarks"]["leaky"])
    pooled, given = shown["together"]["pooled"], overview["together"]["pooled"]
    assert pooled["learner"]["unit"] == "percent"
    assert pooled["learner"]["value"] == pytest.approx(100 * given["learner"]["value"], abs=1e-6)
    assert pooled["priors"]["longest_option"]["unit"] == "percent"
    assert (shown["unknown"], shown["failed"]) == (overview["unknown"], overview["failed"])


def test_the_sentence_counts_with_holms_correction():
    overview = make_overview({f"b{i}": TextDesign(n=40, videos=10, leak=0.4) for i in range(4)})
    for name, p in zip(overview["benchmarks"], (0.001, 0.012, 0.03, 0.04), strict=True):
        overview["benchmarks"][name]["learner"]["p"] = p
    # Sorted p times 4, 3, 2, 1, never falling: 0.004, 0.036, 0.06, 0.06.
    names = [line.name for line in text_overview.beyond_luck(text_overview.lines(overview))]
    assert sorted(names) == ["b0", "b1"]
    assert "beyond luck in 2 of 4" in text_overview.sentence(overview)


def test_below_chance_is_no_leak_however_small_p_is():
    overview = make_overview({"a": TextDesign(n=80, videos=20, leak=-0.6)})
    overview["benchmarks"]["a"]["learner"]["p"] = 0.001
    assert text_overview.sentence(overview).endswith("is beyond luck in none of 1.")


def test_nothing_to_compare_is_said(tmp_path):
    empty = {"benchmarks": {}, "together": {}, "unknown": ["a"], "failed": []}
    text = said(Page(publish_overview(empty, tmp_path).read_text("utf-8")))
    assert "0 benchmarks, 0 questions: nothing could be scored." in text
    assert "Nothing to plot: no benchmark could be audited." in text


def test_hostile_words_are_words(tmp_path):
    overview = make_overview({"a": TextDesign(n=30, videos=9)})
    overview["benchmarks"]["a"]["title"] = HOSTILE[1]
    overview["unknown"] = list(HOSTILE)
    overview["failed"] = [{"name": HOSTILE[0], "reason": HOSTILE[5]}]
    page = Page(publish_overview(overview, tmp_path).read_text("utf-8"))
    raw = "".join([*page.words, *(v for _, given in page.elements for v in given.values())])
    assert not {"\x00", "\x07", "\u202e", "\u2066", "\u2028"} & set(raw)
    for text in HOSTILE:
        assert words(visible(text))[:200] in said(page)
    assert not [tag for tag, given in page.elements if "onerror" in given]


def test_another_form_is_refused(tmp_path):
    overview = make_overview({"a": TextDesign(n=30, videos=9)})
    overview["benchmarks"]["a"]["kind"] = "benchmark-audit"
    with pytest.raises(UsageError, match="'text-audit' is allowed"):
        publish_overview(overview, tmp_path)
    assert list(tmp_path.iterdir()) == []
