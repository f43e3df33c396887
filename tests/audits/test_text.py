"""The text-only audit: what it says, what it counts, and that it says the same again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.audits import made_text
from vidence.audits.text import TextAudit, TextSource, content_digest
from vidence.audits.text_folder import check_folder
from vidence.errors import StoreError, UsageError
from vidence.report.text_report import publish_text, to_json
from vidence.text.items import TextItems
from vidence.text.learner import LearnerSettings
from vidence.text.priors import PRIORS
from vidence.view import Case, Option, View

QUICK = LearnerSettings(permutations=99, repeats=1, explain=False)


def audit(path: Path, **more: Any) -> TextAudit:
    settings = more.pop("settings", QUICK)
    return TextAudit(TextSource("jsonl", path, **more), settings=settings)


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory) -> TextAudit:
    """A benchmark whose right option is often the longest, with rows of every other kind."""
    folder = tmp_path_factory.mktemp("leaky")
    made = made_text.rows(leak=0.6)
    odd = [
        {"id": "open", "video": "v000.mp4", "question": "How many?", "answer": 4},
        {"id": "keyless", "video": "v001.mp4", "question": "Which?", "options": ["a", "b"]},
        {"id": "one", "video": "v002.mp4", "question": "?", "options": ["a"], "answer": 0},
    ]
    path = made_text.write(folder / "cases.jsonl", [*made, *odd], '{"id": "torn"')
    heard = made_text.transcripts(folder / "heard", made, tell=True)
    return audit(path, transcripts=heard)


def test_the_sentence_names_share_interval_videos_chance_and_test(leaky: TextAudit) -> None:
    head = leaky.data()["headline"]
    share, chance = head["learner"]["value"], head["chance"]["value"]
    assert f"answers {100 * share:.0f} % of 121 questions" in head["sentence"]
    assert f"chance is {100 * chance:.0f} %" in head["sentence"]
    assert "41 videos" not in head["sentence"]
    assert "40 videos" in head["sentence"]
    assert head["sentence"].endswith("p = 0.010 (99 permutations).")
    assert share > 0.5


def test_every_row_is_counted_once(leaky: TextAudit) -> None:
    cases = leaky.data()["cases"]
    assert cases == {
        "n": 122,
        "rows": 124,
        "scored": 121,
        "videos": 40,
        "open_ended": 1,
        "rejected": 1,
        "no_gold": 1,
        "options": {"1": 1, "4": 120},
        "one_option": 1,
    }
    assert cases["n"] + cases["open_ended"] + cases["rejected"] == cases["rows"]
    (torn,) = leaky.data()["rejected"]
    assert torn["kind"] == "unreadable_row"


def test_rules_categories_and_scores_have_what_the_report_needs(leaky: TextAudit) -> None:
    data = leaky.data()
    longest = data["priors"]["longest_option"]
    assert longest["claimed"]
    assert longest["accuracy"]["value"] > 0.6
    assert data["priors"]["chance"]["over_chance"] is None
    assert sum(one["n"] for one in data["scores"]["histogram"]) == 121
    tasks = {row["value"]: row for row in data["categories"] if row["tag"] == "task"}
    assert set(tasks) == {"(none)", "count", "order", "place"}
    assert tasks["(none)"]["few"]
    assert not tasks["count"]["few"]
    whole = sum(row["n"] * row["longest_option"]["value"] for row in tasks.values()) / 121
    assert whole == pytest.approx(longest["accuracy"]["value"])


def test_transcripts_that_tell_are_credited_to_the_transcript(leaky: TextAudit) -> None:
    found = leaky.data()["overlap"]
    assert found["coverage"] == {"videos": 40, "with_transcript": 40, "usable": 40}
    assert found["over_swapped"]["low"] > 0.1
    assert found["beyond_learner"]["n"] == found["accuracy"]["n"] == 121


def test_cards_have_probabilities_that_add_up(leaky: TextAudit) -> None:
    cards = list(leaky.cards())
    assert len(cards) == 121
    for card in cards:
        shares = card["option_probability"]
        assert len(shares) == len(card["options"])
        assert sum(shares) == pytest.approx(1)
        assert card["probability"] == pytest.approx(shares[card["gold"]])
        assert card["removed"] is None


def test_percent_form_has_the_figures_where_others_look_for_them(leaky: TextAudit) -> None:
    data, shown = leaky.data(), to_json(leaky.data())
    longest = shown["priors"]["longest_option"]
    assert longest["value"] == pytest.approx(
        100 * data["priors"]["longest_option"]["accuracy"]["value"]
    )
    assert longest["low"] <= longest["value"] <= longest["high"]
    assert shown["learner"]["value"] == pytest.approx(100 * data["headline"]["learner"]["value"])
    assert shown["learner"]["unit"] == "percent"


def test_the_report_is_written_and_the_same_again(leaky: TextAudit, tmp_path: Path) -> None:
    for name in ("one", "two"):
        again = TextAudit(leaky.source, settings=leaky.settings)
        publish_text(again.data(), again.cards(), tmp_path / name)
    first, second = tmp_path / "one", tmp_path / "two"
    assert {path.name for path in first.iterdir()} == {
        *("report.html", "report.md", "report.json", "cases.jsonl")
    }
    assert (first / "cases.jsonl").read_bytes() == (second / "cases.jsonl").read_bytes()
    one, two = (json.loads((f / "report.json").read_text()) for f in (first, second))
    for data in (one, two):
        del data["run"]["created"], data["run"]["seconds"]
    assert one == two


def test_without_a_leak_it_says_what_could_have_hidden(tmp_path: Path) -> None:
    """Seed 2 of the made-up rows; a claim of noise comes in 1 of 20 sets, which is no fault."""
    found = audit(made_text.write(tmp_path / "c.jsonl", made_text.rows(90, seed=2)))
    data = found.data()
    assert data["headline"]["p"] > 0.05
    reach = found.learned.permutation.null_high - data["headline"]["chance"]["value"]
    assert "No leak found: p = " in data["headline"]["sentence"]
    assert f"less than {100 * reach:.1f} points would not be seen" in data["headline"]["sentence"]
    assert 0 < reach < 0.3


def test_so_few_permutations_claim_nothing(tmp_path: Path) -> None:
    path = made_text.write(tmp_path / "c.jsonl", made_text.rows(60, leak=0.9))
    few = audit(path, settings=LearnerSettings(permutations=9, repeats=1, explain=False))
    assert "19 permutations or more are needed" in few.data()["headline"]["sentence"]
    none = audit(path, settings=LearnerSettings(permutations=0, repeats=1, explain=False))
    assert "was not tested" in none.data()["headline"]["sentence"]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (made_text.rows(1), "nothing could be learned from the text of 1 question"),
        (made_text.rows(60, per_video=60), "1 videos cannot be cut into 5 folds"),
        (
            [{"id": "a", "video": "v", "question": "How many?", "answer": 3}],
            "nothing could be scored",
        ),
        ([{"id": "a", "video": "v", "question": "?", "options": ["x", "y"]}], "nothing could be"),
    ],
    ids=["one question", "one video", "open ended only", "no key"],
)
def test_too_little_to_learn_from_is_said_and_still_a_report(
    made: list[Any], said: str, tmp_path: Path
) -> None:
    found = audit(made_text.write(tmp_path / "c.jsonl", made))
    data = found.data()
    assert said in data["headline"]["sentence"]
    assert data["learner"] is None
    assert publish_text(data, found.cards(), tmp_path / "out").is_file()


def test_a_tag_value_called_all_is_a_row_of_its_own(tmp_path: Path) -> None:
    made = made_text.rows(60)
    for i, row in enumerate(made):
        row["tags"] = {"kind": "all" if i % 2 else "some", "id": str(i)}
    data = audit(made_text.write(tmp_path / "c.jsonl", made)).data()
    found = [(row["tag"], row["value"], row["n"]) for row in data["categories"]]
    assert found == [("kind", "all", 30), ("kind", "some", 30)], "a tag of 60 values is none"


def test_the_digest_names_what_was_read_not_how_it_was_written(tmp_path: Path) -> None:
    made = made_text.rows(9)
    spaced = tmp_path / "spaced.jsonl"
    spaced.write_text("\n\n".join(json.dumps(row, indent=None) for row in made))
    first = audit(made_text.write(tmp_path / "c.jsonl", made)).cases
    assert content_digest(first) == content_digest(audit(spaced).cases)
    made[3]["answer"] = (made[3]["answer"] + 1) % 4
    other = audit(made_text.write(tmp_path / "d.jsonl", made)).cases
    assert content_digest(first) != content_digest(other)


def test_transcripts_of_some_videos_are_about_those(tmp_path: Path) -> None:
    made = made_text.rows(60)
    heard = made_text.transcripts(tmp_path / "heard", made[:30], tell=True)
    (heard / "v000.srt").write_text("")
    (heard / "v001.srt").unlink()
    (heard / "v001.json").write_text("{broken")
    found = audit(made_text.write(tmp_path / "c.jsonl", made), transcripts=heard).data()
    about = found["overlap"]
    assert about["coverage"] == {"videos": 20, "with_transcript": 10, "usable": 8}
    assert about["faults"]["transcript_missing"] == 10
    assert about["faults"]["transcript_unreadable"] == 1
    assert about["accuracy"]["n"] == 24
    assert any("8 of 20 videos" in note for note in found["notes"])


def test_a_folder_of_transcripts_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = made_text.write(tmp_path / "c.jsonl", made_text.rows(9))
    with pytest.raises(UsageError, match="gone is no folder"):
        audit(path, transcripts=tmp_path / "gone").data()


def test_nothing_but_an_earlier_report_of_its_kind_is_overwritten(tmp_path: Path) -> None:
    path = made_text.write(tmp_path / "cases.jsonl", made_text.rows(30))
    with pytest.raises(StoreError, match="among the annotations"):
        check_folder(tmp_path, path)
    with pytest.raises(StoreError, match="among the annotations"):
        check_folder(tmp_path, tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "report.json").write_text('{"kind": "benchmark-audit"}')
    with pytest.raises(StoreError, match="no text-only report"):
        check_folder(other, path)
    found = audit(path)
    publish_text(found.data(), found.cards(), tmp_path / "out")
    check_folder(tmp_path / "out", path)
    (tmp_path / "out" / "run.sqlite").touch()
    with pytest.raises(StoreError, match="holds a run"):
        check_folder(tmp_path / "out", path)


def test_the_rule_of_the_docs_is_a_rule() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "text-audit.md"
    (code,) = re.findall(
        r"```python\n(from vidence.text.priors.*?)```", page.read_text(), re.DOTALL
    )
    items = TextItems.of(read_rows(["a", "b", "c"], ["only"]))
    try:
        exec(code, {})
        chosen = PRIORS["second_option"](items)
        assert chosen.tolist() == [[0, 1, 0], [1, 0, 0]]
        assert PRIORS["second_option"].description == "Take the second option."
    finally:
        PRIORS._members.pop("second_option", None)


def read_rows(*options: list[str]) -> list[Case]:
    """Return a case for each list of options; the first is right."""
    views = (View("?", tuple(Option(i, text) for i, text in enumerate(o))) for o in options)
    return [Case(f"c{i}", view, gold=0) for i, view in enumerate(views)]
