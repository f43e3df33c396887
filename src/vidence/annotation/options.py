"""Option texts without their letters, and options that stand inside a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase

from vidence.annotation.faults import RowError, shown

_PREFIX = re.compile(r"\s*(?:\(([A-Z])\)|([A-Z])[.):])(?:\s+|$)")


def without_letters(options: Sequence[str], *, gaps: bool = False) -> list[str]:
    """Return option texts without one letter in front, where all of them have one, from A on.

    A text is cut once and only in front ("A. ", "A) ", "(A) "), so that a bracket inside it stays.
    Where one option has no letter, or another than its place says, none is cut: the letters are
    then part of the texts.

    Args:
        options: texts in the file's order.
        gaps: letters may skip (A, B, D) and a blank option may have none: for files that are known
            to print letters.
    """
    cut = [_PREFIX.match(text) for text in options]
    letters = [ascii_uppercase.index(m[1] or m[2]) for m in cut if m]
    if gaps:
        printed = all(m or not text.strip() for m, text in zip(cut, options, strict=True))
        in_order = letters == sorted(set(letters)) and letters[:1] == [0]
    else:
        printed = all(cut)
        in_order = letters == list(range(len(options)))
    if not (options and printed and in_order):
        return list(options)
    return [text[m.end() :] if m else text for m, text in zip(cut, options, strict=True)]


def letter_of(option: str) -> str | None:
    """Return the letter that is printed in front of an option, None where there is none."""
    match = _PREFIX.match(option)
    return (match[1] or match[2]) if match else None


def split_question(text: str, letter: str) -> tuple[str, list[str]]:
    """Return a question and the options that follow it, each on a line of its own.

    An option begins where a line begins with the next letter in order, so that brackets and letters
    inside its text do not end it; a line that begins with no letter in turn belongs to the option
    above it.

    Args:
        text: the question with its options.
        letter: how a letter is written: `"(A) "` or `"A. "`.

    Raises:
        RowError: no options in it.
    """
    before, after = (re.escape(part) for part in letter.rstrip().split("A"))
    options: list[str] = []
    question: list[str] = []
    for line in text.split("\n"):
        due = ascii_uppercase[len(options)] if len(options) < 26 else "A"
        match = re.match(rf"\s*{before}{due}{after}(?:\s+|$)", line)
        if match:
            options.append(line[match.end() :].rstrip())
        elif options:
            options[-1] = f"{options[-1]}\n{line.rstrip()}".rstrip()
        else:
            question.append(line)
    if not options:
        raise RowError("no_options", f"no line begins with {letter.strip()!r}: {shown(text, 120)}")
    return "\n".join(question).strip(), options
