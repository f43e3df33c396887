"""Okapi BM25: how well a piece of text matches a set of words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from vidence.stats.arrays import Floats

K1, B = 1.2, 0.75
"""Robertson and Zaragoza's usual values, fixed beforehand and not tuned on any benchmark."""


def inverse_frequency(documents: Iterable[Sequence[str]]) -> dict[str, float]:
    """Return the weight of each word over a collection: log(1 + (D - df + 0.5) / (df + 0.5)).

    D documents, df of them holding the word. The 1 inside keeps the weight of words that stand in
    more than half of the documents above zero.
    """
    holding: Counter[str] = Counter()
    count = 0
    for document in documents:
        holding.update(set(document))
        count += 1
    return {word: math.log(1 + (count - df + 0.5) / (df + 0.5)) for word, df in holding.items()}


class Index:
    """Documents that can be matched against words.

    Formula, for a word w in document d of |d| words, mean length L:
    idf(w) tf (k1 + 1) / (tf + k1 (1 - b + b |d| / L)).
    Source: Robertson and Zaragoza (2009), The Probabilistic Relevance Framework. A word that is in
    no document scores 0. No documents: every score is an empty array.

    Args:
        documents: words of each.
        weights: word -> inverse document frequency; of these documents themselves by default.
        mean_length: words of an average document; of these themselves by default.
        k1: how soon repeats of a word stop counting.
        b: how much long documents are marked down, 0 to 1.
    """

    def __init__(
        self,
        documents: Sequence[Sequence[str]],
        *,
        weights: Mapping[str, float] | None = None,
        mean_length: float | None = None,
        k1: float = K1,
        b: float = B,
    ) -> None:
        self.size = len(documents)
        lengths = [len(document) for document in documents]
        mean = mean_length if mean_length is not None else sum(lengths) / max(1, self.size)
        idf = inverse_frequency(documents) if weights is None else weights
        self._held: dict[str, Floats] = {}
        for place, document in enumerate(documents):
            bend = k1 * (1 - b + b * lengths[place] / (mean or 1.0))
            for word, tf in Counter(document).items():
                if word not in self._held:
                    self._held[word] = np.zeros(self.size)
                self._held[word][place] = idf.get(word, 0.0) * tf * (k1 + 1) / (tf + bend)

    def scores(self, query: Iterable[str]) -> Floats:
        """Return the score of every document, [D]; a word of the query counts once.

        Args:
            query: words.
        """
        total = np.zeros(self.size)
        # In the order of first appearance, so that rounding is the same on every machine.
        for word in dict.fromkeys(query):
            held = self._held.get(word)
            if held is not None:
                total += held
        return total
