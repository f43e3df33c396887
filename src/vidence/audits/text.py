"""The text-only audit: what a benchmark gives away without its videos."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

from vidence.audits.text_headline import headline
from vidence.audits.text_notes import commands, notes
from vidence.audits.text_tables import (
    categories_table,
    histogram,
    learner_table,
    overlap_table,
    priors_table,
)
from vidence.audits.text_transcripts import Heard, hear
from vidence.benchmark import BENCHMARKS, Benchmark, load_benchmark
from vidence.seeds import digest
from vidence.text.items import TextItems
from vidence.text.learner import Learned, LearnerSettings, learn
from vidence.text.overlap import Overlap, overlap
from vidence.text.prior_accuracy import PriorAccuracy, prior_accuracies
from vidence.view import Case

FORMAT, KIND = "vidence.report/1", "text-audit"
PACKAGES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class TextSource:
    """Where the questions of a text-only audit come from.

    Args:
        form: a registered benchmark form.
        path: the annotation file, or the folder that holds it.
        columns: for a general form, which column is what.
        transcripts: folder of the transcripts, None for none.
    """

    form: str
    path: Path
    columns: str | None = None
    transcripts: Path | None = None

    @property
    def name(self) -> str:
        """For folders: the form where it is that of one benchmark, else the file's name."""
        return self.form if BENCHMARKS[self.form].title else self.path.stem

    def load(self) -> Benchmark:
        """Read the annotations."""
        return load_benchmark(self.form, self.path, None, self.columns)


class TextAudit:
    """A benchmark, read for what its text alone gives away. Each part is computed once.

    Args:
        source: where it lies.
        seed: names every random choice.
        settings: of the learner.
        command: as it was typed, for the report.
        benchmark: what `source` holds, if it is read already.

    Raises:
        CaseError, UsageError: it cannot be read as cases, or there is no such folder.
    """

    def __init__(
        self,
        source: TextSource,
        *,
        seed: int | str = 0,
        settings: LearnerSettings | None = None,
        command: str = "",
        benchmark: Benchmark | None = None,
    ) -> None:
        self._began = perf_counter()
        self.source, self.seed, self.command = source, seed, command
        self.settings = settings or LearnerSettings()
        self.benchmark = benchmark or source.load()
        self.cases: tuple[Case, ...] = tuple(
            case for case in self.benchmark.multiple_choice if case.gold_position() is not None
        )
        self.items = TextItems.of(self.cases)

    @property
    def title(self) -> str:
        """The benchmark's name."""
        return self.benchmark.name

    @cached_property
    def priors(self) -> dict[str, PriorAccuracy]:
        """What each guessing rule reached."""
        return prior_accuracies(self.items)

    @cached_property
    def learned(self) -> Learned:
        """What the learner reached; its estimates say why where it could not be taught."""
        return learn(self.items, seed=self.seed, settings=self.settings)

    @cached_property
    def heard(self) -> Heard | None:
        """The transcripts; None where no folder was given."""
        folder = self.source.transcripts
        return None if folder is None else hear(self.cases, folder)

    @cached_property
    def overlap(self) -> Overlap | None:
        """What matching options against transcripts reached."""
        heard = self.heard
        if heard is None:
            return None
        return overlap(self.items, heard.videos, heard.usable, heard.spans)

    def data(self, *, pruning: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return everything that the report prints, as plain values; shares from 0 to 1.

        Args:
            pruning: what leaving questions out came to, `{"curve": [...]}`, if that was tried.
        """
        learned, found = self.learned, self.priors
        chance = found["chance"].accuracy
        data: dict[str, Any] = {
            "format": FORMAT,
            "kind": KIND,
            "title": self.title,
            "headline": {
                "sentence": headline(self.title, learned, chance),
                "learner": learned.accuracy.to_json(),
                "chance": chance.to_json(),
                "over_chance": learned.over_chance.to_json(),
                "p": learned.permutation.p,
                "permutations": learned.permutation.permutations,
            },
            "cases": self._cases(),
            "rejected": [
                {"where": r.where, "reason": r.reason, "kind": r.kind}
                for r in self.benchmark.rejected
            ],
            "priors": priors_table(found),
            "learner": None if learned.accuracy.value is None else learner_table(learned),
            "categories": categories_table(self.items, learned, found["longest_option"].right),
            "overlap": overlap_table(self.heard, self.overlap, self.items, learned),
            "scores": {"histogram": histogram(learned.probability)},
            "pruning": pruning,
            "commands": commands(self.source, self.seed),
            "case_files": {"all": "cases.jsonl", "total": len(self.cases)},
        }
        return {**data, "notes": notes(data), "run": self._run()}

    def cards(self, removed: Sequence[bool] | None = None) -> Iterator[dict[str, Any]]:
        """Yield one plain dictionary a scored question (docs/text-audit.md).

        Args:
            removed: which questions were left out [N], None if that was not tried.
        """
        learned, found = self.learned, self.priors
        for i, case in enumerate(self.cases):
            options = self.items.options[i]
            shares = learned.option_probability[i][: len(options)]
            yield {
                "id": case.id,
                "cluster": case.cluster or case.id,
                "question": self.items.questions[i],
                "options": list(options),
                "gold": int(self.items.gold[i]),
                "tags": dict(case.tags),
                "probability": float(learned.probability[i]),
                "option_probability": [float(p) for p in shares],
                "priors": {name: float(one.right[i]) for name, one in found.items()},
                "removed": None if removed is None else bool(removed[i]),
            }

    def _cases(self) -> dict[str, Any]:
        read = self.benchmark
        options = Counter(map(len, self.items.options))
        return {
            "n": len(read.multiple_choice),
            "rows": read.rows,
            "scored": len(self.cases),
            "videos": len(set(self.items.clusters.tolist())),
            "open_ended": len(read.open_ended) + sum(r.open_ended for r in read.rejected),
            "rejected": sum(not r.open_ended for r in read.rejected),
            "no_gold": len(read.multiple_choice) - len(self.cases),
            "options": {str(n): options[n] for n in sorted(options)},
            "one_option": options.get(1, 0),
        }

    def _run(self) -> dict[str, Any]:
        return {
            "vidence": _version("vidence"),
            "command": self.command,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "python": platform.python_version(),
            "packages": {name: _version(name) for name in PACKAGES},
            "seed": self.seed,
            "settings": asdict(self.settings),
            "benchmark": self.source.form,
            "path": str(self.source.path),
            "digest": content_digest(self.cases),
            "seconds": round(perf_counter() - self._began, 2),
        }


def content_digest(cases: Sequence[Case]) -> str:
    """Return a name for ids, videos, questions, options and keys, whatever file they came from."""
    names: list[str | int] = []
    for case in cases:
        position = case.gold_position()
        texts = [option.text for option in case.view.options]
        key = -1 if position is None else position
        names += [case.id, case.cluster, case.view.question, len(texts), *texts, key]
    return digest("text-audit", *names)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
