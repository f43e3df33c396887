"""Answerers without a model: a function, replies at hand, replies of an earlier run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.answer import Reply, Request, answerer
from vidence.call import reply_from_json
from vidence.errors import PanelError
from vidence.prompt import Prompt, render
from vidence.seeds import digest
from vidence.view import View

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache


class FunctionAnswerer:
    """Answer by calling a function; for examples, tests and quick ideas.

    Args:
        name: unique in a panel.
        function: gets the request and returns the reply, or its text. It is called from several
            threads.
        version: part of the identity; change it when the function changes its replies.
        panel: `model` or `encoder`.
        size: longest side of the frames in pixels, None for the source's.
        batch: most requests in one `ask`.
        concurrency: most calls of `ask` at a time.
    """

    def __init__(
        self,
        name: str,
        function: Callable[[Request], str | Reply],
        *,
        version: str = "1",
        panel: str = "model",
        size: int | None = None,
        batch: int = 1,
        concurrency: int = 4,
    ) -> None:
        self.name, self.panel, self.batch, self.concurrency = name, panel, batch, concurrency
        self._function, self._size = function, size
        self.identity: Mapping[str, Any] = {
            "kind": "function",
            "function": getattr(function, "__qualname__", type(function).__name__),
            "version": version,
            "size": size,
        }

    def prepare(self, view: View) -> Prompt:
        """Return the prompt for a view."""
        return render(view, size=self._size)

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return what the function says to each request."""
        return [_reply(self._function(request)) for request in requests]


class RecordedAnswerer:
    """Answer with replies that are at hand.

    A reply is looked up by the prompt's key and the draw, then by the prompt's key, then by the
    question. A prompt without a reply fails, and is asked again when more replies are at hand.

    Args:
        name: unique in a panel.
        replies: a prompt's key, or a question -> a reply, or its text.
        path: a JSONL file of the same: `{"prompt": KEY, "draw": 0, "text": "B"}` or
            `{"question": "...", "text": "B"}`, with the other fields of a reply as wanted.
        run: a run folder whose replies are given again.
        answerer: whose replies in that run; by default those of the same name.
        panel: `model` or `encoder`.
        size: longest side of the frames, in pixels; it is part of the prompt's key.
        concurrency: most calls of `ask` at a time.
    """

    batch = 64

    def __init__(
        self,
        *,
        name: str,
        replies: Mapping[str, str | Reply] | None = None,
        path: Path | None = None,
        run: Path | None = None,
        answerer: str | None = None,
        panel: str = "model",
        size: int | None = None,
        concurrency: int = 1,
    ) -> None:
        if (replies is None) + (path is None) + (run is None) != 2:
            raise PanelError(f"{name!r} needs one of replies, path and run. Give one.")
        self.name, self.panel, self.concurrency, self._size = name, panel, concurrency, size
        if run is not None:
            self._replies = _of_run(run, answerer or name)
        elif path is not None:
            self._replies = _of_file(path)
        else:
            self._replies = {
                key: Reply(text=r) if isinstance(r, str) else r
                for key, r in (replies or {}).items()
            }
        self.identity: Mapping[str, Any] = {
            "kind": "recorded",
            "source": str(path or run or "replies"),
            "size": size,
        }

    def prepare(self, view: View) -> Prompt:
        """Return the prompt for a view."""
        return render(view, size=self._size)

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return the reply at hand for each request."""
        return [self._one(request) for request in requests]

    def _one(self, request: Request) -> Reply:
        key = request.prompt.key()
        for name in (_drawn(key, request.draw), key, request.prompt.question):
            if name in self._replies:
                return self._replies[name]
        return Reply(
            status="failed",
            error=f"no recorded reply to prompt {key} ({request.prompt.question[:60]!r})",
        )


def _reply(said: str | Reply) -> Reply:
    return Reply(text=said) if isinstance(said, str) else said


def _drawn(key: str, draw: int) -> str:
    return digest("drawn", key, draw)


def _of_run(folder: Path, name: str) -> dict[str, Reply]:
    from vidence.store import Store

    with Store.open(folder, read_only=True) as store:
        calls = [call for call in store.calls() if call.answerer == name]
        names = sorted({call.answerer for call in store.calls()})
    if not calls:
        raise PanelError(
            f"The run {folder} holds no reply of {name!r}; it has {', '.join(names) or 'none'}. "
            "Name one of these as answerer."
        )
    replies: dict[str, Reply] = {}
    for call in calls:
        key = call.request.prompt.key()
        replies[_drawn(key, call.request.draw)] = call.reply
        replies.setdefault(key, call.reply)
    return replies


def _of_file(path: Path) -> dict[str, Reply]:
    replies: dict[str, Reply] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise PanelError(f"{path} cannot be read: {error.strerror}. Give a JSONL file.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            prompt, question = row.pop("prompt", None), row.pop("question", None)
            draw = row.pop("draw", None)
            reply = reply_from_json(row)
        except (ValueError, TypeError, AttributeError) as error:
            raise PanelError(
                f"{path.name}, line {number} is no reply: {error}. Write an object with prompt or "
                "question, and text."
            ) from None
        if not isinstance(prompt or question, str):
            raise PanelError(f"{path.name}, line {number} has neither prompt nor question.")
        key = prompt or question
        replies[key if draw is None else _drawn(key, draw)] = reply
    return replies


answerer("recorded")(RecordedAnswerer)
