"""The leaderboard: who is right on what, on which cases, and which ranks that resolves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.audits.made import case
from tests.audits.made_run import write_run
from vidence.audits.benchmark import distill
from vidence.audits.leaderboard import leaderboard
from vidence.audits.standings import INSIDE, OUTSIDE
from vidence.errors import CaseError, NothingMeasuredError, UnknownNameError, UsageError
from vidence.record import Record
from vidence.report.leaderboard import lines, render

N = 40


def rows(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in data["rows"]}


def value(row: dict[str, Any], which: str, kind: str = "accuracy") -> tuple[float | None, int]:
    estimate = row["sets"][which][kind]
    return estimate["value"], estimate["n"]


def made(folder: Path, **tags: str) -> Path:
    """40 cases of four options on 20 videos; the first 10 are flagged by all three under blind.

    Of the 30 kept, m1 and m2 are right under blind on the first 6, which m3 lost.
    On the whole video m1 is right on all, m2 on the flagged ones and half of the rest, m3 on the
    flagged ones alone, and four of its replies are failed.
    """
    cases = [case(f"q{i}", video=f"v{i % 20}", **tags) for i in range(N)]
    blind = {f"q{i}": "000" if i < 10 else "001" if i < 16 else "123" for i in range(N)}
    intact = {
        f"q{i}": f"0{0 if i < 10 or i % 2 else 3}{0 if i < 10 else '!' if i >= 36 else 1}"
        for i in range(N)
    }
    return write_run(folder, cases, {"intact": intact, "blind": blind})


def test_accuracy_on_all_on_kept_and_on_removed_cases(tmp_path: Path) -> None:
    data = leaderboard([made(tmp_path / "run")])
    assert {k: data["cases"][k] for k in ("scored", "videos", "kept", "removed")} == {
        "scored": 40,
        "videos": 20,
        "kept": 30,
        "removed": 10,
    }
    found = rows(data)
    assert list(found) == ["m1", "m2", "m3"]
    assert [value(found["m2"], s) for s in ("all", "kept", "removed")] == [
        (25 / 40, 40),
        (15 / 30, 30),
        (1.0, 10),
    ]
    assert found["m1"]["sets"]["kept"]["accuracy"]["clusters"] == 20
    assert all(row["panel"] for row in found.values())


def test_failed_replies_stand_in_both_denominators(tmp_path: Path) -> None:
    """Kind g6: 10 of 40 with the four failures, 10 of 36 without, and a note."""
    data = leaderboard([made(tmp_path / "run")])
    m3 = rows(data)["m3"]
    assert value(m3, "all") == (10 / 40, 40)
    assert value(m3, "all", "replied") == (10 / 36, 36)
    assert m3["sets"]["all"]["replied"]["total"] == 40
    assert m3["statuses"] == {"ok": 36, "failed": 4}
    assert any(note.startswith("m3: 4 of 40 replies are missing") for note in data["notes"])


def test_guessers_by_hand(tmp_path: Path) -> None:
    """Outside: 1/4. Inside, kept: m3 cannot be right on the 6 of 30 that m1 and m2 knew, so
    24/30/4; m1 and m2 have nobody who nearly agrees, 1/4; the row is their mean. Inside, removed:
    each was needed for the three votes, so right for sure."""
    data = leaderboard([made(tmp_path / "run")])
    found = {row["name"]: row["sets"] for row in data["guessers"]}
    assert found[OUTSIDE]["kept"]["value"] == 0.25
    assert found[INSIDE]["kept"]["value"] == pytest.approx((0.2 + 0.25 + 0.25) / 3)
    assert found[INSIDE]["removed"]["value"] == 1.0
    assert found[INSIDE]["all"]["value"] == 0.25
    board = rows(data)
    assert value(board["m3"], "kept", "guess")[0] == pytest.approx(0.2)
    assert value(board["m3"], "kept", "over_guess")[0] == pytest.approx(-0.2)
    assert value(board["m1"], "kept", "over_guess")[0] == pytest.approx(0.75)


def test_somebody_outside_the_panel_is_compared_with_chance(tmp_path: Path) -> None:
    panel = made(tmp_path / "panel")
    cases = [case(f"q{i}", video=f"v{i % 20}") for i in range(N)]
    replies = {"intact": {c.id: "0" for c in cases}}
    new = write_run(tmp_path / "new", cases, replies, {"intact": ["m1"]})
    data = leaderboard([new], kept=panel)
    (row,) = data["rows"]
    assert not row["panel"]
    assert value(row, "kept", "guess")[0] == 0.25
    assert data["filter"]["run"] == str(panel)
    both = leaderboard([panel, new])
    assert sorted(rows(both)) == ["m1 (new)", "m1 (panel)", "m2", "m3"]
    mixed = {(p["first"], p["second"]): p["mixed"] for p in both["pairs"]["kept"]}
    assert mixed["m1 (panel)", "m1 (new)"] is True
    assert mixed["m2", "m3"] is False


def test_the_same_model_in_another_run_is_a_panel_member(tmp_path: Path) -> None:
    panel = made(tmp_path / "panel")
    new = made(tmp_path / "new")
    for folder, name in ((panel, "m1"), (new, "m2")):
        change(folder, name, {"kind": "openai", "model": "Some-8B"})
    data = leaderboard([new], kept=panel)
    assert {name: row["panel"] for name, row in rows(data).items()} == {
        "m1": False,
        "m2": True,
        "m3": False,
    }


def change(folder: Path, name: str, identity: dict[str, str]) -> None:
    from vidence.store import Store

    with Store.open(folder) as store:
        config = store.meta("config")
        next(row for row in config["panel"] if row["name"] == name)["identity"] = identity
        store.set_meta({"config": config})


def test_kept_files_say_the_same_as_the_run(tmp_path: Path) -> None:
    folder = made(tmp_path / "run")
    distill(folder, consensus=2)
    by_run = leaderboard([folder], kept=folder, consensus=2)
    by_file = leaderboard([folder], kept=folder / "kept.jsonl")
    assert by_file["cases"]["kept"] == by_run["cases"]["kept"] == 24
    assert by_file["rows"] == by_run["rows"]
    assert by_file["guessers"] == by_run["guessers"]
    lonely = tmp_path / "elsewhere" / "kept.jsonl"
    lonely.parent.mkdir()
    lonely.write_bytes((folder / "kept.jsonl").read_bytes())
    alone = leaderboard([folder], kept=lonely)
    assert alone["cases"]["removed"] == 16
    assert not any(row["panel"] for row in alone["rows"])
    assert [row["name"] for row in alone["guessers"]] == [OUTSIDE]
    assert any("The panel behind kept.jsonl is not known" in note for note in alone["notes"])
    with pytest.raises(UsageError, match=r"Leave --consensus out"):
        leaderboard([folder], kept=lonely, consensus=2)


def test_undecided_cases_are_kept_as_distill_keeps_them(tmp_path: Path) -> None:
    cases = [case(f"q{i}") for i in range(6)]
    replies = {
        "intact": {c.id: "000" for c in cases},
        "blind": {c.id: "000" if i < 2 else "00?" for i, c in enumerate(cases)},
    }
    folder = write_run(tmp_path / "run", cases, replies)
    counts = distill(folder)
    data = leaderboard([folder])
    assert data["cases"]["kept"] == counts["needs_video"] + counts["undecided"] == 4


@pytest.mark.parametrize(
    "text",
    ["not json\n", '{"question": "no id"}\n', "[1]\n", '{"id": "stranger"}\n', "", "[" * 100_000],
)
def test_a_kept_file_of_another_kind_is_named(tmp_path: Path, text: str) -> None:
    folder, path = made(tmp_path / "run"), tmp_path / "kept.jsonl"
    path.write_text(text)
    with pytest.raises(CaseError, match=r"kept\.jsonl"):
        leaderboard([folder], kept=path)


def test_a_filter_that_saw_none_of_the_cases_is_refused(tmp_path: Path) -> None:
    strangers = [case("x"), case("y")]
    replies = {check: {c.id: "012" for c in strangers} for check in ("intact", "blind")}
    other = write_run(tmp_path / "other", strangers, replies)
    with pytest.raises(CaseError, match="no verdict on any of the 40 cases"):
        leaderboard([made(tmp_path / "run")], kept=other)


def test_a_filter_that_asked_something_else_under_the_same_names_is_refused(
    tmp_path: Path,
) -> None:
    other_key = [case(f"q{i}", gold=1, video=f"v{i % 20}") for i in range(N)]
    replies = {check: {c.id: "012" for c in other_key} for check in ("intact", "blind")}
    other = write_run(tmp_path / "other", other_key, replies)
    with pytest.raises(CaseError, match="another key for 40 of the cases"):
        leaderboard([made(tmp_path / "run")], kept=other)


def test_runs_that_share_some_cases_are_compared_on_those(tmp_path: Path) -> None:
    first = made(tmp_path / "first")
    cases = [case(f"q{i}", video=f"v{i % 20}") for i in range(5, 45)]
    replies = {"intact": {c.id: "0" for c in cases}}
    second = write_run(tmp_path / "second", cases, replies, {"intact": ["m1"]})
    data = leaderboard([first, second])
    assert data["cases"]["scored"] == 35
    assert [run["lacks"] for run in data["runs"]] == [5, 5]
    assert any(
        "first lacks 5 of 45 cases ('q40', 'q41', 'q42' and 2 more)" in n for n in data["notes"]
    )
    assert value(rows(data)["m1 (second)"], "all") == (1.0, 35)


def test_runs_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    first = made(tmp_path / "first")
    strangers = [case("x")]
    second = write_run(tmp_path / "second", strangers, {"intact": {"x": "000"}})
    with pytest.raises(UsageError, match="no case id in common"):
        leaderboard([first, second])
    other_key = [case(f"q{i}", gold=1) for i in range(N)]
    third = write_run(tmp_path / "third", other_key, {"intact": {c.id: "000" for c in other_key}})
    with pytest.raises(UsageError, match="40 of 40 shared ids stand for another question"):
        leaderboard([first, third])
    with pytest.raises(UsageError, match="A run came twice"):
        leaderboard([first, tmp_path / "." / "first"])
    with pytest.raises(UsageError, match="No run came"):
        leaderboard([])
    with pytest.raises(UsageError, match="1 to 3"):
        leaderboard([first], consensus=4)


def test_which_of_two_filters_has_to_be_said(tmp_path: Path) -> None:
    first, second = made(tmp_path / "first"), made(tmp_path / "second")
    data = leaderboard([first, second])
    assert data["filter"] is None
    assert any("2 of the runs could filter the cases" in note for note in data["notes"])
    assert leaderboard([first, second], kept=second)["cases"]["kept"] == 30


def test_nothing_to_rank_is_nothing_measured(tmp_path: Path) -> None:
    """Kind e13: silence is no score of 0."""
    cases = [case(f"q{i}") for i in range(4)]
    blind = write_run(tmp_path / "blind", cases, {"blind": {c.id: "000" for c in cases}})
    with pytest.raises(NothingMeasuredError, match="shown the whole video"):
        leaderboard([blind])
    silent = write_run(tmp_path / "silent", cases, {"intact": {c.id: "!!!" for c in cases}})
    with pytest.raises(NothingMeasuredError, match="not one reply"):
        leaderboard([silent])
    without = [case(f"q{i}", gold=None) for i in range(4)]
    keyless = write_run(tmp_path / "keyless", without, {"intact": {c.id: "000" for c in without}})
    with pytest.raises(NothingMeasuredError, match="no question has both"):
        leaderboard([keyless])
    one = write_run(tmp_path / "one", cases, {"intact": {c.id: "0!1" for c in cases}})
    data = leaderboard([one])
    assert list(rows(data)) == ["m1", "m3"]
    assert any(note.startswith("m2: not one reply could be read") for note in data["notes"])


def tagged(folder: Path) -> Path:
    """Values all (2 cases, 1 right), pooled (18, all right), one that is not there (4, none)."""
    cases, intact = [], {}
    for i in range(24):
        tags = {"kind": "all"} if i < 2 else {"kind": "pooled"} if i < 20 else {}
        cases.append(case(f"q{i}", **tags))
        intact[f"q{i}"] = "0" if i < 1 or 2 <= i < 20 else "1"
    blind = {c.id: "0" if i >= 20 else "1" for i, c in enumerate(cases)}
    members = {"intact": ["m1"], "blind": ["m1"]}
    return write_run(folder, cases, {"intact": intact, "blind": blind}, members)


def test_categories_survive_their_names_and_both_means_are_named(tmp_path: Path) -> None:
    """Kinds g8, g16, g5: 19 of 24 pooled; (1/2 + 1 + 0) / 3 over the values; one has none kept."""
    data = leaderboard([tagged(tmp_path / "run")], by="kind")
    found = data["by"]
    values = {v["value"]: (v["n"]["all"], v["rows"][0]["all"]["value"]) for v in found["values"]}
    assert values == {"": (4, 0.0), "all": (2, 0.5), "pooled": (18, 1.0)}
    assert found["pooled"][0]["all"]["value"] == pytest.approx(19 / 24)
    assert found["macro"][0]["all"]["value"] == pytest.approx(0.5)
    untagged = found["values"][0]
    assert (untagged["n"]["kept"], untagged["rows"][0]["kept"]["n"]) == (0, 0)
    assert untagged["rows"][0]["kept"]["value"] is None
    with pytest.raises(UnknownNameError, match="Did you mean 'kind'"):
        leaderboard([tmp_path / "run"], by="kinds")
    page = render(data)
    assert "| pooled | 18 |" in page
    assert "| *pooled* | 24 |" in page
    assert "| all | 2 |" in page
    text = "\n".join(lines(data))
    assert "(none) (0)" in text
    assert "mean of the values" in text


def test_ranks_that_are_not_resolved_are_named(tmp_path: Path) -> None:
    data = leaderboard([made(tmp_path / "run")])
    assert [row["ranks"] for row in data["rows"]] == [[1, 1], [2, 2], [3, 3]]
    cases = [case(f"q{i}") for i in range(20)]
    close = {"intact": {c.id: "00" + ("1" if i == 0 else "0") for i, c in enumerate(cases)}}
    even = leaderboard([write_run(tmp_path / "close", cases, close)])
    assert [row["ranks"] for row in even["rows"]] == [[1, 3]] * 3
    assert "Ranks not resolved on the all cases: m1 1-3, m2 1-3, m3 1-3." in even["notes"]


def test_no_line_passes_80_columns_and_nothing_hidden_is_printed(tmp_path: Path) -> None:
    cases = [case(f"q{i}", kind="k\x1b[2J " + "long " * 20) for i in range(12)]
    names = [f"a-model-with-a-very-long-name-{i}\u202e" for i in range(6)]
    replies = {
        "intact": {c.id: "000000" for c in cases},
        "blind": {c.id: "01" * 3 for c in cases},
    }
    members = dict.fromkeys(replies, names)
    folder = write_run(
        tmp_path / "run", cases, renamed(replies, names), members, title="T\x00" * 60
    )
    data = leaderboard([folder], by="kind")
    shown = lines(data)
    assert max(map(len, shown)) <= 80
    for text in ("\n".join(shown), render(data)):
        assert not {"\x1b", "\x00", "\u202e"} & set(text)
    assert "and 3 more pairs" in "\n".join(shown)


def renamed(replies: Any, names: list[str]) -> list[Record]:
    from dataclasses import replace

    from tests.audits.made import records

    return [
        replace(r, cell=replace(r.cell, answerer=names[int(r.cell.answerer[1:]) - 1]))
        for r in records(replies)
    ]


def test_one_case_has_no_interval_and_all_right_has_one_with_width(tmp_path: Path) -> None:
    """Kinds g2, g3 and g9."""
    single = write_run(tmp_path / "single", [case("q")], {"intact": {"q": "000"}})
    (first, *_) = leaderboard([single])["rows"]
    alone = first["sets"]["all"]["accuracy"]
    assert (alone["value"], alone["low"]) == (1.0, None)
    assert "one case" in alone["degenerate"]
    cases = [case(f"q{i}", video=f"v{i // 3}") for i in range(75)]
    right = write_run(tmp_path / "right", cases, {"intact": {c.id: "001" for c in cases}})
    board = rows(leaderboard([right]))
    for name, value_ in (("m1", 1.0), ("m3", 0.0)):
        estimate = board[name]["sets"]["all"]["accuracy"]
        assert (estimate["value"], estimate["clusters"]) == (value_, 25)
        assert estimate["high"] - estimate["low"] > 0.05
