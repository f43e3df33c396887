"""Faults of options and keys."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from vidence.lint.rule import Found, reported, rule
from vidence.lint.subject import Subject, folded

reported(
    "answer_outside_options",
    severity="error",
    what="The key names none of the options.",
    why="No answer can be right, so the row is left out of every score.",
)
reported(
    "ambiguous_answer",
    severity="error",
    what="The key names several options, or different ones by different readings.",
    why="Nobody but the author can say which option is right.",
)
reported(
    "no_options",
    severity="error",
    what="A multiple-choice question without options.",
    why="There is nothing to choose from; the row is left out.",
)


@rule(severity="error", why="Every answer is right, so the question is solved whatever is shown.")
def one_option(subject: Subject) -> Iterator[Found]:
    """A question with a single option."""
    for case in subject.cases:
        if len(case.view.options) == 1:
            yield Found(case.id, f"the only option is {case.view.options[0].text!r}")


@rule(severity="warning", why="Chance is higher than the number of options says.")
def duplicated_options(subject: Subject) -> Iterator[Found]:
    """Two options with one text; an error where one of them is the key."""
    for case in subject.cases:
        places: dict[str, list[int]] = {}
        for place, option in enumerate(case.view.options):
            places.setdefault(folded(option.text), []).append(place)
        gold = case.gold_position()
        for same in places.values():
            if len(same) < 2:
                continue
            letters = ", ".join(_letter(place) for place in same)
            texts = dict.fromkeys(case.view.options[place].text for place in same)
            detail = f"options {letters} are the same: {' / '.join(map(repr, texts))}"
            if gold in same:
                yield Found(case.id, f"{detail}; one of them is the key", "error")
            else:
                yield Found(case.id, detail)


@rule(severity="warning", why="The case is left out of every score that needs a key.")
def null_gold(subject: Subject) -> Iterator[Found]:
    """A question without a key; a note where no question has one, as in a public test split."""
    missing = [case.id for case in subject.cases if case.gold is None]
    every = len(missing) == len(subject.cases)
    for case in missing:
        if every:
            yield Found(case, "no key, like all others; accuracy is not available", "note")
        else:
            yield Found(case, f"no key; {len(missing)} of {len(subject.cases)} have none")


def _letter(place: int) -> str:
    return ascii_uppercase[place] if place < 26 else str(place + 1)
