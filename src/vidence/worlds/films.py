"""Plan films: which cases share one, where each plays, what is said, what is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vidence.seeds import rng_of, seed_of
from vidence.worlds import acts, kinds, narrate
from vidence.worlds.acts import Act, Place
from vidence.worlds.kinds import KINDS, Room
from vidence.worlds.scene import Scene, Timeline
from vidence.worlds.vocabulary import HEIGHT, PATTERNS, SHAPES, TONES, WIDTH

if TYPE_CHECKING:
    from numpy.random import Generator

LANES = 3
_LEAD_WIDTH = 74
_TOPICS = ("harbour", "meadow", "workshop", "station")
_PADS = (
    ", calmly",
    ", in good time",
    ", as usual",
    ", without haste",
    ", and quite gently",
    ", as it seems",
    ", with some rest",
    ", in plain sight",
)


@dataclass(frozen=True)
class Wish:
    """A case to be made.

    Args:
        kind: a name of `KINDS`.
        leak: whether its shortcut is really there; without it the case is order-only.
        room: the part of a film it needs.
        turn: its number among the cases of its kind; forms of a question take turns.
    """

    kind: str
    leak: bool
    room: Room
    turn: int


@dataclass
class Film:
    """One film with its cases.

    Args:
        name: of the file, without suffix.
        scene: what is shown.
        lines: what is said.
        rows: of the case file, without the key.
        truths: of the truth file, in the same order.
    """

    name: str
    scene: Scene
    lines: list[str]
    rows: list[dict[str, Any]] = field(default_factory=list)
    truths: list[dict[str, Any]] = field(default_factory=list)


def wishes(counts: dict[str, int], leak: dict[str, float], rng: Generator) -> list[Wish]:
    """Return the cases to be made, mixed.

    Args:
        counts: kind -> number of cases.
        leak: kind -> share of them whose shortcut is really there.
        rng: for the mixing.
    """
    found = []
    for kind, count in counts.items():
        leaking = round(count * leak.get(kind, 1.0))
        for i in range(count):
            present = i < leaking
            room = KINDS[kind].room if present else "lane"
            if kind == "redundant" and present and i % 2:
                room = "anywhere"
            found.append(Wish(kind, present, room, i))
    return [found[i] for i in rng.permutation(len(found))]


def share_out(wanted: Sequence[Wish], per_film: int) -> list[list[Wish]]:
    """Put cases into films: at most 3 lanes, one lead and one centre a film.

    The scarcest room goes first, always to the film with the fewest cases; a film is added where
    none has room.
    """
    films: list[list[Wish]] = [[] for _ in range(-(-len(wanted) // per_film))]
    limits = {"lane": LANES, "lead": 1, "centre": 1, "anywhere": per_film}
    order = sorted(wanted, key=lambda w: ("lane", "lead", "centre", "anywhere").index(w.room))
    for wish in order:
        free = [
            film
            for film in films
            if len(film) < per_film and sum(w.room == wish.room for w in film) < limits[wish.room]
        ]
        if not free:
            free = [[]]
            films.append(free[0])
        min(free, key=len).append(wish)
    return films


def plan(number: int, wanted: Sequence[Wish], seed: int | str, strength: float) -> Film:
    """Plan one film.

    Args:
        number: of the film.
        wanted: its cases.
        seed: of the world.
        strength: of the shortcuts, 0 to 1.
    """
    rng = rng_of("shapes", seed, number)
    timeline = Timeline(int(rng.integers(12, 15)))
    tone, pattern = (words[int(rng.integers(len(words)))] for words in (TONES, PATTERNS))
    areas = _Areas(timeline, rng)
    made: list[tuple[Wish, Act]] = []
    lines: list[str] = []
    for wish in sorted(wanted, key=lambda w: w.room != "lane"):
        clear = 1.0
        if wish.leak and wish.kind in kinds.LEAKING and strength < 1:
            clear = float(min(1.0, max(0.0, rng.normal(strength, 0.15))))
        place = areas.take(wish.room, clear)
        act = _make(wish, place, (tone, pattern), rng)
        if wish.leak and wish.kind == "transcript":
            told = act.options[act.right[0]]
            lines.append(narrate.speech(act.form, place.shape, told, rng, clear=clear))
        made.append((wish, act))
    opening, *chatter = narrate.chatter(max(1, 4 - len(lines)), rng)
    lines += chatter
    lines = [opening, *(lines[i] for i in rng.permutation(len(lines)))]
    things = tuple(thing for _, act in made for thing in act.things)
    scene = Scene(timeline, tone, pattern, things, seed_of("shapes", seed, number, "scene"))
    film = Film(f"film{number:03d}", scene, lines)
    topic = _TOPICS[int(rng.integers(len(_TOPICS)))]
    for place_in_film, i in enumerate(rng.permutation(len(made))):
        wish, act = made[i]
        _write(film, f"{film.name}-{place_in_film}", wish, act, topic, rng)
    return film


class _Areas:
    """The free parts of a picture, and the shapes that are not taken."""

    def __init__(self, timeline: Timeline, rng: Generator) -> None:
        self.timeline, self.rng = timeline, rng
        lead_left = bool(rng.random() < 0.5)
        self.lead = (0, _LEAD_WIDTH) if lead_left else (WIDTH - _LEAD_WIDTH, WIDTH)
        self.lanes = (_LEAD_WIDTH + 2, WIDTH - 2) if lead_left else (2, WIDTH - _LEAD_WIDTH - 2)
        self.bands = [HEIGHT * (2 * i + 1) / (2 * LANES) for i in rng.permutation(LANES)]
        self.shapes = [str(s) for s in rng.permutation(SHAPES)]

    def take(self, room: Room, strength: float) -> Place:
        """Return a free place; lanes are taken first, since small shapes are few."""
        if room == "anywhere":
            return Place(self.timeline, "", 0, WIDTH, HEIGHT / 2, strength)
        if room == "lead":
            return Place(self.timeline, self.shapes.pop(), *self.lead, HEIGHT / 2, strength)
        if room == "centre":
            band = HEIGHT * (2 * int(self.rng.integers(LANES)) + 1) / (2 * LANES)
            return Place(self.timeline, self.shapes.pop(), *self.lanes, band, strength)
        shape = next(s for s in self.shapes if s in acts.LANE_SHAPES)
        self.shapes.remove(shape)
        return Place(self.timeline, shape, *self.lanes, self.bands.pop(), strength)


def _make(wish: Wish, place: Place, scenery: tuple[str, str], rng: Generator) -> Act:
    """Make the act of a case: what its kind asks for, or an order act where its leak is off."""
    kind, turn, whole = wish.kind, wish.turn, place.strength == 1
    order = acts.ORDER[turn % len(acts.ORDER)]
    if not wish.leak:
        return order(place, rng)
    if kind == "question":
        if turn % 3 == 2 and whole:
            return acts.echo(place, rng)
        return acts.fact(place, rng, known=bool(rng.random() < place.strength))
    if kind == "option_length":
        # Counts are left out: beside one digit, no ending is long by a natural measure.
        return _pad(acts.ORDER[turn % 4](place, rng), place.strength, rng)
    if kind == "unordered":
        return acts.UNORDERED[turn % len(acts.UNORDERED)](place, rng)
    if kind == "redundant":
        if wish.room == "anywhere":
            return acts.backdrop(*scenery, place, rng)
        return acts.lasting(place, rng, turn=turn // 2)
    if kind == "captions":
        return acts.lead(place, rng, turn=turn)
    if kind == "ambiguous":
        return acts.appears(place, rng, right=2)
    return acts.centre(place, rng) if kind == "one_frame" else order(place, rng)


def _pad(act: Act, strength: float, rng: Generator) -> Act:
    """Make the right option the longest, up to 2.4 times the others."""
    (right,) = act.right
    text = act.options[right]
    goal = len(text) * (1 + 1.4 * strength)
    for i in rng.permutation(len(_PADS)):
        if len(text) < goal:
            text += _PADS[i]
    options = tuple(text if i == right else t for i, t in enumerate(act.options))
    return Act(act.form, act.question, options, act.right, act.things, act.when)


def _write(film: Film, name: str, wish: Wish, act: Act, topic: str, rng: Generator) -> None:
    key = int(rng.choice(act.right))
    if wish.kind == "mislabelled":
        key = int(rng.choice([i for i in range(len(act.options)) if i not in act.right]))
    film.rows.append(
        {
            "id": name,
            "video": f"{film.name}.mp4",
            "question": act.question,
            "options": list(act.options),
            "answer": key,
            "evidence": sorted({when.seconds() for when in act.when}),
            "tags": {"topic": topic},
        }
    )
    kind = KINDS[wish.kind if wish.leak else "order"]
    checks = tuple(c for c in kind.checks if c != kinds.BAG or act.form not in ("never", "place"))
    film.truths.append(
        {
            "id": name,
            "kind": wish.kind,
            "form": act.form,
            "leak": wish.leak,
            "checks": list(checks),
            "sound": list(kind.sound),
            "right": list(act.right),
        }
    )
