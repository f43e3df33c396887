"""The docs are followed, not believed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_registry import plugin
from vidence.benchmarks.jsonl import Row
from vidence.check import PROBES

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def test_the_page_on_probes_is_followed_to_the_letter(tmp_path: Path) -> None:
    page = ROOT / "docs" / "add-a-probe.md"
    (code,) = blocks(page, "python")
    (points,) = blocks(page, "toml")
    assert '[project.entry-points."vidence.probes"]' in points
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "first_half.py").write_text(code)
    env = plugin(tmp_path, "[vidence.probes]\nfirst_half = my_package.first_half\n")
    command = [sys.executable, "-m", "vidence", "list", "probes", "--json"]
    listed = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    (row,) = [row for row in json.loads(listed.stdout) if row["name"] == "first_half"]
    assert row["settings"] == {"share": 0.5}
    program = (
        "from pathlib import Path\n"
        "from vidence import Clip, Context, Option, Video, View, parse_checks\n"
        "from vidence.seeds import rng_of\n"
        "clip = Clip(Video(Path('v.mp4')), start=2.0, end=6.0)\n"
        "view = View('q', (Option(0, 'x'),), (('video', clip),))\n"
        "(check,) = parse_checks('first_half:share=0.25')\n"
        "(shown,) = check.views(view, Context('c', rng_of(), 0))\n"
        "print(shown.clip().start, shown.clip().end)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["2.0", "3.0"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_in_the_docs_exist(page: Path) -> None:
    from typer.main import get_command

    from vidence.cli import app

    commands = get_command(app).commands  # type: ignore[attr-defined]
    for name in re.findall(
        r"(?:^|`| )vidence ([a-z]+)\b(?! (?:is|has|says|takes|prints))",
        "\n".join(
            re.findall(r"`[^`\n]+`|^ {4}.*$", page.read_text(encoding="utf-8"), re.MULTILINE)
        ),
    ):
        assert name in commands, f"{page.name} names the command {name!r}"


def test_the_example_case_is_a_case() -> None:
    (example,) = blocks(ROOT / "docs" / "cases.md", "json")
    Row.model_validate(json.loads(example))


def test_every_probe_is_on_the_page_of_the_audit_with_its_defaults() -> None:
    page = (ROOT / "docs" / "benchmark-audit.md").read_text(encoding="utf-8")
    for name in PROBES:
        assert f"| `{name}` |" in page, name
    assert "`fps=1.0`, `frames=128`" in page
    assert "`segments=8`" in page
    assert PROBES["summary"].defaults == {"segments": 8}


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_examples_run_and_are_short(script: Path, tmp_path: Path) -> None:
    assert len(script.read_text(encoding="utf-8").splitlines()) < 60
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    said = "Delta" if script.name == "audit_agent.py" else "questions can be answered without"
    assert said in done.stdout
