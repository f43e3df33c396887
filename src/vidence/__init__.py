"""Vidence: did the video matter?

The names below load on first use, so that `import vidence` is cheap. Functions that share their
module's name are imported from there: `from vidence.run import run`, `from vidence.parse import
parse`, `from vidence.benchmark import benchmark`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vidence.answer import Answer, Answerer, Reply, Request, answerer
    from vidence.audits.benchmark import BenchmarkAudit, analyse, audit, distill
    from vidence.benchmark import Benchmark
    from vidence.check import Check, make_check, parse_checks, probe
    from vidence.errors import NotApplicableError, VidenceError
    from vidence.media.clip import Clip, Sound, Video
    from vidence.panel import Panel, load_panel
    from vidence.prompt import Prompt, render
    from vidence.record import Cell, Record
    from vidence.stats import Estimate
    from vidence.store import Store
    from vidence.view import Case, Context, Option, Rendering, Text, View

_HOME = {
    "Answer": "answer",
    "Answerer": "answer",
    "Benchmark": "benchmark",
    "BenchmarkAudit": "audits.benchmark",
    "Case": "view",
    "Cell": "record",
    "Check": "check",
    "Clip": "media.clip",
    "Context": "view",
    "Estimate": "stats",
    "NotApplicableError": "errors",
    "Option": "view",
    "Panel": "panel",
    "Prompt": "prompt",
    "Record": "record",
    "Rendering": "view",
    "Reply": "answer",
    "Request": "answer",
    "Sound": "media.clip",
    "Store": "store",
    "Text": "view",
    "Video": "media.clip",
    "VidenceError": "errors",
    "View": "view",
    "analyse": "audits.benchmark",
    "answerer": "answer",
    "audit": "audits.benchmark",
    "distill": "audits.benchmark",
    "load_panel": "panel",
    "make_check": "check",
    "parse_checks": "check",
    "probe": "check",
    "render": "prompt",
}

__all__ = [
    "Answer",
    "Answerer",
    "Benchmark",
    "BenchmarkAudit",
    "Case",
    "Cell",
    "Check",
    "Clip",
    "Context",
    "Estimate",
    "NotApplicableError",
    "Option",
    "Panel",
    "Prompt",
    "Record",
    "Rendering",
    "Reply",
    "Request",
    "Sound",
    "Store",
    "Text",
    "VidenceError",
    "Video",
    "View",
    "analyse",
    "answerer",
    "audit",
    "distill",
    "load_panel",
    "make_check",
    "parse_checks",
    "probe",
    "render",
]


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("vidence")
    except PackageNotFoundError:
        return "0+unknown"


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _HOME:
        raise AttributeError(f"module 'vidence' has no attribute {name!r}")
    return getattr(import_module(f"vidence.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
