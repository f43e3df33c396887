"""Text of other people, made safe to show: questions, options, replies, names.

HTML is escaped by the template engine; here is what escaping alone does not cover: characters
that hide or reorder text, data inside script elements, Markdown, and very long strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from vidence.report.numbers import count, number

# Controls (but not tab and newline), bidi overrides and isolates, invisible tags, lone surrogates.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+!|~$])")
_IMAGE = re.compile(r"data:image/(?:jpeg|png|webp);base64,[A-Za-z0-9+/]+={0,2}")


def visible(text: Any, limit: int | None = None) -> str:
    """Return text with hidden and reordering characters written out.

    A NUL becomes `⟨U+0000⟩`, a right-to-left override `⟨U+202E⟩`. Letters of right-to-left
    scripts, and the joiners and direction marks that they need, are kept.

    Args:
        limit: most characters kept; what is cut is counted in the text.
    """
    given = text if isinstance(text, str) else str(text)
    cut = ""
    if limit is not None and len(given) > limit:
        cut = f" … ({count(len(given) - limit)} more characters)"
        given = given[:limit]
    given = given.replace("\r\n", "\n").replace("\r", "\n")
    return _HIDDEN.sub(_spell, given) + cut


def image(source: Any) -> str | None:
    """Return an embedded picture's address if it is one, else None."""
    return source if isinstance(source, str) and _IMAGE.fullmatch(source) else None


def finite(data: Any) -> Any:
    """Return JSON-able data with NaN and infinities as null; keys become strings."""
    if isinstance(data, float):
        return number(data)
    if isinstance(data, Mapping):
        return {str(key): finite(item) for key, item in data.items()}
    if isinstance(data, list | tuple):
        return [finite(item) for item in data]
    return data


def script_json(data: Any) -> str:
    """Return JSON that is safe inside a script element.

    `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that no text can end the element, open a
    comment or break a line; the JSON means the same.
    """
    text = json.dumps(finite(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def markdown(text: Any, limit: int | None = 300) -> str:
    """Return text that Markdown shows as it is, on one line."""
    line = " ".join(visible(text, limit).split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # Bare addresses would become links.
    return re.sub(r"(?i)\b(https?|ftp|www|mailto)([:.])", r"\1\\\2", _MARKDOWN.sub(r"\\\1", line))


def fenced(text: Any) -> str:
    """Return a Markdown code block whose fence is longer than any in the text."""
    shown = visible(text)
    runs = re.findall(r"`+", shown)
    fence = "`" * max(3, 1 + max(map(len, runs), default=0))
    return f"{fence}\n{shown}\n{fence}"


def _spell(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match[0]):04X}⟩"
