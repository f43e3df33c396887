"""What a fault is, and the rules that look for them: one small function a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from vidence.registry import Registry, first_line

if TYPE_CHECKING:
    from vidence.lint.subject import Subject

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""An error: a question is lost, is not shown as meant, or its score means nothing. A warning: it is
scored, but the score says less than it seems to. A note: worth knowing, and nothing to mend."""


@dataclass(frozen=True)
class Found:
    """One fault as a rule finds it.

    Args:
        id: of the case, or the name of a video where the fault is the video's.
        detail: what came, in one line.
        severity: where it is not the rule's own.
    """

    id: str
    detail: str
    severity: Severity | None = None


Look = Callable[["Subject"], Iterable[Found]]


@dataclass(frozen=True)
class Rule:
    """One kind of fault.

    Args:
        name: the kind.
        severity: of its faults, where the rule does not say another for one.
        why: the reason for the severity.
        look: finds the faults, in the order of the file.
        what: one line that says what the fault is.
    """

    name: str
    severity: Severity
    why: str
    look: Look
    what: str

    @property
    def description(self) -> str:
        """What the fault is."""
        return self.what


RULES: Registry[Rule] = Registry(
    "rule", packages=("vidence.lint.rules",), group="vidence.lint_rules"
)


def rule(*, severity: Severity, why: str) -> Callable[[Look], Look]:
    """Return a decorator that registers a function as the rule of the kind it is called like.

    Args:
        severity: of the faults it finds.
        why: the reason for the severity, one sentence.
    """

    def register(look: Look) -> Look:
        name = getattr(look, "__name__", "")
        RULES.add(name, Rule(name, severity, why, look, first_line(look)))
        return look

    return register


def reported(name: str, *, severity: Severity, what: str, why: str) -> None:
    """Register a kind that only a loader can see: it reads the file, the rules see cases.

    Args:
        name: the kind, as loaders write it in `Rejected` and `Remark`.
        severity: where the case is kept; a row that is lost is an error in any case.
        what: one line that says what the fault is.
        why: the reason for the severity.
    """
    RULES.add(name, Rule(name, severity, why, _nothing, what))


def _nothing(subject: Subject) -> Iterable[Found]:
    return ()
