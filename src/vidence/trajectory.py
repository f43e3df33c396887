"""What a tool-using agent did with one question, frozen: the form `vidence.trajectory/1`.

A reader of some agent's log fills this form and nothing else in Vidence knows that log. Messages
are kept verbatim. What a log does not say is null, never guessed; an answer that could not be read
is null, never a random letter. Times are seconds of play time.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

FORM = "vidence.trajectory/1"

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Stop = Literal["answered", "step_limit", "length", "timeout", "error", "unknown"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Model(_Part):
    """A model that took part."""

    role: str = Field(description="planner, renderer, answerer, ...")
    name: str
    revision: str | None = None


class Run(_Part):
    """Of which run of which agent the trajectory is."""

    agent: str
    version: str | None = None
    models: tuple[Model, ...] = ()
    decode: dict[str, Any] = Field(default={}, description="Decoding parameters, as logged.")
    created: str | None = None


class Film(_Part):
    """The video asked about."""

    id: str = Field(description="The dataset's name of it; questions on one video share it.")
    path: str | None = Field(default=None, description="File, below the folder of videos.")
    seconds: Seconds | None = None
    fps: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class Sample(_Part):
    """The question."""

    qid: str
    video: Film
    question: str
    options: tuple[str, ...] = Field(default=(), description="Texts without letters, A first.")
    gold: int | None = Field(default=None, description="Position of the key, from 0.")
    gold_spans: tuple[tuple[Seconds, Seconds], ...] = ()
    tags: dict[str, str] = {}

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if any(end < start for start, end in self.gold_spans):
            raise ValueError(f"an annotated span of {self.gold_spans} ends before it starts")
        return self


class Message(_Part):
    """One message, verbatim."""

    role: str
    text: str = Field(description="Its words; parts that are no words are marked in place.")
    source: str = Field(default="", description="Where in the file it stands.")


class Event(_Part):
    """One step inside a message."""

    type: Literal["think", "tool_call", "tool_result", "answer", "other"]
    message: int = Field(ge=0, description="Number of its message.")
    span: tuple[int, int] | None = Field(default=None, description="Characters, [start, end).")
    tool: str | None = None
    args: dict[str, Any] | None = Field(default=None, description="Null where they were cut off.")
    call_id: str | None = None
    ok: bool | None = None
    error: str | None = None


class Sampling(_Part):
    """How the agent took frames: every 1/fps seconds from the start, thinned to `most`."""

    fps: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    most: Annotated[int, Field(ge=1)]
    size: Annotated[int, Field(ge=1)] | None = Field(default=None, description="Longest side.")


class EvidenceItem(_Part):
    """Something that the agent retrieved and was told about."""

    message: int = Field(ge=0, description="Number of the message that holds its words.")
    span: tuple[int, int] = Field(description="Characters of its words there, [start, end).")
    tool: str | None = None
    query: str | None = Field(default=None, description="What the renderer was asked.")
    kind: Literal["frames", "subtitle", "caption", "list", "other"] = "frames"
    start: Seconds | None = None
    end: Seconds | None = None
    times: tuple[Seconds, ...] = Field(default=(), description="Of single frames, if logged.")
    sampling: Sampling | None = None
    stretches: tuple[tuple[Seconds, Seconds], ...] = Field(
        default=(), description="Where it is made of several; start and end are around all."
    )
    video: str | None = Field(default=None, description="Its file, if not the sample's.")
    shown: Literal["words", "frames"] = Field(
        default="words", description="Whether the agent was given words, or frames themselves."
    )
    raw_interval: str | None = Field(default=None, description="The interval as the log has it.")
    obstacle: str | None = Field(
        default=None, description="Why it cannot be replayed, in words; null where it can."
    )

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.span[1] < self.span[0]:
            raise ValueError(f"span {self.span} ends before it starts")
        if self.start is not None and self.end is not None and self.end < self.start:
            raise ValueError(f"evidence ends at {self.end}, before it starts at {self.start}")
        if any(end < start for start, end in self.stretches):
            raise ValueError(f"a stretch of {self.stretches} ends before it starts")
        return self


class Committed(_Part):
    """What the agent answered."""

    raw: str | None = Field(default=None, description="The words, verbatim.")
    position: int | None = Field(default=None, description="Option read from them, from 0.")
    why_not: str | None = Field(default=None, description="Why no option could be read.")
    message: int | None = Field(
        default=None,
        description="The first message that tells it: a replay stops before. The number of "
        "messages if none does; null if that is not known.",
    )
    confidence: float | None = Field(
        default=None,
        strict=True,
        allow_inf_nan=False,
        description="How sure the agent was, more is surer; a finite number.",
    )


class Provenance(_Part):
    """Where the trajectory was read."""

    reader: str
    file: str
    place: str = ""


class Trajectory(_Part):
    """One question's frozen run."""

    form: Literal["vidence.trajectory/1"] = "vidence.trajectory/1"
    run: Run
    sample: Sample
    messages: tuple[Message, ...]
    events: tuple[Event, ...] = ()
    evidence: tuple[EvidenceItem, ...] = ()
    answer: Committed = Committed()
    stop: Stop = Field(default="unknown", description="Why it ended; never inferred from silence.")
    notes: tuple[str, ...] = Field(default=(), description="Faults of the log, in words.")
    provenance: Provenance

    @model_validator(mode="after")
    def _inside(self) -> Self:
        count = len(self.messages)
        places = [("event", i, e.message, e.span) for i, e in enumerate(self.events)]
        places += [("evidence", i, e.message, e.span) for i, e in enumerate(self.evidence)]
        for what, number, message, span in places:
            if message >= count:
                raise ValueError(f"{what} {number} names message {message} of {count} messages")
            if span and span[1] > len(self.messages[message].text):
                raise ValueError(f"{what} {number} reaches beyond message {message}")
        if self.answer.message is not None and not 0 <= self.answer.message <= count:
            raise ValueError(f"the answer is in message {self.answer.message} of {count}")
        options = len(self.sample.options)
        for name, place in (("gold", self.sample.gold), ("answer", self.answer.position)):
            if place is not None and not 0 <= place < options:
                raise ValueError(f"{name} {place} is beyond the {options} options")
        return self
