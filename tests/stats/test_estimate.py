"""An estimate says what it is, or says in words why it is nothing."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vidence.errors import UsageError
from vidence.stats import Estimate

KEYS = {"value", "low", "high", "level", "n", "total", "clusters", "method", "degenerate"}


def estimate(**changes):
    """Return a plain estimate with some fields changed."""
    plain = {"value": 0.41, "low": 0.35, "high": 0.47, "n": 90, "total": 100, "clusters": 30}
    return Estimate(**{**plain, "method": "m", **changes})


def test_json_holds_the_nine_keys_and_returns():
    data = estimate().to_json()
    assert set(data) == KEYS
    assert Estimate.from_json(json.loads(json.dumps(data))) == estimate()


def test_total_is_n_where_nothing_was_lost():
    assert estimate(total=None).to_json()["total"] == 90


def test_numpy_numbers_become_plain_ones():
    made = estimate(
        value=np.float32(0.5), low=np.float64(0.25), high=np.float64(0.75), n=np.int64(3)
    )
    assert {type(made.value), type(made.low)} == {float}
    assert type(made.n) is int
    json.dumps(made.to_json(), allow_nan=False)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"value": float("nan")}, "value = nan"),
        ({"high": float("inf")}, "high = inf"),
        ({"low": None}, "both ends"),
        ({"low": None, "high": None}, "no reason"),
        ({"value": None}, "without a value"),
        ({"value": 0.6}, "outside 0.35 to 0.47"),
        ({"n": 101}, "n = 101"),
        ({"n": -1}, "n = -1"),
        ({"n": 2.5}, "n = 2.5"),
        ({"level": 95}, "level = 95"),
    ],
)
def test_refuses_what_cannot_be_an_estimate(changes, words):
    with pytest.raises(UsageError, match=words):
        estimate(**changes)


def test_rounding_does_not_push_a_value_out_of_its_interval():
    assert estimate(value=0.1 + 0.2, low=0.0, high=0.3).high == 0.3


@pytest.mark.parametrize(
    ("made", "digits", "shown"),
    [
        (estimate(), 0, "41 % (35-47)"),
        (estimate(), 1, "41.0 % (35.0-47.0)"),
        (estimate(value=-0.03, low=-0.07, high=0.01), 0, "-3 % (-7 to 1)"),
        (estimate(value=-0.001, low=-0.002, high=0.0), 0, "0 % (0-0)"),
        (
            estimate(low=None, high=None, degenerate="one cluster"),
            0,
            "41 % (no interval: one cluster)",
        ),
        (Estimate.none("no case", method="m", total=4), 0, "- (no case)"),
    ],
)
def test_percent_reads_as_people_write_it(made, digits, shown):
    assert made.percent(digits) == shown


def test_text_shows_lost_cases_and_clusters():
    assert str(estimate()) == "0.41 (0.35 to 0.47; n = 90 of 100, 30 clusters)"
    assert str(Estimate.none("no case", method="m", total=4)) == "- (n = 0 of 4; no case)"
    assert "no interval: one" in str(estimate(low=None, high=None, degenerate="one"))


def test_excludes_needs_an_interval():
    assert estimate().excludes(0.0)
    assert not estimate().excludes(0.35)
    assert not estimate(low=None, high=None, degenerate="one cluster").excludes(0.0)


@pytest.mark.parametrize("change", [{"low": ...}, {"extra": 1}])
def test_from_json_names_the_keys_that_do_not_fit(change):
    data = {**estimate().to_json(), **change}
    data = {key: value for key, value in data.items() if value is not ...}
    with pytest.raises(UsageError, match="Allowed: value, low"):
        Estimate.from_json(data)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3), st.integers(0, 9), st.integers(0, 9))
def test_every_estimate_survives_json(ends, n, lost):
    low, value, high = sorted(ends)
    made = Estimate(value=value, low=low, high=high, n=n, total=n + lost, method="m")
    assert Estimate.from_json(json.loads(json.dumps(made.to_json()))) == made
