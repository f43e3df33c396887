"""Read an answer out of a reply, without ever guessing.

Letters exist only here and in `vidence.prompt`: A is the first option shown, whatever its key.
The rules, in their order, are in docs/parsing.md; the reason of an answer names the rule that
decided. Where people would disagree about a reply, the answer is `ambiguous` or `unparsed`.
"""

from __future__ import annotations

from functools import lru_cache
from math import isfinite

from vidence.answer import Answer, Reply
from vidence.parse.layout import without_echo
from vidence.parse.page import Page, page_of
from vidence.parse.rules import Finding, decide
from vidence.parse.shown import Shown
from vidence.view import Option, View

__all__ = ["CUT_OFF", "locate", "parse"]

OPEN, CUT_OFF = "open question", "cut off (length)"
"""Reasons of answers to open questions; a number at the very end of a cut one may not be whole."""
_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "max_new_tokens"})
_FILTER = frozenset({"content_filter", "safety", "prohibited_content", "blocklist", "recitation"})


def parse(reply: Reply, view: View) -> Answer:
    """Return what a reply says, with respect to the options as a view shows them.

    The value is an option's key, or the words of a reply to an open question; it is None unless
    the status is ok. The same reply and view give the same answer everywhere and always. Takes
    time linear in the length of the reply and never raises for any text.

    Args:
        reply: what the model sent; `scores`, where there are any, decide instead of the text.
        view: what it was shown; A is `view.options[0]`.
    """
    if reply.status != "ok":
        return _not_asked(reply)
    if reply.scores is not None and view.options:
        return _by_scores(reply.scores, view)
    page, still_open = page_of(reply.text)
    finish = (reply.finish_reason or "").lower()
    words = page.text.strip()
    if not view.options:
        reason = f"{OPEN}, {CUT_OFF}" if finish in _CUT else OPEN
        return Answer("ok", words, reason) if words else _nothing(reply, still_open)
    page, finding = _decide(page, view.options)
    if finding is None or _cut_inside(page, finding, finish):
        if words and finish not in _CUT | _FILTER and not still_open:
            return Answer("unparsed", reason="no rule reads an option in it")
        return _nothing(reply, still_open)
    choice = finding.choice
    if choice.position is None:
        return Answer(choice.status, reason=f"{finding.rule}: {choice.note}")
    start, end = page.raw(choice.start, choice.end)
    quoted = " ".join(reply.text[start:end].split())
    short = quoted if len(quoted) <= 40 else f"{quoted[:39]}…"
    return Answer("ok", view.options[choice.position].key, f"{finding.rule}: {short}")


def locate(reply: Reply, view: View) -> tuple[int, int] | None:
    """Return the characters of `reply.text` that decided, [start, end), or None.

    None where the text decided nothing: another status than ok of the reply, scores, an open
    question, or no readable answer.
    """
    if reply.status != "ok" or reply.scores is not None or not view.options:
        return None
    page, finding = _decide(page_of(reply.text)[0], view.options)
    return page.raw(finding.choice.start, finding.choice.end) if finding else None


def _decide(page: Page, options: tuple[Option, ...]) -> tuple[Page, Finding | None]:
    """Return the page that was read, without echoes of the options, and what decided."""
    shown = _shown(options)
    page = without_echo(page, shown)
    return page, decide(page, shown) if page.text.strip() else None


@lru_cache(maxsize=512)
def _shown(options: tuple[Option, ...]) -> Shown:
    return Shown(options)


def _not_asked(reply: Reply) -> Answer:
    if reply.status == "filtered":
        return Answer("filtered", reason=reply.error or "the service refused this content")
    if reply.status == "absent":
        return Answer("skipped", reason=reply.error or "nothing to ask about")
    return Answer("failed", reason=reply.error or "no reply came")


def _by_scores(scores: tuple[float, ...], view: View) -> Answer:
    if len(scores) != len(view.options):
        reason = f"{len(scores)} scores for {len(view.options)} options"
        return Answer("unparsed", reason=reason)
    if not all(isfinite(score) for score in scores):
        return Answer("unparsed", reason="a score is not a finite number")
    best = max(scores)
    tied = [i for i, score in enumerate(scores) if score == best]
    if len(tied) > 1:
        return Answer("ambiguous", reason=f"{len(tied)} options tied at the highest score")
    return Answer("ok", view.options[tied[0]].key, "highest score")


def _nothing(reply: Reply, still_open: bool) -> Answer:
    """Return why a reply holds no answer."""
    finish = (reply.finish_reason or "").lower()
    if finish in _FILTER:
        return Answer("filtered", reason=f"stopped by the service ({finish})")
    if finish in _CUT:
        return Answer("no_answer", reason=CUT_OFF)
    if still_open:
        return Answer("no_answer", reason="thinking was never closed")
    if reply.text.strip():
        return Answer("no_answer", reason="nothing but thinking or marks")
    return Answer("no_answer", reason="empty")


def _cut_inside(page: Page, finding: Finding, finish: str) -> bool:
    """Return whether a cut may have made a letter out of a word ("the answer is a|")."""
    choice = finding.choice
    last = page.text[choice.start : choice.end]
    return (
        finish in _CUT
        and choice.kind == "letter"
        and last in ("A", "a", "I", "i")
        and choice.end == len(page.text)
        and choice.start > 0
    )
