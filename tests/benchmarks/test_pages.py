"""The pages on benchmarks are followed, and their figures are counted again."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.test_docs import blocks
from tests.test_registry import plugin
from vidence.annotation.columns import COMMON, FIELDS
from vidence.benchmark import BENCHMARKS, Benchmark, find_benchmarks
from vidence.view import Case, Option, View

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")


def rows_of(page: str, head: str) -> list[list[str]]:
    """Return the cells of the table that begins with a head."""
    lines = page[page.index(head) :].split("\n\n")[0].split("\n")[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def gap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_gap", ROOT / "docs" / "make_gap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_gap"] = module
    spec.loader.exec_module(module)
    return module


def test_the_table_names_every_loader_of_a_benchmark() -> None:
    rows = rows_of(PAGE, "| name | benchmark |")
    named = {row[0].strip("`"): row[1] for row in rows}
    assert named == {n: loader.title for n, loader in BENCHMARKS.items() if loader.title}


@pytest.mark.data
def test_the_table_has_the_counts_of_the_files(data_dir: Path) -> None:
    found = {
        loader.name: loader(path)
        for path, loader in find_benchmarks(data_dir / "benchmarks")
        if loader
    }
    for name, _, choices, opened, videos, rejected, _, evidence, length in rows_of(
        PAGE, "| name | benchmark |"
    ):
        read = found[name.strip("`")]
        lost = len(read.rejected)
        counted = [len(read.multiple_choice) + lost, len(read.open_ended)]
        counted += [len({case.cluster for case in read.cases}), lost]
        written = [int(n.replace(",", "")) for n in (choices, opened, videos, rejected)]
        assert written == counted, name
        assert (evidence != "none") == any(case.spans for case in read.cases), name
        assert (length == "yes") == bool(read.seconds), name


@pytest.mark.data
def test_the_gap_is_counted_again(data_dir: Path) -> None:
    module = gap()
    found = module.read_all(data_dir / "benchmarks")
    for table in module.markdown(found).split("\n\n"):
        assert table in PAGE
    assert sum(module.choices(read) for read in found.values()) == 26_184
    groups: dict[object, set[object]] = {}
    for case in found["rtvbench"].cases:
        groups.setdefault(module.same(("", case)), set()).add((case.id, case.gold))
    repeated = [group for group in groups.values() if len(group) > 1]
    changed = [group for group in repeated if len({gold for _, gold in group}) > 1]
    assert f"of the {len(repeated):,} RTV-Bench questions" in " ".join(PAGE.split())
    assert f"{len(changed):,} have another key" in " ".join(PAGE.split())


def test_what_counts_as_a_repeat() -> None:
    """On a made file: one repeat, one with other options, one of another video, one shared."""
    module = gap()

    def case(name: str, video: str, *options: str) -> Case:
        return Case(
            name, View("Q?", tuple(Option(i, o) for i, o in enumerate(options))), 0, None, video
        )

    one = Benchmark(
        "one", (case("1", "v", "x", "y"), case("2", "v", "x", "y"), case("3", "v", "x"))
    )
    two = Benchmark("two", (case("1", "v.mp4", "Y", "x"), case("2", "w", "x", "x")))
    items = [("one", c) for c in one.cases] + [("two", c) for c in two.cases]
    assert module.repeats(items) == {("one", "2")}
    assert module.shared(items) == {("two", "1")}
    assert module.guess(items) == pytest.approx(100 * (0.5 * 4 + 1) / 5)
    table = {line.what: line.rows for line in module.lines({"one": one, "two": two})}
    assert table["questions with one option"] == 1
    assert table["questions with two equal options"] == 1
    assert table["rejected, repeated, with one option or equal options"] == 3


def test_the_page_on_loaders_is_followed_to_the_letter(tmp_path: Path) -> None:
    page = ROOT / "docs" / "add-a-benchmark.md"
    (code,) = blocks(page, "python")
    (row,) = blocks(page, "json")
    (points,) = blocks(page, "toml")
    assert '[project.entry-points."vidence.benchmarks"]' in points
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "mybench.py").write_text(code)
    home = tmp_path / "data" / "my-bench-V2"
    home.mkdir(parents=True)
    (home / "mybench.json").write_text(json.dumps([json.loads(row), {"qid": 2}]))
    env = plugin(tmp_path, "[vidence.benchmarks]\nmybench = my_package.mybench\n")
    program = (
        "import json\n"
        "from pathlib import Path\n"
        "from vidence.benchmark import find_benchmarks\n"
        f"((path, loader),) = find_benchmarks(Path({str(home.parent)!r}))\n"
        "read = loader(path)\n"
        "(case,), (lost,) = read.cases, read.rejected\n"
        "print(json.dumps([loader.name, case.id, case.gold, case.spans, dict(case.tags),\n"
        "    [o.text for o in case.view.options], dict(read.seconds), lost.where,\n"
        "    repr(case.view)]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    *found, where, view = json.loads(done.stdout)
    assert found == [
        *("mybench", "1", 2, [[5.0, 9.0]], {"kind": "memory"}),
        *(["The key (brass).", "The lamp.", "None."], {"kitchen": 61.5}),
    ]
    assert where == "2 (mybench.json, row 2)"
    assert "looks back" not in view


def test_the_page_on_tables_names_every_field_and_every_common_name() -> None:
    page = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")
    table = page[page.index("## Any table") :]
    named = set(re.findall(r"`([a-z_A-Z0-9]+)`", table))
    assert set(FIELDS) <= named
    assert {name for names in COMMON.values() for name in names} <= named
