"""The law of Delta as a command: against the law counted out, and at its edges."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import isclose

import pytest

from tests.cli.test_cli import vidence
from vidence.audits.agent_theory import theory
from vidence.errors import UsageError


def counted(k: int, sham: Fraction, destroy: Fraction) -> dict[Fraction, Fraction]:
    """Return the law of Delta by listing all 4^k outcomes of k sham and k destroy draws."""
    law: dict[Fraction, Fraction] = {}
    for flips in product((0, 1), repeat=2 * k):
        rates = [sham] * k + [destroy] * k
        chance = Fraction(1)
        for flip, rate in zip(flips, rates, strict=True):
            chance *= rate if flip else 1 - rate
        score = Fraction(sum(flips[k:]) - sum(flips[:k]), k)
        law[score] = law.get(score, Fraction(0)) + chance
    return law


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_the_law_is_the_one_counted_out(k: int) -> None:
    law = counted(k, Fraction(35, 100), Fraction(65, 100))
    found = theory(k, 0.35, 0.65)
    assert {Fraction(row["fraction"]) for row in found["pmf"]} == set(law)
    for row in found["pmf"]:
        assert isclose(row["chance"], law[Fraction(row["fraction"])], abs_tol=1e-12)
    signs = {"negative": -1, "tie": 0, "positive": 1}
    for name, sign in signs.items():
        share = sum(p for score, p in law.items() if (score > 0) - (score < 0) == sign)
        assert isclose(found[name], share, abs_tol=1e-12)
    mean = sum(score * p for score, p in law.items())
    variance = sum((score - mean) ** 2 * p for score, p in law.items())
    assert isclose(found["mean"], mean, abs_tol=1e-12)
    assert isclose(found["variance"], variance, abs_tol=1e-12)


def test_the_draws_that_a_sign_takes_are_the_least_that_do() -> None:
    k = theory(3, 0.2, 0.8, power=0.95)["needed"]["sign"]["k"]
    assert theory(k, 0.2, 0.8)["positive"] >= 0.95 > theory(k - 1, 0.2, 0.8)["positive"]


def test_the_command_prints_what_the_issue_of_a_budget_needs() -> None:
    done = vidence("agent", "theory", "--k", 3, "--sham", 0.35, "--destroy", 0.65, "--json")
    found = json.loads(done.stdout)
    assert {"negative", "tie", "positive", "variance", "pmf", "needed"} <= found.keys()
    assert isclose(found["variance"], (0.35 * 0.65 * 2) / 3)
    told = vidence("agent", "theory", "--sham", 0.35, "--destroy", 0.65).stdout
    assert "negative    11.7 %" in told
    assert "scores rank questions with reliability 0.8: 8" in told


def test_at_the_edges_there_is_an_answer_or_a_reason() -> None:
    sure = theory(3, 0.0, 1.0)
    assert (sure["positive"], sure["variance"], sure["needed"]["sign"]["k"]) == (1.0, 0.0, 1)
    equal = theory(4, 0.5, 0.5)
    assert equal["sign_power"] is None
    assert equal["needed"]["sign"]["k"] is equal["needed"]["test"]["k"] is None
    for wrong in ({"k": 0}, {"k": 1001}, {"sham": -0.1}, {"destroy": float("nan")}, {"power": 1}):
        given = {"k": 3, "sham": 0.3, "destroy": 0.6, **wrong}
        with pytest.raises(UsageError, match="allowed"):
            theory(**given)  # type: ignore[arg-type]
    refused = vidence("agent", "theory", "--sham", "2")
    assert refused.returncode == 2
    assert "0 to 1" in refused.stderr


@pytest.mark.parametrize("rates", [(0, 0), (1, 1), (0, 1)])
def test_where_no_question_can_differ_nothing_is_ranked(rates: tuple[int, int]) -> None:
    found = theory(3, *rates)
    assert found["reliability"] is None
    assert found["needed"]["reliability"]["k"] is None
    told = vidence("agent", "theory", "--sham", rates[0], "--destroy", rates[1])
    assert told.returncode == 0
    assert "no question differs" in told.stdout
