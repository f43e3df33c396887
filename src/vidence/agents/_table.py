"""The table that says how an agent writes calls, results, times and answers: TOML, no code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from vidence.errors import CaseError, UsageError
from vidence.trajectory import Stop

_FOLDER = Path(__file__).parent / "tables"

TimeBase = Literal["seconds", "segments", "frames", "clock", "day"]
Names = tuple[str, ...]


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"no regular expression: {error}") from None
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fields(_Part):
    """Where a record has what: names of fields, dots go inside; the first that is there counts."""

    qid: Names = ("qid", "question_id", "uid", "id")
    question: Names = ("question",)
    options: Names = ("options", "choices", "candidates")
    gold: Names = ("gold",)
    video: Names = ("video_id", "video")
    path: Names = ("video_path",)
    seconds: Names = ("duration",)
    messages: Names = ("messages",)
    answer: Names = ()
    stop: Names = ("stop", "stop_reason", "finish_reason")
    score: Names = ("score",)
    model: Names = ("model",)
    created: Names = ("created_at",)
    tags: dict[str, str] = {}


class Calls(_Part):
    """How calls are written.

    api: the field `tool_calls` of a message. json: an object with `name` and `arguments` between
    tags. tags: a tag a tool, with its argument inside.
    """

    styles: tuple[Literal["api", "json", "tags"], ...] = ("api", "json")
    tag: str = "tool_call"
    take: Literal["all", "last"] = "all"


class ResultForm(_Part):
    """How a result begins.

    Args:
        pattern: with the groups `tool` and `call` where the result repeats them.
        tool: whose result it is, where the pattern has no such group.
    """

    pattern: Pattern
    tool: str | None = None


class Results(_Part):
    """Where results stand.

    Args:
        roles: messages that are one result each.
        tag: between which tags the words stand, in messages that are not the agent's.
        forms: how results begin inside a message that holds several.
        ends: what comes after the last of them.
        failed: how the words of a call begin that did not work.
    """

    roles: Names = ("tool", "function")
    tag: str | None = None
    forms: tuple[ResultForm, ...] = ()
    ends: tuple[Pattern, ...] = ()
    failed: tuple[Pattern, ...] = ()


class AnswerForm(_Part):
    """How the agent commits itself.

    Args:
        tag: between which tags its answer stands.
        last_message: its last message without a call is the answer, with no mark needed.
    """

    tag: str | None = "answer"
    last_message: bool = False


class Tool(_Part):
    """What one tool is asked and gives.

    Args:
        kind: what its words are made of; none: it retrieves nothing.
        tag: with which it is called, where calls are tags; its name if left out.
        query_tag: the tag after it, with the question.
        query: the argument with the question; `@question` is the question of the record.
        prompt: what the renderer is asked, with `{query}` in it; the query alone if left out.
        start, end: arguments with the times.
        interval: the argument with both, or with several stretches.
        moment: the argument with one time.
        whole: it looks at the whole video.
        base: how times are written; several are tried in their order.
        segment: seconds of one segment.
        rate: frames a second, of frame numbers.
        first: number of the first frame or segment.
        fps, most, size: how frames are taken: a second, at most, longest side.
        shown: whether the agent is given words, or the frames themselves.
        answer: the argument with the agent's answer: the tool ends the run.
    """

    kind: Literal["frames", "subtitle", "caption", "list", "other", "none"] = "none"
    tag: str | None = None
    query_tag: str | None = None
    query: str | None = None
    prompt: str = "{query}"
    start: str | None = None
    end: str | None = None
    interval: str | None = None
    moment: str | None = None
    whole: bool = False
    base: tuple[TimeBase, ...] = ("seconds",)
    segment: Positive | None = None
    rate: Positive | None = None
    first: int = 0
    fps: Positive | None = None
    most: Annotated[int, Field(ge=1)] | None = None
    size: Annotated[int, Field(ge=1)] | None = None
    shown: Literal["words", "frames"] = "words"
    answer: str | None = None

    @model_validator(mode="after")
    def _whole(self) -> Tool:
        if "segments" in self.base and self.segment is None:
            raise ValueError("base has segments, but `segment` (seconds of one) is not given")
        if (self.fps is None) != (self.most is None):
            raise ValueError("`fps` and `most` belong together")
        return self


class Day(_Part):
    """One day of a recording.

    Args:
        start: the clock when its video begins, HHMMSSFF or HH:MM:SS.
        video: its file, where days are files.
        rate: frames a second of the last two digits.
    """

    start: str
    video: str | None = None
    rate: Positive = 20.0


class Table(_Part):
    """How one agent writes its logs."""

    agent: str
    record: Fields = Fields()
    calls: Calls = Calls()
    results: Results = Results()
    answer: AnswerForm = AnswerForm()
    think: Names = ("think", "thinking")
    gold: Literal["letter", "text", "number", "any"] = "any"
    stops: dict[str, Stop] = Field(default={}, description="The log's word -> ours.")
    marks: dict[Stop, Pattern] = Field(default={}, description="What a message says of the end.")
    tools: dict[str, Tool] = {}
    days: dict[str, Day] = {}

    def by_tag(self) -> dict[str, str]:
        """Return tag -> name of the tool."""
        return {tool.tag or name: name for name, tool in self.tools.items()}


def shipped_tables() -> list[str]:
    """Return the names of the tables that come with Vidence."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_table(name: str | Path) -> Table:
    """Read a table: a name of one that comes with Vidence, or a TOML file.

    Raises:
        UsageError: neither.
        CaseError: a file that is no table, with the place of its first fault.
    """
    path = Path(name)
    if str(name) in shipped_tables():
        path = _FOLDER / f"{name}.toml"
    elif not path.is_file():
        raise UsageError(
            f"The table {str(name)!r} came; a TOML file, or one of {', '.join(shipped_tables())}, "
            "is allowed. Check the name."
        )
    try:
        return Table.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{path} cannot be read: {error}. Check the file.") from None
    except tomllib.TOMLDecodeError as error:
        raise CaseError(f"{path.name} is no TOML: {error}. Correct it.") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise CaseError(
            f"{path.name}: {place}: {first['msg']}. docs/agent-logs.md lists what a table holds."
        ) from None
