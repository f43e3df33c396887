"""Report data and cards out of a simulated world (see `factory`): TEST DATA."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

import numpy as np

from tests.report.factory import HOSTILE, SOLVES, World, estimate, exact, tags_of
from tests.report.factory_cards import verdicts

PARTS = ("shortcut", "luck", "excess")


def data_of(world: World) -> dict[str, Any]:
    """Return the report's input."""
    d, n = world.design, world.design.n
    size = max((len(world.members[c]) for c in world.checks), default=0)
    curve = [point(world, c) for c in range(1, size + 1)]
    none = estimate([], [])
    head = curve[d.threshold - 1] if len(curve) >= d.threshold else dict.fromkeys(PARTS, none)
    count = Counter(verdicts(world))
    data = {
        "format": "vidence.report/1",
        "kind": "benchmark-audit",
        "title": "Test data (simulated)",
        "headline": {
            "sentence": sentence(d, head),
            "threshold": d.threshold,
            "panel_size": size,
            **{part: head[part] for part in PARTS},
        },
        "run": run_of(world),
        "cases": {
            "n": n,
            "scored": n,
            "videos": len(set(world.cluster.tolist())),
            "options": {str(d.options): n} if n else {},
            "chance": exact(1 / d.options if n else None, n),
            "no_gold": 0,
            "open_ended": 0,
        },
        "checks": [check_row(world, check, size) for check in world.checks],
        "accuracy": accuracy(world),
        "curve": curve,
        "categories": categories(world),
        "overlap": overlap(world),
        "costs": costs(world),
        "missing": missing(world),
        "verdicts": {k: count.get(k, 0) for k in ("shortcut", "needs_video", "undecided")},
        "notes": ["Simulated replies: this page shows the form of a report, not a finding."],
        "commands": [
            {
                "title": "Keep the cases that need the video",
                "command": f"vidence distill runs/test --consensus {d.threshold}",
            },
            {
                "title": "Stop a release above 30 %",
                "command": "vidence gate runs/test --max-shortcut 0.30",
            },
        ],
        "case_files": {"all": "cases.jsonl", "total": n},
    }
    if d.calibrated:
        data |= {"calibration": calibration(world), "planted": planted(world)}
    return data


def point(world: World, c: int) -> dict[str, Any]:
    """Return the curve's row at a threshold."""
    hits, luck = world.flagged(world.checks, c), world.lucky(world.checks, c)
    best = [world.right(t) + world.lost(t).sum(1) >= c for t in world.checks]
    miss, p = 1.0, 1 / world.design.options
    for check in world.checks:
        m = len(world.members[check])
        miss *= 1 - sum(comb(m, j) * p**j * (1 - p) ** (m - j) for j in range(c, m + 1))
    return {
        "c": c,
        "shortcut": estimate(hits, world.cluster),
        "luck": estimate(luck, world.cluster),
        "excess": estimate(hits - luck, world.cluster),
        "bounds": [float(hits.mean()), float(np.any(best, axis=0).mean())]
        if len(hits)
        else [None, None],
        "independent": 1 - miss,
    }


def check_row(world: World, check: str, size: int) -> dict[str, Any]:
    """Return what one check flags."""
    asked = world.status[check][:, 0] != "skipped"
    c, n, panel = world.design.threshold, world.design.n, range(1, size + 1)

    def over(values: Any) -> dict[str, Any]:
        return estimate(values[asked], world.cluster[asked], n, check)

    alone = world.flagged([check], c) & ~world.flagged([t for t in world.checks if t != check], c)
    beyond = world.flagged([check], c) & ~world.flagged(["blind"], c)
    skipped = int((~asked).sum())
    return {
        "check": check,
        "probe": check,
        "panel": "encoder" if check == "bag_of_frames" else "model",
        "description": f"Show what {check} shows.",
        "members": world.members[check],
        "applicable": int(asked.sum()),
        "skipped": {"no transcript": skipped} if skipped else {},
        "flagged": [over(world.flagged([check], c)) for c in panel],
        "luck": [over(world.lucky([check], c)) for c in panel],
        "excess": [over(world.flagged([check], c) - world.lucky([check], c)) for c in panel],
        "unique": int(alone.sum()),
        "unique_share": over(alone),
        "marginal": None if check == "blind" else {"over": "blind", "share": over(beyond)},
        "complete": not world.lost(check).any(),
    }


def overlap(world: World) -> dict[str, Any]:
    """Return how many cases two checks flag together."""
    flags = [world.flagged([check], world.design.threshold) for check in world.checks]
    return {"checks": world.checks, "both": [[int((a & b).sum()) for b in flags] for a in flags]}


def costs(world: World) -> list[dict[str, Any]]:
    """Return invented costs."""
    n = world.design.n
    return [
        {
            "answerer": name,
            "calls": 6 * n,
            "renderings": 0,
            "failed_attempts": 2,
            "seconds": 61.5 * n / 240,
            "usage": {"prompt_tokens": 812 * n, "completion_tokens": 7 * n},
        }
        for name in world.members["intact"]
    ]


def planted(world: World) -> list[dict[str, Any]]:
    """Return flags by planted kind."""
    c, rows = world.design.threshold, []
    for kind in SOLVES:
        mine = np.array([k == kind for k in world.kind], bool)
        if mine.any():
            hits, luck = world.flagged(world.checks, c)[mine], world.lucky(world.checks, c)[mine]
            clusters = world.cluster[mine]
            rows.append(
                {
                    "kind": kind,
                    "n": int(mine.sum()),
                    "shortcut": estimate(hits, clusters),
                    "luck": estimate(luck, clusters),
                    "excess": estimate(hits - luck, clusters),
                }
            )
    return rows


def sentence(d: Any, head: dict[str, Any]) -> str:
    """Return the headline in words."""
    e, luck = head["shortcut"], head["luck"]
    if e["value"] is None:
        return "Test data: no question could be scored."
    span = (
        f"95 % interval {100 * e['low']:.0f}–{100 * e['high']:.0f}"
        if e["low"] is not None
        else "no interval: one video"
    )
    name = HOSTILE[0] if d.hostile else "Test data"
    return (
        f"{name}: {100 * e['value']:.0f} % of {e['n']} questions can be answered without "
        f"seeing, or without order ({span}, {e['clusters']} videos; luck alone explains "
        f"{100 * luck['value']:.0f} %)."
    )


def run_of(world: World) -> dict[str, Any]:
    """Return how the run was made."""
    names = {m for members in world.members.values() for m in members}
    return {
        "vidence": "0.1.0",
        "seed": "demo-1",
        "created": "2026-01-31T12:00:00Z",
        "command": "vidence audit cases.jsonl --videos videos --panel panel.toml --out runs/test",
        "python": "3.11.2",
        "packages": {"numpy": "2.4.1", "av": "18.0.0"},
        "panel": [
            {
                "name": m,
                "panel": "encoder" if m.startswith("clip") else "model",
                "identity": {"model": m, "revision": "main", "temperature": 0},
            }
            for m in sorted(names)
        ],
        "roles": {"captioner": "mid-vlm-8b", "transcriber": "transcript_files"},
        "settings": {
            "intact": {"fps": 1.0, "frames": 128},
            "frame_shuffle": {"frames": 128},
            "bag_of_frames": {"k": 32, "aggregate": "mean"},
        },
    }


def accuracy(world: World) -> list[dict[str, Any]]:
    """Return one row a check and answerer."""
    rows, base = [], {}
    for check, names in world.members.items():
        for j, name in enumerate(names):
            status = world.status[check][:, j]
            asked, ok = status != "skipped", status == "ok"
            hit = world.choice[check][:, j] == world.gold
            if check == "intact":
                base[name] = hit
            gap = None
            if check != "intact" and name in base:
                gap = estimate((hit.astype(int) - base[name])[asked], world.cluster[asked])
            rows.append(
                {
                    "check": check,
                    "answerer": name,
                    "accuracy": estimate(hit[asked], world.cluster[asked], world.design.n, name),
                    "replied": estimate(hit[ok], world.cluster[ok], world.design.n, name),
                    "chance": exact(1 / world.design.options, int(asked.sum())),
                    "minus_intact": gap,
                    "statuses": dict(Counter(status.tolist())),
                }
            )
    return rows


def missing(world: World) -> list[dict[str, Any]]:
    """Return unreadable replies by check and answerer."""
    words = {"unparsed": "words without a readable answer", "no_answer": "empty reply"}
    return [
        {
            "check": check,
            "answerer": name,
            "status": status,
            "reason": reason,
            "count": int((world.status[check][:, j] == status).sum()),
        }
        for check, names in world.members.items()
        for j, name in enumerate(names)
        for status, reason in words.items()
        if (world.status[check][:, j] == status).any()
    ]


def categories(world: World) -> list[dict[str, Any]]:
    """Return flags by two tags."""
    rows, c = [], world.design.threshold
    for tag in ("task", "length"):
        values = np.array([tags_of(world, i)[tag] for i in range(world.design.n)], object)
        for value in dict.fromkeys(values.tolist()):
            mine = values == value

            def over(hits: Any, mine: Any = mine) -> dict[str, Any]:
                return estimate(hits[mine], world.cluster[mine])

            rows.append(
                {
                    "tag": tag,
                    "value": value,
                    "n": int(mine.sum()),
                    "shortcut": over(world.flagged(world.checks, c)),
                    "luck": over(world.lucky(world.checks, c)),
                    "checks": {t: over(world.flagged([t], c)) for t in world.checks},
                }
            )
    return rows


def calibration(world: World) -> dict[str, Any]:
    """Return what each check found of what was planted for it."""
    table = {}
    for check in world.checks:
        planted = np.array([check in SOLVES[k] for k in world.kind], bool)
        sound = np.array([k == "order" for k in world.kind], bool)
        hit = world.flagged([check], world.design.threshold)
        table[check] = {
            "planted": int(planted.sum()),
            "found": int(hit[planted].sum()),
            "sound": int(sound.sum()),
            "flagged": int(hit[sound].sum()),
            "found_rate": estimate(hit[planted], world.cluster[planted]),
            "flagged_rate": estimate(hit[sound], world.cluster[sound]),
        }
    return table
