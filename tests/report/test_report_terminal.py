"""The end of an audit in the terminal: short, plain without a terminal, deaf to control codes."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from tests.report.factory import Design, make
from vidence.report.terminal import ROWS, print_summary, summary_rows

SMALL = Design(n=40, videos=12)


def printed(data, path="runs/a/report.html", encoding="utf-8", **options):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="")
    settings = {"width": 110, "highlight": False, "markup": False, "emoji": False}
    print_summary(data, path, Console(file=file, **settings | options))
    file.flush()
    return raw.getvalue().decode(encoding)


def test_sentence_table_path():
    data, _ = make(SMALL)
    lines = printed(data).splitlines()
    assert lines[0] == data["headline"]["sentence"].replace("–", "-")
    assert lines[-1] == "Report: runs/a/report.html"
    assert [line.split()[0] for line in lines[2:-1]] == [row["check"] for row in data["checks"]]


def test_the_numbers_are_those_of_the_report():
    data, _ = make(SMALL)
    text = printed(data)
    for row in data["checks"]:
        found = data["calibration"][row["check"]]
        line = next(line for line in text.splitlines() if line.startswith(row["check"]))
        assert f"{found['found']} of {found['planted']}, " in line
        assert f"{found['flagged']} of {found['sound']}, " in line
        assert round(float(re.search(r"([\d.]+) %", line)[1])) == round(
            100 * row["flagged"][2]["value"]
        )


def test_without_a_truth_the_table_has_the_excess_and_n():
    data, _ = make(Design(n=40, videos=12, calibrated=False))
    head, rows = summary_rows(data)
    assert head[-2:] == ("over luck, points", "n")
    assert rows[1][-1] == "35 of 40"


def test_at_most_twelve_rows():
    data, _ = make(SMALL)
    data["checks"] = [row | {"check": f"c{i}"} for i in range(20) for row in data["checks"][:1]]
    text = printed(data)
    assert len(re.findall(r"^c\d+", text, re.M)) == ROWS == 12
    assert "and 8 more checks in the report" in text


@pytest.mark.parametrize("options", [{}, {"force_terminal": True, "color_system": "truecolor"}])
def test_text_of_a_dataset_cannot_drive_the_terminal(options):
    data, _ = make(SMALL)
    data["headline"]["sentence"] = (
        "\x1b[2J\x1b]0;pwned\x07[bold red]x[/] :smile: \x9b31m\r\n\u202ey"
    )
    data["checks"][0]["check"] = "[link=https://example.invalid]\x1b[31mred"
    text = printed(data, **options)
    assert "\x1b]" not in text
    assert "\x1b[2J" not in text
    assert "\x1b[31mred" not in text
    assert "[bold red]x[/] :smile:" in text
    assert "[link=https://example.invalid]" in text
    assert not {"\x07", "\x9b", "\u202e"} & set(text)
    assert options or "\x1b" not in text


def test_a_terminal_that_knows_ascii_only_gets_ascii():
    data, _ = make(SMALL)
    data["headline"]["sentence"] = "Größe 日本: 41 % (35–47)"
    text = printed(data, encoding="ascii")
    assert text.splitlines()[0] == "Gr??e ??: 41 % (35-47)"


def test_a_pipe_gets_whole_lines(capsys):
    data, _ = make(SMALL)
    data["headline"]["sentence"] = "word " * 60
    path = "/a/very/long/path" * 12 + "/report.html"
    print_summary(data, path)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == ("word " * 60).strip()
    assert lines[-1] == f"Report: {path}"
    assert "\x1b" not in "".join(lines)


def test_a_run_without_checks_prints_the_sentence_and_the_path():
    data, _ = make(SMALL)
    data |= {"checks": [], "curve": [], "calibration": {}}
    assert len(printed(data).splitlines()) == 2
