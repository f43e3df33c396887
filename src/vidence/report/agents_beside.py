"""The agents of a demo, beside the benchmark audit that they lie below."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vidence.errors import UsageError
from vidence.report import numbers
from vidence.report.tables import Table, build
from vidence.report.text_figures import points
from vidence.stats.estimate import Estimate

Data = Mapping[str, Any]

FOLDER = "agents"


def agents_beside(folder: Path) -> dict[str, Any]:
    """Return the part `agents` of a report; nothing where no agents lie below the run.

    Args:
        folder: of the run; `agents/report.json` below it is an agent audit's.

    Returns:
        `agents`: name -> `delta` and, where the agents are planted, `planted`; `agents_page`: the
        path of their report from the folder, where it is there. `agents_damaged`: the file, where
        it is no report of an agent audit; a benchmark's own report does not hang on it.
    """
    path = folder / FOLDER / "report.json"
    if not path.is_file():
        return {}
    truth = path.parent / "world" / "agents_truth.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["agents"]
        planted = json.loads(truth.read_text(encoding="utf-8")) if truth.is_file() else {}
        agents = {
            name: {
                "delta": Estimate.from_json(block["delta"]).to_json(),
                "planted": planted.get(name, {}).get("delta"),
            }
            for name, block in found.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, UsageError):
        return {"agents": {}, "agents_damaged": str(path)}
    page = path.with_name("report.html").is_file()
    return {"agents": agents, **({"agents_page": f"{FOLDER}/report.html"} if page else {})}


def agents_table(data: Data) -> Table:
    """Tabulate the agents; without rows where there are none."""
    rows, used = [], []
    for name, row in (data.get("agents") or {}).items():
        delta, planted = row["delta"], row["planted"]
        used.append(delta)
        known = numbers.NONE if planted is None else numbers.difference(planted)
        rows.append((name, points(delta), known, numbers.of(delta)))
    head = ("Agent", "Delta, points", "Planted, points", "n")
    return build("agents", "Agents: by how much destroyed frames change answers", head, rows, used)
