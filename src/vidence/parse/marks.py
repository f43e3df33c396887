"""Words that announce an answer, doubt it or take it back, by language."""

from __future__ import annotations

import re

from vidence.parse.words import spoken

_NOUN_OTHER = (
    "antwort|l[öo]sung|r[ée]ponse|respuesta|resposta|risposta|ответ|відповідь|antwoord"
    "|odpowied[źz]|svar|vastaus|odpov[ěe][ďd]|r[ăa]spuns(?:ul)?|απάντηση|jawaban(?:nya)?"
    "|(?:opci[óo]n|alternativa|op[çc][ãa]o|opzione|option) corr?e[ct]t?[ao]?e?|правильный вариант"
    "|(?:richtige|korrekte|bonne) option|đáp án|câu trả lời|trả lời|cevap|cevab[ıi]|yan[ıi]t"
    "|תשובה|پاسخ|جواب|(?:ال)?[إا]جابة|الجواب|उत्तर|जवाब"
)
_NOUN_UNSPACED = (
    "คำตอบ|(?:正确|合适|恰当|符合|最佳|最优)的?选项|適切な選択肢|正しい選択肢"
    "|答案|正解|正答|答え|解答|回答|答|정답|답변|답"
)
MARK_EN = re.compile(
    r"(?<![\w-])(?:answer|ans|choice|option|guess|pick|selection|response|prediction|verdict"
    "|conclusion|(?:correct|right|best|closest) (?:one|match|fit)|the closest)(?![\\w-])",
    re.I,
)
MARK_OTHER = re.compile(spoken(_NOUN_OTHER) + f"|{_NOUN_UNSPACED}", re.I)
_QUALITY = "final|correct|best|right|chosen|selected|predicted|suggested|overall"
_PUNCTUATION = r"[\"']?\ ?(?::|=>?|-|–|—|→|⇒)(?!\w)"
LABEL = re.compile(
    rf"(?<![\w-])(?:(?:(?:{_QUALITY}|my|the|your)[ _-]?){{0,3}}"
    "(?:answer|ans|prediction|pick|guess|selection|verdict|conclusion|decision|solution|final"
    "|correct|selected|chosen|assistant)"
    rf"|(?:(?:{_QUALITY}|my|the|your)[ _-]?){{1,3}}(?:choice|option|letter|response|output))"
    r"(?:[ _-](?:letter|option|choice|is|label))?(?: ?\([^()\n]{1,40}\))?" + _PUNCTUATION,
    re.I,
)
FIELD = re.compile(
    r"(?<![\w-])(?:choice|option|letter|label|response|result|output)" + _PUNCTUATION, re.I
)
"""Labels that a reply may as well give to each option ("option: A ... option: B")."""
TAG = re.compile(
    r"<(?:final[_ ]?)?(?:answer|choice|option|solution|conclusion|response|output|result)\s?>", re.I
)
HEADING = re.compile(
    r"(?:^|\n)[\s#>|•-]{0,8}(?:(?:final|correct|best|my|the)\s){0,3}"
    "(?:answer|choice|conclusion|verdict|antwort|r[ée]ponse|respuesta|resposta|risposta|ответ|答案"
    r"|答え|解答|정답)[\s#]{0,3}\n",
    re.I,
)
MAKES = re.compile(
    r"(?<!\w)(?:mak(?:es|ing)|leav(?:es|ing)|with)\s(?:option\s)?[\"'(\[]{0,2}(?P<letter>[A-Z])"
    r"[\"')\]]{0,2}(?:\sas)?\sthe\s(?:\w+\s)?(?:correct|right|best|only|most \w+)(?:\s\w+)?\s"
    "(?:answer|option|choice)",
    re.I,
)
COPULA_EN = re.compile(
    r"(?<!\w)(?:is|was|are|(?P<would>would be|would have to be)|should be|must be|will be"
    r"|has to be|seems to be|appears to be|remains|being)(?!\w)|'s(?!\w)|[:=](?=\s|$|[\"'(\[{])",
    re.I,
)
COPULA_OTHER = re.compile(
    spoken(
        "ist|lautet|w[äa]re|est|serait|es|ser[íi]a|[ée]|seria|[èe]|sarebbe|это|является|будет",
        "is|jest|to|är|er|on|este|adalah|είναι|je|là|هي|هو|है",
    )
    + "|应该是|应当是|应该为|应是|应为|应选|就是|选择|是|为|為|选|選|は|わ|が|은|는|이|คือ|[:=—–-]",
    re.I,
)
PREDICATE = re.compile(
    r"(?<!\w)(?:is|was|must be|has to be|should be|would be|will be|seems(?: to be)?"
    r"|appears(?: to be)?|looks|remains|ist|w[äa]re|est|es|è|é|est[áa]|is dus)\s"
    r"(?:(?:clearly|therefore|thus|hence|then|definitely|likely|probably|indeed|the|my|single"
    r"|only|la|le|die|der|das|el|a|o|il|also|donc|het)\s){0,5}"
    "(?:correct|right|best|final|true|answer|(?:option|one|choice|candidate) (?:that|which|left|to)"
    "|(?:most|more) (?:accurate|likely|probable|appropriate|suitable|plausible|fitting|consistent"
    "|reasonable)|richtige?|korrekte?|zutreffend|bonne|correcte|juste|plus (?:probable|plausible)"
    r"|correct[ao]|corr[ée]t[ao]|corrett[ao]|giusta|cert[ao]|juist)(?!\w)"
    r"(?P<noun>\s(?:\w+\s)?(?:answer|option|choice|one|match|description|response|fit|antwort"
    r"|l[öo]sung|r[ée]ponse|respuesta|resposta|risposta|opci[óo]n|op[çc][ãa]o|alternativa|opzione)"
    r"(?!\w))?"
    r"|(?<!\w)(?:est|es|[èée]|ist)\s(?:la|a|o|de)\s(?:r[ée]ponse|respuesta|resposta|risposta"
    r"|opci[óo]n|op[çc][ãa]o|opzione|alternativa)\s(?P<after>corr?e\w{2,4})(?!\w)"
    "|(?:是|为|項?は|项|选项)?最?(?:正确|正確|对的|對的)|(?:が|は)(?:正解|正しい|正答|最も適切)"
    r"|번?(?:이|가)\s(?:정답|답|맞|옳|가장)|(?<!\w)(?:верно|правильно|правильный"
    r"|stimmt|trifft zu|zutrifft)(?!\w)",
    re.I,
)
"""What is said of the letter or text before it: "... is the correct answer"."""

NOT_THE = re.compile(
    r"(?<!\w)(?<!most )(?<!only )(?:one|another|other|first|second|third|next|initial|initially"
    "|earlier|previous|original|each|any|every|no|wrong|incorrect|worst|possible|plausible|popular"
    r"|common|tempting|alternative|his|her|their|(?!question|item|video|quiz)\w{1,30}'s|rejected"
    r"|example|sample|format|template|e\.g\.|whose)[:,]?\s[\"'(]{0,2}"
    r"(?:(?:correct|right|best|possible|wrong|plausible|the|an?)\s){0,2}\Z",
    re.I,
)
"""Before a mark: an answer, but not the one given ("another option is", "my first guess was")."""
SUPPOSED = re.compile(
    r"(?:(?<!\w)(?:if|whether|unless|suppose|supposing|assuming|assume|imagine|doubt|unsure"
    r"|unlikely|(?<!is )(?<!'s )why|wonder|hard to say|claims?|sa(?:ys|id)|writes?|wrote|reads"
    r"|asks|asked|announces|shouts|shows(?= [\"'])|no way|never|used to think|thought"
    "|wenn|ob|falls|si|se|если|ли|nếu|eğer)"
    r"|(?<!\bi )(?<!\bwe )(?:might|may|could|would) (?:\w{1,20} )?"
    "(?:say|think|claim|argue|assume|believe|guess|conclude)"
    "|(?:n't|not) (?:think|say|believe|mean|sure|certain|know))"
    "(?: (?:that|if|the|my|your|a|la|le|el|il|die|der|o|this|correct|right|best|final|option"
    "|answer|choice|it|richtige|bonne)){0,5}"
    r"[\s\"'(:,]{0,4}(?:the )?\Z|(?:如果|假如|是否|もし|만약)[\s\"'(:,]{0,4}\Z",
    re.I,
)
"""Before a mark: the statement is asked, supposed or somebody else's."""
IF = re.compile(spoken("if|unless|had|were"), re.I)
UNLESS = re.compile(r"[\"')\]]{0,3}\s(?:only\s)?(?:if|unless)(?!\w)", re.I)
POST_NEGATED = re.compile(
    r"[\"')\]]{0,2}\s?(?:가|이|は|では|じゃ|'[dt][ıi]r)?\s?"
    "(?:ではな|じゃな|でな|では?あり|じゃあり|な[いく]|아니|아닙|değil|नहीं"
    r"|(?:is|was|ist|est|es|è|é)\s(?:\w{1,20}\s)?(?:not|wrong|incorrect|false|falsch|nicht|fausse?"
    r"|incorrect[ao]|sbagliat[ao]|errad[ao])(?!\w))"
)
"""After a letter: it is denied."""
WITHDRAWN = re.compile(
    r"(?:[.!?…\n,;)-]\s?)(?:(?:but|hmm{1,9}|oh|ah|no|oops|hold on|hang on)[,.!]?\s?){0,2}"
    r"(?:wait(?=[,.!?…\s-]\s?[^\w\s]|[,.!…-]|\s(?:no|let|i|actually|that)(?!\w))"
    "|scratch that|correction ?:|on second thought|i take (?:that|it) back"
    "|i (?:was|am) (?:wrong|mistaken)|i made (?:a|an) (?:mistake|error)|let me correct"
    r"|no, (?:it's|it is|that's|that is|actually|sorry|i mean)|actually,? (?:no|it's|it is)(?!\w)"
    "|sorry, (?:i mean|it's))",
    re.I,
)
"""After a statement: it is taken back."""
