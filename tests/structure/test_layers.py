"""A module imports only lower levels; heavy packages load late."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src" / "vidence"

LEVELS = {
    0: ("errors", "seeds", "registry", "whole", "stats"),
    1: ("media", "transcripts", "view", "prompt", "parse", "answer"),
    2: (
        *("check", "record", "call", "case_json", "benchmark"),
        *("annotation", "text", "prediction", "replay", "trajectory", "eligibility"),
        "agent_log",
    ),
    3: ("store", "store_file", "store_rows", "run_folder", "pairs"),
    4: ("probes", "benchmarks", "answerers", "worlds", "predictions", "agents"),
    5: (
        *("executors", "panel", "cells", "preflight", "renderings", "canary", "chunk"),
        *("driver", "run", "run_config", "reparse", "progress", "imported"),
    ),
    6: ("audits", "lint", "exports"),
    7: (
        *("report", "demo", "agent_demo", "catalogue", "progress_line"),
        *("cli", "__init__", "__main__"),
    ),
}
LEVEL = {name: level for level, names in LEVELS.items() for name in names}
PLUGINS = ("probes", "benchmarks", "answerers", "worlds", "predictions", "agents")
FILES = sorted(SRC.rglob("*.py"))


def owner(module: str) -> str:
    """Return the part of a module's name that has a level."""
    return module.split(".")[1] if "." in module else "__init__"


def imports(path: Path) -> set[str]:
    """Return the Vidence modules that a file imports at run time, wherever the import stands."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path.name} imports relatively"
            found.add(node.module)
    return {name for name in found if name.split(".")[0] == "vidence"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_a_module_imports_only_its_own_level_and_lower(path: Path) -> None:
    mine = path.relative_to(SRC).parts[0].removesuffix(".py")
    assert mine in LEVEL, f"{mine} has no level: name it in this test and in docs/architecture.md"
    for module in imports(path):
        other = owner(module)
        assert LEVEL[other] <= LEVEL[mine], f"{mine} imports {module}, which is above it"
        if mine in PLUGINS and other in PLUGINS:
            assert mine == other, f"the plug-in package {mine} imports the package {other}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_a_file_is_short_and_has_a_noun_for_a_name(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
    assert path.stem not in {"utils", "helpers", "common", "base", "types", "manager"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SRC)))
def test_no_function_has_more_than_seven_parameters(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name == "__init__" or _is_command(node):
                continue
            args = node.args
            names = [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
            names = [name for name in names if name not in ("self", "cls")]
            assert len(names) <= 7, f"{path.name}:{node.lineno} {node.name}({', '.join(names)})"


def _is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A command of the command line: its parameters are the options a user types."""
    return any("command" in ast.dump(decorator) for decorator in node.decorator_list)


HEAVY = (
    *("openai", "av", "scipy", "torch", "altair", "numpy", "PIL", "pandas"),
    *("sklearn", "pyarrow", "openpyxl", "inspect_ai"),
)


@pytest.mark.parametrize(
    "program",
    [
        "import vidence",
        "import vidence.cli",
        "import sys; sys.argv = ['vidence', '--help']\n"
        "from vidence.cli import main\ntry:\n    main()\nexcept SystemExit: pass",
    ],
    ids=["import", "cli", "help"],
)
def test_start_up_loads_nothing_heavy(program: str) -> None:
    program += f"\nimport sys; print('HEAVY', [m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.rstrip().endswith("HEAVY []"), done.stdout[-500:]


def test_all_names_what_is_there_and_nothing_else() -> None:
    import vidence

    assert set(vidence.__all__) == set(vidence._HOME)
    for name, home in vidence._HOME.items():
        assert getattr(vidence, name) is not None
        assert name != home, f"the module {home} would hide the function of that name"
