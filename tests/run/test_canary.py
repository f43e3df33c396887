"""Three plain pictures tell a server that does not look from one that does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from run_makers import Seeing, asks, film_cases, go, records
from stub_server import Fault, StubServer

from vidence.answer import Reply, Request
from vidence.answerers.openai import OpenAIAnswerer
from vidence.canary import look
from vidence.errors import RejectedError
from vidence.media.pixels import FrameCache
from vidence.panel import panel_of


class ColourBlind(Seeing):
    """Name the strongest channel, or a fixed one."""

    def _see(self, request: Request, media: FrameCache) -> Reply:
        from io import BytesIO

        from PIL import Image

        (clip,) = request.prompt.clips()
        (data,) = media.encoded(clip).images
        means = np.asarray(Image.open(BytesIO(data))).mean(axis=(0, 1))
        return Reply(["red", "green", "blue"][int(means.argmax())])


def test_a_model_that_sees_passes() -> None:
    sight = look(ColourBlind("eye"), FrameCache())
    assert sight.right == 3
    assert str(sight) == "3 of 3 colours right (red: red, green: green, blue: blue)"


def test_a_server_that_keeps_replies_by_the_words_fails_loudly() -> None:
    """Kind e18."""
    with StubServer(cache_by_text=True) as server:
        answerer = OpenAIAnswerer(name="m", model="stub", base_url=server.url)
        with pytest.raises(RejectedError, match=r"calls a red, a green and a blue picture all"):
            look(answerer, FrameCache())
        assert len({call.text for call in server.calls}) == 1
        assert len({call.key for call in server.calls}) == 3


def test_a_thinking_model_that_ran_out_of_tokens_passes() -> None:
    """Kind e8."""
    with StubServer([Fault("null")]) as server:
        sight = look(OpenAIAnswerer(name="m", model="stub", base_url=server.url), FrameCache())
    assert sight.right == 0
    assert str(sight).startswith("0 of 3 colours right (red: no_answer")


def test_a_run_with_a_canary_stops_before_the_first_question(tmp_path: Path) -> None:
    cases = film_cases(tmp_path, 2)
    always = asks("m", lambda request: "B")
    with pytest.raises(RejectedError, match="Switch off its prompt cache"):
        go(cases, always, tmp_path / "run", "center_frame", canary=True)
    assert records(tmp_path / "run") == []
    summary = go(cases, panel_of(ColourBlind("eye")), tmp_path / "ok", "center_frame", canary=True)
    assert summary.total == 2
