"""The page and the Markdown as documents: same numbers, strict policy, every text inert."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt

from tests.report.factory import HOSTILE, Design, make
from vidence.report import tables, write_report
from vidence.report.untrusted import visible

VOID = {"meta", "br", "img", "input", "hr", "link", "rect", "path", "circle", "col"}
ODD = {
    "plain": Design(n=40, videos=20),
    "hostile": Design(n=40, videos=20, hostile=True),
    "no case": Design(n=0, videos=0),
    "one case": Design(n=1, videos=1),
    "one video": Design(n=24, videos=1),
    "all missing": Design(n=24, videos=8, missing=1.0),
    "one model": Design(n=24, videos=8, models=1, encoders=0, threshold=1, calibrated=False),
    "twelve options": Design(n=24, videos=8, options=12, models=7, encoders=2, threshold=7),
}


class Page(HTMLParser):
    """Read a page: elements with their attributes, scripts, tables as rows of words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.raw: list[tuple[str, dict[str, str], str]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.stack: list[str] = []
        self.words: list[str] = []
        self._table = self._cell = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        if tag not in VOID:
            self.stack.append(tag)
        if tag in ("script", "style"):
            self.raw.append((tag, given, ""))
        if tag == "table":
            self._table = self.tables.setdefault(given.get("id", ""), [])
        if tag == "tr" and self._table is not None:
            self._table.append([])
        if tag in ("td", "th") and self._table:
            self._table[-1].append("")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self.stack.pop() == tag, f"</{tag}> closes something else"
        if tag == "table":
            self._table = None

    def handle_data(self, data):
        if self.stack and self.stack[-1] in ("script", "style"):
            tag, given, words = self.raw.pop()
            self.raw.append((tag, given, words + data))
            return
        self.words.append(data)
        if self._table and self._table[-1] and {"td", "th"} & set(self.stack):
            self._table[-1][-1] += data


@pytest.fixture(scope="module", params=ODD, ids=lambda name: name.replace(" ", "-"))
def report(request, tmp_path_factory):
    data, cards = make(ODD[request.param])
    folder = tmp_path_factory.mktemp("report")
    path = write_report(folder, data, cards)
    return data, Page(path.read_text("utf-8")), folder


def words(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").replace("\u2060", "").split())


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
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("img-src") == "data:"
    assert rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        run = [text for kind, given, text in page.raw if kind == tag and "type" not in given]
        hashes = [base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in run]
        assert rules.pop(name).split() == [f"'sha256-{h}'" for h in hashes]
    assert rules == {}


def test_nothing_is_loaded_and_no_attribute_runs(report):
    _, page, _ = report
    for tag, given in page.elements:
        assert tag not in ("link", "iframe", "object", "embed", "base", "audio", "video", "img")
        for name, value in given.items():
            assert not name.startswith("on"), (tag, name)
            assert name not in ("src", "style", "action", "formaction", "srcset"), (tag, name)
            assert name != "href" or value.startswith("#"), value


def test_json_blocks_are_data_and_parse(report):
    _, page, _ = report
    blocks = [(given, text) for tag, given, text in page.raw if "type" in given]
    assert blocks or not report[0]["cases"]["n"]
    for given, text in blocks:
        assert given["type"] == "application/json"
        json.loads(text)


def test_the_first_words_are_the_sentence(report):
    data, page, _ = report
    text = words(" ".join(page.words[2:]))
    assert words("".join(page.words)).count("Vidence benchmark audit") == 1
    assert words(visible(data["headline"]["sentence"])) in text[:600]


def test_markdown_has_the_numbers_of_the_page(report):
    _, page, folder = report
    text = (folder / "report.md").read_text("utf-8")
    other = Page(MarkdownIt("commonmark").enable("table").render(text))
    assert set(other.tables) == {""}
    rows = [[words(cell) for cell in row] for row in other.tables[""]]
    named = [name for name in page.tables if name.startswith("table-")]
    assert len(named) >= 5
    for name in named:
        for row in page.tables[name]:
            assert [words(cell) for cell in row] in rows, name


def test_no_number_is_nan_anywhere(report):
    _, page, folder = report
    everything = "".join(page.words) + (folder / "report.md").read_text("utf-8")
    assert not re.search(r"\b(nan|NaN|inf|Infinity|None|null|undefined)\b", everything)
    json.loads((folder / "report.json").read_text("utf-8"), parse_constant=pytest.fail)


def test_every_table_of_estimates_has_its_n(report):
    data, _, _ = report
    for table in (tables.curve(data), tables.checks(data), tables.accuracy(data)):
        assert table.head[-1] == "n"


def test_headings_do_not_skip_a_level(report):
    _, page, _ = report
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_hostile_words_are_words(tmp_path):
    data, cards = make(ODD["hostile"])
    data |= {"title": HOSTILE[1], "notes": list(HOSTILE)}
    data["run"] |= {"command": HOSTILE[0], "packages": {HOSTILE[1]: HOSTILE[2]}}
    data["commands"] = [{"title": HOSTILE[4], "command": HOSTILE[3]}]
    data["checks"][0] |= {"description": HOSTILE[9]}
    page = Page(write_report(tmp_path, data, cards).read_text("utf-8"))
    shown = words(" ".join(page.words))
    raw = "".join([*page.words, *(v for _, given in page.elements for v in given.values())])
    assert not {"\x00", "\x07", "\u202e", "\u202c", "\u2066", "\u2069", "\u2028"} & set(raw)
    for text in HOSTILE:
        assert words(visible(text))[:200] in shown
    assert {tag for tag, given in page.elements if given.get("onerror")} == set()
    assert [tag for tag, _ in page.elements].count("style") == 1


def test_backticks_in_a_description_are_code_and_nothing_more(tmp_path):
    data, cards = make(ODD["one case"])
    data["checks"][0]["description"] = "Show `fps` frames, `<b>x</b>` and `one"
    text = write_report(tmp_path, data, cards).read_text("utf-8")
    assert "Show <code>fps</code> frames, <code>&lt;b&gt;x&lt;/b&gt;</code> and `one" in text


def test_an_interval_that_is_not_there_is_explained(tmp_path):
    data, cards = make(ODD["one video"])
    page = Page(write_report(tmp_path, data, cards).read_text("utf-8"))
    assert "No interval: all cases are about one video." in words(" ".join(page.words))


def test_a_run_without_cases_says_so(tmp_path):
    data, cards = make(ODD["no case"])
    page = Page(write_report(tmp_path, data, cards).read_text("utf-8"))
    text = words(" ".join(page.words))
    assert "Nothing to plot. The run holds no case." in text
    assert "There is no case to list." in text


def test_a_check_that_does_not_apply_says_to_how_many(tmp_path):
    data, cards = make(ODD["plain"])
    page = Page(write_report(tmp_path, data, cards).read_text("utf-8"))
    lost = sum(i % 8 == 3 for i in range(40))
    assert f"Not applicable to {lost} (no transcript)." in words(" ".join(page.words))
