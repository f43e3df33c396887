"""Pairs of texts that are nearly the same, without comparing all pairs.

Two texts are as alike as the weight of their common words is of the weight of all their words
(weighted Jaccard similarity). A word weighs more the rarer it is, log(1 + N / texts that have it),
so that "red car" and "blue car" in one template are far apart.

Two sets that are at least t alike share a word among the rarest of each: beyond the words with
which 1 - t of its weight is used up nothing can be shared that suffices (prefix filtering; Bayardo,
Ma and Srikant 2007). Only texts that share such a word are compared.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence


def near_pairs(
    texts: Sequence[frozenset[str]], groups: Sequence[Hashable], least: float
) -> Iterator[tuple[int, int, float]]:
    """Yield (earlier, later, similarity) of the pairs that are at least so much alike, each once.

    Args:
        texts: the words of each [N], and whatever else it is compared by.
        groups: of each [N]; only texts of one group are compared, words weigh what they do in all.
        least: similarity from 0 to 1, not 0.
    """
    counts = Counter(word for text in texts for word in text)
    weights = {word: math.log1p(len(texts) / n) for word, n in counts.items()}
    having: dict[tuple[Hashable, str], list[int]] = defaultdict(list)
    for later, (text, group) in enumerate(zip(texts, groups, strict=True)):
        whole = left = sum(weights[word] for word in text)
        seen: set[int] = set()
        for word in sorted(text, key=lambda word: (counts[word], word)):
            if left < least * whole - 1e-9:
                break
            seen.update(having[group, word])
            having[group, word].append(later)
            left -= weights[word]
        for earlier in sorted(seen):
            both = sum(weights[word] for word in text & texts[earlier])
            either = sum(weights[word] for word in text | texts[earlier])
            if both >= least * either - 1e-9:
                yield earlier, later, both / either
