"""What a run needs before it asks anything: videos that open, and text to be made of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from vidence.cells import RunPlan, clip_seconds, videos_of
from vidence.errors import MediaError, NotApplicableError
from vidence.executors import map_items
from vidence.media.clip import Clip, Video
from vidence.view import Rendering, View


def _opened(video: Video) -> tuple[float, str]:
    # Every key needs the digest: the file is hashed here, not in the driver's thread.
    return clip_seconds(Clip(video)), video.digest


@dataclass
class Preflight:
    """Open each video once and remember what came of it.

    Args:
        open_video: returns the play time in seconds and the digest, or raises MediaError.
    """

    open_video: Callable[[Video], tuple[float, str]] = _opened
    seconds: dict[Video, float] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    problems: dict[Video, MediaError] = field(default_factory=dict)

    def duration(self, clip: Clip) -> float:
        """Return the play time of a clip's video.

        Raises:
            MediaError: the video cannot be read, as it was found before.
        """
        video = clip.video
        if video not in self.seconds and video not in self.problems:
            self._note(video, _tried(self.open_video, video))
        if video in self.problems:
            raise self.problems[video]
        return self.seconds[video]

    def open_all(
        self, videos: Sequence[Video], executor: str, each: Callable[[int, int], None]
    ) -> None:
        """Open the videos that were not opened yet; `each` gets (opened, with a problem)."""
        todo = [v for v in videos if v not in self.seconds and v not in self.problems]
        done = len(videos) - len(todo)
        stream = map_items(
            lambda video: _tried(self.open_video, video),
            todo,
            key=lambda video: str(video.path),
            executor=executor,
            concurrency=max(1, os.cpu_count() or 1),
        )
        for outcome in stream:
            self._note(outcome.item, outcome.get())
            done += 1
            each(done, len(self.problems))
        if videos and not todo:
            each(done, len(self.problems))

    def problem(self, views: Iterable[View]) -> str | None:
        """Return what is wrong with the first unreadable video of some views, or None."""
        if not self.problems:
            return None
        for view in views:
            for video in videos_of(view):
                if video in self.problems:
                    return str(self.problems[video])
        return None

    def _note(self, video: Video, found: tuple[float, str] | MediaError) -> None:
        if isinstance(found, MediaError):
            self.problems[video] = found
        else:
            self.seconds[video], self.digests[str(video.path)] = found


def _tried(
    open_video: Callable[[Video], tuple[float, str]], video: Video
) -> tuple[float, str] | MediaError:
    try:
        return open_video(video)
    except MediaError as error:
        return error
    except (OSError, ValueError) as error:  # a name that the file system cannot have, a bad disk
        why = getattr(error, "strerror", None) or str(error)
        return MediaError(video.path, f"cannot be opened ({why})", "Correct the name or the file.")


@dataclass(frozen=True)
class Needs:
    """What the missing cells of a run show.

    Args:
        videos: each once, in order.
        renderings: each once, in order.
    """

    videos: tuple[Video, ...]
    renderings: tuple[Rendering, ...]


def needs_of(plan: RunPlan, final: set[str], preflight: Preflight) -> Needs:
    """Look through the views of all cells that are not final."""
    videos: dict[Video, None] = {}
    renderings: dict[Rendering, None] = {}
    for case, check, repeat in plan.groups():
        if all(cell.key() in final for cell in plan.cells(case, check, repeat)):
            continue
        try:
            views = plan.views(case, check, repeat, preflight.duration)
        except NotApplicableError:
            continue  # the cell's record will say so
        except MediaError:
            videos.update(dict.fromkeys(videos_of(case.view)))
            continue
        for view in views:
            videos.update(dict.fromkeys(videos_of(view)))
            renderings.update(dict.fromkeys(view.renderings()))
    return Needs(tuple(videos), tuple(renderings))
