"""General knowledge: questions that need no video at all.

A fact is common knowledge, not the truth of any generated case: whoever knows it can answer, and
each reader has its own gaps.
"""

from __future__ import annotations

from dataclasses import dataclass

_HUES = ("red", "orange", "yellow", "green", "blue", "white", "black", "brown")
_NUMBERS = ("2", "3", "4", "5", "6", "7", "8", "10", "12")
_YOUNG = ("puppy", "foal", "calf", "lamb", "chick")
_PLANETS = ("Mercury", "Venus", "Mars", "Saturn", "Neptune")
_BEASTS = ("dragon", "lion", "eagle", "horse", "tiger")
_CITIES = ("Paris", "Rome", "Madrid", "Cairo", "Tokyo", "Lima", "Oslo", "Vienna", "Canberra")


@dataclass(frozen=True)
class Fact:
    """Something to know.

    Args:
        topic: the words by which it is recognised in a question.
        question: a sentence that holds the topic.
        answer: the right answer.
        others: wrong answers to choose from.
        obscure: few know it.
    """

    topic: str
    question: str
    answer: str
    others: tuple[str, ...]
    obscure: bool = False


def _fact(
    topic: str, question: str, answer: str, pool: tuple[str, ...], *, obscure: bool = False
) -> Fact:
    others = tuple(word for word in pool if word != answer)
    return Fact(topic, question.format(topic), answer, others, obscure)


_SHOWN = "A {} is shown in the first scene. What colour is it?"
_COUNT = "The presenter talks about {}. What is the right number?"
_TOWN = "The second scene was filmed in {}. Which city is that?"
_HEAD = "After the break, {} is mentioned. Which answer fits?"

FACTS: tuple[Fact, ...] = (
    _fact("ripe banana", _SHOWN, "yellow", _HUES),
    _fact("stop sign", _SHOWN, "red", _HUES),
    _fact("snowman", _SHOWN, "white", _HUES),
    _fact("ripe carrot", _SHOWN, "orange", _HUES),
    _fact("lawn in spring", _SHOWN, "green", _HUES),
    _fact("cloudless noon sky", _SHOWN, "blue", _HUES),
    _fact("raven", _SHOWN, "black", _HUES),
    _fact("bar of milk chocolate", _SHOWN, "brown", _HUES),
    _fact("piece of coal", _SHOWN, "black", _HUES),
    _fact("ripe tomato", _SHOWN, "red", _HUES),
    _fact("the legs of a spider", _COUNT, "8", _NUMBERS),
    _fact("the legs of an insect", _COUNT, "6", _NUMBERS),
    _fact("the wheels of a bicycle", _COUNT, "2", _NUMBERS),
    _fact("the corners of a triangle", _COUNT, "3", _NUMBERS),
    _fact("the months of a year", _COUNT, "12", _NUMBERS),
    _fact("the days of a week", _COUNT, "7", _NUMBERS),
    _fact("the fingers of two hands", _COUNT, "10", _NUMBERS),
    _fact("the legs of a horse", _COUNT, "4", _NUMBERS),
    _fact("the capital of France", _TOWN, "Paris", _CITIES),
    _fact("the capital of Italy", _TOWN, "Rome", _CITIES),
    _fact("the capital of Spain", _TOWN, "Madrid", _CITIES),
    _fact("the capital of Japan", _TOWN, "Tokyo", _CITIES),
    _fact("the capital of Egypt", _TOWN, "Cairo", _CITIES),
    _fact("the capital of Austria", _TOWN, "Vienna", _CITIES),
    _fact("the young of a dog", _HEAD, "puppy", _YOUNG),
    _fact("the young of a horse", _HEAD, "foal", _YOUNG),
    _fact("the young of a sheep", _HEAD, "lamb", _YOUNG),
    _fact("the planet nearest to the sun", _HEAD, "Mercury", _PLANETS),
    _fact("frozen water", _HEAD, "ice", ("ice", "steam", "sand", "salt", "glass")),
    _fact("the beast on the flag of Bhutan", _HEAD, "dragon", _BEASTS, obscure=True),
    _fact("the capital of Australia", _TOWN, "Canberra", _CITIES, obscure=True),
    _fact("the capital of Norway", _TOWN, "Oslo", _CITIES, obscure=True),
    _fact("the hearts of an octopus", _COUNT, "3", _NUMBERS, obscure=True),
    _fact("the moons of Mars", _COUNT, "2", _NUMBERS, obscure=True),
    _fact("the chambers of a crocodile's heart", _COUNT, "4", _NUMBERS, obscure=True),
    _fact("polar bear's skin", _SHOWN, "black", _HUES, obscure=True),
)


def recall(question: str) -> Fact | None:
    """Return the fact that a question is about, or None."""
    low = question.lower()
    return next((fact for fact in FACTS if fact.topic.lower() in low), None)
