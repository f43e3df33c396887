"""The options of a benchmark as rows of features, made without looking at any key."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vidence.text.items import TextItems
from vidence.text.tokens import plain
from vidence.text.wording import MEASURES, Shown, kind_of, taken_apart

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

MOST_WORDS, MOST_TEXTS = 300, 100
"""Most word features, and most features that are a whole option text."""
FEWEST = 5
"""In how many questions a word or a text must tell options apart to be a feature."""
CROSSED = ("longest", "shortest", "like_question", "like_others", "middle_number", "common_words")
MOST_KINDS = 8
WHERE = " where the question says "
FAMILIES = {
    "position": "where an option stands",
    "length": "how long an option is",
    "wording": "absolute, hedged and negative words, all or none of the above",
    "form": "digits, commas, full stops, capitals",
    "question": "words shared with the question",
    "others": "likeness to the other options",
    "numbers": "the rank of a number among numbers",
    "template": "how often an option's text is an option elsewhere",
    "words": "single words and pairs of words",
    "texts": "whole option texts",
    "kinds": "the same by kind of question",
}
"""Names of the families of features, and what they look at."""


@dataclass(frozen=True, eq=False)
class Features:
    """Rows of features, M = the options of all questions, in order.

    Args:
        matrix: sparse [M, d], centred within each question.
        names: of the columns.
        families: of the columns.
        start: int [N + 1], where each question's rows begin.
        words: sparse [M, V] of 0 and 1: which words an option holds.
        vocabulary: the V words.
    """

    matrix: csr_matrix
    names: tuple[str, ...]
    families: tuple[str, ...]
    start: NDArray[np.int64]
    words: csr_matrix
    vocabulary: tuple[str, ...]

    @property
    def question(self) -> NDArray[np.int64]:
        """Int [M]: the question of each row."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))


def features_of(items: TextItems) -> Features:
    """Return the features of all options.

    Columns are scaled to a variance of one where they are measures, and left as they are where
    they are words or texts, so that a rare word is held to be worth little until it has shown more.
    """
    from scipy.sparse import csr_matrix, hstack

    start = np.r_[0, np.cumsum(items.counts)].astype(np.int64)
    shown = taken_apart(items.questions, items.options, items.clusters.tolist())
    measured, names, families = _measured(items, shown)
    words, vocabulary = _words(shown)
    texts, known = _texts(items)
    dense = _centred(csr_matrix(measured), start).toarray()
    # A measure within one kind of question is scaled as the measure is in all of them.
    spread = dense.std(axis=0)[[names.index(name.split(WHERE)[0]) for name in names]]
    used = np.flatnonzero((spread > 1e-9) & (np.abs(dense).max(axis=0, initial=0.0) > 1e-9))
    dense = dense[:, used] / spread[used]
    blocks = [csr_matrix(dense), _centred(words, start), _centred(texts, start)]
    return Features(
        matrix=csr_matrix(hstack(blocks)),
        names=(*(names[i] for i in used), *vocabulary, *known),
        families=(
            *(families[i] for i in used),
            *("words" for _ in vocabulary),
            *("texts" for _ in known),
        ),
        start=start,
        words=words,
        vocabulary=vocabulary,
    )


def _measured(
    items: TextItems, shown: list[Shown]
) -> tuple[NDArray[np.float64], list[str], list[str]]:
    total = int(items.counts.sum())
    columns: dict[str, NDArray[np.float64]] = {}
    families: dict[str, str] = {}
    for name, (family, measure) in MEASURES.items():
        columns[name] = np.fromiter((v for s in shown for v in measure(s)), np.float64, total)
        families[name] = family
    place = np.fromiter((i for s in shown for i in range(len(s.texts))), np.int64, total)
    for position in range(int(items.counts.max(initial=0))):
        columns[f"position_{position}"] = (place == position).astype(np.float64)
        families[f"position_{position}"] = "position"
    kinds = [kind_of(question) for question in items.questions]
    row_kind = np.repeat(np.array(kinds, dtype=object), items.counts)
    for kind, _ in Counter(kinds).most_common(MOST_KINDS):
        for name in CROSSED:
            columns[f"{name}{WHERE}{kind}"] = columns[name] * (row_kind == kind)
            families[f"{name}{WHERE}{kind}"] = "kinds"
    matrix = np.stack(list(columns.values()), axis=1) if total else np.zeros((0, len(columns)))
    return matrix, list(columns), list(families.values())


def _words(shown: list[Shown]) -> tuple[csr_matrix, tuple[str, ...]]:
    """Return the words and pairs of words that tell options apart most often."""
    grams = [[_grams(bag) for bag in s.bags] for s in shown]
    telling: Counter[str] = Counter()
    for options in grams:
        holding = Counter(gram for option in options for gram in option)
        telling.update(gram for gram, n in holding.items() if n < len(options))
    return _table([option for options in grams for option in options], telling, MOST_WORDS)


def _texts(items: TextItems) -> tuple[csr_matrix, tuple[str, ...]]:
    """Return the option texts that come back most often."""
    names = [[plain(text) for text in options] for options in items.options]
    telling = Counter(
        name for options in names for name, n in Counter(options).items() if n < len(options)
    )
    table, known = _table([{name} for options in names for name in options], telling, MOST_TEXTS)
    return table, tuple(f"= {name}" for name in known)


def _grams(bag: tuple[str, ...]) -> set[str]:
    return {*bag, *(f"{a} {b}" for a, b in pairwise(bag))}


def _table(
    held: list[set[str]], telling: Counter[str], most: int
) -> tuple[csr_matrix, tuple[str, ...]]:
    """Return which of the `most` most telling things each row holds, and their names."""
    from scipy.sparse import csr_matrix

    ranked = sorted(
        (name for name, n in telling.items() if n >= FEWEST), key=lambda g: (-telling[g], g)
    )
    known = tuple(ranked[:most])
    place = {name: i for i, name in enumerate(known)}
    columns = [sorted(place[name] for name in row if name in place) for row in held]
    sizes = np.fromiter(map(len, columns), np.int64, len(columns))
    indices = np.fromiter((c for row in columns for c in row), np.int64, int(sizes.sum()))
    data = np.ones(len(indices))
    shape = (len(held), len(known))
    return csr_matrix((data, indices, np.r_[0, np.cumsum(sizes)]), shape=shape), known


def _centred(matrix: Any, start: NDArray[np.int64]) -> csr_matrix:
    """Take from each row the mean of its question's rows."""
    from scipy.sparse import csr_matrix

    counts = np.diff(start)
    rows = int(start[-1])
    member = csr_matrix((np.ones(rows), np.arange(rows), start), shape=(len(counts), rows))
    weight = np.repeat(1 / np.maximum(1, counts), counts)
    means = member @ csr_matrix(matrix.multiply(weight[:, None]))
    spread = csr_matrix(matrix - member.T @ means)
    spread.data[np.abs(spread.data) < 1e-12] = 0
    spread.eliminate_zeros()
    return spread
