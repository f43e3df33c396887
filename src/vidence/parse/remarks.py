"""Find remarks that single out a letter without calling it the answer ("so B", "I pick B")."""

from __future__ import annotations

import re

from vidence.parse.letters import Choice
from vidence.parse.marks import POST_NEGATED, PREDICATE, SUPPOSED
from vidence.parse.page import Page
from vidence.parse.shown import Shown
from vidence.parse.statements import MOST, Statement, before, sentence
from vidence.parse.values import value_at
from vidence.parse.words import BUT, NEGATION, WRONG, spoken

_SO = re.compile(
    r"(?:^|[.!?;\n]\s?|,\s?)(?:and\s)?(?:therefore|thus|hence|so|accordingly|consequently|overall"
    "|finally|ultimately|in (?:conclusion|summary|short)|to (?:conclude|sum up|summari[sz]e)"
    "|conclusion|daher|also|somit|deshalb|folglich|donc|ainsi|por (?:lo )?tanto|entonces"
    "|as[íi] que|portanto|logo|quindi|dunque|perci[òo]|поэтому|итак|значит|因此|所以|故"
    "|综上(?:所述)?|よって|したがって|従って|따라서|그러므로|vì vậy|do đó|dolayısıyla|bu nedenle"
    r"|इसलिए|لذلك)(?!\w)[,:]?\s?|[∴⇒]\s?|=>\s?",
    re.I,
)
_CHOOSE = re.compile(
    r"(?<![\w'])(?P<who>choose|select|pick|picking|choosing|selecting|go(?:ing)? (?:with|for)"
    "|opt(?:ing)? for|vote(?: for)?|settl(?:e|ing) (?:on|for)|stick(?:ing)? with"
    "|lean(?:ing)? (?:towards?|to)|commit(?:ting)? to|chose|say|guess|bet on|conclude(?: that)?"
    r"|make (?:it|that))(?!\w)|"
    + spoken(
        "w[äa]hle|nehme|choisis|choisirais|elijo|elegir[íi]a|escolho|escolheria|scelgo|sceglierei",
        "выбираю|chọn|seçiyorum|kies",
    )
    + "|(?<![不没非除别勿能他她它们人])选(?:择|擇|的是)?(?![项項])|選(?:択|擇)(?!肢)|(?<!を)選ぶ",
    re.I,
)
_NOT_ME = re.compile(
    r"(?:(?<!\w)(?:you|one|some|people|they|many|students?|viewers?|might|may|could|tempting to"
    r"|not|never|easily|wrongly|cannot|if)|n't)(?:\s\w{1,12})?\s\Z",
    re.I,
)
_ME = re.compile(
    spoken("i|we|i'd|i'll|i'm|let's|let us")
    + r"|(?:^|[.!?:;,\n]\s?|(?<!\w)(?:so|thus|hence|then)\s)\Z",
    re.I,
)
_POINTS = re.compile(
    spoken(
        r"(?:must|has to|should|can only) be|(?:it|that|this|which|so it)(?: is|'s)|(?P<plain>is)",
        "correspond(?:s|ing)? to|match(?:es|ing)?|point(?:s|ing)? to(?:wards?)?|consistent with",
        "indicat(?:es?|ing)|suggest(?:s|ing)?|support(?:s|ing)?|align(?:s|ed)? (?:best )?with",
        "leav(?:es|ing)(?: us with)?(?: only)?|fits|favou?rs?|describes?|narrows? (?:it )?down to",
        "entspricht|correspond à|corresponde a|corrisponde a|соответствует",
        "bleibt|reste|queda|rimane|resta|остаётся",
    )
    + "|剩下(?:的是)?|对应(?:的是)?|符合(?:的是)?|対応する",
    re.I,
)
_FIT = re.compile(
    r"[\"')\].:,]{0,3}\s(?:best\s|only\s|clearly\s)?(?:fits|matches|describes|captures|aligns"
    r"|corresponds|remains|holds|applies|makes the most sense|works best|passt|corresponde)(?!\w)",
    re.I,
)
_ENDING = re.compile(
    r"(?:(?<=[\w)\]\"'])\s?:|=>|→|⇒|—|–|\s-|(?P<alone>(?<=[a-z\d)\"'][.!?])\ ))[ \n]?"
    r"(?=[\"'(\[]{0,2}(?:[Oo]ption\s)?[\"'(\[]{0,2}[A-Z](?![\w'-]))"
)
_MAYBE = re.compile(spoken("could|might|may"), re.I)
_CLAUSE = re.compile(r"[,;:\n(—]|[.!?](?=\s|\Z)")


def remarks(page: Page, shown: Shown) -> list[Statement]:
    """Return the remarks of a reply in order; letters that options use as names are left out."""
    found: list[Statement] = []
    for rule, pattern, firm in (
        ("conclusion", _SO, True),
        ("choice", _CHOOSE, True),
        ("pointer", _POINTS, False),
        ("contrast", BUT, True),
        ("ending", _ENDING, True),
    ):
        for mark in list(pattern.finditer(page.text))[-MOST:]:
            if not _speaks(page, rule, mark):
                continue
            choice = value_at(page, shown, mark.end(), letters_only=True)
            if choice is None or choice.kind != "letter" or _disputed(page, choice):
                continue
            # "The vitamin is C" tells of a vitamin; "the tool is C. a drill" of an option.
            if rule == "pointer" and mark["plain"] and choice.end - choice.start < 5:
                continue
            if rule == "ending" and not _at_end(page, choice, bare=bool(mark["alone"])):
                continue
            if firm or choice.position is None or not shown.letter_in_texts(choice.position):
                found.append(Statement(rule, choice, firm))
    for mark in list(PREDICATE.finditer(page.text))[-MOST:]:
        choice = before(page, shown, mark)
        if choice:
            found.append(Statement("verdict", choice))
    for mark in list(_FIT.finditer(page.text))[-MOST:]:
        if NEGATION.search(page.text, mark.end(), mark.end() + 12):
            continue
        choice = before(page, shown, mark)
        if choice and choice.kind == "letter" and not shown.letter_in_texts(choice.position or 0):
            found.append(Statement("fit", choice, firm=False))
    return sorted(found, key=lambda statement: statement.choice.start)


def _at_end(page: Page, choice: Choice, *, bare: bool) -> bool:
    """Return whether a letter ends the reply, with its text or without."""
    if bare and choice.end - choice.start > 4:
        return False
    return choice.end >= len(page.text.rstrip(" \n.!\"')"))


def _speaks(page: Page, rule: str, mark: re.Match[str]) -> bool:
    """Return whether the writer speaks here, of what is so and not of what might be."""
    at = mark.start()
    if rule == "conclusion":
        return True
    if rule == "contrast" and not NEGATION.search(page.text, sentence(page, at, 60)[0], at):
        return False
    if rule == "ending" and WRONG.search(page.text, max(0, at - 24), at):
        return False
    if rule == "choice" and mark["who"]:
        begin = sentence(page, at, 120)[0]
        if _NOT_ME.search(page.text, max(begin, at - 40), at):
            return False
        if begin < at and not _ME.search(page.text, begin, at):
            return False
    return SUPPOSED.search(page.text, max(0, at - 60), at) is None


def _disputed(page: Page, choice: Choice) -> bool:
    """Return whether the clause goes on to deny the letter, or asks."""
    text = page.text
    end = _CLAUSE.search(text, choice.end, choice.end + 60)
    stop = end.start() if end else min(choice.end + 60, len(text))
    return bool(
        POST_NEGATED.match(text, choice.end)
        or WRONG.search(text, choice.end, stop)
        or _MAYBE.search(text, choice.end, stop)
        or text.startswith("?", stop)
    )
