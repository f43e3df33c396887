"""JUnit XML: well-formed for any text, and it says what did not pass."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from vidence.report.junit import Checked, render
from vidence.report.untrusted import visible

ANY = st.text(st.characters(codec=None, categories=None))


@given(ANY, ANY, ANY)
def test_any_text_is_well_formed_and_comes_back(name: str, message: str, detail: str) -> None:
    text = render(name, [Checked("group", name, "failed", message, detail, "kind")], {name: name})
    root = ElementTree.fromstring(text.encode())
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    spelt = visible(message).replace("\ufffe", "⟨U+FFFE⟩").replace("\uffff", "⟨U+FFFF⟩")
    assert failure.get("message") == spelt


def test_every_outcome_is_counted_and_has_its_element() -> None:
    checked = [
        Checked("g", "a", detail="all is well"),
        Checked("g", "b", "failed", "too much", kind="shortcut"),
        Checked("g", "c", "error", "nothing measured"),
        Checked("g", "d", "skipped", "does not apply"),
    ]
    suite = ElementTree.fromstring(render("s", checked, {"n": 4})).find("testsuite")
    assert suite is not None
    counts = {k: suite.get(k) for k in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1"}
    inside = [[child.tag for child in case] for case in suite.iter("testcase")]
    assert inside == [["system-out"], ["failure"], ["error"], ["skipped"]]
    assert suite.find("properties/property").attrib == {"name": "n", "value": "4"}  # type: ignore[union-attr]
