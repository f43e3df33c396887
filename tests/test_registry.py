"""Names: found without a list, unique, and helpful when wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vidence.answer import ANSWERERS
from vidence.benchmark import BENCHMARKS
from vidence.catalogue import KINDS, catalogue
from vidence.check import PROBES
from vidence.errors import UnknownNameError, UsageError
from vidence.registry import Registry


def test_a_name_is_taken_once() -> None:
    registry: Registry[object] = Registry("thing")

    def one() -> None:
        """Do one thing."""

    def other() -> None:
        """Do another."""

    registry.add("x", one)
    registry.add("x", one)
    with pytest.raises(UsageError, match="Two things are called 'x'"):
        registry.add("x", other)
    assert registry.describe("x") == "Do one thing."


@pytest.mark.parametrize(
    ("name", "hint"),
    [("blnd", "Did you mean 'blind'?"), ("Blind", "Did you mean 'blind'?"), ("zzzzzz", "")],
)
def test_an_unknown_name_says_which_it_may_have_been(name: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        PROBES[name]
    assert hint in str(caught.value)
    assert ("Did you mean" in str(caught.value)) == bool(hint)
    assert str(caught.value).endswith("See: vidence list probes.")
    assert name not in PROBES


@pytest.mark.parametrize("kind", KINDS)
def test_everything_that_can_be_named_is_described(kind: str) -> None:
    rows = catalogue(kind)
    assert rows, f"no {kind}"
    for row in rows:
        assert row["description"].endswith("."), row
        assert len(row["description"]) < 120, row


def test_each_member_has_a_file_of_its_own() -> None:
    for registry in (PROBES, BENCHMARKS):
        homes = [
            getattr(m, "function", getattr(m, "load", m)).__module__ for m in registry.values()
        ]
        assert len(homes) == len(set(homes))
    assert {"openai", "recorded", "bag_of_frames", "transcript_files"} <= set(ANSWERERS)


def plugin(folder: Path, points: str, **modules: str) -> dict[str, str]:
    """Make an installed distribution out of two files; return the environment that has it."""
    info = folder / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    return {**os.environ, "PYTHONPATH": str(folder)}


def test_another_package_brings_a_probe_and_a_broken_one_harms_nobody(tmp_path: Path) -> None:
    good = (
        "from vidence.check import probe\n"
        "@probe()\n"
        "def outside(view, context):\n"
        '    """Show what it likes."""\n'
        "    return (view,)\n"
    )
    points = "[vidence.probes]\noutside = brings_probe\nbroken = brings_nothing\n"
    env = plugin(tmp_path, points, brings_probe=good, brings_nothing="import no_such_module\n")
    program = (
        "from vidence.check import PROBES\n"
        "print(PROBES.describe('outside'), len(PROBES) > 12)\n"
        "try:\n    PROBES['broken']\nexcept Exception as e:\n    print(e)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    first, second = done.stdout.splitlines()
    assert first == "Show what it likes. True"
    assert second.startswith("The probe plug-in 'broken' does not import: ModuleNotFoundError")
