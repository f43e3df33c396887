"""Each planted kind has the property it claims, seen in the files by an independent eye."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from tests.worlds.conftest import EACH, Lone
from tests.worlds.oracle import PURE, SIZES, Film, Spot, colour_words, runs

ROUTES = ("from left to right", "from right to left", "from edge to middle", "from middle to edge")
KNOWN = {
    "ripe banana": "yellow",
    "stop sign": "red",
    "snowman": "white",
    "ripe carrot": "orange",
    "lawn in spring": "green",
    "noon sky": "blue",
    "raven": "black",
    "milk chocolate": "brown",
    "piece of coal": "black",
    "ripe tomato": "red",
    "legs of a spider": "8",
    "legs of an insect": "6",
    "wheels of a bicycle": "2",
    "corners of a triangle": "3",
    "months of a year": "12",
    "days of a week": "7",
    "fingers of two hands": "10",
    "legs of a horse": "4",
    "capital of France": "Paris",
    "capital of Italy": "Rome",
    "capital of Spain": "Madrid",
    "capital of Japan": "Tokyo",
    "capital of Egypt": "Cairo",
    "capital of Austria": "Vienna",
    "young of a dog": "puppy",
    "young of a horse": "foal",
    "young of a sheep": "lamb",
    "nearest to the sun": "Mercury",
    "frozen water": "ice",
}


def of(lone: list[Lone], *kinds: str) -> list[Lone]:
    found = [case for case in lone if case.truth.kind in kinds]
    assert len(found) == sum(EACH[kind] for kind in kinds)
    return found


def shown(case: Lone) -> list[Spot]:
    """Return one spot a showing, in order of time."""
    found = []
    for run in runs(case.spots):
        assert len({s.colour for s in run}) == 1, "a showing changes its colour"
        found.append(run[len(run) // 2])
    return found


def looks_of(case: Lone) -> list[str]:
    """Return what matters of each showing: its colour, or its size among the sizes shown."""
    spots = shown(case)
    if case.truth.form != "sizes":
        return [s.colour for s in spots]
    edges = sorted(s.high for s in spots)
    middle = edges[len(edges) // 2]
    return [SIZES[int(np.sign(s.high - middle) * (abs(s.high - middle) > 4)) + 1] for s in spots]


def read_order(case: Lone) -> str:
    """Return the words of the right option, as far as they tell it, worked out of the frames."""
    looks = looks_of(case)
    order = list(dict.fromkeys(looks))
    if case.truth.form in ("sequence", "sizes"):
        return ", then ".join(order)
    if case.truth.form == "ends":
        return f"first {order[0]}, last {order[-1]}"
    if case.truth.form == "changes":
        return str(sum(a != b for a, b in pairwise(looks)))
    assert case.truth.form == "route"
    x = [s.x for s in shown(case)]
    steps = np.sign(np.diff(x))
    if abs(steps.sum()) == len(steps):
        return ROUTES[0] if steps[0] > 0 else ROUTES[1]
    away = abs(np.array(x) - (min(x) + max(x)) / 2)
    return ROUTES[3] if away[0] < away[-1] else ROUTES[2]


def test_order_is_told_by_time_alone(lone: list[Lone]) -> None:
    forms = Counter()
    for case in of(lone, "order", "transcript", "option_length"):
        right = [i for i, text in enumerate(case.options) if text.startswith(read_order(case))]
        assert right == [case.row["answer"]] == list(case.truth.right), case.row
        forms[case.truth.form] += 1
    assert set(forms) == {"sequence", "ends", "sizes", "route", "changes"}


def test_whoever_ignores_order_can_exclude_no_option(lone: list[Lone]) -> None:
    for case in of(lone, "order", "transcript", "option_length"):
        assert len(case.options) >= 4
        spots, lengths = shown(case), [len(run) for run in runs(case.spots)]
        assert len(set(lengths)) == 1, "one showing lasts longer than another"
        looks = Counter(looks_of(case))
        assert len(set(looks.values())) == 1, "one look is shown more often than another"
        if case.truth.form in ("sequence", "sizes"):
            for text in case.options:
                words = [w for w in re.findall("[a-z]+", text) if w in (*PURE, *SIZES)]
                assert Counter(words) == Counter(looks.keys())
        elif case.truth.form == "ends":
            assert all(set(colour_words(text)) <= set(looks) for text in case.options)
        elif case.truth.form == "changes":
            # Three and three showings of two colours can be put in rows of 1 to 5 changes.
            assert sorted(looks.values()) == [3, 3]
            assert all(1 <= int(text) <= 5 for text in case.options)
        else:
            places = sorted(s.x for s in spots)
            gaps = np.diff(places)
            assert len(places) == 5
            assert np.ptp(gaps) < 8, "stations at equal distances fit all four routes"
            assert {text[: len(ROUTES[2])].split(",")[0].strip() for text in case.options}
            assert all(any(text.startswith(r) for r in ROUTES) for text in case.options)


def test_order_and_unordered_evidence_is_hidden_from_centre_and_captions(lone: list[Lone]) -> None:
    for case in of(lone, "order", "transcript", "option_length", "unordered", "ambiguous"):
        for number in (case.film.centre(), *case.film.middles()):
            assert all(case.spots[n] is None for n in (number - 1, number, number + 1))


@pytest.mark.parametrize("phase", [0.0, 0.2, 0.5, 0.9])
def test_one_frame_a_second_meets_every_showing(lone: list[Lone], phase: float) -> None:
    for case in of(lone, "order", "unordered", "one_frame", "captions"):
        seen = [case.spots[n] is not None for n in case.film.every_second(phase)]
        met = set()
        starts = np.flatnonzero(np.diff([0, *(s is not None for s in case.spots)]) == 1)
        for n, visible in zip(case.film.every_second(phase), seen, strict=True):
            if visible:
                met.add(int(np.searchsorted(starts, n, side="right")))
        assert len(met) == len(starts)


def test_only_transcript_cases_tell_the_answer_aloud(lone: list[Lone]) -> None:
    for case in lone:
        if case.truth.kind == "transcript":
            assert case.key.lower() in case.said
            others = [text for text in case.options if text != case.key]
            assert not [text for text in others if re.search(rf"\b{text.lower()}\b", case.said)]
        else:
            told = set(re.findall("[a-z0-9]+", case.said))
            telling = {*PURE, *SIZES, *"12345", "left", "right", "edge", "middle", "corner", "dark"}
            assert not told & telling, case.said


def test_long_options_are_right_and_stand_out_only_where_planted(lone: list[Lone]) -> None:
    for case in lone:
        *_, second, longest = sorted(len(text) for text in case.options)
        if case.truth.kind == "option_length":
            assert len(case.key) == longest > 1.5 * second
        elif case.truth.kind != "question":
            assert longest <= second + 12


def test_questions_are_answered_by_knowledge_or_their_own_words(lone: list[Lone]) -> None:
    forms = set()
    for case in of(lone, "question"):
        facts = [answer for topic, answer in KNOWN.items() if topic in case.row["question"]]
        forms.add(case.truth.form)
        if case.truth.form == "fact":
            assert facts == [case.key]
        else:
            assert [text for text in case.options if text in case.row["question"]] == [case.key]
    assert forms == {"fact", "echo"}


def test_the_centre_frame_alone_shows_what_one_frame_cases_ask(lone: list[Lone]) -> None:
    for case in of(lone, "one_frame"):
        centre = case.spots[case.film.centre()]
        assert centre is not None
        assert centre.colour == case.key
        assert all(case.spots[n] is None for n in case.film.middles())


def largest_shape(case: Lone, spot: Spot) -> float:
    return spot.pixels / (spot.wide * spot.high)


def place_of(film: Film, spot: Spot) -> str:
    height, width = film.frames.shape[1:3]
    level = "top" if spot.y < height / 2 else "bottom"
    return f"at the {level} {'left' if spot.x < width / 2 else 'right'}"


# Share of its box that a shape covers; stars and crosses are apart from the full shapes.
FILL = {
    "circle": (0.7, 0.85),
    "square": (0.9, 1.01),
    "triangle": (0.42, 0.62),
    "diamond": (0.42, 0.62),
    "cross": (0.42, 0.66),
    "star": (0.25, 0.5),
    "ring": (0.4, 0.62),
}


def agrees(case: Lone, spot: Spot) -> bool:
    """Say whether a frame's spot fits the key."""
    if case.truth.form == "place":
        return place_of(case.film, spot) == case.key
    if case.truth.form == "largest":
        low, high = FILL[case.key.split()[-1]]
        return low <= largest_shape(case, spot) <= high
    return spot.colour == (case.key if case.truth.form == "colour" else case.key.split()[1])


def test_captions_cases_show_at_segment_middles_and_not_at_the_centre(lone: list[Lone]) -> None:
    for case in of(lone, "captions"):
        seen = [s for n in case.film.middles() if (s := case.spots[n])]
        assert len(seen) >= 2
        assert all(agrees(case, s) for s in seen)
        assert case.spots[case.film.centre()] is None


def appears(seen: Counter[str], text: str) -> bool:
    return all(seen[colour] for colour in colour_words(text))


RIGHT: dict[str, Callable[[Counter[str], str], bool]] = {
    "appears": appears,
    "pair": appears,
    "never": lambda seen, text: not appears(seen, text),
}


def test_unordered_cases_have_one_option_that_a_set_of_frames_allows(lone: list[Lone]) -> None:
    forms = set()
    for case in of(lone, "unordered"):
        seen = Counter(s.colour for s in shown(case))
        fits = RIGHT[case.truth.form]
        assert [text for text in case.options if fits(seen, text)] == [case.key]
        assert len(shown(case)) >= 3, "one frame is not enough to be sure"
        forms.add(case.truth.form)
    assert forms == set(RIGHT)


def test_pairs_name_every_colour_equally_often(lone: list[Lone]) -> None:
    pairs = [case for case in of(lone, "unordered") if case.truth.form == "pair"]
    assert pairs
    for case in pairs:
        named = Counter(c for text in case.options for c in colour_words(text))
        assert len(set(named.values())) == 1


def test_redundant_cases_are_answered_by_any_frame(lone: list[Lone]) -> None:
    for case in of(lone, "redundant"):
        for n, frame in enumerate(case.film.frames):
            if case.truth.form == "backdrop":
                assert backdrop_of(frame) == case.key
            else:
                spot = case.spots[n]
                assert spot is not None
                assert agrees(case, spot)


def backdrop_of(frame: np.ndarray) -> str:
    """Name a background by the steps between neighbouring pixels of a smoothed picture."""
    grey = frame.mean(axis=2)
    tone = "dark" if np.median(grey) < 128 else "light"
    h, w = (side // 8 * 8 for side in grey.shape)
    small = grey[:h, :w].reshape(h // 8, 8, w // 8, 8).mean(axis=(1, 3))
    across, down = (np.abs(np.diff(small, axis=axis)).mean() for axis in (1, 0))
    if max(across, down) < 3:
        return f"{tone} and plain"
    return f"{tone} and {'striped' if min(across, down) < 0.4 * max(across, down) else 'checkered'}"


def test_ambiguous_cases_have_two_right_options_shown_equally_long(lone: list[Lone]) -> None:
    for case in of(lone, "ambiguous"):
        seen = Counter(s.colour for s in shown(case))
        right = [i for i, text in enumerate(case.options) if appears(seen, text)]
        assert right == list(case.truth.right)
        assert len(right) == 2
        assert len({seen[colour_words(case.options[i])[0]] for i in right}) == 1
        assert case.row["answer"] in right


def test_mislabelled_cases_have_a_key_that_the_frames_contradict(lone: list[Lone]) -> None:
    for case in of(lone, "mislabelled"):
        right = [i for i, text in enumerate(case.options) if text.startswith(read_order(case))]
        assert right == list(case.truth.right)
        assert case.row["answer"] not in right
