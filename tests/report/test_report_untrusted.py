"""Text of other people: nothing hides, nothing escapes its element, nothing becomes markup."""

from __future__ import annotations

import json
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.report.factory import HOSTILE
from vidence.report.untrusted import fenced, finite, image, markdown, script_json, visible

ANY = st.text(st.characters(codec=None), max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY, inner, max_size=4),
    max_leaves=12,
)


@given(ANY)
def test_what_is_visible_has_no_hidden_or_reordering_character(text):
    shown = visible(text)
    # U+200B-200F: joiners and marks that right-to-left and Indic scripts need.
    kept = {"\n", "\t", *map(chr, range(0x200B, 0x2010)), "\u00ad", "\u061c", "\u180e"}
    hidden = {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    plain = {c for c in hidden if not c.isascii() and ord(c) > 0x206F}
    assert hidden - kept - plain == set()
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a⟨U+0000⟩b"),
        ("\u202egnp.exe", "⟨U+202E⟩gnp.exe"),
        ("\x1b[2J", "⟨U+001B⟩[2J"),
        ("\ud800", "⟨U+D800⟩"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("ما الذي", "ما الذي"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🚀 né 日本", "👩\u200d🚀 né 日本"),
    ],
)
def test_hidden_characters_are_spelt_and_scripts_are_kept(text, shown):
    assert visible(text) == shown


def test_long_text_is_cut_and_says_how_much():
    shown = visible("W" * 100_000, 300)
    assert shown == "W" * 300 + " … (99,700 more characters)"


@given(JSON)
def test_json_in_a_script_means_the_same_and_cannot_leave_it(data):
    text = script_json(data)
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == json.loads(json.dumps(finite(data)))


def test_nan_and_infinities_become_null():
    data = {"a": float("nan"), 2: [float("inf"), -1.5, 3, True, None, "nan"]}
    assert finite(data) == {"a": None, "2": [None, -1.5, 3, True, None, "nan"]}


class Tags(HTMLParser):
    """Collect elements and words."""

    def __init__(self):
        super().__init__()
        self.tags, self.words = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words += data


def read(markup: str) -> Tags:
    tags = Tags()
    tags.feed(markup)
    return tags


@given(st.text(max_size=60) | st.sampled_from(HOSTILE))
def test_markdown_shows_words_as_they_are(text):
    line = markdown(text, None)
    assert "\n" not in line
    table = f"| a | b |\n|---|---|\n| x{line}y | z |\n"
    page = read(MarkdownIt("commonmark", {"html": True}).enable("table").render(table))
    assert set(page.tags) <= {"table", "thead", "tbody", "tr", "th", "td"}
    wanted = f"x{' '.join(visible(text).split())}y".split()
    assert page.words.split() == ["a", "b", *wanted, "z"]


@pytest.mark.parametrize("text", ["a", "```\n# x\n```", "````", "~~~\n<b>"])
def test_a_code_block_cannot_be_closed_from_inside(text):
    page = read(MarkdownIt().render(fenced(text)))
    assert page.tags == ["pre", "code"]
    assert page.words.rstrip("\n") == text


@pytest.mark.parametrize(
    "source",
    [
        "javascript:alert(1)",
        "https://example.invalid/a.jpg",
        "data:text/html;base64,AAAA",
        "data:image/svg+xml;base64,AAAA",
        "data:image/jpeg;base64,AA' onerror='x",
        None,
        7,
    ],
)
def test_only_embedded_pictures_are_pictures(source):
    assert image(source) is None
    assert image("data:image/jpeg;base64,/9j/4AAQ==") == "data:image/jpeg;base64,/9j/4AAQ=="
