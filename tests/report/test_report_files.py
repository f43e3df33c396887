"""What `write_report` leaves behind, and the runtime that travels with it."""

from __future__ import annotations

import hashlib
import json
import math
import re
from importlib.resources import files
from pathlib import Path

import pytest

from tests.report.factory import Design, make
from vidence.errors import StoreError, UsageError
from vidence.report import write_report
from vidence.report.write import NEEDED

SMALL = Design(n=8, videos=4)
VENDOR = files("vidence.report") / "vendor"


def test_three_files_and_nothing_else(tmp_path):
    data, cards = make(SMALL)
    path = write_report(tmp_path / "new" / "run", data, iter(cards))
    assert path == tmp_path / "new" / "run" / "report.html"
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "report.html",
        "report.json",
        "report.md",
    ]


def test_the_same_input_gives_the_same_bytes(tmp_path):
    first, again = (write_report(tmp_path / name, *make(SMALL)) for name in "ab")
    for name in ("report.html", "report.md", "report.json"):
        assert (first.parent / name).read_bytes() == (again.parent / name).read_bytes()


def test_json_is_the_input_with_nan_as_null(tmp_path):
    data, cards = make(SMALL)
    data["extra"] = {"a": math.nan, "b": (1, math.inf), "c": "\ud800"}
    path = write_report(tmp_path, data, cards)
    back = json.loads(path.with_suffix(".json").read_text("utf-8"), parse_constant=pytest.fail)
    assert back.pop("extra") == {"a": None, "b": [1, None], "c": "\ud800"}
    data.pop("extra")
    assert back == data


def test_a_report_can_be_written_from_its_own_json(tmp_path):
    data, cards = make(SMALL)
    path = write_report(tmp_path, data, cards)
    page = path.read_bytes()
    write_report(tmp_path, json.loads(path.with_suffix(".json").read_text("utf-8")), cards)
    assert path.read_bytes() == page


@pytest.mark.parametrize("embed", [0, 3, 200])
def test_at_most_so_many_cases_are_embedded(tmp_path, embed):
    data, cards = make(SMALL)
    text = write_report(tmp_path, data, cards, embed=embed).read_text("utf-8")
    block = re.search(r'id="cases-data">(.*?)</script>', text)
    shown = json.loads(block[1])["cards"] if block else []
    assert len(shown) == min(embed, 8)


def test_a_write_that_fails_leaves_the_old_report(tmp_path, monkeypatch):
    data, cards = make(SMALL)
    path = write_report(tmp_path, data, cards)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    data["title"] = "changed"
    with pytest.raises(StoreError, match="No space left on device"):
        write_report(tmp_path, data, cards)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 3


def test_a_folder_that_is_a_file_is_an_error_with_advice(tmp_path):
    (tmp_path / "run").write_text("x")
    with pytest.raises(StoreError, match="Free some space"):
        write_report(tmp_path / "run", *make(SMALL))


@pytest.mark.parametrize("key", ["format", "kind"])
def test_another_form_is_refused_by_name(tmp_path, key):
    data, cards = make(SMALL)
    with pytest.raises(UsageError, match=r"is 'other'; 'vidence|is 'other'; 'benchmark"):
        write_report(tmp_path, data | {key: "other"}, cards)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", NEEDED)
def test_a_missing_part_is_named(tmp_path, part):
    data, cards = make(SMALL)
    del data[part]
    with pytest.raises(UsageError, match=f"lacks {part};"):
        write_report(tmp_path, data, cards)


def test_vendored_files_are_those_whose_sums_are_written_down():
    sums = dict(
        reversed(line.split("  ")) for line in (VENDOR / "SHA256SUMS").read_text().splitlines()
    )
    there = {p.name for p in VENDOR.iterdir() if p.is_file()} - {"SHA256SUMS", "README.md"}
    assert set(sums) == there
    for name, digest in sums.items():
        content = (VENDOR / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest, name
        assert len(content) < 1_000_000, name


def test_vendored_files_come_with_their_licences():
    names = [p.name for p in VENDOR.iterdir() if p.name.endswith(".min.js")]
    assert sorted(names) == ["vega-embed.min.js", "vega-lite.min.js", "vega.min.js"]
    for name in names:
        licence = (VENDOR / f"LICENSE-{name.removesuffix('.min.js')}").read_text()
        assert "Redistribution and use in source and binary forms" in licence
    bundled = (VENDOR / "LICENSE-bundled").read_text()
    for package in ("d3-scale", "topojson-client", "delaunator", "semver", "vega-interpreter"):
        assert package in bundled


def test_the_runtime_has_the_major_versions_that_altair_writes_for():
    from altair.vegalite.v6 import SCHEMA_VERSION

    readme = (VENDOR / "README.md").read_text()
    assert f"vega-lite {SCHEMA_VERSION.lstrip('v').split('.')[0]}." in readme
    lite = (VENDOR / "vega-lite.min.js").read_text("utf-8")
    version = re.search(r"vega-lite (\d+\.\d+\.\d+)", readme)[1]
    assert f'"{version}"' in lite
    vega = re.search(r"vega (\d+\.\d+\.\d+)", readme)[1]
    assert f'"{vega}"' in (VENDOR / "vega.min.js").read_text("utf-8")


def test_vendored_code_can_stand_inside_a_script_element():
    for path in VENDOR.iterdir():
        if path.name.endswith(".js"):
            assert not re.search(r"</script|<!--|<script", path.read_text("utf-8"), re.I), path.name


def test_templates_and_scripts_stay_short():
    for path in Path(str(files("vidence.report") / "templates")).iterdir():
        assert len(path.read_text("utf-8").splitlines()) < 400, path.name
