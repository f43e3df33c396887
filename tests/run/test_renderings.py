"""Text made by models: once, before the questions, shared by whoever needs it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from run_makers import OPTIONS, Asked, Seeing, film, film_cases, go, letter, records

from vidence.answer import Reply, Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.answerers.transcript_files import TranscriptFiles
from vidence.check import PROBES, Probe
from vidence.media.clip import Clip, Edit, Video
from vidence.panel import Panel, panel_of
from vidence.store import Store
from vidence.view import Case, Context, Rendering, Text, View


def replayed(edit: str) -> Probe:
    """A probe for this file: an agent's dialogue, its look at the film made again with an edit."""

    def show(view: View, context: Context, *, draw: int = 0) -> tuple[View]:
        def again(part: object) -> object:
            if not isinstance(part, Rendering):
                return part
            edited = replace(part.source, edits=(Edit(edit),))
            return replace(part, source=edited, draw=draw)

        return (view.with_parts(*((role, again(part)) for role, part in view.parts)),)  # type: ignore[arg-type]

    return Probe(edit, show, "one", "model", False, {"draw": 0})


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> None:
    PROBES.load()
    for name, edit in (("sham", "identity"), ("destroy", "blank")):
        monkeypatch.setitem(PROBES._members, name, replayed(edit))


@pytest.mark.usefixtures("replays")
def test_a_counterfactual_replay_is_a_run_like_any_other(tmp_path: Path) -> None:
    """The nouns hold for an agent: frozen dialogue, matched sham, committed answer apart."""
    look = Rendering(Clip(Video(film(tmp_path / "f.mp4")), 1.0, 3.0), "renderer", "Look again.")
    dialogue = (Text("I open the film at 1 s."), look, Text("So I can answer."))
    view = View("What is there?", OPTIONS, tuple(("dialogue", part) for part in dialogue))
    case = Case("run-7", view, gold=1, committed=2)

    def agent(request: Request) -> str:
        assert "I open the film" in request.prompt.text()
        return "D" if "a grey wall" in request.prompt.text() else "C"

    renderer = Seeing("renderer")
    panel = panel_of(
        FunctionAnswerer("agent", agent), FunctionAnswerer("other", letter), renderer,
        renderer="renderer",
    )  # fmt: skip
    checks = ",".join(f"{name}:draw={k}" for name in ("sham", "destroy") for k in range(3))
    go([case], panel, tmp_path / "run", checks)
    flips = {
        r.cell.check: r.value != case.committed
        for r in records(tmp_path / "run")
        if r.cell.answerer == "agent"
    }
    assert [flips[label] for label in sorted(flips)] == [True] * 3 + [False] * 3
    assert sorted(flips)[0] == "destroy"  # draw=0 is the default and not in the label
    with Store.open(tmp_path / "run", read_only=True) as store:
        calls = list(store.calls())
    made = [call for call in calls if call.kind == "rendering"]
    assert len(made) == len({call.key for call in made}) == len(renderer.asked) == 6
    assert len({call.request.seed for call in made}) == 6
    # SHAM's pixels are those of the film, so its draws differ in nothing but the draw.
    assert sorted(call.request.draw for call in made) == [0, 0, 1, 1, 2, 2]
    answers = [call for call in calls if call.kind == "answer"]
    assert len(answers) == 12
    assert {key for call in answers for key in call.renderings} == {
        call.renderings[0] for call in made
    }


def captions(panel: Panel, folder: Path, tmp_path: Path, **settings: object) -> list[str]:
    go(film_cases(tmp_path, 2), panel, folder, "summary:segments=2", **settings)
    return [f"{r.status}: {r.reason}" for r in records(folder)]


def member(name: str = "m", reply: object = letter) -> FunctionAnswerer:
    return FunctionAnswerer(name, reply)  # type: ignore[arg-type]


def test_a_panel_and_its_repeats_share_captions(tmp_path: Path) -> None:
    captioner = Seeing("eye")
    asked = Asked()
    panel = panel_of(member("a", asked), member("b", asked), captioner, captioner="eye")
    go(film_cases(tmp_path, 3), panel, tmp_path / "run", "summary:segments=2", repeats=2)
    assert len(captioner.asked) == 3 * 2
    assert len(asked.requests) == 3 * 2 * 2
    prompts = {r.prompt for r in asked.requests}
    assert len(prompts) == 3
    assert all(p.text().count(" wall, take ") == 2 for p in prompts)
    assert len({r.prompt.question for r in captioner.asked}) == 1


def test_an_answerer_added_later_sees_the_captions_made_before(tmp_path: Path) -> None:
    captioner, a, b = Seeing("eye"), Asked(), Asked()
    for members in ([member("a", a)], [member("a", a), member("b", b)]):
        panel = panel_of(*members, captioner, captioner="eye")
        go(film_cases(tmp_path, 2), panel, tmp_path / "run", "summary:segments=2")
    assert len(captioner.asked) == 4
    assert {r.prompt for r in a.requests} == {r.prompt for r in b.requests}


def test_a_role_that_nobody_has_skips_its_cells_until_somebody_does(tmp_path: Path) -> None:
    run = tmp_path / "run"
    go(film_cases(tmp_path, 2), panel_of(member()), run, "blind,summary:segments=2")
    skipped = [r for r in records(run) if r.status == "skipped"]
    assert [r.reason for r in skipped] == ["no captioner in the panel"] * 2
    again = go(film_cases(tmp_path, 2), panel_of(member()), run, "blind,summary:segments=2")
    assert again.already_complete
    panel = panel_of(member(), Seeing("eye"), captioner="eye")
    summary = go(film_cases(tmp_path, 2), panel, run, "blind,summary:segments=2")
    assert summary.statuses == {"ok": 4}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (Reply(status="absent", error="nothing there"), "skipped: no caption: nothing there"),
        (Reply("  \n"), "skipped: no caption"),
        (Reply("<think>I wonder", "length"), "skipped: no caption"),
        (Reply(status="filtered", error="policy"), "filtered: captioner 'eye': policy"),
        (Reply(status="failed", error="500"), "failed: the captioner 'eye' gave no text"),
    ],
    ids=["absent", "empty", "thinking only", "filtered", "failed"],
)
def test_a_caption_that_did_not_come_is_a_record_with_its_reason(
    tmp_path: Path, said: Reply, expected: str
) -> None:
    asked = Asked()
    panel = panel_of(member("m", asked), member("eye", lambda r: said), captioner="eye")
    go(film_cases(tmp_path, 2), panel, tmp_path / "run", "blind,summary:segments=2")
    found = [r for r in records(tmp_path / "run") if r.cell.check.startswith("summary")]
    assert [f"{r.status}: {r.reason}" for r in found] == [expected] * 2
    assert all(r.calls == () for r in found)
    assert len(asked.requests) == 2  # of `blind`


def test_captions_that_failed_are_made_at_resume_and_the_others_stay(tmp_path: Path) -> None:
    away = True
    asked = Asked(
        lambda r: (
            Reply(status="failed", error="away")
            if away and r.prompt.clips()[0].start
            else Reply(f"seen {r.seed}")
        )
    )
    panel = panel_of(member(), member("eye", asked), captioner="eye")
    go(film_cases(tmp_path, 2), panel, tmp_path / "run", "blind,summary:segments=2")
    away = False
    summary = go(film_cases(tmp_path, 2), panel, tmp_path / "run", "blind,summary:segments=2")
    assert summary.statuses == {"ok": 4}
    assert len(asked.requests) == 4 + 2


def test_thinking_is_no_part_of_a_caption(tmp_path: Path) -> None:
    asked = Asked()
    eye = member("eye", lambda r: "<think>Is it C? I think C.</think>\n A wall. ")
    panel = panel_of(member("m", asked), eye, captioner="eye")
    go(film_cases(tmp_path, 1), panel, tmp_path / "run", "summary:segments=1")
    (request,) = asked.requests
    assert "A wall." in request.prompt.text()
    assert "think" not in request.prompt.text()


def test_a_maker_is_not_asked_the_checks_unless_it_says_so(tmp_path: Path) -> None:
    eye = Seeing("eye")
    panel = Panel({"m": member(), "eye": eye}, {"captioner": "eye"}, asked=("m", "eye"))
    go(film_cases(tmp_path, 1), panel, tmp_path / "run", "center_frame")
    assert {r.cell.answerer for r in records(tmp_path / "run")} == {"m", "eye"}
    panel = panel_of(member(), eye, captioner="eye")
    go(film_cases(tmp_path, 1), panel, tmp_path / "run2", "center_frame")
    assert {r.cell.answerer for r in records(tmp_path / "run2")} == {"m"}


def test_transcripts_at_hand_are_shown_and_a_video_without_one_is_skipped(tmp_path: Path) -> None:
    """Kinds d13 and d16: coverage is counted; an empty file is no transcript and no crash."""
    cases = film_cases(tmp_path, 3)
    words = tmp_path / "words"
    words.mkdir()
    (words / "v0.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nred kettle\n")
    (words / "v1.srt").write_text("")
    asked = Asked()
    files = TranscriptFiles(name="files", folder=words)
    panel = panel_of(member("m", asked), files, transcriber="files")
    summary = go(cases, panel, tmp_path / "run", "audio")
    assert summary.statuses == {"skipped": 2, "ok": 1}
    assert summary.reasons == {
        ("skipped", "no transcript"): 1,
        ("skipped", "no transcript: no text"): 1,
    }
    (request,) = asked.requests
    assert "red kettle" in request.prompt.text()
    (record,) = [r for r in records(tmp_path / "run") if r.status == "ok"]
    assert "v0.srt" in record.notes
