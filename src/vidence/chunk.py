"""Requests on their way to one answerer, and when to stop sending any."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vidence.answer import MEDIA, TOO_LONG, Answerer, Reply, Request
from vidence.errors import AnswererError, MediaError, RejectedError, UnreachableError

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache

RENDERINGS = "renderings"
"""Purpose of a request for text that a check shows."""


@dataclass(frozen=True)
class Sending:
    """One request under its call's key.

    Args:
        key: of the call.
        request: what is sent.
        purpose: check label, or `RENDERINGS`; failures are counted for each.
        shown: keys of the options in the order shown.
        renderings: see `vidence.call.Call`.
    """

    key: str
    request: Request
    purpose: str
    shown: tuple[int, ...] = ()
    renderings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chunk:
    """What one `ask` of one answerer gets."""

    answerer: Answerer
    sendings: tuple[Sending, ...]

    @property
    def key(self) -> str:
        """Return the first call's key."""
        return self.sendings[0].key


def ask_chunk(chunk: Chunk, media: FrameCache) -> tuple[Reply, ...]:
    """Ask, and return one reply a sending, in order.

    Frames are decoded first, so that a video that cannot be read fails its own request alone.

    Raises:
        UnreachableError: the service is not there.
        RejectedError: the service refuses every request of this kind.
    """
    replies: dict[int, Reply] = {}
    for i, sending in enumerate(chunk.sendings):
        try:
            for clip in sending.request.prompt.clips():
                media.encoded(clip)
        except MediaError as error:
            replies[i] = _media_failure(error)
        except OSError as error:
            why = f"cannot be read ({error.strerror or error})"
            replies[i] = _media_failure(MediaError(clip.video.path, why))
    ready = [i for i in range(len(chunk.sendings)) if i not in replies]
    for i, reply in zip(ready, _ask(chunk, ready, media), strict=True):
        replies[i] = reply
    return tuple(replies[i] for i in range(len(chunk.sendings)))


def _ask(chunk: Chunk, ready: list[int], media: FrameCache) -> list[Reply]:
    if not ready:
        return []
    requests = [chunk.sendings[i].request for i in ready]
    try:
        replies = chunk.answerer.ask(requests, media)
    except AnswererError:
        raise
    except Exception as error:
        if len(ready) > 1:  # one bad request must not cost the others
            return [reply for i in ready for reply in _ask(chunk, [i], media)]
        if isinstance(error, MediaError):
            return [_media_failure(error)]
        return [Reply(status="failed", error=f"{type(error).__name__}: {error}")]
    if len(replies) != len(requests):
        raise RejectedError(
            f"{chunk.answerer.name!r} returned {len(replies)} replies to {len(requests)} requests. "
            "An answerer returns one reply a request, in order. Correct its ask()."
        )
    for reply in replies:
        if not isinstance(reply, Reply):
            raise RejectedError(
                f"{chunk.answerer.name!r} returned a {type(reply).__name__} where a Reply (of a "
                "function also a str) is needed. Correct it, then run the same command again."
            )
    return replies


def _media_failure(error: MediaError) -> Reply:
    return Reply(status="failed", error=f"{MEDIA}{error}")


@dataclass
class Breaker:
    """Stop a run that a dead service would turn into failures.

    A failure whose video is at fault does not count; a reply too long for the context does.

    Args:
        first: stop when the first so many replies of an answerer to one check all failed and it
            never replied to that check; 0 for never.
        row: stop at so many failures of an answerer in a row; 0 for never.
    """

    first: int = 5
    row: int = 20
    _failed: dict[tuple[str, str], int] = field(default_factory=dict, repr=False)
    _worked: set[tuple[str, str]] = field(default_factory=set, repr=False)
    _in_row: dict[str, int] = field(default_factory=dict, repr=False)

    def begin(self, worked: Iterable[tuple[str, str]]) -> None:
        """Start to count for a run; `worked` holds each (answerer, purpose) that replied before."""
        self._failed, self._in_row = {}, {}
        self._worked = set(worked)

    def count(self, name: str, purpose: str, reply: Reply) -> None:
        """Count a reply.

        Raises:
            UnreachableError: the answerer has failed too often to go on.
        """
        if reply.status == "failed" and reply.error.startswith(MEDIA):
            return
        pair = (name, purpose)
        if reply.status != "failed" and not reply.error.startswith(TOO_LONG):
            self._worked.add(pair)
            self._in_row[name] = 0
            return
        self._failed[pair] = self._failed.get(pair, 0) + 1
        self._in_row[name] = self._in_row.get(name, 0) + 1
        if self.first and pair not in self._worked and self._failed[pair] >= self.first:
            raise UnreachableError(
                f"The first {self._failed[pair]} requests to {name!r} for {purpose} all failed; "
                f"the last: {reply.error}. Nothing of this is counted as wrong. "
                "Mend the service or its settings, then run the same command again."
            )
        if self.row and self._in_row[name] >= self.row:
            raise UnreachableError(
                f"{self._in_row[name]} requests to {name!r} in a row failed; the last: "
                f"{reply.error}. Nothing of this is counted as wrong. "
                "Mend the service, then run the same command again."
            )
