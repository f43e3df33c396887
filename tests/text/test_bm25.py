"""BM25 against its formula written out, one word and one document at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vidence.text.bm25 import Index, inverse_frequency

DOCUMENTS = [
    ["the", "cat", "sat", "on", "the", "mat"],
    ["the", "dog", "ate", "the", "cat", "food", "and", "the", "cat", "left"],
    ["birds", "fly"],
    [],
    ["a", "mat", "a", "mat", "a", "mat", "a", "mat", "a", "mat", "a", "mat"],
]


def by_hand(query: set[str], document: list[str], k1: float = 1.2, b: float = 0.75) -> float:
    mean = sum(len(d) for d in DOCUMENTS) / 5
    total = 0.0
    for word in query:
        tf = document.count(word)
        df = len([d for d in DOCUMENTS if word in d])
        idf = math.log((5 - df + 0.5) / (df + 0.5) + 1)
        total += idf * (tf * (k1 + 1)) / (tf + k1 * (1 - b + b * len(document) / mean))
    return total


@pytest.mark.parametrize("query", ["cat mat", "the", "birds fly away", "unknown", "", "cat cat"])
def test_scores_are_the_formula(query: str) -> None:
    found = Index(DOCUMENTS).scores(query.split())
    expected = [by_hand(set(query.split()), document) for document in DOCUMENTS]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_k1_and_b_are_used() -> None:
    found = Index(DOCUMENTS, k1=0.5, b=0.1).scores(["cat"])
    np.testing.assert_allclose(
        found, [by_hand({"cat"}, d, k1=0.5, b=0.1) for d in DOCUMENTS], rtol=1e-12
    )


def test_weights_of_a_larger_collection_are_taken() -> None:
    part = DOCUMENTS[:2]
    whole = Index(DOCUMENTS).scores(["cat", "mat"])
    weights = inverse_frequency(DOCUMENTS)
    mean = sum(map(len, DOCUMENTS)) / len(DOCUMENTS)
    found = Index(part, weights=weights, mean_length=mean).scores(["cat", "mat"])
    np.testing.assert_allclose(found, whole[:2])


def test_no_documents_and_documents_without_words() -> None:
    assert Index([]).scores(["cat"]).shape == (0,)
    assert Index([[], []]).scores(["cat"]).tolist() == [0.0, 0.0]
