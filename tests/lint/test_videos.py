"""Videos are really opened, transcripts really read."""

from __future__ import annotations

from pathlib import Path

from tests.lint.made import case, made
from tests.media.film import Film
from vidence.lint.findings import Fault, coverage, lint, probed
from vidence.lint.measure import hear_all, probe_all
from vidence.lint.subject import Subject
from vidence.media.clip import Clip, Video
from vidence.transcripts import SUFFIXES
from vidence.view import Case


def on(folder: Path, name: str, case_id: str, start: float | None = None) -> Case:
    clip = Clip(Video(folder / name), start=start, end=None)
    made_case = case(case_id, video=name)
    return Case(case_id, made_case.view.with_parts(("video", clip)), gold=0, cluster=name)


def test_every_kind_of_bad_file_is_told_apart(tmp_path: Path) -> None:
    good = Film(frames=50, codec="mpeg4").make(tmp_path / "good.avi")
    (tmp_path / "cut.avi").write_bytes(good.read_bytes()[: good.stat().st_size // 2])
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "page.mp4").write_text("<!DOCTYPE html><html>not found</html>" * 99)
    names = ("good.avi", "cut.avi", "empty.mp4", "page.mp4", "absent.mp4")
    cases = [on(tmp_path, name, f"q{i}") for i, name in enumerate(names)]
    subject = Subject(made(*cases))
    calls: list[tuple[int, int]] = []
    subject = Subject(
        subject.benchmark, probe_all(subject.videos, lambda a, b: calls.append((a, b)))
    )
    found = {f.id: (f.kind, f.severity) for f in lint(subject).faults}
    assert found == {
        "absent.mp4": ("missing_video", "error"),
        "cut.avi": ("unreadable_video", "error"),
        "empty.mp4": ("unreadable_video", "error"),
        "page.mp4": ("unreadable_video", "error"),
    }
    assert calls[-1] == (5, 5)
    assert probed(subject) == {"videos": 5, "missing": 1, "unreadable": 3}


def test_times_are_held_against_what_was_measured(tmp_path: Path) -> None:
    Film(frames=50).make(tmp_path / "v.mp4")
    cases = [on(tmp_path, "v.mp4", f"q{start}", start) for start in (1.0, 2.5, 3.5)]
    benchmark = made(*cases, seconds={"v.mp4": 60.0})
    subject = Subject(benchmark)
    probe = probe_all(subject.videos, lambda a, b: None)
    faults = [f for f in lint(Subject(benchmark, probe)).faults if f.kind == "time_outside_video"]
    assert [(f.id, f.severity) for f in faults] == [("q3.5", "error"), ("q2.5", "note")]
    assert "3.5 s, the video lasts 2.00 s and should last 60 s by its file" in faults[0].detail


SRT = "1\n00:00:00,000 --> 00:00:05,000\n{}\n"
SPANISH = "No sé por qué los niños que están con el perro como para una foto pero por el río"


def spoken(tmp_path: Path, words: dict[str, str | None]) -> tuple[Subject, list[Fault]]:
    for name, text in words.items():
        if text is not None:
            (tmp_path / f"{name}.srt").write_text(text)
    asked = "What is it that you see in the room, and which of the people have the red cup?"
    cases = [case(f"q-{name}", video=f"{name}.mp4", question=f"{asked} {name}?") for name in words]
    benchmark = made(*cases)
    heard = hear_all(Subject(benchmark).videos, tmp_path, lambda a, b: None)
    subject = Subject(benchmark, None, heard)
    return subject, [f for f in lint(subject).faults if f.kind.startswith("transcript")]


def test_d13_d16_transcripts_are_counted_and_told_apart(tmp_path: Path) -> None:
    thanks = "Thank you for watching! Please subscribe to my channel."
    subject, faults = spoken(
        tmp_path,
        {
            "good": SRT.format("The boat leaves the harbour in the early morning."),
            "absent": None,
            "empty": "",
            "thanks": SRT.format(thanks),
            "loop": SRT.format("we are all going to the market today. " * 40),
            "spanish": SRT.format(SPANISH),
        },
    )
    (tmp_path / "broken.json").write_text("{")
    found = sorted((f.id, f.kind, f.severity) for f in faults if f.kind != "transcript_times")
    assert found == [
        ("absent.mp4", "transcript_missing", "note"),
        ("empty.mp4", "transcript_missing", "note"),
        ("loop.mp4", "transcript_loop", "note"),
        ("loop.mp4", "transcript_noise", "warning"),
        ("spanish.mp4", "transcript_language", "note"),
        ("thanks.mp4", "transcript_noise", "warning"),
    ]
    assert coverage(subject) == {"videos": 6, "with_transcript": 5, "usable": 2}
    assert ".srt" in SUFFIXES


def test_a_transcript_that_cannot_be_read_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text("{")
    _, (fault,) = spoken(tmp_path, {"v": None})
    assert (fault.kind, fault.severity, fault.id) == ("transcript_unreadable", "warning", "v.mp4")
