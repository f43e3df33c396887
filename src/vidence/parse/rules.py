"""The rules in their order. The first that speaks decides; see docs/parsing.md for the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vidence.parse import texts
from vidence.parse.layout import Item, first_letter, items, last_letter, verdict_list
from vidence.parse.letters import Choice
from vidence.parse.marks import WITHDRAWN
from vidence.parse.page import Page
from vidence.parse.remarks import remarks
from vidence.parse.shown import Shown
from vidence.parse.statements import Statement, statements

_QUESTION = re.compile(
    r"\n[\s#>]{0,6}(?:question|q|user|human)(?:\s?\d{1,4})?\s?[:.)]\s", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"(?:^|[\n.;,]\s?)(?:[a-z]{1,12}\s?)?#?(\d{1,3})\s?[:.)]\s?[\"'(\[]{0,2}([A-Z])"
    r"(?=[\"')\]]{0,2}(?:[\n.;,]|\s\(|\Z))",
    re.IGNORECASE,
)
_CONCLUDES = ("conclusion", "choice", "contrast", "ending")


@dataclass(frozen=True)
class Finding:
    """What a reply says, and the rule that decided.

    Args:
        rule: the rule's name.
        choice: what it read.
    """

    rule: str
    choice: Choice

    def unclear(self, note: str) -> Finding:
        """Return the same finding, made ambiguous for a stated reason."""
        return Finding(self.rule, self.choice.unclear(note))


LAST_RULES: tuple[tuple[str, Callable[[Page, Shown], Choice | None]], ...] = (
    ("whole text", texts.whole),
    ("opening text", texts.opening),
    ("last line text", texts.closing),
    ("refusal", texts.refusal),
    ("only words of assent around it", texts.bare_sentence),
    ("only option named", texts.only_named),
    ("text in one sentence", texts.mention),
    ("number in one sentence", texts.counted),
    ("concluding sentence", texts.concluding),
    ("equals", texts.equals),
)
"""The rules for replies that neither state an answer nor single out a letter, in order."""


def decide(page: Page, shown: Shown) -> Finding | None:
    """Return the finding of the first rule that speaks, or None."""
    return next(_findings(page, shown), None)


def _findings(page: Page, shown: Shown) -> Iterator[Finding]:
    listed = items(page, shown)
    passing = remarks(page, shown)
    stated = _stated(page, shown)
    several = _numbered(page, shown)
    if several and not (stated and stated.choice.start > several.end):
        yield Finding("numbered answers", several)
    if stated:
        finding = _unless_withdrawn(page, stated, passing)
        yield (
            finding.unclear("several questions are answered")
            if _runs_on(page, shown, finding.choice)
            else finding
        )
    yield from _by_letter(page, shown, listed, passing)
    for name, rule in LAST_RULES:
        choice = rule(page, shown)
        if choice:
            yield _unless_withdrawn(page, Finding(name, choice), [])


def _stated(page: Page, shown: Shown) -> Finding | None:
    """Return the last statement; fields that name several options are no statement."""
    found = statements(page, shown)
    last = next(found, None)
    if last is None:
        return None
    finding = Finding(f"statement ({last.rule})", last.choice)
    if last.rule == "field":
        fields = {s.choice.position for s in found if s.rule == "field"} | {last.choice.position}
        if len(fields) > 1:
            return finding.unclear(f"fields for {len(fields)} options")
    return finding


def _numbered(page: Page, shown: Shown) -> Choice | None:
    """Return an ambiguous choice where numbered questions get different letters."""
    hits = [m for m in _NUMBERED.finditer(page.text) if m[2].isupper()]
    if len({m[2] for m in hits}) < 2 or len({m[1] for m in hits}) < 2:
        return None
    note = f"{len(hits)} numbered answers"
    return Choice(hits[0].start(2), hits[-1].end(2), "ambiguous", note=note, kind="letter")


def _by_letter(
    page: Page, shown: Shown, listed: list[Item], passing: list[Statement]
) -> Iterator[Finding]:
    first, last = first_letter(page, shown, listed), last_letter(page, shown, listed)
    whole = texts.whole(page, shown)
    if whole and first and first.status == "off_list":
        first = None
    if whole and first and whole.position != first.position:
        # "(c)(a)(b)." is an option of some ordering tasks; "A" or "B. cat" may be either.
        words = re.findall(r"\w+", page.text[whole.start : whole.end])
        if len(words) > 1 and all(len(word) == 1 for word in words):
            yield Finding("whole text", whole)
        yield Finding("opening letter", whole.unclear("a letter and the text of another option"))
    if first:
        finding = Finding("opening letter", first)
        if last and last.start > first.end and _said(first) != _said(last):
            yield finding.unclear("first and last line differ")
        yield _unless_outdone(_unless_withdrawn(page, finding, passing), passing)
    elif last:
        yield Finding("last line", last)
    if passing:
        yield _remark([remark for remark in passing if remark.firm] or passing)
    right = verdict_list(page, listed)
    if right:
        yield Finding("verdict list", right)


def _said(choice: Choice) -> tuple[str, int | None]:
    return choice.status, choice.position


def _remark(passing: list[Statement]) -> Finding:
    final = passing[-1]
    named = {_said(remark.choice) for remark in passing}
    finding = Finding(f"remark ({final.rule})", final.choice)
    if len(named) == 1 or final.rule in _CONCLUDES:
        return finding
    return finding.unclear(f"{len(named)} options favoured in passing")


def _unless_withdrawn(page: Page, finding: Finding, passing: list[Statement]) -> Finding:
    """Return the finding, or what became of it if the reply goes on to take it back."""
    withdrawn = WITHDRAWN.search(page.text, max(finding.choice.end - 2, 0))
    if withdrawn is None:
        return finding
    after = [remark for remark in passing if remark.choice.start >= withdrawn.start()]
    if after:
        return Finding(f"remark ({after[-1].rule}) after a withdrawal", after[-1].choice)
    return finding.unclear("taken back without another answer")


def _unless_outdone(finding: Finding, passing: list[Statement]) -> Finding:
    """Return the finding, ambiguous if a later remark settles on another option."""
    choice = finding.choice
    for remark in passing:
        later = remark.choice.start > choice.end and remark.firm
        if later and remark.choice.position != choice.position:
            return finding.unclear("a later remark favours another option")
    return finding


def _runs_on(page: Page, shown: Shown, choice: Choice) -> bool:
    """Return whether a new question was opened after another answer had been given."""
    questions = [m.start() for m in _QUESTION.finditer(page.text, 0, choice.start)]
    if not questions:
        return False
    earlier = Page(page.text[: questions[-1]], end=questions[-1])
    stated = next(statements(earlier, shown), None)
    said = stated.choice if stated else first_letter(earlier, shown, items(earlier, shown))
    return said is not None and said.position != choice.position
