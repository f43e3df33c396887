"""Debiasing: what goes, what is left, and that the author's rows come back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.audits import made_text
from vidence.audits.text import TextAudit, TextSource
from vidence.audits.text_debias import Debiased, DebiasPlan
from vidence.errors import UsageError
from vidence.text.learner import LearnerSettings

QUICK = LearnerSettings(permutations=19, repeats=1, explain=False)


def audit(path: Path, seed: int = 0) -> TextAudit:
    return TextAudit(TextSource("jsonl", path), seed=seed, settings=QUICK)


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory) -> TextAudit:
    """A benchmark with a strong leak of length, and rows that nobody can judge."""
    made = made_text.rows(150, leak=0.4, seed=3)
    made[5] |= {"note": "Ünïcode \u2028 stays", "answer": None}
    made[6] |= {"extra": {"deep": [1, None, 2.5]}}
    return audit(made_text.write(tmp_path_factory.mktemp("leaky") / "cases.jsonl", made))


@pytest.fixture(scope="module")
def pruned(leaky: TextAudit) -> Debiased:
    return Debiased(leaky, DebiasPlan("prune", max_removed=0.3))


def read(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").split("\n")[:-1]]


def test_pruning_takes_the_leak_out_and_says_what_selection_alone_would(pruned: Debiased) -> None:
    data = pruned.data()
    before, after = data["before"], data["after"]
    assert before["learner"]["value"] > 0.4
    assert after["priors"]["longest_option"]["value"] < before["priors"]["longest_option"]["value"]
    assert after["n"] == before["n"] - data["removed"]
    assert data["removed"] <= 0.3 * 149
    assert data["curve"][0]["removed"] == 0
    assert data["curve"][-1]["removed"] == data["removed"]
    assert data["shuffled"]["removed"] <= data["removed"]
    text = " ".join(data["notes"])
    assert f"{100 * data['shuffled']['after']:.1f} %" in text
    assert "by construction" in text


def test_rows_come_back_as_they_were_with_a_reason(pruned: Debiased, tmp_path: Path) -> None:
    files = pruned.write(tmp_path)
    kept, removed = read(files["kept"]), read(files["removed"])
    originals = {row["id"]: row for row in read(str(pruned.audit.source.path))}
    assert len(kept) + len(removed) == len(originals) == 150
    for row in (*kept, *removed):
        about = row.pop("vidence")
        assert about["id"] == row["id"]
        assert row == originals[row["id"]], "the key and every other field are the author's"
        assert about["reason"]
    assert {row["id"] for row in removed} == {
        name for name, gone in zip(pruned.audit.items.ids, pruned.removed, strict=True) if gone
    }


def test_what_cannot_be_judged_is_kept_and_counted(pruned: Debiased, tmp_path: Path) -> None:
    (keyless,) = [row for row in read(pruned.write(tmp_path)["kept"]) if row["answer"] is None]
    assert keyless["vidence"]["reason"].startswith("not judged")
    data = pruned.data()
    assert (data["unscored"], data["kept"] + data["removed"]) == (1, 150)


def test_the_report_shows_what_went(pruned: Debiased) -> None:
    data, cards = pruned.report()
    assert data["pruning"]["curve"][-1]["removed"] == sum(card["removed"] for card in cards)


@pytest.mark.parametrize("method", ["prune", "balance"])
def test_the_same_seed_gives_the_same_bytes(leaky: TextAudit, method: Any, tmp_path: Path) -> None:
    written = []
    for place, seed in enumerate((0, 0, 1)):
        again = audit(leaky.source.path, seed)
        files = Debiased(again, DebiasPlan(method, max_removed=0.1)).write(tmp_path / str(place))
        written.append([Path(files[name]).read_bytes() for name in ("kept", "removed")])
    assert written[0] == written[1]
    assert written[0] != written[2]


def test_balancing_evens_out_positions_and_asks_no_learner(
    leaky: TextAudit, tmp_path: Path
) -> None:
    found = Debiased(leaky, DebiasPlan("balance", max_removed=1.0))
    data = found.data()
    assert data["reached"]
    assert data["after"]["priors"]["majority_position"]["value"] == pytest.approx(0.25)
    assert (data["shuffled"], data["curve"]) == (None, [])
    reasons = {row["vidence"]["reason"] for row in read(found.write(tmp_path)["removed"])}
    assert all("of 4 in place" in reason for reason in reasons)


def test_places_that_are_never_right_are_said(tmp_path: Path) -> None:
    made = made_text.rows(60)
    for i, row in enumerate(made):
        row["answer"] = (0, 0, 1)[i % 3]
    found = Debiased(
        audit(made_text.write(tmp_path / "c.jsonl", made)), DebiasPlan("balance", max_removed=0.5)
    )
    notes = " ".join(found.data()["notes"])
    assert "none has its key at position 3" in notes
    assert "none has its key at position 4" in notes


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"method": "prun"}, "method = 'prun'"),
        ({"by": "place"}, "by = 'place'"),
        ({"max_removed": 30.0}, "0.25 for a quarter"),
        ({"method": "balance", "target": 0.3}, "choose --method prune"),
    ],
)
def test_plans_that_cannot_be_are_refused(plan: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        DebiasPlan(**plan)


def test_one_question_is_no_error(tmp_path: Path) -> None:
    small = audit(made_text.write(tmp_path / "c.jsonl", made_text.rows(1)))
    for method in ("prune", "balance"):
        found = Debiased(small, DebiasPlan(method))  # type: ignore[arg-type]
        assert found.data()["removed"] == 0
        assert len(read(found.write(tmp_path / method)["kept"])) == 1
