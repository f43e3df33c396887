"""What an answerer may see, and the case around it that it may not.

A `View` holds the question, the options and an ordered tuple of parts. It never holds the key, the
case's name or any metadata: whatever is in a View may reach a model. A `Case` holds a View and the
rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from vidence.errors import NotApplicableError
from vidence.media.clip import Clip, Sound
from vidence.seeds import digest

if TYPE_CHECKING:
    from numpy.random import Generator


@dataclass(frozen=True)
class Text:
    """Words shown as they are: a transcript file, an agent's log, a rendering's result.

    Args:
        text: the words.
        origin: where they come from, for people ("transcript_files"); it never reaches a model.
    """

    text: str
    origin: str = ""

    def key(self) -> str:
        """Return a name for the words alone; where they come from does not change a reply."""
        return digest("text", self.text)


@dataclass(frozen=True)
class Rendering:
    """A recipe for text made by a model from a clip or a sound.

    Args:
        source: what is described.
        role: who describes it, a role of the panel file (`"captioner"`, `"transcriber"`).
        instruction: what the maker is asked.
        draw: which of several draws; it is in the key, or k draws would collapse to one.
    """

    source: Clip | Sound
    role: str
    instruction: str
    draw: int = 0

    def key(self) -> str:
        """Return a name for the recipe, the same for every check and answerer that uses it."""
        return digest("rendering", self.role, self.instruction, self.draw, self.source.key())

    def view(self) -> View:
        """Return what the maker sees: the source and the instruction, no options."""
        role = "video" if isinstance(self.source, Clip) else "sound"
        return View(question=self.instruction, options=(), parts=((role, self.source),))


@dataclass(frozen=True)
class Evidence:
    """What an agent looked at: the words it was given, and the frames they were made of.

    Shown as it is, it is its words; probes replay it with frames.

    Args:
        text: the words as its log has them, verbatim.
        clip: the frames, None where the log does not let them be rebuilt.
        query: what the agent asked of whoever looked at them.
        item: its number among the evidence of its case, from 0.
        direct: the agent was given the frames themselves, and no words made of them; a replay
            shows the answerer the clip.
    """

    text: str
    clip: Clip | None
    query: str
    item: int = 0
    direct: bool = False

    def key(self) -> str:
        """Return a name for all of it."""
        clip = "" if self.clip is None else self.clip.key()
        direct = ("direct",) if self.direct else ()
        return digest("evidence", self.text, self.query, self.item, clip, *direct)


Part = Clip | Sound | Text | Rendering | Evidence


@dataclass(frozen=True)
class Option:
    """One answer to choose.

    Args:
        key: its number in the benchmark, from 0; it stays with the text when options move.
        text: what is shown.
    """

    key: int
    text: str


@dataclass(frozen=True)
class View:
    """All that an answerer may see.

    Args:
        question: the question's text.
        options: the options in the order shown; empty for an open question.
        parts: (role, part) in the order shown; the role names what the part is
            (`"video"`, `"transcript"`, `"captions"`, `"dialogue"`). The words of a dialogue are
            joined without anything between them.
    """

    question: str
    options: tuple[Option, ...] = ()
    parts: tuple[tuple[str, Part], ...] = ()

    def key(self) -> str:
        """Return a name that changes with anything an answerer could see."""
        names: list[str | int] = ["view", self.question, len(self.options)]
        for option in self.options:
            names += [option.key, option.text]
        for role, part in self.parts:
            names += [role, part.key()]
        return digest(*names)

    def clip(self) -> Clip:
        """Return the one clip of the view.

        Raises:
            NotApplicableError: there is none, or more than one.
        """
        clips = [part for _, part in self.parts if isinstance(part, Clip)]
        if len(clips) != 1:
            raise NotApplicableError(f"needs one clip, the view has {len(clips)}")
        return clips[0]

    def with_parts(self, *parts: tuple[str, Part]) -> View:
        """Return the same question with other parts."""
        return replace(self, parts=parts)

    def with_options(self, options: tuple[Option, ...]) -> View:
        """Return the same view with its options in another order."""
        return replace(self, options=options)

    def map_clips(self, change: Callable[[Clip], Clip]) -> View:
        """Return the view with every clip changed and everything else kept."""
        return replace(
            self,
            parts=tuple((r, change(p) if isinstance(p, Clip) else p) for r, p in self.parts),
        )

    def evidence(self) -> tuple[Evidence, ...]:
        """Return what an agent looked at, in order."""
        return tuple(part for _, part in self.parts if isinstance(part, Evidence))

    def map_evidence(self, change: Callable[[Evidence], Part]) -> View:
        """Return the view with every piece of evidence changed and everything else kept."""
        return replace(
            self,
            parts=tuple((r, change(p) if isinstance(p, Evidence) else p) for r, p in self.parts),
        )

    def renderings(self) -> tuple[Rendering, ...]:
        """Return the recipes that must become text before the view can be shown."""
        return tuple(part for _, part in self.parts if isinstance(part, Rendering))

    def resolve(self, texts: Mapping[str, Text]) -> View:
        """Return the view with every rendering replaced by its text.

        Args:
            texts: rendering key -> text.
        """
        return replace(
            self,
            parts=tuple(
                (r, texts[p.key()] if isinstance(p, Rendering) else p) for r, p in self.parts
            ),
        )


Span = tuple[float, float]


@dataclass(frozen=True)
class Case:
    """One item of a benchmark or of an agent's log.

    Args:
        id: unique in a run.
        view: the question as its authors meant it, with the full clip.
        gold: the author's key: an option key, a number, a text, or None where there is none.
        committed: what an agent or planner answered, apart from `gold`.
        cluster: the video's name; questions on one video are not independent.
        spans: annotated evidence, seconds of play time.
        tags: category names -> values, for tables.
        row: the benchmark's own fields, untouched, for files written back.
    """

    id: str
    view: View
    gold: int | float | str | None = None
    committed: int | float | str | None = None
    cluster: str = ""
    spans: tuple[Span, ...] = ()
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    row: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def gold_position(self) -> int | None:
        """Return where the key stands among the view's options, or None."""
        for position, option in enumerate(self.view.options):
            if option.key == self.gold:
                return position
        return None


@dataclass(frozen=True)
class Context:
    """What a probe may read beside the View. Never the key, never a committed answer.

    Args:
        case_id: the case's name.
        rng: numpy generator named by (run, case, probe, repeat), without the answerer, so that a
            whole panel sees one permutation.
        seed: the number behind `rng`, for recipes that carry a seed.
        spans: annotated evidence, seconds.
        duration: gives the play time of a clip's video in seconds; opens the file when called.
        peer: gives another case's clip, chosen by name; None where there is no other video.
    """

    case_id: str
    rng: Generator
    seed: int
    spans: tuple[Span, ...] = ()
    duration: Callable[[Clip], float] | None = None
    peer: Callable[[], Clip | None] | None = None
