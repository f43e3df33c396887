"""Agents' logs in, a run of frozen trajectories out, with who can be replayed and why not."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vidence.agent_log import AGENT_LOGS, Found, Unread
from vidence.audits.agent_questions import Questions, joined
from vidence.eligibility import NO_VIDEO, Ineligible, case_of, obstacle
from vidence.errors import CaseError, MediaError, RunMismatchError, StoreError
from vidence.media.find import VideoFolder
from vidence.run_folder import FolderLock
from vidence.trajectory import Trajectory
from vidence.whole import write_whole

TRAJECTORIES = "trajectories.jsonl"
ELIGIBILITY = "eligibility.json"
FORM = "vidence.eligibility/1"


@dataclass(frozen=True)
class Logs:
    """What is imported.

    Args:
        files: logs of one agent.
        format: a name of `vidence list agent_logs`.
        table: for a form that a table describes: its name, or a TOML file.
        videos: folder of the video files.
        questions: keys and annotated spans by question, see `Questions`.
        scores: result of each question as the agent's harness counts it.
    """

    files: tuple[Path, ...]
    format: str
    table: str | Path | None = None
    videos: Path | None = None
    questions: Questions | None = None
    scores: Path | None = None


@dataclass(frozen=True)
class Conflict:
    """A question of which the logs hold different runs; none was taken.

    Args:
        qid: the question.
        where: their places.
    """

    qid: str
    where: tuple[str, ...]


@dataclass(frozen=True)
class Imported:
    """What an import found.

    Args:
        folder: of the run.
        trajectories: kept, in the order of the logs; those of the folder first.
        eligible: question -> None, or why it cannot be replayed.
        unread: records that are no trajectory.
        conflicts: questions with several runs.
        repeated: records that repeat a trajectory.
        added: trajectories that the folder did not hold before.
        records: in the logs of this import.
        asked: questions of the annotation file, None without one.
        not_on_disk: questions with a result, but without a trajectory.
        videos: folder of the video files, for a replay.
    """

    folder: Path
    trajectories: tuple[Trajectory, ...]
    eligible: Mapping[str, Ineligible | None]
    unread: tuple[Unread, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    repeated: int = 0
    added: int = 0
    records: int = 0
    asked: tuple[str, ...] | None = None
    not_on_disk: tuple[str, ...] = field(default=())
    videos: Path | None = None

    @property
    def reasons(self) -> dict[str, int]:
        """Return reason -> questions that cannot be replayed for it."""
        found = Counter(why.reason for why in self.eligible.values() if why is not None)
        return dict(found.most_common())

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        mine = self.trajectories
        return {
            "form": FORM,
            "run": str(self.folder),
            "videos": None if self.videos is None else str(self.videos.absolute()),
            "agents": sorted({t.run.agent for t in mine}),
            "counts": {
                "records": self.records,
                "trajectories": len(mine),
                "added": self.added,
                "repeated": self.repeated,
                "unread": len(self.unread),
                "conflicts": len(self.conflicts),
                "answered": sum(t.answer.position is not None for t in mine),
                "scored": sum(t.sample.gold is not None for t in mine),
                "right": sum(_right(t) is True for t in mine),
                "eligible": sum(why is None for why in self.eligible.values()),
                "videos": len({t.sample.video.id for t in mine}),
                "evidence": sum(len(t.evidence) for t in mine),
                "calls": sum(e.type == "tool_call" for t in mine for e in t.events),
                "failed_calls": sum(_failures(t) for t in mine),
            },
            "reasons": self.reasons,
            "stops": dict(Counter(t.stop for t in mine).most_common()),
            "asked": None if self.asked is None else len(self.asked),
            "missing": self.missing,
            "not_on_disk": list(self.not_on_disk),
            "unread": [
                {"where": u.where, "reason": u.reason, "qid": u.qid, "scored": u.scored}
                for u in self.unread
            ],
            "conflicts": [{"qid": c.qid, "where": list(c.where)} for c in self.conflicts],
            "questions": [_question(t, self.eligible[t.sample.qid]) for t in mine],
        }

    @property
    def missing(self) -> list[str]:
        """Return the questions that were asked and have no trajectory."""
        there = {t.sample.qid for t in self.trajectories}
        return [qid for qid in self.asked or () if qid not in there]


def import_logs(logs: Logs, folder: str | os.PathLike[str]) -> Imported:
    """Read logs and keep their trajectories in a run's folder, as `trajectories.jsonl`.

    The same logs again change nothing; further logs are added. A question of which two logs hold
    different runs is left out and named.

    Args:
        logs: what is imported.
        folder: of the run; made if needed.

    Raises:
        UnknownNameError: no such format.
        UsageError: a table where none belongs, or none where one is needed.
        CaseError: a file that cannot be opened, or logs without one trajectory.
        RunMismatchError: the folder holds another run of a question.
        StoreError: the folder cannot be written.
    """
    form = AGENT_LOGS[logs.format]
    found = [item for path in logs.files for item in form(path, logs.table)]
    unread = [item for item in found if isinstance(item, Unread)]
    films = VideoFolder(logs.videos) if logs.videos is not None else None
    read = [_located(item, films) for item in found if isinstance(item, Trajectory)]
    if logs.questions is not None:
        read, strangers = joined(read, logs.questions)
        unread += strangers
    kept, conflicts, repeated = _one_each(read)
    if not kept:
        raise CaseError(_nothing(logs, unread, conflicts))
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{target} cannot be made: {error.strerror}. Choose another.") from None
    lock = FolderLock(target)
    try:
        merged, added = _merged(kept, target)
        made = Imported(
            folder=target,
            trajectories=tuple(merged),
            eligible={t.sample.qid: _why_not(t, logs.videos, films) for t in merged},
            unread=tuple(unread),
            conflicts=tuple(conflicts),
            repeated=repeated,
            added=added,
            records=len(found),
            asked=None if logs.questions is None else logs.questions.ids,
            not_on_disk=_without_trace(logs, merged, unread),
            videos=logs.videos,
        )
        write_whole(target / TRAJECTORIES, "".join(f"{t.model_dump_json()}\n" for t in merged))
        data = made.to_json()
        del data["counts"]["added"]  # the same import again leaves the same file
        body = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
        write_whole(target / ELIGIBILITY, f"{body}\n")
    finally:
        lock.release()
    return made


def load_trajectories(folder: str | os.PathLike[str]) -> list[Trajectory]:
    """Return the trajectories of a run's folder.

    Raises:
        StoreError: there are none, or a line of the file is damaged.
    """
    path = Path(folder) / TRAJECTORIES
    if not path.is_file():
        raise StoreError(f"{folder} holds no {TRAJECTORIES}. Make it with `vidence agent import`.")
    found = list(AGENT_LOGS["vidence"](path))
    for item in found:
        if isinstance(item, Unread):
            raise StoreError(f"{item.where}: {item.reason}. The run is damaged; import it again.")
    return [item for item in found if isinstance(item, Trajectory)]


def _located(trajectory: Trajectory, films: VideoFolder | None) -> Trajectory:
    """Return a trajectory whose video is a path below the folder of videos, or has none."""
    film = trajectory.sample.video
    if films is None:
        return trajectory
    path, problem = _find(films, film.path or film.id)
    if path is None:
        path, second = _find(films, film.id)
        problem = problem if path is None else second
    changed = film.model_copy(update={"path": path})
    notes = trajectory.notes if path else (*trajectory.notes, f"video: {problem}")
    sample = trajectory.sample.model_copy(update={"video": changed})
    evidence = tuple(
        e if e.video is None else e.model_copy(update=_moved(films, e.video))
        for e in trajectory.evidence
    )
    return trajectory.model_copy(update={"sample": sample, "notes": notes, "evidence": evidence})


def _moved(films: VideoFolder, name: str) -> dict[str, Any]:
    path, problem = _find(films, name)
    return {"video": path} if path else {"obstacle": problem}


def _find(films: VideoFolder, name: str) -> tuple[str | None, str]:
    """Return the path of a name below the folder; folders of another machine do not count."""
    names = [name, name.replace("\\", "/").rpartition("/")[2]]
    problem = "the log does not name it"
    for candidate in dict.fromkeys(n for n in names if n):
        try:
            return films.find(candidate).path.relative_to(films.folder).as_posix(), ""
        except MediaError as error:
            problem = str(error)
        except (OSError, ValueError) as error:
            problem = f"{candidate!r}: {error}"
    return None, problem


def _one_each(found: Iterable[Trajectory]) -> tuple[list[Trajectory], list[Conflict], int]:
    by_qid: dict[str, list[Trajectory]] = {}
    for trajectory in found:
        by_qid.setdefault(trajectory.sample.qid, []).append(trajectory)
    kept, conflicts, repeated = [], [], 0
    for qid, several in by_qid.items():
        first = several[0]
        if all(_same(other, first) for other in several[1:]):
            kept.append(first)
            repeated += len(several) - 1
        else:
            conflicts.append(Conflict(qid, tuple(_place(t) for t in several)))
    return kept, conflicts, repeated


def _same(one: Trajectory, other: Trajectory) -> bool:
    """Say whether two are one run, wherever it was read."""
    return _content(one) == _content(other)


def _content(trajectory: Trajectory) -> dict[str, Any]:
    body = trajectory.model_dump(exclude={"provenance", "notes"})
    for message in body["messages"]:
        del message["source"]
    return body


def _place(trajectory: Trajectory) -> str:
    source = trajectory.provenance
    return f"{source.file}, {source.place}" if source.place else source.file


def _merged(kept: Sequence[Trajectory], folder: Path) -> tuple[list[Trajectory], int]:
    if not (folder / TRAJECTORIES).exists():
        return list(kept), len(kept)
    before = {t.sample.qid: t for t in load_trajectories(folder)}
    other = [
        t.sample.qid for t in kept if t.sample.qid in before and not _same(before[t.sample.qid], t)
    ]
    if other:
        raise RunMismatchError(
            f"{folder} holds another run of {len(other)} questions ({', '.join(other[:5])}). "
            "Nothing was changed. Import into another folder."
        )
    new = [t for t in kept if t.sample.qid not in before]
    return [*before.values(), *new], len(new)


def _why_not(
    trajectory: Trajectory, videos: Path | None, films: VideoFolder | None
) -> Ineligible | None:
    found = case_of(trajectory, videos)
    if not isinstance(found, Ineligible):
        return None
    if found.reason == NO_VIDEO and films is not None:
        said = [note for note in trajectory.notes if note.startswith("video: ")]
        return Ineligible(found.qid, found.reason, said[-1][7:] if said else found.detail)
    return found


def _without_trace(
    logs: Logs, kept: Sequence[Trajectory], unread: Sequence[Unread]
) -> tuple[str, ...]:
    from vidence.audits.agent_questions import scored_ids

    there = {t.sample.qid for t in kept}
    named = [u.qid or u.where for u in unread if u.scored]
    if logs.scores is not None:
        named += [qid for qid in scored_ids(logs.scores) if qid not in there]
    return tuple(dict.fromkeys(named))


def _right(trajectory: Trajectory) -> bool | None:
    gold = trajectory.sample.gold
    return None if gold is None else trajectory.answer.position == gold


def _failures(trajectory: Trajectory) -> int:
    return sum(e.type == "tool_result" and e.ok is False for e in trajectory.events)


def _question(trajectory: Trajectory, why: Ineligible | None) -> dict[str, Any]:
    return {
        "qid": trajectory.sample.qid,
        "video": trajectory.sample.video.id,
        "eligible": why is None,
        "reason": why.reason if why else None,
        "detail": why.detail if why else None,
        "right": _right(trajectory),
        "stop": trajectory.stop,
        "evidence": len(trajectory.evidence),
        "replayable": sum(obstacle(item) is None for item in trajectory.evidence),
        "calls": sum(e.type == "tool_call" for e in trajectory.events),
        "failed_calls": _failures(trajectory),
        "notes": list(trajectory.notes),
        "where": _place(trajectory),
    }


def _nothing(logs: Logs, unread: Sequence[Found], conflicts: Sequence[Conflict]) -> str:
    first = next((u for u in unread if isinstance(u, Unread)), None)
    said = f" The first: {first.where}: {first.reason}." if first else ""
    if conflicts:
        said += f" {len(conflicts)} questions are in conflict: {conflicts[0].qid}."
    names = ", ".join(path.name for path in logs.files[:3])
    return (
        f"{names} holds no trajectory that can be kept ({len(unread)} records unread).{said} "
        f"Nothing was written. Check the files and --format {logs.format}."
    )
