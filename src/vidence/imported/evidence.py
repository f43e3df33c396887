"""Does a row of a log speak of a case? What its question, options and key say to that."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import Any

from vidence.annotation.faults import RowError
from vidence.annotation.keys import by_index, by_letter
from vidence.annotation.options import without_letters
from vidence.annotation.row import as_number
from vidence.prediction import Prediction
from vidence.view import Case

_OPTION_LINE = re.compile(r"^\s*[(\[]?([A-Z])[)\].:]+\s*(.*\S)\s*$")


@dataclass(frozen=True)
class Evidence:
    """What a row shows of its question, compared with a case; None where it shows nothing.

    Args:
        question: the text is the case's.
        prompt: what was sent holds the question's text.
        options: the same options, in whatever order.
        order: keys of the options in the order shown, where the log shows them.
        gold: the log's key is the case's.
        lost: options that the log shows empty, by key.
        strange: the log's key, or its options, are of a kind that the case has not.
        lettered: the case has options, so that letters could be mixed up.
    """

    question: bool | None = None
    prompt: bool | None = None
    options: bool | None = None
    order: tuple[int, ...] | None = None
    gold: bool | None = None
    lost: tuple[int, ...] = ()
    strange: bool = False
    lettered: bool = True

    def contradicts(self, *, weak: bool) -> str:
        """Return why the row cannot be of this case, "" where nothing speaks against it.

        A key that differs says so only where the options' order is not known, since letters could
        then not be told apart, or where nothing else agrees.

        Args:
            weak: only a number links the two.
        """
        if self.question is False:
            return "another question"
        if self.options is False:
            return "other options"
        if self.gold is False and self.order is None and (self.lettered or not self.tells):
            return "another key"
        if weak and self.prompt is False:
            return "the prompt does not hold the question"
        if weak and self.strange and not self.tells:
            return "a key or options of another kind"
        return ""

    @property
    def tells(self) -> bool:
        """Say whether the question's words or its options agree; a key alone may by chance."""
        return bool(self.question or self.prompt or self.options)

    @property
    def shown(self) -> tuple[str, ...]:
        """What agrees, strongest first."""
        told = {
            "question": self.question or self.prompt,
            "options": self.options,
            "gold": self.gold,
        }
        return tuple(name for name, agrees in told.items() if agrees)


def look(prediction: Prediction, case: Case) -> Evidence:
    """Compare a row of a log with a case."""
    question = plain(case.view.question)
    asked = in_prompt = None
    if prediction.question:
        said = plain(prediction.question)
        asked = question in said or (len(said) >= 20 and said in question)
    elif prediction.prompt:
        in_prompt = holds(prediction.prompt, case.view.question)
    texts = [option.text for option in case.view.options]
    order: tuple[int, ...] | None = None
    lost: tuple[int, ...] = ()
    same: bool | None = None
    if prediction.prompt and texts:  # what was sent has the last word on the order
        for shown in options_in(prediction.prompt, len(texts)):
            found = order_of(shown, texts)
            if found is not None:
                (order, lost), same = found, True
                break
    if same is None and prediction.options is not None and texts:
        found = order_of(prediction.options, texts)
        same = found is not None
        if found is not None:
            order, lost = found
    keys = [option.key for option in case.view.options]
    gold, strange = _key(prediction.gold, case, order)
    return Evidence(
        question=asked,
        prompt=in_prompt,
        options=same,
        order=None if order is None else tuple(keys[place] for place in order),
        gold=gold,
        lost=tuple(keys[place] for place in lost),
        strange=strange or bool(prediction.options and not texts),
        lettered=bool(texts),
    )


def plain(text: str) -> str:
    """Return a text without capitals, repeated spaces and lines, for comparing."""
    return _plain(text) if len(text) > 1000 else _known(text)


@lru_cache(maxsize=1 << 16)
def _known(text: str) -> str:
    return _plain(text)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def order_of(
    shown: Sequence[str], options: Sequence[str]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the places of the options in the order shown, and the places of those shown empty.

    Letters in front ("A. ") are taken off where all have one. Equal texts keep their own order. One
    empty text stands for the one option that is left over. None where the texts are others.
    """
    texts = list(shown)
    for mine in (texts, without_letters(texts), without_letters(texts, gaps=True)):
        found = _order([plain(text) for text in mine], [plain(text) for text in options])
        if found is not None:
            return found
    return None


def _order(shown: list[str], options: list[str]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    if len(shown) > len(options):
        return None
    left = list(range(len(options)))
    places: list[int | None] = []
    for text in shown:
        place = next((p for p in left if options[p] == text), None)
        if place is None and text:
            return None
        if place is not None:
            left.remove(place)
        places.append(place)
    # Trailing empty cells are dropped by tables: an option at the end may be lost as well.
    empty = places.count(None) + len(options) - len(shown)
    if empty > 1 or len(left) != empty:
        return None
    if len(shown) < len(options):
        places.append(None)
    lost = tuple(left)
    return tuple(left[0] if place is None else place for place in places), lost


def options_in(prompt: str, count: int) -> list[list[str]]:
    """Return lists of `count` texts that stand in a prompt behind the letters from A on.

    Letters are looked for at the beginnings of lines; the last such list comes first.
    """
    found: list[list[str]] = []
    for text in _unescaped(prompt):
        run: list[str] = []
        for line in text.split("\n"):
            match = _OPTION_LINE.match(line)
            if match and match[1] == ascii_uppercase[len(run) % 26]:
                run.append(match[2])
            elif match and match[1] == "A":
                run = [match[2]]
            if len(run) == count:
                found.append(run)
                run = []
    return found[::-1]


def holds(prompt: str, question: str) -> bool:
    """Say whether a prompt holds a question's words."""
    words = plain(question)
    return any(words in plain(text) for text in _unescaped(prompt))


def _unescaped(prompt: str) -> list[str]:
    """Return a prompt, and what it says where it was written as JSON inside a text."""
    if "\\n" not in prompt and '\\"' not in prompt:
        return [prompt]
    return [prompt, prompt.replace("\\n", "\n").replace('\\"', '"')]


def _key(gold: Any, case: Case, order: Sequence[int] | None) -> tuple[bool | None, bool]:
    """Say whether a log's key is the case's (None where nobody can tell), and whether it cannot be.

    A text that is none of the options, and a text where a number is the key, may be a key that is
    written in another way: that is strange, and no contradiction by itself.
    """
    if isinstance(gold, list | tuple):
        gold = gold[0] if len(gold) == 1 else None
    if gold is None or case.gold is None or (isinstance(gold, str) and not gold.strip()):
        return None, False
    if not case.view.options:
        number = as_number(gold)
        if isinstance(case.gold, str):
            same = plain(str(gold)) == plain(case.gold)
            return (True if same else None), not same
        return (None, True) if number is None else (number == float(case.gold), False)
    right = case.gold_position()
    texts = [case.view.options[p].text for p in order or range(len(case.view.options))]
    where = None if right is None else (list(order).index(right) if order else right)
    places = places_of(gold, texts)
    return (where in places, False) if places else (None, True)


def places_of(value: Any, texts: Sequence[str]) -> set[int]:
    """Return the places that a key can mean: by letter, by number from 0, by text."""
    places: set[int] = set()
    for read in (by_letter, by_index):
        try:
            place = read(value, texts)
        except RowError:
            continue
        if place is not None:
            places.add(place)
    said = plain(str(value))
    places |= {place for place, text in enumerate(texts) if plain(text) == said}
    if not places and isinstance(value, str):
        bare = re.match(r"\s*\(?([A-Z])[).:]\s*(.+)$", value, re.DOTALL)
        if (
            bare
            and ord(bare[1]) - 65 < len(texts)
            and plain(texts[ord(bare[1]) - 65]) == plain(bare[2])
        ):
            places.add(ord(bare[1]) - 65)
    return places
