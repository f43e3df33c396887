"""Faults of questions and of the words of options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vidence.lint.rule import Found, reported, rule
from vidence.lint.subject import Subject

reported(
    "empty_question",
    severity="error",
    what="A question without words.",
    why="Nothing is asked; the row is left out.",
)
reported(
    "unreadable_row",
    severity="error",
    what="A row that cannot be read as a question.",
    why="It is left out of every score.",
)

# "None", "NA" and "nan" are answers that people write, and stay text.
_NOTHING = re.compile(
    r"[\s?.…_]*|[\s\-–—]{2,}"
    r"|\W*(?:todo|tbd|tba|fixme|to be (?:done|added|determined|filled)|place ?holder)\b.*"
    r"|\W*x{3,}\W*|.*\blorem ipsum\b.*"
    r"|\W*(?:insert|your|add|enter) (?:the |an? )?(?:question|answer|option|text) here\W*",
    re.IGNORECASE | re.DOTALL,
)
# "Option A" in place of its text; no fault where the question speaks of options that are shown.
_NUMBERED = re.compile(
    r"\W*(option|choice|answer|question|candidate)[\s_\-]+(?:[a-z]|\d{1,2}|text)\W*",
    re.IGNORECASE,
)


@rule(severity="warning", why="The option can be told from the others without the video.")
def placeholder_text(subject: Subject) -> Iterator[Found]:
    """Words that stand for words to come, or none; an error in the question or the key."""
    for case in subject.cases:
        question = case.view.question
        if _stands_for_words(question, ""):
            yield Found(case.id, f"the question is {question[:80]!r}", "error")
        gold = case.gold_position()
        for place, option in enumerate(case.view.options):
            if _stands_for_words(option.text, question):
                detail = f"option {place + 1} of {len(case.view.options)} is {option.text[:80]!r}"
                if place == gold:
                    yield Found(case.id, f"{detail}; it is the key", "error")
                else:
                    yield Found(case.id, detail)


def _stands_for_words(text: str, question: str) -> bool:
    if _NOTHING.fullmatch(text):
        return True
    match = _NUMBERED.fullmatch(text)
    return match is not None and match[1].casefold() not in question.casefold()
