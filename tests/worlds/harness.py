"""Ask answerers the checks of cases, without a run around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.worlds.oracle import said
from vidence.answer import Answerer, Reply, Request
from vidence.check import make_check
from vidence.media.clip import Clip
from vidence.media.pixels import FrameCache
from vidence.media.video import probe
from vidence.parse import parse
from vidence.seeds import rng_of, seed_of
from vidence.view import Case, Context, Text, View
from vidence.worlds.captioner import WorldCaptioner

CAPTIONER = WorldCaptioner(name="scribe")


def view_of(case: Case, check: str, number: int, media: FrameCache) -> View:
    """Return a check's view of a case, captions and transcripts made; seeds by the number."""
    seed = seed_of("harness", check, number)
    context = Context(case.id, rng_of(seed), seed, duration=play_time)
    (view,) = make_check(check).views(case.view, context)
    texts = {}
    for place, part in enumerate(view.renderings()):
        if part.role == "transcriber":
            text = said(part.source.video.path.with_suffix(".srt"))
        else:
            request = Request(CAPTIONER.prepare(part.view()), seed_of(seed, place))
            (reply,) = CAPTIONER.ask([request], media)
            text = reply.text
        texts[part.key()] = Text(text)
    return view.resolve(texts)


def play_time(clip: Clip) -> float:
    return probe(clip.video).duration


def replies(
    cases: Sequence[Case], checks: Iterable[str], panel: Sequence[Answerer], media: FrameCache
) -> dict[tuple[int, str, str], tuple[View, Reply]]:
    """Return (place of the case, check, answerer) -> what was shown and what came back."""
    found = {}
    for number, case in enumerate(cases):
        for check in checks:
            view = view_of(case, check, number, media)
            for member in panel:
                request = Request(member.prepare(view), seed_of(check, number, member.name))
                (reply,) = member.ask([request], media)
                found[number, check, member.name] = view, reply
    return found


def right(case: Case, shown: tuple[View, Reply]) -> bool:
    """Say whether a reply chose the key."""
    view, reply = shown
    answer = parse(reply, view)
    return answer.status == "ok" and answer.value == case.gold
