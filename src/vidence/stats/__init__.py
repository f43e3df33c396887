"""Arrays in, estimates out: shares, differences, bootstraps and panel consensus, by cluster."""

from vidence.stats.bootstrap import (
    bootstrap,
    bootstrap_difference,
    bootstrap_ratio,
    resampled_sums,
)
from vidence.stats.clusters import Clusters
from vidence.stats.consensus import Consensus, Flags, Share, case_flags, case_luck, consensus
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import (
    FEW_CLUSTERS,
    difference_by_cluster,
    mean_by_cluster,
    proportion,
    proportion_by_cluster,
)
from vidence.stats.luck import excess_over_luck, independent_guessers, key_prior, luck_of
from vidence.stats.macro import macro_mean
from vidence.stats.multiple import family_level, holm
from vidence.stats.paired import accuracy_difference, sign_flip_p
from vidence.stats.panel_votes import PanelVotes

__all__ = [
    "FEW_CLUSTERS",
    "Clusters",
    "Consensus",
    "Estimate",
    "Flags",
    "PanelVotes",
    "Share",
    "accuracy_difference",
    "bootstrap",
    "bootstrap_difference",
    "bootstrap_ratio",
    "case_flags",
    "case_luck",
    "consensus",
    "difference_by_cluster",
    "excess_over_luck",
    "family_level",
    "holm",
    "independent_guessers",
    "key_prior",
    "luck_of",
    "macro_mean",
    "mean_by_cluster",
    "proportion",
    "proportion_by_cluster",
    "resampled_sums",
    "sign_flip_p",
]
