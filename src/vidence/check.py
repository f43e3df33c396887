"""Probes, and checks made of them.

A probe is a pure function from what the authors show to what is shown instead. A check is a probe
with its parameters, the kind of panel that answers it, and a fold over the answers to its views.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from vidence.answer import MISSING, Answer
from vidence.errors import UnknownNameError, UsageError
from vidence.media.clip import Clip, Video
from vidence.registry import Registry, first_line
from vidence.seeds import rng_of
from vidence.view import Context, Option, View

_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
Fold = Literal["one", "all"]
Panel = Literal["model", "encoder"]
Scalar = int | float | str | bool
ProbeFunction = Callable[..., tuple[View, ...]]


@dataclass(frozen=True)
class Probe:
    """A registered probe.

    Args:
        name: the function's name.
        function: `(view, context, *, parameters) -> views`.
        fold: how the answers to its views become one: `one` (a single view), or `all` (the same
            option under every view, else no option).
        panel: who is asked.
        counts: whether being right under it makes a case a shortcut.
        defaults: its parameters.
    """

    name: str
    function: ProbeFunction
    fold: Fold
    panel: Panel
    counts: bool
    defaults: Mapping[str, Scalar]

    @property
    def description(self) -> str:
        """Return the first docstring line of the function."""
        return first_line(self.function)


PROBES: Registry[Probe] = Registry("probe", packages=("vidence.probes",), group="vidence.probes")


def probe(
    *, fold: Fold = "one", panel: Panel = "model", counts: bool = False
) -> Callable[[ProbeFunction], ProbeFunction]:
    """Return a decorator that registers a probe under its function's name.

    The function takes `(view, context)` and keyword-only parameters with defaults, and returns a
    tuple of views. It raises NotApplicableError where it has nothing to show.
    """

    def decorate(function: ProbeFunction) -> ProbeFunction:
        name = function.__name__
        parameters = list(inspect.signature(function).parameters.values())[2:]
        for parameter in parameters:
            if parameter.kind is not parameter.KEYWORD_ONLY or parameter.default is parameter.empty:
                raise UsageError(
                    f"Probe {name!r} has the parameter {parameter.name!r}; only keyword-only "
                    "parameters with a default are allowed. Write `*, name=default`."
                )
        defaults = {parameter.name: parameter.default for parameter in parameters}
        PROBES.add(name, Probe(name, function, fold, panel, counts, defaults))
        return function

    return decorate


@dataclass(frozen=True)
class Check:
    """A probe with its parameters.

    Args:
        probe: its registered name.
        params: (name, value) of the parameters that differ from the defaults, sorted.
    """

    probe: str
    params: tuple[tuple[str, Scalar], ...] = ()

    @property
    def label(self) -> str:
        """Name the check in records and tables: the probe, and what is not its default."""
        return ":".join([self.probe, ",".join(f"{k}={v}" for k, v in self.params)]).rstrip(":")

    @property
    def panel(self) -> Panel:
        """Say who is asked; of a probe that shows what another one shows, that one's panel."""
        return PROBES[self._base].panel

    @property
    def counts(self) -> bool:
        """Say whether it enters the shortcut ratio.

        A probe that shows what another one shows (`of=blind`) counts if that one does.
        """
        return PROBES[self._base].counts

    @property
    def _base(self) -> str:
        return str(self.settings.get("of", self.probe))

    @property
    def settings(self) -> dict[str, Scalar]:
        """Return every parameter with its value."""
        return {**PROBES[self.probe].defaults, **dict(self.params)}

    def views(self, view: View, context: Context) -> tuple[View, ...]:
        """Return what is shown instead of `view`.

        Raises:
            NotApplicableError: the probe has nothing to show; the message is the reason.
        """
        return PROBES[self.probe].function(view, context, **dict(self.params))

    def fold(self, answers: Sequence[Answer]) -> Answer:
        """Fold the answers to the views into one."""
        if PROBES[self.probe].fold == "one":
            (answer,) = answers
            return answer
        return fold_all(answers)


def fold_all(answers: Sequence[Answer]) -> Answer:
    """Accept an answer only if it is the same under every view.

    Two different options are a known fact, and no option survives: status ok without a value.
    An answer that is known to name no option (off_list, refused) settles it likewise and gives
    its status; only then does an unknown one, the first in the order of the views.
    """
    values = {answer.value for answer in answers if answer.status == "ok"}
    if len(values) > 1:
        return Answer("ok", None, f"{len(values)} different answers under {len(answers)} views")
    rest = sorted((a for a in answers if a.status != "ok"), key=lambda a: a.status in MISSING)
    if rest:
        return rest[0]
    return Answer("ok", values.pop(), f"the same under {len(answers)} views")


def make_check(name: str, params: Mapping[str, Any] | None = None) -> Check:
    """Build a check from a probe's name and its parameters.

    Values are converted to the type of the parameter's default.

    Raises:
        UnknownNameError: no such probe, or no such parameter.
        UsageError: a value of the wrong type, or one that the probe refuses.
    """
    defaults = PROBES[name].defaults
    chosen: dict[str, Scalar] = {}
    for key, value in (params or {}).items():
        if key not in defaults:
            raise UnknownNameError(f"parameter of {name}", key, defaults)
        converted = _convert(name, key, value, defaults[key])
        if converted != defaults[key]:
            chosen[key] = converted
    check = Check(name, tuple(sorted(chosen.items())))
    if chosen:
        _rehearse(check)
    return check


def _rehearse(check: Check) -> None:
    """Show a made-up case: a run that began with an impossible parameter could not be mended."""
    view = View(
        "A question?",
        tuple(Option(i, text) for i, text in enumerate(("one", "two", "three", "four"))),
        (("video", Clip(Video(Path("film.mp4")), start=0.0, end=60.0)),),
    )
    context = Context("rehearsal", rng_of("rehearsal"), 0, duration=lambda _: 60.0)
    try:
        shown = check.views(view, context)
    except UnknownNameError:
        raise
    except UsageError as error:
        raise UsageError(f"{check.label}: {error}") from None
    except Exception:  # anything else may be due to this case: the run will tell
        return
    if PROBES[check.probe].fold == "one" and len(shown) != 1:
        raise UsageError(
            f"{check.label} shows {len(shown)} views where 1 is folded into an answer. "
            "Choose a probe that shows one."
        )


def parse_check(text: str) -> Check:
    """Read `name` or `name:key=value,key=value`, the form of the command line and of labels."""
    name, _, rest = text.strip().partition(":")
    params: dict[str, str] = {}
    for pair in filter(None, (p.strip() for p in rest.split(","))):
        key, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(
                f"{pair!r} came in {text!r}; parameters are key=value. "
                f"Write {name}:{pair}=VALUE, or see: vidence list probes."
            )
        if key.strip() in params:
            raise UsageError(f"{key.strip()!r} came twice in {text!r}. Give it once.")
        params[key.strip()] = value.strip()
    return make_check(name, params)


def parse_checks(text: str) -> tuple[Check, ...]:
    """Read a comma-separated list of checks; parameters of one check are joined by `;` or `,`.

    `blind,frame_shuffle:frames=64,reversed` reads as three checks: a piece with `=` and without
    `:` belongs to the check before it.
    """
    pieces: list[str] = []
    for piece in filter(None, (p.strip() for p in text.replace(";", ",").split(","))):
        if "=" in piece and ":" not in piece and pieces:
            pieces[-1] += f",{piece}"
        else:
            pieces.append(piece)
    checks = tuple(parse_check(piece) for piece in pieces)
    labels = [check.label for check in checks]
    for label in labels:
        if labels.count(label) > 1:
            raise UsageError(f"The check {label!r} came twice. Name each check once.")
    return checks


def _convert(name: str, key: str, value: Any, default: Scalar) -> Scalar:
    kind = type(default)
    try:
        if kind is bool:
            return {"true": True, "false": False}[str(value).lower()]
        if kind is int and float(value) != int(float(value)):
            raise ValueError(value)
        return kind(float(value)) if kind is int else kind(value)
    except (KeyError, ValueError, TypeError, OverflowError):
        raise UsageError(
            f"{value!r} came for {name}:{key}; {_KINDS[kind]} is allowed "
            f"(default {default!r}). Give one."
        ) from None
