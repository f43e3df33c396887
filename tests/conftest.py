"""Where the public data lie, and which groups may not be skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: the machine may be busy, and speed is never asserted. In CI the same examples are
# tried every time, so that a red run is about the change.
settings.register_profile("vidence", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("vidence")

ROOT = Path(__file__).resolve().parents[1]
REQUIRED = {group for group in os.environ.get("VIDENCE_REQUIRE", "").split(",") if group}


def skip_or_fail(group: str, reason: str) -> None:
    """Skip with a printed reason; fail where VIDENCE_REQUIRE names the group."""
    if group in REQUIRED:
        pytest.fail(f"VIDENCE_REQUIRE names {group!r}, but {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Return the folder of public annotation files, or skip."""
    folder = Path(os.environ.get("VIDENCE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        skip_or_fail("data", f"no public data at {folder}; set VIDENCE_DATA to the folder")
    return folder
