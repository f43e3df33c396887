"""Videos that are not there, or cannot be read, in a run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from run_makers import Asked, Seeing, asks, film, film_cases, go, letter, records

from vidence.answerers.recorded import FunctionAnswerer
from vidence.errors import NothingMeasuredError
from vidence.media.clip import Clip, Video
from vidence.media.pixels import Encoded
from vidence.panel import panel_of
from vidence.progress import Progress

CHECKS = "blind,center_frame,summary:segments=2"


def test_missing_videos_are_named_before_any_model_is_asked(tmp_path: Path) -> None:
    """Kind b7: both named before any call; what shows no video is asked all the same."""
    cases = film_cases(tmp_path, 10)
    (tmp_path / "v3.mp4").unlink()
    (tmp_path / "v7.mp4").unlink()
    order: list[str] = []

    def told(progress: Progress) -> None:
        order.append(f"{progress.stage} {progress.failed}")

    asked = Asked(lambda r: (order.append("asked"), letter(r))[1])
    panel = panel_of(FunctionAnswerer("m", asked), Seeing("eye"), captioner="eye")
    summary = go(cases, panel, tmp_path / "run", CHECKS, on_progress=told)
    assert {Path(path).name for path in summary.videos} == {"v3.mp4", "v7.mp4"}
    assert order.index("videos 2") < order.index("asked")
    found = records(tmp_path / "run")
    failed = [r for r in found if r.status == "failed"]
    assert {r.cell.case for r in failed} == {"c3", "c7"}
    assert {r.cell.check for r in failed} == {"center_frame", "summary:segments=2"}
    assert all(r.reason.startswith("media: v") and "no such file" in r.reason for r in failed)
    assert summary.statuses == {"ok": 26, "failed": 4}
    assert (summary.done, summary.total) == (26, 30)


def test_a_video_that_comes_back_is_asked_at_resume(tmp_path: Path) -> None:
    cases = film_cases(tmp_path, 4)
    data = (tmp_path / "v1.mp4").read_bytes()
    (tmp_path / "v1.mp4").unlink()
    asked = Asked()
    go(cases, asks("m", asked), tmp_path / "run", "blind,center_frame")
    assert len(asked.requests) == 7
    (tmp_path / "v1.mp4").write_bytes(data)
    summary = go(cases, asks("m", asked), tmp_path / "run", "blind,center_frame")
    assert summary.statuses == {"ok": 8}
    assert len(asked.requests) == 8


def test_a_video_that_is_another_file_at_resume_is_named(tmp_path: Path) -> None:
    cases = film_cases(tmp_path, 2)
    go(cases, asks("m"), tmp_path / "run", "center_frame")
    film(tmp_path / "v1.mp4", shade=200, seconds=4)
    summary = go(cases, asks("m"), tmp_path / "run", "center_frame,blind,reversed")
    assert list(summary.videos) == [str(tmp_path / "v1.mp4")]
    assert "is another file than when the run began" in summary.videos[str(tmp_path / "v1.mp4")]
    assert summary.statuses == {"ok": 6}


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "0 bytes|empty"), (b"<html>not found</html>" * 200, "no video|not a video")],
    ids=["empty", "web page"],
)
def test_leftovers_of_downloads_fail_their_cells_with_a_reason(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    """Kind c1, in a run."""
    cases = film_cases(tmp_path, 3)
    (tmp_path / "v1.mp4").write_bytes(data)
    summary = go(cases, asks("m"), tmp_path / "run", "center_frame")
    assert summary.statuses == {"ok": 2, "failed": 1}
    ((_, said),) = summary.reasons
    assert re.match(rf"media: v1.mp4: .*({reason})", said), said


@pytest.mark.parametrize("name", ["x" * 300 + ".mp4", "nul\0.mp4"], ids=["too long", "NUL"])
def test_a_name_that_no_file_can_have_costs_its_own_cells_only(tmp_path: Path, name: str) -> None:
    cases = film_cases(tmp_path, 3)
    clip = replace(cases[1].view.clip(), video=Video(tmp_path / name))
    cases[1] = replace(cases[1], view=cases[1].view.with_parts(("video", clip)))
    summary = go(cases, asks("m"), tmp_path / "run", "blind,center_frame")
    failed = [r for r in records(tmp_path / "run") if r.status == "failed"]
    assert [(r.cell.case, r.cell.check) for r in failed] == [("c1", "center_frame")]
    assert all(r.reason.startswith(f"media: {name}: cannot be opened (") for r in failed)
    assert summary.failed == 1


def test_a_disk_that_fails_while_frames_are_read_costs_that_cell_only(tmp_path: Path) -> None:
    from vidence.media.pixels import FrameCache

    class Stale(FrameCache):
        def encoded(self, clip: Clip) -> Encoded:
            if clip.video.path.name == "v1.mp4":
                raise OSError(116, "Stale file handle")
            return super().encoded(clip)

    cases = film_cases(tmp_path, 3)
    summary = go(cases, asks("m"), tmp_path / "run", "center_frame", media=Stale())
    assert summary.statuses == {"ok": 2, "failed": 1}
    ((_, said),) = summary.reasons
    assert said == "media: v1.mp4: cannot be read (Stale file handle)."


def test_many_bad_videos_do_not_look_like_a_dead_service(tmp_path: Path) -> None:
    """Thirty videos that open and do not decode, before three good ones, stop nothing."""
    cases = film_cases(tmp_path, 33)
    for i in range(30):
        path = tmp_path / f"v{i}.mp4"
        path.write_bytes(path.read_bytes()[:-400])
    summary = go(cases, asks("m", concurrency=1), tmp_path / "run", "center_frame")
    assert summary.statuses.get("ok", 0) >= 3
    assert summary.done + summary.failed == 33


def test_no_video_at_all_is_an_error_that_names_the_reason(tmp_path: Path) -> None:
    cases = film_cases(tmp_path, 3)
    for path in tmp_path.glob("*.mp4"):
        path.unlink()
    with pytest.raises(NothingMeasuredError, match=r"none of 3 cells.*no such file"):
        go(cases, asks("m"), tmp_path / "run", "center_frame")


def test_without_a_check_that_shows_video_no_video_is_opened(tmp_path: Path) -> None:
    cases = film_cases(tmp_path, 3)
    for path in tmp_path.glob("*.mp4"):
        path.unlink()
    summary = go(cases, asks("m"), tmp_path / "run", "blind")
    assert summary.statuses == {"ok": 3}
    assert summary.videos == {}


def test_frames_are_decoded_once_for_all_answerers_repeats_and_orders(tmp_path: Path) -> None:
    from vidence.media.pixels import FrameCache

    media = FrameCache()

    def looks(name: str) -> FunctionAnswerer:
        return FunctionAnswerer(name, letter, size=24)

    cases = film_cases(tmp_path, 2)
    checks = "intact,frame_shuffle,reversed"
    go(cases, panel_of(looks("a"), looks("b")), tmp_path / "run", checks, repeats=2, media=media)
    assert media.decoded == 2


def test_a_video_shared_by_many_cases_is_opened_once(tmp_path: Path) -> None:
    (case,) = film_cases(tmp_path, 1)
    cases = [replace(case, id=f"q{i}") for i in range(20)]
    seen: list[Progress] = []
    go(cases, asks("m"), tmp_path / "run", "center_frame", on_progress=seen.append)
    assert [(p.done, p.total) for p in seen if p.stage == "videos"] == [(1, 1)]
    assert film(tmp_path / "v0.mp4").exists()
