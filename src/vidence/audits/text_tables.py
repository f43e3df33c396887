"""The tables of a text-only audit, as plain values; all estimates are shares between 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from vidence.audits.text_transcripts import Heard
from vidence.stats import family_level, mean_by_cluster
from vidence.stats.arrays import Bools, Floats
from vidence.stats.cross_validation import accuracy_of_procedure, gain_of_procedure
from vidence.text.items import TextItems
from vidence.text.learner import Learned
from vidence.text.overlap import SETTINGS, Overlap
from vidence.text.prior_accuracy import PriorAccuracy
from vidence.text.priors import PRIORS, chance_of

Row = dict[str, Any]
MOST_VALUES = 40
"""A tag with more values than this is no category; its table would be unreadable."""
FEW = 20
"""Questions under which a category is marked: its interval is wide and its figure tempts."""
UNTAGGED = "(none)"
BINS = 10


def priors_table(found: Mapping[str, PriorAccuracy]) -> dict[str, Row]:
    """Return name -> what a rule is and what it reached."""
    return {
        name: {
            "title": PRIORS[name].title,
            "description": PRIORS[name].description,
            "accuracy": one.accuracy.to_json(),
            "over_chance": one.over_chance and one.over_chance.to_json(),
            "ties": one.ties,
            "decided": one.decided,
            "claimed": one.claimed,
            "in_sample": PRIORS[name].in_sample,
        }
        for name, one in found.items()
    }


def learner_table(learned: Learned) -> Row:
    """Return what the learner reached, how it was tested, and what carries it."""
    test, scale = learned.permutation, learned.calibration
    return {
        "accuracy": learned.accuracy.to_json(),
        "over_chance": learned.over_chance.to_json(),
        "p": test.p,
        "permutations": test.permutations,
        "null": {"mean": test.null_mean, "high": test.null_high},
        "settings": asdict(learned.settings),
        "calibration": {
            "bins": [
                {
                    "low": one.low,
                    "high": one.high,
                    "n": one.n,
                    "predicted": one.predicted,
                    "right": one.right.to_json(),
                }
                for one in scale.bins
            ],
            "error": scale.error,
        },
        "carriers": [
            {
                "name": one.name,
                "sentence": one.sentence,
                "effect": one.effect,
                "share": one.share,
                "estimate": one.estimate.to_json(),
            }
            for one in learned.carriers
        ],
        "families": [
            {
                "name": one.name,
                "title": one.title,
                "without": one.without.to_json(),
                "alone": one.alone.to_json(),
                "drop": one.drop.to_json(),
            }
            for one in learned.families
        ],
    }


def categories_table(items: TextItems, learned: Learned, longest: Floats) -> list[Row]:
    """Return a row a tag and value; tags with one value, or very many, are left out.

    `claimed` says whether the category is above chance at the level that all of the rows share
    (Bonferroni), because the best of many categories of noise looks like a leak.

    Args:
        items: the questions [N].
        learned: what the learner reached on them.
        longest: probability that the longest option is right [N].
    """
    groups = list(_groups(items))
    guess, level = chance_of(items), family_level(len(groups))
    folds = learned.settings.folds
    rows: list[Row] = []
    for tag, value, where in groups:
        clusters = items.clusters[where]
        right = learned.right[where]
        sure = gain_of_procedure(right - guess[where], clusters, folds=folds, level=level)
        rows.append(
            {
                "tag": tag,
                "value": value,
                "n": int(where.sum()),
                "few": int(where.sum()) < FEW,
                "chance": float(guess[where].mean()),
                "learner": accuracy_of_procedure(right, clusters, folds=folds).to_json(),
                "over_chance": gain_of_procedure(
                    right - guess[where], clusters, folds=folds
                ).to_json(),
                "longest_option": mean_by_cluster(
                    longest[where], clusters, bounds=(0.0, 1.0)
                ).to_json(),
                "claimed": sure.low is not None and sure.low > 0,
            }
        )
    return rows


def _groups(items: TextItems) -> list[tuple[str, str, Bools]]:
    found: list[tuple[str, str, Bools]] = []
    for tag, values in items.tags.items():
        mine = np.array([value or UNTAGGED for value in values], dtype=object)
        names = sorted(set(mine))
        if 2 <= len(names) <= MOST_VALUES:
            found += [(tag, name, np.asarray(mine == name, dtype=np.bool_)) for name in names]
    return found


def histogram(probability: Floats) -> list[Row]:
    """Return how many questions have a held-out P(key) in each of ten bins."""
    counts, edges = np.histogram(np.clip(probability, 0.0, 1.0), bins=BINS, range=(0.0, 1.0))
    return [
        {"low": float(low), "high": float(high), "n": int(n)}
        for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]


def overlap_table(
    heard: Heard | None, found: Overlap | None, items: TextItems, learned: Learned
) -> Row | None:
    """Return what matching options against transcripts reached; None where none were given."""
    if heard is None or found is None:
        return None
    beyond = None
    if learned.accuracy.value is not None and len(found.where):
        differences = found.right - learned.right[found.where]
        beyond = gain_of_procedure(
            differences, items.clusters[found.where], folds=learned.settings.folds
        ).to_json()
    return {
        "coverage": heard.coverage(),
        "accuracy": found.accuracy.to_json(),
        "chance": found.chance.to_json(),
        "over_chance": found.over_chance.to_json(),
        "beyond_learner": beyond,
        "swapped": found.swapped and found.swapped.to_json(),
        "over_swapped": found.over_swapped and found.over_swapped.to_json(),
        "ties": found.ties,
        "settings": dict(SETTINGS),
        "faults": heard.faults,
    }
