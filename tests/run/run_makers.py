"""Cases and panels for the tests of runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from vidence.answer import Reply, Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.check import parse_checks
from vidence.driver import RunSettings
from vidence.media.clip import Clip, Video
from vidence.media.pixels import FrameCache
from vidence.media.write import write_video
from vidence.panel import Panel, panel_of
from vidence.progress import RunSummary
from vidence.record import Record
from vidence.run import run
from vidence.seeds import seed_of
from vidence.store import Store
from vidence.view import Case, Option, View

OPTIONS = tuple(Option(key, text) for key, text in enumerate(["cat", "dog", "bird", "fish"]))


def text_cases(n: int, prefix: str = "c") -> list[Case]:
    """Cases without a video, for checks that show none."""
    return [
        Case(f"{prefix}{i}", View(f"Question {prefix}{i}?", OPTIONS), gold=i % 4, cluster=f"v{i}")
        for i in range(n)
    ]


def film(path: Path, shade: int = 0, seconds: int = 3) -> Path:
    """Write a film of plain pictures, 4 a second, that grow lighter; `shade` names it."""
    colours = [(shade % 256, 60 + 8 * i, 128) for i in range(4 * seconds)]
    frames = [np.full((32, 48, 3), colour, np.uint8) for colour in colours]
    write_video(path, frames, 4)
    return path


def film_cases(folder: Path, n: int) -> list[Case]:
    """Cases with a film each."""
    return [
        replace(
            case,
            view=case.view.with_parts(
                ("video", Clip(Video(film(folder / f"{case.cluster}.mp4", shade=37 * i))))
            ),
        )
        for i, case in enumerate(text_cases(n))
    ]


def letter(request: Request) -> str:
    """Answer by the words alone, the same every time, evenly over the options."""
    count = max(1, len(request.prompt.options))
    return "ABCDEFGH"[seed_of("letter", request.prompt.text()) % count]


class Asked:
    """A function for FunctionAnswerer that keeps what it was asked."""

    def __init__(self, reply: Callable[[Request], str | Reply] = letter) -> None:
        self.requests: list[Request] = []
        self._reply, self._guard = reply, threading.Lock()

    def __call__(self, request: Request) -> str | Reply:
        with self._guard:
            self.requests.append(request)
        return self._reply(request)


def asks(name: str, reply: Callable[[Request], str | Reply] = letter, **settings: object) -> Panel:
    """A panel of one answerer."""
    return panel_of(FunctionAnswerer(name, reply, **settings))  # type: ignore[arg-type]


def go(
    cases: Sequence[Case],
    panel: Panel,
    folder: Path,
    checks: str = "blind",
    *,
    seed: int | str = 0,
    repeats: int = 1,
    **settings: object,
) -> RunSummary:
    """Run, with settings by name."""
    how = replace(RunSettings(), **settings)  # type: ignore[arg-type]
    return run(cases, parse_checks(checks), panel, folder, seed=seed, repeats=repeats, settings=how)


def records(folder: Path) -> list[Record]:
    """The records of a run."""
    with Store.open(folder, read_only=True) as store:
        return list(store.records())


class Seeing(FunctionAnswerer):
    """Say the mean colour of the frames; a maker of captions that reads pixels."""

    def __init__(self, name: str, **settings: object) -> None:
        super().__init__(name, lambda request: "", **settings)  # type: ignore[arg-type]
        self.asked: list[Request] = []

    def ask(self, requests: Sequence[Request], media: FrameCache) -> list[Reply]:
        """Return one description a request."""
        return [self._see(request, media) for request in requests]

    def _see(self, request: Request, media: FrameCache) -> Reply:
        self.asked.append(request)
        (clip,) = request.prompt.clips()
        images = [Image.open(BytesIO(data)) for data in media.encoded(clip).images]
        red = np.mean([np.asarray(image)[..., 0].mean() for image in images])
        green = np.mean([np.asarray(image)[..., 1].mean() for image in images])
        grey = abs(red - green) < 12
        return Reply(f"{'a grey wall' if grey else 'a coloured wall'}, take {request.seed}")
