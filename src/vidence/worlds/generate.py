"""Write a world: films, transcripts, cases, and the truth apart from them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from vidence.errors import StoreError, UsageError
from vidence.media.write import Encoder, write_video
from vidence.seeds import rng_of
from vidence.worlds import world
from vidence.worlds.films import Film, plan, share_out, wishes
from vidence.worlds.kinds import LEAKING, counts_of, known
from vidence.worlds.narrate import srt, tones
from vidence.worlds.vocabulary import FPS

# Presets from veryfast on use x264's macroblock tree, which gives other bytes from run to run on
# small pictures, even on one thread.
_ENCODER = Encoder(crf=25, options=(("preset", "ultrafast"), ("mbtree", "0")))


@dataclass(frozen=True)
class Truth:
    """What is known about one case.

    Args:
        id: of the case.
        kind: what was planned.
        form: of the question.
        leak: whether the planned shortcut is really there.
        checks: for which the case is a planted shortcut.
        sound: checks for which flagging it is an error; a check in neither list is left out.
        right: positions of all right options; the key may be another (kind `mislabelled`).
    """

    id: str
    kind: str
    form: str
    leak: bool
    checks: tuple[str, ...]
    sound: tuple[str, ...]
    right: tuple[int, ...]


@dataclass(frozen=True)
class World:
    """Where a generated world lies.

    Args:
        folder: of everything.
    """

    folder: Path

    @property
    def cases(self) -> Path:
        """Return the case file, in Vidence's own JSONL form."""
        return self.folder / "cases.jsonl"

    @property
    def videos(self) -> Path:
        """Return the folder of films and of their transcripts (`film000.mp4`, `film000.srt`)."""
        return self.folder / "videos"

    @property
    def truth(self) -> Path:
        """Return the truth file, which no answerer ever gets."""
        return self.folder / "truth.jsonl"

    def read_truth(self) -> dict[str, Truth]:
        """Read the truth file; returns case id -> truth."""
        found = {}
        for line in self.truth.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            lists = {name: tuple(row[name]) for name in ("checks", "sound", "right")}
            found[row["id"]] = Truth(**{**row, **lists})
        return found


@world("shapes")
def generate(
    folder: Path,
    *,
    seed: int | str,
    cases: int | Mapping[str, int] = 280,
    leak: float | Mapping[str, float] = 1.0,
    strength: float = 1.0,
    per_film: int = 4,
    workers: int = 2,
) -> World:
    """Write short films of moving shapes with questions of planted kinds.

    The same arguments give the same bytes.

    Args:
        folder: where; made if it is not there.
        seed: of everything.
        cases: how many in the default mix, or how many of each kind.
        leak: share of the cases of a leaking kind whose shortcut is really there, for all kinds
            or by kind; the others become order-only cases.
        strength: how plain a shortcut is, 0 to 1: visibility of what is shown, words that are
            understood, length of the long option, fame of facts. 1 is full strength.
        per_film: most questions on one film.
        workers: films written at a time.

    Raises:
        UsageError: a number outside its range.
        UnknownNameError: no such kind.
    """
    shares = dict.fromkeys(LEAKING, leak) if isinstance(leak, int | float) else dict(leak)
    known(shares)
    for name, value in [*shares.items(), ("strength", strength)]:
        if not 0 <= value <= 1:
            raise UsageError(f"{value} came for {name!r}; a share from 0 to 1 is allowed.")
    if per_film < 1 or workers < 1:
        raise UsageError(f"per_film={per_film}, workers={workers} came; 1 or more is allowed.")
    counts = counts_of(cases if isinstance(cases, int) else dict(cases))
    made = World(Path(folder))
    try:
        made.videos.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{made.videos} cannot be made: {error.strerror or error}. Give a folder that you may "
            "write to."
        ) from error
    wanted = wishes(counts, shares, rng_of("shapes", seed, "wishes"))
    films = [
        plan(number, wish, seed, strength)
        for number, wish in enumerate(share_out(wanted, per_film))
    ]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(partial(_film, made.videos), films))
    _lines(made.cases, (row for film in films for row in film.rows))
    _lines(made.truth, (truth for film in films for truth in film.truths))
    return made


def _film(folder: Path, film: Film) -> None:
    timeline = film.scene.timeline
    write_video(
        folder / f"{film.name}.mp4",
        film.scene.frames(),
        FPS,
        audio=tones(film.lines, timeline.seconds),
        gop=2 * FPS,
        encoder=_ENCODER,
    )
    (folder / f"{film.name}.srt").write_text(srt(film.lines, timeline.seconds), encoding="utf-8")


def _lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
