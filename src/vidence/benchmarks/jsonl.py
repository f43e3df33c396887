"""Vidence's own simple form: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from vidence.annotation.faults import RowError
from vidence.annotation.reading import decode, row_fault
from vidence.benchmark import Benchmark, NoCaseError, Rejected, benchmark
from vidence.errors import CaseError
from vidence.media.clip import Clip, Video
from vidence.view import Case, Option, View

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Row(BaseModel):
    """One line of a case file. Fields of your own are kept and written back."""

    model_config = ConfigDict(extra="allow", strict=False, title="Vidence case")

    id: str | int = Field(description="Unique in the file.")
    video: str = Field(min_length=1, description="File or frame folder, below the videos folder.")
    question: str = Field(min_length=1)
    options: list[str] = Field(
        default=[], max_length=26, description="Texts without letters; empty for open questions."
    )
    answer: int | str | None = Field(
        default=None,
        description="Number of the right option from 0, its letter, or its exact text; "
        "null where there is no key.",
    )
    start: Seconds | None = Field(default=None, description="Seconds; the clip to show.")
    end: Seconds | None = Field(default=None, description="Seconds.")
    evidence: list[tuple[Seconds, Seconds]] = Field(
        default=[], description="Seconds of the original file in which the answer can be seen."
    )
    fps: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="Frames a second of a frame folder."
    )
    tags: dict[str, str | int | float | bool] = Field(
        default={}, description="Categories for tables."
    )

    @field_validator("id", mode="before")
    @classmethod
    def _a_name(cls, value: Any) -> Any:
        if isinstance(value, bool) or (isinstance(value, str) and not value.strip()):
            raise ValueError(f"{value!r} is no name; give a text or a number")
        return value

    @field_validator("video")
    @classmethod
    def _a_file(cls, value: str) -> str:
        parts = value.split("/")
        if "\0" in value or any(len(part.encode("utf-8", "replace")) > 255 for part in parts):
            raise ValueError("no file can have this name (a NUL, or more than 255 bytes)")
        return value

    @field_validator("answer", mode="before")
    @classmethod
    def _no_bool(cls, value: Any) -> Any:
        if isinstance(value, bool):
            raise ValueError("true and false are no answers; give a number, a letter or a text")
        return value


def position_of(answer: int | str | None, options: list[str]) -> int | None:
    """Return the position of the right option, None where there is no key.

    Raises:
        RowError: the answer is none of the options, or several.
    """
    if answer is None:
        return None
    last = len(options) - 1
    if isinstance(answer, int):
        if 0 <= answer <= last:
            return answer
        raise RowError(
            "answer_outside_options",
            f"answer {answer} is beyond the {len(options)} options (0 to {last})",
        )
    places = [i for i, text in enumerate(options) if text == answer]
    letter = ascii_uppercase.find(answer.strip()) if len(answer.strip()) == 1 else -1
    if len(places) == 1 and letter in (-1, places[0]):
        return places[0]
    if len(places) == 1 and letter <= last:
        raise RowError(
            "ambiguous_answer",
            f"answer {answer!r} is the text of one option and the letter of another; "
            "use its number",
        )
    if len(places) == 1:
        return places[0]
    if len(places) > 1:
        raise RowError(
            "ambiguous_answer",
            f"answer {answer!r} is the text of {len(places)} options; use its number",
        )
    if 0 <= letter <= last:
        return letter
    raise RowError(
        "answer_outside_options", f"answer {answer!r} is neither a letter nor a text of the options"
    )


def case_of(row: Row, raw: dict[str, Any], folder: Path) -> Case:
    """Build a case from a row.

    Args:
        row: the checked row.
        raw: the row as it stands in the file.
        folder: where the videos are.

    Raises:
        RowError: the row contradicts itself.
    """
    if row.start is not None and row.end is not None and row.end <= row.start:
        raise RowError("unclear_time", f"end {row.end} is not after start {row.start}")
    for a, b in row.evidence:
        if b < a:
            raise RowError("unclear_time", f"evidence [{a}, {b}] ends before it starts")
    if Path(row.video).is_absolute() or ".." in Path(row.video).parts:
        raise RowError(
            "missing_video",
            f"video {row.video!r} leads out of the folder of videos; name it below the folder, or "
            "give a folder further up with --videos",
        )
    gold = position_of(row.answer, row.options) if row.options else row.answer
    video = Video(folder / row.video, fps=row.fps)
    return Case(
        id=str(row.id),
        view=View(
            question=row.question,
            options=tuple(Option(i, text) for i, text in enumerate(row.options)),
            parts=(("video", Clip(video, start=row.start, end=row.end)),),
        ),
        gold=gold,
        cluster=row.video,
        spans=tuple(row.evidence),
        tags={name: str(value) for name, value in row.tags.items()},
        row=raw,
    )


@benchmark("jsonl")
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read Vidence's own JSONL form (docs/cases.md).

    A line that is no case is rejected with its number and reason; the others are kept.

    Raises:
        CaseError: no such file or folder, no case in it, or an id that comes twice.
    """
    if not path.is_file():
        raise CaseError(f"{path} is no file. A JSONL file of cases is needed; see docs/cases.md.")
    folder = videos or path.parent
    if not folder.is_dir():
        raise CaseError(f"{folder} is no folder. Give the folder of the videos with --videos.")
    cases: list[Case] = []
    rejected: list[Rejected] = []
    seen: dict[str, int] = {}
    for number, line in _lines(path):
        where = f"line {number}"
        try:
            raw = decode(line)
            if isinstance(raw, dict):
                where = f"{where} (id {raw.get('id')!r})"
            if fault := row_fault(raw):
                raise ValueError(fault)
            case = case_of(Row.model_validate(raw), raw, folder)
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, e['loc'])) or 'row'}: {e['msg']}" for e in error.errors()
            )
            kind = "empty_question" if _asks_nothing(raw) else "unreadable_row"
            rejected.append(Rejected(where, faults, kind))
            continue
        except RowError as error:
            rejected.append(Rejected(where, error.reason, error.kind))
            continue
        except (ValueError, RecursionError) as error:
            rejected.append(Rejected(where, str(error)))
            continue
        if case.id in seen:
            raise CaseError(
                f"{path.name}: the id {case.id!r} stands on lines {seen[case.id]} and {number}. "
                "Ids are unique, or records would be mixed up. Rename one."
            )
        seen[case.id] = number
        cases.append(case)
    if not cases:
        first = f" First reason: {rejected[0].where}: {rejected[0].reason}." if rejected else ""
        raise NoCaseError(
            path.stem,
            f"{path.name} holds no case ({len(rejected)} lines rejected).{first} "
            "Each line is an object with id, video, question, options and answer; "
            "see docs/cases.md.",
            rejected,
        )
    return Benchmark(path.stem, tuple(cases), tuple(rejected))


def _asks_nothing(raw: dict[str, Any]) -> bool:
    question = raw.get("question")
    return isinstance(question, str) and not question.strip()


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line
