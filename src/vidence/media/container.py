"""Open files through FFmpeg, with every failure by its name."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.errors import MediaError
from vidence.media.errors import (
    EmptyVideoError,
    MissingVideoError,
    NotVideoError,
    NoVideoStreamError,
    TruncatedVideoError,
    UnsupportedCodecError,
)
from vidence.media.extent import missing_bytes

if TYPE_CHECKING:
    from av.container import InputContainer

# Only containers that hold their pictures themselves. Play lists and text formats are left out:
# a file named .mp4 that is one would make FFmpeg open other files, or the network.
_FORMATS = (
    "mov,matroska,avi,mpegts,mpeg,flv,asf,ogg,gif,mxf,nut,ivf,dv,rm,swf,wtv,"
    "mp3,wav,flac,aac,ac3,aiff"
)


@contextmanager
def opened(path: Path) -> Iterator[InputContainer]:
    """Open a file for reading and close it at the end.

    Raises:
        MissingVideoError, EmptyVideoError, NotVideoError, TruncatedVideoError: see
            `vidence.media.errors`.
    """
    import av

    _check(path)
    options = {"protocol_whitelist": "file", "format_whitelist": _FORMATS}
    try:
        container = av.open(str(path.absolute()), "r", container_options=options)
    except PermissionError as error:
        raise NotVideoError(path, "no permission to read it", "Check its access rights.") from error
    except (av.FFmpegError, ValueError) as error:
        raise _or_truncated(
            path, NotVideoError(path, f"no video file ({_looks_like(path)})", _FETCH)
        ) from error
    try:
        yield container
    finally:
        container.close()


_FETCH = "Fetch the file again, or leave the item out."


def _or_truncated(path: Path, error: MediaError) -> MediaError:
    lost = missing_bytes(path)
    if not lost:
        return error
    return TruncatedVideoError(
        path,
        f"truncated: {lost} bytes are missing at the end, with them what it takes to read the rest",
        "Fetch the file again.",
    )


def _check(path: Path) -> None:
    try:
        status = path.stat()
    except OSError as error:
        raise MissingVideoError(path, f"no such file in {path.parent.name or '.'}") from error
    if not stat.S_ISREG(status.st_mode):
        # A named pipe would be waited for without end.
        raise NotVideoError(path, "no regular file")
    if status.st_size == 0:
        raise EmptyVideoError(path, "the file has 0 bytes", _FETCH)


def _looks_like(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(512)
    if head.lstrip()[:1] == b"<":
        return "it looks like a web page"
    if head.startswith(b"version https://git-lfs"):
        return "it is a Git LFS pointer"
    if not head.strip(b"\0"):
        return "its first bytes are all zero"
    return f"{path.stat().st_size} bytes of an unknown format"


def video_stream(container: InputContainer, path: Path, *, strict: bool = False) -> Any:
    """Return the stream of moving pictures, ready for one decoding thread.

    Other streams are left unread. One thread a decoder: many clips are decoded side by side, and
    what a decoder gives must not depend on the machine.

    Args:
        container: from `opened`.
        path: the file, for messages.
        strict: have the decoder complain at once, instead of hiding damage as well as it can.

    Raises:
        NoVideoStreamError: sound only, or sound with a cover.
        UnsupportedCodecError: this build of FFmpeg cannot decode it.
    """
    from av.stream import Discard

    streams = moving_pictures(container)
    if not streams:
        raise _or_truncated(
            path, NoVideoStreamError(path, "no video stream", "Its sound can still be used.")
        )
    best: Any = container.streams.best("video")
    stream = best if best in streams else streams[0]
    if stream.codec_context is None:
        problem = "its pictures are in a codec that cannot be decoded here"
        raise _or_truncated(
            path, UnsupportedCodecError(path, problem, "Convert the file to H.264.")
        )
    for other in container.streams:
        if other.index != stream.index:
            other.discard = Discard.all
    stream.codec_context.thread_count = 1
    if strict:
        stream.codec_context.options = {"err_detect": "explode"}
    return stream


def moving_pictures(container: InputContainer) -> list[Any]:
    """Return the video streams that are no covers."""
    from av.stream import Disposition

    return [s for s in container.streams.video if not s.disposition & Disposition.attached_pic]
