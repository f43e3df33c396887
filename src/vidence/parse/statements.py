"""Find where a reply states its answer, strongly ("the answer is B") or in passing ("so B")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vidence.parse.page import Page
from vidence.parse.shown import Shown
from vidence.parse.values import TOKEN, Choice, letter_at, value_at
from vidence.parse.words import (
    BUT,
    COPULA_EN,
    COPULA_OTHER,
    HEADING,
    IF,
    LABEL,
    MARK_EN,
    MARK_OTHER,
    NEGATION,
    NOT_THE,
    SUPPOSED,
    TAG,
    WRONG,
)

MOST = 400
"""How many announcements are looked at, from the end of a reply backwards."""

_SENTENCE_END = re.compile(r"[.!?;](?=\s|\Z|[\"')\]])|\n")
_POST_NEGATED = re.compile(
    r"[\"')\]]{0,2}\s?(?:가|이|は|では|じゃ|'[dt][ıi]r)?\s?"
    r"(?:ではな|じゃな|でな|では?あり|じゃあり|な[いく]|아니|아닙|değil|नहीं|(?:is|was|ist|est|es|è|é)\s(?:\w+\s)?(?:not|wrong"
    r"|incorrect|false|falsch|nicht|fausse?|incorrect[ao]|sbagliat[ao]|errad[ao])(?!\w))"
)
_BARE_END = re.compile(
    r"[\"')\]]{0,3}(?:[\n.,;!)\]]|\Z|です|である|だ|입니다|이다|번|\s?(?:है|seçene|şıkk|olmal)|'[dt][ıi]r)"
)
_DIRECT = re.compile(
    r"[\])]?[\s:\"'(\[]{0,4}(?:под буквой|вариант|option|буква|선택지|विकल्प|الخيار)?[\s\"'(\[]{0,3}",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"""(?:(?<!\w)(?:is|was|must\ be|has\ to\ be|should\ be|would\ be|will\ be|seems(?:\ to\ be)?|appears(?:\ to\ be)?
        |looks|remains|ist|w[äa]re|est|es|è|é|est[áa]|is\ dus)\s
    (?:(?:clearly|therefore|thus|hence|then|most|definitely|likely|probably|indeed|the|my|single|only|most
        |la|le|die|der|das|el|a|o|il|also|donc|het)\s){0,5}
    (?:correct|right|best|final|accurate|likely|probable|appropriate|suitable|plausible|fitting|true|answer
        |richtige?|korrekte?|zutreffend|bonne|correcte|juste|correct[ao]|corr[ée]t[ao]|corrett[ao]|giusta|cert[ao]|juist)
        (?!\w)
    (?P<noun>\s(?:\w+\s)?(?:answer|option|choice|one|match|description|response|fit|antwort|l[öo]sung|r[ée]ponse
        |respuesta|resposta|risposta|opci[óo]n|op[çc][ãa]o|alternativa|opzione)(?!\w))?
    |(?<!\w)(?:est|es|[èée]|ist)\s(?:la|a|o|de)\s(?:r[ée]ponse|respuesta|resposta|risposta|opci[óo]n|op[çc][ãa]o
        |opzione|alternativa)\s(?P<after>corr?e\w{2,4})(?!\w)
    |(?:是|为|項?は|项|选项)?(?:最)?(?:正确|正確|对的|對的)|(?:が|は)(?:正解|正しい|正答|最も適切)
    |번?(?:이|가)\s(?:정답|답|맞|옳|가장)|(?<!\w)(?:верно|правильно|правильный)(?!\w))""",
    re.VERBOSE | re.IGNORECASE,
)
_LETTER_BEFORE = re.compile(r"(?<![\w'.-])([A-Z])[\"')\].:,]{0,3}\s?\Z")
_JOINED_BEFORE = re.compile(
    r"(?<!\w)(?:or|and|nor|oder|und|ou|et|o|y|e|или|и|not|than)\s[\"'(\[]{0,2}(?:option\s)?[\"'(\[]{0,2}\Z"
    r"|[A-Z][\"')\]]{0,2},\s?[\"'(]{0,2}\Z|[或和]\Z"
    r"|(?<!\w)(?:in|of|from|at|on|to|by|with|about|for|like|frame|scene|clip|video|image|figure|step"
    r"|person|team|player|part|panel|point|group|class|plan|vitamin|type|section|room|building|gate"
    r"|line|camera)\s\Z",
    re.IGNORECASE,
)
_FIT = re.compile(
    r"[\"')\].:,]{0,3}\s(?:best\s|only\s|clearly\s)?(?:fits|matches|describes|captures|aligns|corresponds"
    r"|remains|holds|applies|makes\sthe\smost\ssense|works\sbest|passt|correspond\s|corresponde)(?!\w)",
    re.IGNORECASE,
)
_CHOOSE = re.compile(
    r"""(?<![\w'])(?P<who>choose|select|pick|picking|choosing|selecting|go(?:ing)?\ with|opt(?:ing)?\ for
        |vote(?:\ for)?|settl(?:e|ing)\ (?:on|for)|stick(?:ing)?\ with|lean(?:ing)?\ (?:towards?|to)
        |commit(?:ting)?\ to|chose|say|guess|bet\ on|conclude(?:\ that)?|make\ (?:it|that))(?!\w)
    |(?<!\w)(?:w[äa]hle|nehme|choisis|choisirais|elijo|elegir[íi]a|escolho|escolheria|scelgo|sceglierei|выбираю
        |chọn|seçiyorum|kies)(?!\w)
    |(?<![不没非除别勿能他她它们人])选(?:择|擇|的是)?(?![项項])|選(?:択|擇)(?!肢)|(?<!を)選ぶ""",
    re.VERBOSE | re.IGNORECASE,
)
_NOT_ME = re.compile(
    r"(?:(?<!\w)(?:you|one|some|people|they|many|students?|viewers?|might|may|could|tempting to|not|never"
    r"|easily|wrongly|cannot|if)|n't)(?:\s\w{1,12})?\s\Z",
    re.IGNORECASE,
)
_ME = re.compile(
    r"(?<!\w)(?:i|we|i'd|i'll|i'm|let's|let us)(?!\w)|(?:^|[.!?:;,\n]\s?|(?<!\w)(?:so|thus|hence|then)\s)\Z",
    re.IGNORECASE,
)
_MAYBE = re.compile(r"(?<!\w)(?:could|might|may)(?!\w)", re.IGNORECASE)
_ENDING = re.compile(r"(?::|=>|→|⇒|—|–|\s-)[ \n]?(?=[\"'(\[]{0,2}[A-Z][\"')\].!]{0,3}\s{0,3}\Z)")
_POINTS = re.compile(
    r"""(?<!\w)(?:(?:must|has\ to|should|can\ only)\ be|(?:it|that|this|which|so\ it)(?:\ is|'s)|is
        |correspond(?:s|ing)?\ to|match(?:es|ing)?|point(?:s|ing)?\ to(?:wards?)?|consistent\ with
        |indicat(?:es?|ing)|suggest(?:s|ing)?|support(?:s|ing)?|align(?:s|ed)?\ (?:best\ )?with
        |leav(?:es|ing)(?:\ us\ with)?(?:\ only)?|fits|favou?rs?|describes?|narrows?\ (?:it\ )?down\ to
        |entspricht|correspond\ à|corresponde\ a|corrisponde\ a|соответствует)(?!\w)
    |(?<!\w)(?:bleibt|reste|queda|rimane|resta|остаётся)(?!\w)|剩下(?:的是)?|对应(?:的是)?|符合(?:的是)?|対応する""",
    re.VERBOSE | re.IGNORECASE,
)
_SO = re.compile(
    r"""(?:^|[.!?;\n]\s?|,\s?)(?:and\s)?(?:therefore|thus|hence|so|accordingly|consequently|overall|finally
        |ultimately|in\ (?:conclusion|summary|short)|to\ (?:conclude|sum\ up|summari[sz]e)|conclusion
        |daher|also|somit|deshalb|folglich|donc|ainsi|por\ (?:lo\ )?tanto|entonces|as[íi]\ que|portanto|logo
        |quindi|dunque|perci[òo]|поэтому|итак|значит|因此|所以|故|综上(?:所述)?|よって|したがって|従って|따라서
        |그러므로|vì\ vậy|do\ đó|dolayısıyla|bu\ nedenle|इसलिए|لذلك)(?!\w)[,:]?\s?|[∴⇒]\s?|=>\s?""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Statement:
    """A place where a reply commits itself.

    Args:
        rule: which pattern found it, in words.
        choice: what it says.
        firm: a passing remark that concludes ("so B", "I pick B"), not one that compares.
    """

    rule: str
    choice: Choice
    firm: bool = True


def sentence(page: Page, at: int, most: int) -> tuple[int, int]:
    """Return the sentence around a place, at most `most` characters to either side."""
    low, high = max(0, at - most), min(len(page.text), at + most)
    ends = [m.end() for m in _SENTENCE_END.finditer(page.text, low, at)]
    after = _SENTENCE_END.search(page.text, at, high)
    return (ends[-1] if ends else low), (after.start() if after else high)


def strong(page: Page, shown: Shown) -> Iterator[Statement]:
    """Yield what a reply states to be its answer, the last first."""
    marks: list[tuple[int, str, re.Match[str]]] = []
    for rule, pattern in (
        ("label", LABEL),
        ("tag", TAG),
        ("heading", HEADING),
        ("sentence", MARK_EN),
        ("sentence, other languages", MARK_OTHER),
        ("verdict", _PREDICATE),
    ):
        marks += [
            (m.start(), rule, m)
            for m in pattern.finditer(page.text)
            if rule != "verdict" or m["noun"] or m["after"]
        ]
    marks += [(m.start(), "box", m) for m in re.finditer(r"\{", page.text)]
    marks.sort(key=lambda mark: mark[0], reverse=True)
    for _, rule, mark in marks[:MOST]:
        choice = _read(page, shown, rule, mark)
        if choice:
            yield Statement(rule, choice)


def _read(page: Page, shown: Shown, rule: str, mark: re.Match[str]) -> Choice | None:
    if rule == "verdict":
        return _before(page, shown, mark)
    if rule == "sentence":
        return _sentence(page, shown, mark)
    if rule == "sentence, other languages":
        return _other(page, shown, mark)
    if rule == "label" and NOT_THE.search(page.text, max(0, mark.start() - 40), mark.start()):
        return None
    choice = value_at(page, shown, mark.end())
    if choice is None or _POST_NEGATED.match(page.text, choice.end):
        return _contrast(page, shown, choice.end if choice else mark.end())
    return None if opens_list(page, shown, mark.end(), choice) else choice


def opens_list(page: Page, shown: Shown, at: int, choice: Choice) -> bool:
    """Return whether a letter on a new line is the first of a list of options."""
    if choice.position is None or "\n" not in page.text[at : choice.start]:
        return False
    line = page.text.find("\n", choice.start)
    while line >= 0 and line < choice.start + 2_000:
        token = re.compile(r"[\s#>|•(\-]{0,6}(?:[Oo]ption )?([A-Z])[.):]").match(page.text, line)
        if token:
            return shown.position(token[1]) == choice.position + 1
        line = page.text.find("\n", line + 1)
    return False


def _sentence(page: Page, shown: Shown, mark: re.Match[str]) -> Choice | None:
    text = page.text
    early = max(0, mark.start() - 60)
    if SUPPOSED.search(text, early, mark.start()) or NOT_THE.search(text, early, mark.start()):
        return None
    start = mark.end()
    begin, stop = sentence(page, start, 90)
    for number, copula in enumerate(COPULA_EN.finditer(text, start, stop)):
        gap = text[start : copula.start()]
        if number > 2 or NEGATION.search(gap) or WRONG.search(gap):
            return None
        if copula["would"] and IF.search(text, begin, sentence(page, copula.end(), 120)[1]):
            return None
        negated = re.compile(r"\s(?:\w{1,12}\s)?(?:not|n't|never)(?!\w)|n't").match(text, copula.end())
        if negated:
            return _contrast(page, shown, negated.end())
        choice = value_at(page, shown, copula.end(), letters_only=False)
        if choice and (number == 0 or choice.kind == "letter"):
            if _taken_back(page, copula, choice) or opens_list(page, shown, start, choice):
                return None
            return choice
    return None


def _taken_back(page: Page, copula: re.Match[str], choice: Choice) -> bool:
    if _POST_NEGATED.match(page.text, choice.end):
        return True
    end = sentence(page, choice.end, 120)[1]
    return bool(copula["would"] and IF.search(page.text, choice.end, end))


def _other(page: Page, shown: Shown, mark: re.Match[str]) -> Choice | None:
    text, start = page.text, mark.end()
    if SUPPOSED.search(text, max(0, mark.start() - 40), mark.start()):
        return None
    stop = min(sentence(page, start, 60)[1] + 1, len(text))
    for copula in COPULA_OTHER.finditer(text, start, stop):
        if NEGATION.search(text, start, copula.start()):
            return _contrast(page, shown, copula.end())
        if NEGATION.match(text, copula.end()) or NEGATION.match(text, copula.end() + 1):
            return _contrast(page, shown, copula.end() + 1)
        choice = value_at(page, shown, copula.end())
        if choice:
            if _POST_NEGATED.match(text, choice.end):
                return _contrast(page, shown, choice.end)
            return None if opens_list(page, shown, mark.end(), choice) else choice
    # No copula: "Правильный ответ C", "Doğru cevap C seçeneğidir", "सही उत्तर D है".
    gap = _DIRECT.match(text, start)
    token = TOKEN.match(text, gap.end()) if gap else None
    if token is None or not token[1].isupper():
        return None
    if _POST_NEGATED.match(text, token.end()):
        return _contrast(page, shown, token.end())
    if _BARE_END.match(text, token.end()):
        return letter_at(page, shown, token.start(), strict=False)
    return None


def _contrast(page: Page, shown: Shown, at: int) -> Choice | None:
    """Read the second half of "not A but C"."""
    stop = sentence(page, at, 80)[1]
    but = BUT.search(page.text, at, stop)
    gap = re.compile(r"\s?,?").match(page.text, but.end()) if but else None
    return value_at(page, shown, gap.end()) if gap else None


def _before(page: Page, shown: Shown, mark: re.Match[str]) -> Choice | None:
    """Read what stands before "is the correct answer"."""
    text, end = page.text, mark.start()
    begin, stop = sentence(page, mark.end(), 160)
    if IF.search(text, mark.end(), stop) or text.startswith("?", stop):
        return None
    begin = sentence(page, end, 160)[0]
    letter = _LETTER_BEFORE.search(text, max(begin, end - 8), end)
    position = shown.position(letter[1]) if letter else None
    if letter and position is not None:
        choice = Choice(letter.start(1), end, "ok", position, kind="letter")
    else:
        found = next(
            (f for q in range(max(begin, end - 400), end) if (f := shown.at(page, q)) and f.end >= end - 3),
            None,
        )
        if found is None or len(found.positions) > 1 or len(text[found.start : found.end]) < 3:
            return None
        choice = Choice(found.start, found.end, "ok", found.positions[0], kind="text")
        prefix = re.compile(r"(?<!\w)([A-Z])[.):,]?\s[\"'(]?\Z").search(text, begin, found.start)
        if prefix and shown.position(prefix[1]) not in (None, found.positions[0]):
            return None
    head = text[begin : choice.start]
    if _JOINED_BEFORE.search(head) or SUPPOSED.search(head) or NEGATION.search(head[-24:]):
        return None
    return choice


def passing(page: Page, shown: Shown) -> list[Statement]:
    """Return remarks that single out a letter without calling it the answer, in order."""
    found: list[Statement] = []
    text = page.text
    for rule, pattern, firm in (
        ("conclusion", _SO, True),
        ("choice", _CHOOSE, True),
        ("pointer", _POINTS, False),
        ("contrast", BUT, True),
        ("ending", _ENDING, True),
    ):
        for mark in list(pattern.finditer(text))[-MOST:]:
            if rule == "choice" and not _mine(page, mark):
                continue
            if rule == "contrast" and not NEGATION.search(
                text, sentence(page, mark.start(), 60)[0], mark.start()
            ):
                continue
            if rule != "conclusion" and SUPPOSED.search(
                text, max(0, mark.start() - 60), mark.start()
            ):
                continue
            choice = value_at(page, shown, mark.end(), letters_only=True)
            if choice is None or choice.kind != "letter" or _disputed(page, choice):
                continue
            if firm or choice.position is None or not shown.letter_in_texts(choice.position):
                found.append(Statement(rule, choice, firm))
    for mark in list(_PREDICATE.finditer(text))[-MOST:]:
        choice = _before(page, shown, mark)
        if choice:
            found.append(Statement("verdict", choice, True))
    for mark in list(_FIT.finditer(text))[-MOST:]:
        if NEGATION.search(text, mark.end(), mark.end() + 12):
            continue
        choice = _before(page, shown, mark)
        if choice and choice.kind == "letter" and not shown.letter_in_texts(choice.position or 0):
            found.append(Statement("fit", replace(choice, end=mark.start()), False))
    found.sort(key=lambda statement: statement.choice.start)
    return found


def _mine(page: Page, mark: re.Match[str]) -> bool:
    """Return whether the writer chooses, not somebody in the video or an imagined reader."""
    if mark["who"] is None:
        return True
    begin = sentence(page, mark.start(), 120)[0]
    if _NOT_ME.search(page.text, max(begin, mark.start() - 40), mark.start()):
        return False
    return begin == mark.start() or _ME.search(page.text, begin, mark.start()) is not None


def _disputed(page: Page, choice: Choice) -> bool:
    """Return whether the clause goes on to deny the letter, or asks."""
    text = page.text
    end = re.compile(r"[,;:\n(—]|[.!?](?=\s|\Z)").search(text, choice.end, choice.end + 60)
    stop = end.start() if end else min(choice.end + 60, len(text))
    return bool(
        _POST_NEGATED.match(text, choice.end)
        or WRONG.search(text, choice.end, stop)
        or _MAYBE.search(text, choice.end, stop)
        or text.startswith("?", stop)
    )
