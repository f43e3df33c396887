"""What a run consists of: its cells, and the views that each shows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from vidence.check import Check
from vidence.errors import UsageError
from vidence.media.clip import Clip, Sound, Video
from vidence.panel import Panel
from vidence.record import Cell
from vidence.seeds import rng_of, seed_of
from vidence.view import Case, Context, Evidence, Rendering, View

Seed = int | str


class Peers:
    """Another case's clip, chosen by name.

    A case's peer comes from another cluster, among the cases that were in the run when it was
    added, so that adding cases later changes no view.

    Args:
        cases: all cases of the run.
        batches: the batch in which each was added, in the same order.
        seed: the run's.
    """

    def __init__(self, cases: Sequence[Case], batches: Sequence[int], seed: Seed) -> None:
        self._seed = seed
        self._batch = {case.id: batch for case, batch in zip(cases, batches, strict=True)}
        self._clips: dict[int, list[tuple[str, Clip]]] = {}
        for latest in sorted(set(batches)):
            clips: dict[str, Clip] = {}
            for case, batch in zip(cases, batches, strict=True):
                clip = _first_clip(case.view)
                if batch <= latest and clip is not None:
                    clips.setdefault(case.cluster or case.id, clip)
            self._clips[latest] = sorted(clips.items(), key=lambda pair: pair[0])

    def of(self, case: Case) -> Clip | None:
        """Return the peer's clip, None if the run has one cluster only."""
        mine = case.cluster or case.id
        clips = self._clips.get(self._batch.get(case.id, -1), [])
        own = bisect_left(clips, mine, key=lambda pair: pair[0])
        there = own < len(clips) and clips[own][0] == mine
        others = len(clips) - there
        if not others:
            return None
        place = seed_of(self._seed, "peer", case.id) % others
        return clips[place + (there and place >= own)][1]


def _first_clip(view: View) -> Clip | None:
    shown = (part.clip if isinstance(part, Evidence) else part for _, part in view.parts)
    return next((part for part in shown if isinstance(part, Clip)), None)


def views_of(
    case: Case,
    check: Check,
    seed: Seed,
    repeat: int = 0,
    *,
    peers: Peers | None = None,
    duration: Callable[[Clip], float] | None = None,
) -> tuple[View, ...]:
    """Return what a check shows of a case; the same for every answerer, every time.

    Args:
        case: the case.
        check: the check.
        seed: the run's.
        repeat: from 0.
        peers: where another case's clip comes from, for probes that ask for one.
        duration: gives the play time of a clip's video; opens the file by default.

    Raises:
        NotApplicableError: the probe has nothing to show for this case.
        MediaError: the probe had to open the video, and could not.
    """
    names = (seed, case.id, check.probe, repeat)
    context = Context(
        case_id=case.id,
        rng=rng_of(*names),
        seed=seed_of(*names),
        spans=case.spans,
        duration=duration or clip_seconds,
        peer=None if peers is None else lambda: peers.of(case),
    )
    return check.views(case.view, context)


def clip_seconds(clip: Clip) -> float:
    """Return the play time of a clip's video in seconds; opens the file."""
    from vidence.media.video import probe

    return probe(clip.video).duration


def videos_of(view: View) -> Iterator[Video]:
    """Yield the videos that a view shows, renderings' sources included."""
    for _, part in view.parts:
        source = part.source if isinstance(part, Rendering) else part
        if isinstance(source, Clip | Sound):
            yield source.video


@dataclass(frozen=True)
class RunPlan:
    """Everything that decides what a run asks.

    Args:
        cases: in order.
        checks: in order.
        panel: who is asked.
        seed: the run's.
        repeats: how often each is asked.
        batches: when each case was added (see `Peers`); all together by default.
    """

    cases: tuple[Case, ...]
    checks: tuple[Check, ...]
    panel: Panel
    seed: Seed
    repeats: int = 1
    batches: tuple[int, ...] = ()
    peers: Peers = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the plan."""
        if not self.cases:
            raise UsageError("No case came; a run needs at least one. Look at the case file.")
        if not self.checks:
            raise UsageError("No check came; a run needs at least one. See: vidence list probes.")
        if self.repeats < 1:
            raise UsageError(f"repeats = {self.repeats} came; at least 1 is needed.")
        seen: set[str] = set()
        for case in self.cases:
            if case.id in seen:
                raise UsageError(f"The case id {case.id!r} came twice. Give each case its own.")
            seen.add(case.id)
        labels = [check.label for check in self.checks]
        if twice := {label for label in labels if labels.count(label) > 1}:
            raise UsageError(f"The check {min(twice)!r} came twice. Name each check once.")
        if not any(self.members(check) for check in self.checks):
            kinds = ", ".join(sorted({check.panel for check in self.checks}))
            raise UsageError(
                f"The checks ask answerers of the kind {kinds}; the panel asks "
                f"{', '.join(self.panel.asked or ()) or 'nobody'}. Add one to the panel file "
                "(one that a role names is asked only with asked = true)."
            )
        batches = self.batches or (0,) * len(self.cases)
        object.__setattr__(self, "batches", batches)
        object.__setattr__(self, "peers", Peers(self.cases, batches, self.seed))

    def members(self, check: Check) -> tuple[str, ...]:
        """Return the names of those that a check asks."""
        return self.panel.members(check.panel)

    @property
    def unasked(self) -> tuple[str, ...]:
        """Return the labels of checks that nobody in the panel answers."""
        return tuple(check.label for check in self.checks if not self.members(check))

    def groups(self) -> Iterator[tuple[Case, Check, int]]:
        """Yield what shares its views: (case, check, repeat), case by case.

        All that is asked about one video comes together, so that its frames are decoded once.
        """
        for case in self.cases:
            for check in self.checks:
                for repeat in range(self.repeats):
                    yield case, check, repeat

    def cells(self, case: Case, check: Check, repeat: int) -> list[Cell]:
        """Return the cells of a group."""
        return [Cell(case.id, check.label, name, repeat) for name in self.members(check)]

    @property
    def total(self) -> int:
        """Return the number of cells."""
        asked = sum(len(self.members(check)) for check in self.checks)
        return len(self.cases) * self.repeats * asked

    def views(
        self, case: Case, check: Check, repeat: int, duration: Callable[[Clip], float] | None = None
    ) -> tuple[View, ...]:
        """Return what a group shows; see `views_of`."""
        return views_of(case, check, self.seed, repeat, peers=self.peers, duration=duration)
