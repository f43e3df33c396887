"""Video ids in addresses."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

YOUTUBE_ID = re.compile(r"[A-Za-z0-9_-]{11}", re.ASCII)
_HOSTS = ("youtube.com", "youtube-nocookie.com", "youtu.be")


def youtube_id(address: str) -> str | None:
    """Return the id of 11 characters in an address of YouTube, None where it holds none."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return None
    host = (parts.hostname or "").removeprefix("www.").removeprefix("m.")
    if host not in _HOSTS:
        return None
    folders = parts.path.strip("/").split("/")
    found = parse_qs(parts.query).get("v", [""])[0] or folders[-1]
    return found if YOUTUBE_ID.fullmatch(found) else None
