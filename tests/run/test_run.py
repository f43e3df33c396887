"""What a run asks, what it keeps, and what it does not ask again."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from run_makers import OPTIONS, Asked, asks, go, letter, records, text_cases

from vidence.answer import Reply, Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.call import call_key
from vidence.cells import RunPlan, views_of
from vidence.check import make_check, parse_checks
from vidence.errors import RunMismatchError, StoreError, UnknownNameError, UsageError
from vidence.executors import EXECUTORS
from vidence.panel import panel_of
from vidence.parse import parse
from vidence.progress import Progress
from vidence.prompt import render
from vidence.run import resume
from vidence.seeds import seed_of
from vidence.store import Store
from vidence.view import Case, View


@pytest.mark.parametrize("executor", sorted(EXECUTORS))
@pytest.mark.parametrize("batch", [1, 3, 64])
def test_every_cell_has_one_record_whoever_runs_it(
    tmp_path: Path, executor: str, batch: int
) -> None:
    cases = text_cases(10)
    panel = panel_of(
        FunctionAnswerer("a", letter), FunctionAnswerer("b", lambda r: "B", batch=batch)
    )
    summary = go(cases, panel, tmp_path, "blind,rotated_options:of=blind", executor=executor)
    assert summary.total == summary.done == 40
    found = records(tmp_path)
    assert len({r.cell for r in found}) == len(found) == 40
    for record in found:
        if record.cell.check == "blind" and record.cell.answerer == "b":
            assert (record.status, record.value) == ("ok", 1)


def test_records_are_the_answers_to_the_requests_that_the_names_give(tmp_path: Path) -> None:
    """The oracle builds each request from the names in the design, without the driver."""
    (case,) = text_cases(1)
    asked = Asked()
    go([case], asks("m", asked), tmp_path, "shuffled_options", seed="s", repeats=2)
    for record in records(tmp_path):
        cell = record.cell
        (view,) = views_of(case, make_check("shuffled_options"), "s", cell.repeat)
        prompt = render(view)
        seed = seed_of("s", case.id, "shuffled_options", 0, cell.repeat, "m")
        request = Request(prompt, seed, cell.repeat)
        assert request in asked.requests
        identity = FunctionAnswerer("m", asked).identity
        assert record.calls == (call_key(identity, request),)
        assert record.answers == (parse(Reply(letter(request)), view),)
    assert len(asked.requests) == 2


def test_the_panel_sees_one_permutation_and_draws_its_own_replies(tmp_path: Path) -> None:
    a, b = Asked(), Asked()
    panel = panel_of(FunctionAnswerer("a", a), FunctionAnswerer("b", b))
    go(text_cases(5), panel, tmp_path, "shuffled_options")
    shown = [{r.prompt.question: r.prompt.options for r in each.requests} for each in (a, b)]
    assert shown[0] == shown[1]
    assert {r.seed for r in a.requests}.isdisjoint({r.seed for r in b.requests})


def test_adding_an_answerer_changes_no_view(tmp_path: Path) -> None:
    a, b = Asked(), Asked()
    first, second = FunctionAnswerer("a", a), FunctionAnswerer("b", b)
    go(text_cases(5), panel_of(first), tmp_path, "shuffled_options")
    go(text_cases(5), panel_of(second, first), tmp_path, "shuffled_options")
    assert len(a.requests) == len(b.requests) == 5
    assert {r.prompt for r in a.requests} == {r.prompt for r in b.requests}


def test_a_complete_run_started_again_says_so_and_asks_nothing(tmp_path: Path) -> None:
    """Kind f18."""
    asked = Asked()
    go(text_cases(7), asks("m", asked), tmp_path)
    summary = go(text_cases(7), asks("m", asked), tmp_path)
    assert len(asked.requests) == 7
    assert summary.already_complete
    assert str(summary) == (
        f"{tmp_path} is already complete (7 of 7). "
        "To ask again, choose another folder or delete this one."
    )


def test_temperature_is_in_the_key_of_a_call() -> None:
    """Kind f1."""
    request = Request(render(View("?", OPTIONS)), 1)
    keys = {call_key({"model": "m", "temperature": t}, request) for t in (0.0, 0.7)}
    assert len(keys) == 2


@pytest.mark.parametrize(
    "other",
    [
        Request(render(View("??", OPTIONS)), 1),
        Request(render(View("?", OPTIONS[::-1])), 1),
        Request(render(View("?", OPTIONS)), 2),
        Request(render(View("?", OPTIONS)), 1, draw=1),
    ],
    ids=["question", "order of the options", "seed", "draw"],
)
def test_whatever_can_change_a_reply_is_in_the_key_of_a_call(other: Request) -> None:
    """Kind f2: one document, two prompts, two entries."""
    assert call_key({}, Request(render(View("?", OPTIONS)), 1)) != call_key({}, other)


def test_repeats_of_one_question_are_as_many_calls_and_stay_so(tmp_path: Path) -> None:
    """Kind f4."""
    asked = Asked(lambda request: "ABCD"[request.seed % 4])
    for _ in range(2):
        go(text_cases(3), asks("m", asked), tmp_path, repeats=5)
        found = records(tmp_path)
        assert len(asked.requests) == len(found) == 15
        assert len({key for r in found for key in r.calls}) == 15
    assert len({r.seed for r in asked.requests}) == 15


def test_an_error_is_asked_again_and_every_other_reply_is_final(tmp_path: Path) -> None:
    """Kind f5: an outage must not outlive itself in the store."""
    away = True

    def reply(request: Request) -> Reply:
        if away and "c3?" in request.prompt.question:
            return Reply(status="failed", error="the service is away")
        if "c1?" in request.prompt.question:
            return Reply(status="filtered", error="no")
        return Reply("" if "c2?" in request.prompt.question else "A")

    asked = Asked(reply)
    summary = go(text_cases(5), asks("m", asked), tmp_path)
    assert summary.statuses == {"ok": 2, "failed": 1, "filtered": 1, "no_answer": 1}
    assert (summary.done, summary.failed) == (4, 1)
    assert summary.reasons["failed", "the service is away"] == 1
    with Store.open(tmp_path, read_only=True) as store:
        assert [error for _, _, error in store.attempts()] == ["the service is away"]
        assert len(list(store.calls())) == 4
    away = False
    summary = go(text_cases(5), asks("m", asked), tmp_path)
    assert summary.statuses == {"ok": 3, "filtered": 1, "no_answer": 1}
    assert Counter(r.prompt.question for r in asked.requests) == {
        "Question c0?": 1,
        "Question c1?": 1,
        "Question c2?": 1,
        "Question c3?": 2,
        "Question c4?": 1,
    }


def test_one_failed_view_of_several_is_asked_again_alone(tmp_path: Path) -> None:
    away = True

    def reply(request: Request) -> Reply:
        if away and request.prompt.options[0] == "bird":
            return Reply(status="failed", error="away")
        return Reply("ABCD"[request.prompt.options.index("dog")])

    asked = Asked(reply)
    go(text_cases(1), asks("m", asked), tmp_path, "rotated_options:of=blind")
    (record,) = records(tmp_path)
    assert [a.status for a in record.answers].count("failed") == 1
    assert len(record.calls) == len(asked.requests) == 4
    away = False
    go(text_cases(1), asks("m", asked), tmp_path, "rotated_options:of=blind")
    assert [r.prompt.options[0] for r in asked.requests[4:]] == ["bird"]
    (record,) = records(tmp_path)
    assert (record.status, record.value) == ("ok", 1)


def test_rotated_options_are_right_only_if_right_under_every_rotation(tmp_path: Path) -> None:
    """The nouns hold for a check of several views: letters move, keys do not."""
    knows = FunctionAnswerer("knows", lambda r: "ABCD"[r.prompt.options.index("bird")])
    first = FunctionAnswerer("first", lambda r: "A")
    shy = FunctionAnswerer("shy", lambda r: "" if r.prompt.options[0] == "dog" else "A")
    case = Case("x", View("Which?", OPTIONS), gold=2)
    go([case], panel_of(knows, first, shy), tmp_path, "rotated_options:of=blind")
    found = {r.cell.answerer: r for r in records(tmp_path)}
    assert all(len(r.calls) == len(set(r.calls)) == 4 for r in found.values())
    assert (found["knows"].status, found["knows"].value) == ("ok", 2)
    assert (found["first"].status, found["first"].value) == ("ok", None)
    assert "4 different answers under 4 views" in found["first"].reason
    assert [a.value for a in found["first"].answers] == [0, 1, 2, 3]


def test_a_check_that_does_not_apply_is_a_skipped_record_with_its_reason(tmp_path: Path) -> None:
    asked = Asked(lambda r: "A")
    cases = [Case("open", View("Why?")), *text_cases(2)]
    summary = go(cases, asks("m", asked), tmp_path, "rotated_options:of=blind")
    assert summary.statuses == {"ok": 2, "skipped": 1}
    assert summary.reasons == {("skipped", "0 options cannot be rotated"): 1}
    assert summary.done == summary.total == 3
    assert go(cases, asks("m", asked), tmp_path, "rotated_options:of=blind").already_complete


def test_progress_ends_at_the_total_and_never_goes_back(tmp_path: Path) -> None:
    seen: list[Progress] = []
    go(
        text_cases(9),
        asks("m"),
        tmp_path,
        "blind,rotated_options:of=blind",
        on_progress=seen.append,
    )
    answers = [p for p in seen if p.stage == "answers"]
    assert [p.done for p in answers] == sorted(p.done for p in answers)
    assert (answers[-1].done, answers[-1].total) == (18, 18)


def test_a_run_may_grow_by_cases_checks_answerers_and_repeats(tmp_path: Path) -> None:
    asked = Asked()
    one = FunctionAnswerer("one", asked)
    go(text_cases(3), panel_of(one), tmp_path)
    before = {r.cell: r for r in records(tmp_path)}
    two = FunctionAnswerer("two", letter)
    summary = go(
        text_cases(5),
        panel_of(one, two),
        tmp_path,
        "blind,rotated_options:of=blind",
        repeats=2,
    )
    assert summary.total == summary.done == 5 * 2 * 2 * 2
    assert summary.asked == 5 * 2 * 2 * (1 + 4) - 3
    after = {r.cell: r for r in records(tmp_path)}
    assert all(after[cell] == record for cell, record in before.items())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 1}, "its seed is 0, 1 came"),
        ({"repeats": 1}, "it has 2 repeats, 1 came"),
        ({"checks": "shuffled_options"}, "it has the check 'blind', which did not come"),
        ({"cases": text_cases(2)}, r"1 of its cases did not come \('c2'"),
        (
            {"cases": [replace(c, gold=0, cluster="w") for c in text_cases(3)]},
            "its case 'c0' has another cluster",
        ),
        ({"panel": asks("n")}, "it has the answerer 'm', which did not come"),
        (
            {"panel": asks("m", version="2")},
            "its answerer 'm' has version = '1', '2' came",
        ),
        (
            {
                "panel": panel_of(
                    FunctionAnswerer("m", letter), FunctionAnswerer("n", letter), x="m"
                )
            },
            "it asks 'm' the checks, now it does not",
        ),
    ],
)
def test_another_run_in_the_folder_is_refused_by_what_differs(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    asked = Asked()
    same = {"cases": text_cases(3), "panel": asks("m"), "checks": "blind", "repeats": 2}
    go(folder=tmp_path, **same)  # type: ignore[arg-type]
    before = records(tmp_path)
    with pytest.raises(RunMismatchError, match=f"holds another run: .*{message}"):
        go(folder=tmp_path, **{**same, **change})  # type: ignore[arg-type]
    assert records(tmp_path) == before
    assert asked.requests == []
    assert go(folder=tmp_path, **same).already_complete  # type: ignore[arg-type]


def test_a_folder_with_a_run_can_be_refused(tmp_path: Path) -> None:
    go(text_cases(1), asks("m"), tmp_path)
    with pytest.raises(StoreError, match="holds a run already"):
        go(text_cases(1), asks("m"), tmp_path, resume=False)


def test_a_resume_of_a_panel_made_in_python_needs_it_again(tmp_path: Path) -> None:
    away = True

    def reply(request: Request) -> Reply:
        if away and "c1" in request.prompt.question:
            return Reply(status="failed", error="away")
        return Reply("A")

    go(text_cases(3), asks("m", reply), tmp_path)
    with pytest.raises(UsageError, match=r"built in Python.*resume\(folder, panel=...\)"):
        resume(tmp_path)
    away = False
    assert resume(tmp_path, panel=asks("m", reply)).statuses == {"ok": 3}


def test_the_order_of_the_cases_changes_no_record(tmp_path: Path) -> None:
    """Kind f15."""
    cases = text_cases(12)
    shuffled = cases.copy()
    random.Random(seed_of("order of the cases")).shuffle(shuffled)
    checks = "blind,shuffled_options,rotated_options:of=blind"
    for name, order in (("a", cases), ("b", shuffled)):
        go(order, asks("m"), tmp_path / name, checks)
    assert records(tmp_path / "a") == records(tmp_path / "b")


def test_what_nobody_in_the_panel_answers_is_said(tmp_path: Path) -> None:
    summary = go(text_cases(2), asks("m"), tmp_path, "blind,bag_of_frames")
    assert summary.unasked == ("bag_of_frames",)
    assert summary.total == summary.done == 2
    with pytest.raises(UsageError, match=r"kind encoder; the panel asks m"):
        go(text_cases(2), asks("m"), tmp_path / "other", "bag_of_frames")


@pytest.mark.parametrize(
    ("cases", "checks", "message"),
    [
        ([], "blind", "No case came"),
        (text_cases(1), "", "No check came"),
        (text_cases(1) * 2, "blind", "The case id 'c0' came twice"),
    ],
)
def test_a_run_that_cannot_begin_says_why_and_leaves_no_folder(
    tmp_path: Path, cases: list[Case], checks: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        go(cases, asks("m"), tmp_path / "run", checks)
    assert not (tmp_path / "run").exists()


def test_an_unknown_executor_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"Unknown executor .lokal.\. Did you mean .local."):
        go(text_cases(1), asks("m"), tmp_path / "run", executor="lokal")
    assert not (tmp_path / "run").exists()


def test_a_peer_is_another_video_and_stays_when_cases_are_added() -> None:
    from vidence.media.clip import Clip, Video

    def cases(n: int) -> list[Case]:
        return [
            replace(
                case, view=case.view.with_parts(("video", Clip(Video(Path(f"/{case.cluster}")))))
            )
            for case in text_cases(n)
        ]

    def peers(plan: RunPlan) -> list[str]:
        clips = [plan.peers.of(case) for case in plan.cases]
        return [str(clip.video.path) for clip in clips if clip is not None]

    checks = parse_checks("blind")
    few = RunPlan(tuple(cases(6)), checks, asks("m"), 0)
    more = RunPlan(tuple(cases(30)), checks, asks("m"), 0, batches=(0,) * 6 + (1,) * 24)
    assert peers(more)[:6] == peers(few)
    assert all(own.cluster not in peer for own, peer in zip(more.cases, peers(more), strict=True))
    assert len(set(peers(more))) > 10
    alone = RunPlan(tuple(cases(1)), checks, asks("m"), 0)
    assert peers(alone) == []


def test_an_answerer_that_raises_fails_its_request_alone(tmp_path: Path) -> None:
    def reply(request: Request) -> str:
        if "c2?" in request.prompt.question:
            raise ZeroDivisionError("a bug in an answerer")
        return "A"

    for batch in (1, 4):
        summary = go(text_cases(6), asks("m", reply, batch=batch), tmp_path / f"{batch}")
        assert summary.statuses == {"ok": 5, "failed": 1}
        assert ("failed", "ZeroDivisionError: a bug in an answerer") in summary.reasons


def test_the_run_keeps_what_is_needed_to_repeat_it(tmp_path: Path) -> None:
    go(text_cases(2), asks("m"), tmp_path, seed=3, command="vidence audit x.jsonl")
    with Store.open(tmp_path, read_only=True) as store:
        config = store.meta("config")
        assert (config["seed"], config["repeats"], config["checks"]) == (3, 1, ["blind"])
        assert config["panel"][0]["name"] == "m"
        assert config["members"] == {"blind": ["m"]}
        assert store.meta("command") == "vidence audit x.jsonl"
        assert store.meta("created").endswith("+00:00")
        assert store.cases() == tuple(text_cases(2))
