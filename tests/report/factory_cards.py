"""Verdicts and case cards of a simulated world (see `factory`): TEST DATA."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.report.factory import HOSTILE, THINGS, World, jpeg, tags_of


def verdicts(world: World) -> list[str]:
    """Return a verdict a case."""
    c, none = world.design.threshold, np.zeros(world.design.n, bool)
    sure = world.flagged(world.checks, c)
    possible = np.any(
        [none, *(world.right(t) + world.lost(t).sum(1) >= c for t in world.checks)], axis=0
    )
    names = np.where(sure, "shortcut", np.where(possible, "undecided", "needs_video"))
    return [str(name) for name in names]


def cards_of(world: World) -> list[dict[str, Any]]:
    """Return one card a case, with strips."""
    d, verdict = world.design, verdicts(world)
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
            for c in world.checks
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
                "because": f"{best}: {flags.get(best, 0)} of the panel right",
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
