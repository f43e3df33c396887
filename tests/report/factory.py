"""Report data made of simulated replies: TEST DATA, no model and no video behind it.

Everything is computed here with plain code from one table of simulated choices, so that the
numbers of a report are consistent with its cards, as in a real run.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from vidence.seeds import rng_of

CHECKS = ("blind", "audio", "summary", "center_frame", "frame_shuffle", "bag_of_frames")
KINDS = ("order", "question", "transcript", "captions", "one frame", "set of frames")
SOLVES = {  # planted kind -> checks under which a model that can, answers
    "order": (),
    "question": CHECKS,
    "transcript": ("audio",),
    "captions": ("summary", "center_frame", "frame_shuffle"),
    "one frame": ("center_frame", "frame_shuffle", "bag_of_frames", "summary"),
    "set of frames": ("frame_shuffle", "bag_of_frames"),
}
THINGS = (
    "the red kettle",
    "a man in a green coat",
    "the second door",
    "nobody",
    "the dog",
    "a yellow taxi",
    "the left hand",
    "three cups",
    "the stairs",
    "a paper boat",
    "the old radio",
    "the bridge",
)
HOSTILE = (
    "<script>document.title='pwned'</script>",
    "</script><img src=x onerror=\"document.title='pwned'\">",
    "{{7*7}} {% raw %} ${7*7} #{7*7}",
    "javascript:document.title='pwned'",
    "' onmouseover='x' \" autofocus onfocus=\"document.title='pwned'\"",
    "abc\u202edcba\u202c \u2066x\u2069 NUL\x00 bell\x07 \u2028 line",
    "| a | b |\n|---|---|\n[x](javascript:alert(1)) ![y](https://example.invalid/z.png) `code`",
    "W" * 100_000,
    "ما الذي يحدث أولاً: الباب أم النافذة؟",
    "<!-- --><style>*{display:none}</style> &lt;b&gt; &amp;",
)


@dataclass(frozen=True)
class Design:
    """What is simulated.

    Args:
        n, videos: cases and clusters.
        models, encoders: panel sizes.
        options: options a case.
        seed: a name.
        missing: share of replies that cannot be read.
        calibrated: whether the planted truth is reported.
        hostile: whether texts and names attack the page.
        threshold: votes that flag.
    """

    n: int = 240
    videos: int = 58
    models: int = 3
    encoders: int = 3
    options: int = 4
    seed: str = "factory"
    missing: float = 0.02
    calibrated: bool = True
    hostile: bool = False
    threshold: int = 3
    titles: tuple[str, ...] = field(default=("small-vlm-2b", "mid-vlm-8b", "wide-vlm-32b"))


def estimate(hits: Any, clusters: Any, total: int | None = None, seed: str = "e") -> dict[str, Any]:
    """Return a mean with a bootstrap interval over clusters."""
    hits, clusters = np.asarray(hits, float), np.asarray(clusters)
    n = len(hits)
    out = {
        "value": None,
        "low": None,
        "high": None,
        "level": 0.95,
        "n": n,
        "total": n if total is None else total,
        "clusters": None,
        "method": "mean; percentile bootstrap over videos (test data)",
        "degenerate": None,
    }
    if n == 0:
        return out | {"degenerate": "no case was scored"}
    names = np.unique(clusters)
    out |= {"value": float(hits.mean()), "clusters": len(names)}
    if len(names) == 1:
        return out | {"degenerate": "all cases are about one video"}
    sums = np.array([hits[clusters == c].sum() for c in names])
    sizes = np.array([(clusters == c).sum() for c in names])
    draw = rng_of("test bootstrap", seed).integers(0, len(names), size=(300, len(names)))
    means = sums[draw].sum(1) / sizes[draw].sum(1)
    low, high = np.quantile(means, [0.025, 0.975])
    return out | {"low": float(min(low, out["value"])), "high": float(max(high, out["value"]))}


def exact(value: float | None, n: int) -> dict[str, Any]:
    """Return a number without an interval."""
    return {
        "value": value,
        "low": None,
        "high": None,
        "level": 0.95,
        "n": n,
        "total": n,
        "clusters": None,
        "method": "mean of 1 / options",
        "degenerate": "a property of the cases, not a sample",
    }


@dataclass
class World:
    """Simulated choices: `choice[check]` is int [n, members], -1 where no option was read."""

    design: Design
    gold: Any
    kind: list[str]
    cluster: Any
    members: dict[str, list[str]]
    choice: dict[str, Any]
    status: dict[str, Any]

    @property
    def checks(self) -> list[str]:
        """Return the panel checks."""
        return [check for check in CHECKS if check in self.choice]

    def right(self, check: str) -> Any:
        """Return int [n]: members that chose the key."""
        return (self.choice[check] == self.gold[:, None]).sum(1)

    def flagged(self, names: list[str], c: int) -> Any:
        """Return bool [n]: at least c right under one of some checks."""
        none = np.zeros(self.design.n, bool)
        return np.any([none, *(self.right(name) >= c for name in names)], axis=0)

    def lucky(self, names: list[str], c: int) -> Any:
        """Return float [n]: share of options that would have been flagged as the key."""
        k = self.design.options
        hit = np.zeros((self.design.n, k), bool)
        for name in names:
            picks = self.choice[name]
            hit |= np.stack([(picks == o).sum(1) for o in range(k)], axis=1) >= c
        return hit.mean(1)

    def lost(self, check: str) -> Any:
        """Return bool [n, members]: what was chosen is unknown."""
        return np.isin(self.status[check], ["unparsed", "no_answer"])


def simulate(design: Design) -> World:
    """Draw what every member chose under every check."""
    rng = rng_of("report factory", design.seed)
    n, k = design.n, design.options
    gold = rng.integers(0, k, n)
    kind = [KINDS[0] if i % 2 else KINDS[1 + (i // 2) % 5] for i in range(n)]
    cluster = rng.permutation(np.arange(n) % max(design.videos, 1))
    models = [
        design.titles[i] if i < len(design.titles) else f"model-{i}" for i in range(design.models)
    ]
    encoders = [f"clip-{'abcdefgh'[i]}" for i in range(design.encoders)]
    members, choice, status = {}, {}, {}
    for check in ("intact", *CHECKS):
        if check == "bag_of_frames" and not encoders:
            continue
        names = encoders if check == "bag_of_frames" else models
        members[check] = names
        picks = rng.integers(0, k, (n, len(names)))
        for j in range(len(names)):
            skill = 0.96 - 0.04 * j
            knows = np.array([check == "intact" or check in SOLVES[x] for x in kind], dtype=bool)
            hit = knows & (rng.random(n) < skill)
            picks[hit, j] = gold[hit]
        lost = rng.random(picks.shape) < design.missing * (1 + np.arange(len(names)))
        how = rng.choice(["unparsed", "no_answer", "refused"], picks.shape)
        skipped = np.zeros(n, bool)
        if check == "audio":
            skipped = np.arange(n) % 8 == 3
        status[check] = np.where(skipped[:, None], "skipped", np.where(lost, how, "ok"))
        choice[check] = np.where(status[check] == "ok", picks, -1)
    return World(design, gold, kind, cluster, members, choice, status)


def make(design: Design | None = None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return report data and cards of one simulated run."""
    from tests.report.factory_cards import cards_of
    from tests.report.factory_parts import data_of

    world = simulate(design or Design())
    return data_of(world), cards_of(world)


def tags_of(world: World, i: int) -> dict[str, str]:
    """Return a case's categories."""
    tasks = ("counting", "action order", "object recognition", "causal reasoning", "spatial")
    task = tasks[i % 5] if i % 17 else "rare"
    if world.design.hostile and i % 5 == 2:
        task = HOSTILE[i // 5 % len(HOSTILE)]
    return {"task": task, "length": "short" if world.cluster[i] % 3 else "long"}


def jpeg(text: str, hue: int) -> str:
    """Return a small picture as a data address."""
    picture = Image.new("RGB", (160, 90), (30 + hue % 60, 60 + hue * 5 % 90, 90 + hue * 11 % 110))
    pen = ImageDraw.Draw(picture)
    pen.ellipse((10 + hue * 13 % 110, 20, 50 + hue * 13 % 110, 60), fill=(240, 200, 90))
    pen.text((6, 72), text, fill=(255, 255, 255))
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=70)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()
