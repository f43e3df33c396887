"""Print how fast frames come out of files, and how many are the right ones, side by side.

    python benchmarks/frames.py [--repeats 3] [--folder DIR] [--long] [--cpu]

Every picture carries its number as blocks of black and white, so that a wrong frame is seen. Each
way opens the file anew and returns RGB at the file's size. The unit is one seek per frame with
PyAV, taken in the same process in turn; a ratio of 2 is half the time. After a slash stand wrong
frames of those asked for. Peers take part where they are installed: torchcodec, decord, OpenCV.
`--cpu` compares processor time, which a busy machine disturbs less. `--folder` keeps the films
between runs; `--long` adds an hour of 1080p (1.5 GB).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from vidence.media import video as measured
from vidence.media.clip import At, Centre, Clip, Uniform, Video
from vidence.media.pixels import decode

Images = NDArray[np.uint8]
Way = Callable[[Path, tuple[float, ...]], Images]
BITS = 17


@dataclass(frozen=True)
class Film:
    """A film to be made: its ticks are hundredths of a second where it has a variable rate."""

    name: str
    frames: int
    width: int = 640
    height: int = 360
    codec: str = "libx264"
    options: dict[str, str] = field(default_factory=dict)
    variable: bool = False

    def ticks(self) -> list[int]:
        """Return when each picture begins."""
        if not self.variable:
            return list(range(self.frames))
        steps = np.random.default_rng(1).choice([1, 2, 4, 9, 40], self.frames)
        return [int(t) for t in np.cumsum(steps) - steps[0]]

    @property
    def rate(self) -> int:
        """Return ticks a second."""
        return 100 if self.variable else 25

    def make(self, folder: Path) -> Path:
        """Write the film unless it is there."""
        path = folder / self.name
        if path.exists():
            return path
        with av.open(str(path), "w") as container:
            stream: Any = container.add_stream(self.codec, rate=self.rate)
            stream.width, stream.height, stream.pix_fmt = self.width, self.height, "yuv420p"
            stream.options = self.options
            for tick, image in zip(self.ticks(), pictures(self), strict=True):
                frame = av.VideoFrame.from_ndarray(image, format="rgb24")
                frame.pts, frame.time_base = tick, Fraction(1, self.rate)
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        return path


def pictures(film: Film) -> Iterator[Images]:
    """Yield a window that wanders over a blurred texture, with the picture's number on it."""
    from scipy.ndimage import gaussian_filter

    h, w = film.height, film.width
    rng = np.random.default_rng(0)
    texture = gaussian_filter(rng.random((2 * h, 2 * w, 3)).astype(np.float32), (3, 3, 0))
    texture = ((texture - texture.min()) / np.ptp(texture) * 255).astype(np.uint8)
    for i in range(film.frames):
        x, y = int((np.sin(i / 97) + 1) / 2 * w), int((np.cos(i / 61) + 1) / 2 * h)
        image = texture[y : y + h, x : x + w].copy()
        for bit in range(BITS):
            image[:16, bit * 16 : bit * 16 + 16] = 235 if i >> bit & 1 else 16
        yield image


def number(image: Images) -> int:
    """Return which picture an image shows."""
    return sum(int(image[4:12, b * 16 + 4 : b * 16 + 12].mean() > 128) << b for b in range(BITS))


def seek_per_frame(path: Path, times: tuple[float, ...]) -> Images:
    """Seek to the key frame before each time and decode to the picture on show."""
    images = []
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        base = stream.time_base or Fraction(1)
        for t in times:
            tick = int(t / base) + (stream.start_time or 0)
            container.seek(tick, stream=stream)
            shown = None
            for frame in container.decode(stream):
                if frame.pts is not None and frame.pts > tick and shown is not None:
                    break
                shown = frame
            images.append(shown.to_ndarray(format="rgb24"))  # type: ignore[union-attr]
    return np.stack(images)  # type: ignore[arg-type]


def vidence(path: Path, times: tuple[float, ...]) -> Images:
    """Decode by recipe, measuring the file anew."""
    measured._KNOWN = measured._Known()
    return decode(Clip(Video(path), sampling=At(times))).images


def torchcodec(mode: str) -> Way:
    """Return torchcodec's way in one of its two modes."""
    from torchcodec.decoders import VideoDecoder

    def way(path: Path, times: tuple[float, ...]) -> Images:
        decoder = VideoDecoder(str(path), dimension_order="NHWC", seek_mode=mode)
        return np.asarray(decoder.get_frames_played_at(list(times)).data)

    return way


def decord(path: Path, times: tuple[float, ...]) -> Images:
    """Look times up in decord's table of frames."""
    from decord import VideoReader, cpu

    reader = VideoReader(str(path), ctx=cpu(0), num_threads=1)
    begins = reader.get_frame_timestamp(range(len(reader)))[:, 0]
    places = np.searchsorted(begins, np.asarray(times) + 1e-4, side="right") - 1
    return reader.get_batch(places.tolist()).asnumpy()


def opencv(path: Path, times: tuple[float, ...]) -> Images:
    """Seek by number with OpenCV, which is time at the average rate; its seek by time rounds up."""
    import cv2

    capture = cv2.VideoCapture(str(path))
    rate = capture.get(cv2.CAP_PROP_FPS)
    images = []
    for t in times:
        capture.set(cv2.CAP_PROP_POS_FRAMES, int(t * rate))
        image = capture.read()[1]
        images.append(np.zeros((16, 16 * BITS, 3), np.uint8) if image is None else image[..., ::-1])
    return np.stack(images)


def ways() -> dict[str, Way]:
    """Return the ways that are installed, the unit first."""
    found: dict[str, Way] = {"seek per frame": seek_per_frame, "vidence": vidence}
    for name, build in {
        "torchcodec exact": lambda: torchcodec("exact"),
        "torchcodec approx": lambda: torchcodec("approximate"),
        "decord": lambda: __import__("decord") and decord,
        "opencv": lambda: __import__("cv2") and opencv,
    }.items():
        try:
            found[name] = build()
        except (ImportError, OSError, RuntimeError) as error:
            print(f"{name}: not here ({type(error).__name__})")
    return found


X264 = {"preset": "veryfast", "crf": "26", "bf": "3", "sc_threshold": "0"}
QUIET = "log-level=none:keyint=50:min-keyint=50:open-gop=1:bframes=4"
SAMPLES: list[tuple[str, Film, list[int]]] = [
    ("360p H.264, group 250", Film("g250.mp4", 3000, options={**X264, "g": "250"}), [1, 8, 128]),
    ("360p H.264, group 30", Film("g30.mp4", 3000, options={**X264, "g": "30"}), [1, 32, 128]),
    (
        "1080p H.264, group 250",
        Film("hd.mp4", 1000, 1920, 1080, options={**X264, "preset": "ultrafast", "g": "250"}),
        [1, 32],
    ),
    (
        "360p HEVC, open groups",
        Film(
            "hevc.mp4", 750, codec="libx265", options={"preset": "superfast", "x265-params": QUIET}
        ),
        [1, 32],
    ),
    (
        "360p VP9",
        Film(
            "vp9.webm",
            750,
            codec="libvpx-vp9",
            options={"g": "60", "deadline": "realtime", "cpu-used": "8"},
        ),
        [1, 32],
    ),
    (
        "360p AV1",
        Film("av1.mp4", 750, codec="libsvtav1", options={"g": "60", "preset": "12"}),
        [32],
    ),
    (
        "360p H.264, variable rate",
        Film("vfr.mp4", 800, options={**X264, "g": "60"}, variable=True),
        [40],
    ),
]
HOUR = 90


def hour_of(path: Path) -> Path:
    """Repeat the packets of a film of 40 s until it lasts an hour."""
    out = path.with_name(f"hour_{path.name}")
    if out.exists():
        return out
    with av.open(str(path)) as source, av.open(str(out), "w") as target:
        stream: Any = source.streams.video[0]
        copy = target.add_stream_from_template(stream)
        length = stream.duration
        for turn in range(HOUR):
            source.seek(0)
            for packet in source.demux(stream):
                if packet.size:
                    packet.pts += turn * length
                    packet.dts += turn * length
                    packet.stream = copy
                    target.mux(packet)
    return out


def times_of(film: Film, count: int) -> tuple[tuple[float, ...], list[int]]:
    """Return times in the middle of pictures spread over the film, and their numbers."""
    ticks = film.ticks()
    ends = [*ticks[1:], ticks[-1] + 1]
    if film.variable:
        places = sorted(int(i) for i in np.random.default_rng(2).choice(len(ticks), count, False))
    else:
        spread = (Centre() if count == 1 else Uniform(count)).times(0, len(ticks))
        places = [int(t) for t in spread]
    return tuple((ticks[i] + ends[i]) / 2 / film.rate for i in places), places


@dataclass(frozen=True)
class Trial:
    """Ways to be compared, how often, and by which clock."""

    ways: dict[str, Way]
    repeats: int
    clock: Callable[[], float]

    def row(self, label: str, path: Path, times: tuple[float, ...], expected: list[int]) -> None:
        """Time every way in turn and print the best of each against the unit."""
        best = dict.fromkeys(self.ways, float("inf"))
        wrong = dict.fromkeys(self.ways, "")
        for _ in range(self.repeats):
            for name, way in self.ways.items():
                begin = self.clock()
                try:
                    images = way(path, times)
                except Exception as error:
                    wrong[name] = type(error).__name__[:10]
                    continue
                best[name] = min(best[name], self.clock() - begin)
                pairs = zip(images, expected, strict=True)
                wrong[name] = str(sum(number(i) != n for i, n in pairs))
        unit = best["seek per frame"]
        cells = "".join(
            f"{f'{unit / best[name]:.2f} / {wrong[name]}':>20}"
            if best[name] < float("inf")
            else f"{wrong[name]:>20}"
            for name in self.ways
        )
        print(f"{label:34}{len(times):>7}{unit:>9.3f}  {cells}", flush=True)


def main() -> None:
    """Make the films, time every way, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--cpu", action="store_true")
    args = parser.parse_args()
    os.environ.setdefault("SVT_LOG", "1")
    av.logging.set_level(av.logging.PANIC)
    found = ways()
    clock = process_time if args.cpu else perf_counter
    trial = Trial(found, args.repeats, clock)
    with TemporaryDirectory() as scratch:
        folder = args.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'file':34}{'frames':>7}{'seconds':>9}  " + "".join(f"{n:>20}" for n in found))
        for label, film, counts in SAMPLES:
            path = film.make(folder)
            for count in counts:
                trial.row(label, path, *times_of(film, count))
        if args.long:
            film = next(film for _, film, _ in SAMPLES if film.name == "hd.mp4")
            path = hour_of(film.make(folder))
            for count in (1, 32):
                spread = Uniform(count).times(0, HOUR * film.frames)
                places = [int(t) + 117 for t in spread]
                times = tuple((i + 0.5) / film.rate for i in places)
                numbers = [i % film.frames for i in places]
                trial.row("the same for an hour", path, times, numbers)


if __name__ == "__main__":
    main()
