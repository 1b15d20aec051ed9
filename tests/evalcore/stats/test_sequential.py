"""The test of the audit stream under daily looks."""

from __future__ import annotations

import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.stats.sequential import audit_test


def test_too_many_wrong_answers_raise_the_alarm_and_soon_if_very_many() -> None:
    def typical(share: float) -> float:
        draws = [np.random.default_rng(seed).random(5000) < share for seed in range(21)]
        found = [audit_test(draw.tolist(), alpha=0.05).alarm_at for draw in draws]
        assert None not in found
        return float(np.median([at for at in found if at is not None]))

    assert typical(0.3) < 40 < typical(0.1)


def test_evidence_is_kept_after_every_label_and_never_looks_ahead() -> None:
    wrong = [False, True, False, False, True, True]
    whole = audit_test(wrong, alpha=0.1)

    assert whole.evidence.shape == (6,)
    for n in range(1, 7):
        assert audit_test(wrong[:n], alpha=0.1).evidence[-1] == pytest.approx(whole.evidence[n - 1])
    assert audit_test([], alpha=0.1).alarm_at is None


def test_labels_that_were_likelier_drawn_count_less() -> None:
    wrong = [True] * 4
    rare = audit_test(wrong, alpha=0.1, probabilities=[0.1] * 4, smallest_probability=0.1)
    common = audit_test(wrong, alpha=0.1, probabilities=[1.0] * 4, smallest_probability=0.1)

    assert rare.evidence[-1] > common.evidence[-1] > 1


def test_bad_input_is_named() -> None:
    with pytest.raises(InputError, match="alpha lies"):
        audit_test([True], alpha=2)
    with pytest.raises(InputError, match="smaller probability than the design"):
        audit_test([True], alpha=0.1, probabilities=[0.01], smallest_probability=0.1)
    with pytest.raises(InputError, match="2 and 1"):
        audit_test([True], alpha=0.1, probabilities=[0.1, 0.1])


def _false_alarms(rounds: int, n: int, alpha: float, seed: int) -> float:
    rng = np.random.default_rng(seed)
    alarms = 0
    for _ in range(rounds):
        alarms += audit_test((rng.random(n) < alpha).tolist(), alpha=alpha).alarm_at is not None
    return alarms / rounds


def test_at_the_bound_itself_alarms_are_rare() -> None:
    assert _false_alarms(200, 500, 0.1, seed=1) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.02, 0.05, 0.1])
def test_false_alarms_stay_below_delta_however_often_one_looks(alpha: float) -> None:
    assert _false_alarms(2000, 2000, alpha, seed=2) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


@pytest.mark.slow
def test_false_alarms_with_unequal_probabilities() -> None:
    rng = np.random.default_rng(3)
    alarms = 0
    for _ in range(1500):
        risk = rng.random(4000)
        wrong = rng.random(4000) < 0.1 * 2 * risk
        chances = np.where(risk > 0.5, 0.4, 0.1)
        drawn = rng.random(4000) < chances
        alarms += (
            audit_test(
                wrong[drawn].tolist(),
                alpha=0.1,
                probabilities=chances[drawn].tolist(),
                smallest_probability=0.1,
            ).alarm_at
            is not None
        )

    assert alarms / 1500 <= 0.07
