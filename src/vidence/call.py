"""A call: what was asked and what came back, under a key of its content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from vidence.answer import Reply, Request
from vidence.case_json import canonical, recipe_from_json, recipe_to_json
from vidence.prompt import Prompt
from vidence.seeds import digest
from vidence.view import Option, View

CallKind = Literal["answer", "rendering"]


def call_key(identity: Mapping[str, Any], request: Request) -> str:
    """Name a call by everything that can change its reply.

    The identity holds model, revision and decoding parameters; the prompt's key the resolved text
    and the recipes of all media; seed and draw keep repeats apart.
    """
    return digest(
        "call", canonical(dict(identity)), request.prompt.key(), request.seed, request.draw
    )


@dataclass(frozen=True)
class Call:
    """A request with its final reply.

    Args:
        key: see `call_key`.
        kind: `answer` to a question, or `rendering` of a clip or a sound as text.
        answerer: its name in the panel.
        request: what was sent.
        reply: what came, never `failed`.
        shown: keys of the options in the order shown, to read the reply again later.
        renderings: an answer's: keys of the renderings whose text it shows; a rendering's: its own.
        seconds: how long the answerer took.
    """

    key: str
    kind: CallKind
    answerer: str
    request: Request
    reply: Reply
    shown: tuple[int, ...] = ()
    renderings: tuple[str, ...] = ()
    seconds: float = 0.0

    def view(self) -> View:
        """Return question and options as they were shown, for `vidence.parse`; no parts."""
        prompt = self.request.prompt
        options = tuple(Option(k, t) for k, t in zip(self.shown, prompt.options, strict=True))
        return View(prompt.question, options)


def prompt_to_json(prompt: Prompt) -> dict[str, Any]:
    """Return a prompt with the recipes of its media."""
    return {
        "pieces": [p if isinstance(p, str) else recipe_to_json(p) for p in prompt.pieces],
        "question": prompt.question,
        "options": list(prompt.options),
    }


def prompt_from_json(data: Mapping[str, Any]) -> Prompt:
    """Rebuild a prompt."""
    return Prompt(
        pieces=tuple(recipe_from_json(piece) for piece in data["pieces"]),
        question=data["question"],
        options=tuple(data["options"]),
    )


def reply_to_json(reply: Reply) -> dict[str, Any]:
    """Return a reply without its empty fields."""
    body = {
        "text": reply.text,
        "finish_reason": reply.finish_reason,
        "scores": None if reply.scores is None else list(reply.scores),
        "usage": dict(reply.usage),
        "status": reply.status,
        "error": reply.error,
        "notes": list(reply.notes),
    }
    return {key: value for key, value in body.items() if value not in ("", None, {}, [])}


def reply_from_json(data: Mapping[str, Any]) -> Reply:
    """Rebuild a reply."""
    body = dict(data)
    body["notes"] = tuple(body.get("notes", ()))
    if body.get("scores") is not None:
        body["scores"] = tuple(body["scores"])
    return Reply(**body)
