"""The gate: what passes, what does not, and what cannot be said."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.audits.made import case, panel
from tests.audits.made_run import write_run
from vidence.audits.gate import Gate, gate, share_of, worst_excess
from vidence.errors import UsageError
from vidence.report.gate import lines

N = 60


def flagged(share: float, marks: str = "000", rest: str = "123") -> dict[str, dict[str, str]]:
    """Marks under blind: so large a share of N cases with `marks`, the others with `rest`."""
    return {"blind": {f"q{i}": marks if i < share * N else rest for i in range(N)}}


def cases(videos: int = N) -> list:
    return [case(f"q{i}", video=f"v{i % videos}") for i in range(N)]


def run(folder: Path, replies: dict[str, dict[str, str]], videos: int = N) -> Path:
    return write_run(folder / "run", cases(videos), replies)


def test_the_upper_end_decides_not_the_value(tmp_path: Path) -> None:
    folder = run(tmp_path, flagged(0.25))
    bound = gate(folder, max_shortcut=0.5).bounds[0]
    assert bound.measured.value == 0.25
    high = bound.measured.high
    assert high is not None
    assert high > 0.3
    assert gate(folder, max_shortcut=0.3).outcome == "failed"
    assert gate(folder, max_shortcut=high).outcome == "passed"
    assert gate(folder, max_shortcut=high - 1e-6).outcome == "failed"


def test_both_numbers_are_said_and_can_be_told_apart(tmp_path: Path) -> None:
    folder = run(tmp_path, flagged(0.25))
    high = gate(folder, max_shortcut=0.5).bounds[0].measured.high
    assert high is not None
    said = gate(folder, max_shortcut=high - 1e-5).bounds[0].sentence
    numbers = [w.strip(",.") for w in said.split() if w.strip(",.").replace(".", "").isdigit()]
    upper, limit = numbers[-2:]
    assert float(upper) > float(limit)
    assert said.startswith("shortcut ratio 25 % (")
    assert "is above the bound" in said


@pytest.mark.parametrize("mark", ["?", "!", "~", " "])
def test_missing_replies_cannot_open_the_gate(tmp_path: Path, mark: str) -> None:
    """Kind e13: half of the panel's replies lost must not look like a clean benchmark."""
    open_ = run(tmp_path / "open", flagged(0))
    assert gate(open_, max_shortcut=0.3).outcome == "passed"
    lost = run(tmp_path / "lost", flagged(0.5, marks=f"00{mark}"))
    found = gate(lost, max_shortcut=0.3)
    assert found.outcome == "failed"
    assert (found.bounds[0].read.value, found.bounds[0].measured.value) == (0.0, 0.5)
    assert (len(found.hanging), found.cases["undetermined"]) == (30, 30)
    assert found.cases["not_asked"] == (30 if mark == " " else 0)
    told = next(line for line in lines(found) if line.startswith("missing"))
    assert "30 questions would be flagged" in told
    assert "; read replies alone: shortcut ratio 0 % (0-" in told


@pytest.mark.parametrize("mark", ["r", "x"])
def test_a_reply_that_is_known_not_to_be_the_key_is_not_missing(tmp_path: Path, mark: str) -> None:
    folder = run(tmp_path, flagged(0.5, marks=f"00{mark}"))
    assert gate(folder, max_shortcut=0.3).bounds[0].measured.value == 0.0


def test_consensus_is_the_panel_by_default_and_can_be_lower(tmp_path: Path) -> None:
    folder = run(tmp_path, flagged(0.5, marks="001"))
    assert gate(folder, max_shortcut=0.3).outcome == "passed"
    at_two = gate(folder, max_shortcut=0.3, consensus=2)
    assert (at_two.outcome, len(at_two.shortcuts)) == ("failed", 30)
    with pytest.raises(UsageError, match="Consensus 4 came; 1 to 3"):
        gate(folder, max_shortcut=0.3, consensus=4)


def test_luck_is_taken_off_the_excess(tmp_path: Path) -> None:
    """All three agree on option 0, which is the key of every fourth case: luck is the whole of it.

    Flagged 1/4, luck 1/4 a case, excess 0, and the ratio alone would fail.
    """
    made = [case(f"q{i}", gold=i % 4) for i in range(N)]
    replies = {"blind": {c.id: "000" for c in made}}
    folder = write_run(tmp_path / "run", made, replies)
    found = gate(folder, max_shortcut=0.2, max_excess=0.2)
    assert [bound.outcome for bound in found.bounds] == ["failed", "passed"]
    assert found.bounds[1].measured.value == pytest.approx(0, abs=1e-12)
    assert found.outcome == "failed"


def test_the_worst_excess_is_the_largest_of_all_ways_to_fill_in() -> None:
    """Every filling of five missing replies is tried; missing ones may say any option."""
    made = [case("a"), case("b", options=2), case("c", gold=1)]
    marks = {"a": "0?1", "b": "?0?", "c": "?2?"}
    for c in (1, 2, 3):
        best = -1.0
        for fill in itertools.product("0123", repeat=5):
            given = iter(fill)
            filled = {
                n: "".join(next(given) if m == "?" else m for m in s) for n, s in marks.items()
            }
            if set(filled["b"]) - set("01"):
                continue
            excess = panel(made, {"blind": filled}).by_threshold[c - 1].overall.share.excess.value
            assert excess is not None
            best = max(best, excess)
        found = worst_excess(panel(made, {"blind": marks}).votes, c)
        assert found.value == pytest.approx(best)


def test_one_video_has_no_upper_end_and_does_not_pass(tmp_path: Path) -> None:
    found = gate(run(tmp_path, flagged(0), videos=1), max_shortcut=0.99)
    assert found.outcome == "failed"
    assert "without an interval (one cluster" in found.bounds[0].sentence


@pytest.mark.parametrize(
    ("replies", "gold", "why"),
    [
        ({"blind": "???"}, 0, "not one reply could be read"),
        ({"blind": "   "}, 0, "not one reply could be read"),
        ({"audio": "---"}, 0, "no check applies to any question"),
        ({"intact": "000"}, 0, "no check that enters the shortcut ratio was run"),
        ({"blind": "000"}, None, "no question has both options and a key"),
    ],
)
def test_without_a_ratio_nothing_was_measured(
    tmp_path: Path, replies: dict[str, str], gold: int | None, why: str
) -> None:
    made = [case(f"q{i}", gold=gold) for i in range(4)]
    marks = {label: {c.id: mark for c in made} for label, mark in replies.items()}
    found = gate(write_run(tmp_path / "run", made, marks), max_shortcut=1.0, max_excess=1.0)
    assert [bound.outcome for bound in found.bounds] == ["not_measured"] * 2
    assert why in found.bounds[0].sentence
    assert found.to_json()["exit_code"] == 3


def test_refusals_alone_are_a_measurement(tmp_path: Path) -> None:
    found = gate(run(tmp_path, flagged(1, marks="rrr")), max_shortcut=0.3)
    assert (found.outcome, found.bounds[0].measured.value) == ("passed", 0.0)


def test_unscored_questions_are_visible(tmp_path: Path) -> None:
    made = [*cases(), case("n", gold=None), case("o", options=0)]
    folder = write_run(tmp_path / "run", made, flagged(0.5), rejected=[{"where": "line 9"}])
    found = gate(folder, max_shortcut=0.9)
    assert (found.cases["n"], found.cases["scored"], found.cases["rejected"]) == (N + 2, N, 1)


@pytest.mark.parametrize(
    ("text", "share"), [("0.30", 0.3), ("30%", 0.3), (" 7.5 % ", 0.075), ("0", 0), ("100%", 1.0)]
)
def test_a_share_or_a_percentage_is_read(text: str, share: float) -> None:
    assert share_of(text, "--max-shortcut") == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("30", "Did you mean 30%?"),
        ("1", "Did you mean 1% (or 100%, which nothing exceeds)?"),
        ("1.5", "Did you mean 1.5%?"),
        ("300", "a share such as 0.30, or 30%, is allowed"),
        ("0,3", "a share such as 0.30, or 30%, is allowed"),
        ("nan", "a share such as 0.30, or 30%, is allowed"),
        ("inf%", "a share such as 0.30, or 30%, is allowed"),
        ("", "a share such as 0.30, or 30%, is allowed"),
        ("-0.1", "0 to 100% is allowed"),
        ("101%", "0 to 100% is allowed"),
    ],
)
def test_anything_else_is_an_error_that_helps(text: str, said: str) -> None:
    with pytest.raises(UsageError) as error:
        share_of(text, "--max-shortcut")
    assert said in str(error.value)


def test_a_gate_needs_a_bound_that_is_a_share(tmp_path: Path) -> None:
    folder = run(tmp_path, flagged(0))
    with pytest.raises(UsageError, match="No bound came"):
        gate(folder)
    with pytest.raises(UsageError, match="max_excess = 30"):
        gate(folder, max_excess=30)


def test_its_data_are_plain(tmp_path: Path) -> None:
    found: Gate = gate(run(tmp_path, flagged(0.5)), max_shortcut=0.3)
    data = found.to_json()
    assert (data["outcome"], data["exit_code"], len(data["shortcuts"])) == ("failed", 1, 30)
    assert data["bounds"][0]["upper"] == data["bounds"][0]["measured"]["high"]
    assert data["checks"][0]["applicable"] == N
