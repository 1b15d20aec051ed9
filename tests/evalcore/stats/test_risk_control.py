"""The threshold for passing answers unread, and that its guarantee holds."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from evalcore.errors import InputError
from evalcore.stats.risk_control import Method, auto_accept, betting_p, binomial_p, risk_coverage

Floats = NDArray[np.float64]


def _world(rng: np.random.Generator, n: int, base: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Risks and truths of which about ``base`` are wrong, the more the higher the risk."""
    wrong = rng.random(n) < base
    risk = np.clip(rng.normal(np.where(wrong, 0.6, 0.35), 0.2), 0, 1)
    return risk, wrong


def _error(risk: Floats, wrong: NDArray[np.bool_], threshold: float) -> float:
    return float(wrong[risk <= threshold].mean())


def test_enough_right_labels_open_the_gate_and_the_figures_are_those_of_the_labels() -> None:
    rng = np.random.default_rng(0)
    risk, wrong = _world(rng, 5000, 0.1)
    found = auto_accept(risk[:400], wrong[:400], risk, alpha=0.1)  # type: ignore[arg-type]

    assert found.threshold is not None
    passed = risk[:400] <= found.threshold
    assert (found.n, found.n_passed, found.n_wrong) == (
        400,
        int(passed.sum()),
        int(wrong[:400][passed].sum()),
    )
    assert found.coverage == pytest.approx(float((risk <= found.threshold).mean()))
    assert found.error == pytest.approx(found.n_wrong / found.n_passed)
    assert (found.error_bound or 1) > (found.error or 0)
    assert (found.reason, found.more_labels) == ("", None)


def test_too_few_labels_say_how_many_more() -> None:
    rng = np.random.default_rng(1)
    risk, wrong = _world(rng, 5000, 0.05)
    few = auto_accept(risk[:20].tolist(), wrong[:20].tolist(), risk.tolist(), alpha=0.1)

    assert few.threshold is None
    assert few.more_labels is not None
    enough = 20 + 2 * few.more_labels
    more = auto_accept(risk[:enough].tolist(), wrong[:enough].tolist(), risk.tolist(), alpha=0.1)
    assert more.threshold is not None


def test_where_every_answer_is_a_coin_toss_no_number_of_labels_would_do() -> None:
    rng = np.random.default_rng(2)
    risk, wrong = rng.random(2000), rng.random(2000) < 0.5
    found = auto_accept(risk[:500].tolist(), wrong[:500].tolist(), risk.tolist(), alpha=0.05)

    assert (found.threshold, found.more_labels) == (None, None)
    assert "not reachable: even among the safest" in found.reason


def test_no_labels_at_all() -> None:
    found = auto_accept([], [], [0.1, 0.2, 0.3], alpha=0.1)

    assert found.threshold is None
    assert found.n == 0
    assert 29 <= (found.more_labels or 0) <= 200
    assert "0 labels of a fair sample" in found.reason


def test_a_stricter_wish_passes_no_more() -> None:
    rng = np.random.default_rng(3)
    risk, wrong = _world(rng, 4000, 0.08)
    shares = [
        auto_accept(risk[:600].tolist(), wrong[:600].tolist(), risk.tolist(), alpha=alpha).coverage or 0
        for alpha in (0.02, 0.05, 0.1, 0.2)
    ]

    assert shares == sorted(shares)


def test_order_of_labels_is_nothing() -> None:
    rng = np.random.default_rng(4)
    risk, wrong = _world(rng, 900, 0.1)
    turned = rng.permutation(300)
    one = auto_accept(risk[:300].tolist(), wrong[:300].tolist(), risk.tolist(), alpha=0.1)
    two = auto_accept(
        risk[:300][turned].tolist(), wrong[:300][turned].tolist(), risk[::-1].tolist(), alpha=0.1
    )

    assert one == two


def test_p_values_of_the_two_tests() -> None:
    right, few = np.zeros(59, dtype=np.bool_), np.ones(40)

    assert binomial_p(0, 59, 0.05) == pytest.approx(0.95**59)
    assert betting_p(right, np.ones(59), 0.05, 1.0) < 0.3
    assert betting_p(np.ones(40, dtype=np.bool_), few, 0.05, 1.0) == 1.0
    assert betting_p(np.zeros(0, dtype=np.bool_), np.zeros(0), 0.05, 1.0) == 1.0


def test_the_curve_goes_from_cautious_to_bold() -> None:
    rng = np.random.default_rng(5)
    risk, wrong = _world(rng, 3000, 0.3)
    points = risk_coverage(risk.tolist(), wrong.tolist(), risk.tolist())
    errors = [point.error or 0 for point in points]

    assert [p.coverage for p in points] == sorted(p.coverage for p in points)
    assert points[-1].coverage == 1.0
    assert errors[-1] == pytest.approx(float(wrong.mean()))
    assert errors[2] < errors[-1] / 2


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"alpha": 0.0}, "alpha lies between"),
        ({"delta": 1.0}, "delta lies between"),
        ({"wrong": [True]}, "2, 1, 2"),
        ({"risks": [0.1, float("nan")]}, "no number"),
        ({"population": []}, "no answers"),
        ({"probabilities": [0.0, 1.0]}, "above 0"),
    ],
)
def test_bad_input_is_named(changed: dict[str, object], says: str) -> None:
    good: dict[str, object] = {
        "risks": [0.1, 0.2],
        "wrong": [False, True],
        "population": [0.1, 0.2],
        "alpha": 0.1,
    }

    with pytest.raises(InputError, match=says):
        auto_accept(**{**good, **changed})  # type: ignore[arg-type]


def _broken(rounds: int, n: int, base: float, *, alpha: float, priority: bool, seed: int) -> float:
    """Share of rounds in which more than alpha of the passed answers are wrong."""
    rng = np.random.default_rng(seed)
    big_risk, big_wrong = _world(rng, 200_000, base)
    bad = 0
    for _ in range(rounds):
        rows = rng.integers(0, len(big_risk), 4000)
        risk, wrong = big_risk[rows], big_wrong[rows]
        if priority:
            chances = np.where(risk > 0.6, 1.0, 0.4) * n / 4000
            drawn = rng.random(4000) < chances
        else:
            chances = np.ones(4000)
            drawn = np.arange(4000) < n
        found = auto_accept(
            risk[drawn].tolist(), wrong[drawn].tolist(), risk.tolist(), alpha=alpha,
            probabilities=chances[drawn].tolist(),
        )  # fmt: skip
        if found.threshold is not None:
            bad += _error(big_risk, big_wrong, found.threshold) > alpha
    return bad / rounds


@pytest.mark.parametrize("priority", [False, True])
def test_the_guarantee_holds_in_a_small_simulation(priority: bool) -> None:
    assert _broken(60, 300, 0.15, alpha=0.1, priority=priority, seed=9) <= 0.12


@pytest.mark.slow
@pytest.mark.parametrize("base", [0.02, 0.1, 0.2, 0.5])
@pytest.mark.parametrize("n", [50, 200, 1000, 2000])
@pytest.mark.parametrize("priority", [False, True])
def test_the_guarantee_is_broken_no_more_often_than_promised(n: int, base: float, priority: bool) -> None:
    # 1,000 rounds at 0.05: three standard errors above are 0.07.
    assert _broken(1000, n, base, alpha=0.1, priority=priority, seed=n) <= 0.07


@pytest.mark.slow
@pytest.mark.parametrize("method", ["conformal"])
def test_the_average_case_holds_on_average(method: Method) -> None:
    rng = np.random.default_rng(10)
    big_risk, big_wrong = _world(rng, 200_000, 0.25)
    lost = []
    for _ in range(800):
        rows = rng.integers(0, len(big_risk), 2000)
        risk, wrong = big_risk[rows], big_wrong[rows]
        found = auto_accept(
            risk[:200].tolist(), wrong[:200].tolist(), risk.tolist(), alpha=0.05, method=method
        )
        threshold = -1.0 if found.threshold is None else found.threshold
        lost.append(float((big_wrong & (big_risk <= threshold)).mean()))

    assert float(np.mean(lost)) <= 0.05 + 3 * float(np.std(lost)) / np.sqrt(len(lost))
    assert float(np.mean(lost)) > 0.035
