"""Who stands where: accuracy, guessers, ranks and categories on all, kept and removed cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vidence.audits.entries import Entry, Field
from vidence.audits.kept_set import KeptSet
from vidence.errors import UnknownNameError
from vidence.stats import (
    Clusters,
    excess_over_luck,
    macro_mean,
    mean_by_cluster,
    proportion_by_cluster,
)
from vidence.stats.ranking import Ranking, paired_ranking

FORMAT = "vidence.leaderboard/1"
OUTSIDE, INSIDE = "guesser outside the panel", "guesser inside the panel"
Row = dict[str, Any]
Mask = NDArray[np.bool_]


class Standings:
    """The entries on all cases, the kept ones and the removed ones, as plain values.

    Args:
        field: the entries and their cases.
        keep: the filter, None where there is none.
    """

    def __init__(self, field: Field, keep: KeptSet | None) -> None:
        self.field, self.keep = field, keep
        self.clusters = Clusters.of(field.clusters)
        self.chance = 1 / field.n_options
        self.sets: dict[str, Mask] = {"all": np.ones(len(field.cases), dtype=np.bool_)}
        if keep is not None:
            self.sets |= {"kept": keep.kept, "removed": keep.removed}
        self.ranked_by = "kept" if keep is not None and keep.kept.any() else "all"
        self.members = [None if keep is None else keep.member(e) for e in field.entries]

    def data(self, by: str | None = None, notes: Sequence[str] = ()) -> Row:
        """Return what the leaderboard prints, by the values of a tag too; `notes` come first."""
        field, keep = self.field, self.keep
        rankings = {name: self._ranking(mask) for name, mask in self.sets.items()}
        ranked = rankings[self.ranked_by]
        rows = [
            {"rank": place, "ranks": list(ranked.ranges[j]), **self._entry(j)}
            for place, j in enumerate(ranked.order, 1)
        ]
        return {
            "format": FORMAT,
            "title": field.title,
            "runs": list(field.runs),
            "cases": {
                "shared": field.shared,
                "scored": len(field.cases),
                "videos": len(set(self.clusters.codes.tolist())),
                **{name: int(mask.sum()) for name, mask in self.sets.items() if name != "all"},
            },
            "filter": keep
            and {
                "from": keep.source,
                "consensus": keep.consensus,
                "panel": list(keep.identities),
                "run": keep.run or None,
            },
            "ranked_by": self.ranked_by,
            "rows": rows,
            "guessers": self._guessers(),
            "pairs": {name: self._pairs(ranking) for name, ranking in rankings.items()},
            "by": None if by is None else self._by(by, ranked.order),
            "notes": [*notes, *self._notes(ranked)],
        }

    def _entry(self, j: int) -> Row:
        entry = self.field.entries[j]
        return {
            "name": entry.name,
            "answerer": entry.answerer,
            "check": entry.check,
            "run": entry.run,
            "panel": self.members[j] is not None,
            "sets": {name: self._on(j, name, mask) for name, mask in self.sets.items()},
            "statuses": dict(entry.statuses),
        }

    def _on(self, j: int, name: str, mask: Mask) -> Row:
        entry, total = self.field.entries[j], int(mask.sum())
        asked, read = mask & entry.asked, mask & entry.read
        line = self._line(j, name)
        over = excess_over_luck(
            entry.right[asked], line[asked], self.clusters.where(asked), total=total
        )
        return {
            "n": total,
            "accuracy": self._share(entry, asked, total),
            "replied": self._share(entry, read, total),
            "guess": self._mean(line, asked, total),
            "over_guess": over.to_json(),
        }

    def _line(self, j: int, name: str) -> NDArray[np.float64]:
        """Return the chance of a guesser in an entry's place on each case of a set."""
        member = self.members[j]
        if name == "all" or self.keep is None or member is None:
            return self.chance
        return self.keep.guess.get(member, self.chance)

    def _share(self, entry: Entry, where: Mask, total: int) -> Row:
        return proportion_by_cluster(
            entry.right[where], self.clusters.where(where), total=total
        ).to_json()

    def _mean(self, line: NDArray[np.float64], where: Mask, total: int) -> Row:
        return mean_by_cluster(
            line[where], self.clusters.where(where), bounds=(0.0, 1.0), total=total
        ).to_json()

    def _guessers(self) -> list[Row]:
        lines = {OUTSIDE: dict.fromkeys(self.sets, self.chance)}
        if self.keep is not None and self.keep.guess:
            inside = np.mean(list(self.keep.guess.values()), axis=0)
            lines[INSIDE] = {name: self.chance if name == "all" else inside for name in self.sets}
        return [
            {
                "name": who,
                "sets": {
                    name: self._mean(mine[name], mask, int(mask.sum()))
                    for name, mask in self.sets.items()
                },
            }
            for who, mine in lines.items()
        ]

    def _ranking(self, mask: Mask) -> Ranking:
        entries = self.field.entries
        right = np.stack([entry.right for entry in entries], axis=1)
        asked = np.stack([entry.asked for entry in entries], axis=1)
        return paired_ranking(right[mask], self.clusters.where(mask), asked=asked[mask])

    def _pairs(self, ranking: Ranking) -> list[Row]:
        return [
            {
                "first": self.field.entries[pair.first].name,
                "second": self.field.entries[pair.second].name,
                "difference": pair.difference.to_json(),
                "p": pair.p,
                "p_adjusted": pair.p_adjusted,
                "claimed": pair.claimed,
                "mixed": (self.members[pair.first] is None) != (self.members[pair.second] is None),
            }
            for pair in ranking.pairs
        ]

    def _by(self, tag: str, order: Sequence[int]) -> Row:
        """Give every set by the values of a tag; lists, so that no value can hide another."""
        cases = self.field.cases
        known = {name for case in cases for name in case.tags}
        if tag not in known:
            raise UnknownNameError("tag", tag, known)
        mine = np.array([case.tags.get(tag, "") for case in cases], dtype=object)
        values = []
        for value in sorted(set(mine.tolist())):
            inside = np.asarray(mine == value, dtype=np.bool_)
            sets = {name: mask & inside for name, mask in self.sets.items()}
            values.append(
                {
                    "value": value,
                    "n": {name: int(mask.sum()) for name, mask in sets.items()},
                    "rows": [self._brief(j, sets) for j in order],
                }
            )
        macro = [
            {
                "name": self.field.entries[j].name,
                **{name: self._macro(j, mask, mine) for name, mask in self.sets.items()},
            }
            for j in order
        ]
        return {
            "tag": tag,
            "values": values,
            "pooled": [self._brief(j, self.sets) for j in order],
            "macro": macro,
        }

    def _brief(self, j: int, sets: Mapping[str, Mask]) -> Row:
        entry = self.field.entries[j]
        return {
            "name": entry.name,
            **{
                name: self._share(entry, mask & entry.asked, int(mask.sum()))
                for name, mask in sets.items()
            },
        }

    def _macro(self, j: int, mask: Mask, groups: NDArray[np.object_]) -> Row:
        entry = self.field.entries[j]
        where = mask & entry.asked
        mean = macro_mean(
            entry.right[where],
            np.asarray(groups[where], dtype=np.str_),
            self.clusters.where(where),
            total=int(mask.sum()),
        )
        if mean.low is not None and mean.high is not None:  # a mean of shares is a share
            mean = replace(mean, low=max(0.0, mean.low), high=min(1.0, mean.high))
        return mean.to_json()

    def _notes(self, ranking: Ranking) -> list[str]:
        notes: list[str] = []
        keep, entries = self.keep, self.field.entries
        if keep is not None:
            notes += keep.notes
            if unseen := int((~keep.kept & ~keep.removed).sum()):
                notes.append(
                    f"{unseen:,} of {len(keep.kept):,} cases are not in the filter's file or run; "
                    "they are on neither side."
                )
            if not keep.kept.any():
                notes.append("The filter kept no case, so the ranks are those on all cases.")
            if any(self.members):
                notes.append(
                    "Panel members stand lower on the kept set by construction: it drops what they "
                    f"got right. Compare them with the {INSIDE}, not with the others."
                )
        for entry in entries:
            if lost := int((entry.asked & ~entry.read).sum()):
                never = entry.statuses.get("not_asked", 0)
                which = f" ({never:,} of them never asked for)" if never else ""
                notes.append(
                    f"{entry.name}: {lost:,} of {int(entry.asked.sum()):,} replies are missing or "
                    f"could not be read{which}; they count as wrong, and not among those read."
                )
        open_ = [j for j in ranking.order if ranking.ranges[j][0] != ranking.ranges[j][1]]
        if open_ and len(entries) > 1:
            named = ", ".join(
                f"{entries[j].name} {ranking.ranges[j][0]}-{ranking.ranges[j][1]}" for j in open_
            )
            notes.append(f"Ranks not resolved on the {self.ranked_by} cases: {named}.")
        return notes
