"""Transcripts as they are found: rows d1 to d8 and d16, and the public files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vidence.transcripts import (
    NO_TEXT,
    SUFFIXES,
    Cue,
    Transcript,
    TranscriptError,
    find_transcript,
    read_transcript,
)


def read(tmp_path: Path, content: str | bytes | Any, suffix: str = ".srt") -> Transcript:
    path = tmp_path / f"talk{suffix}"
    if not isinstance(content, str | bytes):
        content = json.dumps(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_transcript(path)


SRT = "1\n00:00:01,000 --> 00:00:03,500\nOne two\nthree\n\n2\n00:01:02,250 --> 01:00:00,000\nFour\n"


@pytest.mark.parametrize(
    "data",
    [
        SRT.encode(),
        b"\xef\xbb\xbf" + SRT.encode(),
        SRT.encode("utf-16"),
        SRT.replace("\n", "\r\n").encode(),
        SRT.replace("\n", "\r").encode(),
        SRT.rstrip().encode(),
        b"\n\n" + SRT.encode(),
    ],
    ids=["plain", "BOM", "utf-16", "CRLF", "CR", "no last line", "blank lines first"],
)
def test_d1_srt_in_every_wrapping(tmp_path: Path, data: bytes) -> None:
    transcript = read(tmp_path, data)
    assert transcript.cues == (Cue(1, 3.5, "One two\nthree"), Cue(62.25, 3600, "Four"))
    assert transcript.text() == "One two three Four"
    assert transcript.source == "talk.srt"
    assert transcript.notes == ()


@pytest.mark.parametrize(
    ("stamps", "start", "end"),
    [
        ("00:00:01,5 --> 00:00:07,00", 1.5, 7),
        ("00:00:05 --> 00:00:07", 5, 7),
        ("0:00:05.25 --> 0:00:07.1234567", 5.25, 7.1234567),
        ("00:05,250-->00:07,500", 5.25, 7.5),
        ("100:00:00,000 --> 100:00:01,000 X1:40 X2:600", 360_000, 360_001),
    ],
)
def test_d2_d5_fractions(tmp_path: Path, stamps: str, start: float, end: float) -> None:
    (cue,) = read(tmp_path, f"1\n{stamps}\nHello\n").cues
    assert cue == Cue(pytest.approx(start), pytest.approx(end), "Hello")


@pytest.mark.parametrize(
    "stamps",
    [
        "00:00:12,95 --> 00:00:14,0:",
        "00:00:12,95 --> 00:00:61,00",
        "00:00:12,95 -->",
        "--> 00:00:14,000",
        "00:00:xx,95 --> 00:00:14,00",
        "-00:00:12,95 --> 00:00:14,00",
    ],
)
@pytest.mark.parametrize("suffix", [".srt", ".vtt"])
def test_d4_a_broken_stamp_is_named_and_the_rest_kept(
    tmp_path: Path, stamps: str, suffix: str
) -> None:
    head = "WEBVTT\n\n" if suffix == ".vtt" else ""
    text = (
        f"{head}41\n00:00:01,000 --> 00:00:02,000\nbefore\n\n"
        f"42\n{stamps}\nlost\n\n43\n00:00:20,000 --> 00:00:21,000\nafter\n"
    )
    transcript = read(tmp_path, text, suffix)
    assert [cue.text for cue in transcript.cues] == ["before", "after"]
    assert transcript.notes == ("cue 42 with a broken time, left out",)


def test_many_broken_stamps_are_one_note(tmp_path: Path) -> None:
    text = "".join(f"{i}\n00:00:{i:02d},0 --> nothing\nx\n\n" for i in range(1, 9))
    transcript = read(tmp_path, text)
    assert transcript.notes == (
        "cue 1, 2, 3, 4, 5 and 3 more with a broken time, left out",
        NO_TEXT,
    )


def test_an_end_before_the_start_is_left_out(tmp_path: Path) -> None:
    transcript = read(tmp_path, "7\n00:00:05,0 --> 00:00:03,0\nHello\n")
    assert transcript.cues == (Cue(5, None, "Hello"),)
    assert transcript.notes == ("cue 7 that ends before it starts, its end left out",)


def test_srt_text_with_numbers_and_blank_lines(tmp_path: Path) -> None:
    text = (
        "1\n00:00:01,0 --> 00:00:02,0\n5 apples\n\n7\nand more\n\n"
        "2\n00:00:03,0 --> 00:00:04,0\n1984\n\n00:00:05,0 --> 00:00:06,0\nno number\n"
    )
    cues = read(tmp_path, text).cues
    assert [c.text for c in cues] == ["5 apples\n7\nand more", "1984", "no number"]


VTT = """WEBVTT - a title
Kind: captions

NOTE not spoken
nor this

STYLE
::cue { color: red }

first
00:01.000 --> 00:03.000 align:start position:0%
<v Bob>Hi<00:00:01.500><c> there</c> &amp; hello&nbsp;you

NOTE between

00:00:04.000 --> 00:00:05.000
<i>5 &lt; 6</i>

"""


def test_vtt(tmp_path: Path) -> None:
    cues = read(tmp_path, VTT, ".vtt").cues
    assert cues == (Cue(1, 3, "Hi there & hello you"), Cue(4, 5, "5 < 6"))


ASS = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\b1}Hello{\\b0}\\Nworld, again
Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,not spoken
Dialogue: 0,0:0x:03.00,0:00:04.00,Default,,0,0,0,,lost
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,end
"""


@pytest.mark.parametrize("suffix", [".ass", ".ssa"])
def test_ass(tmp_path: Path, suffix: str) -> None:
    transcript = read(tmp_path, ASS, suffix)
    assert transcript.cues == (Cue(1, 2.5, "Hello\nworld, again"), Cue(5, 6, "end"))
    assert transcript.notes == ("cue 2 with a broken time, left out",)


ROWS = [(0.0, 2.0, " Hello"), (2.0, 4.5, " world."), (4.5, None, " Bye")]


@pytest.mark.parametrize(
    "data",
    [
        {"transcript": "Hello world. Bye", "timestamps": [
            {"timestamp": [a, b], "text": t} for a, b, t in ROWS]},
        {"text": "Hello world. Bye", "language": "en", "segments": [
            {"id": i, "start": a, "end": b, "text": t} for i, (a, b, t) in enumerate(ROWS)]},
        {"text": "Hello world. Bye", "chunks": [
            {"timestamp": [a, b], "text": t} for a, b, t in ROWS]},
        [{"start": a, "end": b, "text": t} for a, b, t in ROWS],
        [{"start": 0, "duration": 2, "text": "Hello"}, {"start": 2, "duration": 2.5,
         "text": "world."}, {"start": 4.5, "text": "Bye"}],
    ],
    ids=["timestamps", "segments", "chunks", "list", "durations"],
)  # fmt: skip
def test_json_of_whisper_and_others(tmp_path: Path, data: Any) -> None:
    transcript = read(tmp_path, data, ".json")
    assert transcript.cues == (Cue(0, 2, "Hello"), Cue(2, 4.5, "world."), Cue(4.5, None, "Bye"))
    assert transcript.text() == "Hello world. Bye"
    assert transcript.notes == ()


def test_json_with_times_that_make_no_sense(tmp_path: Path) -> None:
    rows = [
        {"timestamp": [1, 4], "text": "a"},
        {"timestamp": [None, None], "text": "b"},
        {"timestamp": [9, 8], "text": "c"},
        {"timestamp": [7, 8], "text": "d"},
        {"timestamp": [float("nan"), 9], "text": "e"},
        {"timestamp": [10, 11]},
        "f",
        {"start": -3, "end": 12, "text": "g"},
    ]
    transcript = read(tmp_path, {"timestamps": rows}, ".json")
    assert [(c.start, c.end, c.text) for c in transcript.cues] == [
        (1, 4, "a"),
        (4, None, "b"),
        (9, None, "c"),
        (7, 8, "d"),
        (8, 9, "e"),
        (9, 12, "g"),
    ]
    assert set(transcript.notes) == {
        "cue 2, 5, 8 without a time, put after the one before",
        "cue 3 that ends before it starts, its end left out",
        "cue 4 that goes back in time",
        "cue 6, 7 without words, left out",
    }


@pytest.mark.parametrize(
    "data", [{"transcript": "All of it."}, {"text": "All of it.", "chunks": []}]
)
def test_json_without_times_keeps_the_words(tmp_path: Path, data: Any) -> None:
    assert read(tmp_path, data, ".json").text() == "All of it."


@pytest.mark.parametrize("data", ["{", "3", '"words"', '{"a": 1}', '{"segments": 4}', "null"])
def test_json_that_is_something_else(tmp_path: Path, data: str) -> None:
    with pytest.raises(TranscriptError, match=r"talk\.json: "):
        read(tmp_path, data, ".json")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("data", [b"", b"  \n\n", b"\xef\xbb\xbf"])
def test_d16_files_without_words(tmp_path: Path, suffix: str, data: bytes) -> None:
    transcript = read(tmp_path, data, suffix)
    assert transcript == Transcript((), f"talk{suffix}", (NO_TEXT,))
    assert transcript.text() == transcript.window(0, 10) == ""


@pytest.mark.parametrize("data", ["WEBVTT\n\n", '{"transcript": "", "timestamps": []}', "[]"])
def test_d16_headers_without_words(tmp_path: Path, data: str) -> None:
    suffix = ".vtt" if data.startswith("WEBVTT") else ".json"
    assert read(tmp_path, data, suffix).notes == (NO_TEXT,)


def test_old_encodings_are_read_and_noted(tmp_path: Path) -> None:
    transcript = read(tmp_path, "1\n00:00:01,0 --> 00:00:02,0\nd\xe9j\xe0 vu\n".encode("cp1252"))
    assert transcript.text() == "déjà vu"
    assert transcript.notes == ("not UTF-8; read as Windows-1252",)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match=r"gone\.srt: cannot be read \(No such file"):
        read_transcript(tmp_path / "gone.srt")
    (tmp_path / "talk.docx").write_bytes(b"PK")
    with pytest.raises(TranscriptError, match=r"\.docx came; \.srt, \.vtt"):
        read_transcript(tmp_path / "talk.docx")


def test_d7_overlapping_lengths_are_accepted_and_counted_once(tmp_path: Path) -> None:
    rows = [{"start": s, "duration": 4, "text": t} for s, t in ((0, "a"), (2, "b"), (4, "c"))]
    transcript = read(tmp_path, rows, ".json")
    assert transcript.text() == "a b c"
    assert [transcript.window(*w) for w in ((0, 2), (2, 4), (4, 8))] == ["a", "b", "c"]
    assert transcript.window(0, 8) == "a b c"


def test_d8_colour_tags_and_rolling_captions(tmp_path: Path) -> None:
    overlapping = (
        '1\n00:00:00,0 --> 00:00:04,0\n<font color="#CCC">one</font>\n\n'
        '2\n00:00:02,0 --> 00:00:06,0\n<font color="#CCC">one</font>\ntwo\n\n'
    )
    assert read(tmp_path, overlapping).text() == "one two"
    rolling = (
        "WEBVTT\n\n00:00.000 --> 00:02.000\nhello\n\n00:02.000 --> 00:02.010\nhello\n\n"
        "00:02.010 --> 00:04.000\nhello\nworld\n\n00:04.000 --> 00:04.010\nworld\n\n"
        "00:04.010 --> 00:06.000\nworld\nagain\n"
    )
    assert read(tmp_path, rolling, ".vtt").text() == "hello world again"


def test_words_said_twice_are_kept(tmp_path: Path) -> None:
    song = "1\n00:00:00,0 --> 00:00:02,0\nla la\n\n2\n00:00:02,0 --> 00:00:04,0\nla la\n\n"
    assert read(tmp_path, song).text() == "la la la la"
    later = "1\n00:00:00,0 --> 00:00:02,0\nyes\n\n2\n00:00:09,0 --> 00:00:11,0\nyes\nno\n\n"
    assert read(tmp_path, later).text() == "yes yes no"


def test_a_window_inside_a_long_cue_has_its_words() -> None:
    transcript = Transcript((Cue(0, 30, "a long sentence"), Cue(40, None, "end")))
    assert transcript.window(10, 12) == "a long sentence"
    assert transcript.window(31, 39) == ""
    assert transcript.window(39, 41) == "end"


@given(
    gaps=st.lists(st.floats(0.1, 9), min_size=1, max_size=30),
    width=st.floats(9.5, 50),
)
def test_windows_longer_than_the_cues_share_none_and_lose_none(
    gaps: list[float], width: float
) -> None:
    starts = [sum(gaps[:i]) for i in range(len(gaps))]
    cues = tuple(Cue(s, s + g, f"w{i}") for i, (s, g) in enumerate(zip(starts, gaps, strict=True)))
    transcript = Transcript(cues)
    words = []
    for i in range(int(sum(gaps) / width) + 2):
        words += transcript.window(i * width, (i + 1) * width).split()
    assert words == [cue.text for cue in cues]


def test_finding_the_file_of_a_video(tmp_path: Path) -> None:
    for name in (
        "a.mp4", "a.srt", "a.en.vtt", "ab.srt", "b.mp4.mp3.json", "c.en-US.srt", "d.de.srt",
        "d.en.srt", "e.part.srt.txt", "f.vtt", "f.srt", "g.chapter1.srt", "._h.srt", "i.SRT",
    ):  # fmt: skip
        (tmp_path / name).write_text("")
    found = {stem: find_transcript(tmp_path, stem) for stem in "abcefghi"}
    assert {stem: path.name if path else None for stem, path in found.items()} == {
        "a": "a.srt", "b": "b.mp4.mp3.json", "c": "c.en-US.srt", "e": None, "f": "f.srt",
        "g": None, "h": None, "i": "i.SRT",
    }  # fmt: skip
    with pytest.raises(TranscriptError, match=r"several transcripts \(d\.de\.srt, d\.en\.srt\)"):
        find_transcript(tmp_path, "d")
    assert find_transcript(tmp_path / "nowhere", "a") is None


@pytest.mark.data
@pytest.mark.parametrize(
    ("benchmark", "count"),
    [("video-mme", 900), ("longvideobench", 171), ("mlvu_test", 313), ("video-holmes", 270)],
)
def test_public_transcripts_keep_every_word(data_dir: Path, benchmark: str, count: int) -> None:
    files = sorted((data_dir / "transcripts" / benchmark).glob("*.json"))
    assert len(files) == count
    for path in files:
        transcript = read_transcript(path)
        stem = path.name.split(".")[0]
        if path in files[:20] and path.name == f"{stem}.mp4.mp3.json":
            assert find_transcript(path.parent, stem) == path
        raw = json.loads(path.read_text())
        whole = "".join(row["text"] for row in raw["timestamps"]).split()
        assert "".join("".join(c.text.split()) for c in transcript.cues) == "".join(whole)
        assert all(cue.end is None or cue.end >= cue.start >= 0 for cue in transcript.cues)
        assert bool(transcript.cues) == (NO_TEXT not in transcript.notes)
        last = max((cue.end or cue.start for cue in transcript.cues), default=0.0)
        assert transcript.window(0, last + 1) == transcript.text()
