"""One card a probed question: its score, how sure that is, and every replay as it came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from vidence.audits.agent_scores import CERTAIN, Scores
from vidence.audits.verdicts import reply_card
from vidence.store import Store

UNSCORED = "unscored"
SIGN = {-1: "negative", 0: "tie", 1: "positive"}


def agent_cards(scores: Scores) -> Iterator[dict[str, Any]]:
    """Yield one plain dictionary a question, in the order of the run.

    `score` is exact, as a fraction in words and as a number; `positive` is the posterior
    probability that the true Delta is above 0, where a heterogeneity model could be fitted.
    """
    run, records = scores.run, scores.records
    exact = scores.counts.fractions()
    signs = np.full(len(records), 9)
    signs[scores.scored] = scores.counts.signs()
    sure = np.full(len(records), np.nan)
    if scores.chance_positive is not None:
        sure[scores.scored] = scores.chance_positive
    fallback = {} if run.fallback is None else run.fallback.right
    order = {label: t for t, label in enumerate(records.chosen)}
    with Store.open(run.folder, read_only=True) as store:
        for i, case in enumerate(run.cases):
            mine = sorted(
                (
                    r
                    for r in store.records_of(case.id)
                    if r.cell.answerer == records.answerer
                    and r.cell.check in order
                    and r.cell.repeat < run.k
                ),
                key=lambda r: (order[r.cell.check], r.cell.repeat),
            )
            came = store.replies([key for record in mine for key in record.calls])
            score = exact[i]
            yield {
                "id": case.id,
                "agent": records.name,
                "cluster": records.clusters[i],
                "question": case.view.question,
                "options": [option.text for option in case.view.options],
                "gold": case.gold_position(),
                "committed": int(records.committed[i]),
                "tags": dict(case.tags),
                "score": None if score is None else str(score),
                "delta": None if score is None else float(score),
                "sign": SIGN.get(int(signs[i]), UNSCORED),
                "positive": None if np.isnan(sure[i]) else float(sure[i]),
                "resolved": bool(sure[i] >= CERTAIN or sure[i] <= 1 - CERTAIN),
                "flips": {
                    name: {
                        "flips": int(getattr(scores.counts, f"{name}_flips")[i]),
                        "valid": int(getattr(scores.counts, f"{name}_valid")[i]),
                        "asked": int(getattr(scores.counts, f"{name}_asked")[i]),
                    }
                    for name in ("sham", "destroy")
                },
                "looked": [list(span) for span in records.looked[i]],
                "spans": [list(span) for span in records.spans[i]],
                "fallback_right": fallback.get(case.id),
                "replies": [reply_card(case, record, came) for record in mine],
            }
