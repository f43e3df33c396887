"""Acts: something that happens in a film, with a question about it and the options.

Each builder makes one kind of evidence. Order acts show, under every option, the same frames in
another order: whoever ignores order can exclude nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING, TypeVar

from vidence.worlds.facts import FACTS
from vidence.worlds.grammar import FORMS, ROUTES
from vidence.worlds.scene import CENTRE_SLOT, OUTER_SLOTS, Interval, Thing, Timeline
from vidence.worlds.vocabulary import (
    COLOURS,
    HEIGHT,
    PATTERNS,
    SHAPES,
    SIZES,
    TONES,
    WIDTH,
    place_words,
)

if TYPE_CHECKING:
    from numpy.random import Generator

LANE_SHAPES = ("circle", "square", "triangle", "cross", "ring")
"""Shapes that survive compression at 20 pixels."""
LEAD_DIAMETER = 58


@dataclass(frozen=True)
class Place:
    """Where an act plays.

    Args:
        timeline: of the film.
        shape: the act's own shape; no other act of the film uses it.
        left: of its area, pixels.
        right: of its area, pixels.
        y: middle of its area, pixels.
        strength: how visible its things are, 0 to 1.
    """

    timeline: Timeline
    shape: str
    left: float
    right: float
    y: float
    strength: float = 1.0

    def thing(self, colour: str, diameter: int, x: float, when: Interval) -> Thing:
        """Return a thing of the act's shape in the act's area."""
        return Thing(self.shape, colour, diameter, x, self.y, when, strength=self.strength)


@dataclass(frozen=True)
class Act:
    """A question with what its answer rests on.

    Args:
        form: the question's form, or `fact` or `echo`.
        question: its words.
        options: their texts in the order shown.
        right: positions of all options that are right.
        things: what the film must show.
        when: the frames that hold the evidence.
    """

    form: str
    question: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    things: tuple[Thing, ...] = ()
    when: tuple[Interval, ...] = ()


Builder = Callable[[Place, "Generator"], Act]
T = TypeVar("T")


def sequence(place: Place, rng: Generator) -> Act:
    """Show three colours for two slots each, or four for one; ask for their order."""
    count = 3 if rng.random() < 0.5 else 4
    colours = _pick(rng, tuple(COLOURS), count)
    shown = [c for c in colours for _ in range(2)] if count == 3 else list(colours)
    things = _in_slots(place, rng, [(colour, 30) for colour in shown])
    return _order_act("sequence", place, rng, colours, things)


def ends(place: Place, rng: Generator) -> Act:
    """Show three colours for two slots each; ask which is first and which is last."""
    colours = _pick(rng, tuple(COLOURS), 3)
    things = _in_slots(place, rng, [(colour, 30) for colour in colours for _ in range(2)])
    wrong = [f"first {a}, last {b}" for a, b in permutations(colours, 2)]
    right = f"first {colours[0]}, last {colours[2]}"
    wrong.remove(right)
    return _act("ends", place, rng, ([right], wrong), things, (4, 6))


def sizes(place: Place, rng: Generator) -> Act:
    """Show one colour in three sizes for two slots each; ask for the order of sizes."""
    order = _pick(rng, tuple(SIZES), 3)
    colour = _pick(rng, tuple(COLOURS), 1)[0]
    things = _in_slots(place, rng, [(colour, SIZES[size]) for size in order for _ in range(2)])
    return _order_act("sizes", place, rng, order, things)


def route(place: Place, rng: Generator) -> Act:
    """Show a thing once on each of five stations; ask for the way it takes."""
    colour = _pick(rng, tuple(COLOURS), 1)[0]
    answer = ROUTES[int(rng.integers(len(ROUTES)))]
    step = (place.right - place.left - 26) / 4
    middle = [(0, 4, 1, 3, 2), (4, 0, 3, 1, 2)][int(rng.integers(2))]
    stations = {
        ROUTES[0]: (0, 1, 2, 3, 4),
        ROUTES[1]: (4, 3, 2, 1, 0),
        ROUTES[2]: middle,
        ROUTES[3]: middle[::-1],
    }[answer]
    slots = sorted(_pick(rng, OUTER_SLOTS, 5))
    things = [
        replace(
            place.thing(colour, 24, place.left + 13 + step * station, place.timeline.slot(slot)),
            drift=1.0,
        )
        for station, slot in zip(stations, slots, strict=True)
    ]
    return _act("route", place, rng, ([answer], [r for r in ROUTES if r != answer]), things)


def changes(place: Place, rng: Generator) -> Act:
    """Show two colours for three slots each; ask how often the colour changes, 1 to 5 times."""
    first, second = _pick(rng, tuple(COLOURS), 2)
    count = int(rng.choice([1, 2, 3, 4, 5], p=[0.28, 0.22, 0.1, 0.16, 0.24]))
    orders = sorted(
        {p for p in permutations([first] * 3 + [second] * 3) if _changes_in(p) == count}
    )
    shown = orders[int(rng.integers(len(orders)))]
    things = _in_slots(place, rng, [(colour, 30) for colour in shown])
    wrong = [str(n) for n in range(1, 6) if n != count]
    return _act("changes", place, rng, ([str(count)], wrong), things, (4, 5))


def appears(place: Place, rng: Generator, *, right: int = 1) -> Act:
    """Show colours in outer slots; ask which of four or more colours can be seen.

    Args:
        place: where.
        rng: for colours and slots.
        right: how many of the options are shown, 1 or 2.
    """
    colours = _pick(rng, tuple(COLOURS), 6)
    seen, other = colours[:right], colours[right]
    shown = list(seen) * (3 // right) + ([other] * 2 if right == 1 else list(seen))
    things = _in_slots(place, rng, [(c, 30) for c in _pick(rng, tuple(shown), len(shown))])
    texts = [f"a {colour} {place.shape}" for colour in colours]
    wrong = texts[right:] if right == 2 else texts[right + 1 :]
    return _act("appears", place, rng, (texts[:right], wrong), things)


def pair(place: Place, rng: Generator) -> Act:
    """Show two colours in outer slots; ask for the pair among pairs of four colours.

    Every colour stands in as many options as every other.
    """
    colours = _pick(rng, tuple(COLOURS), 4)
    shown = _pick(rng, tuple(colours[:2] * 3), 6)
    things = _in_slots(place, rng, [(colour, 30) for colour in shown])
    a, b, c, d = colours
    balanced = [(a, b), (a, c), (b, d), (c, d)]
    pairs = list(combinations(colours, 2)) if rng.random() < 0.4 else balanced
    texts = [
        f"a {x} {place.shape} and a {y} {place.shape}"
        for x, y in (_pick(rng, two, 2) for two in pairs)
    ]
    return _act("pair", place, rng, (texts[:1], texts[1:]), things, (len(texts), len(texts)))


def never(place: Place, rng: Generator) -> Act:
    """Show all options but one in outer slots; ask for the one that is missing."""
    colours = _pick(rng, tuple(COLOURS), 4)
    shown = _pick(rng, tuple(colours[1:] * 2), 6)
    things = _in_slots(place, rng, [(colour, 30) for colour in shown])
    texts = [f"a {colour} {place.shape}" for colour in colours]
    return _act("never", place, rng, (texts[:1], texts[1:]), things)


def centre(place: Place, rng: Generator) -> Act:
    """Show a thing around the film's centre only; ask for its colour."""
    colours = _pick(rng, tuple(COLOURS), 6)
    x = float(rng.uniform(place.left + 20, place.right - 20))
    things = [place.thing(colours[0], 34, x, place.timeline.slot(CENTRE_SLOT))]
    return _act("colour", place, rng, (colours[:1], colours[1:]), things, (4, 6))


def lead(place: Place, rng: Generator, *, turn: int = 0) -> Act:
    """Show a large thing over segment middles, not at the centre; ask for it.

    `turn` chooses what is asked: its colour, its shape or its place.
    """
    first, last = [(0, 2), (0, 3), (5, 7), (4, 7), (0, 1), (6, 7)][int(rng.integers(6))]
    inner = place.timeline.slot(CENTRE_SLOT)
    when = place.timeline.segments(first, last)
    if last < 4:
        when = Interval(when.first, min(when.last, inner.first - 3))
    else:
        when = Interval(max(when.first, inner.last + 3), when.last)
    return _about_lead(place, rng, when, ("colour", "largest", "place")[turn % 3])


def lasting(place: Place, rng: Generator, *, turn: int = 0) -> Act:
    """Show a large thing in every frame; ask for it, `turn` chooses in which way."""
    when = place.timeline.whole()
    return _about_lead(place, rng, when, ("stays", "largest", "place")[turn % 3])


def backdrop(tone: str, pattern: str, place: Place, rng: Generator) -> Act:
    """Ask for the background, which every frame shows."""
    texts = [f"{t} and {p}" for t in TONES for p in PATTERNS]
    right = f"{tone} and {pattern}"
    texts.remove(right)
    act = _act("backdrop", place, rng, ([right], texts), (), (4, 6))
    return replace(act, when=(place.timeline.whole(),))


def fact(place: Place, rng: Generator, *, known: bool = True) -> Act:
    """Ask for general knowledge, common or obscure; the film is not needed."""
    pool = [f for f in FACTS if f.obscure != known]
    chosen = pool[int(rng.integers(len(pool)))]
    act = _act("fact", place, rng, ([chosen.answer], chosen.others))
    return replace(act, question=chosen.question)


def echo(place: Place, rng: Generator) -> Act:
    """Name the answer in the question itself."""
    things = [f"the {c} {s}" for c in _pick(rng, tuple(COLOURS), 3) for s in _pick(rng, SHAPES, 2)]
    text = f"Shortly after {things[0]} has gone, what is it that has just gone?"
    return replace(_act("echo", place, rng, (things[:1], things[1:])), question=text)


ORDER: tuple[Builder, ...] = (sequence, ends, sizes, route, changes)
UNORDERED: tuple[Builder, ...] = (appears, pair, never)


def _about_lead(place: Place, rng: Generator, when: Interval, form: str) -> Act:
    colours = _pick(rng, tuple(COLOURS), 6)
    high = bool(rng.random() < 0.5)
    y = HEIGHT * (0.27 if high else 0.73)
    x = (place.left + place.right) / 2
    place = replace(place, y=y)
    things = [replace(place.thing(colours[0], LEAD_DIAMETER, x, when), drift=4.0)]
    others = _pick(rng, tuple(s for s in SHAPES if s != place.shape), 5)
    if form == "colour":
        return _act(form, place, rng, (colours[:1], colours[1:]), things, (4, 6))
    if form == "largest":
        texts = [f"a {shape}" for shape in (place.shape, *others)]
        return _act(form, place, rng, (texts[:1], texts[1:]), things, (4, 6))
    if form == "stays":
        texts = [f"a {c} {s}" for s in (place.shape, others[0]) for c in colours[:3]]
        return _act(form, place, rng, (texts[:1], texts[1:]), things, (4, 6))
    corners = [f"at the {place_words(u, v)}" for u in (0.2, 0.8) for v in (0.2, 0.8)]
    right = f"at the {place_words(x / WIDTH, y / HEIGHT)}"
    corners.remove(right)
    return _act(form, place, rng, ([right], corners), things)


def _order_act(
    form: str, place: Place, rng: Generator, order: Sequence[str], things: list[Thing]
) -> Act:
    right = ", then ".join(order)
    wrong = [", then ".join(p) for p in permutations(order) if tuple(p) != tuple(order)]
    return _act(form, place, rng, ([right], wrong), things, (4, 6))


def _in_slots(place: Place, rng: Generator, looks: Sequence[tuple[str, int]]) -> list[Thing]:
    """Place one look after the other into outer slots chosen at random, at random places."""
    slots = sorted(_pick(rng, OUTER_SLOTS, len(looks)))
    found = []
    for (colour, diameter), slot in zip(looks, slots, strict=True):
        x = float(rng.uniform(place.left + diameter / 2, place.right - diameter / 2))
        found.append(place.thing(colour, diameter, x, place.timeline.slot(slot)))
    return found


def _changes_in(order: Sequence[str]) -> int:
    return sum(a != b for a, b in pairwise(order))


def _pick(rng: Generator, pool: Sequence[T], count: int) -> tuple[T, ...]:
    return tuple(pool[i] for i in rng.permutation(len(pool))[:count])


def _act(
    form: str,
    place: Place,
    rng: Generator,
    texts: tuple[Sequence[str], Sequence[str]],
    things: Iterable[Thing] = (),
    counts: tuple[int, int] = (4, 4),
) -> Act:
    """Word a question and mix its options.

    Args:
        form: a name of `FORMS`; for others the caller writes the question.
        place: where the act plays.
        rng: for the wording, the number of options and their order.
        texts: (right options, wrong options to choose from).
        things: what is shown; their times are the evidence.
        counts: fewest and most options.
    """
    right, wrong = texts
    count = int(rng.integers(counts[0], min(counts[1], len(right) + len(wrong)) + 1))
    chosen = [*right, *_pick(rng, wrong, count - len(right))]
    order = rng.permutation(count)
    wordings = FORMS[form].wordings if form in FORMS else ("",)
    things = tuple(things)
    return Act(
        form=form,
        question=wordings[int(rng.integers(len(wordings)))].format(shape=place.shape),
        options=tuple(chosen[i] for i in order),
        right=tuple(int(p) for p in range(count) if order[p] < len(right)),
        things=things,
        when=tuple(thing.when for thing in things),
    )
