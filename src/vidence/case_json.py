"""Cases and recipes as JSON and back, so that a run folder stands without its case file.

A recipe (a clip with its video, sampling, order and edits) is written by the names of its
dataclasses and all of its fields, defaults included, so that a default that changes later does not
change what an old run showed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from vidence.errors import StoreError
from vidence.media import clip as recipes
from vidence.view import Case, Evidence, Option, Part, Rendering, Text, View

VERSION = 1
"""Of the form written here; a reader refuses a newer one."""

Json = dict[str, Any]
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_WORDS = {"Text": Text, "Rendering": Rendering, "Evidence": Evidence}


def canonical(value: Any) -> str:
    """Return JSON with sorted keys and no spaces: equal values give equal text."""
    return _ENCODER.encode(value)


def recipe_to_json(value: Any) -> Any:
    """Return a dataclass of `vidence.media.clip` or `vidence.view` as JSON.

    Paths become absolute, so that a run can go on from another folder.
    """
    if is_dataclass(value) and not isinstance(value, type):
        body = {f.name: recipe_to_json(getattr(value, f.name)) for f in fields(value) if f.init}
        return {"is": type(value).__name__, **body}
    if isinstance(value, Path):
        return {"is": "path", "path": str(value.absolute())}
    if isinstance(value, tuple | list):
        return [recipe_to_json(item) for item in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise StoreError(
        f"A recipe holds {type(value).__name__} {value!r}; dataclasses, tuples, paths, numbers "
        "and texts can be stored. Make it one of these."
    )


def recipe_from_json(value: Any) -> Any:
    """Rebuild what `recipe_to_json` wrote; lists become tuples.

    Raises:
        StoreError: a recipe of a kind this version does not know.
    """
    if isinstance(value, list):
        return tuple(recipe_from_json(item) for item in value)
    if not isinstance(value, dict):
        return value
    body = dict(value)
    name = body.pop("is", None)
    if name == "path":
        return Path(body["path"])
    kind = _WORDS.get(str(name)) or getattr(recipes, str(name), None)
    if not (isinstance(kind, type) and is_dataclass(kind)):
        raise StoreError(
            f"The recipe {name!r} is unknown here. The run was written by another version of "
            "Vidence; read it with that one."
        )
    try:
        return kind(**{key: recipe_from_json(item) for key, item in body.items()})
    except TypeError as error:
        raise StoreError(
            f"The recipe {name!r} has other fields here ({error}). The run was written by another "
            "version of Vidence; read it with that one."
        ) from None


def case_to_json(case: Case) -> Json:
    """Return a case with everything a run needs to go on without its file."""
    return {
        "version": VERSION,
        "id": case.id,
        "question": case.view.question,
        "options": [[option.key, option.text] for option in case.view.options],
        "parts": [[role, recipe_to_json(part)] for role, part in case.view.parts],
        "gold": case.gold,
        "committed": case.committed,
        "cluster": case.cluster,
        "spans": [list(span) for span in case.spans],
        "tags": dict(case.tags),
        "row": dict(case.row),
    }


def case_from_json(data: Mapping[str, Any]) -> Case:
    """Rebuild a case.

    Raises:
        StoreError: written by a newer version, or with a field missing.
    """
    version = data.get("version")
    if version != VERSION:
        raise StoreError(
            f"A stored case has the form {version!r}; {VERSION} is read here. "
            "Use the version of Vidence that wrote the run."
        )
    try:
        parts: tuple[tuple[str, Part], ...] = tuple(
            (role, recipe_from_json(part)) for role, part in data["parts"]
        )
        return Case(
            id=data["id"],
            view=View(
                question=data["question"],
                options=tuple(Option(key, text) for key, text in data["options"]),
                parts=parts,
            ),
            gold=data["gold"],
            committed=data["committed"],
            cluster=data["cluster"],
            spans=tuple((start, end) for start, end in data["spans"]),
            tags=dict(data["tags"]),
            row=dict(data["row"]),
        )
    except KeyError as error:
        raise StoreError(
            f"A stored case lacks the field {error}. The run folder is damaged; start another one."
        ) from None
