"""From a frozen trajectory to a case that can be replayed, or the reason why it cannot.

A question is eligible if its answer could be read, and if at least one piece of evidence has
frames that can be rebuilt, a query for whoever puts them into words, and words in the dialogue
that can be replaced. Source: CARVE, section 5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vidence.media.clip import At, Clip, Fps, Video
from vidence.trajectory import EvidenceItem, Trajectory
from vidence.view import Case, Evidence, Option, Part, Text, View

NO_ANSWER = "no answer"
UNREAD_ANSWER = "answer not readable"
UNPLACED_ANSWER = "place of the answer not known"
NO_OPTIONS = "no options"
ONE_OPTION = "one option"
NO_EVIDENCE = "no evidence"
NOT_REBUILT = "no evidence that can be replayed"
NO_VIDEO = "no video"
DEFAULT_SAMPLING = Fps(2.0, 32)
WITHHELD_ANSWER = "[answer]"
"""What stands where an earlier answer is taken out."""
_MOST_TIMES = 100_000


@dataclass(frozen=True)
class Ineligible:
    """A question that cannot be replayed.

    Args:
        qid: the question.
        reason: one of a few, to be counted.
        detail: what came.
    """

    qid: str
    reason: str
    detail: str


def case_of(trajectory: Trajectory, videos: Path | None = None) -> Case | Ineligible:
    """Return a trajectory as a case whose view is the dialogue up to the answer.

    The dialogue ends before the message that holds the answer, or the answerer would read it. The
    key is `gold`, the agent's answer `committed`; neither is in the view.

    Args:
        trajectory: frozen.
        videos: folder of the video files; without it paths are relative to the working folder.
    """
    sample, answer = trajectory.sample, trajectory.answer
    if not sample.options:
        return Ineligible(sample.qid, NO_OPTIONS, "the question has no options to compare")
    if len(sample.options) == 1:
        return Ineligible(sample.qid, ONE_OPTION, "with one option no answer can change")
    if answer.position is None:
        return _unanswered(trajectory)
    if answer.message is None:
        return Ineligible(
            sample.qid, UNPLACED_ANSWER, "a replay could show it: no message is named as its own"
        )
    if sample.video.path is None and not any(item.video for item in trajectory.evidence):
        return Ineligible(sample.qid, NO_VIDEO, "the log does not name a video file")
    if not trajectory.evidence:
        return Ineligible(sample.qid, NO_EVIDENCE, "nothing was retrieved")
    obstacles = {obstacle(item) or "" for item in trajectory.evidence}
    if "" not in obstacles:
        return Ineligible(sample.qid, NOT_REBUILT, "; ".join(sorted(obstacles)))
    parts = dialogue(trajectory, videos or Path())
    if not any(isinstance(part, Evidence) and part.clip is not None for part in parts):
        return Ineligible(sample.qid, NOT_REBUILT, "all of it stands after the answer")
    view = View(
        question=sample.question,
        options=tuple(Option(i, text) for i, text in enumerate(sample.options)),
        parts=tuple(("dialogue", part) for part in parts),
    )
    return Case(
        id=sample.qid,
        view=view,
        gold=sample.gold,
        committed=answer.position,
        cluster=sample.video.id,
        spans=tuple(sample.gold_spans),
        tags=dict(sample.tags),
        row={
            "looked": [list(span) for span in looked_at(trajectory)],
            **({} if answer.confidence is None else {"confidence": answer.confidence}),
        },
    )


def _unanswered(trajectory: Trajectory) -> Ineligible:
    """Return why there is no answer: words without a letter, or how the run ended without any."""
    answer, qid = trajectory.answer, trajectory.sample.qid
    if answer.raw is not None:
        return Ineligible(qid, UNREAD_ANSWER, answer.why_not or "no option could be read")
    stop = trajectory.stop.replace("_", " ")
    reason = NO_ANSWER if stop in ("unknown", "answered") else f"{NO_ANSWER} ({stop})"
    return Ineligible(qid, reason, answer.why_not or f"the run ended by {stop}")


def obstacle(item: EvidenceItem) -> str | None:
    """Return why a piece of evidence cannot be replayed, None if it can."""
    if item.obstacle:
        return item.obstacle
    if item.kind != "frames":
        return f"made of {item.kind}, not of frames"
    if not item.times and (item.start is None or item.end is None):
        return "its times are not known"
    if not item.query and item.shown == "words":
        return "what the renderer was asked is not known"
    return None


def dialogue(trajectory: Trajectory, videos: Path) -> list[Part]:
    """Return the messages up to the answer as text, cut where evidence stands.

    Answers that the agent gave before, and looked again, are taken out: a replay would repeat
    them.
    """
    last = trajectory.answer.message
    early = [e for e in trajectory.events if e.type == "answer" and e.span is not None]
    parts: list[Part] = []
    pending: list[str] = []
    for number, message in enumerate(trajectory.messages[:last]):
        pending.append(f"\n\n[{message.role}]\n" if number else f"[{message.role}]\n")
        at = 0
        here: list[tuple[tuple[int, int], int | None]] = [
            (item.span, i) for i, item in enumerate(trajectory.evidence) if item.message == number
        ]
        here += [(event.span, None) for event in early if event.message == number and event.span]
        for (begin, end), i in sorted(here, key=lambda pair: pair[0]):
            start = max(begin, at)
            if end <= start:
                continue  # inside another piece's words
            pending.append(message.text[at:start])
            at = end
            if i is None:
                pending.append(WITHHELD_ANSWER)
                continue
            parts.append(Text("".join(pending)))
            pending = []
            parts.append(_evidence(trajectory, i, message.text[start:end], videos))
        pending.append(message.text[at:])
    if rest := "".join(pending):
        parts.append(Text(rest))
    return parts


def _evidence(trajectory: Trajectory, number: int, words: str, videos: Path) -> Evidence:
    item, film = trajectory.evidence[number], trajectory.sample.video
    path, fps = (item.video, None) if item.video else (film.path, film.fps)
    clip = None
    if path is not None and not obstacle(item):
        clip = clip_of(item, Video(videos / path, fps=fps))
    frames = item.shown == "frames"
    if frames:  # the words beside frames may be an answer made of them
        words = "[frames]"
    return Evidence(words, clip, item.query or "", number, frames and clip is not None)


def clip_of(item: EvidenceItem, film: Video) -> Clip:
    """Return the frames of a piece of evidence as a recipe.

    Args:
        item: without an obstacle.
        film: the video.
    """
    size = item.sampling.size if item.sampling else None
    if item.times:
        return Clip(film, sampling=At(item.times), size=size)
    sampling = DEFAULT_SAMPLING
    if item.sampling:
        sampling = Fps(item.sampling.fps, item.sampling.most)
    if item.stretches:
        return Clip(film, sampling=At(_thinned(item.stretches, sampling)), size=size)
    start, end = item.start or 0.0, item.end or 0.0
    if end - start < 1:  # a point in time shows nothing; half a second on either side does
        start, end = max(0.0, start - 0.5), end + 0.5
    return Clip(film, start, end, sampling=sampling, size=size)


def _thinned(stretches: Sequence[tuple[float, float]], sampling: Fps) -> tuple[float, ...]:
    """Return the times of frames in several stretches, as many as one stretch would have."""
    times: list[float] = []
    for start, end in stretches:
        count = max(1, math.ceil((end - start) * sampling.fps - 1e-6))
        times += [start + i / sampling.fps for i in range(min(count, _MOST_TIMES))]
    n = min(len(times), sampling.cap)
    return tuple(times[(2 * i + 1) * len(times) // (2 * n)] for i in range(n))


def looked_at(trajectory: Trajectory) -> Sequence[tuple[float, float]]:
    """Return the spans of play time that the agent looked at, in seconds, joined and in order."""
    spans = []
    for item in trajectory.evidence:
        if item.kind == "frames" and item.stretches:
            spans += list(item.stretches)
        elif item.kind == "frames" and item.times:
            spans += [(time, time) for time in item.times]
        elif item.kind == "frames" and item.start is not None and item.end is not None:
            spans.append((item.start, item.end))
    joined: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
