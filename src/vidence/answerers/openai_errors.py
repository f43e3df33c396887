"""What an OpenAI-compatible service means by its errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol

from vidence.answer import TOO_LONG, Reply
from vidence.errors import RejectedError, UnreachableError

_LONG = re.compile(
    r"context.{0,20}(length|window|size|limit)|maximum (model|context|sequence) len|max_model_len"
    r"|longer than the (maximum|context)|too many (input |prompt )?tokens|prompt is too long"
    r"|input is too long|exceeds? .{0,40}(context|tokens)|tokens? .{0,40}exceeds?",
    re.IGNORECASE,
)
_IMAGES = re.compile(
    r"(at most|maximum of|max(imum)?|up to|limit of|only|more than) \W?(?P<n>\d+|one)\W? "
    r"(image|multimodal|multi-modal|picture|frame)"
    r"|too many images|number of images|images? .{0,40}(limit|maximum|at most)",
    re.IGNORECASE,
)
_BODY = re.compile(r"(body|payload|entity|request|content).{0,20}too large|413", re.IGNORECASE)
_FILTERS = frozenset({"content_filter", "content_policy_violation", "moderation", "safety"})
_FILTER_WORDS = re.compile(
    r"content[_ ](filter|management policy|policy)|flagged (by|as|for)|safety system|moderation",
    re.IGNORECASE,
)


class Asking(Protocol):
    """What a message says of the answerer that asked.

    Attributes:
        name: in the panel.
        model: asked for.
        address: of the service.
        timeout: seconds.
    """

    name: str
    model: str

    @property
    def timeout(self) -> float:
        """Return how long a reply is waited for."""
        ...

    @property
    def address(self) -> str:
        """Return where the service is."""
        ...


@dataclass(frozen=True)
class Sent:
    """What a request amounted to.

    Args:
        frames: images sent.
        size: characters of base64.
        seconds: from the first frame's time to the last one's.
        notes: facts about what was shown.
    """

    frames: int
    size: int
    seconds: float
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say it, for messages."""
        if not self.frames and not self.size:
            return "text only"
        frames = "1 frame" if self.frames == 1 else f"{self.frames} frames"
        return f"{frames} over {self.seconds:.1f} s, {self.size / 1e6:.2f} MB of base64"


def reply_of_error(error: Exception, answerer: Asking, sent: Sent, secret: str) -> Reply:
    """Return the reply that stands for an error of one request.

    Raises:
        UnreachableError: nothing listens at the address.
        RejectedError: key, model, quota or number of images is refused.
    """
    import openai

    said = _said(error, secret)
    if isinstance(error, openai.APITimeoutError):
        if _refused(error):
            raise UnreachableError(_nothing_there(answerer, error)) from None
        return _failed(f"no reply within {answerer.timeout:g} s", sent)
    if isinstance(error, openai.APIConnectionError):
        if _refused(error):
            raise UnreachableError(_nothing_there(answerer, error)) from None
        cause = error.__cause__
        return _failed(f"the connection broke ({type(cause).__name__}: {cause})", sent)
    if not isinstance(error, openai.APIStatusError):
        return _failed(f"the reply is no chat completion ({said})", sent)
    return _of_status(error, said, answerer, sent)


def _of_status(error: Any, said: str, answerer: Asking, sent: Sent) -> Reply:
    code = str(getattr(error, "code", "") or "")
    status = int(error.status_code)
    what = f"{status}: {said}"
    if code in _FILTERS or (status in (400, 403, 422) and _FILTER_WORDS.search(said)):
        return Reply(status="filtered", error=what, notes=sent.notes)
    if status in (400, 413, 422) and _IMAGES.search(said):
        raise RejectedError(
            f"{answerer.name!r} takes fewer images than were sent ({sent}); it says {what}. "
            f"Set max_images in [answerers.{answerer.name}], ask for fewer frames "
            "(intact:frames=8), or raise the server's limit."
        ) from None
    if code == "context_length_exceeded" or (status in (400, 413, 422) and _LONG.search(said)):
        return Reply(status="filtered", error=f"{TOO_LONG}{what} ({sent})", notes=sent.notes)
    if status == 413 or (status in (400, 404) and _BODY.search(said)):
        return _failed(f"the request is too large, {what}", sent)
    if status == 401:
        raise RejectedError(
            f"{answerer.address} refuses the key of {answerer.name!r} ({what}). "
            "Set api_key_env to the environment variable that holds the right one."
        ) from None
    if status in (403, 404):
        raise RejectedError(
            f"{answerer.address} refuses the model {answerer.model!r} of {answerer.name!r} "
            f"({what}; sent: {sent}). Correct model and base_url; a base_url ends in /v1."
        ) from None
    if code == "insufficient_quota":
        raise RejectedError(
            f"The account of {answerer.name!r} has no quota left ({what}). "
            "Raise it, then run the same command again."
        ) from None
    return _failed(what, sent)


def _failed(what: str, sent: Sent) -> Reply:
    return Reply(status="failed", error=f"{what} ({sent})", notes=sent.notes)


def _said(error: Exception, secret: str) -> str:
    """Return the service's own words, short, without the key."""
    body = getattr(error, "body", None)
    text = body.get("message") if isinstance(body, dict) else None
    words = " ".join(str(text or error).split())
    if secret:
        words = words.replace(secret, "***")
    return words if len(words) <= 400 else f"{words[:397]}..."


def _refused(error: BaseException) -> bool:
    """Say whether no connection was made at all, as against one that broke."""
    cause: BaseException | None = error
    while cause is not None:
        if type(cause).__name__ in ("ConnectError", "ConnectTimeout", "UnsupportedProtocol"):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _nothing_there(answerer: Asking, error: BaseException) -> str:
    cause = error.__cause__ or error
    return (
        f"Nothing answers at {answerer.address}, where {answerer.name!r} should be ({cause}). "
        "Start the server, or correct base_url in the panel file, then run the same command again."
    )
