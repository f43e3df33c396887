"""Matching options against transcripts, with what other videos' transcripts would do."""

from __future__ import annotations

import numpy as np
import pytest

from tests.text.made_items import WORDS, items_of, random_items
from vidence.text import overlap as module
from vidence.text.items import TextItems
from vidence.text.overlap import overlap
from vidence.transcripts import Cue, Transcript


def said(*lines: str, every: float = 10.0) -> Transcript:
    return Transcript(tuple(Cue(i * every, (i + 1) * every, text) for i, text in enumerate(lines)))


def films(
    rng: np.random.Generator, items: TextItems, *, tell: bool
) -> tuple[list[str], dict[str, Transcript]]:
    """Give each video chatter and, if asked, a sentence with the right answer of each question."""
    names = [f"v{c}" for c in items.clusters]
    spoken: dict[str, list[str]] = {}
    for i, name in enumerate(names):
        lines = spoken.setdefault(name, [" ".join(rng.choice(WORDS, 12)) for _ in range(20)])
        if tell:
            lines.append(items.questions[i] + " " + items.options[i][items.gold[i]])
    return names, {name: said(*lines) for name, lines in spoken.items()}


def name(*parts: object) -> str:
    """Return a word of its own; figures would be words apart."""
    return "".join(map(str, parts)).translate(str.maketrans("0123456789", "abcdefghij"))


def distinct(rng: np.random.Generator, n: int) -> TextItems:
    options = [[f"{name('thing', i, j)} stands there" for j in range(4)] for i in range(n)]
    return items_of(
        options,
        rng.integers(0, 4, n).tolist(),
        clusters=[i // 3 for i in range(n)],
        questions=[f"What of {name('subject', i)} comes next?" for i in range(n)],
    )


def test_answers_that_are_said_are_found_and_owed_to_this_very_transcript() -> None:
    rng = np.random.default_rng(1)
    items = distinct(rng, 60)
    found = overlap(items, *films(rng, items, tell=True))
    assert found.accuracy.value == 1.0
    assert found.swapped is not None
    assert found.swapped.value == pytest.approx(0.25)
    assert found.over_swapped is not None
    assert found.over_swapped.excludes(0)


def test_long_right_answers_match_any_transcript_and_the_swap_shows_it() -> None:
    """The key has most words; the transcripts are chatter that has nothing to do with it."""
    rng = np.random.default_rng(2)
    options = [
        [" ".join(rng.choice(WORDS, 2)) for _ in range(3)] + [" ".join(rng.choice(WORDS, 9))]
        for _ in range(150)
    ]
    items = items_of(options, [3] * 150, clusters=[i // 3 for i in range(150)])
    found = overlap(items, *films(rng, items, tell=False))
    assert found.over_chance.low is not None
    assert found.over_chance.low > 0.3, "it looks like an answerer that hears"
    assert found.over_swapped is not None
    assert not found.over_swapped.excludes(0), "but any transcript would do"


def test_questions_without_a_transcript_are_left_out_not_guessed() -> None:
    rng = np.random.default_rng(3)
    items = distinct(rng, 12)
    names, transcripts = films(rng, items, tell=True)
    del transcripts["v1"]
    found = overlap(items, names, transcripts)
    assert found.where.tolist() == [i for i, name in enumerate(names) if name != "v1"]
    assert found.accuracy.n == 9


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_transcripts_for_a_control_are_no_error(count: int) -> None:
    rng = np.random.default_rng(4)
    items = distinct(rng, 6)
    names, transcripts = films(rng, items, tell=True)
    kept = dict(list(transcripts.items())[:count])
    found = overlap(items, names, kept)
    assert (found.swapped, found.over_swapped) == (None, None)
    assert found.accuracy.n == 3 * count


def test_only_the_windows_of_the_clip_are_looked_at() -> None:
    items = items_of([["copper kettle", "paper lantern"]], [1])
    transcript = said("copper kettle", *["nothing"] * 20, "paper lantern", every=30.0)
    whole = overlap(items, ["v"], {"v": transcript})
    assert whole.right.tolist() == [0.5]
    late = overlap(items, ["v"], {"v": transcript}, [(600.0, None)])
    early = overlap(items, ["v"], {"v": transcript}, [(None, 60.0)])
    assert (late.right.tolist(), early.right.tolist()) == ([1.0], [0.0])


def test_words_across_the_edge_of_a_slice_are_in_one_window() -> None:
    items = items_of([["copper kettle", "paper lantern"]], [0], questions=["what boils here"])
    spoken = ["boils here", "copper kettle", *["hm"] * 6, "paper lantern"]
    found = overlap(items, ["v"], {"v": said(*spoken, every=module.SLICE)})
    assert found.right.tolist() == [1.0], "the question and the first option stand side by side"


def test_wild_times_cost_no_memory() -> None:
    items = items_of([["copper kettle", "paper lantern"]], [0])
    transcript = Transcript((Cue(0.0, 5.0, "hm"), Cue(1e12, None, "copper kettle")))
    assert overlap(items, ["v"], {"v": transcript}).right.tolist() == [1.0]


def test_the_order_of_the_transcripts_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    items = random_items(rng, 45)
    names, transcripts = films(rng, items, tell=True)
    first = overlap(items, names, transcripts)
    second = overlap(items, names, dict(reversed(transcripts.items())))
    assert first.right.tolist() == second.right.tolist()
    assert first.over_swapped == second.over_swapped
