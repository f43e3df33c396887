"""What a gate says: in the terminal, as a GitHub step summary, as JUnit XML."""

from __future__ import annotations

from vidence.audits.gate import Bound, Gate
from vidence.report import junit, numbers
from vidence.report.untrusted import markdown, visible

SHOWN = 200
"""How many ids of shortcuts the JUnit file names."""
_WORD = {"passed": "passed", "failed": "failed", "not_measured": "not measured"}
_JUNIT: dict[str, str] = {"passed": "passed", "failed": "failed", "not_measured": "error"}


def lines(gate: Gate) -> list[str]:
    """Return the gate in a few lines of plain text."""
    title = " ".join(visible(gate.title, 60).split())
    shown = [f"gate      {_WORD[gate.outcome]}: {title}"]
    shown += [f"bound     {bound.sentence}" for bound in gate.bounds]
    shown += [f"{name:<9} {text}" for name, text in _facts(gate)]
    return [line.replace("–", "-").replace("−", "-") for line in shown]


def summary(gate: Gate) -> str:
    """Return the gate as GitHub Markdown, to be appended to a step summary."""
    parts = [f"### Vidence gate: {_WORD[gate.outcome]}: {markdown(gate.title, 200)}"]
    rows = ["| bound | measured | upper end | at most | |", "| --- | ---: | ---: | ---: | --- |"]
    rows += [
        f"| {bound.name} | {markdown(_measured(bound))} | {_upper(bound)} | "
        f"{_share(bound.limit)} | {_WORD[bound.outcome]} |"
        for bound in gate.bounds
    ]
    parts.append("\n".join(rows))
    parts += [markdown(bound.sentence, 1000) for bound in gate.bounds]
    if gate.checks:
        checks = [
            "| check | flagged | if missing were right | questions |",
            "| --- | ---: | ---: | ---: |",
        ]
        checks += [
            f"| {markdown(row['check'])} | {markdown(numbers.short(row['read']))} | "
            f"{markdown(numbers.short(row['measured']))} | {numbers.of(row['measured'])} |"
            for row in gate.checks
        ]
        parts.append("\n".join(checks))
    parts.append("\n".join(f"- {name}: {markdown(text, 1000)}" for name, text in _facts(gate)))
    return "\n\n".join(parts) + "\n"


def junit_xml(gate: Gate) -> str:
    """Return the gate as JUnit XML: a test a bound, the shortcuts' ids in its detail."""
    named = [f"shortcut: {name}" for name in gate.shortcuts[:SHOWN]]
    if (more := len(gate.shortcuts) - SHOWN) > 0:
        named.append(f"and {more:,} more; see: vidence distill {gate.run}")
    detail = "\n".join([*(f"{name}: {text}" for name, text in _facts(gate)), *named])
    checked = [
        junit.Checked(
            group=f"vidence.gate.{gate.title}",
            name=f"{bound.name} at most {_share(bound.limit)}",
            outcome=_JUNIT[bound.outcome],  # type: ignore[arg-type]
            message=bound.sentence,
            detail=detail,
            kind=bound.name.replace(" ", "_"),
        )
        for bound in gate.bounds
    ]
    facts = {"run": gate.run, "consensus": f"{gate.consensus} of {gate.panel_size}"}
    return junit.render("vidence gate", checked, facts)


def _facts(gate: Gate) -> list[tuple[str, str]]:
    cases = gate.cases
    checks = ", ".join(row["check"] for row in gate.checks) or "none"
    facts = [
        ("checks", f"{checks}; right means {gate.consensus} of {gate.panel_size} of the panel"),
        ("questions", _questions(gate)),
    ]
    if cases["undetermined"] or cases["not_asked"]:
        asked = f"; {cases['not_asked']:,} replies were never asked for" * bool(cases["not_asked"])
        facts.append(
            (
                "missing",
                f"{numbers.plural(cases['undetermined'], 'question')} would be flagged if replies "
                f"that are missing were right, and count as flagged here{asked}{_alone(gate)}",
            )
        )
    return facts


def _alone(gate: Gate) -> str:
    """Say what the replies that were read give alone."""
    said = [
        f"{bound.name} {_measured(bound, read=True)}"
        for bound in gate.bounds
        if bound.read.value != bound.measured.value
    ]
    return f"; read replies alone: {', '.join(said)}" if said else ""


def _questions(gate: Gate) -> str:
    cases = gate.cases
    said = f"{cases['scored']:,} of {numbers.plural(cases['n'], 'question')} scored"
    if gate.bounds and (videos := gate.bounds[0].measured.clusters):
        said += f", about {numbers.plural(videos, 'video')}"
    if cases["rejected"]:
        said += f"; {numbers.plural(cases['rejected'], 'row')} of the file rejected"
    return f"{said}; {len(gate.shortcuts):,} flagged"


def _measured(bound: Bound, read: bool = False) -> str:
    estimate = (bound.read if read else bound.measured).to_json()
    if bound.name == "excess over luck":
        return f"{numbers.short_difference(estimate)} points"
    return numbers.short(estimate)


def _upper(bound: Bound) -> str:
    return numbers.NONE if bound.measured.high is None else _share(bound.measured.high)


def _share(share: float) -> str:
    text = f"{100 * share:.2f}".rstrip("0").rstrip(".")
    return f"{text} %"
