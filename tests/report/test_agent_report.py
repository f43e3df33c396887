"""An agent's report as documents: the audit's numbers on page and Markdown, every text inert."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.report.factory_agent import ODD, AgentDesign, make_probes
from tests.report.test_report_page import Page, words
from vidence.audits.agent import AgentAudit
from vidence.errors import UsageError
from vidence.report.agent_report import print_agents, publish_agents
from vidence.stats import Estimate


class Made:
    """A written report and what it was written from."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.audit = make_probes(folder, ODD[name])
        path, self.data = publish_agents(self.audit, folder / "report")
        self.html = path.read_text("utf-8")
        self.page = Page(self.html)
        self.text = (folder / "report" / "report.md").read_text("utf-8")


@pytest.fixture(scope="module", params=ODD, ids=lambda name: name.replace(" ", "-"))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(request.param, tmp_path_factory.mktemp("agent"))


def estimates(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict) and "degenerate" in value:
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [e for item in items for e in estimates(item)]


def test_the_page_is_whole_and_nothing_in_it_is_loaded_or_run(made: Made) -> None:
    assert made.page.stack == []
    ids = [given["id"] for _, given in made.page.elements if "id" in given]
    assert len(ids) == len(set(ids))
    for tag, given in made.page.elements:
        assert tag not in ("link", "iframe", "object", "embed", "base", "img")
        for name, value in given.items():
            assert not name.startswith("on"), (tag, name)
            assert name not in ("src", "style", "action", "srcset"), (tag, name)
            assert name != "href" or value.startswith("#"), value
    assert len(made.html) < 5_000_000


def test_every_estimate_has_n_interval_and_method(made: Made) -> None:
    data = json.loads((made.folder / "report" / "report.json").read_text())
    found = estimates(data["agents"])
    assert len(found) > 20
    for one in found:
        Estimate.from_json(one)
        assert one["method"]
        assert one["low"] is not None or one["degenerate"], one


def test_page_and_markdown_have_the_same_tables(made: Made) -> None:
    """Every figure of the page's tables stands in the Markdown."""
    said = html.unescape(words(MarkdownIt("commonmark").enable("table").render(made.text)))
    for name, rows in made.page.tables.items():
        if not name or name == "cases-table" or name.startswith("heat"):
            continue
        for row in rows[1:]:
            for cell in row[1:]:
                assert words(cell) in said, (name, cell)


def test_no_number_is_nan_anywhere(made: Made) -> None:
    for text in (made.text, " ".join(made.page.words)):
        assert not {"nan", "inf", "NaN", "Infinity", "None"} & set(words(text).split())


def test_cases_are_all_there_and_say_what_each_replay_chose(made: Made) -> None:
    lines = (made.folder / "report" / "cases.jsonl").read_text("utf-8").splitlines()
    cards = [json.loads(line) for line in lines]
    assert len(cards) == ODD[made.name].n * ODD[made.name].agents
    for card in cards:
        counted = [
            reply
            for reply in card["replies"]
            if reply["check"] == "destroy" and reply["value"] not in (None, card["committed"])
        ]
        assert len(counted) == card["flips"]["destroy"]["flips"]


def test_it_can_be_printed_at_the_end_of_a_probe(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    print_agents(made.data, made.folder / "report.html")
    said = capsys.readouterr().out
    assert said.rstrip().endswith("report.html")
    assert not [c for c in said if ord(c) < 32 and c != "\n"]


def test_the_first_words_say_delta_its_interval_and_n(tmp_path: Path) -> None:
    data = Made("plain", tmp_path).data
    delta = data["agents"]["made"]["delta"]
    assert f"{100 * delta['value']:.1f} points" in data["headline"]["sentence"]
    assert "95 %" in data["headline"]["sentence"]
    assert "12 questions" in data["headline"]["sentence"]


def test_what_cannot_be_said_is_explained(tmp_path_factory: pytest.TempPathFactory) -> None:
    bare = Made("bare", tmp_path_factory.mktemp("bare"))
    assert "--fallback NAME" in bare.data["agents"]["made"]["routing"]["why"]
    assert bare.data["agents"]["made"]["coverage"] is None
    lost = Made("lost", tmp_path_factory.mktemp("lost"))
    block = lost.data["agents"]["made"]
    assert block["counts"]["valid"] == 0
    assert block["delta"]["value"] is None
    assert block["effect"]["destroy_invalid"]["value"] == 1
    # What the lost draws allow at worst and at best.
    assert (block["effect"]["lowest"], block["effect"]["highest"]) == (-1, 1)


def test_fewer_draws_are_those_that_a_smaller_probe_had(tmp_path: Path) -> None:
    audit = make_probes(tmp_path, AgentDesign(k=3))
    less = AgentAudit(audit.folders, k=1).data()["agents"]["made"]
    other = tmp_path / "other"
    other.mkdir()
    small = make_probes(other, AgentDesign(k=1)).data()["agents"]["made"]
    for part in ("delta", "signs", "distribution"):
        assert less[part] == small[part]
    with pytest.raises(UsageError, match="k = 4"):
        AgentAudit(audit.folders, k=4)


def test_two_runs_need_a_place_for_their_report(tmp_path: Path) -> None:
    audit = make_probes(tmp_path, AgentDesign(n=2, k=1, agents=2))
    with pytest.raises(UsageError, match="--out DIR"):
        publish_agents(audit)
    assert [run.name for run in audit.runs] == ["made", "made (2)"]
