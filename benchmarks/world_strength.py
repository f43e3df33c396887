"""How the checks' error rates move with the strength of the leaks and with the panel's noise.

    python benchmarks/world_strength.py [--seed SEED] [--cases N]

Two sweeps over generated worlds, one thing changed at a time: `strength` of the shortcuts (1 is the
demo's) and `slip`, the chance that a reader answers without looking (0.01 is the demo's). Each row
is one world and one run at full consensus, three of three.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from vidence.audits.benchmark import BenchmarkAudit, Source, audit
from vidence.panel import load_panel
from vidence.worlds import WORLDS
from vidence.worlds.panel import panel_toml

CHECKS = ("blind", "audio", "summary", "center_frame", "frame_shuffle", "bag_of_frames")
SWEEPS = [(1.0, 0.01), (0.75, 0.01), (0.5, 0.01), (0.25, 0.01), (1.0, 0.1), (1.0, 0.3)]


def measure(folder: Path, seed: str, cases: int, strength: float, slip: float) -> str:
    """Return one row of the table."""
    world = WORLDS["shapes"](folder / "world", seed=seed, cases=cases, strength=strength)
    tables = tomllib.loads(panel_toml(world))
    for table in tables["answerers"].values():
        if table["kind"] == "world_reader":
            table["slip"] = slip
        if table["kind"] == "transcript_files":
            table["folder"] = str(world.videos)
    run = folder / "run"
    audit(Source(world.cases, world.videos), load_panel(tables), run, seed=seed)
    data = BenchmarkAudit(run, truth=world.truth).data()
    cells = [f"{strength:>8g} {slip:>6g}"]
    for name in CHECKS:
        row = data["calibration"][name]
        cells.append(f"{row['found']:>3}/{row['planted']:<3} {row['flagged']:>3}/{row['sound']:<4}")
    both = data["together"]
    excess = data["headline"]["excess"]
    cells.append(f"{both['found']:>3}/{both['planted']:<3}")
    cells.append(
        f"{100 * excess['value']:>4.0f} ({100 * excess['low']:.0f} to {100 * excess['high']:.0f})"
    )
    return "  ".join(cells)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", default="sweep")
    parser.add_argument("--cases", type=int, default=140)
    chosen = parser.parse_args()
    print(f"seed {chosen.seed!r}, {chosen.cases} questions a row; found/planted  flagged/sound")
    head = "".join(f"  {name:<16}" for name in CHECKS)
    print(f"strength   slip{head}  together  excess over luck, points (95 %)")
    for strength, slip in SWEEPS:
        with TemporaryDirectory() as folder:
            print(measure(Path(folder), chosen.seed, chosen.cases, strength, slip), flush=True)


if __name__ == "__main__":
    main()
