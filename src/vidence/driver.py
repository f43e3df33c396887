"""The thread that drives a run: it plans, sends, folds and commits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vidence.answer import MEDIA, Answer, Reply, Request
from vidence.call import Call, CallKind, call_key
from vidence.canary import look
from vidence.cells import RunPlan
from vidence.check import Check
from vidence.chunk import Breaker, Chunk, Sending, ask_chunk
from vidence.errors import MediaError, NotApplicableError, NothingMeasuredError, VidenceError
from vidence.executors import GRACE_SECONDS, map_items
from vidence.parse import parse
from vidence.preflight import Preflight, needs_of
from vidence.progress import OnProgress, Progress, RunInterrupted, RunSummary, Stage
from vidence.record import Cell, Record
from vidence.renderings import Resolved, Unrendered, rendering_chunks, resolved
from vidence.run_config import summarize
from vidence.seeds import seed_of
from vidence.store import Attempt, Store
from vidence.view import Case

if TYPE_CHECKING:
    from vidence.media.pixels import FrameCache


CHANGED = "is another file than when the run began; its earlier records are of the old one"


@dataclass(frozen=True)
class RunSettings:
    """How a run is carried out; nothing here changes a record.

    Args:
        executor: a name of `vidence.executors.EXECUTORS`.
        on_progress: called in the driver's thread after each commit.
        resume: go on where the folder holds this run already; otherwise that is an error.
        breaker: when a failing service stops the run.
        grace: seconds to wait, after a stop, for replies that are on their way.
        media: where decoded frames come from; by default a cache of its own.
        canary: first show three plain pictures to each model that a check asks, and stop if it
            calls them all the same (see `vidence.canary`); three calls a model, not stored.
        command: kept with the run, for people.
    """

    executor: str = "local"
    on_progress: OnProgress | None = None
    resume: bool = True
    breaker: Breaker = field(default_factory=Breaker)
    grace: float = GRACE_SECONDS
    media: FrameCache | None = None
    canary: bool = False
    command: str = ""


@dataclass
class _Open:
    """A cell whose replies are not all there yet."""

    cell: Cell
    check: Check
    shown: tuple[Resolved, ...]
    calls: tuple[str, ...]
    replies: dict[str, Reply]

    def missing(self) -> list[str]:
        return [key for key in self.calls if key not in self.replies]


class Driver:
    """Carry out what is missing of a run, in one thread that alone writes the store.

    Args:
        plan: what the run consists of.
        store: open to write.
        how: how to carry it out.
    """

    def __init__(self, plan: RunPlan, store: Store, how: RunSettings) -> None:
        self.plan, self.store, self.how = plan, store, how
        self.preflight = Preflight()
        self.final = store.final()
        self.done = len(self.final)
        self.failed = 0
        self.asked = 0
        self.changed: list[str] = []
        self.waiting: dict[str, _Open] = {}
        self.begin = time.monotonic()
        self.media: FrameCache = how.media or _frame_cache()

    def carry_out(self) -> RunSummary:
        """Ask what is missing; see `vidence.run.run` for what it raises."""
        if self.done >= self.plan.total:
            return self._summary(already_complete=True)
        try:
            self._prepare()
            self._stream(self._answer_chunks(), "answers", self.plan.total, self._answered)
        except KeyboardInterrupt as error:
            raise RunInterrupted(self._summary()) from error
        except VidenceError as error:
            error.add_note(str(self._summary()))
            raise
        summary = self._summary()
        self._refuse_nothing(summary)
        return summary

    def _prepare(self) -> None:
        needs = needs_of(self.plan, self.final, self.preflight)
        self.preflight.open_all(
            needs.videos,
            self.how.executor,
            lambda done, failed: self._tell("videos", done, len(needs.videos), failed),
        )
        if self.how.on_progress is not None and self.preflight.problems:
            count, problems = len(needs.videos), self._problems()
            self.how.on_progress(Progress("videos", count, count, len(problems), problems))
        self.changed = self.store.see_videos(self.preflight.digests)
        good = [r for r in needs.renderings if r.source.video not in self.preflight.problems]
        if self.how.canary:
            for name in self.plan.panel.members("model"):
                look(self.plan.panel.answerers[name], self.media)
        self.done, cells_done = 0, self.done
        chunks = rendering_chunks(self.plan, good, self.store)
        self._stream(chunks, "renderings", len(good), self._rendered)
        self.done, self.failed = cells_done, 0

    def _stream(
        self,
        chunks: Iterator[Chunk],
        stage: Stage,
        total: int,
        take: Callable[[Chunk, tuple[Reply, ...], float], None],
    ) -> None:
        """Send chunks as a stream and hand each one's replies to `take`, which commits them."""
        self.how.breaker.begin(self.store.worked())
        media = self.media
        members = self.plan.panel.answerers
        stream = map_items(
            lambda chunk: ask_chunk(chunk, media),
            chunks,
            key=lambda chunk: chunk.key,
            executor=self.how.executor,
            group=lambda chunk: chunk.answerer.name,
            concurrency={name: answerer.concurrency for name, answerer in members.items()},
        )
        try:
            for outcome in stream:
                take(outcome.item, outcome.get(), outcome.seconds)
                self._tell(stage, self.done, total, self.failed)
                for sending, reply in zip(outcome.item.sendings, outcome.get(), strict=True):
                    name = outcome.item.answerer.name
                    self.how.breaker.count(name, sending.purpose, reply)
        except BaseException:
            stream.stop(self.how.grace)
            for outcome in stream:  # a second Ctrl-C ends this at once
                if outcome.error is None:
                    take(outcome.item, outcome.get(), outcome.seconds)
            raise
        self._tell(stage, self.done, total, self.failed)

    def _rendered(self, chunk: Chunk, replies: tuple[Reply, ...], seconds: float) -> None:
        calls, attempts = self._kept("rendering", chunk, replies, seconds)
        self.store.commit(calls=calls, attempts=attempts)
        self.done += len(replies)
        self.failed += len(attempts)

    def _answer_chunks(self) -> Iterator[Chunk]:
        waiting: dict[str, list[Sending]] = {}
        for case, check, repeat in self.plan.groups():
            cells = [
                cell
                for cell in self.plan.cells(case, check, repeat)
                if cell.key() not in self.final
            ]
            if not cells:
                continue
            shown = self._shown(case, check, repeat, cells)
            for cell in cells if shown else ():
                answerer = self.plan.panel.answerers[cell.answerer]
                try:
                    sendings = self._sendings(cell, check, shown)
                except MediaError as error:  # the video is gone since it was opened
                    answer = Answer("failed", None, f"{MEDIA}{error}")
                    self._record([_record(cell, (), (), answer)])
                    continue
                for sending in self._open(cell, check, shown, sendings):
                    chunk = waiting.setdefault(answerer.name, [])
                    chunk.append(sending)
                    if len(chunk) >= answerer.batch:
                        yield Chunk(answerer, tuple(waiting.pop(answerer.name)))
        for name, sendings in waiting.items():
            yield Chunk(self.plan.panel.answerers[name], tuple(sendings))

    def _shown(
        self, case: Case, check: Check, repeat: int, cells: Sequence[Cell]
    ) -> tuple[Resolved, ...]:
        """Return what a group shows; nothing if its cells got their records without a question."""
        try:
            views = self.plan.views(case, check, repeat, self.preflight.duration)
            problem = self.preflight.problem(views)
            if problem is not None:
                raise Unrendered("failed", f"{MEDIA}{problem}")
            return tuple(resolved(view, self.plan, self.store) for view in views)
        except NotApplicableError as error:
            answer = Answer("skipped", None, str(error))
        except MediaError as error:
            answer = Answer("failed", None, f"{MEDIA}{error}")
        except Unrendered as error:
            answer = Answer(error.status, None, error.reason)
        self._record([_record(cell, (), (), answer) for cell in cells])
        self._tell("answers", self.done, self.plan.total, self.failed)
        return ()

    def _sendings(self, cell: Cell, check: Check, shown: tuple[Resolved, ...]) -> list[Sending]:
        """Return the requests of a cell, one a view."""
        answerer = self.plan.panel.answerers[cell.answerer]
        sendings: list[Sending] = []
        for i, one in enumerate(shown):
            names = (cell.case, check.label, i, cell.repeat, cell.answerer)
            prompt = answerer.prepare(one.view)
            request = Request(prompt, seed_of(self.plan.seed, *names), draw=cell.repeat)
            sendings.append(
                Sending(
                    key=call_key(answerer.identity, request),
                    request=request,
                    purpose=check.label,
                    shown=tuple(option.key for option in one.view.options),
                    renderings=one.renderings,
                )
            )
        return sendings

    def _open(
        self, cell: Cell, check: Check, shown: tuple[Resolved, ...], sendings: list[Sending]
    ) -> Iterator[Sending]:
        """Open a cell and yield the requests that have no reply in the store.

        Every request has its own seed, so no two cells wait for one call.
        """
        by_key = {sending.key: sending for sending in sendings}
        known = {key: reply for key in by_key if (reply := self.store.reply(key)) is not None}
        calls = tuple(sending.key for sending in sendings)
        opened = _Open(cell, check, shown, calls, known)
        if not opened.missing():
            self._record([_folded(opened)])
            return
        for key in opened.missing():
            self.waiting[key] = opened
            yield by_key[key]

    def _answered(self, chunk: Chunk, replies: tuple[Reply, ...], seconds: float) -> None:
        calls, attempts = self._kept("answer", chunk, replies, seconds)
        records: list[Record] = []
        for sending, reply in zip(chunk.sendings, replies, strict=True):
            opened = self.waiting.pop(sending.key)
            opened.replies[sending.key] = reply
            if not opened.missing():
                records.append(_folded(opened))
        self._record(records, calls, attempts)

    def _kept(
        self, kind: CallKind, chunk: Chunk, replies: tuple[Reply, ...], seconds: float
    ) -> tuple[list[Call], list[Attempt]]:
        self.asked += len(replies)
        name = chunk.answerer.name
        calls, attempts = [], []
        for sending, reply in zip(chunk.sendings, replies, strict=True):
            if reply.status == "failed":
                attempts.append(Attempt(sending.key, name, reply.error))
                continue
            calls.append(
                Call(
                    key=sending.key,
                    kind=kind,
                    answerer=name,
                    request=sending.request,
                    reply=reply,
                    shown=sending.shown,
                    renderings=sending.renderings,
                    seconds=seconds / len(replies),
                )
            )
        return calls, attempts

    def _record(
        self, records: list[Record], calls: Iterable[Call] = (), attempts: Iterable[Attempt] = ()
    ) -> None:
        self.store.commit(calls=calls, attempts=attempts, records=records)
        self.done += len(records)
        self.failed += sum(record.status == "failed" for record in records)

    def _tell(self, stage: Stage, done: int, total: int, failed: int) -> None:
        if self.how.on_progress is not None:
            self.how.on_progress(Progress(stage, done, total, failed))

    def _summary(self, *, already_complete: bool = False) -> RunSummary:
        return summarize(
            self.store,
            self.plan,
            asked=self.asked,
            videos={
                **dict.fromkeys(self.changed, CHANGED),
                **self._problems(),
            },
            already_complete=already_complete,
            seconds=time.monotonic() - self.begin,
        )

    def _problems(self) -> dict[str, str]:
        return {str(v.path): str(error) for v, error in self.preflight.problems.items()}

    def _refuse_nothing(self, summary: RunSummary) -> None:
        if self.store.count("calls", "WHERE kind = 'answer' AND status = 'ok'"):
            return
        why = "; ".join(f"{n} {s}: {r}" for (s, r), n in list(summary.reasons.items())[:3])
        raise NothingMeasuredError(
            f"Nothing measured: none of {summary.total} cells has a usable reply ({why}). "
            "Mend that, then run the same command again."
        )


def _folded(opened: _Open) -> Record:
    answers: list[Answer] = []
    notes: list[str] = []
    for key, one in zip(opened.calls, opened.shown, strict=True):
        reply = opened.replies[key]
        answers.append(parse(reply, one.view))
        notes += [*one.notes, *reply.notes]
    folded = opened.check.fold(answers)
    return _record(opened.cell, opened.calls, tuple(answers), folded, tuple(dict.fromkeys(notes)))


def _record(
    cell: Cell,
    calls: tuple[str, ...],
    answers: tuple[Answer, ...],
    answer: Answer,
    notes: tuple[str, ...] = (),
) -> Record:
    return Record(cell, calls, answers, answer.status, answer.value, answer.reason, notes)


def _frame_cache() -> FrameCache:
    from vidence.media.pixels import FrameCache

    return FrameCache()
