"""Captions, transcripts and other text that a model makes, before any question is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vidence.answer import Answerer, AnswerStatus, Reply, Request
from vidence.call import call_key
from vidence.cells import RunPlan, Seed
from vidence.chunk import RENDERINGS, Chunk, Sending
from vidence.errors import MediaError
from vidence.parse.thinking import visible
from vidence.seeds import seed_of
from vidence.store import Store
from vidence.view import Rendering, Text, View

_NAMES = {"transcriber": "transcript", "captioner": "caption"}


@dataclass(frozen=True)
class Unrendered(Exception):  # noqa: N818
    """A view cannot be shown, since a rendering has no text; status and reason for its record."""

    status: AnswerStatus
    reason: str


def no_maker(role: str) -> str:
    """Return the reason of cells whose role nobody has."""
    return f"no {role} in the panel"


def rendering_chunks(
    plan: RunPlan, renderings: Iterable[Rendering], store: Store
) -> Iterator[Chunk]:
    """Yield what to ask the makers, each rendering once; those with a text are left out.

    The seed is named by the run and the rendering alone, so that every check, answerer and repeat
    shares its text.
    """
    waiting: dict[str, list[Sending]] = {}
    for rendering in renderings:
        maker = plan.panel.maker(rendering.role)
        try:
            key = rendering.key()
            if maker is None or store.rendered(key) is not None:
                continue
            request = rendering_request(maker, rendering, plan.seed)
            name = call_key(maker.identity, request)
        except MediaError:
            continue  # the video is gone since it was opened; the cells' records will say so
        sending = Sending(key=name, request=request, purpose=RENDERINGS, renderings=(key,))
        chunk = waiting.setdefault(maker.name, [])
        chunk.append(sending)
        if len(chunk) >= maker.batch:
            yield Chunk(maker, tuple(waiting.pop(maker.name)))
    for name, sendings in waiting.items():
        yield Chunk(plan.panel.answerers[name], tuple(sendings))


def rendering_request(maker: Answerer, rendering: Rendering, seed: Seed) -> Request:
    """Return the request that makes a rendering."""
    return Request(
        prompt=maker.prepare(rendering.view()),
        seed=seed_of(seed, "rendering", rendering.key()),
        draw=rendering.draw,
    )


@dataclass(frozen=True)
class Resolved:
    """A view with the text of its renderings.

    Args:
        view: what is shown.
        renderings: keys of the renderings whose text it shows.
        notes: what their makers noted ("the same line 40 times").
    """

    view: View
    renderings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def resolved(view: View, plan: RunPlan, store: Store) -> Resolved:
    """Return a view with the text of its renderings.

    Raises:
        Unrendered: nobody makes them, the maker has nothing, or it failed.
    """
    texts: dict[str, Text] = {}
    notes: list[str] = []
    for rendering in view.renderings():
        maker = plan.panel.maker(rendering.role)
        if maker is None:
            raise Unrendered("skipped", no_maker(rendering.role))
        reply = store.rendered(rendering.key())
        if reply is None:
            raise Unrendered("failed", f"the {rendering.role} {maker.name!r} gave no text")
        if reply.status == "filtered":
            raise Unrendered("filtered", f"{rendering.role} {maker.name!r}: {reply.error}")
        text = _spoken(reply)
        if not text:
            raise Unrendered("skipped", _nothing(rendering, reply))
        texts[rendering.key()] = Text(text, origin=maker.name)
        notes += reply.notes
    return Resolved(view.resolve(texts), tuple(texts), tuple(dict.fromkeys(notes)))


def _nothing(rendering: Rendering, reply: Reply) -> str:
    """Return why there is no text, in words that are the same for many videos, to be counted."""
    what = f"no {_NAMES.get(rendering.role, 'text')}"
    if not reply.error or rendering.source.video.path.name in reply.error:
        return what
    return f"{what}: {reply.error}"


def _spoken(reply: Reply) -> str:
    """Return what a maker says aloud; thinking is not part of a caption."""
    spans, _ = visible(reply.text)
    aloud = "".join(reply.text[start:end] for start, end in spans)
    return aloud.strip() if reply.status == "ok" else ""
