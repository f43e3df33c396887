"""Requests to an answerer, its replies as they came, and answers read from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, runtime_checkable

from vidence.prompt import Prompt
from vidence.registry import Registry
from vidence.view import View

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache

ReplyStatus = Literal["ok", "filtered", "absent", "failed"]
"""ok: the model replied. filtered: the service refused this content. absent: the maker has
nothing for this source (no transcript file). failed: an attempt, to be made again."""

MEDIA = "media: "
"""Beginning of the error of a failed reply whose video is at fault, not the service."""
TOO_LONG = "too long: "
"""Beginning of the error of a filtered reply to a prompt that the model's context does not hold;
it is counted apart and never sent again unchanged."""

AnswerStatus = Literal[
    "ok",
    "no_answer",
    "unparsed",
    "ambiguous",
    "off_list",
    "refused",
    "filtered",
    "failed",
    "skipped",
]
STATUSES: tuple[AnswerStatus, ...] = get_args(AnswerStatus)
"""What became of a question.

ok: one option, or a value. no_answer: empty, or cut off before an answer. unparsed: words without
a readable answer. ambiguous: several options as equals, or tied scores. off_list: a letter or
number beyond the options. refused: the model declines. filtered: the service declines. failed:
no reply came. skipped: the check does not apply, nothing was asked.
"""

MISSING: frozenset[str] = frozenset({"no_answer", "unparsed", "ambiguous", "filtered", "failed"})
"""Statuses under which the model's choice is unknown: bounds count them once as wrong and once as
right. off_list and refused are known not to be the key; skipped was never asked."""


@dataclass(frozen=True)
class Request:
    """One question to an answerer.

    Args:
        prompt: what is sent.
        seed: named by (run, case, check, repeat, answerer), in [0, 2**63).
        draw: which repeat; in the call's key.
    """

    prompt: Prompt
    seed: int
    draw: int = 0


@dataclass(frozen=True)
class Reply:
    """What came back, kept for ever.

    Args:
        text: the words.
        finish_reason: the service's own word (`"stop"`, `"length"`), or None.
        scores: one number an option in the order shown, from answerers that score options.
        usage: tokens and other counts.
        status: see `ReplyStatus`.
        error: what went wrong, for people.
        notes: facts about what was shown ("9 of 16 frames").
    """

    text: str = ""
    finish_reason: str | None = None
    scores: tuple[float, ...] | None = None
    usage: Mapping[str, float] = field(default_factory=dict)
    status: ReplyStatus = "ok"
    error: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a reply says.

    Args:
        status: see `AnswerStatus`.
        value: an option's key, a number or a text; None unless status is ok.
        reason: why the status is what it is, in words.
    """

    status: AnswerStatus
    value: int | float | str | None = None
    reason: str = ""


@runtime_checkable
class Answerer(Protocol):
    """Whoever answers: a model behind a server, a local model, an encoder, a recorded log.

    Attributes:
        name: unique in a panel.
        panel: which checks ask it: `"model"` or `"encoder"`.
        identity: everything that can change its replies (model, revision, decoding parameters),
            JSON-able; it is part of every call's key.
        batch: most requests in one `ask`.
        concurrency: most `ask` calls at a time.
    """

    name: str
    panel: str
    identity: Mapping[str, Any]
    batch: int
    concurrency: int

    def prepare(self, view: View) -> Prompt:
        """Return the prompt for a view; pure, decodes nothing."""
        ...

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return one reply a request, in order.

        A request that fails gets a Reply with status `failed`; only a service that cannot be
        used at all raises (`UnreachableError`, `RejectedError`). Called from several threads.
        """
        ...


ANSWERERS: Registry[Callable[..., Answerer]] = Registry(
    "answerer", packages=("vidence.answerers", "vidence.worlds"), group="vidence.answerers"
)
"""Factories by kind: `ANSWERERS["openai"](name="qwen", model="...")`, keyword arguments only."""
answerer = ANSWERERS.register
"""Decorator for a factory (a class or function) called as `factory(*, name, **settings)`."""
