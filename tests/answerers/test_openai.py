"""The thin client, against a real server on the loopback."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from stub_server import Fault, StubServer

from vidence.answer import TOO_LONG, Reply, Request
from vidence.answerers.openai import OpenAIAnswerer
from vidence.errors import PanelError, RejectedError, UnreachableError
from vidence.media.clip import Clip, Fps, Shuffled, Sound, Uniform, Video
from vidence.media.pixels import FrameCache
from vidence.media.write import write_video
from vidence.view import Option, Text, View

OPTIONS = (Option(0, "cat"), Option(1, "dog"))
WORDS = View("Which?", OPTIONS)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("openai") / "film.mp4"
    noise = np.random.default_rng(5).integers(0, 256, (16, 96, 128, 3), dtype=np.uint8)
    tone = np.sin(np.arange(4 * 16000) / 10) * 0.5
    write_video(path, noise, 4, audio=tone)
    return path


def member(server: StubServer, **settings: object) -> OpenAIAnswerer:
    chosen = {"name": "m", "model": "stub", "base_url": server.url, "max_retries": 0, **settings}
    return OpenAIAnswerer(**chosen)  # type: ignore[arg-type]


def ask(answerer: OpenAIAnswerer, view: View = WORDS, seed: int = 1) -> Reply:
    (reply,) = answerer.ask([Request(answerer.prepare(view), seed)], FrameCache())
    return reply


def showing(path: Path, frames: int, **changes: object) -> View:
    clip = Clip(Video(path), sampling=Uniform(frames), **changes)  # type: ignore[arg-type]
    return WORDS.with_parts(("video", clip))


def test_a_reply_comes_with_its_words_reason_and_usage() -> None:
    with StubServer() as server:
        reply = ask(member(server))
    assert reply.text in ("A", "B")
    assert (reply.status, reply.finish_reason) == ("ok", "stop")
    assert reply.usage["total_tokens"] == 12


def test_words_alone_are_sent_as_a_plain_string_and_decoding_as_set() -> None:
    with StubServer() as server:
        ask(
            member(server, temperature=0.7, top_p=0.9, max_tokens=5, extra={"top_k": 3}), seed=2**40
        )
        ask(member(server, omit=["temperature", "max_tokens", "seed"]))
        first, second = server.calls
    assert first.text == "Which?\nA. cat\nB. dog\nAnswer with the letter of the best option only."
    assert {k: first.body[k] for k in ("temperature", "top_p", "max_tokens", "top_k")} == {
        "temperature": 0.7,
        "top_p": 0.9,
        "max_tokens": 5,
        "top_k": 3,
    }
    assert first.seed == 2**40 & 0x7FFFFFFF
    assert set(second.body) == {"model"}


def test_every_setting_that_can_change_a_reply_is_in_the_identity() -> None:
    base = {"name": "m", "model": "x", "base_url": "http://127.0.0.1:1/v1"}
    changes: list[dict[str, object]] = [
        {"model": "y"},
        {"revision": "abc"},
        {"temperature": 0.7},
        {"top_p": 0.5},
        {"max_tokens": 5},
        {"omit": ["seed"]},
        {"system": "Be brief."},
        {"size": 224},
        {"quality": 50},
        {"detail": "low"},
        {"max_images": 4},
        {"extra": {"top_k": 1}},
    ]
    identities = [OpenAIAnswerer(**{**base, **c}).identity for c in ({}, *changes)]  # type: ignore[arg-type]
    texts = [repr(sorted(identity.items())) for identity in identities]
    assert len(set(texts)) == len(texts)
    same = [{"name": "n"}, {"base_url": "http://127.0.0.1:2/v1"}, {"timeout": 1.0}]
    same += [{"max_retries": 9}, {"concurrency": 1}]
    for change in same:
        assert OpenAIAnswerer(**{**base, **change}).identity == identities[0]  # type: ignore[arg-type]


def test_frames_are_sent_at_their_size_in_the_order_shown(film: Path) -> None:
    with StubServer() as server:
        answerer = member(server, size=64, detail="low")
        for order in ("forward", Shuffled(3), "reversed"):
            ask(answerer, showing(film, 6, order=order))
        texts = {call.text for call in server.calls}
        prompt = answerer.prepare(showing(film, 6))
    assert [call.images for call in server.calls] == [6, 6, 6]
    assert len({call.key for call in server.calls}) == 3
    assert len(texts) == 1, "nothing in the words tells the order"
    (clip,) = prompt.clips()
    assert (clip.size, clip.codec.quality) == (64, 90)


def test_a_transcript_and_a_system_message_are_sent() -> None:
    with StubServer() as server:
        ask(member(server, system="Be brief."), WORDS.with_parts(("transcript", Text("hello"))))
        (call,) = server.calls
    assert call.text.startswith("Be brief.\n")
    assert "hello" in call.text


def test_sound_is_sent_as_wav_and_a_film_without_any_is_absent(film: Path, tmp_path: Path) -> None:
    mute = tmp_path / "mute.mp4"
    write_video(mute, np.zeros((4, 32, 32, 3), np.uint8), 4)
    with StubServer() as server:
        view = View("Transcribe.", (), (("sound", Sound(Video(film), 0.0, 1.0)),))
        assert ask(member(server), view).status == "ok"
        assert server.calls[0].images == 1  # the stub counts what is not text
        view = View("Transcribe.", (), (("sound", Sound(Video(mute))),))
        reply = ask(member(server), view)
    assert (reply.status, len(server.calls)) == ("absent", 1)
    assert "no sound track" in reply.error


def test_fewer_frames_only_if_asked_evenly_and_recorded(film: Path) -> None:
    """Kind e3: nothing is cut silently."""
    with StubServer() as server:
        every = ask(member(server), showing(film, 12))
        some = ask(member(server, max_images=4), showing(film, 12))
        fits = ask(member(server, max_images=12), showing(film, 12))
    assert [call.images for call in server.calls] == [12, 4, 12]
    assert some.notes[-1] == "4 of 12 frames sent (max_images)"
    assert not any("max_images" in note for note in (*every.notes, *fits.notes))
    assert some.usage["frames"] == 4


def test_fewer_frames_than_asked_for_are_noted(film: Path) -> None:
    with StubServer() as server:
        reply = ask(
            member(server), WORDS.with_parts(("video", Clip(Video(film), sampling=Fps(50))))
        )
    assert any("of" in note for note in reply.notes), reply.notes


@pytest.mark.parametrize(
    ("fault", "status", "words"),
    [
        (Fault("429"), "failed", "429: Rate limit reached (text only)"),
        (Fault("500"), "failed", "500: internal error (text only)"),
        (Fault("cut"), "failed", "the connection broke"),
        (Fault("garbage"), "failed", "no chat completion"),
        (Fault("empty"), "failed", "no chat completion"),
        (Fault("error_in_200"), "failed", "upstream is away"),
        (Fault("too_long"), "filtered", TOO_LONG + "400: This model's maximum context length"),
        (Fault("content_filter"), "filtered", "400: The response was filtered."),
        (Fault("filtered_200"), "filtered", "the service filtered its own reply"),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_each_fault_has_its_own_status(fault: Fault, status: str, words: str) -> None:
    with StubServer([fault]) as server:
        reply = ask(member(server))
        assert len(server.calls) == 1
    assert reply.status == status
    assert words in reply.error
    assert reply.text == ""


def test_reasoning_that_used_all_tokens_is_no_answer_and_no_crash() -> None:
    """Kinds e6 and e8."""
    with StubServer([Fault("null")]) as server:
        reply = ask(member(server, max_retries=3))
        assert len(server.calls) == 1
    assert (reply.status, reply.text, reply.finish_reason) == ("ok", "", "length")
    assert reply.notes == ("13 characters of reasoning apart",)


def test_a_slow_reply_is_a_failure_of_its_request() -> None:
    with StubServer([Fault("slow", value=2.0)]) as server:
        reply = ask(member(server, timeout=0.3))
    assert (reply.status, reply.error) == ("failed", "no reply within 0.3 s (text only)")


def test_tries_are_bounded_and_the_message_gives_length_of_clip(film: Path) -> None:
    """Kind e20: 500 on each try of a very short clip."""
    with StubServer([Fault("500")]) as server:
        view = showing(film, 2, start=1.0, end=1.5)
        reply = ask(member(server, max_retries=2), view)
        assert len(server.calls) == 3
    assert reply.error.startswith("500: internal error (2 frames over 0.2 s, 0.0")


def test_retry_after_is_obeyed_and_without_it_the_wait_is_short() -> None:
    """Kind e15."""
    with StubServer([Fault("429", times=1, value=2)]) as server:
        assert ask(member(server, max_retries=1)).status == "ok"
        first, second = (call.at for call in server.calls)
    assert second - first >= 1.9
    with StubServer([Fault("429", times=2)]) as server:
        assert ask(member(server, max_retries=2)).status == "ok"
        assert len(server.calls) == 3


def test_a_body_too_large_is_told_with_size_and_number_of_frames(film: Path) -> None:
    """Kind e16."""
    with StubServer([Fault("413", value=20_000)]) as server:
        assert ask(member(server), showing(film, 1, size=16)).status == "ok"
        reply = ask(member(server, size=128, quality=95), showing(film, 16))
    assert reply.status == "failed"
    assert reply.error.startswith("the request is too large, 413")
    assert "16 frames over" in reply.error
    assert "MB of base64" in reply.error


def test_a_limit_of_images_stops_with_a_hint(film: Path) -> None:
    """Kind e1: never 100 % wrong."""
    with StubServer([Fault("images", value=1)]) as server:
        assert ask(member(server), showing(film, 1)).status == "ok"
        with pytest.raises(
            RejectedError, match=r"At most 1 image.*Set max_images in \[answerers.m"
        ):
            ask(member(server), showing(film, 8))
        assert ask(member(server, max_images=1), showing(film, 8)).status == "ok"


SECRET = "sk-test-4d5e6f"


def test_the_key_comes_from_the_environment_and_is_in_no_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STUB_KEY", SECRET)
    with StubServer([Fault("401", value=SECRET)]) as server:
        answerer = member(server, api_key_env="STUB_KEY")
        with pytest.raises(RejectedError, match=r"provided: \*\*\*") as caught:
            ask(answerer)
    assert SECRET not in str(caught.value)
    assert SECRET not in repr(answerer.identity)


def test_a_key_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STUB_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(PanelError, match="environment variable STUB_KEY, which is not set"):
        OpenAIAnswerer(name="m", model="x", api_key_env="STUB_KEY")
    with pytest.raises(PanelError, match="neither base_url nor api_key_env"):
        OpenAIAnswerer(name="m", model="x")


def test_an_unknown_model_and_an_empty_port_stop_the_run() -> None:
    with StubServer([Fault("404")]) as server:
        answerer = member(server)
        with pytest.raises(RejectedError, match=r"refuses the model 'stub'.*does not exist"):
            ask(answerer)
    with pytest.raises(UnreachableError, match=r"Nothing answers at http://127.*Start the server"):
        ask(answerer)
    wrong = OpenAIAnswerer(name="m", model="x", base_url="http://no.invalid/v1", max_retries=0)
    with pytest.raises(UnreachableError, match=r"Nothing answers at http://no.invalid/v1"):
        ask(wrong)


def test_many_threads_share_one_client() -> None:
    with StubServer([Fault("slow", value=0.1)]) as server:
        answerer = member(server)
        threads = [threading.Thread(target=ask, args=(answerer,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert len(server.calls) == 8
        assert server.most_at_once >= 4


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"omit": ["top_k"]}, "omit = 'top_k' came for 'm'"),
        ({"max_images": 0}, "max_images = 0 came for 'm'; at least 1"),
        ({"size": 0}, "size = 0 came"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(PanelError, match=message):
        OpenAIAnswerer(name="m", model="x", base_url="http://127.0.0.1:1/v1", **settings)  # type: ignore[arg-type]


def test_the_sdk_loads_with_the_first_request_only() -> None:
    program = (
        "import sys; from vidence.panel import load_panel\n"
        "load_panel({'answerers': {'m': {'kind': 'openai', 'model': 'x', 'base_url': 'http://h/v1'}}})\n"
        "assert 'openai' not in sys.modules and 'av' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
