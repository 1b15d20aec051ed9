"""Shares: published intervals, edges, weights, corrections, and that they cover."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalcore.errors import InputError
from evalcore.stats.proportions import (
    Stratum,
    binomial_upper,
    clopper_pearson,
    inverse_probability,
    labels_for_half_width,
    prediction_powered,
    rogan_gladen,
    stratified,
    wilson,
)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"), [(12, 12, 0.7575, 1), (0, 12, 0, 0.2425), (1, 1, 0.2065, 1)]
)
def test_wilson_at_the_edges(k: int, n: int, low: float, high: float) -> None:
    found = wilson(k, n)

    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert found.n == n


@given(st.integers(0, 400), st.integers(1, 400), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_wilson_is_that_of_scipy_and_never_leaves_the_unit_interval(k: int, n: int, level: float) -> None:
    k = min(k, n)
    found = wilson(k, n, level=level)
    oracle = stats.binomtest(k, n).proportion_ci(level, method="wilson")

    assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high), abs=1e-9)
    assert 0 <= (found.low or 0) <= (found.value or 0) <= (found.high or 0) <= 1


@given(st.integers(0, 200), st.integers(1, 200))
def test_clopper_pearson_is_that_of_scipy(k: int, n: int) -> None:
    k = min(k, n)
    found = clopper_pearson(k, n)
    oracle = stats.binomtest(k, n).proportion_ci(0.95, method="exact")

    assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high), abs=1e-9)


def test_nothing_of_nothing_has_no_rate() -> None:
    for found in (wilson(0, 0), clopper_pearson(0, 0), stratified([]), inverse_probability([], [])):
        assert (found.value, found.low, found.high, found.n) == (None, None, None, 0)
        assert found.reason
    assert wilson(54, 54).high == 1.0


def test_fifty_nine_right_labels_bound_the_error_by_five_percent() -> None:
    assert binomial_upper(0, 58, 0.05) > 0.05 > binomial_upper(0, 59, 0.05)
    assert binomial_upper(7, 7, 0.05) == 1.0


def test_one_stratum_is_a_plain_sample_and_a_whole_part_is_certain() -> None:
    one = stratified([Stratum(size=10_000, labelled=100, successes=80)])
    whole = stratified([Stratum(size=100, labelled=100, successes=80)])

    assert one.value == 0.8
    assert one.half_width == pytest.approx(0.0784, abs=2e-3)
    assert (whole.low, whole.high) == pytest.approx((0.8, 0.8))
    assert stratified([Stratum(size=9, labelled=0, successes=0)]).reason == "a part has no label"
    with pytest.raises(InputError, match="more labels than items"):
        stratified([Stratum(size=1, labelled=2, successes=0)])


def test_equal_probabilities_give_the_plain_share() -> None:
    plain = inverse_probability([True] * 80 + [False] * 20, [0.25] * 100)

    assert plain.value == pytest.approx(0.8)
    assert plain.half_width == pytest.approx(0.0784, abs=3e-3)
    with pytest.raises(InputError, match="above 0"):
        inverse_probability([True], [0.0])
    with pytest.raises(InputError, match="1 and 2"):
        inverse_probability([True], [0.1, 0.1])


def test_priority_labels_mislead_and_their_probabilities_put_it_right() -> None:
    rng = np.random.default_rng(1)
    risk = rng.random(40_000)
    held = rng.random(40_000) > risk
    chances = 0.002 + 0.05 * risk
    drawn = rng.random(40_000) < chances
    found = inverse_probability(held[drawn].tolist(), chances[drawn].tolist())

    assert abs(float(held[drawn].mean()) - 0.5) > 0.1
    assert (found.low or 1) <= float(held.mean()) <= (found.high or 0)


def test_a_gate_that_knows_much_narrows_the_interval_and_one_that_knows_nothing_does_not_widen_it() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(5000) < 0.8
    good = np.where(rng.random(5000) < 0.95, truth, ~truth).astype(float)
    coin = (rng.random(5000) < 0.5).astype(float)
    labels = truth[:200].astype(float)
    alone = float(1.96 * labels.std(ddof=1) / np.sqrt(200))
    sharp = prediction_powered(labels.tolist(), good[:200].tolist(), good[200:].tolist())
    blunt = prediction_powered(labels.tolist(), coin[:200].tolist(), coin[200:].tolist())

    assert (sharp.half_width or 1) < 0.75 * alone
    assert (blunt.half_width or 1) < 1.05 * alone
    assert (sharp.low or 1) < float(truth.mean()) < (sharp.high or 0)


def test_prediction_powered_degenerate_cases() -> None:
    assert prediction_powered([1.0], [1.0], [1.0, 0.0]).value is None
    flat = prediction_powered([1.0] * 5, [1.0] * 5, [1.0] * 5)
    assert (flat.value, flat.low) == (1.0, None)
    assert "alike" in flat.reason
    with pytest.raises(InputError, match="1 and 2"):
        prediction_powered([1.0], [1.0, 0.0], [1.0])


def test_rogan_gladen_undoes_the_gates_errors() -> None:
    found = rogan_gladen(620, 1000, hits=90, true=100, false_alarms=20, false=100)

    assert found.value == pytest.approx(0.6)
    assert (found.low or 1) < 0.6 < (found.high or 0)
    assert rogan_gladen(5, 10, hits=5, true=10, false_alarms=5, false=10).reason.endswith("than chance")
    assert rogan_gladen(5, 10, hits=0, true=0, false_alarms=5, false=10).value is None
    over = rogan_gladen(100, 100, hits=9, true=10, false_alarms=1, false=10)
    assert over.value == 1.0


@given(st.floats(0.02, 0.4), st.floats(0, 1))
def test_the_labels_it_asks_for_do_and_one_less_does_not(width: float, share: float) -> None:
    n = labels_for_half_width(width, share=share)

    def reach(size: int) -> float:
        z = 1.959964
        return float(z / (1 + z * z / size) * np.sqrt(share * (1 - share) / size + z * z / (4 * size * size)))

    assert reach(n) <= width + 1e-9
    assert n == 1 or reach(n - 1) > width - 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.8, 0.9])
@pytest.mark.parametrize("n", [30, 100, 400])
def test_wilson_covers(share: float, n: int) -> None:
    ks = np.arange(n + 1)
    chance = stats.binom.pmf(ks, n, share)
    inside = [(f.low or 0) <= share <= (f.high or 0) for f in (wilson(int(k), n) for k in ks)]

    assert 0.92 <= float(chance[inside].sum()) <= 0.98


@pytest.mark.slow
def test_corrected_rates_cover() -> None:
    rng = np.random.default_rng(8)
    hit = {"ppi": 0, "rogan-gladen": 0, "inverse probability": 0, "stratified": 0}
    rounds, truth = 1500, 0.8
    for _ in range(rounds):
        held = rng.random(1500) < truth
        gate = np.where(held, rng.random(1500) < 0.85, rng.random(1500) < 0.3)
        n = 150
        labels, decided = held.astype(float).tolist(), gate.astype(float).tolist()
        labels, decided = held.astype(float).tolist(), gate.astype(float).tolist()
        ppi = prediction_powered(labels[:n], decided[:n], decided[n:])
        yes, no = held[:n], ~held[:n]
        rg = rogan_gladen(
            int(gate.sum()), 1500, hits=int(gate[:n][yes].sum()), true=int(yes.sum()),
            false_alarms=int(gate[:n][no].sum()), false=int(no.sum()),
        )  # fmt: skip
        chances = np.where(gate, 0.05, 0.3)
        drawn = rng.random(1500) < chances
        ip = inverse_probability(held[drawn].tolist(), chances[drawn].tolist())
        parts = []
        for side in (gate, ~gate):
            own = held[side]
            labelled = min(75, len(own))
            parts.append(Stratum(size=len(own), labelled=labelled, successes=int(own[:labelled].sum())))
        st_ = stratified(parts)
        now = float(held.mean())
        found_and_true = {
            "ppi": (ppi, truth),
            "rogan-gladen": (rg, truth),
            "inverse probability": (ip, now),
            "stratified": (st_, now),
        }
        for name, (found, aim) in found_and_true.items():
            hit[name] += (found.low or 0) <= aim <= (found.high or 0)

    assert all(0.92 <= count / rounds <= 0.985 for count in hit.values()), hit
