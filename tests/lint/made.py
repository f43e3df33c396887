"""Made benchmarks, and what lint finds in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vidence.benchmark import Benchmark, Rejected, Remark
from vidence.lint.findings import Fault, lint
from vidence.lint.subject import Subject
from vidence.media.clip import Clip, Video
from vidence.view import Case, Option, View


def case(
    case_id: str,
    *options: str,
    gold: int | float | str | None = 0,
    question: str = "",
    video: str = "v.mp4",
    **more: Any,
) -> Case:
    """Return a case; its question is its own unless one is given."""
    clip = Clip(Video(Path(video)), start=more.pop("start", None), end=more.pop("end", None))
    shown = options or ("a cat", "a dog")
    if more.pop("open_ended", False):
        shown = ()
    return Case(
        id=case_id,
        view=View(
            question or f"What is number {case_id}?",
            tuple(Option(i, text) for i, text in enumerate(shown)),
            (("video", clip),),
        ),
        gold=gold,
        cluster=video,
        **more,
    )


def made(
    *cases: Case,
    rejected: tuple[Rejected, ...] = (),
    remarks: tuple[Remark, ...] = (),
    seconds: dict[str, float] | None = None,
) -> Benchmark:
    """Return a benchmark of these cases."""
    return Benchmark("made", cases, rejected, remarks, seconds or {})


def faults(benchmark: Benchmark, kind: str | None = None) -> list[Fault]:
    """Return what lint finds, of one kind or of all."""
    found = lint(Subject(benchmark)).faults
    return [fault for fault in found if kind in (None, fault.kind)]


def brief(benchmark: Benchmark, kind: str | None = None) -> list[tuple[str, str, str]]:
    """Return (kind, severity, id) of what lint finds."""
    return [(fault.kind, fault.severity, fault.id) for fault in faults(benchmark, kind)]
