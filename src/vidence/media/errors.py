"""What can be wrong with one video, by name.

    MediaError
    |-- MissingVideoError      no such file or folder
    |-- AmbiguousVideoError    a bare name that several files answer to
    |-- EmptyVideoError        0 bytes, or a folder without numbered frames
    |-- NotVideoError          a file that is no video (a web page, a text)
    |-- NoVideoStreamError     sound only
    |-- NoSoundError           pictures only, where sound is asked for
    |-- UnsupportedCodecError  a stream that this build of FFmpeg cannot decode
    |-- TruncatedVideoError    the file ends before its own table of contents does
    |-- VideoDamagedError      a wanted frame cannot be decoded as it was encoded
    |-- ZeroFramesError        a video stream without one frame
    |-- TimeOutsideError       a time before, after or beside the file
    `-- FrameFolderError       a folder of frames that has no clear order or no rate

A run counts each of them as one marked item and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any

from vidence.errors import MediaError


class _VideoError(MediaError):
    # Exceptions are rebuilt from `args` when they cross a process; ours take more than a message.
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _rebuild, (type(self), str(self), self.__dict__)


def _rebuild(kind: type[_VideoError], message: str, state: dict[str, Any]) -> _VideoError:
    error = kind.__new__(kind, message)
    error.args = (message,)
    error.__dict__.update(state)
    return error


class MissingVideoError(_VideoError):
    """No file or folder has this name."""


class AmbiguousVideoError(_VideoError):
    """Several files answer to a bare name."""


class EmptyVideoError(_VideoError):
    """The file has 0 bytes, or the folder no numbered frames."""


class NotVideoError(_VideoError):
    """The file is of no video format."""


class NoVideoStreamError(_VideoError):
    """The file holds no pictures, or only a cover."""


class NoSoundError(_VideoError):
    """The file holds no sound."""


class UnsupportedCodecError(_VideoError):
    """The pictures are in a form that cannot be decoded here."""


class TruncatedVideoError(_VideoError):
    """The file ends before its own table of contents does.

    Args:
        decodable: seconds that can be decoded, 0 where nothing can.
        claimed: seconds that the file says it has, None where it does not say.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        problem: str,
        advice: str = "",
        *,
        decodable: float = 0.0,
        claimed: float | None = None,
    ) -> None:
        super().__init__(path, problem, advice)
        self.decodable, self.claimed = decodable, claimed


class VideoDamagedError(_VideoError):
    """A wanted frame cannot be decoded as it was encoded."""


class ZeroFramesError(_VideoError):
    """A video stream gives no frame."""


class TimeOutsideError(_VideoError):
    """A time that the file does not have.

    Args:
        asked: the time or times asked for, seconds.
        duration: what the file has, seconds.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        problem: str,
        advice: str = "",
        *,
        asked: tuple[float, ...] = (),
        duration: float | None = None,
    ) -> None:
        super().__init__(path, problem, advice)
        self.asked, self.duration = asked, duration


class FrameFolderError(_VideoError):
    """A folder of frames has no clear order, or no rate."""
