"""Fit how much questions differ, and say whether one pair of rates for all would have done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, gammaln, logit, xlog1py, xlogy

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, check_level
from vidence.stats.estimate import Estimate
from vidence.stats.flip_counts import FlipCounts
from vidence.stats.heterogeneity import LEAST_TOTAL, MOST_TOTAL, FlipPrior
from vidence.stats.intervals import FEW_CLUSTERS
from vidence.stats.limits import t_quantile

PARAMETERS = ("sham", "destroy", "total_sham", "total_destroy", "correlation")
_METHOD = "maximum likelihood, correlated Beta rates; t interval, sandwich variance by cluster"
_LOW = np.array([-6.0, -6.0, np.log(LEAST_TOTAL * 1.01), np.log(LEAST_TOTAL * 1.01), -2.0])
_HIGH = np.array([6.0, 6.0, np.log(MOST_TOTAL / 10), np.log(MOST_TOTAL / 10), 2.0])
_STEP = 1e-4


@dataclass(frozen=True, slots=True)
class ModelFit:
    """Hold one model's likelihood: `aic` is 2 parameters - 2 log likelihood, less is better."""

    name: str
    parameters: int
    log_likelihood: float
    aic: float


@dataclass(frozen=True, slots=True)
class FlipFit:
    """Hold a fitted prior.

    Args:
        prior: the fitted distribution of question-level rates.
        estimates: one `Estimate` per name in `PARAMETERS`.
        models: correlated, independent and homogeneous, in this order.
        edge: parameters that ended at the edge of what is allowed.
    """

    prior: FlipPrior
    estimates: dict[str, Estimate]
    models: tuple[ModelFit, ...]
    edge: tuple[str, ...]

    @property
    def best(self) -> str:
        """The name of the model with the least AIC."""
        return min(self.models, key=lambda model: model.aic).name


def fit_flips(counts: FlipCounts, *, level: float = 0.95) -> FlipFit:
    """Fit `FlipPrior` to the tables of all scored questions.

    Formula: maximise sum over questions of log of the double integral of b(x; k_d, d) b(y; k_s, s)
    over the prior, by L-BFGS-B in logit means, log totals and atanh correlation. Intervals: theta
    +- t_{G-1} se with the sandwich H^-1 (sum_g u_g u_g') H^-1, u_g the score summed over a video
    (White 1982; Liang & Zeger 1986), carried back through the transform. AIC (Akaike 1974) is
    given beside independent Betas (rho = 0) and one pair of rates for all.
    Assumes independent draws given a question's rates, and that Beta margins with a Gaussian
    copula are near enough. With k = 1 per condition the totals are not identified: refused. A
    parameter at the edge of its range has no interval, and one cluster gives none at all.

    Raises:
        UsageError: fewer than 10 scored questions, or never two valid draws in one condition.
    """
    check_level(level)
    tables, index = counts.tables()
    if len(index) < 10:
        raise UsageError(f"{len(index)} scored questions; at least 10 are needed for a fit.")
    if tables[:, 1].max() < 2 or tables[:, 3].max() < 2:
        raise UsageError(
            "No question has two valid draws in a condition; how much questions differ cannot be "
            "told from noise. Draw k >= 2."
        )
    weight = np.bincount(index, minlength=len(tables)).astype(np.float64)
    start = _start(counts)
    theta, value = _maximise(lambda t: float(weight @ _log_chance(t, tables)), start)
    flat, flat_value = _maximise(
        lambda t: float(weight @ _log_chance(np.append(t, 0.0), tables)), start[:4]
    )
    if flat_value > value:
        theta, value = np.append(flat, 0.0), flat_value
    same = float(weight @ _log_homogeneous(tables, weight))
    near = (theta <= _LOW + 1e-3) | (theta >= _HIGH - 1e-3)
    return FlipFit(
        prior=_prior(theta),
        estimates=_estimates(theta, near, (tables, index), counts, level),
        models=(
            _model("correlated", 5, value),
            _model("independent", 4, flat_value),
            _model("homogeneous", 2, same),
        ),
        edge=tuple(name for name, at in zip(PARAMETERS, near, strict=True) if at),
    )


def _model(name: str, parameters: int, value: float) -> ModelFit:
    return ModelFit(name, parameters, value, 2 * parameters - 2 * value)


def _values(theta: Floats) -> Floats:
    """Return the parameters in the order of `PARAMETERS`."""
    return np.concatenate([expit(theta[:2]), np.exp(theta[2:4]), np.tanh(theta[4:5])])


def _prior(theta: Floats) -> FlipPrior:
    return FlipPrior(*_values(theta).tolist())


def _log_chance(theta: Floats, tables: Ints) -> Floats:
    prior, chance = _prior(theta), np.empty(len(tables))
    for kd, ks in np.unique(tables[:, [1, 3]], axis=0).tolist():
        rows = np.flatnonzero((tables[:, 1] == kd) & (tables[:, 3] == ks))
        chance[rows] = prior.table(ks, kd)[tables[rows, 0], tables[rows, 2]]
    logs: Floats = np.log(np.maximum(chance, 1e-300))
    return logs


def _log_homogeneous(tables: Ints, weight: Floats) -> Floats:
    """Return log b(x; k_d, d) b(y; k_s, s) at the maximum-likelihood pair, the pooled rates."""
    logs = np.zeros(len(tables))
    for flips, draws in ((tables[:, 0], tables[:, 1]), (tables[:, 2], tables[:, 3])):
        rate = float(weight @ flips / (weight @ draws))
        ways = gammaln(draws + 1) - gammaln(flips + 1) - gammaln(draws - flips + 1)
        logs += ways + xlogy(flips, rate) + xlog1py(draws - flips, -rate)
    return logs


def _start(counts: FlipCounts) -> Floats:
    means = np.clip([float(rates.mean()) for rates in counts.rates()], 0.02, 0.98)
    return np.concatenate([logit(means), np.log([1.5, 1.5]), [0.3]])


def _maximise(value: Callable[[Floats], float], start: Floats) -> tuple[Floats, float]:
    from scipy.optimize import minimize

    bounds = list(zip(_LOW[: len(start)], _HIGH[: len(start)], strict=True))
    found = minimize(lambda t: -value(t), start, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x, dtype=np.float64), float(-found.fun)


def _estimates(
    theta: Floats,
    near: Bools,
    found: tuple[Ints, Ints],
    counts: FlipCounts,
    level: float,
) -> dict[str, Estimate]:
    index = found[1]
    clusters = counts.clusters.where(counts.scored)
    groups = int(np.count_nonzero(clusters.sizes()))
    free = np.flatnonzero(~near)
    error = np.full(5, np.nan)
    if groups > 1 and len(free):
        error[free] = _sandwich(theta, free, found, clusters.sums)
    made, values = {}, _values(theta)
    for position, name in enumerate(PARAMETERS):
        low = high = None
        why = f"few clusters ({groups}): read with care" if groups < FEW_CLUSTERS else None
        if np.isfinite(error[position]):
            half = t_quantile(level, groups - 1) * error[position]
            ends = [theta.copy(), theta.copy()]
            ends[0][position] -= half
            ends[1][position] += half
            low, high = (float(_values(end)[position]) for end in ends)
        elif groups < 2:
            why = "one cluster: the spread between clusters is not estimable"
        else:
            why = "at the edge of what is allowed, or flat: no interval"
        made[name] = Estimate(
            value=float(values[position]),
            low=low,
            high=high,
            n=len(index),
            total=len(counts),
            clusters=groups,
            method=_METHOD,
            level=level,
            degenerate=why,
        )
    return made


def _sandwich(
    theta: Floats, free: Ints, found: tuple[Ints, Ints], sums: Callable[[Floats], Floats]
) -> Floats:
    """Return the standard error of each free parameter; NaN where the curvature is not usable."""
    tables, index = found
    weight = np.bincount(index, minlength=len(tables)).astype(np.float64)

    def slopes(at: Floats) -> Floats:
        columns = []
        for position in free:
            step = np.zeros(5)
            step[position] = _STEP
            rise = _log_chance(at + step, tables) - _log_chance(at - step, tables)
            columns.append(rise / (2 * _STEP))
        return np.stack(columns, axis=1)

    bend = np.empty((len(free), len(free)))
    for row, position in enumerate(free):
        step = np.zeros(5)
        step[position] = 10 * _STEP
        bend[row] = weight @ (slopes(theta + step) - slopes(theta - step)) / (20 * _STEP)
    bend = -(bend + bend.T) / 2
    if np.linalg.eigvalsh(bend).min() <= 0:
        return np.full(len(free), np.nan)
    by_group = sums(slopes(theta)[index])
    by_group = by_group[np.abs(by_group).sum(axis=1) > 0]
    groups = max(2, len(by_group))
    inverse = np.linalg.inv(bend)
    spread = inverse @ (by_group.T @ by_group) @ inverse * groups / (groups - 1)
    error: Floats = np.sqrt(np.maximum(np.diag(spread), 0.0))
    return error
