"""Audit three questions about one film with answerers written as functions.

    python examples/audit_benchmark.py [FOLDER]

Real answerers come from a panel file (docs/running.md); everything else stays the same.
"""

import json
import sys
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

import vidence
from vidence.answer import Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.audits.benchmark import Source
from vidence.media.write import write_video
from vidence.panel import panel_of

folder = Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp(prefix="vidence-"))

# A film: two seconds of red, then two of blue.
colours = [(200, 30, 30)] * 20 + [(30, 30, 200)] * 20
frames = [np.full((96, 128, 3), colour, dtype=np.uint8) for colour in colours]
write_video(folder / "film.mp4", frames, 10)

questions = [
    ("sky", "What colour is a clear sky at noon?", ["red", "green", "blue", "pink"], 2),
    ("first", "Which colour comes first?", ["red", "green", "blue", "pink"], 0),
    ("last", "Which colour comes last?", ["red", "green", "blue", "pink"], 2),
]
with (folder / "cases.jsonl").open("w") as file:
    for name, question, options, answer in questions:
        row = {"id": name, "video": "film.mp4", "question": question}
        file.write(json.dumps({**row, "options": options, "answer": answer}) + "\n")


def careful(request: Request) -> str:
    """Know about skies; without frames guess nothing."""
    prompt = request.prompt
    if "sky" in prompt.question:
        return "The answer is C."
    return "I cannot tell." if not prompt.clips() else "A" if "first" in prompt.question else "C"


def hasty(request: Request) -> str:
    """Always say blue."""
    return f"Answer: {'ABCD'[request.prompt.options.index('blue')]}"


panel = panel_of(FunctionAnswerer("careful", careful), FunctionAnswerer("hasty", hasty))
checks = vidence.parse_checks("intact,blind,frame_shuffle")
print(vidence.audit(Source(folder / "cases.jsonl"), panel, folder / "run", checks=checks))
print(vidence.analyse(folder / "run")["headline"]["sentence"])
for name, verdict in vidence.BenchmarkAudit(folder / "run").verdicts().items():
    print(f"{name:<6} {verdict.label:<12} {verdict.because}")
