"""What scrambled frames still tell: how often their descriptions lead to the right option.

    python benchmarks/remaining_answers.py [--seed S] [--draws 3]

A generated world is searched by the agent that relies on its evidence and never slips; its looks
are then destroyed by each edit and described anew. Chance is one over the number of options.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from vidence.answer import Request
from vidence.eligibility import clip_of
from vidence.media.clip import Edit, Video
from vidence.media.edits import draws as is_drawn
from vidence.media.pixels import FrameCache
from vidence.replay import RENDERER, Frames
from vidence.stats import mean_by_cluster
from vidence.trajectory import Trajectory
from vidence.view import Rendering
from vidence.worlds.agent import CLOSE, OPEN, WorldAgent, possible
from vidence.worlds.agent_log import Investigator, Task
from vidence.worlds.captioner import WorldCaptioner
from vidence.worlds.generate import generate

EDITS = ("identity", "phase", "phase_reference", "mean_frame")
CASES = {"order": 60, "one_frame": 20, "unordered": 20, "captions": 20}
EYES = WorldCaptioner(name="eyes", things=8, error=0.0, miss=0.0, precise=True)


def words_of(trajectory: Trajectory, films: Path, edit: str, draw: int, media: FrameCache) -> str:
    """Return the descriptions of every look under an edit, as a dialogue has them."""
    found = []
    for number, item in enumerate(trajectory.evidence):
        clip = Frames().of(clip_of(item, Video(films / str(trajectory.sample.video.path))))
        seeded = {"seed": 1000 * draw + number} if is_drawn(edit) else {}
        made = Rendering(
            replace(clip, edits=(Edit.of(edit, **seeded),)), RENDERER, item.query or ""
        )
        (reply,) = EYES.ask([Request(EYES.prepare(made.view()), draw)], media)
        found.append(f"{OPEN}{reply.text}{CLOSE}")
    return "\n".join(found)


def main() -> None:
    """Print a row a form of question: chance, and what is right under each edit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="remaining answers")
    parser.add_argument("--draws", type=int, default=3)
    given = parser.parse_args()
    right: dict[tuple[str, str], list[float]] = defaultdict(list)
    films: dict[str, list[str]] = defaultdict(list)
    chance: dict[str, list[float]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        world = generate(Path(folder), seed=given.seed, cases=CASES)
        truth, media = world.read_truth(), FrameCache()
        agent = Investigator(WorldAgent(name="agent", slip=0.0), EYES)
        for line in world.cases.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            form, key = truth[row["id"]].form, set(truth[row["id"]].right)
            task = Task(row["id"], row["question"], tuple(row["options"]), row["video"])
            trajectory = agent.run(task, world.videos, media)
            chance[form].append(len(key) / len(row["options"]))
            films[form].append(row["video"])
            for edit in EDITS:
                shares = []
                for draw in range(given.draws if is_drawn(edit) else 1):
                    text = words_of(trajectory, world.videos, edit, draw, media)
                    left = possible(text, row["question"], row["options"])
                    pool = left or range(len(row["options"]))
                    shares.append(len(key & set(pool)) / len(pool))
                right[form, edit].append(float(np.mean(shares)))
    print(f"seed {given.seed!r}, {given.draws} draws; interval 95 %, by film")
    print(f"{'form':<10} {'n':>3} {'chance':>6}  " + "  ".join(f"{edit:<19}" for edit in EDITS))
    for form in sorted(chance):
        cells = []
        for edit in EDITS:
            values = np.array(right[form, edit])
            found = mean_by_cluster(values, films[form], bounds=(0.0, 1.0))
            low, high = (np.nan if x is None else x for x in (found.low, found.high))
            cells.append(f"{found.value:.2f} ({low:.2f}-{high:.2f})".ljust(19))
        n = len(chance[form])
        print(f"{form:<10} {n:>3} {np.mean(chance[form]):>6.2f}  " + "  ".join(cells))


if __name__ == "__main__":
    main()
