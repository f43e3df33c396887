"""The words of multiple-choice questions, and where their keys stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vidence.errors import UsageError
from vidence.view import Case


@dataclass(frozen=True, eq=False)
class TextItems:
    """Hold N questions with their options; option i of a question is the one shown i-th.

    Args:
        ids: the cases' names.
        questions: their texts.
        options: their options' texts, one or more each.
        gold: int [N], position of the key.
        clusters: int [N], codes of the videos in order of appearance.
        tags: name -> N values, "" where a case has none.

    Raises:
        UsageError: lengths that differ, or a key beyond the options.
    """

    ids: tuple[str, ...]
    questions: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    gold: NDArray[np.int64]
    clusters: NDArray[np.int64]
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        n = len(self.ids)
        sizes = (len(self.questions), len(self.options), len(self.gold), len(self.clusters))
        if any(size != n for size in sizes):
            raise UsageError(f"{n} ids came with {sizes} questions, options, keys and clusters.")
        for name, options, gold in zip(self.ids, self.options, self.gold, strict=True):
            if not 0 <= gold < len(options):
                raise UsageError(
                    f"The key of {name!r} is at {gold}; its {len(options)} options are 0 to "
                    f"{len(options) - 1}."
                )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def counts(self) -> NDArray[np.int64]:
        """Int [N]: options of each question."""
        return np.array([len(options) for options in self.options], dtype=np.int64)

    @classmethod
    def of(cls, cases: Iterable[Case]) -> TextItems:
        """Return the multiple-choice cases that have a key; others are left out."""
        kept = [(case, at) for case in cases if (at := case.gold_position()) is not None]
        codes: dict[str, int] = {}
        clusters = [codes.setdefault(case.cluster or case.id, len(codes)) for case, _ in kept]
        names = dict.fromkeys(name for case, _ in kept for name in case.tags)
        return cls(
            ids=tuple(case.id for case, _ in kept),
            questions=tuple(case.view.question for case, _ in kept),
            options=tuple(tuple(o.text for o in case.view.options) for case, _ in kept),
            gold=np.array([at for _, at in kept], dtype=np.int64),
            clusters=np.array(clusters, dtype=np.int64),
            tags={name: tuple(case.tags.get(name, "") for case, _ in kept) for name in names},
        )
