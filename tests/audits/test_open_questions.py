"""Open questions: exact match, mean relative accuracy, and the floor of one constant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.audits.made import STATUS, case
from tests.audits.made_run import write_run
from vidence.answer import Answer, Reply, Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.audits.benchmark import BenchmarkAudit, analyse
from vidence.audits.open_questions import is_number, open_questions, same_number, same_words
from vidence.check import parse_checks
from vidence.panel import panel_of
from vidence.parse import parse
from vidence.record import Cell, Outcome, Record
from vidence.report.open_questions import tables
from vidence.report.publish import publish
from vidence.run import run
from vidence.view import Case, View

M = "How far apart are they (in meters)?"


def asked(name: str, gold: Any, question: str = M, video: str = "", **tags: str) -> Case:
    return Case(name, View(question), gold=gold, cluster=video or f"video of {name}", tags=tags)


def outcome(name: str, check: str, text: str, finish: str = "stop") -> Outcome:
    """A reply in words, or one of the marks of `made.STATUS`, as a run would store it."""
    if text in STATUS:
        return Outcome(name, check, "m1", 0, STATUS[text], None, f"mark {text}")
    answer = parse(Reply(text, finish), View(M))
    return Outcome(name, check, "m1", 0, answer.status, answer.value, answer.reason)


def table(cases: list[Case], replies: dict[str, dict[str, str]]) -> list[dict[str, Any]]:
    made = [outcome(n, check, t) for check, mine in replies.items() for n, t in mine.items()]
    found = open_questions(cases, made, {check: ["m1"] for check in replies})
    assert found is not None
    return list(found["rows"])


def test_scores_by_hand() -> None:
    """Keys 2, 4, 10, 3, 5, 8. Replies: 2 m is exact, 300 cm for 4 is within 25 % (0.5), 10.4 for
    10 is within 4 % (1.0) and not exact, a range, a failed request, words without a number:
    exact 1/6, relative 2.5/6, among the three read 1/3 and 2.5/3.
    """
    cases = [asked(n, g) for n, g in zip("abcdef", (2.0, 4.0, 10.0, 3.0, 5.0, 8.0), strict=True)]
    replies = {"a": "2 m", "b": "300 cm", "c": "about 10.4", "d": "3-4 m", "e": "!", "f": "far"}
    (row,) = table(cases, {"blind": replies})
    assert (row["n"], row["missing"], row["unread"], row["converted"]) == (6, 1, 2, 1)
    assert row["exact"]["value"] == pytest.approx(1 / 6)
    assert row["relative"]["value"] == pytest.approx(2.5 / 6)
    assert (row["relative_read"]["value"], row["relative_read"]["n"]) == (
        pytest.approx(2.5 / 3),
        3,
    )
    assert row["exact_read"]["value"] == pytest.approx(1 / 3)
    assert row["relative"]["clusters"] == 6
    # 3 for 4 is an error of exactly 0.25, which the closed form counts as well.
    assert row["relative_closed"]["value"] == pytest.approx(2.6 / 6)


def test_refusals_and_skipped_checks_are_neither_missing_nor_unread() -> None:
    cases = [asked(n, 2.0) for n in "abc"]
    replies = {"a": "I cannot determine it.", "b": "-", "c": "2"}
    (row,) = table(cases, {"blind": replies})
    assert (row["n"], row["refused"], row["missing"], row["unread"]) == (2, 1, 0, 0)
    assert (row["relative"]["value"], row["relative"]["total"]) == (0.5, 3)


def test_a_number_cut_off_at_the_end_is_unread() -> None:
    made = [outcome("a", "blind", "It is about 1", "length"), outcome("b", "blind", "It is 1 m")]
    found = open_questions([asked("a", 1.0), asked("b", 1.0)], made, {"blind": ["m1"]})
    assert found is not None
    assert (found["rows"][0]["unread"], found["rows"][0]["exact"]["value"]) == (1, 0.5)


def test_the_floor_is_held_out_and_by_category() -> None:
    """Two categories of ten videos with one key each: the constant of a category is always right,
    one constant for both only on half; a blind reply of the right constant is 0 over the floor.
    """
    cases = [asked(f"a{i}", 2.0, kind="near") for i in range(10)]
    cases += [asked(f"b{i}", 50.0, kind="far") for i in range(10)]
    replies = {c.id: f"{c.gold:g}" for c in cases}
    made = [outcome(n, "blind", text) for n, text in replies.items()]
    found = open_questions(cases, made, {"blind": ["m1"]})
    assert found is not None
    one, by_kind = found["floors"]
    assert (one["tag"], by_kind["tag"], by_kind["used"]) == (None, "kind", True)
    assert by_kind["relative"]["value"] == 1.0
    assert one["relative"]["value"] <= 0.5
    assert {v["value"]: v["n"] for v in by_kind["values"]} == {"near": 10, "far": 10}
    assert found["rows"][0]["over_floor"]["value"] == 0.0


def test_the_difference_to_the_whole_video_is_paired() -> None:
    cases = [asked(n, 2.0) for n in "abcd"]
    rows = table(
        cases,
        {
            "intact": {"a": "2", "b": "2", "c": "2", "d": "-"},
            "blind": {"a": "2", "b": "9", "c": "!", "d": "2"},
        },
    )
    minus = rows[1]["minus_intact"]
    assert rows[0]["minus_intact"] is None
    assert (minus["value"], minus["n"]) == (pytest.approx(-2 / 3), 3)


@pytest.mark.parametrize(
    ("value", "gold", "same"),
    [
        (4, 4.0, True),
        (3.6, 4.0, False),
        (2.44, 2.4, True),
        (2.35, 2.4, True),
        (2.46, 2.4, False),
        (0.1 + 0.2, 0.3, True),
        (1e9 + 0.1, 1e9, True),
        (12.349, 12.35, True),
        (0, 0.0, True),
    ],
)
def test_a_number_is_rounded_to_the_decimals_of_the_key(
    value: float, gold: float, same: bool
) -> None:
    assert same_number(value, gold) is same


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("Kitchen", True),
        ("the kitchen.", True),
        ("The answer is: Kitchen", True),
        ("Answer: the **kitchen**", True),
        ("ＫＩＴＣＨＥＮ", True),
        ("In the kitchen", False),
        ("Kitchen or living room", False),
        ("", False),
    ],
)
def test_words_match_whole_or_not_at_all(words: str, same: bool) -> None:
    answer = parse(Reply(words), View("Where?"))
    assert same_words(str(answer.value or ""), "Kitchen") is same
    assert same_words("?", "?")


def test_a_key_of_words_that_looks_like_a_number_stays_words() -> None:
    assert [is_number(g) for g in (3, 3.0, "3", None, True, float("nan"))] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    (row,) = table([asked("a", "3")], {"blind": {"a": "3"}})
    assert (row["kind"], row["exact"]["value"], row["relative"]) == ("words", 1.0, None)


def test_nothing_open_is_nothing_to_show(tmp_path: Path) -> None:
    cases = [case("a"), asked("n", None)]
    assert open_questions(cases, [], {"blind": ["m1"]}) is None
    assert tables({"open_questions": None}) == {"open": None, "floors": None}


def test_an_audit_of_numbers_is_in_every_form_of_the_report(tmp_path: Path) -> None:
    """Asked for real: prompts, replies, records, store, report."""
    cases = [asked(f"q{i}", float(1 + i % 4), video=f"v{i % 12}", kind="k<1>") for i in range(24)]
    cases[0] = asked("q0", 1.0, video="v0", kind="all")

    def one(request: Request) -> str:
        return "**2 meters**" if "meters" in request.prompt.text() else "none"

    panel = panel_of(FunctionAnswerer("constant", one))
    folder = tmp_path / "run"
    run(cases, parse_checks("blind"), panel, folder, seed=0)
    audit = BenchmarkAudit(folder)
    page, data = publish(audit)
    (row,) = data["open_questions"]["rows"]
    golds = np.array([c.gold for c in cases], dtype=float)
    assert row["exact"]["value"] == pytest.approx((golds == 2).mean())
    assert json.loads((folder / "report.json").read_text())["open_questions"] == json.loads(
        json.dumps(data["open_questions"])
    )
    html, text = page.read_text(), (folder / "report.md").read_text()
    for shown in (html, text):
        assert "Mean relative accuracy" in shown
        assert "k<1>" not in shown
    assert "| blind | constant | number |" in text
    assert 'id="table-open"' in html


def test_stored_runs_need_no_second_reading(tmp_path: Path) -> None:
    """A record written before numbers were read holds the words, which is all that is needed."""
    old = Answer("ok", "About 3,5 m.", "open question")
    record = Record(Cell("a", "blind", "m1"), (), (old,), "ok", old.value, old.reason)
    folder = write_run(tmp_path / "run", [asked("a", 3.5)], [record], {"blind": ["m1"]})
    (row,) = analyse(folder)["open_questions"]["rows"]
    assert (row["exact"]["value"], row["relative"]["value"]) == (1.0, 1.0)


@pytest.mark.data
def test_vsi_bench_is_audited_with_its_own_keys(data_dir: Path) -> None:
    """A reply of its own key in each style is exact; the constant 2 to every count question scores
    what a loop over the file's keys gives.
    """
    from vidence.benchmark import load_benchmark

    cases = load_benchmark("vsibench", data_dir / "benchmarks" / "vsi-bench").open_ended
    units = {"object_size": "centimeters", "object_abs": "meters", "room_size": "square meters"}
    made = []
    for i, c in enumerate(cases):
        kind = c.tags["question_type"]
        unit = next((u for k, u in units.items() if kind.startswith(k)), "")
        style = ("{} {}", "**{} {}**", "It is about {} {}.", "Answer: {} {}")[i % 4]
        answer = parse(Reply(style.format(f"{c.gold:g}", unit)), c.view)
        made.append(Outcome(c.id, "intact", "m1", 0, answer.status, answer.value, answer.reason))
        made.append(Outcome(c.id, "blind", "m1", 0, "ok", "2", "open question"))
    found = open_questions(cases, made, {"intact": ["m1"], "blind": ["m1"]})
    assert found is not None
    full, blind = found["rows"]
    assert (full["n"], full["exact"]["value"], full["relative"]["value"]) == (2640, 1.0, 1.0)
    assert full["unread"] == blind["unread"] == 0
    by_hand = [sum(20 * abs(2 - c.gold) < j * c.gold - 1e-9 for j in range(1, 11)) for c in cases]  # type: ignore[operator]
    assert blind["relative"]["value"] == pytest.approx(np.mean(by_hand) / 10)
    assert blind["over_floor"]["high"] < 0
    used = next(floor for floor in found["floors"] if floor["used"])
    assert used["tag"] == "question_type"


@pytest.mark.data
def test_vcr_bench_reads_its_own_keys_in_numbers_and_in_words(data_dir: Path) -> None:
    """Zeros, boxes, time spans and formulas among them: a key given back is exact."""
    from vidence.benchmark import load_benchmark

    cases = load_benchmark("vcrbench", data_dir / "benchmarks" / "vcr-bench").cases
    made = []
    for c in cases:
        key = f"{c.gold:g}" if isinstance(c.gold, float) else str(c.gold)
        answer = parse(Reply(key), View(c.view.question))
        made.append(Outcome(c.id, "blind", "m1", 0, answer.status, answer.value, answer.reason))
    found = open_questions(cases, made, {"blind": ["m1"]})
    assert found is not None
    assert found["number"] + found["words"] == 523
    assert [row["exact"]["value"] for row in found["rows"]] == [1.0, 1.0]
    assert found["rows"][0]["relative"]["value"] == 1.0
