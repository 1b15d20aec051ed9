"""Reliability, its errors, and the maps from scores to probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss

from evalcore.errors import InputError
from evalcore.stats.calibration import isotonic, platt, reliability

SAID = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=80)


def test_bins_and_errors_by_hand() -> None:
    found = reliability([0.05, 0.15, 0.15, 1.0], [False, True, False, True], bins=10)

    assert [b.n for b in found.bins] == [1, 2, 0, 0, 0, 0, 0, 0, 0, 1]
    assert (found.bins[1].said, found.bins[1].was) == pytest.approx((0.15, 0.5))
    assert (found.bins[2].said, found.bins[2].was) == (None, None)
    assert found.ece == pytest.approx((0.05 + 2 * 0.35 + 0) / 4)


@given(SAID, st.integers(1, 20))
def test_the_parts_add_up_to_the_brier_score(said: list[tuple[float, bool]], bins: int) -> None:
    p, y = [a for a, _ in said], [b for _, b in said]
    found = reliability(p, y, bins=bins)
    parts = (
        (found.reliability or 0) - (found.resolution or 0) + (found.uncertainty or 0) + (found.within or 0)
    )

    assert found.brier == pytest.approx(parts, abs=1e-12)
    if len(set(y)) == 2:
        assert found.brier == pytest.approx(brier_score_loss(y, p))
    assert sum(b.n for b in found.bins) == found.n == len(p)


def test_one_value_a_bin_leaves_nothing_within() -> None:
    found = reliability([0.2, 0.2, 0.7], [True, False, True])

    assert found.within == pytest.approx(0, abs=1e-12)


def test_true_probabilities_have_next_to_no_error() -> None:
    rng = np.random.default_rng(0)
    p = rng.random(50_000)
    found = reliability(p.tolist(), (rng.random(50_000) < p).tolist())

    assert (found.ece or 1) < 0.01


def test_nothing_is_undefined_and_bad_input_is_named() -> None:
    empty = reliability([], [])

    assert (empty.n, empty.ece, empty.brier) == (0, None, None)
    with pytest.raises(InputError, match=r"between 0 and 1.*1\.5"):
        reliability([1.5], [True])
    with pytest.raises(InputError, match="no number"):
        reliability([float("nan")], [True])
    with pytest.raises(InputError, match="2 and 1"):
        reliability([0.1, 0.2], [True])
    for fit in (isotonic, platt):
        with pytest.raises(InputError, match="both kinds"):
            fit([0.1, 0.2], [True, True])


@given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=2, max_size=60))
def test_the_isotonic_map_is_that_of_scikit_learn(said: list[tuple[int, bool]]) -> None:
    x, y = [a / 4 for a, _ in said], [b for _, b in said]
    if len(set(y)) < 2:
        return
    oracle = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(x, y)
    asked = np.linspace(-1, 4, 41)

    assert isotonic(x, y)(asked.tolist()) == pytest.approx(oracle.predict(asked), abs=1e-9)


def test_platts_map_finds_the_logistic_it_was_drawn_from() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(100, 10, size=40_000)
    y = rng.random(40_000) < 1 / (1 + np.exp(-(0.3 * (x - 104))))
    fitted = platt(x.tolist(), y.tolist())

    assert fitted.slope == pytest.approx(0.3, rel=0.05)
    assert -fitted.constant / fitted.slope == pytest.approx(104, abs=0.3)


def test_platts_map_of_separable_scores_stays_finite_and_short_of_certain() -> None:
    fitted = platt([0, 1, 2, 3], [False, False, True, True])
    said = fitted([0, 3])

    assert np.isfinite(fitted.slope)
    assert 0 < said[0] < 0.5 < said[1] < 1


def test_a_map_made_on_some_documents_helps_on_others() -> None:
    rng = np.random.default_rng(2)
    score = rng.normal(size=4000)
    held = rng.random(4000) < 1 / (1 + np.exp(-2 * score - 1))
    raw = 1 / (1 + np.exp(-score))
    for fit in (isotonic, platt):
        mapped = np.clip(fit(score[:2000].tolist(), held[:2000].tolist())(score[2000:].tolist()), 0, 1)
        before = reliability(raw[2000:].tolist(), held[2000:].tolist()).ece or 0
        after = reliability(mapped.tolist(), held[2000:].tolist()).ece or 1

        assert after < before / 2
