"""Guessing rules that need no model: what picks the key without reading what it means.

A rule sees questions and options and returns, for each question, how likely it takes each option;
ties are shared out alike. Rules that learn from keys are marked: `held_out` ones are judged on
videos that they did not learn from.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from vidence.registry import Registry, first_line
from vidence.seeds import seed_of
from vidence.stats.arrays import Bools, Floats
from vidence.text.items import TextItems
from vidence.text.tokens import number_in, plain, words

HALVINGS = 20
"""How often the videos are split into halves for a rule that learns from keys."""
_SLACK = 1e-9

Choose = Callable[[TextItems], Floats]
"""items -> probability of taking each option [N, K], K the most options; 0 beyond a question's."""


@dataclass(frozen=True)
class Prior:
    """A guessing rule.

    Args:
        name: its id.
        title: for tables.
        choose: the rule itself.
        in_sample: it picks on the very keys that it is judged by, so it looks better than it is.
        place: where it stands in tables.
    """

    name: str
    title: str
    choose: Choose
    in_sample: bool = False
    place: int = 0

    def __call__(self, items: TextItems) -> Floats:
        """Return the probability of taking each option, [N, K]."""
        return self.choose(items)

    @property
    def description(self) -> str:
        """The first line of the rule's docstring."""
        return first_line(self.choose)


PRIORS: Registry[Prior] = Registry("prior", group="vidence.priors")
_PLACES = count()


def prior(name: str, title: str, *, in_sample: bool = False) -> Callable[[Choose], Choose]:
    """Return a decorator that registers a rule; the function itself stays as it is."""

    def register(choose: Choose) -> Choose:
        PRIORS.add(name, Prior(name, title, choose, in_sample, next(_PLACES)))
        return choose

    return register


def has_option(items: TextItems) -> Bools:
    """Return which places of [N, K] hold an option."""
    most = int(items.counts.max(initial=0))
    return np.asarray(np.arange(most) < items.counts[:, None], dtype=np.bool_)


def best(scores: Floats, there: Bools) -> Floats:
    """Return the options of the highest score, ties shared out alike, [N, K]."""
    masked = np.where(there, scores, -np.inf)
    top = masked.max(axis=1, keepdims=True, initial=-np.inf)
    tied = there & (masked >= top - _SLACK)
    shares: Floats = tied / np.maximum(1, tied.sum(axis=1, keepdims=True))
    return shares


def chance_of(items: TextItems) -> Floats:
    """Return the share of blind guesses that would be right, [N]."""
    guess: Floats = 1 / items.counts
    return guess


@prior("chance", "chance")
def chance(items: TextItems) -> Floats:
    """Take any option with equal probability."""
    there = has_option(items)
    return best(np.zeros(there.shape), there)


@prior("majority_position", "majority position", in_sample=True)
def majority_position(items: TextItems) -> Floats:
    """Take the position that is right most often in this very file, among those on offer."""
    there = has_option(items)
    counts = np.bincount(items.gold, minlength=there.shape[1]).astype(np.float64)
    return best(np.broadcast_to(counts, there.shape), there)


@prior("majority_position_held_out", "majority position, held out")
def majority_position_held_out(items: TextItems) -> Floats:
    """Take the position that is right most often in the other half of the videos."""
    there = has_option(items)

    def learn(taught: Bools) -> Floats:
        counts = np.bincount(items.gold[taught], minlength=there.shape[1]).astype(np.float64)
        return np.broadcast_to(counts, there.shape)

    return _by_halves(items, there, learn)


@prior("longest_option", "longest option")
def longest_option(items: TextItems) -> Floats:
    """Take the option of most characters, blanks around it not counted."""
    return best(_scores(items, _lengths), has_option(items))


@prior("shortest_option", "shortest option")
def shortest_option(items: TextItems) -> Floats:
    """Take the option of fewest characters, blanks around it not counted."""
    return best(-_scores(items, _lengths), has_option(items))


@prior("most_similar_option", "most like the question")
def most_similar_option(items: TextItems) -> Floats:
    """Take the option that shares most words with the question, rare words counting more."""
    return best(_to_question(items), has_option(items))


@prior("least_similar_option", "least like the question")
def least_similar_option(items: TextItems) -> Floats:
    """Take the option that shares fewest words with the question, rare words counting more."""
    return best(-_to_question(items), has_option(items))


@prior("most_typical_option", "most like the other options")
def most_typical_option(items: TextItems) -> Floats:
    """Take the option that shares most words with the other options."""
    return best(_to_others(items), has_option(items))


@prior("odd_one_out", "odd one out")
def odd_one_out(items: TextItems) -> Floats:
    """Take the option that shares fewest words with the other options."""
    return best(-_to_others(items), has_option(items))


@prior("repeated_template", "repeated option text")
def repeated_template(items: TextItems) -> Floats:
    """Take the option whose text is an option of most questions about other videos."""
    texts = [[plain(text) for text in options] for options in items.options]
    seen: Counter[str] = Counter()
    here: Counter[tuple[int, str]] = Counter()
    for cluster, options in zip(items.clusters.tolist(), texts, strict=True):
        seen.update(set(options))
        here.update((cluster, text) for text in set(options))
    rows = (
        [float(seen[text] - here[cluster, text]) for text in options]
        for cluster, options in zip(items.clusters.tolist(), texts, strict=True)
    )
    return best(_padded(rows, has_option(items)), has_option(items))


@prior("repeated_answer", "repeated right answer, held out")
def repeated_answer(items: TextItems) -> Floats:
    """Take the option whose text is the right answer most often in the other half of the videos."""
    there = has_option(items)
    numbers: dict[str, int] = {}
    rows = [
        [float(numbers.setdefault(plain(text), len(numbers))) for text in options]
        for options in items.options
    ]
    codes = _padded(rows, there).astype(np.int64)
    right = codes[np.arange(len(codes)), items.gold]

    def learn(taught: Bools) -> Floats:
        counts = np.bincount(right[taught], minlength=max(1, len(numbers))).astype(np.float64)
        return counts[codes]

    return _by_halves(items, there, learn)


@prior("numeric_middle", "middle number")
def numeric_middle(items: TextItems) -> Floats:
    """Take the middle of three or more numbers; other questions are guessed."""
    return best(_scores(items, _middleness), has_option(items))


def _by_halves(items: TextItems, there: Bools, learn: Callable[[Bools], Floats]) -> Floats:
    """Average over halvings in which each half of the videos is taught by the other.

    Leaving out one video at a time would not do: where keys are balanced, taking one away makes
    its position the rarest, and the rule is wrong by construction.
    """
    taken = np.zeros(there.shape)
    for first in _halvings(items):
        for taught in (first, ~first):
            taken += np.where(taught[:, None], 0.0, best(learn(taught), there))
    return taken / HALVINGS


def _halvings(items: TextItems) -> Iterator[Bools]:
    """Yield which cases lie in the first half, whole videos at a time.

    A video's place is named by its first id, so that the order of the file does not matter.
    """
    names: dict[int, str] = {}
    for cluster, name in zip(items.clusters.tolist(), items.ids, strict=True):
        names[cluster] = min(name, names.get(cluster, name))
    for halving in range(HALVINGS):
        order = sorted(names, key=lambda c: (seed_of("halving", halving, names[c]), names[c]))
        first = np.array(order[: (len(order) + 1) // 2], dtype=np.int64)
        yield np.isin(items.clusters, first)


def _padded(rows: Iterator[list[float]] | Sequence[list[float]], there: Bools) -> Floats:
    scores = np.zeros(there.shape)
    scores[there] = [number for row in rows for number in row]
    return scores


def _scores(items: TextItems, score: Callable[[Sequence[str]], list[float]]) -> Floats:
    return _padded([score(options) for options in items.options], has_option(items))


def _lengths(options: Sequence[str]) -> list[float]:
    return [float(len(text.strip())) for text in options]


def _middleness(options: Sequence[str]) -> list[float]:
    """Return minus the distance from the middle rank; all 0 where the options are no numbers."""
    values = [number for number in map(number_in, options) if number is not None]
    if len(values) < len(options) or len(set(values)) < max(3, len(options)):
        return [0.0] * len(options)
    middle = (len(values) - 1) / 2
    return [-abs(sum(other < value for other in values) - middle) for value in values]


def _to_question(items: TextItems) -> Floats:
    bag = _bags(items)
    rows = [
        [_cosine(bag(question), bag(text)) for text in options]
        for question, options in zip(items.questions, items.options, strict=True)
    ]
    return _padded(rows, has_option(items))


def _to_others(items: TextItems) -> Floats:
    bag = _bags(items)

    def rows() -> Iterator[list[float]]:
        for options in items.options:
            bags = [bag(text) for text in options]
            # The sum over all others; dividing by their number would not change the order.
            yield [
                sum(_cosine(mine, other) for j, other in enumerate(bags) if j != i)
                for i, mine in enumerate(bags)
            ]

    return _padded(rows(), has_option(items))


def _bags(items: TextItems) -> Callable[[str], dict[str, float]]:
    """Return text -> its words with the weight tf (1 + log((1 + D) / (1 + df))), of length one.

    D texts are the questions and the options of the file; df of them hold the word.
    """
    counted = {text: Counter(words(text)) for text in items.questions}
    texts = list(items.questions)
    for options in items.options:
        texts += options
        counted.update({text: Counter(words(text)) for text in options if text not in counted})
    holding: Counter[str] = Counter()
    for text, times in Counter(texts).items():
        for word in counted[text]:
            holding[word] += times
    weight = {w: 1 + math.log((1 + len(texts)) / (1 + df)) for w, df in holding.items()}
    made: dict[str, dict[str, float]] = {}

    def bag(text: str) -> dict[str, float]:
        if text not in made:
            raw = {word: n * weight[word] for word, n in counted[text].items()}
            length = math.sqrt(sum(value * value for value in raw.values())) or 1.0
            made[text] = {word: value / length for word, value in raw.items()}
        return made[text]

    return bag


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    if len(other) < len(one):
        one, other = other, one
    return sum(value * other[word] for word, value in one.items() if word in other)
