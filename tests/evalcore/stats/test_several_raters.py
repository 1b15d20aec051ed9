"""Krippendorff's alpha and Fleiss' kappa."""

from __future__ import annotations

import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.stats.several_raters import Scale, fleiss_kappa, krippendorff_alpha

_ = None
# Krippendorff, "Computing Krippendorff's alpha-reliability" (2011): four observers, twelve units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]
# Fleiss 1971 as worked in many textbooks: ten subjects, fourteen raters, five categories.
COUNTS = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
          [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]  # fmt: skip


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_published_example(scale: Scale, alpha: float) -> None:
    found = krippendorff_alpha(UNITS, scale=scale)

    assert found.value == pytest.approx(alpha, abs=5e-4)
    assert (found.n, found.left_out) == (11, {"fewer than two ratings": 1})
    assert (found.low or 2) < alpha < (found.high or -2)


def test_raters_may_change_places_and_units_too() -> None:
    turned = [unit[::-1] for unit in UNITS[::-1]]

    for scale in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha(turned, scale=scale).value == pytest.approx(  # type: ignore[arg-type]
            krippendorff_alpha(UNITS, scale=scale).value  # type: ignore[arg-type]
        )


def test_perfect_agreement_is_one_and_agreement_by_chance_near_zero() -> None:
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 3, size=(3000, 2)).tolist()

    assert krippendorff_alpha([[1, 1], [2, 2], [3, 3]]).value == 1.0
    assert krippendorff_alpha(noise).value == pytest.approx(0, abs=0.04)


@pytest.mark.parametrize(
    ("units", "reason"),
    [
        ([], "no unit was rated twice"),
        ([[1, _], [_, 2]], "no unit was rated twice"),
        ([[1, 1], [1, 1]], "only one category used"),
    ],
)
def test_what_has_no_alpha_says_why(units: list[list[int | None]], reason: str) -> None:
    found = krippendorff_alpha(units)

    assert (found.value, found.reason) == (None, reason)


def test_documents_are_drawn_whole() -> None:
    rng = np.random.default_rng(1)
    units = [[int(v), int(v) if rng.random() < 0.8 else int(1 - v)] for v in rng.integers(0, 2, 200)]
    alone = krippendorff_alpha(units)
    together = krippendorff_alpha(sorted(units), documents=[place // 25 for place in range(200)])

    assert together.value == pytest.approx(alone.value)
    assert (together.half_width or 0) > (alone.half_width or 0)
    with pytest.raises(InputError, match="one document a unit"):
        krippendorff_alpha(units, documents=["d"])


def test_two_raters_and_no_gaps_come_near_cohens_kappa() -> None:
    from evalcore.stats.kappa import agreement

    rng = np.random.default_rng(2)
    first = rng.integers(0, 2, 2000)
    second = np.where(rng.random(2000) < 0.85, first, 1 - first)
    kappa = agreement(first.tolist(), second.tolist()).kappa.value

    assert krippendorff_alpha(np.column_stack([first, second]).tolist()).value == pytest.approx(
        kappa, abs=1e-3
    )


def test_fleiss_published_example() -> None:
    units = [[name for name, count in zip("abcde", row, strict=True) for _ in range(count)] for row in COUNTS]
    found = fleiss_kappa(units)

    assert found.value == pytest.approx(0.210, abs=5e-4)
    assert (found.low or -1) > 0


def test_fleiss_takes_the_commonest_number_of_ratings_and_says_what_it_left_out() -> None:
    units = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["a", "b", _], ["a", _, _]]
    found = fleiss_kappa(units)

    assert found.n == 3
    assert found.left_out == {"not 3 ratings": 2}
    assert fleiss_kappa([["a", "a"], ["a", "a"]]).reason == "only one category used"
    assert fleiss_kappa([["a"], []]).reason == "no unit was rated twice"


@pytest.mark.slow
def test_alpha_intervals_cover() -> None:
    rng = np.random.default_rng(3)
    truth, covered = 0.6, 0
    for seed in range(600):
        value = rng.integers(0, 2, 60)
        # Both raters keep the value with probability q; alpha is then (2q - 1)**2 for even classes.
        keep = (1 + np.sqrt(truth)) / 2
        units = [[int(v) if rng.random() < keep else int(1 - v) for _ in range(2)] for v in value]
        found = krippendorff_alpha(units, seed=seed, repeats=600)
        covered += found.low is not None and found.high is not None and found.low <= truth <= found.high

    assert 0.92 <= covered / 600 <= 0.98
