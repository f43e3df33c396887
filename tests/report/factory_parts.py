"""Report data and cards out of a simulated world (see `factory`): TEST DATA."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tests.report.factory import CHECKS, HOSTILE, SOLVES, THINGS, World, estimate, exact, jpeg


def votes(world: World, check: str) -> Any:
    """Return int [n, options]: members that chose each option."""
    picks = world.choice[check]
    return np.stack([(picks == o).sum(1) for o in range(world.design.options)], axis=1)


def data_of(world: World) -> dict[str, Any]:
    """Return the report's input."""
    d, n = world.design, world.design.n
    checks = [c for c in CHECKS if c in world.choice]
    right = {c: (world.choice[c] == world.gold[:, None]).sum(1) for c in checks}
    tally = {c: votes(world, c) for c in checks}
    size = max((len(world.members[c]) for c in checks), default=0)
    panel = range(1, size + 1)

    def share(hits: Any, name: str) -> dict[str, Any]:
        return estimate(hits, world.cluster, seed=name)

    def lucky(names: list[str], c: int) -> Any:
        if not names:
            return np.zeros(n)
        return np.any([tally[t] >= c for t in names], axis=0).mean(1)

    def flagged(names: list[str], c: int) -> Any:
        return np.any([right[t] >= c for t in names], axis=0) if names else np.zeros(n, bool)

    rows = []
    for check in checks:
        asked = world.status[check][:, 0] != "skipped"
        others = [t for t in checks if t != check]
        alone = flagged([check], d.threshold) & ~flagged(others, d.threshold)
        flags = [
            estimate(flagged([check], c)[asked], world.cluster[asked], n, check) for c in panel
        ]
        luck = [estimate(lucky([check], c)[asked], world.cluster[asked], n, check) for c in panel]
        gap = [
            estimate(
                (flagged([check], c) - lucky([check], c))[asked], world.cluster[asked], n, check
            )
            for c in panel
        ]
        beyond = flagged([check], d.threshold) & ~flagged(["blind"], d.threshold)
        rows.append(
            {
                "check": check,
                "probe": check,
                "panel": panel_of(check),
                "description": f"Show what {check} shows.",
                "members": world.members[check],
                "applicable": int(asked.sum()),
                "skipped": {"no transcript": int((~asked).sum())} if (~asked).any() else {},
                "flagged": flags,
                "luck": luck,
                "excess": gap,
                "unique": int(alone.sum()),
                "unique_share": share(alone, check),
                "marginal": None
                if check == "blind"
                else {"over": "blind", "share": share(beyond, check)},
                "complete": bool((world.status[check] == "ok").all()),
            }
        )
    curve = []
    for c in panel:
        hits, chance = flagged(checks, c), lucky(checks, c)
        unknown = [
            (
                (world.choice[t] == world.gold[:, None])
                | ~np.isin(world.status[t], ["ok", "refused", "skipped"])
            ).sum(1)
            >= c
            for t in checks
        ]
        miss = 1.0
        for t in checks:
            m, p = len(world.members[t]), 1 / d.options
            tail = sum(binomial(m, j) * p**j * (1 - p) ** (m - j) for j in range(c, m + 1))
            miss *= 1 - tail
        curve.append(
            {
                "c": c,
                "shortcut": share(hits, "curve"),
                "luck": share(chance, "luck"),
                "bounds": [float(hits.mean()), float(np.any(unknown, axis=0).mean())]
                if n
                else [None, None],
                "excess": share(hits - chance, "excess"),
                "independent": 1 - miss,
            }
        )
    top = curve[d.threshold - 1] if len(curve) >= d.threshold else None
    none = estimate([], [])
    head = top or {"shortcut": none, "luck": none, "excess": none}
    verdict = verdicts(world)
    names = Counter(verdict)
    data = {
        "format": "vidence.report/1",
        "kind": "benchmark-audit",
        "title": "Test data (simulated)",
        "headline": {
            "sentence": sentence(d, head),
            "threshold": d.threshold,
            "panel_size": len(panel),
            "shortcut": head["shortcut"],
            "luck": head["luck"],
            "excess": head["excess"],
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
        "checks": rows,
        "accuracy": accuracy(world),
        "curve": curve,
        "categories": categories(world, checks),
        "overlap": {
            "checks": checks,
            "both": [
                [int((flagged([a], d.threshold) & flagged([b], d.threshold)).sum()) for b in checks]
                for a in checks
            ],
        },
        "costs": [
            {
                "answerer": m,
                "calls": n * 6,
                "renderings": 0,
                "failed_attempts": 2,
                "seconds": 61.5 * n / 240,
                "usage": {"prompt_tokens": 812 * n, "completion_tokens": 7 * n},
            }
            for m in world.members["intact"]
        ],
        "missing": missing(world),
        "verdicts": {k: names.get(k, 0) for k in ("shortcut", "needs_video", "undecided")},
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
        data["calibration"] = calibration(world, right)
        data["planted"] = [
            {
                "kind": kind,
                "n": int(mine.sum()),
                "shortcut": estimate(flagged(checks, d.threshold)[mine], world.cluster[mine]),
                "excess": estimate(
                    (flagged(checks, d.threshold) - lucky(checks, d.threshold))[mine],
                    world.cluster[mine],
                ),
            }
            for kind in SOLVES
            if (mine := np.array([k == kind for k in world.kind], bool)).any()
        ]
    return data


def binomial(m: int, j: int) -> int:
    """Return m over j."""
    return int(np.prod([(m - i) / (j - i) for i in range(j)]).round()) if j else 1


def panel_of(check: str) -> str:
    """Return which panel answers a check."""
    return "encoder" if check == "bag_of_frames" else "model"


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
            "reason": reason,
            "count": int((world.status[check][:, j] == status).sum()),
        }
        for check, names in world.members.items()
        for j, name in enumerate(names)
        for status, reason in words.items()
        if (world.status[check][:, j] == status).any()
    ]


def categories(world: World, checks: list[str]) -> list[dict[str, Any]]:
    """Return flags by two tags."""
    rows = []
    for tag in ("task", "length"):
        values = np.array([tags_of(world, i)[tag] for i in range(world.design.n)])
        for value in dict.fromkeys(values.tolist()):
            mine = values == value
            hit = {
                c: (world.choice[c] == world.gold[:, None]).sum(1) >= world.design.threshold
                for c in checks
            }
            rows.append(
                {
                    "tag": tag,
                    "value": value,
                    "n": int(mine.sum()),
                    "shortcut": estimate(
                        np.any(list(hit.values()), axis=0)[mine], world.cluster[mine]
                    ),
                    "checks": {c: estimate(hit[c][mine], world.cluster[mine]) for c in checks},
                }
            )
    return rows


def tags_of(world: World, i: int) -> dict[str, str]:
    """Return a case's categories."""
    tasks = ("counting", "action order", "object recognition", "causal reasoning", "spatial")
    task = tasks[i % 5] if i % 17 else "rare"
    if world.design.hostile and i % 5 == 2:
        task = HOSTILE[i // 5 % len(HOSTILE)]
    return {"task": task, "length": "short" if world.cluster[i] % 3 else "long"}


def verdicts(world: World) -> list[str]:
    """Return a verdict a case."""
    checks = [c for c in CHECKS if c in world.choice]
    hit = [(world.choice[c] == world.gold[:, None]).sum(1) for c in checks]
    lost = [(~np.isin(world.status[c], ["ok", "refused", "skipped"])).sum(1) for c in checks]
    names = []
    for i in range(world.design.n):
        if any(h[i] >= world.design.threshold for h in hit):
            names.append("shortcut")
        elif any(h[i] + u[i] >= world.design.threshold for h, u in zip(hit, lost, strict=True)):
            names.append("undecided")
        else:
            names.append("needs_video")
    return names


def calibration(world: World, right: dict[str, Any]) -> dict[str, Any]:
    """Return what each check found of what was planted for it."""
    table = {}
    for check, hits in right.items():
        planted = np.array([check in SOLVES[k] for k in world.kind], bool)
        sound = np.array([k == "order" for k in world.kind], bool)
        hit = hits >= world.design.threshold
        table[check] = {
            "planted": int(planted.sum()),
            "found": int(hit[planted].sum()),
            "sound": int(sound.sum()),
            "flagged": int(hit[sound].sum()),
            "found_rate": estimate(hit[planted], world.cluster[planted]),
            "flagged_rate": estimate(hit[sound], world.cluster[sound]),
        }
    return table


def cards_of(world: World) -> list[dict[str, Any]]:
    """Return one card a case, with strips."""
    d, verdict = world.design, verdicts(world)
    checks = [c for c in CHECKS if c in world.choice]
    cards = []
    for i in range(d.n):
        rng = np.random.default_rng(i)
        options = [THINGS[(i + 5 * o) % 12] + ("" if o < 12 else f" {o}") for o in range(d.options)]
        question = f"What happens right after clip {i} shows {THINGS[i % 12]}?"
        if d.hostile:
            question = HOSTILE[i % len(HOSTILE)]
            options = [HOSTILE[(i + o) % len(HOSTILE)] for o in range(d.options)]
        flags = {
            c: int((world.choice[c][i] == world.gold[i]).sum())
            for c in checks
            if world.status[c][i, 0] != "skipped"
        }
        best = max(flags, key=flags.__getitem__, default="")
        order = rng.permutation(8)
        frames = [
            {
                "t": 1.5 * f,
                "src": jpeg(
                    f"video {world.cluster[i]} {1.5 * f:.1f} s", int(world.cluster[i]) + 7 * f
                ),
            }
            for f in range(8)
        ]
        cards.append(
            {
                "id": f"case-{i:04d}" if not d.hostile else f"{HOSTILE[i % 5]}-{i}",
                "cluster": f"video-{world.cluster[i]:03d}",
                "question": question,
                "options": options,
                "gold": int(world.gold[i]),
                "tags": tags_of(world, i),
                "verdict": verdict[i],
                "because": f"{best}: {flags.get(best, 0)} of {len(world.members.get(best, []))} right",
                "flags": flags,
                "replies": replies(world, i),
                "strips": [
                    {
                        "check": "intact",
                        "frames": frames,
                        "text": None,
                        "notes": ["8 of 32 frames"],
                    },
                    {"check": "center_frame", "frames": [frames[4]], "text": None, "notes": []},
                    {
                        "check": "frame_shuffle",
                        "frames": [frames[f] for f in order],
                        "text": None,
                        "notes": ["8 of 32 frames, in the order shown"],
                    },
                    {
                        "check": "audio",
                        "frames": [],
                        "notes": ["transcript"],
                        "text": HOSTILE[i % 7] if d.hostile else "and then he opens the door",
                    },
                ],
            }
        )
    return cards


def replies(world: World, i: int) -> list[dict[str, Any]]:
    """Return every member's reply to a case."""
    out = []
    for check, names in world.members.items():
        for j, name in enumerate(names):
            status, value = str(world.status[check][i, j]), int(world.choice[check][i, j])
            letter = chr(65 + value)
            raw = {
                "ok": f"Looking closely, the answer is ({letter}).",
                "no_answer": "",
                "unparsed": "It depends on what is meant.",
                "skipped": "",
                "refused": "I can't help with that.",
            }[status]
            if world.design.hostile and status == "ok":
                raw = f"{HOSTILE[(i + j) % len(HOSTILE)]} The answer is {letter}"
            out.append(
                {
                    "check": check,
                    "answerer": name,
                    "repeat": 0,
                    "status": status,
                    "value": value if status == "ok" else None,
                    "reason": "" if status == "ok" else f"{status} (simulated)",
                    "raw": [raw],
                    "shown": [list(range(world.design.options))],
                    "notes": [],
                }
            )
    return out
