"""The end of a text-only audit in the terminal: whole figures at any width, deaf to controls."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from tests.report.factory_text import TextDesign, make_overview, make_text
from vidence.report.text_terminal import (
    print_text_overview,
    print_text_summary,
    summary_rows,
    wrapped,
)

SMALL = TextDesign(n=120, videos=30)
TERMINAL = {"force_terminal": True, "color_system": None}


def printed(show, data, encoding="utf-8", **options):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="")
    settings = {"width": 110, "highlight": False, "markup": False, "emoji": False}
    show(data, "runs/a/report.html", Console(file=file, **settings | options))
    file.flush()
    return raw.getvalue().decode(encoding)


def test_title_table_carriers_path():
    data, _ = make_text(SMALL)
    lines = printed(print_text_summary, data).splitlines()
    assert lines[0] == "Test data (simulated): 120 questions, 30 videos, 4 options"
    assert lines[1].split() == ["prior", "accuracy", "95", "%", "interval", "over", "chance"]
    titles = [rule["title"] for rule in data["priors"].values()]
    titles += ["words of transcripts", "learned from text"]
    assert [re.split(r"\s{3,}", line.strip())[0] for line in lines[2 : 2 + len(titles)]] == titles
    assert lines[-1] == "Report: runs/a/report.html"
    place = lines.index("What carries it:")
    assert [line.strip() for line in lines[place + 1 : -1]] == [
        carrier["sentence"] for carrier in data["learner"]["carriers"]
    ]


def test_the_numbers_are_those_of_the_report():
    data, _ = make_text(SMALL)
    lines = printed(print_text_summary, data).splitlines()
    for rule in [*data["priors"].values(), {"title": "learned from text", **data["learner"]}]:
        line = next(line for line in lines if line.strip().startswith(rule["title"]))
        shown = [float(word) for word in re.findall(r"[-+]?\d+\.\d", line)]
        accuracy, over = rule["accuracy"], rule["over_chance"]
        expected = [accuracy["value"]]
        if over:
            expected += [accuracy["low"], accuracy["high"], over["value"]]
        assert shown[: len(expected)] == pytest.approx([100 * x for x in expected], abs=0.051)
    assert lines[9].endswith("p = 0.001 (1,000 permutations)")


def test_at_most_twelve_rows_and_the_strongest_rules_stay():
    data, _ = make_text(SMALL)
    one = data["priors"]["longest_option"]
    for place in range(20):
        over = one["over_chance"] | {"value": place / 100}
        data["priors"][f"r{place}"] = one | {"title": f"rule {place}", "over_chance": over}
    rows, more = summary_rows(data)
    assert len(rows) == 12
    assert more == len(data["priors"]) - 1 - 9
    assert rows[-1][0] == "learned from text"
    kept = [row[0] for row in rows if row[0].startswith("rule")]
    left = {f"rule {place}" for place in range(20)} - set(kept)
    assert min(int(name[5:]) for name in kept) > max(int(name[5:]) for name in left)
    assert f"and {more} rules more in the report" in printed(print_text_summary, data)


@pytest.mark.parametrize("width", [30, 40, 56, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal_and_no_figure_is_broken(width):
    data, _ = make_text(SMALL)
    text = printed(print_text_summary, data, width=width, **TERMINAL)
    lines = text.splitlines()
    assert max(map(len, lines)) <= max(width, 34)
    whole = printed(print_text_summary, data)
    for line in lines:
        for figure in re.findall(r"\d+(?:[.,]\d+)*(?: - \d+\.\d)?(?: %)?", line):
            assert figure in whole
    for pair in re.findall(r"\d+\.\d - \d+\.\d", whole):
        assert pair in text
    assert "p = 0.001" in text
    assert not re.search(r"(\d|p =|-|\() *\n *(%|\d|-)", text.split("Report:")[0].split("prior")[0])


def test_a_terminal_of_eighty_columns_keeps_the_table_and_p_below_its_row():
    data, _ = make_text(SMALL)
    lines = printed(print_text_summary, data, width=80, **TERMINAL).splitlines()
    place = next(i for i, line in enumerate(lines) if "learned from text" in line)
    assert lines[place + 1].strip() == "p = 0.001 (1,000 permutations)"
    assert lines[1].split()[:2] == ["prior", "accuracy"]


def test_a_sentence_is_broken_between_words_only():
    text = (
        "a model answers 31 % of 2,700 questions (95 % interval 29-32, 900 videos); p = 0.001 then"
    )
    for width in range(20, 90):
        lines = wrapped(text, width)
        assert " ".join(lines) == text
        for line in lines[:-1]:
            assert not re.search(r"(\d|interval|=)$", line) or line.endswith("0.001"), line
        for line in lines[1:]:
            assert not line.startswith(("%", "=")), line


def test_one_video_says_why_there_is_no_interval():
    text = printed(print_text_summary, make_text(TextDesign(n=30, videos=1))[0])
    assert "No interval: all cases are about one video." in text


def test_nothing_scored_prints_no_table():
    data, _ = make_text(TextDesign(n=0, videos=0))
    assert printed(print_text_summary, data).splitlines() == [
        "Test data (simulated): 0 questions, 0 videos",
        "Nothing was learned. No question of the file could be used.",
        "Report: runs/a/report.html",
    ]


def test_no_leak_is_said_in_the_words_of_the_headline():
    data, _ = make_text(TextDesign(n=60, videos=20, leak=0.0))
    data["headline"]["sentence"] = "No leak found: p = 0.40; less than 6 points would not be seen."
    assert data["headline"]["sentence"] in printed(print_text_summary, data)


@pytest.mark.parametrize("options", [{}, {"force_terminal": True, "color_system": "truecolor"}])
def test_text_of_a_dataset_cannot_drive_the_terminal(options):
    data, _ = make_text(SMALL)
    data["title"] = "\x1b[2J\x1b]0;pwned\x07[bold red]x[/] :smile: \x9b31m\r\n\u202ey"
    data["learner"]["carriers"][0]["sentence"] = "[link=https://example.invalid]\x1b[31mred"
    data["priors"]["longest_option"]["title"] = "\x1b[31mlong"
    for show, given in (
        (print_text_summary, data),
        (
            print_text_overview,
            {
                "benchmarks": {"x": data},
                "unknown": ["\x1b[2J"],
                "failed": [{"name": "\x9b", "reason": "\x07"}],
            },
        ),
    ):
        text = printed(show, given, **options)
        for bad in ("\x1b]", "\x1b[2J", "\x1b[31m", "\x07", "\x9b", "\u202e"):
            assert bad not in text
        assert "[bold red]x[/] :smile:" in text
        assert options or "\x1b" not in text


def test_a_terminal_that_knows_ascii_only_gets_ascii():
    data, _ = make_text(SMALL)
    data["title"] = "Größe 日本"
    text = printed(print_text_summary, data, encoding="ascii")
    assert text.splitlines()[0].startswith("Gr??e ??: 120 questions")


DESIGNS = {f"bench-{i}": TextDesign(n=60 + i, videos=20, seed=str(i)) for i in range(14)}


def test_the_overview_has_a_line_a_benchmark_and_those_together():
    overview = make_overview({**DESIGNS, "empty": TextDesign(n=0, videos=0)})
    text = printed(print_text_overview, overview)
    for name, data in overview["benchmarks"].items():
        line = next(line for line in text.splitlines() if line.split()[:1] == [name])
        assert line.split()[1] == str(data["cases"]["scored"])
        if data["learner"]:
            assert line.split()[4] == f"{100 * data['learner']['accuracy']['value']:.1f}"
    assert "all questions as one" in text
    assert "mean of benchmarks" in text
    assert "Not audited: broken: line 3 is no JSON." in text
    assert "No known benchmark in: notes" in text


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_overview_fits_a_terminal(width):
    overview = make_overview({name: DESIGNS[name] for name in list(DESIGNS)[:3]})
    text = printed(print_text_overview, overview, width=width, **TERMINAL)
    assert max(map(len, text.splitlines())) <= width
    line = overview["benchmarks"]["bench-0"]["learner"]["over_chance"]
    assert f"{100 * line['value']:+.1f} (" in text
