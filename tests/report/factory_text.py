"""Data of a text-only audit made of simulated questions: TEST DATA, no benchmark behind it.

The learner is a formula here: it knows the key of a share `leak` of the questions (with a negative
`leak`: it is wrong where it would have been right), and gives the other options even odds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from tests.report.factory import HOSTILE, THINGS, estimate, exact
from vidence.seeds import rng_of


@dataclass(frozen=True)
class TextDesign:
    """What is simulated.

    Args:
        n, videos: questions and clusters.
        options: options a question.
        leak: share of questions whose key the learner knows.
        seed: a name.
        hostile: whether texts and names attack the page.
        tags, values: categories.
        permutations: 0 means that p was not computed.
        transcripts, pruning: whether these parts are there.
        rejected: rejected rows.
    """

    n: int = 240
    videos: int = 58
    options: int = 4
    leak: float = 0.2
    seed: str = "text factory"
    hostile: bool = False
    tags: int = 2
    values: int = 5
    permutations: int = 1000
    transcripts: bool = True
    pruning: bool = True
    rejected: int = 3


RULES = {
    "chance": ("chance", "Take any option with equal probability."),
    "majority_position": ("majority position", "Take the position that is right most often."),
    "longest_option": ("longest option", "Take the option of most characters."),
    "shortest_option": ("shortest option", "Take the option of fewest `characters`."),
    "most_similar_option": ("most like the question", "Take the option that shares most words."),
    "repeated_answer": ("repeated right answer, held out", "Take the text right most often."),
}


def make_text(design: TextDesign | None = None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return report data and cards of one simulated audit."""
    world = _World(design or TextDesign())
    return world.data(), world.cards()


class _World:
    """Simulated questions, what each rule takes, and what the learner says."""

    def __init__(self, d: TextDesign) -> None:
        self.d = d
        rng = rng_of("text factory", d.seed)
        n, k = d.n, d.options
        self.gold = rng.integers(0, k, n)
        self.cluster = rng.permutation(np.arange(n) % max(d.videos, 1))
        knows = rng.random(n) < abs(d.leak)
        odds = rng.random((n, k))
        rows = np.arange(n)
        odds[rows[knows], self.gold[knows]] *= 6 if d.leak > 0 else 0.1
        self.ps = odds / odds.sum(1, keepdims=True)
        self.p = self.ps[rows, self.gold]
        self.said = self.ps.max(1) if n else np.zeros(0)
        self.right = (self.ps.argmax(1) == self.gold).astype(float) if n else np.zeros(0)
        self.taken = {"chance": np.full(n, 1 / k)}
        for name in list(RULES)[1:]:
            lift = {"longest_option": 0.12, "shortest_option": -0.2}.get(name, 0.0)
            self.taken[name] = (rng.random(n) < 1 / k + lift).astype(float)
        self.options = [
            [
                HOSTILE[(i + o) % len(HOSTILE)] if d.hostile else THINGS[(i + 5 * o) % 12] + " " * o
                for o in range(k)
            ]
            for i in range(n)
        ]

    def tag(self, i: int, t: int) -> tuple[str, str]:
        """Return a tag of a question."""
        value = i * (t + 3) % (self.d.values + 7) % self.d.values
        if self.d.hostile:
            return f"{HOSTILE[t]} {t}", f"{HOSTILE[value % 10]} {value}"
        return f"tag {t}", f"value {value}"

    def mean(self, hits: Any, where: Any = None) -> dict[str, Any]:
        """Return a share with its interval."""
        where = np.ones(self.d.n, bool) if where is None else where
        return estimate(np.asarray(hits)[where], self.cluster[where])

    def data(self) -> dict[str, Any]:
        """Return the report's input."""
        d, n = self.d, self.d.n
        chance = exact(1 / d.options if n else None, n)
        if n:
            chance |= {"low": 1 / d.options, "high": 1 / d.options, "degenerate": None}
        learner = self.learner() if n else None
        sentence = "Test data (simulated): nothing could be scored."
        if learner:
            sentence = (
                "Test data (simulated): a model that sees only the text answers "
                f"{100 * learner['accuracy']['value']:.0f} % of {n} questions; chance is "
                f"{100 / d.options:.0f} %."
            )
        return {
            "format": "vidence.report/1",
            "kind": "text-audit",
            "title": "Test data (simulated)",
            "headline": {
                "sentence": sentence,
                "learner": learner and learner["accuracy"],
                "chance": chance,
                "over_chance": learner and learner["over_chance"],
                "p": learner and learner["p"],
                "permutations": d.permutations if n else 0,
            },
            "run": {
                "vidence": "0.0.0",
                "command": "vidence audit-text test questions.jsonl",
                "created": "2025-01-01T00:00:00+00:00",
                "python": "3.11.0",
                "packages": {"numpy": "1.0"},
                "seed": 0,
                "settings": {"folds": 5, "repeats": 3},
                "benchmark": "test",
                "path": "questions.jsonl",
                "digest": "ab" * 32,
                "seconds": 12.5,
            },
            "cases": {
                "n": n,
                "rows": n + d.rejected,
                "scored": n,
                "videos": len(set(self.cluster.tolist())),
                "open_ended": 0,
                "rejected": d.rejected,
                "no_gold": 0,
                "options": {str(d.options): n} if n else {},
                "one_option": n if d.options == 1 else 0,
            },
            "rejected": [
                {
                    "where": f"row {i}",
                    "reason": HOSTILE[i % 10] if d.hostile else "the answer is not an option",
                    "kind": "answer_outside_options",
                }
                for i in range(d.rejected)
            ],
            "priors": {name: self.prior(name, chance) for name in RULES},
            "learner": learner,
            "categories": self.categories(),
            "overlap": self.overlap() if d.transcripts and n else None,
            "scores": {"histogram": self.histogram()},
            "pruning": self.pruning() if d.pruning and n else None,
            "notes": ["Simulated questions: this page shows a form, not a finding."],
            "commands": [{"title": "Lint it", "command": "vidence lint test questions.jsonl"}],
            "case_files": {"all": "cases.jsonl", "total": n},
        }

    def prior(self, name: str, chance: dict[str, Any]) -> dict[str, Any]:
        """Return a rule's row."""
        over = None if name == "chance" else self.mean(self.taken[name] - 1 / self.d.options)
        return {
            "title": RULES[name][0],
            "description": RULES[name][1],
            "accuracy": chance if name == "chance" else self.mean(self.taken[name]),
            "over_chance": over,
            "ties": self.d.n if name == "chance" else 0,
            "decided": self.d.n,
            "claimed": bool(over and over["low"] is not None and over["low"] > 0),
            "in_sample": name == "majority_position",
        }

    def learner(self) -> dict[str, Any]:
        """Return what the learner reached."""
        d, guess = self.d, 1 / self.d.options
        edges = np.linspace(0, 1, 11)
        where = [(self.said >= a) & (self.said < b + (b == 1)) for a, b in pairwise(edges)]
        bins = [
            {
                "low": float(a),
                "high": float(b),
                "n": int(w.sum()),
                "predicted": float(self.said[w].mean()) if w.any() else None,
                "right": self.mean(self.right, w),
            }
            for (a, b), w in zip(pairwise(edges), where, strict=True)
        ]
        tested = d.permutations > 0
        return {
            "accuracy": self.mean(self.right),
            "over_chance": self.mean(self.right - guess),
            "p": 0.001 if tested and d.leak > 0.1 else 0.4 if tested else None,
            "permutations": d.permutations,
            "null": {"mean": guess, "high": min(1.0, guess + 0.05)} if tested else None,
            "settings": {"strengths": [0.1, 1.0], "features": "words"},
            "calibration": {"bins": bins, "error": 0.031},
            "carriers": [
                {
                    "name": "length",
                    "sentence": HOSTILE[1] if d.hostile else "the key is the longest option",
                    "effect": 0.41,
                    "share": 0.6,
                    "estimate": self.mean(self.taken["longest_option"]),
                },
                {
                    "name": "absolute",
                    "sentence": "absolute words (all, never) stand in wrong options",
                    "effect": -0.2,
                    "share": 0.1,
                    "estimate": self.mean(self.taken["shortest_option"]),
                },
            ],
            "families": [
                {
                    "name": name,
                    "title": title,
                    "without": self.mean(self.right * (1 - cut)),
                    "alone": self.mean(self.taken["longest_option"]),
                    "drop": self.mean(self.right * cut),
                }
                for name, title, cut in (
                    ("shape", "length and punctuation", 0.2),
                    ("words", "words of the options", 0.1),
                    ("place", "position", 0.02),
                )
            ],
        }

    def categories(self) -> list[dict[str, Any]]:
        """Return a row a tag and value."""
        rows = []
        for t in range(self.d.tags):
            mine = np.array([self.tag(i, t)[1] for i in range(self.d.n)], dtype=object)
            for value in sorted(set(mine)):
                where = mine == value
                rows.append(
                    {
                        "tag": self.tag(0, t)[0],
                        "value": value,
                        "n": int(where.sum()),
                        "few": bool(where.sum() < 20),
                        "chance": 1 / self.d.options,
                        "learner": self.mean(self.right, where),
                        "over_chance": self.mean(self.right - 1 / self.d.options, where),
                        "longest_option": self.mean(self.taken["longest_option"], where),
                        "claimed": False,
                    }
                )
        return rows

    def overlap(self) -> dict[str, Any]:
        """Return what transcripts give away."""
        guess = 1 / self.d.options
        where = self.cluster % 4 != 0
        own = np.maximum(self.taken["most_similar_option"], self.taken["longest_option"])
        other = self.taken["longest_option"]
        return {
            "coverage": {
                "videos": len(set(self.cluster.tolist())),
                "with_transcript": len(set(self.cluster[where].tolist())),
                "usable": len(set(self.cluster[where].tolist())),
            },
            "accuracy": self.mean(own, where),
            "swapped": self.mean(other, where),
            "chance": guess,
            "over_chance": self.mean(own - guess, where),
            "over_swapped": self.mean(own - other, where),
            "beyond_learner": None,
            "faults": {"transcript_missing": 14},
        }

    def histogram(self) -> list[dict[str, Any]]:
        """Return how many questions have how high a P(key)."""
        counts, edges = np.histogram(self.p, bins=10, range=(0, 1))
        return [
            {"low": float(a), "high": float(b), "n": int(n)}
            for (a, b), n in zip(pairwise(edges), counts, strict=True)
        ]

    def pruning(self) -> dict[str, Any]:
        """Return what is left after the easiest go."""
        order = np.argsort(-self.p, kind="stable")
        curve = []
        for share in (0.0, 0.05, 0.1, 0.15, 0.2):
            cut = round(share * self.d.n)
            keep = np.ones(self.d.n, bool)
            keep[order[:cut]] = False
            curve.append(
                {
                    "removed": cut,
                    "removed_share": cut / self.d.n,
                    "left": self.mean(self.right, keep),
                    "chance": 1 / self.d.options,
                }
            )
        return {"curve": curve, "target": 0.2}

    def cards(self) -> list[dict[str, Any]]:
        """Return one card a question."""
        out = []
        for i in range(self.d.n):
            question = f"What happens right after clip {i} shows {THINGS[i % 12]}?"
            out.append(
                {
                    "id": f"{HOSTILE[i % 5]}-{i}" if self.d.hostile else f"case-{i:04d}",
                    "cluster": f"video-{self.cluster[i]:03d}",
                    "question": HOSTILE[i % 10] if self.d.hostile else question,
                    "options": self.options[i],
                    "gold": int(self.gold[i]),
                    "tags": dict(self.tag(i, t) for t in range(self.d.tags)),
                    "probability": float(self.p[i]),
                    "option_probability": [float(p) for p in self.ps[i]],
                    "priors": {name: float(taken[i]) for name, taken in self.taken.items()},
                    "removed": bool(self.p[i] > 0.6) if self.d.pruning else None,
                }
            )
        return out


def make_overview(designs: dict[str, TextDesign]) -> dict[str, Any]:
    """Return several simulated audits side by side, and what they reach together."""
    worlds = {name: _World(design) for name, design in designs.items()}
    benchmarks = {name: world.data() | {"title": name} for name, world in worlds.items()}
    alive = [world for world in worlds.values() if world.d.n]
    together = {}
    if alive:
        clusters = np.concatenate([1000 * i + world.cluster for i, world in enumerate(alive)])
        guess = np.concatenate([np.full(world.d.n, 1 / world.d.options) for world in alive])
        right = np.concatenate([world.right for world in alive])
        taken = {name: np.concatenate([w.taken[name] for w in alive]) for name in RULES}
        pooled = {
            "n": len(right),
            "videos": len(set(clusters.tolist())),
            "learner": estimate(right, clusters),
            "over_chance": estimate(right - guess, clusters),
            "priors": {name: estimate(hits, clusters) for name, hits in taken.items()},
        }
        mean = float(np.mean([world.right.mean() for world in alive]))
        macro = pooled | {"learner": exact(mean, len(right)), "over_chance": None, "priors": {}}
        together = {"pooled": pooled, "macro": macro, "notes": ["Two videos are shared."]}
    return {
        "benchmarks": benchmarks,
        "together": together,
        "unknown": ["notes"],
        "failed": [{"name": "broken", "reason": "line 3 is no JSON."}],
    }
