"""What can be said of an option beside the others of its question, without knowing the key.

Each measure gives a number an option. The learner sees them centred within the question, so that
only what tells the options of one question apart remains.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vidence.text.tokens import number_in, plain, words


def _lexicon(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABSOLUTE = _lexicon(
    """always never only all every everyone everything none nobody nothing completely entirely
    solely exclusively totally must cannot impossible any whole"""
)
HEDGED = _lexicon(
    """may might could possibly probably likely perhaps some sometimes usually often generally
    mostly mainly typically about around approximately several seems appears"""
)
NEGATED = _lexicon("no not never none nobody nothing neither nor without cannot")
_ALL_OR_NONE = re.compile(
    r"\b(?:all|both|none|neither|any)\b.{0,12}\b(?:above|these|them|options|answers|of the)\b"
    r"|^(?:not mentioned|cannot be (?:determined|inferred)|unknown|none|all|both)\W*$",
    re.IGNORECASE,
)
_QUESTION_WORDS = (
    *("how many", "how much", "what color", "what colour", "how", "what", "which", "who"),
    *("where", "when", "why", "is", "are", "does", "do", "did", "can"),
)

Measure = Callable[["Shown"], list[float]]


@dataclass(frozen=True)
class Shown:
    """A question's texts, taken apart once.

    Args:
        question: its words.
        texts: the options.
        bags: the words of each option.
        elsewhere: in how many questions about other videos each option's text is an option.
    """

    question: frozenset[str]
    texts: tuple[str, ...]
    bags: tuple[tuple[str, ...], ...]
    elsewhere: tuple[int, ...]


def kind_of(question: str) -> str:
    """Return which kind of question this is: the first of a few question words that it holds."""
    found = " ".join(words(question))
    for start in _QUESTION_WORDS:
        if re.match(rf"{start}\b", found):
            return start
    for inside in _QUESTION_WORDS[:9]:
        if re.search(rf"\b{inside}\b", found):
            return inside
    return "other"


def _log_length(shown: Shown) -> list[float]:
    return [math.log1p(len(text.strip())) for text in shown.texts]


def _word_count(shown: Shown) -> list[float]:
    return [math.log1p(len(bag)) for bag in shown.bags]


def _extreme(values: Sequence[float], pick: Callable[[Sequence[float]], float]) -> list[float]:
    """Return a share of one for those at the extreme; zeros where all are."""
    there = [value == pick(values) for value in values]
    count = sum(there)
    return [0.0] * len(values) if count == len(values) else [t / count for t in there]


def _longest(shown: Shown) -> list[float]:
    return _extreme([len(text.strip()) for text in shown.texts], max)


def _shortest(shown: Shown) -> list[float]:
    return _extreme([len(text.strip()) for text in shown.texts], min)


def _holds(lexicon: frozenset[str]) -> Measure:
    return lambda shown: [float(any(word in lexicon for word in bag)) for bag in shown.bags]


def _negated(shown: Shown) -> list[float]:
    return [float(any(w in NEGATED or w.endswith("n't") for w in bag)) for bag in shown.bags]


def _all_or_none(shown: Shown) -> list[float]:
    return [float(_ALL_OR_NONE.search(text.strip()) is not None) for text in shown.texts]


def _digits(shown: Shown) -> list[float]:
    return [float(any(c.isdigit() for c in text)) for text in shown.texts]


def _commas(shown: Shown) -> list[float]:
    return [math.log1p(text.count(",") + text.count(";")) for text in shown.texts]


def _full_stop(shown: Shown) -> list[float]:
    return [float(text.rstrip().endswith((".", "。"))) for text in shown.texts]


def _capital(shown: Shown) -> list[float]:
    return [float(text.strip()[:1].isupper()) for text in shown.texts]


def _to_question(shown: Shown) -> list[float]:
    return [len(shown.question & set(bag)) / len(set(bag)) if bag else 0.0 for bag in shown.bags]


def _jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0


def _to_others(shown: Shown) -> list[float]:
    bags = [set(bag) for bag in shown.bags]
    if len(bags) < 2:
        return [0.0] * len(bags)
    return [
        sum(_jaccard(mine, other) for j, other in enumerate(bags) if j != i) / (len(bags) - 1)
        for i, mine in enumerate(bags)
    ]


def _nearest_other(shown: Shown) -> list[float]:
    bags = [set(bag) for bag in shown.bags]
    return [
        max((_jaccard(mine, other) for j, other in enumerate(bags) if j != i), default=0.0)
        for i, mine in enumerate(bags)
    ]


def _common_words(shown: Shown) -> list[float]:
    """Count how many options hold each word of an option, on average: its words are the usual."""
    holding = Counter(word for bag in shown.bags for word in set(bag))
    return [
        sum(holding[word] for word in set(bag)) / len(set(bag)) if bag else 0.0
        for bag in shown.bags
    ]


def _numbers(shown: Shown) -> list[float] | None:
    values = [number_in(text) for text in shown.texts]
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) >= 3 and len(set(known)) > 1 else None


def _ranked(shown: Shown, score: Callable[[list[float]], list[float]]) -> list[float]:
    values = _numbers(shown)
    return [0.0] * len(shown.texts) if values is None else score(values)


def _lowest_number(shown: Shown) -> list[float]:
    return _ranked(shown, lambda values: _extreme(values, min))


def _highest_number(shown: Shown) -> list[float]:
    return _ranked(shown, lambda values: _extreme(values, max))


def _middle_number(shown: Shown) -> list[float]:
    def middle(values: list[float]) -> list[float]:
        ranks = [sum(o < v for o in values) + sum(o <= v for o in values) - 1 for v in values]
        centre = len(values) - 1
        return [1 - abs(rank - centre) / max(1, centre) for rank in ranks]

    return _ranked(shown, middle)


def _template(shown: Shown) -> list[float]:
    return [math.log1p(count) for count in shown.elsewhere]


MEASURES: Mapping[str, tuple[str, Measure]] = {
    "log_length": ("length", _log_length),
    "word_count": ("length", _word_count),
    "longest": ("length", _longest),
    "shortest": ("length", _shortest),
    "absolute_word": ("wording", _holds(ABSOLUTE)),
    "hedged_word": ("wording", _holds(HEDGED)),
    "negation": ("wording", _negated),
    "all_or_none": ("wording", _all_or_none),
    "digits": ("form", _digits),
    "commas": ("form", _commas),
    "full_stop": ("form", _full_stop),
    "capital": ("form", _capital),
    "like_question": ("question", _to_question),
    "like_others": ("others", _to_others),
    "nearest_other": ("others", _nearest_other),
    "common_words": ("others", _common_words),
    "lowest_number": ("numbers", _lowest_number),
    "highest_number": ("numbers", _highest_number),
    "middle_number": ("numbers", _middle_number),
    "seen_elsewhere": ("template", _template),
}
"""name -> (family, measure)."""


def taken_apart(
    questions: Sequence[str], options: Sequence[Sequence[str]], clusters: Sequence[int]
) -> list[Shown]:
    """Return every question taken apart; equal texts are cut into words once."""
    bags: dict[str, tuple[str, ...]] = {}
    names: dict[str, str] = {}
    for text in {text for texts in options for text in texts}:
        bags[text], names[text] = words(text), plain(text)
    seen: Counter[str] = Counter()
    here: Counter[tuple[int, str]] = Counter()
    for cluster, texts in zip(clusters, options, strict=True):
        mine = {names[text] for text in texts}
        seen.update(mine)
        here.update((cluster, name) for name in mine)
    return [
        Shown(
            question=frozenset(words(question)),
            texts=tuple(texts),
            bags=tuple(bags[text] for text in texts),
            elsewhere=tuple(seen[names[t]] - here[cluster, names[t]] for t in texts),
        )
        for question, texts, cluster in zip(questions, options, clusters, strict=True)
    ]
