"""Two samples against each other: oracles, hand derivations, quiet where there is little."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import jensenshannon

from evalcore.errors import InputError
from evalcore.stats.drift import change_point, holm, jensen_shannon, psi, share_change, share_p, shift


def normal(n: int, mean: float, seed: int) -> list[float]:
    return np.random.default_rng(seed).normal(mean, 1, n).tolist()


def test_kolmogorov_and_smirnov_as_scipy_has_it() -> None:
    one, two = normal(200, 0, 1), normal(150, 0.3, 2)
    found = shift(one, two)
    oracle = stats.ks_2samp(one, two)
    assert (found.ks, found.p) == (pytest.approx(oracle.statistic), pytest.approx(oracle.pvalue))
    assert found.mean_change == pytest.approx(np.mean(two) - np.mean(one))


def test_the_divergence_as_scipy_has_it() -> None:
    a, b = np.array([10.0, 30.0, 60.0]), np.array([30.0, 30.0, 40.0])
    assert jensen_shannon(a, b) == pytest.approx(jensenshannon(a, b, base=2) ** 2)
    assert jensen_shannon(a, a * 7) == 0.0


def test_psi_by_hand() -> None:
    found = psi(np.array([50.0, 50.0]), np.array([75.0, 25.0]))
    assert found == pytest.approx(0.25 * math.log(1.5) - 0.25 * math.log(0.5))
    assert math.isfinite(psi(np.array([100.0, 0.0]), np.array([0.0, 100.0])))


def test_few_rows_are_no_alarm() -> None:
    found = shift([0.1] * 29, [0.9] * 500)
    assert (found.p, found.ks, found.psi) == (None, None, None)
    assert "not enough rows: 29 and 500" in found.reason
    assert share_change((5, 10), (9, 10)).value is None
    assert share_p((5, 10), (9, 10)) is None
    assert shift([], []).p is None


def test_a_constant_score_is_compared_like_any_other() -> None:
    same = shift([0.5] * 40, [0.5] * 40)
    assert (same.ks, same.psi, same.js, same.mean_change) == (0.0, 0.0, 0.0, 0.0)
    moved = shift([0.5] * 40, [0.6] * 40)
    assert moved.ks == 1.0


def test_the_order_of_rows_is_of_no_account() -> None:
    one, two = normal(100, 0, 1), normal(100, 1, 2)
    assert shift(one, two) == shift(one[::-1], two[::-1])


def test_newcombe_published() -> None:
    # Newcombe 1998, table II, method 10: 56/70 and 48/80 give 0.0524 to 0.3339.
    found = share_change((48, 80), (56, 70))
    assert (round(found.low or 0, 4), round(found.high or 0, 4)) == (0.0524, 0.3339)


def test_a_share_as_fisher_has_it() -> None:
    oracle = stats.fisher_exact([[30, 70], [45, 55]])[1]
    assert share_p((30, 100), (45, 100)) == pytest.approx(oracle)
    with pytest.raises(InputError, match="larger than its whole"):
        share_change((5, 4), (1, 2))


def test_holm_keeps_the_order_and_leaves_gaps_alone() -> None:
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005, "e": None})
    assert found["e"] is None
    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02, "e": None})
    assert holm({}) == {}


def test_a_change_is_found_where_it_is_and_noise_has_none() -> None:
    rng = np.random.default_rng(3)
    days = np.concatenate([rng.normal(0.3, 0.05, 20), rng.normal(0.5, 0.05, 15)])
    found = change_point(days.tolist())
    assert found is not None
    assert abs(found.at - 20) <= 1
    assert (round(found.before, 1), round(found.after, 1)) == (0.3, 0.5)
    assert change_point([0.4] * 30) is None
    assert change_point([0.1, 0.9]) is None


def test_days_with_few_rows_weigh_little() -> None:
    values, sizes = [0.3] * 20 + [0.9] + [0.3] * 9, [1000] * 20 + [1] + [1000] * 9
    assert change_point(values, sizes) is None


def test_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="no number"):
        shift([math.nan] * 40, [0.1] * 40)


@pytest.mark.slow
def test_false_alarms_over_a_set_of_scores_stay_at_the_level() -> None:
    rng = np.random.default_rng(11)
    alarms = 0
    for _ in range(1000):
        p_values = {str(k): shift(rng.random(200).tolist(), rng.random(80).tolist()).p for k in range(8)}
        alarms += any(p is not None and p < 0.05 for p in holm(p_values).values())
    assert alarms / 1000 < 0.065


@pytest.mark.slow
def test_change_points_in_noise_stay_at_the_level() -> None:
    rng = np.random.default_rng(12)
    found = sum(change_point(rng.normal(size=30).tolist(), repeats=400) is not None for _ in range(500))
    assert found / 500 < 0.08
