"""Words by which people and models answer, by language, and the patterns made of them.

Every quantifier over a class that could overlap with what follows it is bounded, so that each
pattern is linear in the length of a reply.
"""

from __future__ import annotations

import re

NUMBERS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
NUMBER = re.compile(rf"[~≈]?-?\d[\d,]{{0,30}}(?:\.\d{{1,30}})?|{'|'.join(NUMBERS)}", re.IGNORECASE)

# What an answer is called. English needs a colon, a copula or a line of its own to count as a
# statement ("answer choices", "answer key"); so do the others, except where a language has none.
_ENGLISH = "answer|ans|choice|option|guess|pick|selection|response|prediction|verdict|conclusion"
_OTHERS = (
    r"antwort|l[öo]sung|r[ée]ponse|respuesta|resposta|risposta|ответ|відповідь"
    r"|antwoord|odpowied[źz]|svar|vastaus|odpov[ěe][ďd]|r[ăa]spuns(?:ul)?|απάντηση|jawaban(?:nya)?"
    r"|(?:opci[óo]n|alternativa|op[çc][ãa]o|opzione|option) corr?e[ct]t?[ao]?e?|правильный вариант"
    r"|(?:richtige|korrekte|bonne) option"
    r"|đáp án|câu trả lời|trả lời|cevap|cevab[ıi]|yan[ıi]t|تשובה|תשובה|پاسخ|جواب"
    r"|(?:ال)?[إا]جابة|الجواب|उत्तर|जवाब"
)
_UNSPACED = "คำตอบ|正确选项|正确的选项|答案|正解|正答|答え|解答|回答|答|정답|답변|답"
MARK_EN = re.compile(
    rf"(?<![\w-])(?:{_ENGLISH}|(?:correct|right|best) one)(?![\w-])", re.IGNORECASE
)
MARK_OTHER = re.compile(rf"(?<!\w)(?:{_OTHERS})(?!\w)|(?:{_UNSPACED})", re.IGNORECASE)
LABEL = re.compile(
    r"""(?<![\w-])(?:(?:final|correct|best|right|my|the|your|chosen|selected|predicted|suggested
        |overall)[ _-]?){0,3}
    (?:answer|ans|choice|option|response|prediction|pick|guess|selection|verdict|conclusion
        |decision|solution|result|output|letter|final|correct|selected|chosen|label|assistant)
    (?:[ _-](?:letter|option|choice|is|label))?
    (?:\ ?\([^()\n]{1,40}\))?
    ["']?\ ?(?::|=>?|-|–|—|→|⇒)(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
TAG = re.compile(
    r"<(?:final[_ ]?)?(?:answer|choice|option|solution|response|output|result)\s?>", re.IGNORECASE
)
HEADING = re.compile(
    r"""(?:^|\n)[\s#>|•-]{0,8}(?:(?:final|correct|best|my|the)\s){0,3}
    (?:answer|choice|conclusion|verdict|antwort|r[ée]ponse|respuesta|resposta|risposta|ответ|答案
        |答え|解答|정답)[\s#]{0,3}\n""",
    re.VERBOSE | re.IGNORECASE,
)
COPULA_EN = re.compile(
    r"""(?<!\w)(?:is|was|are|(?P<would>would\ be|would\ have\ to\ be)|should\ be|must\ be|will\ be
    |has\ to\ be|seems\ to\ be|appears\ to\ be|remains|being)(?!\w)|'s(?!\w)|[:=](?=\s|$|["'(\[{])""",
    re.VERBOSE | re.IGNORECASE,
)
COPULA_OTHER = re.compile(
    r"""(?<!\w)(?:ist|lautet|w[äa]re|est|serait|es|ser[íi]a|[ée]|seria|[èe]|sarebbe|это|является|будет
        |is|jest|to|är|er|on|este|e|adalah|είναι|je|là|هي|هو|है)(?!\w)
    |应该是|应当是|应该为|应是|应为|应选|就是|选择|是|为|為|选|選|は|わ|が|은|는|이|คือ|[:=—–-]""",
    re.VERBOSE | re.IGNORECASE,
)
NEGATION = re.compile(
    r"""(?<!\w)(?:not|never|nor|neither|cannot|nicht|kein\w{0,3}|weder|pas|non|n'est|ne|no|nunca|tampoco
        |n[ãa]o|не|нет|ليس\w?|لا|नहीं|không|değil|niet|geen|nie|inte|ikke|bukan)(?!\w)
    |n't(?!\w)|不|没|沒|非|ではな|じゃな|아니|않""",
    re.VERBOSE | re.IGNORECASE,
)
# An answer, but not the one given: "another option is", "a wrong answer is", "my first guess was".
NOT_THE = re.compile(
    r"(?<!\w)(?:one|another|other|first|second|third|next|initial|initially|earlier|previous|original"
    r"|each|any|every|no|wrong|incorrect|worst|possible|plausible|popular|common|tempting|alternative"
    r"|rejected|example|sample|format|template|e\.g\.|obvious but|if your|whose)"
    r"[:,]?\s[\"'(]{0,2}(?:(?:correct|right|best|possible|wrong|plausible|the|an?)\s){0,2}\Z",
    re.IGNORECASE,
)
WRONG = re.compile(
    r"""(?<!\w)(?:not|never|n't|cannot|wrong|incorrect|false|unlikely|impossible|implausible|eliminated
        |excluded|out|ruled|invalid|inaccurate|contradict(?:s|ed)?|distractor|trap|less|worse|weaker
        |mistaken?|error|fails?|lacks?|misleading|tempting|irrelevant|absent
        |falsch|nicht|fausse?|incorrecte?|pas|incorrect[ao]s?|fals[ao]|sbagliat[ao]|errad[ao]
        |err[óo]nea|неверн\w{0,4}|неправильн\w{0,4}|не|yanlış|değil|sai|गलत|नहीं|خاطئة?|خطأ)(?!\w)
    |n't(?!\w)|错|錯|不正|不对|不對|不是|不符|不成立|排除|ではな|じゃな|間違|誤|아니|아닙|틀리|틀렸|오답""",
    re.VERBOSE | re.IGNORECASE,
)
# "... not A but C": the second half is the statement.
BUT = re.compile(
    r"""(?<!\w)(?:but(?:\ rather)?|rather,?|instead|sondern|sino|mais|mas(?:\ sim)?|ma|bensì|а|але|lo\ es
        |maar|utan)(?!\w)|而是|なく|아니라|अपितु|बल्कि|değil|mà\ là|بل""",
    re.VERBOSE | re.IGNORECASE,
)
_FILLERS = (
    "option|choice|letter|alternative|statement|the|therefore|thus|hence|then|so|clearly|definitely"
    "|probably|likely|most|indeed|still|again|simply|just|actually|obviously|certainly|apparently"
    "|evidently|surely|of course|in fact|as follows|given by|represented by|described by|as"
    "|i think|i believe|i'd say|i would say|it's|it is|to be|best|correct|right|answer|both|either"
    "|listed as|labell?ed|that of|obviously|now|only|going to be|number"
    "|donc|la|le|lettre|r[ée]ponse|proposition|die|der|das|daher|also|somit|demnach|folglich"
    "|wahrscheinlich|antwort|buchstabe|el|opci[óo]n|letra|entonces|probablemente|por tanto"
    "|por lo tanto|alternativa|op[çc][ãa]o|portanto|opzione|lettera|quindi|dunque"
    "|вариант|буква|под буквой|это|номер|phương án|lựa chọn|seçenek|الخيار|الحرف|هو|هي|विकल्प|optie"
)
FILLER = re.compile(
    rf"(?:(?:{_FILLERS})(?!\w)[,:]?|l'|选项|選項|選択肢|보기|선택지|选择|应该|是|为|"
    r"[ao](?=\s(?:letra|alternativa|op[çc][ãa]o))|a(?=\s[\"'(]?[A-Z](?![\w'-])))[ \n]?",
    re.IGNORECASE,
)
WRAP = re.compile(r"[\s\"'(\[<{$:=\-–—→⇒>~#|•✅✔✓👉]{1,16}")
REASON = re.compile(
    r"""(?:because|since|as|due|for|given|based|and|or|but|which|where|while|though|is|was|would|if
    |with|weil|da|denn|car|puisque|porque|pois|perch[ée]|poich[ée]|так|потому|поскольку|vì|çünkü
    |olmalı|क्योंकि|है|لأن|seçene\w{0,4}|şıkk\w{0,3}|option|omdat)(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
JOIN = re.compile(
    r"""\s?,?\s?(?<!\w)(?:and|or|und|oder|et|ou|y|o|e|и|или|ve|veya|và|hoặc|sowie)
        (?:\s(?:possibly|maybe|perhaps|even|also))?\s(?!not(?!\w))
    | \s?[/&+]\s? | [-–](?=[A-Z](?![\w'])) | \s?(?:和|或|与|及|と|또는)\s? | (?P<comma>\s?,\s?)""",
    re.VERBOSE | re.IGNORECASE,
)
# Before a statement: it is asked or supposed, not made.
SUPPOSED = re.compile(
    r"""(?:(?:(?<!\w)(?:if|whether|unless|suppose|supposing|assuming|assume|imagine|doubt|unsure|unlikely
        |(?<!is\ )(?<!'s\ )why|wonder|hard\ to\ say|claims?|says|wenn|ob|falls|si|se|если|ли|nếu|eğer)
        |(?<!\bi\ )(?<!\bwe\ )(?:might|may|could|would)\ (?:\w+\ )?(?:say|think|claim|argue|assume|believe
            |guess|conclude)
        |(?:n't|not)\ (?:think|say|believe|mean|sure|certain|know))
        (?:\ (?:that|if|the|my|your|a|la|le|el|il|die|der|o|this|correct|right|best|final|option|answer
        |choice|it|richtige|bonne)){0,5}|如果|假如|是否|もし|만약)[\s"'(]{0,3}\Z""",
    re.VERBOSE | re.IGNORECASE,
)
IF = re.compile(r"(?<!\w)(?:if|unless|had|were)(?!\w)", re.IGNORECASE)
# After a statement: it is taken back.
WITHDRAWN = re.compile(
    r"""(?:[.!?…\n,;)-]\s?)(?:(?:but|hmm+|oh|ah|no|oops|hold\ on|hang\ on)[,.!]?\s?){0,2}
    (?:wait(?=[,.!?…\s-]\s?[^\w\s]|[,.!…-]|\s(?:no|let|i|actually|that)(?!\w))
      |scratch\ that|correction\s?:|on\ second\ thought|i\ take\ (?:that|it)\ back
      |i\ (?:was|am)\ (?:wrong|mistaken)|i\ made\ (?:a|an)\ (?:mistake|error)|let\ me\ correct
      |no,\ (?:it's|it\ is|that's|that\ is|actually|sorry|i\ mean)|actually,?\ (?:no|it's|it\ is)(?!\w)
      |sorry,\ (?:i\ mean|it's))""",
    re.VERBOSE | re.IGNORECASE,
)
_EACH = r"(?:options?|choices?|answers?|alternatives?|candidates?|statements?|listed|given|provided|offered)"
NONE_OF_THEM = re.compile(
    rf"""(?:the\ (?:correct\ )?answer\ is\ )?(?:none|neither)(?:\ (?:of\ )?(?:them|these|those|(?:the|these|those)
    \ (?:above|others?|(?:\w+\ ){{0,2}}{_EACH})|above))?(?:\ (?:is|are)\ (?:correct|right|true))?
    |以上都不是|以上皆非|keine\ (?:der|von)\ (?:\w+\ ){{0,2}}\w+|aucune\ (?:de\ ces|des)\ \w+
    |ninguna(?:\ de\ las\ anteriores)?|nenhuma(?:\ das\ anteriores)?|nessuna(?:\ delle\ precedenti)?
    |ни\ один\ из\ (?:них|перечисленных|вариантов)|해당\ 없음|該当なし""",
    re.VERBOSE | re.IGNORECASE,
)
ALL_OF_THEM = re.compile(
    rf"all\ of\ (?:them|these|those|(?:the\ )?above|the\ (?:\w+\ ){{0,2}}{_EACH})|以上都(?:是|对)",
    re.IGNORECASE,
)
REFUSAL = re.compile(
    rf"""(?<!\w)(?:i|we)(?:'m|\ am|\ are|'re)?\ (?:do\ not|don't|really\ don't)\ (?:know|have\ (?:access|enough|the\ ability)|see\ any\ (?:video|frame|image))
    |(?<!\w)(?:i|we)\ (?:\w+\ )?(?:cannot|can't|can\ not|could\ not|couldn't|won't|will\ not)\ (?:\w+ly\ )?(?:answer|determine|view|watch|access
        |analy[sz]e|assist|help|identify|tell|provide|process|comply|fulfill|decide|judge|verify|choose|select|say|see\ (?:the|any|this)\ (?:video|frame|image)|open|play|confirm|do\ that|know|be\ sure|make\ a)
    |(?<!\w)(?:i|we)(?:'m|\ am|\ are|'re)\ (?:sorry\ |afraid\ )?(?:\w+\ )?(?:unable|not\ able|not\ sure|unsure|incapable|not\ certain)(?!\w)
    |(?<!\w)(?:it\ is|it's)\ (?:impossible|not\ possible)\ to\ (?:\w+ly\ )?(?:answer|determine|tell|say|know|decide|choose)
    |(?<!\w)(?:it|this|the\ answer|the\ question)\ (?:cannot|can't|can\ not|could\ not)\ be\ (?:determined|answered|known|inferred|decided)
    |cannot\ be\ determined|can't\ be\ determined|(?:not\ enough|insufficient)\ (?:information|evidence|context|visual)
    |(?<!\w)(?:{NONE_OF_THEM.pattern})\ (?:is|are|matche?s?|fits?|seems?|appl(?:y|ies)|corresponds?|describes?)
    |(?<!\w)none\ of\ (?:the\ above|the\ (?:\w+\ ){{0,2}}{_EACH}|these|them)
    |no\ (?:video|frames?|images?)\ (?:was|were|is|are|has|have)\ (?:been\ )?(?:provided|attached|given|shown|visible|uploaded)
    |i\ (?:must|have\ to)\ (?:decline|refuse)|as\ an\ ai\ (?:language\ )?model
    |ich\ wei(?:ß|ss)\ (?:es\ )?nicht|ich\ kann\ (?:\w+\ ){{0,4}}nicht|je\ ne\ (?:sais|peux)\ pas|no\ (?:lo\ )?s[ée](?!\w)|no\ puedo(?!\w)
    |n[ãa]o\ (?:sei|posso|consigo)(?!\w)|non\ (?:lo\ )?(?:so|posso)(?!\w)|не\ (?:знаю|могу)|无法(?:确定|判断|回答|观看|查看)|我不知道|不知道
    |わかりません|分かりません|判断できません|답할\ 수\ 없|알\ 수\ 없|모르겠|bilmiyorum|لا\ أعرف|لا\ أستطيع|नहीं\ (?:पता|जानता)|không\ (?:biết|thể)""",
    re.VERBOSE | re.IGNORECASE,
)
NOT_GIVEN = re.compile(r"(?:n/a|not applicable|unknown|unsure|no answer|idk)", re.IGNORECASE)
