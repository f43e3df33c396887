"""An agent's run over real films, and people to replay it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from agents.made import made

from vidence.answer import Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.audits.agent_import import Logs, import_logs
from vidence.media.write import write_video
from vidence.panel import Panel, panel_of

LOOKS = ((0.0, 1.5), (1.5, 3.0))


def film(path: Path, shade: int) -> Path:
    """Write three seconds of a pattern that has edges, so that scrambling changes it."""
    rows, columns = np.mgrid[0:32, 0:48]
    frames = [
        np.stack([(columns * 5 + t) % 256, (rows * 7 + shade) % 256, rows * 0 + 40], -1)
        for t in range(12)
    ]
    write_video(path, [frame.astype(np.uint8) for frame in frames], 4)
    return path


def question(number: int, **sample: Any) -> dict[str, Any]:
    """Return a trajectory of two looks at film `number // 2`, whose answer is B."""
    name = f"v{number // 2}"
    plain = made()
    looks = [
        item.model_copy(update={"start": start, "end": end}).model_dump(mode="json")
        for item, (start, end) in zip(plain.evidence, LOOKS, strict=True)
    ]
    about = {
        **plain.sample.model_dump(mode="json"),
        "qid": f"q{number}",
        "video": {"id": name, "path": f"{name}.mp4"},
        "gold": number % 3,
        "tags": {"kind": "odd" if number % 2 else "even"},
    }
    trajectory = made(sample={**about, **sample}, evidence=looks)
    return trajectory.model_dump(mode="json")


def agent_run(folder: Path, n: int = 6, **more: Any) -> Path:
    """Import n trajectories, two a film; `more` are further trajectories by name."""
    from agents.made_logs import lines

    videos = folder / "videos"
    videos.mkdir()
    for number in range((n + 1) // 2):
        film(videos / f"v{number}.mp4", 16 * number)
    log = lines(folder / "log.jsonl", *(question(i) for i in range(n)), *more.values())
    import_logs(Logs((log,), "vidence", videos=videos), folder / "run")
    return folder / "run"


def by_name(request: Request) -> str:
    """Answer B, or now and then another option, by the name of the draw."""
    return "ABBB"[request.seed % 4]


def people(
    answer: Callable[[Request], str] = by_name,
    render: Callable[[Request], str] | None = None,
    **more: Callable[[Request], str],
) -> Panel:
    """Return a panel of an answerer, a renderer and others."""
    renderer = FunctionAnswerer("renderer", render or (lambda request: f"I see {request.seed}."))
    others = [FunctionAnswerer(name, function) for name, function in more.items()]
    return panel_of(
        FunctionAnswerer("answerer", answer), renderer, *others, renderer="renderer"
    ).cast(("answerer",))
