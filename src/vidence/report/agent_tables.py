"""The tables of an agent's report, once, for the page, the Markdown and the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from vidence.report import numbers
from vidence.report.numbers import NONE, count
from vidence.report.tables import Table, build
from vidence.report.text_figures import is_estimate, points, short

Data = Mapping[str, Any]

SIGNS = ("negative", "tie", "positive")
ROLES = {
    "self": "words as logged",
    "sham": "frames as they were",
    "destroy": "frames destroyed",
}


def agents(data: Data) -> Table:
    """Tabulate several agents side by side."""
    rows, used = [], []
    for name, block in data["agents"].items():
        delta, effect = block["delta"], block["effect"]
        used += [delta, effect["sham"], effect["destroy"]]
        rows.append(
            (
                name,
                points(delta),
                short(effect["sham"]),
                short(effect["destroy"]),
                short(block["resolved"].get("share")),
                str(block["k"]),
                numbers.of(delta),
            )
        )
    head = ("Agent", "Delta, points", "Sham flips", "Destroy flips", "Resolved", "k", "n")
    return build("agents", "The agents", head, rows, used)


def signs(block: Data) -> Table:
    """Tabulate the signs of the scores beside what chance, and the fitted model, would give."""
    found = block["signs"]
    rows = [
        (
            name,
            short(found[name]),
            _bare(found["homogeneous"], name),
            _bare(found["fitted"], name),
            numbers.of(found[name]),
        )
        for name in SIGNS
    ]
    if is_estimate(found["tie_excess"]):
        tie = found["tie_excess"]
        rows.append(("ties beyond pooled rates, points", points(tie), NONE, NONE, numbers.of(tie)))
    used = [*(found[name] for name in SIGNS), found["tie_excess"]]
    head = ("Sign of Delta", "Questions", "If all flipped at the pooled rates", "Fitted model", "n")
    return build("signs", "Signs", head, rows, used)


def ladder(block: Data) -> Table:
    """Tabulate every condition: flips, accuracy, what is kept of right answers."""
    rows, used = [], []
    for rung in block["ladder"]:
        parts = [rung[part] for part in ("flips", "accuracy", "kept", "invalid")]
        used += parts
        rows.append((rung_name(rung), *map(short, parts), numbers.of(rung["flips"])))
    head = ("Condition", "Flips", "Right", "Right answers kept", "No option read", "n")
    return build("ladder", "Conditions", head, rows, used)


def noise(block: Data) -> Table:
    """Tabulate where flips come from."""
    names = {
        "answerer": ("the answerer itself (self)", short),
        "renderer": ("putting frames into words anew (sham - self), points", points),
        "effect": ("what the frames show (destroy - sham), points", points),
    }
    rows = [
        (title, write(block["noise"][name]), numbers.of(block["noise"][name]))
        for name, (title, write) in names.items()
    ]
    return build("noise", "What flips answers", ("Part", "Flips", "n"), rows,
                 block["noise"].values())  # fmt: skip


def resolving(block: Data) -> Table:
    """Tabulate how much of a score is signal."""
    resolved, reliability = block["resolved"], block["reliability"]
    halves, energy = reliability["split_half"], block["energy"]
    k = block["k"]
    rows: list[tuple[str, str, str]] = []
    used = []
    for title, given in (
        ("Sign known at 90 %", resolved.get("share")),
        ("... above 0", resolved.get("positive")),
        ("... below 0", resolved.get("negative")),
    ):
        if is_estimate(given):
            used.append(given)
            rows.append((title, short(given), numbers.of(given)))
    for title, given in (
        ("Reliability of one draw", reliability["single"]),
        (f"Reliability at k = {k}, halves stepped up", halves.get("full")),
    ):
        if is_estimate(given):
            used.append(given)
            rows.append((title, correlation(given), numbers.of(given)))
    for target, needed in reliability["needed"].items():
        draws = NONE if needed is None else f"{needed:.1f}"
        rows.append((f"Draws for a reliability of {target}", draws, NONE))
    if is_estimate(energy.get("mean")):
        used.append(energy["mean"])
        rows.append(("Energy distance, sham to destroy", correlation(energy["mean"]),
                     numbers.of(energy["mean"])))  # fmt: skip
        rows.append(("... p, labels exchanged", p_value(energy["p"]), NONE))
    for name in ("sham", "destroy"):
        if numbers.number(block["order"][name].get("p")) is not None:
            given = block["order"][name]
            rows.append((f"Draw order matters under {name}: p", p_value(given["p"]),
                         f"{count(given['questions'])}"))  # fmt: skip
    return build("resolving", "What the scores can resolve", ("What", "How much", "n"), rows, used)


def stopping(block: Data) -> Table:
    """Tabulate what stopping each question once its sign is known would have spent."""
    names = {
        "posterior": "posterior at 90 %",
        "e_value": "proved at 5 %, at any time",
    }
    rows, used = [], []
    for row in block["stopping"]:
        used += [row["pairs"], row["called"]]
        rows.append(
            (
                names[row["rule"]],
                f"{correlation(row['pairs'])} of {row['most']}",
                short(row["called"]),
                numbers.of(row["pairs"]),
            )
        )
    head = ("Stop a question when its sign is", "Pairs of draws", "Signs called", "n")
    return build("stopping", "Stopping early", head, rows, used)


def budgets(block: Data) -> Table:
    """Tabulate smaller budgets, nested in this one."""
    rows, used = [], []
    for row in block["budgets"]["rows"]:
        parts = [row["delta"], *(row[name] for name in SIGNS)]
        used += parts
        rows.append((f"k = {row['k']}", points(row["delta"]), *map(short, parts[1:]),
                     numbers.of(row["delta"])))  # fmt: skip
    head = ("Draws", "Delta, points", "negative", "tie", "positive", "n")
    return build("budgets", "The same draws, fewer of them", head, rows, used)


def moved(block: Data) -> Table:
    """Tabulate which sign questions had with fewer draws, and which they have now."""
    given = block["budgets"]["transition"]
    rows: list[tuple[str, ...]] = []
    if "counts" in given:
        rows = [
            (f"{name} at k = {given['from']}", *map(count, line))
            for name, line in zip(SIGNS, given["counts"], strict=True)
        ]
        rows.append(("ties that got a sign", short(given["left"]), "", ""))
    k = given.get("to", block["k"])
    head = ("Sign before", *(f"{name} at k = {k}" for name in SIGNS))
    return build("moved", "Who moved", head, rows, [given.get("left")], (0,), given.get("why", ""))


def coverage(block: Data) -> Table:
    """Tabulate flips by whether the evidence was looked at and the answer was right."""
    rows, used = [], []
    for cell in (block["coverage"] or {}).get("cells", ()):
        parts = [cell[part] for part in ("sham", "destroy", "delta")]
        used += parts
        seen = "evidence looked at" if cell["covered"] else "evidence missed"
        name = f"{'right' if cell['correct'] else 'wrong'}, {seen}"
        shown = (short(parts[0]), short(parts[1]), points(parts[2]))
        rows.append((name, *shown, count(cell["n"])))
    head = ("Questions", "Sham flips", "Destroy flips", "Delta, points", "n")
    return build("coverage", "Looks and answers", head, rows, used)


def association(block: Data) -> Table:
    """Tabulate whether the score knows where the agent looked."""
    given = block["coverage"] or {}
    names = {
        "covered": ("Looked at the annotated time", short),
        "recall": ("Annotated time looked at", short),
        "iou": ("Overlap of looks and annotated time (IoU)", short),
        "spearman": ("Delta and annotated time looked at (Spearman)", correlation),
        "spearman_iou": ("Delta and that overlap (Spearman)", correlation),
        "roc_auc": ("Delta tells looked-at from missed (ROC AUC)", correlation),
        "pr_auc": ("... (PR AUC)", correlation),
        "gap": ("Delta, looked at minus missed, points", points),
        "gap_of_right": ("... among right answers, points", points),
    }
    rows, used = [], []
    for name, (title, write) in names.items():
        if is_estimate(given.get(name)):
            used.append(given[name])
            rows.append((title, write(given[name]), numbers.of(given[name])))
    return build("association", "Looks and Delta", ("What", "How much", "n"), rows, used)


def counts(block: Data) -> Table:
    """Tabulate the denominators, and why questions are not among them."""
    given = block["counts"]
    names = {
        "questions": "Questions",
        "trajectories": "With a frozen run",
        "eligible": "Eligible for replays",
        "probed": "Probed",
        "valid": "With a valid score",
        "keyed": "Eligible, with a key",
        "videos": "Videos probed",
    }
    rows = [(title, count(given[name])) for name, title in names.items()]
    left = [(f"Not eligible: {why.replace('_', ' ')}", count(n))
            for why, n in block["ineligible"].items()]  # fmt: skip
    return build("counts", "Denominators", ("What", "How many"), [*rows, *left], [])


def agreement(data: Data) -> Table:
    """Tabulate how two runs agree on the questions that both scored."""
    rows: list[tuple[str, ...]] = []
    used = []
    for pair in (data["agreement"] or {}).get("pairs", ()):
        name = f"{pair['first']} and {pair['second']}"
        if "why" in pair:
            rows.append((name, pair["why"], NONE, NONE, NONE, NONE))
            continue
        parts = [pair[part] for part in ("pearson", "sign", "strict", "inclusive")]
        used += parts
        rows.append((name, correlation(parts[0]), *map(short, parts[1:]), numbers.of(parts[1])))
    head = ("Runs", "Pearson", "Same sign", "Jaccard, Delta < 0", "Jaccard, Delta <= 0", "n")
    return build("agreement", "Runs side by side", head, rows, used)


def transfer(data: Data) -> Table:
    """Tabulate what a rule chosen on one agent gains on another."""
    rows: list[tuple[str, ...]] = []
    used = []
    for row in data["transfer"] or ():
        name = f"{row['source']} to {row['target']}"
        if "why" in row:
            rows.append((name, row["why"], NONE, NONE, NONE))
            continue
        used += [row["gain"], row["transferred"]]
        chosen = max(row["chosen"], key=row["chosen"].get)
        share = numbers.percent(row["chosen"][chosen])
        shown = (points(row["gain"]), points(row["transferred"]), f"{chosen} in {share}")
        rows.append((name, *shown, numbers.of(row["gain"])))
    head = ("Chosen on, tried on", "Gain there, points", "Gain elsewhere", "Rule chosen", "n")
    return build("transfer", "Does a deferral rule transfer?", head, rows, used)


def rung_name(rung: Data) -> str:
    """Return a condition's name: its label, and what it is where it is one of the three."""
    role = ROLES.get(rung["role"] or "")
    return f"{rung['check']} ({role})" if role else str(rung["check"])


def whys(block: Data) -> list[str]:
    """Return why parts could not be worked out, each reason once."""
    found: Iterable[Any] = (
        block["resolved"],
        block["fit"],
        block["reliability"]["split_half"],
        block["energy"],
        block["order"]["sham"],
        *((block["coverage"] or {}).get(name) for name in ("roc_auc", "gap_of_right")),
    )
    return list(dict.fromkeys(part["why"] for part in found if part and "why" in part))


def _bare(shares: Data | None, name: str) -> str:
    return NONE if not shares else numbers.percent(shares[name], 1)


def correlation(estimate: Data) -> str:
    """Write a figure between -1 and 1 with two decimals."""
    value, low, high = (numbers.number(estimate[end]) for end in ("value", "low", "high"))
    if value is None:
        return NONE
    shown = f"{value:.2f}"
    if low is not None and high is not None:
        shown += f" ({low:.2f} to {high:.2f})"
    return shown.replace("-", numbers.MINUS)


def p_value(p: Any) -> str:
    given = numbers.number(p)
    return NONE if given is None else "< 0.001" if given < 0.001 else f"{given:.3f}"
