"""Costs of thresholds, the band where reading pays, and what labels buy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.stats.thresholds import Costs, reading_band, threshold_costs, what_labels_buy

COSTS = Costs(wrong_accept=20, reading=1, wrong_reject=5, answers_per_day=1000)


def sample(n: int, seed: int = 0) -> tuple[list[float], list[bool]]:
    """Answers that are wrong with a probability of the square of their risk."""
    rng = np.random.default_rng(seed)
    risks = np.round(rng.random(n), 4)
    return risks.tolist(), (rng.random(n) < risks**2).tolist()


def test_a_day_by_hand() -> None:
    risks, wrong = [0.1, 0.2, 0.3, 0.9], [False, True, False, True]
    rows = threshold_costs(risks, wrong, risks, COSTS, steps=4)
    by_threshold = {row.threshold: row for row in rows}
    nothing, two, everything = by_threshold[0.0], by_threshold[0.2], by_threshold[0.9]

    assert (nothing.readings, nothing.wrong_accepts, nothing.total) == (1000, 0, 1000)
    # Half of all pass, half of those are wrong: 250 wrong a day at 20 each, and 500 readings.
    assert (two.coverage, two.wrong_accepts, two.readings) == (0.5, 250, 500)
    assert two.total == 250 * 20 + 500
    assert (everything.readings, everything.wrong_accepts) == (0, 500)


def test_withholding_costs_right_answers() -> None:
    risks, wrong = [0.1, 0.2, 0.8, 0.9], [False, False, False, True]
    rows = threshold_costs(risks, wrong, risks, COSTS, withheld_from=0.8, steps=4)
    assert all(row.threshold < 0.8 for row in rows)
    assert {row.wrong_rejects for row in rows} == {0.5 * 0.5 * 1000}
    assert rows[0].readings == 500
    assert rows[-1].readings == 0


def test_the_band_is_where_reading_is_cheapest() -> None:
    risks, wrong = sample(4000)
    band = reading_band(risks, wrong, risks, COSTS)
    # P(wrong) = risk**2: passing costs 20 r**2 and pays up to r = 0.22, withholding 5 (1 - r**2) from 0.89.
    assert band.low == pytest.approx(math.sqrt(1 / 20), abs=0.1)
    assert band.high == pytest.approx(math.sqrt(1 - 1 / 5), abs=0.06)
    assert band.share == pytest.approx((band.high or 0) - (band.low or 0), abs=0.03)


def test_the_band_when_one_kind_is_all_there_is() -> None:
    risks = [0.1, 0.5, 0.9]
    assert reading_band(risks, [False] * 3, risks, COSTS).low == 0.9
    assert reading_band(risks, [True] * 3, risks, COSTS).high == 0.1
    dear = Costs(wrong_accept=20, reading=1000, wrong_reject=5, answers_per_day=1)
    assert reading_band(risks, [False, True, True], risks, dear).share == 0


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
def test_a_cost_is_a_number(value: float) -> None:
    with pytest.raises(InputError, match="a cost is a number"):
        Costs(wrong_accept=value, reading=1, wrong_reject=1, answers_per_day=1)


def test_more_labels_buy_narrower_intervals_each_way_its_own() -> None:
    risks, wrong = sample(150)
    population = sample(3000, seed=1)[0]

    def bought(n: int) -> dict[str, tuple[float, float]]:
        found = what_labels_buy(risks, wrong, population, threshold=0.4, n=n)
        assert all(sum(row.plan) == pytest.approx(n) for row in found)
        return {row.way: (row.all_answers, row.passing) for row in found}

    now, later = bought(0), bought(200)
    assert len(set(now.values())) == 1
    for way, (everything, passing) in later.items():
        # Labels where answers pass say nothing of those that do not.
        assert everything <= now[way][0]
        assert passing < now[way][1]
    assert later["informative"][1] == min(passing for _, passing in later.values())
    assert later["informative"][0] == max(everything for everything, _ in later.values())


def test_the_width_that_uniform_labels_buy_is_the_one_they_then_have() -> None:
    population = sample(20_000, seed=1)[0]
    few, more = sample(100, seed=2), sample(400, seed=3)
    promised = next(
        row for row in what_labels_buy(*few, population, threshold=0.5, n=400) if row.way == "uniform"
    )
    risks, wrong = [*few[0], *more[0]], [*few[1], *more[1]]
    had = what_labels_buy(risks, wrong, population, threshold=0.5, n=0)[0]
    assert promised.passing == pytest.approx(had.passing, rel=0.2)
    assert promised.all_answers == pytest.approx(had.all_answers, rel=0.2)


def test_nothing_to_draw_from_is_said() -> None:
    with pytest.raises(InputError, match="no answers"):
        what_labels_buy([], [], [], threshold=0.5, n=10)
    found = what_labels_buy([], [], [0.2, 0.4], threshold=0.1, n=10)
    assert [row.passing for row in found] == [0.0, 0.0, 0.0]
