"""An agent that investigates films of the shapes world, and the log that it leaves.

It plans by understanding the question, scans the film a frame a second for the shape that is
asked about, looks closely where it was seen, has the frames put into words, and answers from the
dialogue. It gets the question, the options and the film; keys and annotated spans reach a log
only when it is imported, from the annotation file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vidence.answer import Answerer, Request
from vidence.eligibility import clip_of, dialogue
from vidence.errors import CaseError
from vidence.media.clip import Clip, Fps, Video
from vidence.media.pixels import FrameCache
from vidence.parse import parse
from vidence.replay import RENDERER, Frames, as_logged
from vidence.seeds import seed_of
from vidence.trajectory import (
    Committed,
    Event,
    EvidenceItem,
    Film,
    Message,
    Model,
    Provenance,
    Run,
    Sample,
    Sampling,
    Trajectory,
)
from vidence.view import Option, Rendering, View
from vidence.worlds.agent import CLOSE, OPEN
from vidence.worlds.eyes import look
from vidence.worlds.grammar import Meaning, understand

_SCAN = Fps(1.0, 64)
_CLOSE_LOOK = Sampling(fps=2.0, most=32)
_MARGIN = 0.75
_GAP = 1.5


@dataclass(frozen=True)
class Task:
    """What an agent is told.

    Args:
        id: names the run's draws.
        question: its words.
        options: their texts.
        film: the file, below the folder of films.
    """

    id: str
    question: str
    options: tuple[str, ...]
    film: str


@dataclass(frozen=True)
class Investigator:
    """An agent: someone who answers, someone who puts frames into words, and how it looks.

    Args:
        answerer: reads the dialogue and answers.
        renderer: describes frames.
        seed: names its run; another seed gives an independent run.
    """

    answerer: Answerer
    renderer: Answerer
    seed: int | str = 0

    def run(self, task: Task, films: Path, media: FrameCache) -> Trajectory:
        """Investigate one question.

        Args:
            task: the question.
            films: folder of the video files.
            media: decodes frames.

        Returns:
            The log, with the answer that the agent committed to; no key.

        Raises:
            MediaError: the film cannot be read.
            CaseError: the renderer gives no words.
        """
        video = Video(films / task.film)
        log = _Log(task)
        meaning = understand(task.question)
        spans, length = self._scan(meaning, video, media)
        what = f"the {meaning.shape}" if meaning and meaning.shape else "the picture"
        log.say("user", "\n".join([task.question, *task.options]))
        log.call("scan", f"The question is about {what}. I go through the film.", end=length)
        log.say("tool", _seen_at(what, spans), "tool_result", tool="scan")
        for start, end in spans:
            log.call("look", f"I look closely at {what} there.", start=start, end=end)
            item = EvidenceItem(
                message=len(log.messages),
                span=(len(OPEN), len(OPEN)),
                tool="look",
                query=f"Describe what you see of {what}, frame by frame.",
                start=start,
                end=end,
                sampling=_CLOSE_LOOK,
            )
            log.show(item, self._words(item, len(log.evidence), video, media, task))
        return self._answered(log, films, media)

    def _scan(
        self, meaning: Meaning | None, video: Video, media: FrameCache
    ) -> tuple[list[tuple[float, float]], float]:
        """Return where the shape was seen, a frame a second, and the film's length."""
        frames = media.encoded(Frames().of(Clip(video, sampling=_SCAN)))
        length = frames.times[-1] + 1 / _SCAN.fps
        shape = meaning.shape if meaning else ""
        times = [
            time
            for time, image in zip(frames.times, frames.images, strict=True)
            if not shape or any(sight.shape == shape for sight in look(image).sights)
        ]
        return _stretches(times or list(frames.times), length), length

    def _words(
        self, item: EvidenceItem, number: int, video: Video, media: FrameCache, task: Task
    ) -> str:
        clip = Frames().of(clip_of(item, video))
        rendering = Rendering(clip, RENDERER, item.query or "")
        seed = seed_of("investigator", self.seed, task.id, "render", number)
        prompt = self.renderer.prepare(rendering.view())
        (reply,) = self.renderer.ask([Request(prompt, seed)], media)
        if reply.status != "ok" or not reply.text:
            raise CaseError(f"{task.id}: the renderer gave no words: {reply.error or 'silence'}.")
        return reply.text

    def _answered(self, log: _Log, films: Path, media: FrameCache) -> Trajectory:
        """Return the log closed by the answer to the dialogue, as a replay would show it."""
        draft = log.trajectory(self, Committed(message=len(log.messages)))
        parts = tuple(("dialogue", part) for part in dialogue(draft, films))
        options = tuple(Option(i, text) for i, text in enumerate(log.task.options))
        view = as_logged(View(question=log.task.question, options=options, parts=parts))
        seed = seed_of("investigator", self.seed, log.task.id, "answer")
        (reply,) = self.answerer.ask([Request(self.answerer.prepare(view), seed)], media)
        answer = parse(reply, view)
        place = answer.value if isinstance(answer.value, int) else None
        log.say("assistant", reply.text, "answer")
        return log.trajectory(
            self,
            Committed(
                raw=reply.text,
                position=place,
                why_not=None if place is not None else answer.reason,
                message=len(log.messages) - 1,
            ),
        )


class _Log:
    def __init__(self, task: Task) -> None:
        self.task = task
        self.messages: list[Message] = []
        self.events: list[Event] = []
        self.evidence: list[EvidenceItem] = []

    def say(self, role: str, text: str, kind: str = "other", **event: object) -> None:
        place = len(self.messages)
        self.messages.append(Message(role=role, text=text))
        about = {"type": kind, "message": place, "span": (0, len(text)), **event}
        self.events.append(Event.model_validate(about))

    def call(self, tool: str, thought: str, *, end: float, start: float = 0.0) -> None:
        text = f"{thought}\n{tool}({start:.2f}, {end:.2f})"
        self.say("assistant", text, "tool_call", tool=tool, args={"start": start, "end": end})

    def show(self, item: EvidenceItem, words: str) -> None:
        span = (len(OPEN), len(OPEN) + len(words))
        self.evidence.append(item.model_copy(update={"span": span}))
        self.say("tool", f"{OPEN}{words}{CLOSE}", "tool_result", tool=item.tool, ok=True)

    def trajectory(self, agent: Investigator, answer: Committed) -> Trajectory:
        task = self.task
        models = [
            Model(role=role, name=one.name)
            for role, one in (("answerer", agent.answerer), ("renderer", agent.renderer))
        ]
        film = Film(id=Path(task.film).stem, path=task.film)
        return Trajectory(
            run=Run(agent=agent.answerer.name, models=tuple(models)),
            sample=Sample(qid=task.id, video=film, question=task.question, options=task.options),
            messages=tuple(self.messages),
            events=tuple(self.events),
            evidence=tuple(self.evidence),
            answer=answer,
            stop="answered" if answer.raw is not None else "unknown",
            provenance=Provenance(reader="vidence", file="world agent"),
        )


def _stretches(times: Sequence[float], length: float) -> list[tuple[float, float]]:
    """Return windows around times; those that touch are one."""
    found: list[tuple[float, float]] = []
    for time in times:
        start, end = max(0.0, time - _MARGIN), min(length, time + _MARGIN)
        if found and start - found[-1][1] <= _GAP - 2 * _MARGIN:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _seen_at(what: str, spans: Sequence[tuple[float, float]]) -> str:
    places = "; ".join(f"{start:.2f} to {end:.2f} s" for start, end in spans)
    return f"{what[0].upper()}{what[1:]} can be seen at {places}."
