"""Read where things stand: first and last lines, lists of options, echoes of the prompt."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vidence.parse.letters import Choice, ends_line, letter_at
from vidence.parse.page import Page
from vidence.parse.shown import Shown

_ITEM = re.compile(
    r"(?:^|\n)[\s#>|•*\-]{0,6}(?:\d{1,2}[.)]\s)?(?:(?:option|choice)\s)?[\"'(\[]{0,2}"
    r"([A-Za-z])[\"')\]]{0,2}(?:\s?[.):|\]–—-]|(?=\s?(?:\n|\Z)))",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"[\s#>|•\-\"'(\[<{✅✔☑👉]{0,12}"
    r"(?:(?:sure|okay|ok|certainly|of course|great|alright|yes)[,.!:]\s)?"
    r"(?:(?:assistant|the correct|correct|the)[:\s]\s?)?"
    r"(?:(?:option|choice|letter|answer|opci[óo]n|opção|alternativa|opzione|вариант|选项|選択肢)\s?)?"
    r"[\"'(\[<]{0,3}",
    re.IGNORECASE,
)
_VERDICT_GOOD = re.compile(
    r"(?<!not )(?<!\w)correct(?!ly)|✅|✓|✔|☑|(?<!\w)(?:true|right answer|matches)(?!\w)", re.I
)
_VERDICT_BAD = re.compile(
    r"incorrect|not correct|❌|✗|✘|✖|☒|(?<!\w)(?:wrong|false|not|no|n't|implausible|unlikely"
    r"|contradict\w*|ruled|eliminated)(?!\w)|n't",
    re.I,
)


@dataclass(frozen=True)
class Item:
    """A line that starts with an option's letter.

    Args:
        start: where the line starts.
        at: where the letter stands.
        end: one past the letter and its delimiter.
        position: the option as shown.
        bare: nothing else is on the line.
    """

    start: int
    at: int
    end: int
    position: int
    bare: bool


def without_echo(page: Page, shown: Shown) -> Page:
    """Return the page without full repetitions of the list of options.

    A repetition names every option in order, each letter with its own text.
    """
    if len(shown) < 2 or len(shown) > 26 or not all(shown.texts):
        return page
    if not all(text in page.flat for text in shown.texts):
        return page
    gap = r"[\s\"'.,;:|/•*#>\-]{0,6}"
    parts = [
        rf"[(\[]?(?:option )?{chr(97 + i)}[\"')\]]?\s?[.):\]=|-]?\s?[\"'(]?(?:an?\s|the\s)?"
        + re.escape(text)
        for i, text in enumerate(shown.texts)
    ]
    pattern = re.compile(r"(?<![\w'])" + gap.join(parts) + r"[\"'.,;)!?]{0,3}(?!\w)")
    echoes = [m.span() for m in pattern.finditer(page.flat)]
    return page.edit((begin, stop, "\n") for begin, stop in echoes) if echoes else page


def items(page: Page, shown: Shown) -> list[Item]:
    """Return the lines that start with an option's letter and a delimiter, in order."""
    found: list[Item] = []
    for m in _ITEM.finditer(page.text):
        position = shown.position(m[1])
        closed = m[0].rstrip()[-1:] in ".):]"
        if position is not None and (m[1].isupper() or closed):
            found.append(Item(m.start(), m.start(1), m.end(), position, ends_line(page, m.end())))
    return found


def first_letter(page: Page, shown: Shown, listed: list[Item]) -> Choice | None:
    """Read a letter that opens the reply, unless it opens a list of options."""
    opening = _OPENING.match(page.text)
    at = opening.end() if opening else 0
    choice = letter_at(page, shown, at, strict=True)
    if choice is None:
        return None
    if choice.status == "ambiguous" or choice.position is None:
        return choice
    rest = [item for item in listed if item.at > choice.start]
    if not choice_is_bare(page, choice) and _next_inline(page, choice):
        return None
    if not rest:
        return choice
    line_ends = ends_line(page, choice.end)
    following = rest[0]
    if line_ends and choice_is_bare(page, choice):
        return _equals(page, choice, following) or choice
    if following.position == choice.position + 1 or not line_ends:
        return None
    return choice


def last_letter(page: Page, shown: Shown, listed: list[Item]) -> Choice | None:
    """Read a letter, alone or with its own text, that is all of the last line."""
    body = page.text.rstrip()
    start = body.rfind("\n") + 1
    if start == 0:
        return None
    opening = _OPENING.match(page.text, start)
    choice = letter_at(page, shown, opening.end() if opening else start, strict=True)
    if choice is None or not ends_line(page, choice.end):
        return None
    earlier = [item for item in listed if item.at < choice.start]
    bare = choice_is_bare(page, choice)
    if earlier and choice.position is not None:
        before = earlier[-1]
        adjacent = "\n" not in page.text[before.end : start - 1]
        if not bare and before.position == choice.position - 1:
            return None
        if bare and before.bare and adjacent and before.position != choice.position:
            return Choice(
                before.at, choice.end, "ambiguous", note="a list of letters", kind="letter"
            )
    return choice


def choice_is_bare(page: Page, choice: Choice) -> bool:
    """Return whether a letter choice is the letter, its wrappers and nothing else on its line."""
    return choice.end - choice.start <= 4 and ends_line(page, choice.end)


def _next_inline(page: Page, choice: Choice) -> bool:
    """Return whether the next letter starts an item later on the same line ("A. ... B. ...")."""
    following = chr(66 + (choice.position or 0))
    line = page.text.find("\n", choice.end)
    stop = line if line >= 0 else len(page.text)
    item = re.compile(
        rf"[\s(\[]{following}(?:[.:]\s|\)\s|\]\s|\s[-–—]\s)(?!(?:is|was|would|has|can|does)(?!\w))"
    )
    return item.search(page.text, choice.end, min(stop, choice.end + 2_000)) is not None


def _equals(page: Page, choice: Choice, following: Item) -> Choice | None:
    adjacent = "\n" not in page.text[choice.end : following.start].strip(" ")
    if following.bare and adjacent and following.position != choice.position:
        return Choice(
            choice.start, following.end, "ambiguous", note="a list of letters", kind="letter"
        )
    return None


def verdict_list(page: Page, listed: list[Item]) -> Choice | None:
    """Read a list that calls exactly one option right and every other one wrong."""
    if len({item.position for item in listed}) < 2 or len(listed) > 60:
        return None
    good: list[Item] = []
    for item, following in zip(listed, [*listed[1:], None], strict=True):
        stop = following.start if following else page.text.find("\n", item.end)
        text = page.text[item.end : stop if stop >= 0 else len(page.text)][:600]
        right, wrong = _VERDICT_GOOD.search(text), _VERDICT_BAD.search(text)
        if right and not wrong:
            good.append(item)
        elif not wrong:
            return None
    if len(good) != 1:
        return None
    return Choice(good[0].at, good[0].end, "ok", good[0].position, kind="letter")
