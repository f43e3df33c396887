"""Stored replies are read again without a model, a case file or a video."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_makers import Asked, asks, film_cases, go, records, text_cases

from vidence import reparse as module
from vidence.answer import Answer, Reply, Request
from vidence.errors import RunLockedError
from vidence.reparse import reparse
from vidence.store import Store
from vidence.view import View


def test_todays_parser_changes_nothing_of_todays_run(tmp_path: Path) -> None:
    go(text_cases(6), asks("m"), tmp_path, "blind,rotated_options:of=blind,shuffled_options")
    before = records(tmp_path)
    changes = reparse(tmp_path)
    assert (changes.records, changes.changed) == (18, 0)
    assert str(changes) == "18 records read again, 0 changed."
    assert records(tmp_path) == before


def test_another_parser_rewrites_records_and_counts_what_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(request: Request) -> Reply:
        if "c0?" in request.prompt.question:
            return Reply("Could be anything.")
        return Reply("B")

    asked = Asked(reply)
    cases = film_cases(tmp_path, 3)
    go(cases, asks("m", asked), tmp_path / "run", "center_frame,shuffled_options")
    for path in tmp_path.glob("*.mp4"):
        path.unlink()  # not needed

    def other(reply: Reply, view: View) -> Answer:
        if reply.text == "B":
            return Answer("ok", view.options[2].key, "one further")
        return Answer("refused", None, "a new rule")

    monkeypatch.setattr(module, "parse", other)
    old = {r.cell: r for r in records(tmp_path / "run")}
    changes = reparse(tmp_path / "run")
    assert (changes.records, changes.statuses, changes.values) == (
        6,
        {("unparsed", "refused"): 2},
        4,
    )
    assert changes.to_json()["statuses"] == [{"before": "unparsed", "after": "refused", "n": 2}]
    assert "unparsed -> refused: 2" in str(changes)
    for record in records(tmp_path / "run"):
        assert record.calls == old[record.cell].calls
        if record.status == "ok":
            # The shuffle that was shown decides, not the benchmark's order.
            with Store.open(tmp_path / "run", read_only=True) as store:
                call = store.call(record.calls[0])
            assert call is not None
            assert record.value == call.shown[2]
    assert len(asked.requests) == 6
    assert reparse(tmp_path / "run").changed == 0


def test_records_without_a_reply_are_left_alone(tmp_path: Path) -> None:
    def reply(request: Request) -> Reply:
        failed = request.prompt.options[0] == "dog"
        return Reply(status="failed", error="away") if failed else Reply("A")

    go(text_cases(1), asks("m", reply), tmp_path, "blind,rotated_options:of=blind")
    before = records(tmp_path)
    assert reparse(tmp_path).changed == 0
    assert records(tmp_path) == before
    with Store.open(tmp_path, read_only=True) as store:
        assert len(store.final()) == 1  # the failed view is still to be asked again


def test_a_run_in_use_is_not_touched(tmp_path: Path) -> None:
    go(text_cases(1), asks("m"), tmp_path)
    with Store.open(tmp_path), pytest.raises(RunLockedError):
        reparse(tmp_path)
