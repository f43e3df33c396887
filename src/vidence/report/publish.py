"""From an audited run to the files that people read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.audits.benchmark import BenchmarkAudit
from vidence.cells import Seed, views_of
from vidence.check import Check
from vidence.errors import MediaError, NotApplicableError
from vidence.report.agents_beside import agents_beside
from vidence.report.cards import choose_cards
from vidence.report.strips import strip
from vidence.report.write import write_report
from vidence.store import Store
from vidence.view import Case, Text, View
from vidence.whole import json_line

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache


def publish(audit: BenchmarkAudit, *, embed: int = 200) -> tuple[Path, dict[str, Any]]:
    """Write report.html, report.md, report.json and cases.jsonl into the run's folder.

    Args:
        audit: the run.
        embed: most cases on the page; all of them are in cases.jsonl.

    Returns:
        The page's path, and what report.json holds.
    """
    data = {**audit.data(), **agents_beside(audit.folder)}
    if damaged := data.pop("agents_damaged", None):
        data["notes"] = [*data.get("notes", ()), f"{damaged} is no agents' report; it is left out."]
    _write_cases(audit)
    chosen = choose_cards(audit.cards(), embed, threshold=data["headline"]["threshold"])
    with_frames = list(_with_strips(audit, chosen))
    return write_report(audit.folder, data, with_frames, embed=embed), data


def _write_cases(audit: BenchmarkAudit) -> None:
    part = audit.folder / "cases.jsonl.part"
    # Half a surrogate in a reply becomes its escape, which JSON reads back as the same half.
    with part.open("w", encoding="utf-8", errors="backslashreplace") as file:
        for card in audit.cards():
            file.write(json_line(card))
    part.replace(audit.folder / "cases.jsonl")


def _with_strips(audit: BenchmarkAudit, chosen: list[Any]) -> Iterator[dict[str, Any]]:
    from vidence.media.pixels import FrameCache

    cases = {case.id: case for case in audit.panel.cases}
    cache = FrameCache()
    with Store.open(audit.folder, read_only=True) as store:
        for card in chosen:
            case = cases[card["id"]]
            seed = audit.config["seed"]
            strips = [show_check(case, check, seed, store, cache) for check in audit.panel.checks]
            yield {**card, "strips": [shown for shown in strips if shown is not None]}


def show_check(
    case: Case, check: Check, seed: Seed, store: Store, cache: FrameCache
) -> dict[str, Any] | None:
    """Show what a check showed; None where it showed nothing or the video is gone.

    Args:
        case: the case.
        check: the check.
        seed: of the run.
        store: holds the renderings that the view needs.
        cache: gives the frames.
    """
    try:
        views = views_of(case, check, seed)
        resolved = [_resolve(view, store) for view in views[:1]]
    except (NotApplicableError, MediaError):
        return None
    if not any(view.parts for view in resolved):
        return None
    return {"check": check.label, **strip(resolved, cache)}


def _resolve(view: View, store: Store) -> View:
    texts = {}
    for rendering in view.renderings():
        reply = store.rendered(rendering.key())
        texts[rendering.key()] = Text(reply.text if reply is not None else "")
    return view.resolve(texts)
