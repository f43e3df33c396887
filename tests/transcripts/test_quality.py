"""What is wrong with a transcript, with times, and whether it is usable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vidence.transcripts import (
    Cue,
    FaultKind,
    Transcript,
    examine,
    faults,
    language,
    read_transcript,
)
from vidence.transcripts.quality import DIFFERENT_WORDS

TALK = (
    "Welcome to the harbour", "where every boat has its own story", "and its own captain",
    "who knows the tides by heart", "and the names of all the birds",
)  # fmt: skip


def spoken(*texts: str, length: float = 3.0) -> Transcript:
    cues = (Cue(i * length, (i + 1) * length, text) for i, text in enumerate(texts))
    return Transcript(tuple(cues))


def of(transcript: Transcript, *kinds: FaultKind) -> list[tuple[str, float, float]]:
    return [(f.kind, f.start, f.end) for f in faults(transcript) if not kinds or f.kind in kinds]


def test_speech_has_no_fault() -> None:
    examined = examine(spoken(*TALK))
    assert examined.faults == ()
    assert examined.usable
    assert examined.words == len(" ".join(TALK).split()) == len(examined.sound)


def test_d10_forty_equal_lines_are_a_loop_with_its_time() -> None:
    looped = spoken(*TALK, *["I am going home."] * 40, *TALK)
    (fault,) = faults(looped)
    assert (fault.kind, fault.detail) == ("loop", "40 times 'I am going home'")
    assert fault.start == pytest.approx(15)
    assert fault.end == pytest.approx(135, abs=0.5)
    assert examine(looped).usable
    assert not examine(spoken(*["I am going home."] * 40)).usable


def test_d15_two_chunks_with_the_same_words_are_a_double_and_no_loop() -> None:
    chunk = "and so the captain told them all about the great storm of that winter"
    again = (Cue(3.1, 5.1, f"{chunk} when"), Cue(5.1, 8, TALK[1]))
    same_time = Transcript((Cue(0, 3, TALK[0]), Cue(3, 5, chunk), *again))
    goes_on = spoken(TALK[0], chunk, chunk + " when nobody slept", TALK[1])
    for transcript in (same_time, goes_on):
        assert {f.kind for f in faults(transcript)} == {"double"}
        assert examine(transcript).usable
    ((_, start, end),) = of(goes_on)
    assert 5.9 < start < end < 9.1


def test_rolling_captions_and_words_said_twice_are_no_double() -> None:
    rolling = Transcript((
        Cue(0, 2, TALK[0]), Cue(2, 4, f"{TALK[0]}\n{TALK[1]}"), Cue(4, 6, f"{TALK[1]}\n{TALK[2]}"),
    ))  # fmt: skip
    assert of(rolling) == []
    assert of(spoken(TALK[0], "that is it", "that is it", TALK[1])) == []


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for watching!",
        "Thank you. Thank you. Thank you.",
        "Thanks for watching! Please subscribe to my channel.",
        "We'll be right back. To be continued...",
        "Субтитры сделал DimaTorzok",
        "Субтитры создавал DimaTorzok Продолжение следует...",
        "Редактор субтитров А.Семкин Корректор А.Егорова",
        "Untertitel im Auftrag des ZDF für funk, 2017",
        "Undertexter från Amara.org-gemenskapen",
        "Sous-titrage Société Radio-Canada",
        "Altyazı M.K. Teşekkürler",
        "ご視聴ありがとうございました",
        "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
        "시청해주셔서 감사합니다. 다음 영상에서 만나요.",
        "Terima kasih telah menonton! Sampai jumpa di video selanjutnya.",
        "¡Suscríbete al canal! Gracias por ver el video.",
        "Vielen Dank fürs Zuschauen. Bis zum nächsten Mal.",
        "اشتركوا في القناة",
        "© BF-WATCH TV 2021",
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    ],
)
def test_thanks_and_credits_alone_are_noise_in_many_languages(text: str) -> None:
    alone = spoken(text)
    assert not examine(alone).usable
    assert "noise" in examine(alone).kinds
    assert examine(spoken(*TALK, text)).usable


def test_thanks_in_speech_are_no_fault_and_credits_are_with_their_time() -> None:
    assert of(spoken(*TALK, "Thank you for watching!")) == []
    (fault,) = faults(spoken(*TALK, "Субтитры сделал DimaTorzok"))
    assert (fault.kind, fault.start) == ("noise", 15)
    assert "DimaTorzok" in fault.detail


def test_few_words_are_usable_where_nothing_is_noise() -> None:
    assert examine(spoken("I'm done.")).usable
    assert not examine(spoken("I'm done.", "Thank you for watching!")).usable
    enough = " ".join(["boat", "harbour", "captain", "tide", "bird"][:DIFFERENT_WORDS])
    assert examine(spoken(enough, "Thank you for watching!")).usable


@pytest.mark.parametrize("text", ["", "🎵🎵🎵", "¶¶ ... ♪"])
def test_d16_no_words_are_empty_and_no_crash(text: str) -> None:
    transcript = Transcript((Cue(0, 5, text),)) if text else Transcript(())
    examined = examine(transcript)
    assert examined.kinds == {"empty"}
    assert not examined.usable
    assert examined.between(0, 99) == ()


def test_rates_that_nobody_speaks_at() -> None:
    fast = Transcript((Cue(0, 3, TALK[0]), Cue(3, 4, " ".join(TALK * 3)), Cue(4, 9, TALK[1])))
    assert of(fast, "rate") == [("rate", 3, 4)]
    assert of(Transcript((Cue(0, 200, " ".join(TALK)),))) == [("long_cue", 0, 200)]
    slow = Transcript((Cue(0, 2, TALK[0]), Cue(119, 120, "yes")))
    assert of(slow) == [("rate", 0, 120)]


def test_cues_without_an_end_are_one_fault() -> None:
    transcript = Transcript((Cue(0, None, TALK[0]), Cue(3, 6, TALK[1]), Cue(6, None, TALK[2])))
    assert of(transcript) == [("no_end", 0, 6)]


def test_a_window_knows_whether_its_words_are_sound() -> None:
    examined = examine(spoken(*TALK, *["la la la la"] * 20))
    assert {word.text for word in examined.between(3, 6)} >= {"boat"}
    assert examined.between(20, 60) == ()


def test_what_is_wrong_is_found_in_every_form_of_file(tmp_path: Path) -> None:
    rows = [{"start": 3.0 * i, "end": 3.0 * i + 3, "text": "we go home now"} for i in range(40)]
    forms: dict[str, Any] = {
        "whisper": {"text": "", "segments": [{"id": i, **row} for i, row in enumerate(rows)]},
        "transformers": {"chunks": [{"timestamp": [r["start"], r["end"]], "text": r["text"]}
                                    for r in rows]},
        "list": rows,
        "api": [{"start": r["start"], "duration": 3.0, "text": r["text"]} for r in rows],
        "json3": {"wireMagic": "pb3", "events": [
            {"tStartMs": 0, "dDurationMs": 120_000, "id": 1, "wpWinPosId": 1},
            *({"tStartMs": 3000 * i, "dDurationMs": 3000,
               "segs": [{"utf8": "we go "}, {"utf8": "home now", "tOffsetMs": 900}]}
              for i in range(40)),
            {"tStartMs": 5000, "aAppend": 1, "segs": [{"utf8": "\n"}]},
        ]},
    }  # fmt: skip
    for name, data in forms.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(data))
        transcript = read_transcript(path)
        assert transcript.window(3, 6) == "we go home now", name
        assert of(transcript, "loop") == [("loop", 0, pytest.approx(120, abs=0.5))], name


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("the boat is in the harbour and it is what you have to see for that day", "en"),
        ("el perro que está en la casa es más grande, pero por eso no es para los niños", "es"),
        ("der Hund ist nicht im Haus und ich bin mit den Kindern auf dem Weg zu einem", "de"),
        ("我们今天要去看船和大海", "zh"),
        ("今日は船を見に行きましょう、とても楽しい", "ja"),
        ("сегодня мы пойдём смотреть корабли", "ru"),
        ("na na na na na na na na na na na na", ""),
        ("boat", ""),
        ("", ""),
    ],
)
def test_languages_are_guessed_or_left_open(text: str, code: str) -> None:
    assert language(text) == code


@pytest.mark.data
def test_public_transcripts_are_examined_without_a_crash(data_dir: Path) -> None:
    """Every eighth file. The known ones hold nothing but thanks, and a talk of many words."""
    for path in sorted((data_dir / "transcripts").glob("*/*.json"))[::8]:
        transcript = read_transcript(path)
        examined = examine(transcript)
        assert all(0 <= f.start <= f.end and f.detail for f in examined.faults), path.name
        assert len(examined.sound) <= examined.words
        assert not (examined.usable and "empty" in examined.kinds)
    thanks = read_transcript(data_dir / "transcripts/mlvu_test/test_surveil_10.mp4.mp3.json")
    assert {"loop", "noise"} <= examine(thanks).kinds
    talk = read_transcript(data_dir / "transcripts/video-mme/0Jbc3Ah4EIc.mp4.mp3.json")
    assert examine(talk).usable
