"""Where a model thinks aloud and where it speaks.

Three rules. A closed block is thinking. A closing tag without an opening one makes everything
before it thinking. An opening tag without a closing one makes everything after it thinking,
except an `<answer>...</answer>` that ends the reply.
"""

from __future__ import annotations

import re

Spans = list[tuple[int, int]]

_NAMES = (
    "think|thinking|thoughts?|reasoning|reason|analysis|reflection|scratchpad|seed:think"
    "|inner_?monologue|rationale|cot"
)
_TAG = re.compile(
    rf"<\|?(?P<close1>/?)(?:{_NAMES})\|?\s?>"
    r"|[◁◀](?P<close2>/?)think[▷▶]"
    r"|\[(?P<close3>/?)THINK\]"
    r"|<\|(?:begin|(?P<close4>end))_of_thought\|>",
    re.IGNORECASE,
)
_ANSWER_AT_END = re.compile(r"<answer>[^<>]{1,400}</answer>\s{0,20}\Z", re.IGNORECASE)
_CHANNEL = "<|channel|>"
_MESSAGE = "<|message|>"
_CHANNEL_END = re.compile(r"<\|(?:return|end|start|channel|call)\|>")
# The same protocol after a client has dropped its special tokens.
_BARE_ANALYSIS = re.compile(r"\s{0,20}analysis(?=[A-Z])")
_BARE_FINAL = "assistantfinal"


def visible(reply: str) -> tuple[Spans, bool]:
    """Return what a reply says aloud, as spans in order, and whether thinking was left open."""
    if _CHANNEL in reply:
        return _final_channel(reply)
    if _BARE_ANALYSIS.match(reply):
        at = reply.rfind(_BARE_FINAL)
        return ([], True) if at < 0 else ([(at + len(_BARE_FINAL), len(reply))], False)
    kept: Spans = []
    at = 0
    open_at: int | None = None
    for tag in _TAG.finditer(reply):
        if any(tag.groups()):
            if open_at is None:
                kept = []
            at, open_at = tag.end(), None
        elif open_at is None:
            kept.append((at, tag.start()))
            open_at = tag.start()
    if open_at is None:
        kept.append((at, len(reply)))
        return kept, False
    # The answer tag stands in the last 500 characters or nowhere.
    answer = _ANSWER_AT_END.search(reply, max(open_at, len(reply) - 500))
    return ([*kept, answer.span()], False) if answer else (kept, True)


def _final_channel(reply: str) -> tuple[Spans, bool]:
    at = reply.rfind(f"{_CHANNEL}final")
    body = reply.find(_MESSAGE, at) if at >= 0 else -1
    if body < 0:
        return [], True
    start = body + len(_MESSAGE)
    end = _CHANNEL_END.search(reply, start)
    return [(start, end.start() if end else len(reply))], False
