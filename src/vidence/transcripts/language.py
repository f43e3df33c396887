"""A guess at the language of a text, for a note: nothing is left out because of it."""

from __future__ import annotations

import re
from collections import Counter

_FREQUENT = {
    "en": "the and is it to of you that this what are for was have with not",
    "es": "el los las que es una por con para como pero más está esto porque del",
    "fr": "le les des est une que pour dans pas avec vous nous c'est mais sur qui",
    "de": "der die das und ist nicht ich ein eine zu den mit sie es auf wir",
    "pt": "o os uma que não é para com você isso mas está por em do da",
    "it": "il di che è non una per sono con questo più ma della gli come anche",
    "nl": "de het een en is niet van ik dat je voor met op zijn wat maar",
    "id": "yang dan di ini itu saya untuk dengan tidak ada kita akan dari ke kamu juga",
    "sv": "och att det som är en på för inte jag med av den har till om",
    "no": "og det er en på for ikke jeg med av den har til som så vi",
    "tr": "bir ve bu için çok ama ne var ben daha gibi değil mi olarak da de",
    "pl": "i w nie na to jest się z że co jak do tak ale po za",
    "vi": "và là của có không cho một được người với những các này tôi đã thì",
}
_BY_WORD: dict[str, list[str]] = {}
for _name, _words in _FREQUENT.items():
    for _word in _words.split():
        _BY_WORD.setdefault(_word, []).append(_name)
_SCRIPTS = {
    "ja": "\u3040-\u30ff",
    "ko": "\uac00-\ud7a3",
    "zh": "\u4e00-\u9fff",
    "ru": "\u0400-\u04ff",
    "el": "\u0370-\u03ff",
    "ar": "\u0600-\u06ff",
    "he": "\u0590-\u05ff",
    "hi": "\u0900-\u097f",
    "th": "\u0e00-\u0e7f",
}
LEAST, LEAST_DIFFERENT = 8, 4
"""Frequent words that a guess rests on, and how many different ones; or signs of a script."""


def language(text: str) -> str:
    """Return a code of two letters, empty where the text is too short or mixed to tell.

    Scripts that one language mostly uses stand for it (Cyrillic for `ru`); languages in Latin
    letters are told by their most frequent words, where one has twice as many as the next.
    """
    letters = sum(char.isalpha() for char in text)
    for name, signs in _SCRIPTS.items():
        count = len(re.findall(f"[{signs}]", text))
        if count >= LEAST and count > letters * (0.2 if name == "ja" else 0.5):
            return name
    hits: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for word, count in Counter(re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text.casefold())).items():
        for name in _BY_WORD.get(word, ()):
            hits[name] += count
            different[name] += 1
    best = hits.most_common(2)
    if not best or best[0][1] < LEAST or different[best[0][0]] < LEAST_DIFFERENT:
        return ""
    return best[0][0] if len(best) == 1 or best[0][1] >= 2 * best[1][1] else ""
