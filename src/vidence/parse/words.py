"""Words that stand around an answer, by language, and the patterns made of them.

Every quantifier over a class that could overlap with what follows it is bounded, so that each
pattern takes time linear in the length of a reply.
"""

from __future__ import annotations

import re


def spoken(*phrases: str) -> str:
    """Return a pattern for any of some phrases, each as whole words."""
    return rf"(?<!\w)(?:{'|'.join(phrases)})(?!\w)"


_COUNT = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: value for value, word in enumerate(_COUNT.split())}
NUMBER = re.compile(rf"[~≈]?-?\d[\d,]{{0,30}}(?:\.\d{{1,30}})?|{'|'.join(NUMBERS)}", re.I)

NEGATION = re.compile(
    spoken(
        r"not|never|nor|neither|cannot|nicht|kein\w{0,3}|weder|pas|non|n'est|ne|no|nunca|tampoco",
        r"n[ãa]o|не|нет|ليس\w?|لا|नहीं|không|değil|niet|geen|nie|inte|ikke|bukan",
    )
    + r"|n't(?!\w)|不|没|沒|非|ではな|じゃな|아니|않",
    re.I,
)
WRONG = re.compile(
    spoken(
        "not|never|n't|cannot|wrong|incorrect|false|unlikely|impossible|implausible|eliminated",
        "excluded|out|ruled|invalid|inaccurate|contradict(?:s|ed)?|distractor|trap|less|worse",
        "weaker|mistaken?|error|fails?|lacks?|misleading|tempting|irrelevant|absent",
        "falsch|nicht|fausse?|incorrecte?|pas|incorrect[ao]s?|fals[ao]|sbagliat[ao]|errad[ao]",
        r"err[óo]nea|неверн\w{0,4}|неправильн\w{0,4}|не|yanlış|değil|sai|गलत|नहीं|خاطئة?|خطأ",
    )
    + "|n't(?!\\w)|错|錯|不正|不对|不對|不是|不符|不成立|排除|ではな|じゃな|間違|誤|아니|아닙"
    "|틀리|틀렸|오답",
    re.I,
)
BUT = re.compile(
    spoken(
        "but(?: rather)?|rather,?|instead|sondern|sino|mais|mas(?: sim)?|ma|bensì|а|але|lo es",
        "maar|utan",
    )
    + "|而是|なく|아니라|अपितु|बल्कि|değil|mà là|بل",
    re.I,
)
"""The hinge of "not A but C"."""

FILLER = re.compile(
    "(?:(?:"
    "option|choice|letter|alternative|statement|the|therefore|thus|hence|then|so|clearly"
    "|definitely|probably|likely|most|indeed|still|again|simply|just|actually|obviously|certainly"
    "|apparently|evidently|surely|of course|in fact|as follows|given by|represented by"
    "|described by|as|i think|i believe|i'd say|i would say|it's|it is|to be|best|correct|right"
    "|answer|both|either|listed as|labell?ed|that of|now|only|going to be|number"
    "|donc|la|le|lettre|r[ée]ponse|proposition|die|der|das|daher|also|somit|demnach|folglich"
    "|wahrscheinlich|antwort|buchstabe|el|opci[óo]n|letra|entonces|probablemente|por tanto"
    "|por lo tanto|alternativa|op[çc][ãa]o|portanto|opzione|lettera|quindi|dunque|dus"
    "|вариант|буква|под буквой|это|номер|phương án|lựa chọn|seçenek|الخيار|الحرف|هو|هي|विकल्प|optie"
    r")(?!\w)[,:]?|l'|选项|選項|選択肢|보기|선택지|选择|应该|是|为"
    r"|[ao](?=\s(?:letra|alternativa|op[çc][ãa]o))|a(?=\s[\"'(]?[A-Z](?![\w'-])))[ \n]?",
    re.I,
)
"""What may stand between an announcement and its value ("the answer is clearly option ...")."""
NAMES_LETTER = re.compile(
    "option|choice|letter|alternative|statement|opci|op[çc]|opz|lettre|letra|lettera|buchstabe"
    "|вариант|букв|选项|選項|選択肢|الخيار|विकल्प|phương|lựa|seçenek",
    re.I,
)
"""The fillers after which a letter is a letter, whatever follows it."""
WRAP = re.compile(r"[\s\"'(\[<{$:=\-–—→⇒>~#|•✅✔✓👉]{1,16}")
ARTICLE = re.compile(r"(?:an?|the|un|une|una|uno|ein|eine|um|uma)\s", re.I)
BECAUSE = re.compile(
    r"\s(?:because|since|as|due|for|given|based|weil|da|denn|car|porque|pois)(?!\w)"
)
REASON = re.compile(
    "(?:because|since|as|due|for|given|based|and|or|but|which|where|while|though|is|was|would|if"
    "|with|weil|da|denn|car|puisque|porque|pois|perch[ée]|poich[ée]|так|потому|поскольку|vì|çünkü"
    r"|olmalı|क्योंकि|है|لأن|seçene\w{0,4}|şıkk\w{0,3}|option|omdat)(?!\w)",
    re.I,
)
"""Words before which an announced "A" is the letter and not an article."""
JOIN = re.compile(
    r"\s?,?\s?(?<!\w)(?:and|or|und|oder|et|ou|y|o|e|и|или|ve|veya|và|hoặc|sowie)"
    r"(?:\s(?:possibly|maybe|perhaps|even|also))?\s(?!not(?!\w))"
    r"|\s?,?\s?\((?:or|and)\s|\s?,\s?(?:maybe|perhaps|possibly)\s"
    r"|\s?[/&+]\s?|[-–](?=[A-Z](?![\w']))|\s?(?:和|或|与|及|と|또는)\s?|(?P<comma>\s?,\s?)",
    re.I,
)
"""What makes two letters or texts equals ("B or C", "A, B")."""

_EACH = (
    "(?:options?|choices?|answers?|alternatives?|candidates?|statements?|listed|given|provided"
    "|offered)"
)
NONE_OF_THEM = re.compile(
    r"(?:the (?:correct )?answer is )?(?:none|neither)(?: (?:of )?(?:them|these|those"
    rf"|(?:the|these|those) (?:above|others?|(?:\w+ ){{0,2}}{_EACH})|above))?"
    r"(?: (?:is|are) (?:correct|right|true))?"
    r"|以上都不是|以上皆非|keine (?:der|von) (?:\w+ ){0,2}\w+|aucune (?:de ces|des) \w+"
    "|ninguna(?: de las anteriores)?|nenhuma(?: das anteriores)?|nessuna(?: delle precedenti)?"
    "|ни один из (?:них|перечисленных|вариантов)|해당 없음|該当なし",
    re.I,
)
ALL_OF_THEM = re.compile(
    rf"all of (?:them|these|those|(?:the )?above|the (?:\w+ ){{0,2}}{_EACH})|以上都(?:是|对)", re.I
)
NOT_GIVEN = re.compile(
    "n/a|not applicable|unknown|unsure|not sure|no answer|unanswerable|idk", re.I
)
_WHO = r"(?<!\w)(?:i|we)"
_AM = rf"{_WHO}(?:'m| am| are|'re)"
_CANNOT = "(?:cannot|can't|can not|could not|couldn't|won't|will not)"
REFUSAL = re.compile(
    rf"{_WHO}(?:'m| am| are|'re)? (?:really )?(?:do not|don't)"
    " (?:know|have (?:access|enough|the ability)|see any (?:video|frame|image))"
    rf"|{_WHO} (?:\w+ )?{_CANNOT} (?:\w+ly )?"
    "(?:answer|determine|view|watch|access|analy[sz]e|assist|help|identify|tell|provide|process"
    "|comply|fulfill|decide|judge|verify|choose|select|say|open|play|confirm|do that|know|be sure"
    "|make a|see (?:the|any|this) (?:video|frame|image))"
    rf"|{_AM} (?:sorry |afraid )?(?:\w+ )?"
    r"(?:unable|not able|not sure|unsure|incapable|not certain)(?!\w)"
    r"|(?<!\w)(?:it is|it's) (?:impossible|not possible) to (?:\w+ly )?"
    "(?:answer|determine|tell|say|know|decide|choose)"
    r"|(?<!\w)(?:it|this|the answer|the question) (?:cannot|can't|can not|could not) be"
    " (?:determined|answered|known|inferred|decided)"
    "|cannot be determined|can't be determined"
    "|(?:not enough|insufficient) (?:information|evidence|context|visual)"
    rf"|(?<!\w)(?:{NONE_OF_THEM.pattern}) "
    "(?:is|are|matche?s?|fits?|seems?|appl(?:y|ies)|corresponds?|describes?)"
    rf"|(?<!\w)none of (?:the above|the (?:\w+ ){{0,2}}{_EACH}|these|them)"
    "|no (?:video|frames?|images?) (?:was|were|is|are|has|have) (?:been )?"
    "(?:provided|attached|given|shown|visible|uploaded)"
    "|i (?:must|have to) (?:decline|refuse)|as an ai (?:language )?model"
    r"|ich wei(?:ß|ss) (?:es )?nicht|ich kann (?:\w+ ){0,4}nicht|je ne (?:sais|peux) pas"
    r"|no (?:lo )?s[ée](?!\w)|no puedo(?!\w)|n[ãa]o (?:sei|posso|consigo)(?!\w)"
    r"|non (?:lo )?(?:so|posso)(?!\w)|не (?:знаю|могу)|无法(?:确定|判断|回答|观看|查看)|不知道"
    "|わかりません|分かりません|判断できません|답할 수 없|알 수 없|모르겠|bilmiyorum"
    "|لا أعرف|لا أستطيع|नहीं (?:पता|जानता)|không (?:biết|thể)",
    re.I,
)
