"""The text-only audit of every benchmark under a folder, and of all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vidence.audits.shared import Shared, shared
from vidence.audits.text import FORMAT, TextAudit, TextSource
from vidence.audits.text_apart import Failed, apart, in_turn
from vidence.audits.text_headline import CLAIM
from vidence.benchmark import Benchmark, Loader, find_benchmarks, plain_name
from vidence.errors import CaseError, UsageError
from vidence.stats import Estimate, holm, macro_mean, mean_by_cluster
from vidence.stats.arrays import Floats
from vidence.stats.cross_validation import (
    accuracy_of_procedure,
    gain_of_procedure,
    widened,
)
from vidence.text.learner import LearnerSettings
from vidence.text.priors import chance_of

RULES = ("majority_position", "longest_option")
"""Priors that are also given for all benchmarks together."""


@dataclass(frozen=True)
class Job:
    """One benchmark to audit.

    Args:
        name: unique under the folder.
        source: where it lies.
        seed, settings, command: as for `TextAudit`.
    """

    name: str
    source: TextSource
    seed: int
    settings: LearnerSettings
    command: str


@dataclass(frozen=True, eq=False)
class Audited:
    """One benchmark audited.

    Args:
        benchmark: what was read.
        data, cards: its report.
        ids: of the scored questions [N].
        right: the learner's, [N]; None where it could not be taught.
        chance: of a blind guess, [N].
        priors: `right` of each of `RULES`, [N].
    """

    benchmark: Benchmark
    data: dict[str, Any]
    cards: list[dict[str, Any]]
    ids: tuple[str, ...]
    right: Floats | None
    chance: Floats
    priors: Mapping[str, Floats]


@dataclass(frozen=True)
class Found:
    """What lies under a folder.

    Args:
        jobs: benchmarks that a loader is named like.
        unknown: names of the others.
        unused: folders of transcripts that no benchmark found is named like.
    """

    jobs: tuple[Job, ...]
    unknown: tuple[str, ...]
    unused: tuple[str, ...]


def find(
    folder: Path,
    *,
    transcripts: Path | None = None,
    seed: int = 0,
    settings: LearnerSettings | None = None,
    command: str = "",
) -> Found:
    """Find the benchmarks under a folder, each with its folder of transcripts.

    Raises:
        UsageError: no such folder.
        CaseError: no benchmark in it that a loader is named like.
    """
    for given in (folder, transcripts):
        if given is not None and not given.is_dir():
            raise UsageError(f"{given} is no folder. Give one that has a folder a benchmark.")
    heard = [] if transcripts is None else sorted(p for p in transcripts.iterdir() if p.is_dir())
    found = list(find_benchmarks(folder))
    known = [(path, loader) for path, loader in found if loader is not None]
    unknown = tuple(path.name for path, loader in found if loader is None)
    if not known:
        seen = ", ".join(unknown[:12]) or "nothing"
        raise CaseError(
            f"No benchmark was found in {folder}; it holds {seen}. Files or folders named like "
            "a benchmark are looked for. See: vidence list benchmarks."
        )
    jobs = []
    for path, loader in known:
        twice = sum(other is loader for _, other in known) > 1
        source = TextSource(loader.name, path, None, _named(heard, loader))
        name = path.name if twice else loader.name
        jobs.append(Job(name, source, seed, settings or LearnerSettings(), command))
    used = {job.source.transcripts for job in jobs}
    return Found(tuple(jobs), unknown, tuple(p.name for p in heard if p not in used))


def _named(folders: Iterable[Path], loader: Loader) -> Path | None:
    names = loader.names()
    return next((path for path in folders if plain_name(path.name) in names), None)


def audit_one(job: Job) -> Audited:
    """Audit one benchmark.

    Raises:
        VidenceError: it cannot be read.
    """
    audit = TextAudit(job.source, seed=job.seed, settings=job.settings, command=job.command)
    data = audit.data()
    taught = audit.learned.accuracy.value is not None
    return Audited(
        audit.benchmark,
        data,
        list(audit.cards()),
        audit.items.ids,
        audit.learned.right if taught else None,
        chance_of(audit.items),
        {name: audit.priors[name].right for name in RULES},
    )


def audit_all(
    found: Found,
    *,
    workers: int = 1,
    done: Callable[[str, Audited | Failed], None] | None = None,
) -> dict[str, Any]:
    """Audit benchmarks and take them together; one that fails is named and the others go on.

    Args:
        found: the benchmarks.
        workers: processes; with 1 all happens in this one.
        done: called with each name and its result, or why it failed.

    Returns:
        `benchmarks` (name -> data of its report), `together`, `unknown`, `failed`, `notes`, and
        `format` and `kind`.
    """
    if workers > 1:
        results = apart(audit_one, found.jobs, workers=workers, preload=("vidence.audits.text",))
    else:
        results = in_turn(audit_one, found.jobs)
    audited: dict[str, Audited] = {}
    failed: dict[str, Failed] = {}
    for job, result in results:
        if isinstance(result, Failed):
            failed[job.name] = result
        else:
            audited[job.name] = result
        if done is not None:
            done(job.name, result)
    ordered = {name: audited[name] for name in sorted(audited)}
    return {
        "format": FORMAT,
        "kind": "text-audit-overview",
        "benchmarks": {name: one.data for name, one in ordered.items()},
        "together": together(ordered, found.jobs[0].settings.folds) if ordered else {},
        "unknown": list(found.unknown),
        "failed": [{"name": name, "reason": failed[name].reason} for name in sorted(failed)],
        "notes": _unused(found.unused),
    }


def together(audited: Mapping[str, Audited], folds: int) -> dict[str, Any]:
    """Return what the benchmarks reach as one, and on average, with shared videos as one cluster.

    `pooled` counts every question once, `macro` every benchmark once; they are different numbers.
    Questions that a learner could not be taught on are in neither.
    """
    joined = shared({name: one.benchmark for name, one in audited.items()})
    taught = {name: one for name, one in audited.items() if one.right is not None}
    notes = _together_notes(audited, taught, joined)
    if not taught:
        return {"notes": notes}
    labels = [joined.clusters[name, i] for name, one in taught.items() for i in one.ids]
    groups = [name for name, one in taught.items() for _ in one.ids]
    right = np.concatenate([one.right for one in taught.values() if one.right is not None])
    chance = np.concatenate([one.chance for one in taught.values()])
    priors = {rule: np.concatenate([one.priors[rule] for one in taught.values()]) for rule in RULES}
    size = {"n": len(right), "videos": len(set(labels)), "benchmarks": len(taught)}

    def mean(values: Floats) -> dict[str, Any]:
        return mean_by_cluster(values, labels, bounds=(0.0, 1.0)).to_json()

    def macro(values: Floats) -> Estimate:
        return macro_mean(values, groups, labels)

    return {
        "pooled": {
            **size,
            "chance": _exact(float(chance.mean()), len(right)),
            "learner": accuracy_of_procedure(right, labels, folds=folds).to_json(),
            "over_chance": gain_of_procedure(right - chance, labels, folds=folds).to_json(),
            "priors": {rule: mean(values) for rule, values in priors.items()},
        },
        "macro": {
            **size,
            "chance": _exact(
                float(np.mean([one.chance.mean() for one in taught.values()])), len(right)
            ),
            "learner": widened(macro(right), folds=folds, bounds=(0.0, 1.0)).to_json(),
            "over_chance": widened(
                macro(right - chance), folds=folds, bounds=(-1.0, 1.0)
            ).to_json(),
            "priors": {rule: macro(values).to_json() for rule, values in priors.items()},
        },
        "shared": joined.to_json(),
        "notes": notes,
    }


def _exact(value: float, n: int) -> dict[str, Any]:
    method = "mean of 1 / number of options, exact"
    return Estimate(value=value, low=value, high=value, n=n, method=method).to_json()


def _together_notes(
    audited: Mapping[str, Audited], taught: Mapping[str, Audited], joined: Shared
) -> list[str]:
    about = joined.to_json()
    clusters = about["clusters"]
    found = [
        f"Several benchmarks share {about['videos']:,} videos and {about['questions']:,} "
        f"questions; those are one cluster each, {clusters['together']:,} instead of "
        f"{clusters['alone']:,}.",
        "Pooled counts every question once, the mean of the benchmarks every benchmark once.",
    ]
    names = [name for name, one in audited.items() if one.data["headline"]["p"] is not None]
    adjusted = holm([audited[name].data["headline"]["p"] for name in names])
    sure = [audited[n].data["title"] for n, p in zip(names, adjusted, strict=True) if p <= CLAIM]
    if len(names) > 1:
        found.append(
            f"With Holm's correction over {len(names)} benchmarks the learner is beyond luck in "
            f"{len(sure)}: {', '.join(sure) or 'none'}."
        )
    if left := sorted(set(audited) - set(taught)):
        found.append(f"Too small to learn from, in neither figure: {', '.join(left)}.")
    return found


def _unused(names: Iterable[str]) -> list[str]:
    given = ", ".join(names)
    return [f"Transcripts that no benchmark found is named like: {given}."] if given else []
