"""Questions made up for tests, their keys drawn or planted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vidence.text.items import TextItems

WORDS = [
    "amber",
    "birch",
    "cedar",
    "dune",
    "ember",
    "fjord",
    "glade",
    "heath",
    "inlet",
    "jetty",
    "knoll",
    "ledge",
    "marsh",
]


def items_of(
    options: Sequence[Sequence[str]],
    gold: Sequence[int],
    *,
    clusters: Sequence[int] | None = None,
    questions: Sequence[str] | None = None,
    tags: Mapping[str, tuple[str, ...]] | None = None,
) -> TextItems:
    """Return items from bare lists; each question is a video of its own by default."""
    n = len(gold)
    return TextItems(
        ids=tuple(f"q{i:05d}" for i in range(n)),
        questions=tuple(questions or ["What is seen?"] * n),
        options=tuple(tuple(row) for row in options),
        gold=np.array(gold, dtype=np.int64),
        clusters=np.array(range(n) if clusters is None else clusters, dtype=np.int64),
        tags=dict(tags or {}),
    )


def random_items(rng: np.random.Generator, n: int, *, k: int = 4, per_video: int = 3) -> TextItems:
    """Return questions whose keys are drawn without looking at the texts."""
    options = [
        [" ".join(rng.choice(WORDS, size=rng.integers(1, 6))) + f" {j}" for j in range(k)]
        for _ in range(n)
    ]
    questions = [" ".join(rng.choice(WORDS, size=6)) + "?" for _ in range(n)]
    gold = rng.integers(0, k, n).tolist()
    return items_of(options, gold, clusters=[i // per_video for i in range(n)], questions=questions)


def reordered(items: TextItems, order: np.ndarray) -> TextItems:
    """Return the same questions in another order."""
    return TextItems(
        ids=tuple(items.ids[i] for i in order),
        questions=tuple(items.questions[i] for i in order),
        options=tuple(items.options[i] for i in order),
        gold=items.gold[order],
        clusters=items.clusters[order],
        tags={k: tuple(v[i] for i in order) for k, v in items.tags.items()},
    )
