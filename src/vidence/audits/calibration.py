"""The error rates of the checks themselves, where the truth is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vidence.audits.panel_grid import PanelGrid
from vidence.errors import CaseError
from vidence.stats import (
    case_flags,
    case_luck,
    excess_over_luck,
    mean_by_cluster,
    proportion_by_cluster,
)


@dataclass(frozen=True)
class Truth:
    """What a world planted in one case.

    Args:
        kind: the planted kind.
        planted: checks that should find it.
        sound: checks for which it is no shortcut.
    """

    kind: str
    planted: frozenset[str]
    sound: frozenset[str]


def read_truth(path: Path) -> dict[str, Truth]:
    """Read a world's truth file: one JSON object a line with id, kind, checks and sound.

    Raises:
        CaseError: no such file, or a line of another form.
    """
    truth: dict[str, Truth] = {}
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            truth[str(row["id"])] = Truth(
                str(row["kind"]), frozenset(row["checks"]), frozenset(row["sound"])
            )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CaseError(
            f"{path} is no truth file ({type(error).__name__}: {error}). "
            "Each line needs id, kind, checks and sound."
        ) from None
    return truth


def calibration_table(panel: PanelGrid, truth: Mapping[str, Truth]) -> dict[str, dict[str, Any]]:
    """Return check -> planted, found, sound, flagged and their rates at full consensus.

    `found` of `planted` is what the check should flag and does; `flagged` of `sound` is what it
    should not flag and does. Rates are clustered by video.
    """
    if not panel.by_threshold:
        return {}
    known = [truth.get(panel.cases[i].id) for i in panel.rows]
    table: dict[str, dict[str, Any]] = {}
    for t, name in enumerate(panel.votes.checks):
        sure, _ = case_flags(panel.votes, int(panel.votes.panel[t]))
        applies = panel.votes.applicable[:, t]
        probe = name.partition(":")[0]
        planted = _flags(k is not None and probe in k.planted for k in known) & applies
        sound = _flags(k is not None and probe in k.sound for k in known) & applies
        flags = np.asarray(sure[:, t])
        table[name] = {
            "planted": int(planted.sum()),
            "found": int(flags[planted].sum()),
            "sound": int(sound.sum()),
            "flagged": int(flags[sound].sum()),
            "found_rate": proportion_by_cluster(flags[planted], panel.clusters[planted]).to_json(),
            "flagged_rate": proportion_by_cluster(flags[sound], panel.clusters[sound]).to_json(),
        }
    return table


def planted_table(panel: PanelGrid, truth: Mapping[str, Truth]) -> list[dict[str, Any]]:
    """Return a row a planted kind: its shortcut ratio, luck and excess at full consensus."""
    if not panel.by_threshold:
        return []
    c = panel.panel_size
    sure, _ = case_flags(panel.votes, c)
    hit = np.asarray(sure.any(axis=1))
    luck = case_luck(panel.votes, c)
    kinds = np.array(
        [k.kind if (k := truth.get(panel.cases[i].id)) else "" for i in panel.rows], dtype=object
    )
    rows: list[dict[str, Any]] = []
    for kind in sorted({k for k in kinds if k}):
        mine = np.asarray(kinds == kind, dtype=np.bool_)
        clusters = panel.clusters[mine]
        rows.append(
            {
                "kind": kind,
                "n": int(mine.sum()),
                "shortcut": proportion_by_cluster(hit[mine], clusters).to_json(),
                "luck": mean_by_cluster(luck[mine], clusters, bounds=(0.0, 1.0)).to_json(),
                "excess": excess_over_luck(hit[mine], luck[mine], clusters).to_json(),
            }
        )
    return rows


def together(
    panel: PanelGrid, truth: Mapping[str, Truth], checks: tuple[str, ...]
) -> dict[str, Any]:
    """Return how much of what is planted for any of some checks at least one of those finds."""
    places = [t for t, name in enumerate(panel.votes.checks) if name in checks]
    known = [truth.get(panel.cases[i].id) for i in panel.rows]
    planted = np.zeros(len(known), dtype=np.bool_)
    found = np.zeros(len(known), dtype=np.bool_)
    for t in places:
        name = panel.votes.checks[t]
        mine = _flags(k is not None and name in k.planted for k in known)
        mine &= panel.votes.applicable[:, t]
        sure, _ = case_flags(panel.votes, int(panel.votes.panel[t]))
        planted |= mine
        found |= mine & sure[:, t]
    rate = proportion_by_cluster(found[planted], panel.clusters[planted])
    return {
        "checks": [panel.votes.checks[t] for t in places],
        "planted": int(planted.sum()),
        "found": int(found.sum()),
        "found_rate": rate.to_json(),
    }


def _flags(values: Iterable[bool]) -> NDArray[np.bool_]:
    return np.fromiter(values, dtype=np.bool_)
