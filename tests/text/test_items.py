"""Cases as texts and keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vidence.errors import UsageError
from vidence.media.clip import Clip, Video
from vidence.text.items import TextItems
from vidence.view import Case, Option, View


def case(name: str, gold: int | None, cluster: str, **tags: str) -> Case:
    options = (Option(1, "dog"), Option(0, "cat"))
    view = View("Which?", options, (("video", Clip(Video(Path("v.mp4")))),))
    return Case(name, view, gold=gold, cluster=cluster, tags=tags)


def test_keys_are_places_in_the_order_shown_and_cases_without_one_are_left_out() -> None:
    items = TextItems.of(
        [case("a", 0, "v", kind="x"), case("b", None, "v"), case("c", 1, "w"), case("d", 9, "w")]
    )
    assert items.ids == ("a", "c")
    assert items.gold.tolist() == [1, 0]
    assert items.clusters.tolist() == [0, 1]
    assert items.tags == {"kind": ("x", "")}
    assert items.options == (("dog", "cat"), ("dog", "cat"))


def test_contradictions_are_refused() -> None:
    with pytest.raises(UsageError, match="key of 'a'"):
        TextItems(("a",), ("?",), (("x", "y"),), np.array([2]), np.array([0]))
    with pytest.raises(UsageError, match="2 ids"):
        TextItems(("a", "b"), ("?",), (("x",),), np.array([0]), np.array([0]))
