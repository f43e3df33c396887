"""The report of a text-only audit as files: a page, Markdown, JSON in percent, every case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from vidence.report.cards import EMBED
from vidence.report.numbers import number
from vidence.report.text_cards import choose_text_cards, tenths
from vidence.report.text_figures import is_estimate
from vidence.report.untrusted import finite
from vidence.report.write import check_form, json_text, write_files
from vidence.whole import json_line

KIND = "text-audit"
NEEDED = ("title", "headline", "run", "cases", "priors", "learner", "categories")
AGAIN = "vidence audit-text BENCHMARK PATH"

Data = Mapping[str, Any]


def publish_text(data: Data, cards: Iterable[Data], folder: Path, *, embed: int = EMBED) -> Path:
    """Write report.html, report.md, report.json and cases.jsonl; return the page's path.

    Each file appears whole or not at all. `report.json` is `to_json(data)`; there is no way back
    from it to a page, since the audit itself writes the same report again within seconds.

    Args:
        data: the report's input, kind `text-audit` (docs/report.md); shares from 0 to 1.
        cards: case cards; all go into cases.jsonl, at most `embed` onto the page.
        folder: made if it is not there.
        embed: 0 leaves the case list out.

    Raises:
        UsageError: `data` is not a report of this form.
        StoreError: the folder cannot be written.
    """
    from vidence.report.text_markdown import render as render_markdown
    from vidence.report.text_page import render

    clean = finite(check_form(data, KIND, NEEDED, AGAIN))
    given = [finite(card) for card in cards]
    chosen = choose_text_cards(given, embed)
    lines = [json_line(card, allow_nan=False) for card in given]
    write_files(
        folder,
        {
            "report.html": render(clean, chosen, tenths(given)),
            "report.md": render_markdown(clean),
            "report.json": json_text(to_json(clean)),
            "cases.jsonl": "".join(lines),
        },
    )
    return folder / "report.html"


def publish_overview(overview: Data, folder: Path) -> Path:
    """Write the overview of several audits: report.html, report.md and report.json.

    Args:
        overview: `benchmarks` (name -> data of a report), `together` (name -> `learner`,
            `over_chance` and `priors` over all of them), `unknown`, `failed`.
        folder: made if it is not there; where the folder `name` in it holds a report.html, the
            page links it.

    Returns:
        The page's path.

    Raises:
        UsageError: one of the reports is not of this form.
        StoreError: the folder cannot be written.
    """
    from vidence.report.text_overview_page import render, render_markdown

    for data in overview["benchmarks"].values():
        check_form(data, KIND, NEEDED, AGAIN)
    clean = finite(overview)
    write_files(
        folder,
        {
            "report.html": render(clean, folder),
            "report.md": render_markdown(clean),
            "report.json": json_text(overview_json(clean)),
        },
    )
    return folder / "report.html"


def overview_json(overview: Data) -> dict[str, Any]:
    """Return an overview in percent: each report as `to_json` gives it, and what is together."""
    clean = finite(overview)
    benchmarks = {name: to_json(data) for name, data in clean["benchmarks"].items()}
    return {**_percent(clean), "benchmarks": benchmarks}


def to_json(data: Data) -> dict[str, Any]:
    """Return a report in percent, as report.json and `--json` have it.

    Every estimate gets `"unit": "percent"`, and its value and interval are multiplied by 100; so
    do the mean and the high end of the shuffled keys. `priors[name]` and `learner` are themselves
    the estimates of their accuracy, with what else is known of them beside it. All other shares
    (probabilities, bins, chance of a category) have no unit and stay between 0 and 1.
    """
    clean = finite(data)
    out: dict[str, Any] = _percent(clean)
    out["priors"] = {name: _lifted(row) for name, row in out["priors"].items()}
    if out["learner"]:
        out["learner"] = _lifted(out["learner"])
        if null := out["learner"].get("null"):
            ends = {key: _hundred(value) for key, value in null.items()}
            out["learner"]["null"] = {**ends, "unit": "percent"}
    return out


def _percent(data: Any) -> Any:
    """Return data with every estimate in percent."""
    if is_estimate(data):
        ends = {key: _hundred(data[key]) for key in ("value", "low", "high")}
        return {**data, **ends, "unit": "percent"}
    if isinstance(data, Mapping):
        return {key: _percent(item) for key, item in data.items()}
    if isinstance(data, list):
        return [_percent(item) for item in data]
    return data


def _lifted(row: Data) -> dict[str, Any]:
    """Return a row as the estimate of its accuracy, with its other parts."""
    return {**row["accuracy"], **{key: item for key, item in row.items() if key != "accuracy"}}


def _hundred(share: Any) -> float | None:
    given = number(share)
    return None if given is None else round(100 * given, 6)
