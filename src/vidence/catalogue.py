"""What can be named on the command line and in files."""

from __future__ import annotations

import inspect
from typing import Any

from vidence.errors import UnknownNameError
from vidence.registry import Registry

KINDS = (
    "probes",
    "answerers",
    "worlds",
    "benchmarks",
    "priors",
    "predictions",
    "exports",
    "executors",
    "agent_logs",
)


def registry_of(kind: str) -> Registry[Any]:
    """Return the registry behind a plural kind.

    Raises:
        UnknownNameError: no such kind.
    """
    if kind == "probes":
        from vidence.check import PROBES

        return PROBES
    if kind == "answerers":
        from vidence.answer import ANSWERERS

        return ANSWERERS
    if kind == "worlds":
        from vidence.worlds import WORLDS

        return WORLDS
    if kind == "benchmarks":
        from vidence.benchmark import BENCHMARKS

        return BENCHMARKS
    if kind == "priors":
        from vidence.text.priors import PRIORS

        return PRIORS
    if kind == "predictions":
        from vidence.prediction import PREDICTIONS

        return PREDICTIONS
    if kind == "exports":
        from vidence.exports import EXPORTS

        return EXPORTS
    if kind == "executors":
        from vidence.executors import EXECUTORS

        return EXECUTORS
    if kind == "agent_logs":
        from vidence.agent_log import AGENT_LOGS

        return AGENT_LOGS
    raise UnknownNameError("kind", kind, KINDS)


def catalogue(kind: str) -> list[dict[str, Any]]:
    """Return name, description and settings with their defaults of every member of a kind."""
    registry = registry_of(kind)
    return [
        {
            "name": name,
            "description": registry.describe(name),
            "settings": _settings(registry[name]),
        }
        for name in registry
    ]


def _settings(member: Any) -> dict[str, Any]:
    defaults = getattr(member, "defaults", None)
    if defaults is not None:
        return dict(defaults)
    parameters = inspect.signature(member).parameters.values()
    keyword = [p for p in parameters if p.kind is p.KEYWORD_ONLY and p.name not in ("name", "seed")]
    return {
        p.name: "needed" if p.default is p.empty else p.default
        for p in keyword
        if p.default is p.empty or isinstance(p.default, str | int | float | bool | None)
    }
