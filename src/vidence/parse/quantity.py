"""Which numbers of a reply a question can mean: by its unit, or by the noun that it counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from vidence.parse.numerals import Numeral
from vidence.parse.units import unit_asked

_HOW_MANY = re.compile(
    r"how many\s(?P<noun>[\w()'-]{1,30}(?:\s[\w()'-]{1,30}){0,5}?)"
    r"(?=\s(?:are|is|were|was|do|does|did|has|have|had|can|could|will|would|in|on|of|appear\w*)(?!\w)|\?|$)",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"[\s-](?:(?:sampled|video|key|still|given)\s)?(?:frames?|images?|pictures?|views?|clips?"
    r"|videos?|fps|seconds?|minutes?)(?!\w)",
    re.IGNORECASE,
)
_NEXT_WORD = re.compile(r"[\s-]([A-Za-z]{2,30})")
_NOT_A_NOUN = re.compile(
    r"(?:and|or|in|by|at|for|from|long|wide|tall|high|deep|across|away|apart|between|total|overall"
    r"|but|which|as|on|per|with|to|the|of|is|are|was|were|it|this|that|they|there|if|when|so"
    r"|because|since|given|based|using|while|where|each|not|though|although|however)",
    re.IGNORECASE,
)
_THERE_IS = re.compile(r"there(?:'s|\sis|\swas)\s(?:only\s|just\s|exactly\s)?\Z", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[.,;:!?()\n\d=+]|\s(?:and|or|with|but|plus)\s")
_NEAR = 60


def fitting(found: Sequence[Numeral], question: str) -> list[Numeral]:
    """Return the numbers in the unit that is asked for, without those of another kind.

    A length is not read as an area; "350 cm" is 3.5 where meters are asked for. A percentage is
    left out where the question asks for none and other numbers are there.
    """
    asked = unit_asked(question)
    kept: list[Numeral] = []
    for n in found:
        if asked is None or n.unit is None:
            kept.append(n)
        elif n.unit.kind == asked.kind:
            factor = n.unit.factor / asked.factor
            if factor == 1:
                kept.append(n)
            else:
                # Twelve digits: no trace of the binary factors of a hundredth.
                kept.append(replace(n, value=float(f"{n.value * factor:.12g}"), converted=True))
    if re.search(r"%|per ?cent|share|proportion|fraction|probab", question, re.IGNORECASE):
        return kept
    plain = [n for n in kept if n.unit is None or n.unit.kind != "share"]
    return plain or kept


def meant(words: str, found: Sequence[Numeral], question: str) -> list[Numeral]:
    """Return the numbers that the question can mean, for a reply that announces none.

    Those with the unit that is asked for, or with the noun that is counted, where there are any;
    otherwise those that count nothing else ("16 frames").
    """
    free = [n for n in found if n.role not in ("label", "denied", "ordinal")]
    if unit_asked(question) is not None:
        with_unit = [n for n in free if n.unit is not None]
        return with_unit or [n for n in free if not n.one and not _counts_a_thing(words, n)]
    stems = _counted(question)
    with_noun = [n for n in free if stems and _before_noun(words, n, stems)]
    if with_noun:
        return with_noun
    return [
        n
        for n in free
        if not _CONTEXT.match(words, n.end)
        and (not n.one or _THERE_IS.search(words, max(0, n.start - _NEAR), n.start))
    ]


def _counts_a_thing(words: str, n: Numeral) -> bool:
    following = _NEXT_WORD.match(words, n.end)
    return following is not None and not _NOT_A_NOUN.fullmatch(following[1])


def _counted(question: str) -> frozenset[str]:
    """Return the words of the noun that a question counts, in the singular."""
    found = _HOW_MANY.search(question)
    nouns = re.findall(r"[a-z]{3,}", found["noun"].lower().replace("(s)", "")) if found else []
    return frozenset(_stem(word) for word in nouns[-2:] if word not in ("different", "types"))


def _before_noun(words: str, n: Numeral, stems: frozenset[str]) -> bool:
    clause = _CLAUSE_END.split(words[n.end : n.end + _NEAR].lower(), maxsplit=1)[0]
    return any(_stem(word) in stems for word in re.findall(r"[a-z]{3,}", clause)[:3])


def _stem(word: str) -> str:
    for end, new in (
        ("ies", "y"),
        ("shelves", "shelf"),
        ("ves", "f"),
        ("ches", "ch"),
        ("xes", "x"),
    ):
        if word.endswith(end):
            return word[: -len(end)] + new
    return word.removesuffix("s")
