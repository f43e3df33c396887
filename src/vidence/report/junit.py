"""Findings as JUnit XML, the form in which continuous integration shows what did not pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from vidence.report.untrusted import visible

# Beyond what `visible` spells out, XML 1.0 has no way to write these two.
_NEVER = str.maketrans({"\ufffe": "⟨U+FFFE⟩", "\uffff": "⟨U+FFFF⟩"})


@dataclass(frozen=True)
class Checked:
    """One thing that was checked.

    Args:
        group: where it stands in a tree (`classname`).
        name: what it is.
        outcome: `passed`, `failed`, `error` (it could not be checked) or `skipped`.
        message: one line that says why, where it did not pass.
        detail: more lines.
        kind: a short name of what is wrong.
    """

    group: str
    name: str
    outcome: Literal["passed", "failed", "error", "skipped"] = "passed"
    message: str = ""
    detail: str = ""
    kind: str = ""


_ELEMENT = {"failed": "failure", "error": "error", "skipped": "skipped"}


def render(
    suite: str, checked: Iterable[Checked], properties: Mapping[str, object] | None = None
) -> str:
    """Return a JUnit XML document that is well-formed for any text.

    Characters that XML cannot hold, and those that hide or reorder text, are written out, as in
    `⟨U+0000⟩`.

    Args:
        suite: the suite's name.
        checked: in the order shown.
        properties: facts about the suite.
    """
    cases = list(checked)
    count = {name: sum(c.outcome == name for c in cases) for name in _ELEMENT}
    root = Element("testsuites")
    body = SubElement(
        root,
        "testsuite",
        {
            "name": _text(suite),
            "tests": str(len(cases)),
            "failures": str(count["failed"]),
            "errors": str(count["error"]),
            "skipped": str(count["skipped"]),
        },
    )
    if properties:
        facts = SubElement(body, "properties")
        for name, value in properties.items():
            SubElement(facts, "property", {"name": _text(name), "value": _text(value)})
    for case in cases:
        entry = SubElement(
            body, "testcase", {"classname": _text(case.group), "name": _text(case.name)}
        )
        if case.outcome == "passed":
            if case.detail:
                SubElement(entry, "system-out").text = _text(case.detail)
            continue
        about = {"message": _text(case.message)}
        if case.kind:
            about["type"] = _text(case.kind)
        SubElement(entry, _ELEMENT[case.outcome], about).text = _text(case.detail) or None
    indent(root)
    text = str(tostring(root, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _text(value: object) -> str:
    return visible(value).translate(_NEVER)
