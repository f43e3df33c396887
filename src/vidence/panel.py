"""The panel file: who is asked, and who makes captions and transcripts.

    [answerers.qwen]
    kind = "openai"
    model = "Qwen/Qwen3-VL-8B-Instruct"
    base_url = "http://localhost:8000/v1"

    [answerers.files]
    kind = "transcript_files"
    folder = "transcripts"

    [roles]
    captioner = "qwen"
    transcriber = "files"

An answerer that a role names makes captions or transcripts and is not asked the checks, unless its
table says `asked = true`. A setting annotated `Path` is relative to the panel file.
"""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from vidence.answer import ANSWERERS, Answerer
from vidence.errors import PanelError, UnknownNameError

_SECRET = re.compile(r"(?i)(^|_)(api_?key|secret|token|password|authorization|bearer)$")
_KEYED_ADDRESS = re.compile(
    r"(?i)[a-z]+://([^/@\s]*:[^/@\s]*@|[^\s]*[?&][^=&]*(key|secret|token|password|sig)[^=&]*=)"
)
_OURS = ("kind", "asked")
ROLES = ("captioner", "transcriber", "renderer")
"""What the probes of Vidence ask for (`Rendering.role`)."""


@dataclass(frozen=True)
class Panel:
    """Who takes part in a run.

    Args:
        answerers: name -> answerer, those that make renderings included.
        roles: role -> name of the answerer that makes its renderings.
        asked: names of those that are asked the checks; by default all that no role names.
        source: the resolved panel file, from which a run rebuilds the panel; None for a panel built
            in Python, which has to be given again at resume.
    """

    answerers: Mapping[str, Answerer]
    roles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    asked: tuple[str, ...] | None = None
    source: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Check that roles and `asked` name answerers of the panel."""
        for role, name in self.roles.items():
            if name not in self.answerers:
                raise UnknownNameError(f"answerer in the role {role!r}", name, self.answerers)
        if self.asked is None:
            makers = set(self.roles.values())
            asked = tuple(name for name in self.answerers if name not in makers)
            object.__setattr__(self, "asked", asked)
        for name in self.asked or ():
            if name not in self.answerers:
                raise UnknownNameError("asked answerer", name, self.answerers)
        for role in self.roles:  # probes may ask for others, a slip of the pen nobody asks for
            if role not in ROLES and get_close_matches(role, ROLES, n=1, cutoff=0.8):
                raise UnknownNameError("role", role, ROLES)
        for name, member in self.answerers.items():
            if not name.strip() or not name.isprintable():
                raise PanelError(
                    f"An answerer is called {name!r}. Give it a name that can be read."
                )
            if name != member.name:
                raise PanelError(
                    f"The answerer {member.name!r} stands under the name {name!r}. "
                    "Use one name for both."
                )

    def members(self, kind: str) -> tuple[str, ...]:
        """Return the names of those that checks of a kind (`model`, `encoder`) ask."""
        return tuple(n for n in self.asked or () if self.answerers[n].panel == kind)

    def cast(self, asked: Sequence[str], **roles: str) -> Panel:
        """Return the same answerers with others asked, and roles added or given to another.

        Raises:
            UnknownNameError: a name that the panel does not have, or a misspelt role.
        """
        everyone = {**self.roles, **roles}
        changed = Panel(self.answerers, everyone, tuple(asked))
        if self.source is None:
            return changed
        tables = {
            name: {**table, "asked": name in asked}
            for name, table in self.source["answerers"].items()
        }
        return replace(changed, source={"answerers": tables, "roles": everyone})

    def maker(self, role: str) -> Answerer | None:
        """Return who makes the renderings of a role, None if nobody does."""
        return self.answerers[self.roles[role]] if role in self.roles else None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    answerers: dict[str, dict[str, Any]] = Field(min_length=1)
    roles: dict[str, str] = {}


def panel_of(*answerers: Answerer, **roles: str) -> Panel:
    """Build a panel from answerers made in Python; roles by name: `captioner="NAME"`."""
    names = [answerer.name for answerer in answerers]
    for name in names:
        if names.count(name) > 1:
            raise PanelError(f"Two answerers are called {name!r}. Give each its own name.")
    return Panel(dict(zip(names, answerers, strict=True)), roles)


def load_panel(source: str | PathLike[str] | Mapping[str, Any]) -> Panel:
    """Read a panel from a TOML file, or from its tables as a mapping.

    Raises:
        PanelError: not TOML, a missing setting, a value of a wrong type, a key in the file.
        UnknownNameError: an unknown kind, setting or answerer.
    """
    if isinstance(source, Mapping):
        tables, base, where = dict(source), Path.cwd(), "the panel"
    else:
        path = Path(source)
        tables, base, where = _read(path), path.absolute().parent, path.name
    unknown = set(tables) - set(_File.model_fields)
    if unknown:
        raise UnknownNameError(f"table of {where}", min(unknown), _File.model_fields)
    try:
        file = _File.model_validate(tables)
    except ValidationError as error:
        raise PanelError(
            f"{where}: {_faults(error)}. Write [answerers.NAME] tables with a kind, and [roles]."
        ) from None
    made = {name: _make(where, name, table, base) for name, table in file.answerers.items()}
    makers = set(file.roles.values())
    asked = tuple(
        name for name, table in file.answerers.items() if table.get("asked", name not in makers)
    )
    resolved = {name: settings for name, (_, settings) in made.items()}
    return Panel(
        answerers={name: answerer for name, (answerer, _) in made.items()},
        roles=file.roles,
        asked=asked,
        source={"answerers": resolved, "roles": dict(file.roles)},
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise PanelError(
            f"{path} cannot be read: {error.strerror}. A TOML file with [answerers.NAME] tables is "
            "needed; see docs/running.md."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PanelError(f"{path.name} is not TOML: {error}. Correct that line.") from None


def _make(
    where: str, name: str, table: dict[str, Any], base: Path
) -> tuple[Answerer, dict[str, Any]]:
    place = f"{where}, [answerers.{name}]"
    kind = table.get("kind")
    if not isinstance(kind, str):
        raise PanelError(f'{place} has no kind. Write kind = "..."; one of {", ".join(ANSWERERS)}.')
    asked = table.get("asked")
    if asked is not None and not isinstance(asked, bool):
        raise PanelError(f"{place}: asked = {asked!r} came; true or false is allowed.")
    factory = ANSWERERS[kind]
    settings = {key: value for key, value in table.items() if key not in _OURS}
    _refuse_secrets(place, settings)
    checked = _checked(place, kind, factory, settings, base)
    try:
        answerer = factory(name=name, **checked)
    except TypeError as error:
        raise PanelError(f"{place}: {error}. See: vidence list answerers.") from None
    stored = {k: str(v) if isinstance(v, Path) else v for k, v in checked.items()}
    extra = {} if asked is None else {"asked": asked}
    try:
        plain = json.loads(json.dumps(stored, allow_nan=False))
    except (TypeError, ValueError) as error:  # a date, inf or nan of TOML
        raise PanelError(
            f"{place}: {error}. Texts, numbers, true, false, lists and tables are allowed."
        ) from None
    return answerer, {"kind": kind, **extra, **plain}


def _checked(
    place: str,
    kind: str,
    factory: Callable[..., Answerer],
    settings: dict[str, Any],
    base: Path,
) -> dict[str, Any]:
    """Check settings against the factory's signature; paths become absolute."""
    parameters = {
        p.name: p
        for p in inspect.signature(factory).parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.name != "name"
    }
    for key in settings:
        if key not in parameters:
            raise UnknownNameError(f"setting of {kind!r} in {place},", key, parameters)
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in settings:
            raise PanelError(f"{place} lacks {key!r}, which {kind!r} needs. Add {key} = ...")
    target: Any = factory.__init__ if inspect.isclass(factory) else factory
    try:
        hints = get_type_hints(target)
    except NameError:  # a hint that is only imported for type checkers: the factory checks itself
        return settings
    chosen: dict[str, Any] = {f"s_{key}": (hints.get(key, Any), ...) for key in settings}
    options = ConfigDict(arbitrary_types_allowed=True, protected_namespaces=())
    model: type[BaseModel] = create_model("Settings", __config__=options, **chosen)
    try:
        read = model(**{f"s_{key}": value for key, value in settings.items()})
    except ValidationError as error:
        raise PanelError(f"{place}: {_faults(error)}. Correct it.") from None
    values = {key: getattr(read, f"s_{key}") for key in settings}
    return {k: base / v.expanduser() if isinstance(v, Path) else v for k, v in values.items()}


def _refuse_secrets(place: str, settings: Mapping[str, Any]) -> None:
    for key, value in settings.items():
        if _SECRET.search(key):
            raise PanelError(
                f"{place} holds {key!r}. Keys do not belong in a panel file, since a run keeps it. "
                'Put the key in an environment variable and write api_key_env = "ITS_NAME".'
            )
        if isinstance(value, Mapping):
            _refuse_secrets(place, value)
        if isinstance(value, str) and _KEYED_ADDRESS.match(value):
            raise PanelError(
                f"{place}: {key} holds a password or a key. Leave it out of the address, since a "
                "run keeps the panel."
            )


def _faults(error: ValidationError) -> str:
    """Say what is wrong without the values that came."""
    return "; ".join(
        f"{'.'.join(str(part).removeprefix('s_') for part in fault['loc']) or 'file'}: "
        f"{fault['msg']}"
        for fault in error.errors(include_input=False, include_url=False)
    )
