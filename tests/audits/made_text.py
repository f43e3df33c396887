"""Benchmark files of made-up words for the text-only audit, with a leak or without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

WORDS = (
    *("amber", "birch", "cedar", "dune", "ember", "fjord", "glade"),
    *("heath", "inlet", "jetty", "knoll", "ledge", "marsh"),
)


def rows(n: int = 120, *, leak: float = 0.0, per_video: int = 3, seed: int = 1) -> list[Any]:
    """Return rows of a case file; in a share `leak` of them the right option is much longer."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(n):
        options = [" ".join(rng.choice(WORDS, size=rng.integers(2, 5))) for _ in range(4)]
        answer = int(rng.integers(4))
        if rng.random() < leak:
            options[answer] += " " + " ".join(rng.choice(WORDS, size=6))
        question = " ".join(rng.choice(WORDS, size=6)) + "?"
        made.append(
            {
                "id": f"q{i:04d}",
                "video": f"v{i // per_video:03d}.mp4",
                "question": question,
                "options": [f"{text} {j}" for j, text in enumerate(options)],
                "answer": answer,
                "tags": {"task": ("count", "order", "place")[i % 3], "half": str(i % 2)},
                "note": f"n{i}",
            }
        )
    return made


def write(path: Path, made: list[Any], *more: str) -> Path:
    """Write rows as JSONL, and lines that are no rows after them."""
    lines = [json.dumps(row, ensure_ascii=False) for row in made]
    path.write_text("".join(f"{line}\n" for line in (*lines, *more)), encoding="utf-8")
    return path


def transcripts(folder: Path, made: list[Any], *, tell: bool) -> Path:
    """Write an SRT a video: chatter, and if asked each question with its right answer."""
    rng = np.random.default_rng(9)
    spoken: dict[str, list[str]] = {}
    for row in made:
        lines = spoken.setdefault(row["video"], [" ".join(rng.choice(WORDS, 14)) for _ in range(8)])
        if tell:
            lines.append(f"{row['question']} {row['options'][row['answer']]}")
    folder.mkdir(parents=True)
    for video, lines in spoken.items():
        cues = (
            f"{i + 1}\n00:{i:02d}:00,000 --> 00:{i:02d}:20,000\n{line}\n"
            for i, line in enumerate(lines)
        )
        (folder / f"{video.removesuffix('.mp4')}.srt").write_text("\n".join(cues))
    return folder
