"""Arrays in, estimates out: shares, differences, bootstraps, panels, replays, by cluster."""

from vidence.stats.binomial_difference import DeltaLaw, delta_law, delta_variance, sign_law
from vidence.stats.bootstrap import (
    bootstrap,
    bootstrap_difference,
    bootstrap_ratio,
    resampled_sums,
)
from vidence.stats.clusters import Clusters
from vidence.stats.consensus import Consensus, Flags, Share, case_flags, case_luck, consensus
from vidence.stats.estimate import Estimate
from vidence.stats.flip_counts import FLIPPED, INVALID, KEPT, UNDRAWN, FlipCounts, FlipDraws
from vidence.stats.flip_effect import (
    Effect,
    flip_effect,
    homogeneous_signs,
    runs_mean,
    tie_excess,
)
from vidence.stats.intervals import (
    FEW_CLUSTERS,
    difference_by_cluster,
    mean_by_cluster,
    proportion,
    proportion_by_cluster,
)
from vidence.stats.luck import excess_over_luck, independent_guessers, key_prior, luck_of
from vidence.stats.macro import macro_mean
from vidence.stats.matched_random import MatchedRandom, matched_random, net_law
from vidence.stats.multiple import family_level, holm
from vidence.stats.paired import accuracy_difference, sign_flip_p
from vidence.stats.panel_votes import PanelVotes
from vidence.stats.reweighting import reweighted
from vidence.stats.routing import (
    CallCost,
    Outcomes,
    Routing,
    at_most,
    below,
    gain_difference,
    route,
    route_all,
)

__all__ = [
    "FEW_CLUSTERS",
    "FLIPPED",
    "INVALID",
    "KEPT",
    "UNDRAWN",
    "CallCost",
    "Clusters",
    "Consensus",
    "DeltaLaw",
    "Effect",
    "Estimate",
    "Flags",
    "FlipCounts",
    "FlipDraws",
    "MatchedRandom",
    "Outcomes",
    "PanelVotes",
    "Routing",
    "Share",
    "accuracy_difference",
    "at_most",
    "below",
    "bootstrap",
    "bootstrap_difference",
    "bootstrap_ratio",
    "case_flags",
    "case_luck",
    "consensus",
    "delta_law",
    "delta_variance",
    "difference_by_cluster",
    "excess_over_luck",
    "family_level",
    "flip_effect",
    "gain_difference",
    "holm",
    "homogeneous_signs",
    "independent_guessers",
    "key_prior",
    "luck_of",
    "macro_mean",
    "matched_random",
    "mean_by_cluster",
    "net_law",
    "proportion",
    "proportion_by_cluster",
    "resampled_sums",
    "reweighted",
    "route",
    "route_all",
    "runs_mean",
    "sign_flip_p",
    "sign_law",
    "tie_excess",
]
