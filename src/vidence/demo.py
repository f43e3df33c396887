"""The demo: a generated world, its panel, an audit, and how well the checks did."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from vidence.audits.benchmark import Source, audit
from vidence.errors import StoreError
from vidence.panel import load_panel
from vidence.progress import RunSummary
from vidence.run import RunSettings
from vidence.worlds import WORLDS
from vidence.worlds.panel import panel_toml

TITLE = "Video-Demo"


def demo(
    folder: Path,
    *,
    seed: int | str = 0,
    cases: int | None = None,
    settings: RunSettings | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[RunSummary, Path]:
    """Generate a world, or take the one that lies there, and audit it.

    Args:
        folder: `world/` with films, cases, truth and panel.toml goes there, and the run.
        seed: names the world and the run.
        cases: how many questions; the world's default otherwise.
        settings: how the run is carried out.
        say: told each stage in words.

    Returns:
        How the run ended, and the truth file.
    """
    place = folder / "world"
    begin = time.monotonic()
    done = place / "done.txt"
    recipe = f"shapes seed={seed!r} cases={cases!r}\n"
    if not (done.is_file() and done.read_text(encoding="utf-8") == recipe):
        refuse_other(done, recipe)
        say("world     generating films, transcripts and questions")
        size = {} if cases is None else {"cases": cases}
        world = WORLDS["shapes"](place, seed=seed, **size)
        panel_file = place / "panel.toml"
        panel_file.write_text(panel_toml(world), encoding="utf-8")
        done.write_text(recipe, encoding="utf-8")
        films = len(list(world.videos.glob("*.mp4")))
        say(f"world     {films} films in {place} ({time.monotonic() - begin:.0f} s)")
    else:
        say(f"world     {place} is there already")
    source = Source(place / "cases.jsonl", place / "videos", title=TITLE)
    say("audit     asking the panel")
    summary = audit(source, load_panel(place / "panel.toml"), folder, seed=seed, settings=settings)
    return summary, place / "truth.jsonl"


def refuse_other(done: Path, recipe: str) -> None:
    """Refuse to write a world over another one: a run may lie beside it that showed its films.

    Args:
        done: the file that says what the world in a folder is; it need not be there.
        recipe: of the world that is wanted.

    Raises:
        StoreError: the folder holds another world.
    """
    if not done.is_file():
        return
    held = done.read_text(encoding="utf-8", errors="replace")
    if held != recipe:
        raise StoreError(
            f"{done.parent} holds another world ({held.strip()}), {recipe.strip()} came. Nothing "
            "was changed. Give another folder: --out DIR."
        )
