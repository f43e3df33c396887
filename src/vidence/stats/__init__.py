"""Arrays in, estimates out: shares, differences, bootstraps, panels, replays, by cluster."""

from vidence.stats.agreement import (
    Agreement,
    Transition,
    agreement,
    correlation,
    jaccard,
    transition,
)
from vidence.stats.association import mean_gap, pr_auc, roc_auc, spearman
from vidence.stats.binomial_difference import DeltaLaw, delta_law, delta_variance, sign_law
from vidence.stats.bootstrap import (
    bootstrap,
    bootstrap_difference,
    bootstrap_ratio,
    resampled_sums,
)
from vidence.stats.clusters import Clusters
from vidence.stats.components import Stratum, component_table
from vidence.stats.consensus import Consensus, Flags, Share, case_flags, case_luck, consensus
from vidence.stats.difference_limits import delta_estimate, delta_limits
from vidence.stats.discovery import Discoveries, discoveries, e_discoveries
from vidence.stats.e_process import e_cost, e_stop, e_value, fewest_pairs, pair_path
from vidence.stats.energy_effect import (
    EnergyEffect,
    Replies,
    condition_accuracy,
    energy_effect,
    retention,
)
from vidence.stats.estimate import Estimate
from vidence.stats.exact_tests import exact_p, exact_power, least_p, table_p
from vidence.stats.flip_counts import FLIPPED, INVALID, KEPT, UNDRAWN, FlipCounts, FlipDraws
from vidence.stats.flip_effect import (
    Effect,
    flip_effect,
    homogeneous_signs,
    runs_mean,
    tie_excess,
)
from vidence.stats.heterogeneity import FlipPrior
from vidence.stats.heterogeneity_fit import FlipFit, ModelFit, fit_flips
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
from vidence.stats.posterior import Posterior, posterior
from vidence.stats.reliability import (
    ScoreSpread,
    SplitHalf,
    score_spread,
    spearman_brown,
    split_half,
)
from vidence.stats.replay_budget import (
    ProbeDesign,
    expected_at,
    mean_error,
    probe_designs,
    replays_for_reliability,
    replays_for_sign,
    replays_for_test,
    sign_power,
)
from vidence.stats.replay_validity import DrawOrder, draw_order
from vidence.stats.reweighting import reweighted
from vidence.stats.risk_control import GainControl, HarmControl, control_harms, gain_p, prove_gain
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
from vidence.stats.selective import (
    accuracy_at,
    coarse_partial_risk,
    risk_coverage,
    selective_difference,
    selective_risk,
)
from vidence.stats.sequential import SignRule, Stopped, StoppingCost
from vidence.stats.temporal_overlap import Overlap, temporal_overlap
from vidence.stats.transfer import Transfer, transfer
from vidence.stats.uplift import UpliftCurve, uplift_area, uplift_curve

__all__ = [
    "FEW_CLUSTERS",
    "FLIPPED",
    "INVALID",
    "KEPT",
    "UNDRAWN",
    "Agreement",
    "CallCost",
    "Clusters",
    "Consensus",
    "DeltaLaw",
    "Discoveries",
    "DrawOrder",
    "Effect",
    "EnergyEffect",
    "Estimate",
    "Flags",
    "FlipCounts",
    "FlipDraws",
    "FlipFit",
    "FlipPrior",
    "GainControl",
    "HarmControl",
    "MatchedRandom",
    "ModelFit",
    "Outcomes",
    "Overlap",
    "PanelVotes",
    "Posterior",
    "ProbeDesign",
    "Replies",
    "Routing",
    "ScoreSpread",
    "Share",
    "SignRule",
    "SplitHalf",
    "Stopped",
    "StoppingCost",
    "Stratum",
    "Transfer",
    "Transition",
    "UpliftCurve",
    "accuracy_at",
    "accuracy_difference",
    "agreement",
    "at_most",
    "below",
    "bootstrap",
    "bootstrap_difference",
    "bootstrap_ratio",
    "case_flags",
    "case_luck",
    "coarse_partial_risk",
    "component_table",
    "condition_accuracy",
    "consensus",
    "control_harms",
    "correlation",
    "delta_estimate",
    "delta_law",
    "delta_limits",
    "delta_variance",
    "difference_by_cluster",
    "discoveries",
    "draw_order",
    "e_cost",
    "e_discoveries",
    "e_stop",
    "e_value",
    "energy_effect",
    "exact_p",
    "exact_power",
    "excess_over_luck",
    "expected_at",
    "family_level",
    "fewest_pairs",
    "fit_flips",
    "flip_effect",
    "gain_difference",
    "gain_p",
    "holm",
    "homogeneous_signs",
    "independent_guessers",
    "jaccard",
    "key_prior",
    "least_p",
    "luck_of",
    "macro_mean",
    "matched_random",
    "mean_by_cluster",
    "mean_error",
    "mean_gap",
    "net_law",
    "pair_path",
    "posterior",
    "pr_auc",
    "probe_designs",
    "proportion",
    "proportion_by_cluster",
    "prove_gain",
    "replays_for_reliability",
    "replays_for_sign",
    "replays_for_test",
    "resampled_sums",
    "retention",
    "reweighted",
    "risk_coverage",
    "roc_auc",
    "route",
    "route_all",
    "runs_mean",
    "score_spread",
    "selective_difference",
    "selective_risk",
    "sign_flip_p",
    "sign_law",
    "sign_power",
    "spearman",
    "spearman_brown",
    "split_half",
    "table_p",
    "temporal_overlap",
    "tie_excess",
    "transfer",
    "transition",
    "uplift_area",
    "uplift_curve",
]
