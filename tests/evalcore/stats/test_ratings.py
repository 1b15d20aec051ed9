"""Ratings on a scale: correlations, differences, judges, and the bound of the noise model."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

from evalcore.errors import InputError
from evalcore.stats.kappa import agreement
from evalcore.stats.ratings import (
    Correlation,
    best_correlation,
    compare_judges,
    correlation,
    fisher_interval,
    mean_difference,
)
from tests.shared_data import shared_rows


@pytest.mark.parametrize(("r", "low", "high"), [(-0.169, -0.51, 0.22), (0.192, -0.20, 0.53)])
def test_published_correlations_of_28_pairs_tell_nothing_from_zero(r: float, low: float, high: float) -> None:
    assert fisher_interval(r, 28) == pytest.approx((low, high), abs=0.005)


@pytest.mark.parametrize(
    ("judge", "people", "reason"),
    [
        ([0.7] * 5, [0.2, 0.4, 0.9, 0.5, 0.7], "no variation in one of the two"),
        ([4, 4], [1, 5], "fewer than 3 pairs"),
        ([0.1, 0.9], [0.2, 0.3], "fewer than 3 pairs"),
        ([], [], "fewer than 3 pairs"),
        ([1, None, 3, 4], [None, 2, 3, 5], "fewer than 3 pairs"),
    ],
)
def test_what_has_no_correlation_says_why_and_warns_nobody(
    judge: list[float | None], people: list[float | None], reason: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in ("pearson", "spearman", "kendall"):
            found = correlation(judge, people, kind=kind)  # type: ignore[arg-type]
            assert (found.value, found.low, found.reason) == (None, None, reason)


@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall"])
def test_values_are_those_of_scipy_and_missing_pairs_are_counted(kind: Correlation) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=40)
    y = np.round(x + rng.normal(size=40))
    oracle = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind]
    found = correlation([*x, None, float("nan")], [*y, 1.0, 2.0], kind=kind)

    assert found.value == pytest.approx(float(oracle(x, y).statistic))
    assert (found.n, found.left_out) == (40, {"not rated by both": 2})
    if kind == "pearson":
        interval = stats.pearsonr(x, y).confidence_interval()
        assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_a_perfect_correlation_stays_in_its_range() -> None:
    found = correlation([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])

    assert found.value == 1.0
    assert found.high == 1.0


def test_two_raters_of_feedbackqa() -> None:
    rows = shared_rows("feedbackqa_two_raters.jsonl")
    valid = [row["ratings"] for row in rows if row["official_split"] == "valid"]
    who = [row["ratings"] for row in rows if row["domain"] == "WHO" and row["official_split"] == "train"]
    for ratings, n, r, kappa in ((valid, 1410, 0.584, 0.580), (who, 519, 0.577, 0.570)):
        first, second = [a for a, _ in ratings], [b for _, b in ratings]
        names = agreement(
            [str(v) for v in first],
            [str(v) for v in second],
            weighting="quadratic",
            order=["1", "2", "3", "4"],
        )

        assert len(ratings) == n
        assert correlation(first, second).value == pytest.approx(r, abs=5e-4)
        assert names.kappa.value == pytest.approx(kappa, abs=5e-4)


def test_the_mean_difference_has_students_interval() -> None:
    first, second = [1.0, 2.0, 4.0, 3.0], [1.5, 1.0, 3.0, 3.5]
    oracle = stats.ttest_rel(first, second).confidence_interval()
    found = mean_difference(first, second)

    assert found.value == pytest.approx(0.25)
    assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high))
    assert mean_difference([1.0], [2.0]).low is None
    assert mean_difference([], []).reason == "no item was rated by both"
    with pytest.raises(InputError, match="2 and 1"):
        mean_difference([1.0, 2.0], [1.0])


def test_a_better_judge_is_told_from_a_worse_one_and_equals_are_not() -> None:
    rng = np.random.default_rng(6)
    people = rng.normal(size=300)
    good, bad = people + rng.normal(size=300) / 2, people + rng.normal(size=300) * 3
    apart = compare_judges(good.tolist(), bad.tolist(), people.tolist())
    alike = compare_judges(good.tolist(), good.tolist(), people.tolist())

    assert (apart.difference.low or -1) > 0
    assert apart.difference.value == pytest.approx((apart.first.value or 0) - (apart.second.value or 0))
    assert alike.difference.value == 0.0
    assert (alike.difference.low, alike.difference.high) == (0.0, 0.0)


def test_judges_are_compared_on_the_items_all_three_rated() -> None:
    found = compare_judges([1, 2, 3, 4, None, 5], [2, 1, 4, 3, 2, 6], [1, 2, 3, 4, 5, None])

    assert found.difference.n == 4
    assert found.difference.left_out == {"not rated by all three": 2}
    assert found.difference.reason == "4 documents are too few"
    flat = compare_judges([1.0] * 9, list(range(9)), list(range(9)))
    assert (flat.difference.value, flat.difference.reason) == (None, "no variation in one of the two")


def test_a_judge_that_gives_the_truth_reaches_what_the_noise_model_says() -> None:
    rng = np.random.default_rng(7)
    truth = rng.normal(size=200_000)
    one, two = (truth + rng.normal(size=200_000) * 0.8 for _ in range(2))
    between = float(np.corrcoef(one, two)[0, 1])

    assert best_correlation(between) == pytest.approx(float(np.corrcoef(truth, one)[0, 1]), abs=0.01)
    mean = (one + two) / 2
    assert best_correlation(between, raters=2) == pytest.approx(
        float(np.corrcoef(truth, mean)[0, 1]), abs=0.01
    )
    assert (best_correlation(0.584) or 0) > 0.584
    assert best_correlation(-0.1) is None
    with pytest.raises(InputError, match="at least one rater"):
        best_correlation(0.5, raters=0)
