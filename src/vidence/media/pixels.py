"""Make pixels from recipes: the one place where frames are decoded, edited and packed."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from vidence.media.clip import Clip, Codec, Order, Shuffled
from vidence.media.edits import apply_edits
from vidence.media.look import Look

if TYPE_CHECKING:
    from numpy.typing import NDArray


T = TypeVar("T")


@dataclass(frozen=True)
class Frames:
    """Pixels of a clip.

    Args:
        images: uint8 [n, h, w, 3], upright RGB, in the order shown.
        times: when each frame shown begins, seconds of play time, in the order shown.
        asked: how many frames the sampling asked for; fewer are shown where the video has fewer.
        notes: facts about what is shown, for records and reports.
    """

    images: NDArray[np.uint8]
    times: tuple[float, ...]
    asked: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Encoded:
    """Packed frames of a clip, ready for a model.

    Args:
        images: one file each, in the order shown.
        mime: `image/jpeg` or `image/png`.
        times, asked, notes: as in `Frames`.
        size: (width, height) in pixels.
    """

    images: tuple[bytes, ...]
    mime: str
    times: tuple[float, ...]
    asked: int
    notes: tuple[str, ...]
    size: tuple[int, int]


def decode(clip: Clip) -> Frames:
    """Decode, resize, edit and order the frames of a clip.

    Memory: n * h * w * 3 bytes for the frames asked for, twice that with edits, another order or
    repeats; a few frames besides, whatever the length of the video.

    Raises:
        MediaError: one of `vidence.media.errors`, with the file's name.
        UnknownNameError: an edit that is not registered.
    """
    look = Look(clip)
    distinct = _stacked(look)
    in_sequence = look.picks == tuple(range(len(distinct)))
    images = distinct if in_sequence else distinct[list(look.picks)]
    if clip.edits:
        images = apply_edits(images, clip.edits)
    order = _places(clip.order, len(images))
    if order is not None:
        images = images[list(order)]
    return Frames(images, _ordered(look.times, order), look.asked, tuple(look.notes))


def _stacked(look: Look) -> NDArray[np.uint8]:
    """Return the distinct pictures as one array, filled as they come so that none is held twice."""
    stack: NDArray[np.uint8] | None = None
    count = 0
    for image in look.images():
        if stack is None:
            stack = np.empty((look.wanted, *image.shape), np.uint8)
        stack[count] = image
        count += 1
    assert stack is not None
    return stack[:count]


def encode(images: NDArray[np.uint8], codec: Codec) -> tuple[bytes, ...]:
    """Pack images [n, h, w, 3] as one file each."""
    return tuple(_packed(image, codec) for image in images)


def _packed(image: NDArray[np.uint8], codec: Codec) -> bytes:
    from PIL import Image

    out = BytesIO()
    picture = Image.fromarray(image)
    if codec.format == "png":
        picture.save(out, "PNG", compress_level=3)
    else:
        picture.save(out, "JPEG", quality=codec.quality, subsampling=codec.subsampling)
    return out.getvalue()


def encode_clip(clip: Clip) -> Encoded:
    """Decode and pack the frames of a clip.

    Without edits frames are packed one by one as they are decoded, so that memory holds packed
    frames only.

    Raises:
        MediaError: one of `vidence.media.errors`, with the file's name.
    """
    if clip.edits:
        frames = decode(clip)
        height, width = frames.images.shape[1:3]
        return Encoded(
            encode(frames.images, clip.codec),
            clip.codec.mime,
            frames.times,
            frames.asked,
            frames.notes,
            (width, height),
        )
    look = Look(clip)
    packed = [_packed(image, clip.codec) for image in look.images()]
    shown = tuple(packed[i] for i in look.picks)
    order = _places(clip.order, len(shown))
    return Encoded(
        _ordered(shown, order),
        clip.codec.mime,
        _ordered(look.times, order),
        look.asked,
        tuple(look.notes),
        look.size,
    )


def _places(order: Order, n: int) -> tuple[int, ...] | None:
    """Return which frame stands at each place, None where they stay."""
    if isinstance(order, Shuffled):
        return order.permutation(n)
    return tuple(reversed(range(n))) if order == "reversed" else None


def _ordered(items: tuple[T, ...], order: tuple[int, ...] | None) -> tuple[T, ...]:
    return items if order is None else tuple(items[i] for i in order)


class FrameCache:
    """Packed frames by recipe, for many threads.

    Equal recipes that are asked for at the same time are decoded once, and orders of the same
    frames share them: `intact`, `reversed` and `frame_shuffle` decode a video once. No more
    decoders run than there are cores, so that 64 threads do not hold 64 decoded videos.

    Args:
        budget: bytes of packed frames to keep; the least recently used go first. A clip that is
            larger than the budget is returned and not kept.
        decoders: how many clips are decoded at a time, None for as many as cores.
    """

    def __init__(self, budget: int = 512 << 20, decoders: int | None = None) -> None:
        self.budget = budget
        self._decoders = threading.BoundedSemaphore(decoders or _cores())
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Encoded] = OrderedDict()
        self._coming: dict[str, Future[Encoded]] = {}
        self._size = 0
        self.decoded = 0

    def encoded(self, clip: Clip) -> Encoded:
        """Return the packed frames of a clip, decoding at most once per recipe.

        Raises:
            MediaError: one of `vidence.media.errors`; failures are not kept, so a file that comes
                back is read again.
        """
        if not clip.edits and clip.order != "forward":
            forward = self._get(replace(clip, order="forward"))
            order = _places(clip.order, len(forward.images))
            return replace(
                forward,
                images=_ordered(forward.images, order),
                times=_ordered(forward.times, order),
            )
        return self._get(clip)

    @property
    def size(self) -> int:
        """Return the bytes of packed frames kept now."""
        with self._lock:
            return self._size

    def _get(self, clip: Clip) -> Encoded:
        key = clip.key()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            coming = self._coming.get(key)
            mine = coming is None
            if coming is None:
                coming = self._coming[key] = Future()
        if not mine:
            return coming.result()
        try:
            with self._decoders:
                encoded = encode_clip(clip)
        except BaseException as error:
            with self._lock:
                del self._coming[key]
            coming.set_exception(error)
            raise
        with self._lock:
            del self._coming[key]
            self.decoded += 1
            self._keep(key, encoded)
        coming.set_result(encoded)
        return encoded

    def _keep(self, key: str, encoded: Encoded) -> None:
        size = _weight(encoded)
        if size > self.budget:
            return
        self._kept[key] = encoded
        self._size += size
        while self._size > self.budget:
            _, old = self._kept.popitem(last=False)
            self._size -= _weight(old)


def _weight(encoded: Encoded) -> int:
    return sum(len(image) for image in set(encoded.images))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
