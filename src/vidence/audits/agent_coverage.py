"""Where an agent looked, beside where the annotators say the evidence is: a block of its report."""

from __future__ import annotations

from typing import Any

import numpy as np

from vidence.audits.agent_scores import Row, Scores, or_why, plain
from vidence.errors import UsageError
from vidence.stats import (
    component_table,
    mean_by_cluster,
    mean_gap,
    pr_auc,
    proportion_by_cluster,
    roc_auc,
    spearman,
    temporal_overlap,
)
from vidence.stats.arrays import Bools, Floats

BOTH = "All questions with a score {have} evidence that {is_so}; nothing is compared."


def coverage_block(scores: Scores) -> Row | None:
    """Return the coverage of the annotated spans, and what the score has to do with it.

    The questions are those with an annotated span and a look whose place is known; None where
    there is none. Associations are over those of them that have a score, with intervals by video.
    """
    records = scores.records
    known = np.array(
        [bool(s) and bool(e) for s, e in zip(records.spans, records.looked, strict=True)],
        dtype=np.bool_,
    )
    if not known.any():
        return None
    overlaps = [
        temporal_overlap(looked, spans)
        for looked, spans, use in zip(records.looked, records.spans, known, strict=True)
        if use
    ]
    covered: Bools = np.zeros(len(records), dtype=np.bool_)
    covered[known] = [overlap.covered for overlap in overlaps]
    recall, iou = np.zeros(len(records)), np.zeros(len(records))
    recall[known] = [overlap.recall or 0.0 for overlap in overlaps]
    iou[known] = [overlap.iou or 0.0 for overlap in overlaps]
    keyed = known & records.keyed
    groups = records.groups
    return {
        "questions": int(known.sum()),
        "covered": plain(
            proportion_by_cluster(covered[known], groups.where(known), total=len(records))
        ),
        "recall": plain(
            mean_by_cluster(
                recall[known], groups.where(known), bounds=(0.0, 1.0), total=len(records)
            )
        ),
        "iou": plain(
            mean_by_cluster(
                iou[known],
                groups.where(known),
                bounds=(0.0, 1.0),
                total=len(records),
            )
        ),
        "cells": plain(
            component_table(scores.counts.where(keyed), covered[keyed], records.right[keyed])
        ),
        **_associations(scores, known, covered, (recall, iou)),
    }


def _associations(
    scores: Scores, known: Bools, covered: Bools, shares: tuple[Floats, Floats]
) -> Row:
    """Relate the score to the looks: a question whose evidence was seen should depend on it."""
    use = known & scores.scored
    values = scores.counts.where(known).scores()
    groups = scores.records.groups.where(use)
    met, (recall, iou) = covered[use], (share[use] for share in shares)
    right = scores.records.right[use]

    def of(make: Any, other: Any, what: str, where: Any = None) -> Any:
        inside = np.ones(len(values), dtype=np.bool_) if where is None else where
        return or_why(
            lambda: make(values[inside], other[inside], groups.where(inside), rng=scores.rng(what))
        )

    def two_sided(make: Any, what: str, where: Any = None) -> Any:
        inside = met if where is None else met[where]
        if not len(inside) or inside.all() or not inside.any():
            is_so = "meets the annotated time" if len(inside) and inside.all() else "misses it"
            return or_why(lambda: _refuse(BOTH.format(have="have", is_so=is_so)))
        return of(make, met, what, where)

    return {
        "spearman": of(spearman, recall, "coverage spearman"),
        "spearman_iou": of(spearman, iou, "coverage spearman iou"),
        "roc_auc": two_sided(roc_auc, "coverage roc"),
        "pr_auc": two_sided(pr_auc, "coverage pr"),
        "gap": two_sided(mean_gap, "coverage gap"),
        "gap_of_right": two_sided(mean_gap, "coverage gap right", right),
        "prevalence": float(met.mean()) if len(met) else None,
    }


def _refuse(why: str) -> None:
    raise UsageError(why)
