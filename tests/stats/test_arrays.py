"""Columns have one type and no hidden gaps, or an error that says which."""

from __future__ import annotations

import numpy as np
import pytest

from vidence.errors import UsageError
from vidence.stats import Clusters, mean_by_cluster, proportion_by_cluster
from vidence.stats.arrays import as_array, as_flags, as_numbers, as_whole


@pytest.mark.parametrize(
    "column",
    [[True, 1, "1"], [True, 1], [1, "1"], [1, None], np.array([True, 1, "1"], dtype=object)],
)
def test_mixed_types_are_refused_not_coerced(column):
    with pytest.raises(UsageError, match="values mixes types"):
        as_numbers("values", column)


@pytest.mark.parametrize("column", [[1, 2.5], [np.int64(1), 2], np.array([1, 2.5], dtype=object)])
def test_whole_numbers_and_fractions_are_one_type(column):
    assert as_numbers("values", column).dtype == np.float64


def test_text_is_no_number():
    with pytest.raises(UsageError, match="numbers or booleans are allowed"):
        as_numbers("values", ["1", "0"])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_gaps_are_counted_and_the_way_out_is_named(bad):
    with pytest.raises(UsageError, match=r"1 of 3 values that are NaN or infinite.*total="):
        as_numbers("values", [1.0, bad, 0.0])


def test_shapes_are_checked():
    with pytest.raises(UsageError, match=r"shape \(2, 2\)"):
        as_numbers("values", [[1, 0], [0, 1]])
    with pytest.raises(UsageError, match="unequal length"):
        as_array("values", [[1, 0], [0]])


def test_flags_take_only_yes_and_no():
    assert as_flags("hits", [0, 1.0]).tolist() == [False, True]
    with pytest.raises(UsageError, match=r"hits holds 0\.5"):
        as_flags("hits", [0, 0.5])


def test_whole_refuses_booleans_and_fractions():
    assert as_whole("key", [[1, 2]]).tolist() == [[1, 2]]
    for bad in ([True, False], [0.5]):
        with pytest.raises(UsageError, match="whole numbers are allowed"):
            as_whole("key", bad)


def test_cluster_labels_of_two_types_are_not_merged():
    with pytest.raises(UsageError, match="clusters mixes types"):
        Clusters.of([1, "1"])
    with pytest.raises(UsageError, match="text or whole numbers"):
        Clusters.of([1.0, 2.0])


def test_labels_only_name_clusters():
    values, words = [1.0, 0.0, 0.0, 1.0, 1.0], ["b", "a", "b", "c", "a"]
    numbers, again = [7, -2, 7, 90, -2], Clusters.of(["é", "z", "é", "y", "z"])
    made = {mean_by_cluster(values, labels) for labels in (words, numbers)}
    assert made == {mean_by_cluster(values, again)}


def test_lengths_must_agree():
    with pytest.raises(UsageError, match="values 2, clusters 3"):
        proportion_by_cluster([True, False], ["a", "b", "c"])


def test_sums_and_sizes_go_by_cluster():
    clusters = Clusters.of(["b", "a", "b"])
    assert clusters.sizes().tolist() == [1, 2]
    table = clusters.sums(np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]))
    assert table.tolist() == [[2.0, 20.0], [4.0, 40.0]]
    assert clusters.where(np.array([True, False, True])).sizes().tolist() == [0, 2]
