"""CARVE's tables from records.

Where the records are made to the published counts, the functions print the published figures:
arithmetic reproduced, and no result. The other tables are worked by hand.
"""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score, roc_auc_score

from tests.audits.made_replays import Row, probed
from vidence.audits.agent_paper import table_1, table_2, table_a1, table_a2, table_a3
from vidence.audits.agent_paper_routing import (
    Method,
    figure_2,
    table_3,
    table_4,
    table_a4,
    table_a5,
)
from vidence.audits.agent_run import ProbedRun
from vidence.errors import UsageError

# The first three draws of sham and of destroy, by the sign of their score.
FIRST = {"negative": ("ABB", "BBB"), "tie": ("BBB", "BBB"), "positive": ("BBB", "ABB")}
# Seven draws more, by the sign of the score of all ten: (sham, destroy) after each sign before.
MORE = {
    ("negative", "negative"): ("B" * 7, "B" * 7),
    ("negative", "tie"): ("B" * 7, "A" + "B" * 6),
    ("negative", "positive"): ("B" * 7, "AA" + "B" * 5),
    ("tie", "negative"): ("A" + "B" * 6, "B" * 7),
    ("tie", "tie"): ("B" * 7, "B" * 7),
    ("tie", "positive"): ("B" * 7, "A" + "B" * 6),
    ("positive", "negative"): ("AA" + "B" * 5, "B" * 7),
    ("positive", "tie"): ("A" + "B" * 6, "B" * 7),
    ("positive", "positive"): ("B" * 7, "B" * 7),
}


def videos(rows: list[Row], count: int) -> list[Row]:
    names = cycle(f"v{i}" for i in range(count))
    return [Row(**{**vars(row), "video": name}) for row, name in zip(rows, names, strict=False)]


def lvbench() -> ProbedRun:
    """Return 1,258 questions: 33/19 of 166 negative, 65/38 of 372 tied, 572 right before."""
    rows: list[Row] = []
    for sign, size, repairs, harms in (
        ("negative", 166, 33, 19),
        ("tie", 372, 65, 38),
        ("positive", 711, 0, 0),
    ):
        sham, destroy = FIRST[sign]
        rows += [Row(sham, destroy, gold="A", fallback="A")] * repairs
        rows += [Row(sham, destroy, gold="B", fallback="A")] * harms
        rows += [Row(sham, destroy, gold="C", fallback="A")] * (size - repairs - harms)
    rows += [Row("---", "BBB", gold="C", fallback="A")] * 9
    right = [i for i, row in enumerate(rows) if row.gold == "C"][: 572 - 57]
    for i in right:
        rows[i] = Row(rows[i].sham, rows[i].destroy, gold="B", fallback="B")
    return probed(videos(rows, 90))


def percent(estimate: dict[str, float]) -> float:
    return round(100 * estimate["value"], 2)


def test_table_3_arithmetic_reproduced() -> None:
    rows = {row["policy"]: row for row in table_3(lvbench())}
    facts = {
        name: (row["selected"], row["repairs"], row["harms"], percent(row["yielded"]))
        for name, row in rows.items()
        if "repairs" in row
    }
    assert facts == {
        "strict": (166, 33, 19, 8.43),
        "tie": (372, 65, 38, 7.26),
        "inclusive": (538, 98, 57, 7.62),
    }
    nets = {name: rows[name]["net"] for name in facts}
    assert round(100 * nets["tie"] / nets["inclusive"], 1) == 65.9
    assert {rows[name]["selected"] for name in ("plain", "video", "evidence")} == {538}


def test_table_4_arithmetic_reproduced() -> None:
    run = lvbench()
    # Look-more repairs 2 and harms 7, by its published counts.
    wrong = [q for q, g in zip(run.records.ids, run.records.gold, strict=True) if g != 1]
    right = [q for q, g in zip(run.records.ids, run.records.gold, strict=True) if g == 1]
    more = {**dict.fromkeys(wrong[:2], True), **dict.fromkeys(right[:7], False)}
    tools = dict.fromkeys(run.records.ids, 4.39)
    rows = {
        row["method"]: row for row in table_4(run, {"look_more": Method(right=more, tools=tools)})
    }
    assert percent(rows["vanilla"]["accuracy"]) == 45.47
    assert (percent(rows["look_more"]["accuracy"]), percent(rows["look_more"]["gain"])) == (
        45.07,
        -0.40,
    )
    assert (rows["look_more"]["repairs"], rows["look_more"]["harms"]) == (2, 7)
    assert rows["look_more"]["tools"] == pytest.approx(4.39)
    inclusive = rows["inclusive"]
    assert (percent(inclusive["accuracy"]), percent(inclusive["gain"])) == (48.73, 3.26)
    assert (inclusive["repairs"], inclusive["harms"]) == (98, 57)
    # The majority of the self replays is the agent's own answer everywhere here.
    assert (rows["self_consistency"]["repairs"], rows["self_consistency"]["harms"]) == (0, 0)
    assert rows["random"]["selected"] == 538


def test_video_mme_keeps_questions_without_a_probe_in_its_universe() -> None:
    """653 probed and 221 aside: 418 of 874 right become 448."""
    rows = [Row(*FIRST["tie"], gold="A", fallback="A")] * 74
    rows += [Row(*FIRST["tie"], gold="B", fallback="A")] * 44
    rows += [Row(*FIRST["tie"], gold="B", fallback="B")] * 200
    rows += [Row(*FIRST["positive"], gold="C", fallback="C")] * (653 - 318)
    aside = {f"a{i}": (f"v{i % 290}", i < 418 - 244) for i in range(221)}
    found = {r["method"]: r for r in table_4(probed(videos(rows, 290), aside=aside))}
    assert found["vanilla"]["accuracy"]["n"] == 874
    assert round(874 * found["vanilla"]["accuracy"]["value"]) == 418
    assert round(874 * found["inclusive"]["accuracy"]["value"]) == 448
    assert percent(found["inclusive"]["gain"]) == 3.43


def moved() -> list[Row]:
    """Return 1,249 questions with the margins and cells of Figure 2 as far as they are known."""
    counts = {
        ("negative", "negative"): 114, ("negative", "tie"): 20, ("negative", "positive"): 32,
        ("tie", "negative"): 70, ("tie", "tie"): 122, ("tie", "positive"): 180,
        ("positive", "negative"): 23, ("positive", "tie"): 12, ("positive", "positive"): 676,
    }  # fmt: skip
    rows = []
    for (before, after), count in counts.items():
        sham, destroy = (a + b for a, b in zip(FIRST[before], MORE[before, after], strict=True))
        rows += [Row(sham, destroy, own="B" * 10, gold="A", fallback="A")] * count
    return videos(rows, 90)


def test_figure_2_arithmetic_reproduced() -> None:
    found = figure_2(probed(moved()))
    counts = np.array(found["transition"]["counts"])
    assert counts[1].tolist() == [70, 122, 180]
    assert counts.sum(axis=1).tolist() == [166, 372, 711]
    assert counts.sum(axis=0).tolist() == [207, 154, 888]
    assert round(found["transition"]["inclusive"]["value"], 3) == 0.569
    assert percent(found["transition"]["left"]) == 3.65
    assert [row["selected"] for row in found["routing"]] == [538, 361]


def test_table_a2_has_the_observed_signs_and_their_change() -> None:
    few, many = table_a2(probed(moved()))
    shares = {name: round(row["value"], 3) for name, row in few["observed"].items()}
    assert shares == {"negative": 0.133, "tie": 0.298, "positive": 0.569}
    assert round(many["change"]["tie"], 3) == round((154 - 372) / 1249, 3) == -0.175
    assert (few["change"], few["n"], many["k"]) == (None, 1249, 10)
    assert sum(few["homogeneous"].values()) == pytest.approx(1)
    gap = few["observed"]["tie"]["value"] - few["homogeneous"]["tie"]
    assert few["excess"]["value"] == pytest.approx(gap)


def test_table_1_is_over_runs_and_pools_nothing() -> None:
    """Two runs of two questions: Delta 1/3 and 2/3, whose mean is 1/2 and SD sqrt(2) / 6."""
    first = probed([Row("BBB", "ABB", "BBB"), Row("BBB", "ABB", "ABB")])
    second = probed([Row("BBB", "AAA", "BBB"), Row("BBB", "ABB", "BBB")])
    rows = {row["metric"]: row for row in table_1([first, second])}
    assert rows["delta"]["runs"] == pytest.approx([1 / 3, 2 / 3])
    assert rows["delta"]["mean"]["value"] == pytest.approx(1 / 2)
    assert rows["delta"]["sd"] == pytest.approx(np.sqrt(2) / 6)
    assert rows["delta"]["mean"]["n"] == 2
    assert rows["self"]["runs"] == pytest.approx([1 / 6, 0])
    assert rows["positive"]["mean"]["value"] == 1
    (alone,) = (row for row in table_1([first]) if row["metric"] == "delta")
    assert (alone["sd"], alone["mean"]["low"]) == (None, None)


def looked() -> list[Row]:
    """Return questions whose evidence lies at 10 to 20 s; some looks meet it."""
    spans = ((10.0, 20.0),)
    plans = [
        ("BBB", "AAA", "B", (10.0, 20.0)),
        ("BBB", "ABB", "B", (15.0, 25.0)),
        ("BBB", "ABB", "B", (0.0, 5.0)),
        ("ABB", "AAB", "C", (18.0, 28.0)),
        ("AAB", "ABB", "C", (30.0, 35.0)),
        ("BBB", "BBB", "C", (0.0, 9.0)),
    ]
    return [
        Row(sham, destroy, gold=gold, looked=(look,), spans=spans, video=f"v{i}")
        for i, (sham, destroy, gold, look) in enumerate(plans)
    ]


def test_tables_2_and_a3_by_hand_and_by_other_libraries() -> None:
    run = probed(looked())
    found = table_2(run)
    cells = {(c["covered"], c["correct"]): (c["n"], c["delta"]["value"]) for c in found["cells"]}
    assert cells == {
        (True, True): (2, pytest.approx(2 / 3)),
        (False, True): (1, pytest.approx(1 / 3)),
        (True, False): (1, pytest.approx(1 / 3)),
        (False, False): (2, pytest.approx(-1 / 6)),
    }
    scores = [1, 1 / 3, 1 / 3, 1 / 3, -1 / 3, 0]
    recall, iou = [1, 0.5, 0, 0.2, 0, 0], [1, 5 / 15, 0, 2 / 18, 0, 0]
    covered = [1, 1, 0, 1, 0, 0]
    assert found["spearman"]["value"] == pytest.approx(spearmanr(scores, recall).statistic)
    assert found["spearman_iou"]["value"] == pytest.approx(spearmanr(scores, iou).statistic)
    assert found["roc_auc"]["value"] == pytest.approx(roc_auc_score(covered, scores))
    assert found["pr_auc"]["value"] == pytest.approx(average_precision_score(covered, scores))
    assert found["gap_of_right"]["value"] == pytest.approx(2 / 3 - 1 / 3)
    assert found["prevalence"] == 0.5
    rows = table_a3(run, (1, 3))
    (whole,) = (r for r in rows if r["k"] == 3 and r["covered"] and not r["correct"])
    assert (whole["sham"]["value"], whole["destroy"]["value"]) == pytest.approx((1 / 3, 2 / 3))
    (first,) = (r for r in rows if r["k"] == 1 and r["covered"] and not r["correct"])
    assert (first["sham"]["value"], first["destroy"]["value"]) == (1, 1)


def test_table_a1_by_numpy() -> None:
    one = probed([Row("BBB", d, video=f"v{i}") for i, d in enumerate(("AAA", "ABB", "BBB", "AAB"))])
    two = probed(
        [
            Row(s, d, video=f"v{i}")
            for i, (s, d) in enumerate(
                (("BBB", "AAB"), ("ABB", "BBB"), ("BBB", "BBB"), ("BBB", "AAA"))
            )
        ]
    )
    (row,) = table_a1([one, two])
    first, second = [1, 1 / 3, 0, 2 / 3], [2 / 3, -1 / 3, 0, 1]
    assert row["pearson"]["value"] == pytest.approx(np.corrcoef(first, second)[0, 1])
    assert row["sign"]["value"] == 0.75
    assert row["inclusive"]["value"] == 0.5
    assert row["strict"]["value"] == 0
    assert row["questions"] == 4


def test_table_a4_ranks_by_either_score() -> None:
    """Delta puts the two right answers first; the other score puts them last."""
    plans = [("AAA", "B"), ("AAB", "B"), ("ABB", "C"), ("BBB", "C")]
    run = probed([Row("BBB", d, gold=g, video=f"v{i}") for i, (d, g) in enumerate(plans)])
    found = table_a4(run, {"q0": 0.1, "q1": 0.2, "q2": 0.3, "q3": 0.4})
    assert found["n"] == 4
    # Risk of the 1, 2, 3, 4 most trusted: 0, 0, 1/3, 1/2 and 1, 1, 2/3, 1/2.
    assert found["delta"]["aurc"]["value"] == pytest.approx((1 / 3 + 1 / 2) / 4)
    assert found["confidence"]["aurc"]["value"] == pytest.approx((1 + 1 + 2 / 3 + 1 / 2) / 4)
    assert found["difference"]["aurc"]["value"] == pytest.approx(-(1 + 1 + 1 / 3) / 4)
    assert found["delta"]["accuracy_at"]["0.7"]["value"] == pytest.approx(2 / 3)
    assert table_a4(run, {"q3": 1.0, "elsewhere": 2.0})["n"] == 1
    with pytest.raises(UsageError, match="both a score and a votes"):
        table_a4(run, {"elsewhere": 2.0}, "votes")


def test_table_a5_chooses_on_the_source_and_pays_on_the_target() -> None:
    """Ties are repaired in the source and harmed in the target, in every video alike."""
    source, target = [], []
    for i in range(8):
        source += [Row(gold="A", fallback="A", video=f"v{i}"), Row("BBB", "AAA", video=f"v{i}")]
        target += [Row(gold="B", fallback="A", video=f"w{i}"), Row("BBB", "AAA", video=f"w{i}")]
    made = table_a5(probed(source), probed(target), splits=50)
    assert made["questions"] == 16
    assert made["chosen"] == {"never": 0, "strict": 0, "inclusive": 1}
    assert (made["source"]["value"], made["target"]["value"]) == (0.5, -0.5)


def test_what_a_table_lacks_is_said() -> None:
    bare = probed([Row(), Row()])
    with pytest.raises(UsageError, match="--fallback NAME"):
        table_3(bare)
    with pytest.raises(UsageError, match="--questions FILE"):
        table_2(bare)
    with pytest.raises(UsageError, match="k = 10"):
        table_a2(bare)
    with pytest.raises(UsageError, match="two or more"):
        table_a1([bare])
    with pytest.raises(UsageError, match="no scored question"):
        table_1([probed([Row("---", "BBB")])])
    with pytest.raises(UsageError, match="not in the universe"):
        table_4(probed([Row(fallback="A")]), {"other": Method(right={"q9": True})})
    with pytest.raises(UsageError, match="at least one"):
        table_1([])
    with pytest.raises(UsageError, match=r"k = 1; .*k = 3"):
        table_1([probed([Row("B", "A", "B")]), probed([Row()])])
    with pytest.raises(UsageError, match="one agent"):
        table_1([probed([Row()], name="one"), probed([Row()], name="two")])
    keyed = probed([Row(fallback="A")])
    with pytest.raises(UsageError, match="smaller and a larger"):
        figure_2(keyed, (3, 1))
    with pytest.raises(UsageError, match="vanilla"):
        table_4(keyed, {"vanilla": Method(right={})})
