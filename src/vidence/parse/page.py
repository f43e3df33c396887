"""A reply made plain: one alphabet, no markup, no thinking, and a way back to the raw characters.

Every step is an edit with a record of where it was, so that a finding in the plain text can be
marked in the reply as it came. All steps are linear in the length of the reply.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase

from vidence.parse.thinking import visible

HEAD, TAIL = 10_000, 40_000
"""A reply longer than both together is read at its first HEAD and last TAIL characters."""

_SPACES = "\t\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_BREAKS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_SAME = {
    "‘’‚‛′´": "'",
    "“”„‟″«»": '"',
    "（﹙": "(",
    "）﹚": ")",
    "【「『《〈〔［﹝": "[",
    "】」』》〉〕］﹞": "]",
    "：﹕꞉": ":",
    "；": ";",
    "，、،﹐": ",",
    "。．｡۔।": ".",
    "！": "!",
    "？؟": "?",
    "‐‑−﹣－": "-",
    "＝": "=",
    "／": "/",
}


def _one_to_one() -> dict[int, str]:
    table: dict[int, str] = dict.fromkeys(map(ord, _SPACES), " ")
    table |= dict.fromkeys(map(ord, _BREAKS), "\n")
    table |= dict.fromkeys((*range(9), *range(14, 28), 31, 127), " ")
    for many, one in _SAME.items():
        table |= {ord(c): one for c in many}
    # Letters and digits that stand for a plain one: full width, circled, squared, mathematical.
    for first, letters in (
        (0x24B6, ascii_uppercase),
        (0x24D0, ascii_lowercase),
        (0x249C, ascii_lowercase),
        (0x1F110, ascii_uppercase),
        (0x1F130, ascii_uppercase),
        (0x1F150, ascii_uppercase),
        (0x1F170, ascii_uppercase),
        (0x2460, "123456789"),
    ):
        table |= {first + i: letter for i, letter in enumerate(letters)}
    for code in (*range(0xFF10, 0xFF5B), *range(0x1D400, 0x1D7FF)):
        plain = unicodedata.normalize("NFKC", chr(code))
        if len(plain) == 1 and plain.isascii() and plain.isalnum():
            table[code] = plain
    return table


_TABLE = _one_to_one()
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff\u20e3]+"
)
_COMPOSED = re.compile(
    "[^\\s\u0300-\u036f][\u0300-\u036f\u3099\u309a\u0653-\u0655]{1,8}"
    "|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?"
)
_MARKUP = re.compile(
    r"""(?P<box>\\(?:boxed|fbox)\s?\{|<\|begin_of_box\|>)
    | (?P<cut>
        \\(?:text|textbf|textit|textrm|texttt|textsf|mathrm|mathbf|mathsf|mathit|mathtt
            |operatorname|underline|emph)\s?\{
      | [{}] | \\[()\[\]] | \\[,;!](?=\s|$) | \\(?=["']) | \$(?!\d)
      | \*{2,} | \*(?![A-Za-z0-9]) | (?<![A-Za-z0-9])\* | `+
      | (?<![^\W_])_+ | _+(?![^\W_])
      | ~~[^~\n]{1,200}~~
      | <\|[^|<>\n]{1,40}\|> | </?(?:s|bos|eos|pad|unk|end_of_turn|start_of_turn)>
      | </?(?:(?-i:[biup])|strong|em|span|mark|code|div|center|h[1-6])(?:\s[^<>\n]{0,80})?>
    )
    | (?P<blank><br\s?/?>|\\\\(?=\s)|(?-i:\\n(?![a-z])))""",
    re.VERBOSE | re.IGNORECASE,
)
_SPACE_RUN = re.compile(r"[ \n]{2,}")

Edit = tuple[int, int, str]


@dataclass(frozen=True)
class Page:
    """A plain text and the way back to where each character came from.

    Args:
        text: the plain text.
        starts: positions in `text` at which a run of unmoved characters starts, ascending.
        origins: where each run starts in the raw text.
        end: one past the last raw character read.
    """

    text: str
    starts: tuple[int, ...] = (0,)
    origins: tuple[int, ...] = (0,)
    end: int = 0
    low: str = field(init=False, repr=False)
    flat: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", lower(self.text))
        object.__setattr__(self, "flat", self.low.replace("\n", " "))

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw characters [start, end) that a plain span came from."""
        first = self._origin(start)
        return first, max(first, self._origin(end - 1) + 1 if end > start else first)

    def _origin(self, at: int) -> int:
        run = bisect_right(self.starts, at) - 1
        limit = self.origins[run + 1] if run + 1 < len(self.origins) else self.end
        return max(min(self.origins[run] + at - self.starts[run], limit - 1), 0)

    def edit(self, edits: Iterable[Edit]) -> Page:
        """Return the page with spans replaced; the spans ascend and do not overlap."""
        pieces: list[str] = []
        starts: list[int] = []
        origins: list[int] = []
        size = at = 0

        def run(begin: int, stop: int) -> None:
            nonlocal size
            if begin == stop:
                return
            known = bisect_right(self.starts, begin) - 1
            cursor = begin
            while cursor < stop:
                following = self.starts[known + 1] if known + 1 < len(self.starts) else stop
                starts.append(size + cursor - begin)
                origins.append(self.origins[known] + cursor - self.starts[known])
                cursor, known = min(following, stop), known + 1
            pieces.append(self.text[begin:stop])
            size += stop - begin

        for begin, stop, new in edits:
            run(at, begin)
            if new:
                starts.append(size)
                origins.append(self._origin(begin))
                pieces.append(new)
                size += len(new)
            at = stop
        run(at, len(self.text))
        return Page("".join(pieces), tuple(starts) or (0,), tuple(origins) or (0,), self.end)


def lower(text: str) -> str:
    """Return the text in lower case at the same length (`"İ"` has no one-letter lower case)."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def plain(text: str) -> str:
    """Return words as a page shows them, for texts that are compared with one."""
    return _plain(Page(text, end=len(text))).text.strip()


def page_of(reply: str) -> tuple[Page, bool]:
    """Return a reply made plain, without thinking, and whether thinking was left open.

    See docs/parsing.md for what counts as thinking.
    """
    kept, still_open = visible(reply)
    total = sum(stop - begin for begin, stop in kept)
    if total > HEAD + TAIL:
        kept = _ends(kept, total)
    edits = []
    at = 0
    for begin, stop in kept:
        edits.append((at, begin, "\n" if at else ""))
        at = stop
    edits.append((at, len(reply), ""))
    return _plain(Page(reply, end=len(reply)).edit(e for e in edits if e[0] < e[1])), still_open


def _ends(kept: list[tuple[int, int]], total: int) -> list[tuple[int, int]]:
    ends: list[tuple[int, int]] = []
    seen = 0
    for begin, stop in kept:
        size = stop - begin
        head = min(size, max(HEAD - seen, 0))
        tail = max(min(size, seen + size - (total - TAIL)), 0)
        if head + tail >= size:
            ends.append((begin, stop))
        else:
            ends += [(begin, begin + head)] * (head > 0) + [(stop - tail, stop)] * (tail > 0)
        seen += size
    return ends


def _plain(page: Page) -> Page:
    page = page.edit((m.start(), m.end(), "") for m in _INVISIBLE.finditer(page.text))
    if not unicodedata.is_normalized("NFC", page.text):
        page = page.edit(
            (m.start(), m.end(), unicodedata.normalize("NFC", m[0]))
            for m in _COMPOSED.finditer(page.text)
        )
    page = Page(page.text.translate(_TABLE), page.starts, page.origins, page.end)
    page = page.edit(
        (m.start(), m.end(), "{" if m["box"] else "\n" if m["blank"] else "")
        for m in _MARKUP.finditer(page.text)
    )
    return page.edit(
        (m.start(), m.end(), "\n" if "\n" in m[0] else " ") for m in _SPACE_RUN.finditer(page.text)
    )
