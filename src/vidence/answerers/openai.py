"""Any model behind an OpenAI-compatible server: vLLM, SGLang, Ollama, llama.cpp, clouds."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, Any
from weakref import finalize

from vidence.answer import Reply, Request, answerer
from vidence.answerers.openai_errors import Sent, reply_of_error
from vidence.errors import PanelError
from vidence.media.clip import Clip, Codec, Sound
from vidence.media.errors import NoSoundError
from vidence.prompt import Prompt, render
from vidence.view import View

if TYPE_CHECKING:
    from openai import OpenAI

    from vidence.media.pixels import FrameCache

Content = str | list[dict[str, Any]]
_OMITTABLE = ("temperature", "top_p", "max_tokens", "seed")


class OpenAIAnswerer:
    """Ask a model over /v1/chat/completions, the frames as base64 images.

    Retries of 429 and 5xx, with Retry-After, are the SDK's. A prompt too long for the model is
    refused by the service, never cut here; `max_images` sends fewer frames and says so in the
    reply's notes.

    Args:
        name: unique in the panel.
        model: the service's name for it.
        base_url: of the service, ending in /v1; OpenAI's by default.
        api_key_env: environment variable that holds the key; local servers need none.
        revision: of the weights, part of the identity; the service does not tell it.
        temperature: 0 for greedy decoding.
        top_p: sent if given.
        max_tokens: of the reply; thinking counts.
        omit: of temperature, top_p, max_tokens and seed, those that the service does not take.
        system: a system message, sent if given.
        size: longest side of the frames in pixels.
        quality: of their JPEG, 1 to 100.
        detail: `low`, `high` or `auto`, sent if given.
        max_images: most frames sent; more are thinned evenly, in the order shown.
        extra: other fields of the request's body.
        timeout: seconds to wait for a reply.
        max_retries: of the SDK, for one request.
        concurrency: most requests at a time.
    """

    panel = "model"
    batch = 1

    def __init__(
        self,
        *,
        name: str,
        model: str,
        base_url: str = "",
        api_key_env: str = "",
        revision: str = "",
        temperature: float = 0.0,
        top_p: float | None = None,
        max_tokens: int = 1024,
        omit: Sequence[str] = (),
        system: str = "",
        size: int = 448,
        quality: int = 90,
        detail: str = "",
        max_images: int | None = None,
        extra: dict[str, Any] | None = None,
        timeout: float = 180.0,
        max_retries: int = 3,
        concurrency: int = 8,
    ) -> None:
        for value in omit:
            if value not in _OMITTABLE:
                raise PanelError(
                    f"omit = {value!r} came for {name!r}; {', '.join(_OMITTABLE)} are allowed."
                )
        for setting, number in {
            "max_tokens": max_tokens,
            "size": size,
            "concurrency": concurrency,
            "max_images": 1 if max_images is None else max_images,
        }.items():
            if number < 1:
                raise PanelError(f"{setting} = {number} came for {name!r}; at least 1 is needed.")
        for setting, real, low, high in (
            ("temperature", temperature, 0.0, 100.0),
            ("top_p", 1.0 if top_p is None else top_p, 0.0, 1.0),
            ("quality", quality, 1, 100),
            ("timeout", timeout, 0.001, 86_400.0),
            ("max_retries", max_retries, 0, 100),
        ):
            if not low <= real <= high:
                raise PanelError(
                    f"{setting} = {real} came for {name!r}; {low:g} to {high:g} is allowed."
                )
        if not model.strip():
            raise PanelError(f"The model of {name!r} is empty. Give the service's name for it.")
        if base_url and not base_url.startswith(("http://", "https://")):
            raise PanelError(
                f"base_url = {base_url!r} came for {name!r}; it begins with http:// or https:// "
                "and ends in /v1."
            )
        if kept := {"model", "messages", "stream", "n"} & set(extra or {}):
            raise PanelError(f"extra of {name!r} sets {min(kept)!r}, which Vidence sets. Leave it.")
        self.name, self.model, self.concurrency = name, model, concurrency
        self._address, self._key = base_url, _key_of(name, api_key_env, base_url)
        self._timeout, self._retries = timeout, max_retries
        self._size, self._codec = size, Codec("jpeg", quality)
        self._detail, self._max_images, self._system = detail, max_images, system
        chosen = {"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens}
        self._decoding = {k: v for k, v in chosen.items() if v is not None and k not in omit}
        self._send_seed = "seed" not in omit
        self._extra = dict(extra or {})
        self.identity: Mapping[str, Any] = {
            "kind": "openai",
            "model": model,
            "revision": revision,
            **self._decoding,
            "seed": self._send_seed,
            "system": system,
            "size": size,
            "quality": quality,
            "detail": detail,
            "max_images": max_images,
            "extra": self._extra,
        }

    def prepare(self, view: View) -> Prompt:
        """Return the prompt at this model's frame size and quality."""
        return render(view.map_clips(lambda clip: clip.bind(codec=self._codec)), size=self._size)

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return one reply a request.

        Raises:
            UnreachableError: nothing listens at the address.
            RejectedError: key, model or number of images is refused.
        """
        return [self._one(request, media) for request in requests]

    def _one(self, request: Request, media: FrameCache) -> Reply:
        from openai import OpenAIError

        try:
            content, sent = self._content(request.prompt, media)
        except NoSoundError as error:
            return Reply(status="absent", error=str(error))
        messages: list[Any] = [{"role": "user", "content": content}]
        if self._system:
            messages.insert(0, {"role": "system", "content": self._system})
        options: dict[str, Any] = dict(self._decoding)
        if self._send_seed:
            options["seed"] = request.seed & 0x7FFFFFFF  # several servers take 32 bits
        try:
            completion = self._client.chat.completions.create(
                model=self.model, messages=messages, extra_body=self._extra or None, **options
            )
        except (OpenAIError, ValueError) as error:  # ValueError: a body that is not JSON
            return reply_of_error(error, self, sent, self._secret)
        return _reply(completion, sent)

    @property
    def address(self) -> str:
        """Return where requests go, for messages."""
        return self._address or "https://api.openai.com/v1"

    @property
    def timeout(self) -> float:
        """Return the seconds that a reply may take."""
        return self._timeout

    @property
    def _secret(self) -> str:
        return self._key if self._key != _NO_KEY else ""

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI

        client = OpenAI(
            api_key=self._key,
            base_url=self._address or None,
            timeout=self._timeout,
            max_retries=self._retries,
        )
        finalize(self, client.close)  # the client is a cycle and would leave its sockets open
        return client

    def _content(
        self, prompt: Prompt, media: FrameCache
    ) -> tuple[str | list[dict[str, Any]], Sent]:
        """Return the parts of the message, and what they amount to."""
        encoded = {clip: media.encoded(clip) for clip in prompt.clips()}
        total = sum(len(encoded[clip].images) for clip in prompt.clips())
        kept = _kept(total, self._max_images)
        notes = list(dict.fromkeys(note for e in encoded.values() for note in e.notes))
        if len(kept) < total:
            notes.append(f"{len(kept)} of {total} frames sent (max_images)")
        parts: list[dict[str, Any]] = []
        seen = size = 0
        seconds: list[float] = []
        for piece in prompt.pieces:
            if isinstance(piece, str):
                parts.append({"type": "text", "text": piece})
            elif isinstance(piece, Clip):
                frames = encoded[piece]
                for image, at in zip(frames.images, frames.times, strict=True):
                    if seen in kept:
                        url = f"data:{frames.mime};base64,{b64encode(image).decode('ascii')}"
                        size += len(url)
                        seconds.append(at)
                        parts.append({"type": "image_url", "image_url": self._image(url)})
                    seen += 1
            else:
                data = b64encode(_wav(piece)).decode("ascii")
                size += len(data)
                sound = {"data": data, "format": "wav"}
                parts.append({"type": "input_audio", "input_audio": sound})
        if len(parts) == 1 and parts[0]["type"] == "text":
            # Servers of text-only models take a plain string alone.
            return str(parts[0]["text"]), Sent(0, 0, 0.0, tuple(notes))
        span = max(seconds) - min(seconds) if seconds else 0.0
        return parts, Sent(len(kept), size, span, tuple(notes))

    def _image(self, url: str) -> dict[str, str]:
        return {"url": url, "detail": self._detail} if self._detail else {"url": url}


_NO_KEY = "none"


def _key_of(name: str, variable: str, base_url: str) -> str:
    if variable:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):  # a key itself is not repeated
            raise PanelError(
                f"api_key_env of {name!r} is no name of an environment variable. Put the key in a "
                "variable and write its name."
            )
        key = os.environ.get(variable, "")
        if not key:
            raise PanelError(
                f"{name!r} takes its key from the environment variable {variable}, which is not "
                f"set. Set it: export {variable}=..."
            )
        return key
    if base_url:
        return _NO_KEY  # local servers want a key and accept any
    key = os.environ.get("OPENAI_API_KEY", "")
    if not key:
        raise PanelError(
            f"{name!r} has neither base_url nor api_key_env, and OPENAI_API_KEY is not set. "
            "Give the address of a server, or set the key."
        )
    return key


def _kept(total: int, most: int | None) -> set[int]:
    """Return which of `total` frames are sent: the middles of `most` equal parts."""
    if most is None or total <= most:
        return set(range(total))
    return {int((i + 0.5) * total / most) for i in range(most)}


def _wav(sound: Sound) -> bytes:
    from vidence.media.audio import extract, write_wav

    out = BytesIO()
    write_wav(out, extract(sound))
    return out.getvalue()


def _reply(completion: Any, sent: Sent) -> Reply:
    choices = getattr(completion, "choices", None)
    if not choices:
        said = getattr(completion, "error", None) or str(completion)
        return Reply(status="failed", error=f"the reply is no chat completion: {str(said)[:200]}")
    choice = choices[0]
    message = choice.message
    text = message.content or getattr(message, "refusal", None) or ""
    notes = list(sent.notes)
    reasoning = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
    if reasoning:
        notes.append(f"{len(str(reasoning))} characters of reasoning apart")
    if choice.finish_reason == "content_filter":
        return Reply(
            text=text,
            finish_reason=choice.finish_reason,
            usage=_usage(completion),
            status="filtered",
            error="the service filtered its own reply",
            notes=tuple(notes),
        )
    return Reply(
        text=text,
        finish_reason=choice.finish_reason,
        usage={**_usage(completion), "frames": sent.frames},
        notes=tuple(notes),
    )


def _usage(completion: Any) -> dict[str, float]:
    usage = getattr(completion, "usage", None)
    if usage is None:
        return {}
    numbers: dict[str, float] = {}
    for key, value in usage.model_dump().items():
        if isinstance(value, int | float):
            numbers[key] = value
        elif isinstance(value, dict):
            numbers.update({k: v for k, v in value.items() if isinstance(v, int | float) and v})
    return numbers


answerer("openai")(OpenAIAnswerer)
