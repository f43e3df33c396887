"""Work out which options agree with what was seen or heard.

Every function returns the positions of options that the evidence leaves possible; an empty list
means that the evidence says nothing. Frames are taken in the order given, whatever that order is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np

from vidence.worlds.grammar import ROUTES, Meaning, colours_of, shapes_of, sizes_of, words
from vidence.worlds.vocabulary import Glimpse, Sight, place_words, size_word

Glimpses = Sequence[Glimpse]
Options = Sequence[str]


def from_glimpses(
    meaning: Meaning, options: Options, glimpses: Glimpses, *, trust: float
) -> list[int]:
    """Return the options that frames or descriptions agree with.

    Args:
        meaning: what is asked.
        options: the texts.
        glimpses: what was seen, in the order shown.
        trust: how orderly a sequence must be to be believed, from 0 (any) to 1 (fully).
    """
    if meaning.form in _ORDERED:
        return _ORDERED[meaning.form](meaning.shape, options, glimpses, trust)
    return _UNORDERED[meaning.form](meaning.shape, options, glimpses)


def from_speech(meaning: Meaning, options: Options, sentences: Sequence[str]) -> list[int]:
    """Return the options whose telling words are said, in order, about the thing asked for."""
    found = []
    for sentence in sentences:
        # A shape that is only mentioned is no answer to "which shape".
        if meaning.shape not in shapes_of(sentence):
            continue
        said = words(sentence)
        found += [i for i, text in enumerate(options) if _within(_telling(text), said)]
    return sorted(set(found))


def from_wording(question: str, options: Options) -> list[int]:
    """Return the one option whose words all stand in the question, if it is one."""
    asked = set(words(question))
    found = [i for i, text in enumerate(options) if words(text) and set(words(text)) <= asked]
    return found if len(found) == 1 else []


def by_length(options: Options, *, ratio: float, characters: int) -> list[int]:
    """Return the longest option where it stands out from the second longest."""
    if len(options) < 2:
        return []
    order = sorted(range(len(options)), key=lambda i: -len(options[i]))
    first, second = (len(options[i]) for i in order[:2])
    return order[:1] if first >= ratio * second and first - second >= characters else []


def _telling(text: str) -> tuple[str, ...]:
    """Return the words of an option that say something, without an ornate ending."""
    for reader in (colours_of, sizes_of):
        if reader(text):
            return reader(text)
    route = next((r for r in ROUTES if text.startswith(r)), "")
    return words(route or text)


def _within(short: Sequence[str], long: Sequence[str]) -> bool:
    rest = iter(long)
    return bool(short) and all(word in rest for word in short)


def _of_shape(glimpse: Glimpse, shape: str) -> Sight | None:
    return next((sight for sight in glimpse.sights if sight.shape == shape), None)


def _track(shape: str, glimpses: Glimpses) -> list[Sight]:
    return [sight for g in glimpses if (sight := _of_shape(g, shape)) is not None]


def _order(track: Sequence[str], trust: float) -> list[str]:
    """Return what came in which order; nothing where things come back and trust is asked for."""
    runs = [word for word, _ in groupby(track)]
    order = list(dict.fromkeys(runs))
    returns = (len(runs) - len(order)) / max(len(runs) - 1, 1)
    return [] if returns > 1 - trust else order


def _sequence(shape: str, options: Options, glimpses: Glimpses, trust: float) -> list[int]:
    order = _order([sight.colour for sight in _track(shape, glimpses)], trust)
    return [i for i, text in enumerate(options) if _fits(order, colours_of(text))]


def _sizes(shape: str, options: Options, glimpses: Glimpses, trust: float) -> list[int]:
    order = _order([size_word(sight.size) for sight in _track(shape, glimpses)], trust)
    return [i for i, text in enumerate(options) if _fits(order, sizes_of(text))]


def _fits(order: Sequence[str], text: Sequence[str]) -> bool:
    return len(order) > 1 and _within(order, text)


def _ends(shape: str, options: Options, glimpses: Glimpses, trust: float) -> list[int]:
    order = _order([sight.colour for sight in _track(shape, glimpses)], trust)
    if len(order) < 2:
        return []
    return [i for i, t in enumerate(options) if colours_of(t) == (order[0], order[-1])]


def _route(shape: str, options: Options, glimpses: Glimpses, trust: float) -> list[int]:
    x = np.array([sight.x for sight in _track(shape, glimpses)])
    if len(x) < 4 or np.ptp(x) == 0:
        return []
    time = np.arange(len(x))
    away = abs(x - (x.min() + x.max()) / 2)
    along = float(np.corrcoef(time, x)[0, 1])
    outward = float(np.corrcoef(time, away)[0, 1]) if np.ptp(away) else 0.0
    strength = dict(zip(ROUTES, (along, -along, -outward, outward), strict=True))
    best = max(ROUTES, key=strength.__getitem__)
    if strength[best] < 0.85 * trust:
        return []
    return [i for i, text in enumerate(options) if text.startswith(best)]


def _changes(shape: str, options: Options, glimpses: Glimpses, trust: float) -> list[int]:
    runs = [word for word, _ in groupby(sight.colour for sight in _track(shape, glimpses))]
    if len(runs) < 2:
        return []
    return [i for i, text in enumerate(options) if words(text) == (str(len(runs) - 1),)]


def _appears(shape: str, options: Options, glimpses: Glimpses) -> list[int]:
    seen = Counter(sight.colour for sight in _track(shape, glimpses))
    counts = [seen[(*colours_of(text), "")[0]] for text in options]
    return _best(counts)


def _pair(shape: str, options: Options, glimpses: Glimpses) -> list[int]:
    seen = {sight.colour for sight in _track(shape, glimpses)}
    return _best([len(seen.intersection(colours_of(text))) for text in options])


def _never(shape: str, options: Options, glimpses: Glimpses) -> list[int]:
    seen = {sight.colour for sight in _track(shape, glimpses)}
    missing = [i for i, text in enumerate(options) if not seen.intersection(colours_of(text))]
    return missing if len(missing) < len(options) else []


def _colour(shape: str, options: Options, glimpses: Glimpses) -> list[int]:
    seen = Counter(sight.colour for sight in _track(shape, glimpses))
    return _best([sum(seen[c] for c in colours_of(text)) for text in options])


def _largest(_shape: str, options: Options, glimpses: Glimpses) -> list[int]:
    sights = [sight for g in glimpses for sight in g.sights]
    limit = 0.85 * max((sight.size for sight in sights), default=0.0)
    seen = Counter(sight.shape for sight in sights if sight.size >= limit)
    return _best([sum(seen[s] for s in shapes_of(text)) for text in options])


def _place(shape: str, options: Options, glimpses: Glimpses) -> list[int]:
    seen = Counter(place_words(sight.x, sight.y) for sight in _track(shape, glimpses))
    return _best([sum(n for place, n in seen.items() if place in text) for text in options])


def _stays(_shape: str, options: Options, glimpses: Glimpses) -> list[int]:
    seen = Counter(
        pair for g in glimpses for pair in {(sight.colour, sight.shape) for sight in g.sights}
    )
    found = []
    for text in options:
        colours, shapes = colours_of(text), shapes_of(text)
        found.append(seen[(colours[0], shapes[0])] if colours and shapes else 0)
    return _best(found) if 2 * max(found, default=0) > len(glimpses) else []


def _backdrop(_shape: str, options: Options, glimpses: Glimpses) -> list[int]:
    seen = Counter((g.tone, g.pattern) for g in glimpses if g.tone and g.pattern)
    return _best(
        [
            sum(n for (tone, pattern), n in seen.items() if {tone, pattern} <= set(words(text)))
            for text in options
        ]
    )


def _best(counts: Sequence[int]) -> list[int]:
    top = max(counts, default=0)
    return [i for i, count in enumerate(counts) if count == top] if top else []


_ORDERED: dict[str, Callable[[str, Options, Glimpses, float], list[int]]] = {
    "sequence": _sequence,
    "ends": _ends,
    "sizes": _sizes,
    "route": _route,
    "changes": _changes,
}
_UNORDERED: dict[str, Callable[[str, Options, Glimpses], list[int]]] = {
    "appears": _appears,
    "pair": _pair,
    "never": _never,
    "colour": _colour,
    "largest": _largest,
    "place": _place,
    "stays": _stays,
    "backdrop": _backdrop,
}
