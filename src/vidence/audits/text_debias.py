"""Leave out what the text gives away, and say what is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from vidence.audits.text import FORMAT, TextAudit
from vidence.errors import UsageError
from vidence.seeds import seed_of
from vidence.stats import Estimate
from vidence.stats.arrays import Bools
from vidence.text.balance import BALANCED_BY, Balanced, By, balance
from vidence.text.items import TextItems
from vidence.text.learner import Learned, learn
from vidence.text.prior_accuracy import prior_accuracy
from vidence.text.prune import Fit, Pruned, items_at, prune, shuffled_fall
from vidence.whole import json_line, write_whole

Method = Literal["prune", "balance"]
METHODS: tuple[Method, ...] = ("prune", "balance")
OTHERS = ("majority_position", "longest_option", "shortest_option", "repeated_answer")
"""Rules that no pruning asked: what is left of them is not low by construction."""


@dataclass(frozen=True)
class DebiasPlan:
    """How to leave questions out.

    Args:
        method: "prune" takes what a learner answers; "balance" evens out where keys stand.
        target: accuracy of the learner to come down to, a share; chance by default. Pruning only.
        max_removed: share of the scored questions, never passed.
        by: what is balanced: position, length or both. Balancing only.

    Raises:
        UsageError: an unknown method, or a share outside 0 to 1.
    """

    method: Method = "prune"
    target: float | None = None
    max_removed: float = 0.25
    by: By = "position"

    def __post_init__(self) -> None:
        for name, value, known in (("method", self.method, METHODS), ("by", self.by, BALANCED_BY)):
            if value not in known:
                raise UsageError(f"{name} = {value!r}; allowed: {', '.join(known)}.")
        if not 0 <= self.max_removed <= 1:
            raise UsageError(
                f"max_removed = {self.max_removed}; a share from 0 to 1 is allowed, 0.25 for a "
                "quarter of the questions."
            )
        if self.target is not None and self.method == "balance":
            raise UsageError(
                "A target came with the method balance, which evens out where keys stand and "
                "asks no learner. Leave the target out, or choose --method prune."
            )


class Debiased:
    """What is left of a benchmark, measured again.

    Args:
        audit: the benchmark as it is.
        plan: how to leave questions out.
    """

    def __init__(self, audit: TextAudit, plan: DebiasPlan) -> None:
        self.audit, self.plan = audit, plan
        self._learner = replace(audit.settings, permutations=0, explain=False)
        self.pruned: Pruned | None = None
        self.balanced: Balanced | None = None
        if plan.method == "prune":
            self.pruned = prune(
                audit.items,
                self._fit,
                target=plan.target,
                max_removed=plan.max_removed,
                seed=audit.seed,
            )
            self.removed: Bools = self.pruned.removed
        else:
            self.balanced = balance(
                audit.items, by=plan.by, max_removed=plan.max_removed, seed=audit.seed
            )
            self.removed = self.balanced.removed

    def data(self) -> dict[str, Any]:
        """Return what went and what is left, as plain values; shares from 0 to 1.

        `before` is the audit's own figure; `after` and `shuffled` draw folds that no search saw.
        """
        items, gone = self.audit.items, int(self.removed.sum())
        left = items_at(items, np.flatnonzero(~self.removed))
        data: dict[str, Any] = {
            "format": FORMAT,
            "kind": "text-debias",
            "title": self.audit.title,
            "method": self.plan.method,
            "by": None if self.balanced is None else self.plan.by,
            "seed": self.audit.seed,
            "total": len(items),
            "removed": gone,
            "kept": len(self.audit.benchmark.cases) - gone,
            "unscored": len(self.audit.benchmark.cases) - len(items),
            "removed_share": gone / len(items) if len(items) else 0.0,
            "max_removed": self.plan.max_removed,
            "target": self.plan.target,
            "reached": self.pruned.reached if self.pruned else self._complete(),
            "before": _measured(
                self.audit.learned, {n: self.audit.priors[n].accuracy for n in OTHERS}
            ),
            "after": self._after(left),
            "shuffled": self._shuffled(gone),
            "curve": [] if self.pruned is None else curve_table(self.pruned, len(items)),
            "never": [] if self.balanced is None else [list(n) for n in self.balanced.never],
        }
        return {**data, "notes": debias_notes(data)}

    def report(self) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
        """Return data and cards of the text-only report, with what was left out in them."""
        curve = [] if self.pruned is None else curve_table(self.pruned, len(self.audit.items))
        data = self.audit.data(pruning={"curve": curve} if curve else None)
        return data, self.audit.cards(self.removed.tolist())

    def write(self, folder: Path) -> dict[str, str]:
        """Write kept.jsonl and removed.jsonl; return their paths.

        Each line is the author's own row with a field `vidence`: id, removed, reason, and with
        pruning the held-out probability of the key. Cases that were not scored are kept. A key is
        never changed.

        Raises:
            StoreError: the folder cannot be written.
        """
        lines: dict[str, list[str]] = {"kept": [], "removed": []}
        place = {name: i for i, name in enumerate(self.audit.items.ids)}
        for case in self.audit.benchmark.cases:
            about = self._about(place.get(case.id))
            row = {**(case.row or {"id": case.id}), "vidence": {"id": case.id, **about}}
            line = json_line(row, default=str)
            lines["removed" if about["removed"] else "kept"].append(line)
        return write_lines(folder, lines)

    def _about(self, i: int | None) -> dict[str, Any]:
        if i is None:
            return {"removed": False, "reason": "not judged: no options, or no key"}
        gone = bool(self.removed[i])
        if self.balanced is not None:
            k, position, rank = (int(n) for n in self.balanced.cells[i])
            reason = f"key {position + 1} of {k} in place, {rank + 1} of {k} in length"
            return {"removed": gone, "reason": reason}
        assert self.pruned is not None
        p, step = float(self.pruned.probability[i]), int(self.pruned.step[i])
        said = f"the text alone gives the key {100 * p:.1f} %"
        reason = f"{said} in fit {step}" if gone else f"{said} in the last fit"
        return {"removed": gone, "reason": reason, "probability": p}

    def _fit(self, items: TextItems, seed: int) -> Fit:
        found = learn(items, seed=seed, settings=self._learner)
        return Fit(found.probability, found.accuracy)

    def _after(self, left: TextItems) -> dict[str, Any]:
        found = learn(
            left, seed=seed_of("debias", "after", self.audit.seed), settings=self._learner
        )
        return _measured(found, {name: prior_accuracy(left, name) for name in OTHERS})

    def _shuffled(self, gone: int) -> dict[str, Any] | None:
        if self.pruned is None or not gone:
            return None
        curve = shuffled_fall(self.audit.items, self._fit, removed=gone, seed=self.audit.seed).curve
        return {
            "removed": curve[-1].removed,
            "before": curve[0].left.value,
            "after": curve[-1].left.value,
        }

    def _complete(self) -> bool:
        return self.balanced is not None and self.balanced.complete


def _measured(found: Learned, rules: dict[str, Estimate]) -> dict[str, Any]:
    return {
        "n": len(found.right),
        "chance": found.chance.value,
        "learner": found.accuracy.to_json(),
        "over_chance": found.over_chance.to_json(),
        "priors": {name: rule.to_json() for name, rule in rules.items()},
    }


def curve_table(pruned: Pruned, total: int) -> list[dict[str, Any]]:
    """Return a row a fit: what was gone, and what the learner reached on the rest."""
    return [
        {
            "removed": step.removed,
            "removed_share": step.removed / total,
            "left": step.left.to_json(),
            "chance": step.chance,
        }
        for step in pruned.curve
    ]


def debias_notes(data: dict[str, Any]) -> list[str]:
    """Return how to read what is left."""
    if data["method"] == "balance":
        found = [
            f"Of the questions with {k} options none has its key at {name} {place + 1}; leaving "
            "questions out cannot mend that."
            for k, name, place in data["never"]
        ]
        if not data["reached"]:
            found.append("The bound on removals came first: keys are nearer to balance, not there.")
        return found
    found = []
    if not data["reached"]:
        found.append(
            "The target was not reached: the bound on removals came first, or nothing was left "
            "whose key the text makes likelier than chance."
        )
    found.append(
        "What is left was measured with new folds, but it lost what a learner of this kind got "
        "right, so this learner scores too low on it by construction; the rules beside it were "
        "not asked."
    )
    shuffled = data["shuffled"]
    if shuffled and shuffled["before"] is not None and shuffled["after"] is not None:
        before, after = (100 * shuffled[name] for name in ("before", "after"))
        fewer = shuffled["removed"] < data["removed"]
        many = f"the {shuffled['removed']:,} that it finds" if fewer else "as many"
        found.append(
            f"Where keys are drawn anew, so that there is nothing to mend, pruning {many} takes "
            f"the learner from {before:.1f} % to {after:.1f} %: so much of the fall is selection."
        )
    return found


def write_lines(folder: Path, lines: dict[str, list[str]]) -> dict[str, str]:
    """Write one file of lines a name, each whole or not at all; return their paths.

    Raises:
        StoreError: the folder cannot be written.
    """
    files = {name: folder / f"{name}.jsonl" for name in lines}
    for name, rows in lines.items():
        write_whole(files[name], "".join(rows))
    return {name: str(path) for name, path in files.items()}
