"""One world for all tests of a kind's promise, one case a film, so that nothing else is seen."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from tests.worlds.oracle import Film, Spot, decode, said
from vidence.worlds.generate import Truth, World, generate

EACH = {
    "order": 12,
    "transcript": 3,
    "option_length": 3,
    "captions": 4,
    "one_frame": 2,
    "unordered": 6,
    "redundant": 6,
    "ambiguous": 2,
    "mislabelled": 2,
    "question": 6,
}


@dataclass(frozen=True)
class Lone:
    """A case that has a film of its own."""

    row: dict[str, Any]
    truth: Truth
    folder: Path

    @cached_property
    def film(self) -> Film:
        return decode(self.folder / self.row["video"])

    @cached_property
    def spots(self) -> list[Spot | None]:
        return self.film.spots()

    @property
    def said(self) -> str:
        return said(self.folder / self.row["video"].replace(".mp4", ".srt"))

    @property
    def options(self) -> list[str]:
        return self.row["options"]

    @property
    def key(self) -> str:
        return self.options[self.row["answer"]]


def rows_of(world: World) -> list[dict[str, Any]]:
    return [json.loads(line) for line in world.cases.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def lone_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return generate(tmp_path_factory.mktemp("lone"), seed="dev-5", cases=EACH, per_film=1)


@pytest.fixture(scope="session")
def lone(lone_world: World) -> list[Lone]:
    truth = lone_world.read_truth()
    return [Lone(row, truth[row["id"]], lone_world.videos) for row in rows_of(lone_world)]


@pytest.fixture(scope="session")
def mixed_world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a small world in the default mix, several questions a film."""
    return generate(tmp_path_factory.mktemp("mixed"), seed="dev-6", cases=64)
