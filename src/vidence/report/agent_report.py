"""From probed runs to the files that people read, and the end of a probe in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.audits.agent import KIND, AgentAudit
from vidence.audits.agent_run import ProbedRun
from vidence.cells import Seed, views_of
from vidence.check import Check, parse_check
from vidence.errors import MediaError, NotApplicableError, UsageError
from vidence.media.clip import Clip
from vidence.report import agent_policy_tables, agent_tables, numbers, text_figures
from vidence.report.agent_page_cards import choose_agent_cards
from vidence.report.cards import EMBED
from vidence.report.strips import strip
from vidence.report.terminal import console_for, plain
from vidence.report.untrusted import finite, visible
from vidence.report.write import check_form, json_text, write_files
from vidence.store import Store
from vidence.view import Case, Part, Rendering, Text, View
from vidence.whole import json_line

if TYPE_CHECKING:
    from rich.console import Console

    from vidence.media.pixels import FrameCache

Data = Mapping[str, Any]
Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]

NEEDED = (
    *("title", "headline", "run", "agents", "agreement", "transfer"),
    *("notes", "commands", "case_files"),
)
SHOWN = ("sham", "destroy")
"""Conditions whose frames are on the page."""
WITH_FRAMES = 60
"""Cards that have frames; more would make the page heavy, and take long to decode."""
POLICIES = ("never", "strict", "inclusive", "always", "oracle")


def publish_agents(
    audit: AgentAudit, out: Path | None = None, *, embed: int = EMBED
) -> tuple[Path, dict[str, Any]]:
    """Write report.html, report.md, report.json and cases.jsonl; return the page, and the data.

    Each file appears whole or not at all.

    Args:
        audit: one or several probes.
        out: the folder; the probe's own by default, where there is one.
        embed: most cards on the page; all of them go into cases.jsonl.

    Raises:
        UsageError: several folders, and no place for their common report.
        StoreError: the folder cannot be written.
    """
    from vidence.report.agent_markdown import render as render_markdown
    from vidence.report.agent_page import render

    folders = list(dict.fromkeys(audit.folders))
    if out is None and len(audit.folders) > 1:
        raise UsageError(
            f"{len(audit.folders)} runs make one report, which lies in none of them. Say where: "
            "--out DIR."
        )
    folder = out or folders[0]
    data = check_form(finite(audit.data()), KIND, NEEDED, "vidence agent report RUN")
    cards = [finite(card) for card in audit.cards()]
    shown = list(_with_frames(audit, choose_agent_cards(cards, embed)))
    lines = [json_line(card, allow_nan=False) for card in cards]
    write_files(
        folder,
        {
            "report.html": render(data, shown),
            "report.md": render_markdown(data),
            "report.json": json_text(data),
            "cases.jsonl": "".join(lines),
        },
    )
    return folder / "report.html", dict(data)


def print_agents(data: Data, path: Path, console: Console | None = None) -> None:
    """Print the headline, a line an agent, the policies, and where the report is.

    Args:
        data: the report's input.
        path: of the page.
        console: where to; standard output by default.
    """
    console = console or console_for()

    def say(words: str, style: str = "") -> None:
        from rich.text import Text

        console.print(Text(plain(words, console.encoding), style=style), soft_wrap=True)

    say(data["headline"]["sentence"], "bold")
    _print_table(console, *_agent_rows(data))
    for name, block in data["agents"].items():
        routing = block["routing"]
        if "why" not in routing:
            fallback = visible(routing["fallback"], 60)
            say(f"{visible(name, 60)}, deferring to {fallback}:")
            _print_table(console, *_policy_rows(routing))
        if block["rivals"]:
            table = agent_policy_tables.rivals(block)
            say(f"{visible(name, 60)}, beside other runs: {table.empty if not table.rows else ''}")
            _print_table(console, table.head, [[visible(w, 60) for w in r] for r in table.rows])
    for note in data["notes"]:
        say(note, "dim")
    say(f"Report: {path}")


def _agent_rows(data: Data) -> Rows:
    head = ("agent", "Delta, points", "sham", "destroy", "negative", "tie", "positive", "k", "n")
    rows: list[tuple[str, ...]] = []
    for name, block in data["agents"].items():
        signs = block["signs"]
        rows.append(
            (
                visible(name, 40),
                text_figures.points(block["delta"]),
                *(text_figures.value(block["effect"][part]) for part in SHOWN),
                *(text_figures.value(signs[part]) for part in agent_tables.SIGNS),
                str(block["k"]),
                numbers.of(block["delta"]),
            )
        )
    return head, rows


def _policy_rows(routing: Data) -> Rows:
    head = ("defer", "deferred", "repairs", "harms", "right", "gain, points", "net per 100 calls")
    rows: list[tuple[str, ...]] = [
        (
            row["policy"],
            numbers.count(row["selected"]),
            numbers.count(row["repairs"]),
            numbers.count(row["harms"]),
            text_figures.value(row["accuracy"]),
            text_figures.points(row["gain"]) if row["selected"] else "0",
            agent_policy_tables.per_call(row["net_per_call"]),
        )
        for row in routing["rows"]
        if row["policy"] in POLICIES
    ]
    return head, rows


def _print_table(console: Console, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for i, name in enumerate(head):
        table.add_column(Text(name), justify="right" if i else "left", header_style="dim")
    for row in rows:
        table.add_row(*(Text(plain(word, console.encoding)) for word in row))
    console.print(table)


def _with_frames(audit: AgentAudit, chosen: Sequence[Data]) -> Iterator[dict[str, Any]]:
    """Add what `sham` and `destroy` showed in their first draw to the first cards."""
    from vidence.media.pixels import FrameCache

    cache = FrameCache()
    runs: dict[str, ProbedRun] = {run.name: run for run in audit.runs}
    for place, card in enumerate(chosen):
        if place >= WITH_FRAMES:
            yield dict(card)
            continue
        run = runs[card["agent"]]
        case = next(case for case in run.cases if case.id == card["id"])
        checks = [parse_check(run.label(name)) for name in SHOWN]
        with Store.open(run.folder, read_only=True) as store:
            seed = run.config["seed"]
            strips = [_shown(case, check, seed, store, cache) for check in checks]
        yield {**card, "strips": [strip for strip in strips if strip is not None]}


def _shown(
    case: Case, check: Check, seed: Seed, store: Store, cache: FrameCache
) -> dict[str, Any] | None:
    """Show the frames of a replay's first draw, and the words that were made of them."""
    try:
        view = views_of(case, check, seed)[0]
    except (NotApplicableError, MediaError):
        return None
    parts: list[tuple[str, Part]] = []
    for role, part in view.parts:
        if isinstance(part, Clip):
            parts.append((role, part))
        elif isinstance(part, Rendering) and isinstance(part.source, Clip):
            reply = store.rendered(part.key())
            words = Text(reply.text if reply is not None else "")
            parts += [(role, part.source), ("words made of them", words)]
    if not parts:
        return None
    return {"check": check.label, **strip([View(question="", parts=tuple(parts))], cache)}
