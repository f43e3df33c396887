"""What recognisers write where nobody speaks, in the languages in which they do.

They learnt from subtitles, and the silence at the end of those was filled with credits and thanks.
Patterns are over letters alone (`Letters.text`): lower case, without spaces and signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SUBTITLES = (
    r"(?:undertexter|untertitelung|untertitel|ondertitel\w{0,6}|sottotitoli|napisy|soustitr\w{0,4}"
    r"|legendas?|subt[ií]tulos|subtitles|titulky|tekst\w{0,5}|altyaz[ıi]|phụđề|undertekster"
    r"|字幕)?\w{0,24}?"
)
# A fragment that must be there, and the whole of which it is part.
_CREDITS = tuple(
    (fragment, re.compile(pattern))
    for fragment, pattern in (
        ("bfwatchtv", r"bfwatchtv(?:\d{4})?"),
        ("emilybeynon", r"(?:transcript)?emilybeynon"),
        ("субтитры", r"субтитры(?:с?делал|создавал|создал)(?:dimatorzok)?"),
        ("dimatorzok", r"dimatorzok"),
        ("субтитров", r"редакторсубтитров\w?(?:семкин)?"),
        ("корректор", r"(?:семкин)?корректор\w?(?:егорова)?"),
        ("субтитрувальниця", r"субтитрувальниця(?:оляшор)?"),
        ("amara", rf"{_SUBTITLES}amara(?:org)?(?:gemenskapen|community|社[区群]提供)?"),
        ("nicolaiwinther", r"tekst(?:et|ing)avnicolaiwinther"),
        ("radiocanada", r"(?:soustitr\w{2,3})?(?:société)?radiocanada"),
        ("soustitrage", r"soustitrage(?:st|fr)?\d*"),
        ("untertitel", r"untertitel(?:ung)?(?:imauftragdeszdf\w{0,14}|vonstephaniegeiges|desndr)"),
        ("copyrightwdr", r"copyrightwdr\d*"),
        ("sottotitoli", r"sottotitoli(?:creatidallacomunità|erevisioneacuradiqtss)"),
        ("altyaz", r"altyaz[ıi](?:mk|ekleyen\w{0,14})"),
        ("نانسي", r"ترجمةنانسيقنقر"),
        ("点赞", r"(?:请)?不吝点赞(?:订阅)?(?:转发)?(?:打赏)?(?:支持)?(?:明镜)?(?:与点点栏目)?"),
        ("優優獨播", r"(?:優優獨播劇場)+"),
        ("yoyotelevision", r"yoyotelevisionseriesexclusive"),
        ("字幕", r"(?:中文)?字幕(?:由|志愿者|志願者|製作|制作|组|組|by)\w{0,6}"),
        ("mbc뉴스", r"mbc뉴스\w{0,8}입니다"),
        (
            "자막제공",
            r"(?:한글)?자막제공및(?:자막제공및)?(?:협조해주신모든분들께진심으로감사드립니다)?",
        ),
        ("자막", r"(?:한글)?자막(?:제작|by)\w{0,8}"),
        ("byeso", r"transcri(?:bed|ption)byeso(?:translat(?:ed|ion)by)?"),
        ("castingwords", r"transcriptionbycastingwords"),
        ("scandinaviantext", r"(?:danske\w{0,24})?scandinaviantextservice\d{0,4}"),
        ("derivativework", r"thisvideoisaderivativework(?:of\w{0,30})?"),
        ("musikk", r"(?:dramatisk|spennende|rolig)\w{0,4}musikk"),
        ("музыка", r"(?:динамичная|спокойная|тревожная|интригующая|весёлая|веселая)музыка"),
    )
)

_FILLERS = re.compile(
    "|".join(
        (
            r"thank(?:you|s)(?:very|so)?(?:much)?(?:all|everyone|everybody)?(?:for(?:your)?"
            r"(?:watching|viewing|support|listening|joining)(?:(?:the|this|my|our)video)?)?",
            r"(?:(?:i|we)(?:ll|will)?)?(?:be|see)you(?:all|guys)?(?:in(?:the)?)?(?:next)?(?:video|time|one)",
            r"(?:i|we)llberightback|tobecontinued|theend|bye(?:bye)+|ohmy(?:god|gosh)|iloveyou",
            r"idontknow(?:what(?:youre|im)(?:talkingabout|doing(?:here)?))?",
            r"1?23456789101112\d*",
            r"(?:please)?(?:dontforgetto)?(?:like(?:and)?)?subscribe(?:to)?(?:the|my|our)?(?:channel)?"
            r"(?:ifyoulike)?",
            r"outromusic|intromusic|music(?:playing)?|applause|silence",
            r"this(?:video)?isaworkoffiction\w{0,140}?unintentional",
            r"(?:press|hit)thebell(?:icon)?(?:toreceivenotificationsofallmylatestvideos|formorevideos)?",
            r"thisis(?:the)?(?:first|end)?ofthevideo(?:until)?",
            r"nåervi(?:i|nedei|in+ei)(?:fjellet)?|(?:norske?)(?:norske?)+|storbritannia|stavros"
            r"|gåinn?i\w{0,8}|\d{1,2}t[sb][ks]vanil\w{0,10}|takkforwatching",
            r"nuuitațisădațilike\w{0,90}",
            r"terimakasih(?:telahmenonton|atasdukungananda|banyak)?|sampaijumpa(?:divideo"
            r"(?:selanjutnya)?|lagi)?",
            r"janganlupasubscribe(?:like)?(?:komen)?(?:danshare)?(?:videoini)?(?:untukmendapatkan)?"
            r"(?:informasiterbaru)?",
            r"takkfor(?:atdusåmed|atingmed|nå|seing)|tackföratt(?:ni|du)tittade",
            r"спасибоза(?:просмотр|внимание)|продолжениеследует|подписывайтесьнаканал",
            r"дякую(?:за)?(?:перегляд|увагу)?|абонирайтесе(?:нанашияканал)?",
            r"obrigad[oa](?:por(?:assistir|terassistido))?|inscrevase(?:nocanal)?",
            r"graciaspor(?:ver(?:elv[ií]deo)?|suatención)|suscr[ií]b(?:ete|anse)(?:alcanal)?",
            r"mercid(?:avoirregardé|evotreattention)(?:cettevidéo)?|abonnezvous",
            r"dankef[üu]rszuschauen|vielendank(?:f[üu]rszuschauen)?|biszumn[äa]chstenmal",
            r"grazie(?:atutti|perl(?:avisione|attenzione))|iscrivetevi(?:alcanale)?",
            r"dziękuję(?:za(?:oglądanie|uwagę))?|bedanktvoorhetkijken|dankjewelvoorhetkijken",
            r"izlediğinizi?çinteşekkür\w{0,6}|aboneolmayıunutmayın|teşekkürler",
            r"diolchynfawr(?:iawn)?(?:ichi)?(?:amwylio(?:rfideo|yfideo)?)?",
            r"(?:谢谢|感谢|謝謝|感謝|多谢|多謝)(?:大家|你们|你們|您)?的?(?:观看|觀看|收看|收聽|收听|支持)?",
            r"(?:我们)?下[期次](?:视频)?(?:再见|再見|再会)|请订阅(?:我的频道)?|待续",
            r"ご[視清]聴ありがとうございま(?:した|す)|次の動画でお会いしましょう|チャンネル登録\w{0,12}",
            r"(?:시청해|봐)주셔서감사합니다|다음(?:영상|시간)에(?:서)?(?:만나요|뵙겠습니다|뵐게요)",
            r"구독(?:과)?(?:좋아요)?(?:알림설정)?(?:부탁드립니다|눌러주세요)?|감사합니다",
            r"c[ảa]mơn(?:cácbạn)?(?:đã)?(?:theodõi|xemvideo)?|h[ãa]ysubscribechokênh\w{0,20}",
            r"اشتركوافيالقناة|شكراللمشاهدة|ขอบคุณ(?:ที่รับชม|ครับ|ค่ะ)?|धन्यवाद",
        )
    )
)


def credits(letters: str) -> Iterator[tuple[int, int]]:
    """Yield where credits of subtitlers and names of sounds stand: nobody says them."""
    for fragment, pattern in _CREDITS:
        if fragment in letters:
            yield from (match.span() for match in pattern.finditer(letters))


def fillers(letters: str) -> Iterator[tuple[int, int]]:
    """Yield where thanks, farewells, appeals, cries and counting stand.

    People say them too; they tell something only where nothing else is said.
    """
    return (match.span() for match in _FILLERS.finditer(letters))
