"""Carry out the first half of a recipe: which pictures, upright and resized, in play order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from vidence.media.clip import At, Clip
from vidence.media.container import opened, video_stream
from vidence.media.folder import numbered_frames
from vidence.media.picture import Painter, fit
from vidence.media.reader import Reader
from vidence.media.stills import still
from vidence.media.video import VideoInfo, check_time, facts_of, folder_info, window

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Limited-range black with the noise of a strong compression stays below this.
_BLACK = 16


class Look:
    """Pictures of one clip, each decoded once.

    Everything but `clip` is known once `images()` has ended.

    Attributes:
        asked: how many frames the sampling asked for.
        wanted: no more pictures than this come; known once the first has come.
        picks: for each place, in play order, which of the distinct pictures is shown.
        times: when the picture at each place begins, seconds of play time.
        notes: facts about what is shown.
        size: (width, height).
    """

    def __init__(self, clip: Clip) -> None:
        self.clip = clip
        self.asked = self.wanted = 0
        self.picks: tuple[int, ...] = ()
        self.times: tuple[float, ...] = ()
        self.notes: list[str] = []
        self.size = (0, 0)

    def images(self) -> Iterator[NDArray[np.uint8]]:
        """Yield the distinct pictures [h, w, 3] in the order of their times.

        Raises:
            MediaError: one of `vidence.media.errors`.
        """
        folder = self.clip.video.path.is_dir()
        brightest = 0
        for image in self._from_folder() if folder else self._from_file():
            if brightest <= _BLACK:
                brightest = max(brightest, int(image.max()))
            yield image
        if len(self.picks) < self.asked:
            self.notes.append(f"{len(self.picks)} of {self.asked} frames: the clip has no more")
        if brightest <= _BLACK:
            self.notes.append("all frames black")

    def _from_file(self) -> Iterator[NDArray[np.uint8]]:
        path = self.clip.video.path
        with opened(path) as container:
            stream = video_stream(container, path, strict=True)
            facts = facts_of(path, container, stream)
            times = self._times(facts.info)
            ticks = [facts.timeline.tick(t) for t in times]
            wanted = sorted(set(ticks))
            self.wanted = len(wanted)
            reader, painter = Reader(path, container, stream, facts.timeline), Painter()
            begins: list[int] = []
            place: dict[int, int] = {}
            for tick, frame in zip(wanted, reader.frames(wanted), strict=True):
                if not begins or frame.pts != begins[-1]:
                    begins.append(frame.pts)
                    yield painter.paint(frame, facts.turn, *self.size)
                place[tick] = len(begins) - 1
            self._settle([place[t] for t in ticks], [facts.timeline.seconds(b) for b in begins])

    def _from_folder(self) -> Iterator[NDArray[np.uint8]]:
        video = self.clip.video
        frames = numbered_frames(video.path)
        info = folder_info(video, frames)
        begins = [
            (n - frames.numbers[0]) * info.duration / _span(frames.numbers) for n in frames.numbers
        ]
        # As in files, a time that misses a frame by half a millisecond still finds it.
        places = [bisect_right(begins, t + 0.0005) - 1 for t in self._times(info)]
        distinct = sorted(set(places))
        self.wanted = len(distinct)
        for place in distinct:
            yield still(frames.files[place], self.size)
        self._settle([distinct.index(p) for p in places], [begins[p] for p in distinct])

    def _times(self, info: VideoInfo) -> tuple[float, ...]:
        start, end, notes = window(self.clip, info)
        self.size = fit(info.width, info.height, self.clip.size)
        self.notes += [*info.notes, *notes]
        times = self.clip.sampling.times(start, end)
        for t in times:
            check_time(t, self.clip, info)
        self.asked = len(times)
        late = sum(t > info.duration for t in times)
        if late:
            self.notes.append(f"{late} times past the end show the last frame")
        return tuple(min(t, info.duration) for t in times)

    def _settle(self, places: list[int], begins: list[float]) -> None:
        if isinstance(self.clip.sampling, At):
            self.picks = tuple(places)
        else:
            self.picks = tuple(range(len(begins)))
        self.times = tuple(begins[i] for i in self.picks)


def _span(numbers: tuple[int, ...]) -> int:
    return numbers[-1] - numbers[0] + 1
