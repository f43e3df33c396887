"""Recipes for frames and sound. Nothing here opens a picture.

A `Clip` says which frames of which video are shown and how; `vidence.media.pixels.decode` is the
one place that carries it out. Times are seconds of play time: 0 is the moment the first frame is
shown (docs/video.md).
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from vidence.errors import UsageError
from vidence.media.errors import MissingVideoError, NotVideoError
from vidence.media.folder import numbered_frames
from vidence.seeds import digest

DECODE_VERSION = 1
"""Raised whenever one recipe would give other pixels than before; it is in every key."""


@dataclass(frozen=True)
class Video:
    """A file, or a folder of numbered frames; opened by whoever needs it.

    Args:
        path: the file or folder.
        fps: frames a second of a folder; files know their own times.
    """

    path: Path
    fps: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))
        if self.fps is not None and not (math.isfinite(self.fps) and self.fps > 0):
            raise UsageError(f"fps = {self.fps} came; a positive number is needed.")

    @property
    def digest(self) -> str:
        """Return a hash of all bytes (of a folder: the frames' names and bytes).

        Read once per process for each (path, size, mtime_ns).

        Raises:
            MissingVideoError: no such file or folder.
            NotVideoError: neither a file nor a folder.
        """
        files = tuple(_files(self.path))
        known = (self.path.absolute(), tuple((f.name, *_stamp(f)) for f in files))
        if known in _DIGESTS:
            return _DIGESTS[known]
        with _DIGESTS_LOCK:
            if known not in _DIGESTS:
                _DIGESTS[known] = _hash(files, named=self.path.is_dir())
            return _DIGESTS[known]


_DIGESTS: dict[tuple[Path, tuple[tuple[str, int, int], ...]], str] = {}
# One lock, so that 64 threads that meet a new file read it once and not 64 times.
_DIGESTS_LOCK = threading.Lock()


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from numbered_frames(path).files
    elif path.is_file():
        yield path
    elif path.exists():
        raise NotVideoError(path, "neither a file nor a folder")
    else:
        raise MissingVideoError(path, f"no such file or folder in {path.parent.name or '.'}")


def _stamp(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def _hash(files: tuple[Path, ...], named: bool) -> str:
    h = blake2b(digest_size=16)
    for path in files:
        if named:
            name = path.name.encode("utf-8", "surrogateescape")
            h.update(len(name).to_bytes(8, "big") + name)
            h.update(path.stat().st_size.to_bytes(8, "big"))
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                h.update(block)
    return h.hexdigest()


def _at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise UsageError(f"{name} = {value} came; at least 1 is needed.")


@dataclass(frozen=True)
class Uniform:
    """Show n frames, at the middles of n equal parts of the window."""

    n: int

    def __post_init__(self) -> None:
        _at_least_one("n", self.n)

    def times(self, start: float, end: float) -> tuple[float, ...]:
        """Return t_i = start + (i + 1/2) (end - start) / n for i = 0..n-1."""
        return tuple(start + (i + 0.5) * (end - start) / self.n for i in range(self.n))


@dataclass(frozen=True)
class Fps:
    """Show `fps` frames a second, or `cap` frames over the whole window if that would be more."""

    fps: float = 1.0
    cap: int = 128

    def __post_init__(self) -> None:
        _at_least_one("cap", self.cap)
        if not (math.isfinite(self.fps) and self.fps > 0):
            raise UsageError(f"fps = {self.fps} came; a positive number is needed.")
        object.__setattr__(self, "fps", float(self.fps))

    def times(self, start: float, end: float) -> tuple[float, ...]:
        """Return start + i / fps for every one before end, at least one; `Uniform(cap)` if more.

        A window that is longer than i / fps by less than a millionth of a frame holds i frames.
        """
        count = max(1, math.ceil((end - start) * self.fps - 1e-6))
        if count > self.cap:
            return Uniform(self.cap).times(start, end)
        return tuple(start + i / self.fps for i in range(count))


@dataclass(frozen=True)
class Centre:
    """Show the one frame in the middle of the window."""

    def times(self, start: float, end: float) -> tuple[float, ...]:
        """Return (start + end) / 2."""
        return ((start + end) / 2,)


@dataclass(frozen=True)
class At:
    """Show the frames at given times of the video, in this order, repeats included."""

    seconds: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", tuple(float(t) for t in self.seconds))
        _at_least_one("the number of times", len(self.seconds))

    def times(self, start: float, end: float) -> tuple[float, ...]:
        """Return the times; the window does not move them."""
        return self.seconds


Sampling = Uniform | Fps | Centre | At


@dataclass(frozen=True)
class Shuffled:
    """Show the frames in one permutation named by a seed."""

    seed: int

    def permutation(self, n: int) -> tuple[int, ...]:
        """Return which frame is shown at each of n places; never the identity when n > 1.

        Frames are sorted by the hash of (seed, draw, n, frame), so all orders are equally likely;
        draw counts up from 0 until the order is not the identity.
        """
        for draw in range(1 << 30):
            order = tuple(sorted(range(n), key=lambda i: digest("shuffled", self.seed, draw, n, i)))
            if n < 2 or order != tuple(range(n)):
                return order
        raise AssertionError("unreachable")


Order = Literal["forward", "reversed"] | Shuffled


@dataclass(frozen=True)
class Edit:
    """Name a change of the frames, made after resizing (see `vidence.media.edits`)."""

    name: str
    params: tuple[tuple[str, int | float | str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", tuple(sorted((k, v) for k, v in self.params)))

    @classmethod
    def of(cls, name: str, **params: int | float | str) -> Edit:
        """Return an edit with parameters by keyword: `Edit.of("noise", seed=3)`."""
        return cls(name, tuple(params.items()))


@dataclass(frozen=True)
class Codec:
    """Say how frames are packed for a model.

    Args:
        format: `jpeg` or `png`.
        quality: 1 to 95, JPEG only.
        subsampling: of the colours, `4:4:4`, `4:2:2` or `4:2:0`, JPEG only.
    """

    format: Literal["jpeg", "png"] = "jpeg"
    quality: int = 90
    subsampling: str = "4:2:0"

    def __post_init__(self) -> None:
        if self.format not in ("jpeg", "png"):
            raise UsageError(f"format = {self.format!r} came; 'jpeg' or 'png' is allowed.")
        if not 1 <= self.quality <= 95:
            raise UsageError(f"quality = {self.quality} came; 1 to 95 is allowed.")
        if self.subsampling not in ("4:4:4", "4:2:2", "4:2:0"):
            raise UsageError(
                f"subsampling = {self.subsampling!r} came; 4:4:4, 4:2:2 or 4:2:0 is allowed."
            )

    @property
    def mime(self) -> str:
        """Return the media type, `image/jpeg`."""
        return f"image/{self.format}"

    def plain(self) -> dict[str, Any]:
        """Return what can change the bytes: PNG has no quality."""
        return asdict(self) if self.format == "jpeg" else {"format": self.format}


@dataclass(frozen=True)
class Clip:
    """Say which frames of a video are shown, and how.

    Args:
        video: where they come from.
        start: seconds of play time, None for the beginning.
        end: seconds of play time, None for the end of the pictures.
        sampling: which times of the window.
        order: in which order the frames found are shown, after the edits.
        size: longest side in pixels, None for the video's own; never enlarges.
        edits: changes of the frames, after resizing, in this order.
        codec: how frames are packed.
    """

    video: Video
    start: float | None = None
    end: float | None = None
    sampling: Sampling = Fps()
    order: Order = "forward"
    size: int | None = None
    edits: tuple[Edit, ...] = ()
    codec: Codec = Codec()

    def __post_init__(self) -> None:
        if self.size is not None:
            _at_least_one("size", self.size)
        if not isinstance(self.order, Shuffled) and self.order not in ("forward", "reversed"):
            raise UsageError(
                f"order = {self.order!r} came; 'forward', 'reversed' or Shuffled(seed) is allowed."
            )

    def key(self) -> str:
        """Return a name that changes with anything that could change the frames shown.

        Raises:
            MissingVideoError: the video is not there to be hashed.
        """
        plain = {**self._plain(), "video": self.video.digest, "decode": DECODE_VERSION}
        return digest("clip", _canonical(plain))

    def bind(self, *, size: int | None = None, codec: Codec | None = None) -> Clip:
        """Return the clip at a size or in a codec; None leaves what there is."""
        return replace(
            self,
            size=self.size if size is None else size,
            codec=self.codec if codec is None else codec,
        )

    def describe(self) -> dict[str, Any]:
        """Return the recipe as plain JSON data, with the file's name but not its folder."""
        return {"video": self.video.path.name, **self._plain()}

    def _plain(self) -> dict[str, Any]:
        order: Any = self.order
        return {
            "fps": None if self.video.fps is None else float(self.video.fps),
            "start": float(self.start or 0.0),
            "end": None if self.end is None else float(self.end),
            "sampling": {"kind": type(self.sampling).__name__.lower(), **asdict(self.sampling)},
            "order": {"shuffled": order.seed} if isinstance(order, Shuffled) else order,
            "size": self.size,
            "edits": [[edit.name, dict(edit.params)] for edit in self.edits],
            "codec": self.codec.plain(),
        }


@dataclass(frozen=True)
class Sound:
    """Say which part of a video's sound track is heard.

    Args:
        video: where it comes from.
        start: seconds of play time, None for the beginning.
        end: seconds of play time, None for the end of the sound.
    """

    video: Video
    start: float | None = None
    end: float | None = None

    def key(self) -> str:
        """Return a name that changes with anything that could change what is heard.

        Raises:
            MissingVideoError: the video is not there to be hashed.
        """
        plain = {**self._plain(), "video": self.video.digest, "decode": DECODE_VERSION}
        return digest("sound", _canonical(plain))

    def describe(self) -> dict[str, Any]:
        """Return the recipe as plain JSON data, with the file's name but not its folder."""
        return {"video": self.video.path.name, **self._plain()}

    def _plain(self) -> dict[str, Any]:
        return {
            "start": float(self.start or 0.0),
            "end": None if self.end is None else float(self.end),
        }


def _canonical(plain: dict[str, Any]) -> str:
    return json.dumps(plain, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
