"""Recipes for frames and sound. Nothing here decodes.

A recipe says which frames, in what order, at what size and with what edits. It is hashable, so that
views hash, store and resume; pixels are made in one place only (`vidence.media.pixels.decode`).
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from vidence.errors import UsageError

DECODE_VERSION = 1
"""Part of every key: raised when the same recipe would give other pixels."""

_digests: dict[tuple[str, tuple[tuple[str, int, int], ...]], str] = {}


@dataclass(frozen=True)
class Video:
    """A video file, or a folder of numbered frames.

    Args:
        path: the file or folder.
        fps: frames a second of a folder; a file knows its own times.
    """

    path: Path
    fps: float | None = None

    @property
    def digest(self) -> str:
        """Hash all bytes; remembered while path, sizes and times of change stay the same.

        A file that is not there hashes to a name of its absence, so that recipes of missing
        videos can still be named, counted and reported.
        """
        members = (
            sorted(p for p in self.path.rglob("*") if p.is_file())
            if self.path.is_dir()
            else [self.path]
        )
        try:
            stats = [(str(p), p.stat()) for p in members]
        except OSError:
            return "missing"
        seen = (
            str(self.path.resolve()),
            tuple((name, s.st_size, s.st_mtime_ns) for name, s in stats),
        )
        if seen not in _digests:
            h = blake2b(digest_size=16)
            for path in members:
                if self.path.is_dir():
                    h.update(str(path.relative_to(self.path)).encode("utf-8", "surrogateescape"))
                    h.update(b"\0")
                with path.open("rb") as file:
                    while block := file.read(1 << 20):
                        h.update(block)
            _digests[seen] = h.hexdigest()
        return _digests[seen]


@dataclass(frozen=True)
class Uniform:
    """`n` frames at the middles of `n` equal parts: start + (i + 1/2) (end - start) / n."""

    n: int

    def times(self, start: float, end: float) -> tuple[float, ...]:
        """Return the wanted times in seconds."""
        _positive("Uniform.n", self.n)
        return tuple(start + (i + 0.5) * (end - start) / self.n for i in range(self.n))


@dataclass(frozen=True)
class Fps:
    """`fps` frames a second from the start on; where that is more than `cap`, `cap` uniform frames.

    Times are start + i / fps for every i with a time before the end (at least one). The cap thins
    the whole window and never cuts its tail.
    """

    fps: float = 1.0
    cap: int = 128

    def times(self, start: float, end: float) -> tuple[float, ...]:
        """Return the wanted times in seconds."""
        _positive("Fps.fps", self.fps)
        _positive("Fps.cap", self.cap)
        count = max(1, math.ceil((end - start) * self.fps - 1e-9))
        if count > self.cap:
            return Uniform(self.cap).times(start, end)
        return tuple(start + i / self.fps for i in range(count))


@dataclass(frozen=True)
class Centre:
    """The one frame at (start + end) / 2."""

    def times(self, start: float, end: float) -> tuple[float, ...]:
        """Return the wanted time in seconds."""
        return ((start + end) / 2,)


@dataclass(frozen=True)
class At:
    """The frames shown at given times of the video, in seconds."""

    at: tuple[float, ...]

    def times(self, start: float, end: float) -> tuple[float, ...]:
        """Return the wanted times in seconds, whatever the window."""
        return self.at


Sampling = Uniform | Fps | Centre | At


@dataclass(frozen=True)
class Shuffled:
    """The order of a seed: a permutation of the frames found, never the identity when n > 1."""

    seed: int


Order = Literal["forward", "reversed"] | Shuffled


@dataclass(frozen=True)
class Edit:
    """A named change of pixels, after resizing.

    Args:
        name: a registered edit.
        params: (name, value), sorted.
    """

    name: str
    params: tuple[tuple[str, int | float | str], ...] = ()


@dataclass(frozen=True)
class Codec:
    """How frames become bytes.

    Args:
        format: `jpeg` or `png`.
        quality: of JPEG, 1 to 100.
        subsampling: of JPEG's colour.
    """

    format: Literal["jpeg", "png"] = "jpeg"
    quality: int = 90
    subsampling: str = "4:2:0"


@dataclass(frozen=True)
class Clip:
    """A recipe for frames.

    Args:
        video: where they come from.
        start: seconds of play time; None is the beginning.
        end: seconds of play time; None is the end.
        sampling: which frames of the window.
        order: in which order they are shown.
        size: longest side in pixels; None keeps the source's, and nothing is ever enlarged.
        edits: changes of pixels, in turn.
        codec: how the frames are encoded for an answerer.
    """

    video: Video
    start: float | None = None
    end: float | None = None
    sampling: Sampling = field(default_factory=Fps)
    order: Order = "forward"
    size: int | None = None
    edits: tuple[Edit, ...] = ()
    codec: Codec = field(default_factory=Codec)

    def key(self) -> str:
        """Return a name that changes with the bytes of the video and with every field."""
        return _key("clip", {**_plain(self), "video": [self.video.digest, self.video.fps]})

    def bind(self, *, size: int | None = None, codec: Codec | None = None) -> Clip:
        """Return the clip at a size and with a codec, as an answerer wants it."""
        return replace(self, size=size or self.size, codec=codec or self.codec)

    def describe(self) -> dict[str, Any]:
        """Return the recipe as JSON, the video by its file name."""
        return {**_plain(self), "video": self.video.path.name}


@dataclass(frozen=True)
class Sound:
    """A recipe for sound: the sound track between two times, in seconds."""

    video: Video
    start: float | None = None
    end: float | None = None

    def key(self) -> str:
        """Return a name that changes with the bytes of the video and with the window."""
        return _key("sound", {"video": self.video.digest, "start": self.start, "end": self.end})


def _plain(clip: Clip) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for f in fields(clip):
        value = getattr(clip, f.name)
        if f.name == "video":
            continue
        if isinstance(value, tuple):
            plain[f.name] = [asdict(edit) for edit in value]
        elif is_dataclass(value) and not isinstance(value, type):
            plain[f.name] = {"kind": type(value).__name__, **asdict(value)}
        else:
            plain[f.name] = value
    return plain


def _key(kind: str, plain: dict[str, Any]) -> str:
    text = json.dumps([kind, DECODE_VERSION, plain], sort_keys=True, allow_nan=True)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _positive(what: str, value: float) -> None:
    if not (value > 0 and math.isfinite(value)):
        raise UsageError(f"{what} = {value} came; a number above 0 is needed. Raise it.")
