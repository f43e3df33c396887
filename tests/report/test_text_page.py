"""The text-only report as documents: same numbers, strict policy, every text inert."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt

from tests.report.factory import HOSTILE, estimate
from tests.report.factory_text import TextDesign, make_text
from tests.report.test_report_page import Page, words
from vidence.report.text_report import publish_text
from vidence.report.untrusted import visible

ODD = {
    "plain": TextDesign(n=80, videos=20),
    "hostile": TextDesign(n=40, videos=12, hostile=True),
    "nothing scored": TextDesign(n=0, videos=0),
    "one question": TextDesign(n=1, videos=1),
    "one video": TextDesign(n=30, videos=1),
    "below chance": TextDesign(n=120, videos=40, leak=-0.6),
    "parts missing": TextDesign(
        n=80, videos=20, permutations=0, tags=0, transcripts=False, pruning=False, rejected=0
    ),
    "thirteen options": TextDesign(n=40, videos=20, options=13),
    "one option": TextDesign(n=40, videos=20, options=1),
    "many tags": TextDesign(n=120, videos=40, tags=26, values=3),
    "many values": TextDesign(n=600, videos=100, tags=1, values=200),
}


@pytest.fixture(scope="module", params=ODD, ids=lambda name: name.replace(" ", "-"))
def report(request, tmp_path_factory):
    data, cards = make_text(ODD[request.param])
    folder = tmp_path_factory.mktemp("report")
    path = publish_text(data, cards, folder)
    return data, Page(path.read_text("utf-8")), folder


def published(tmp_path, data, cards=()):
    return Page(publish_text(data, cards, tmp_path).read_text("utf-8"))


def said(page):
    return words(" ".join(page.words))


def test_elements_are_closed_and_ids_are_unique(report):
    _, page, _ = report
    assert page.stack == []
    ids = [given["id"] for _, given in page.elements if "id" in given]
    assert len(ids) == len(set(ids))


def test_the_policy_allows_these_scripts_and_this_style_only(report):
    _, page, _ = report
    policy = next(
        given["content"] for _, given in page.elements if "Security" in given.get("http-equiv", "")
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        run = [text for kind, given, text in page.raw if kind == tag and "type" not in given]
        hashes = [base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in run]
        assert rules.pop(name).split() == [f"'sha256-{h}'" for h in hashes]
    assert rules == {
        "default-src": "'none'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_nothing_is_loaded_and_no_attribute_runs(report):
    _, page, _ = report
    for tag, given in page.elements:
        assert tag not in ("link", "iframe", "object", "embed", "base", "audio", "video", "img")
        for name, value in given.items():
            assert not name.startswith("on"), (tag, name)
            assert name not in ("src", "style", "action", "formaction", "srcset"), (tag, name)
            assert name != "href" or value.startswith("#"), value


def test_links_within_the_page_lead_somewhere(report):
    _, page, _ = report
    ids = {given["id"] for _, given in page.elements if "id" in given}
    targets = {given["href"][1:] for _, given in page.elements if "href" in given}
    assert targets
    assert targets <= ids


def test_the_first_words_are_the_sentence(report):
    data, page, _ = report
    text = words(" ".join(page.words[2:]))
    assert words(visible(data["headline"]["sentence"])) in text[:600]


def test_markdown_has_the_numbers_of_the_page(report):
    _, page, folder = report
    other = Page(
        MarkdownIt("commonmark").enable("table").render((folder / "report.md").read_text())
    )
    rows = [[words(cell) for cell in row] for row in other.tables[""]]
    named = [name for name in page.tables if name.startswith("table-")]
    assert len(named) >= 2
    for name in named:
        for row in page.tables[name]:
            assert [words(cell) for cell in row] in rows, name


def test_no_number_is_nan_anywhere(report):
    _, page, folder = report
    everything = "".join(page.words) + (folder / "report.md").read_text("utf-8")
    assert not re.search(r"\b(nan|NaN|inf|Infinity|None|null|undefined)\b", everything)
    json.loads((folder / "report.json").read_text("utf-8"), parse_constant=pytest.fail)


def test_headings_do_not_skip_a_level(report):
    _, page, _ = report
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_every_cell_of_a_category_has_its_n_and_few_are_hatched(report):
    data, page, _ = report
    cells = [given for tag, given in page.elements if tag == "td" and "title" in given]
    hatched = sum("few" in given["class"].split() for given in cells)
    assert len(cells) == 4 * len(data["categories"])
    assert hatched == 4 * sum(row["n"] < 20 for row in data["categories"])
    text = said(page)
    for row in data["categories"]:
        assert f"n = {row['n']:,}" in text


def test_hostile_words_are_words(tmp_path):
    data, cards = make_text(ODD["hostile"])
    data |= {"title": HOSTILE[1], "notes": list(HOSTILE)}
    data["rejected"] = [{"where": "row", "kind": "no_options", "reason": text} for text in HOSTILE]
    data["run"] |= {"command": HOSTILE[0], "path": HOSTILE[1], "settings": {HOSTILE[9]: HOSTILE[4]}}
    data["commands"] = [{"title": HOSTILE[4], "command": HOSTILE[3]}]
    data["priors"]["longest_option"] |= {"title": HOSTILE[5], "description": HOSTILE[9]}
    data["learner"]["families"][0] |= {"title": HOSTILE[0]}
    data["overlap"]["faults"] = {HOSTILE[1]: 3}
    page = published(tmp_path, data, cards)
    raw = "".join([*page.words, *(v for _, given in page.elements for v in given.values())])
    assert not {"\x00", "\x07", "\u202e", "\u202c", "\u2066", "\u2069", "\u2028"} & set(raw)
    shown = said(page)
    for text in HOSTILE:
        assert words(visible(text))[:200] in shown
    assert {tag for tag, given in page.elements if given.get("onerror")} == set()
    assert [tag for tag, _ in page.elements].count("style") == 1


def test_a_command_in_a_note_is_code_and_nothing_more(tmp_path):
    data, cards = make_text(ODD["one question"])
    data["notes"] = ["Rows are left out; `vidence lint` names <b>each</b>."]
    page = publish_text(data, cards, tmp_path).read_text("utf-8")
    assert "out; <code>vidence lint</code> names &lt;b&gt;each&lt;/b&gt;." in page


def test_why_nothing_can_be_plotted_is_said(tmp_path):
    data, cards = make_text(ODD["nothing scored"])
    text = said(published(tmp_path, data, cards))
    assert "Nothing to plot. No question of the file could be used." in text
    assert "There is no case to list." in text
    data["cases"] |= {"n": 7, "no_gold": 5, "open_ended": 2}
    text = said(published(tmp_path, data, cards))
    assert "None of the 7 questions can be scored: 5 without a key, 2 open-ended." in text


def test_an_interval_that_is_not_there_is_explained(tmp_path):
    text = said(published(tmp_path, *make_text(ODD["one video"])))
    assert text.count("No interval: all cases are about one video.") == 2
    assert "interval, by video" not in text


def test_a_learner_that_was_not_taught_says_why_and_the_rules_are_shown(tmp_path):
    data, cards = make_text(TextDesign(n=12, videos=6, pruning=False, transcripts=False))
    none = estimate([], []) | {"total": 12, "degenerate": "12 questions are too few to learn from"}
    data["learner"] |= {
        "accuracy": none,
        "over_chance": none,
        "p": None,
        "permutations": 0,
        "null": {"mean": None, "high": None},
        "calibration": {"bins": [], "error": None},
        "carriers": [],
        "families": [],
    }
    page = published(tmp_path, data, cards)
    assert "Nothing was learned. 12 questions are too few to learn from." in said(page)
    assert [row[0] for row in page.tables["table-guesses"]][1:] == [
        rule["title"] for rule in data["priors"].values()
    ]
    assert any(given.get("id") == "chart-guesses" for _, given in page.elements)


def test_a_test_that_was_not_made_is_named(tmp_path):
    page = published(tmp_path, *make_text(ODD["parts missing"]))
    text = said(page)
    assert "Whether the learner is better than luck was not tested." in text
    assert page.tables["table-guesses"][1][3] == "p not computed"
    assert "The questions carry no categories" in text
    assert not {"said", "pruned"} & {given.get("id") for _, given in page.elements}


def test_rejected_rows_are_counted_and_named(tmp_path):
    data, cards = make_text(TextDesign(n=40, videos=10, rejected=300))
    page = published(tmp_path, data, cards)
    assert page.tables["table-rejected-kinds"][1:] == [["answer outside options", "300"]]
    assert len(page.tables["table-rejected"]) == 201
    assert "Rejected rows, the first 200 of 300" in said(page)


def test_transcripts_without_a_question_to_look_up(tmp_path):
    data, cards = make_text(ODD["one video"])
    assert data["overlap"]["accuracy"]["n"] == 0
    text = said(published(tmp_path, data, cards))
    assert "0 of 1 video have a transcript that can be used" in text
    assert "No question could be looked up." in text
