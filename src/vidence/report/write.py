"""A run's report as files: one page, the same numbers as Markdown, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vidence.errors import StoreError, UsageError
from vidence.report.cards import EMBED, choose_cards
from vidence.report.untrusted import finite
from vidence.whole import write_whole

FORMAT, KIND = "vidence.report/1", "benchmark-audit"
NEEDED = (
    "title",
    "headline",
    "run",
    "cases",
    "checks",
    "accuracy",
    "curve",
    "categories",
    "overlap",
    "costs",
    "missing",
    "verdicts",
)


def write_report(
    folder: Path,
    data: Mapping[str, Any],
    cards: Iterable[Mapping[str, Any]],
    *,
    embed: int = EMBED,
) -> Path:
    """Write `report.html`, `report.md` and `report.json`; return the page's path.

    Each file appears whole or not at all.

    Args:
        folder: made if it is not there.
        data: the report's input, form `vidence.report/1` (docs/report.md); it becomes
            `report.json`, with NaN and infinities as null.
        cards: case cards; at most `embed` of them, chosen by `choose_cards`, go into the page.
        embed: 0 leaves the case list out.

    Raises:
        UsageError: `data` is not a report of this form.
        StoreError: the folder cannot be written.
    """
    from vidence.report.html import render
    from vidence.report.markdown import render as render_markdown

    clean = finite(check_form(data))
    chosen = choose_cards(cards, embed, threshold=clean["headline"]["threshold"])
    texts = {
        "report.html": render(clean, [finite(card) for card in chosen]),
        "report.md": render_markdown(clean),
        "report.json": json_text(clean),
    }
    write_files(folder, texts)
    return folder / "report.html"


def check_form(
    data: Mapping[str, Any],
    kind: str = KIND,
    needed: Sequence[str] = NEEDED,
    again: str = "vidence report RUN",
) -> Mapping[str, Any]:
    """Return `data` if it has the form of a report.

    Args:
        data: the report's input.
        kind: of report.
        needed: parts that it has to have.
        again: the command that writes it anew.

    Raises:
        UsageError: another format or kind, or a part is missing.
    """
    for key, allowed in (("format", FORMAT), ("kind", kind)):
        if data.get(key) != allowed:
            raise UsageError(
                f"The report's {key} is {data.get(key)!r}; {allowed!r} is allowed. "
                f"Write it again with this version: {again}."
            )
    lacking = [part for part in needed if part not in data]
    if lacking:
        raise UsageError(
            f"The report lacks {', '.join(lacking)}; a report of form {FORMAT!r} has all of "
            f"{', '.join(needed)}. Write it again: {again}."
        )
    return data


def json_text(data: Any) -> str:
    """Return finite data as the text of a JSON file."""
    return json.dumps(data, indent=1, allow_nan=False) + "\n"


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write some files of a folder, each whole or not at all.

    Half a surrogate becomes its escape, which JSON reads back as the same half.

    Raises:
        StoreError: the folder cannot be written.
    """
    _make(folder)
    for name, text in texts.items():
        write_whole(folder / name, text)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error


def _unwritable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{path} could not be written: {error.strerror or error}. A folder with space that "
        "you may write to is needed. Free some space, or let yourself write there."
    )
