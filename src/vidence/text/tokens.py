"""Words of a text, the same for priors, BM25 and whoever counts words."""

from __future__ import annotations

import re
import unicodedata

# Chinese and Japanese are written without spaces: each character stands for a word.
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"\d+(?:[.,:]\d+)*|[{_ALONE}]|[^\W\d_{_ALONE}]+(?:['\u2019][^\W\d_{_ALONE}]+)*")
_COUNTS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_NUMBERS = {name: float(value) for value, name in enumerate(_COUNTS)}


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order: letters or digits, folded, without punctuation.

    Text is folded by NFKC and case. `don't` and `3.5` are one word each, `well-known` is two; a
    Chinese or Japanese character is a word of its own.
    """
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def plain(text: str) -> str:
    """Return what makes two option texts the same: their words, or the bare text without any."""
    return " ".join(words(text)) or " ".join(text.split())


def number_in(text: str) -> float | None:
    """Return the number that a text states, None where it states none or several.

    Figures with thousands separators and the English words from zero to twelve are read; a time
    such as `1:20` is no number.
    """
    found = [word for word in words(text) if word[0].isdigit() or word in _NUMBERS]
    if len(found) != 1:
        return None
    (word,) = found
    if word in _NUMBERS:
        return _NUMBERS[word]
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", word):
        word = word.replace(",", "")
    try:
        value = float(word)
    except ValueError:
        return None
    return -value if re.search(rf"(?:^|\s)[-\u2212]{re.escape(found[0])}", text) else value
