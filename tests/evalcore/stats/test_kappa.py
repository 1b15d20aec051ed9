"""Agreement of two raters: published values, hand-worked cases, degenerate ones, invariances, oracles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

from evalcore.errors import InputError
from evalcore.stats.bootstrap import kappa_over_documents
from evalcore.stats.kappa import Weighting, agreement, agreement_of, landis_koch
from evalcore.stats.pairs import pair_up

LABELS = st.lists(st.tuples(st.sampled_from("ARX"), st.sampled_from("ARX")), min_size=3, max_size=60)


def _said(**counts: int) -> tuple[list[str], list[str]]:
    """Labels of two raters from counts such as ``AR=3``: accept by the first, reject by the second."""
    pairs = [(name[0], name[1]) for name, count in counts.items() for _ in range(count)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_the_published_example_of_sixty_and_seventy_percent() -> None:
    found = agreement(*_said(AA=55, AR=5, RA=15, RR=25))

    assert found.observed == pytest.approx(0.80)
    assert found.expected == pytest.approx(0.54)
    assert found.kappa.value == pytest.approx(0.5652, abs=1e-4)
    assert found.word == "moderate"


def test_skewed_categories_show_kappa_with_what_explains_it() -> None:
    found = agreement(*_said(AA=45, AR=2, RA=3, RR=0))

    assert found.observed == pytest.approx(0.90)
    assert found.kappa.value == pytest.approx(-0.0504, abs=1e-4)
    assert found.ac1.value == pytest.approx(0.8895, abs=1e-4)
    assert found.prevalence_index == pytest.approx(0.9)
    assert found.bias_index == pytest.approx(0.02)
    assert 2 * (found.observed or 0) - 1 == pytest.approx(0.80)
    assert any("skewed categories" in note for note in found.notes)
    assert found.by_category == pytest.approx({"a": 90 / 95, "r": 0.0})


def test_one_category_is_undefined_with_raw_agreement_beside_it() -> None:
    found = agreement(["ACCEPT"] * 6, ["ACCEPT"] * 6)

    assert (found.kappa.value, found.kappa.reason) == (None, "only one category used")
    assert (found.observed, found.n, found.word) == (1.0, 6, "")
    assert found.ac1.value is None


@pytest.mark.parametrize(("first", "second"), [([], []), ([None], ["a"]), (["a"], ["b"]), (["a"], ["a"])])
def test_too_little_is_undefined_and_says_why(first: list[str | None], second: list[str | None]) -> None:
    found = agreement(first, second)

    assert found.kappa.value is None
    assert found.kappa.reason
    assert found.kappa.low is None


def test_labels_are_compared_without_case_and_blanks_are_never_a_category() -> None:
    found = agreement(
        ["ACCEPT", "ACCEPT", "REJECT", "ACCEPT", None], ["accept ", "ACCEPT", "REJECT", "", "REJECT"]
    )

    assert (found.n, found.kappa.value) == (3, 1.0)
    assert found.left_out == {"not rated by the second": 1, "not rated by the first": 1}
    assert found.categories == ("accept", "reject")


ORDER = ["REJECT", "REVIEW", "ACCEPT"]
HUMAN = ["REJECT", "REVIEW", "ACCEPT", "ACCEPT", "REJECT", "REVIEW", "ACCEPT", "REVIEW"]
GATE = ["REJECT", "ACCEPT", "ACCEPT", "REVIEW", "REVIEW", "REVIEW", "ACCEPT", "REJECT"]


@pytest.mark.parametrize(
    ("weighting", "kappa"), [("none", 0.2381), ("linear", 0.4074), ("quadratic", 0.5897)]
)
def test_weights_follow_the_order_of_the_scale(weighting: Weighting, kappa: float) -> None:
    found = agreement(HUMAN, GATE, weighting=weighting, order=ORDER)
    shuffled = agreement(HUMAN[::-1], GATE[::-1], weighting=weighting, order=ORDER)

    assert found.kappa.value == pytest.approx(kappa, abs=1e-4)
    assert shuffled.kappa == found.kappa
    if weighting != "none":
        assert any("reject < review < accept" in note for note in found.notes)


def test_a_scale_value_nobody_used_changes_no_quadratic_spacing_of_the_others() -> None:
    order = ["1", "2", "3", "4"]
    used = agreement(["1", "2", "3", "1"], ["1", "3", "3", "2"], weighting="linear", order=order)
    without = agreement(["1", "2", "3", "1"], ["1", "3", "3", "2"], weighting="linear", order=order[:3])

    assert used.kappa.value == pytest.approx(without.kappa.value or 0)
    assert used.by_category["4"] is None


def test_weights_without_an_order_and_labels_outside_it_are_refused() -> None:
    with pytest.raises(InputError, match="needs the order"):
        agreement(HUMAN, GATE, weighting="linear")
    with pytest.raises(InputError, match=r"outside the order.*maybe"):
        agreement(["maybe"], ["accept"], order=ORDER)
    with pytest.raises(InputError, match="2 and 1 labels"):
        agreement(["a", "b"], ["a"])


@given(LABELS)
def test_kappa_is_that_of_scikit_learn(said: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in said], [b for _, b in said]
    for weighting, name in (("none", None), ("linear", "linear"), ("quadratic", "quadratic")):
        own = agreement(first, second, weighting=weighting, order=["A", "R", "X"]).kappa.value  # type: ignore[arg-type]
        if own is not None:
            oracle = cohen_kappa_score(first, second, labels=["A", "R", "X"], weights=name)
            assert own == pytest.approx(oracle, abs=1e-9)


@given(LABELS)
def test_raters_and_names_may_be_exchanged(said: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in said], [b for _, b in said]
    names = {"A": "z", "R": "m", "X": "b"}
    plain, turned = agreement(first, second), agreement(second, first)
    renamed = agreement([names[a] for a in first], [names[b] for b in second])

    for other in (turned, renamed):
        assert other.kappa.value == pytest.approx(plain.kappa.value)
        assert other.kappa.low == pytest.approx(plain.kappa.low)
        assert other.ac1.value == pytest.approx(plain.ac1.value)
        assert other.ac1.high == pytest.approx(plain.ac1.high)


def _kappa_of(shares: NDArray[np.float64]) -> float:
    observed = float(np.trace(shares))
    expected = float(shares.sum(axis=1) @ shares.sum(axis=0))
    return (observed - expected) / (1 - expected)


def _ac1_of(shares: NDArray[np.float64]) -> float:
    mean = (shares.sum(axis=1) + shares.sum(axis=0)) / 2
    expected = float((mean * (1 - mean)).sum()) / (len(shares) - 1)
    return (float(np.trace(shares)) - expected) / (1 - expected)


def _delta_error(statistic: Callable[[NDArray[np.float64]], float], table: NDArray[np.float64]) -> float:
    """Standard error by the delta method with slopes found numerically."""
    n, shares = table.sum(), table / table.sum()
    slopes = np.zeros_like(shares)
    for place in np.ndindex(*shares.shape):
        up, down = shares.copy(), shares.copy()
        up[place] += 1e-6
        down[place] -= 1e-6
        slopes[place] = (statistic(up) - statistic(down)) / 2e-6
    variance = (shares * slopes**2).sum() - (shares * slopes).sum() ** 2
    return float(np.sqrt(variance / n))


@pytest.mark.parametrize("counts", [{"AA": 40, "AR": 9, "RA": 6, "RR": 20},
                                    {"AA": 30, "AX": 4, "RR": 25, "RA": 7, "XX": 11, "XR": 3}])  # fmt: skip
def test_both_intervals_are_those_of_the_delta_method(counts: dict[str, int]) -> None:
    pairs = pair_up(*_said(**counts))
    found = agreement_of(pairs)
    table = pairs.table.astype(np.float64)
    width = lambda e: (e.high - e.low) / 2 / 1.959964  # noqa: E731

    assert width(found.kappa) == pytest.approx(_delta_error(_kappa_of, table), rel=1e-4)
    assert width(found.ac1) == pytest.approx(_delta_error(_ac1_of, table), rel=0.02)


def test_the_bootstrap_is_near_the_formula_when_each_item_is_its_own_document() -> None:
    pairs = pair_up(*_said(AA=90, AR=20, RA=15, RR=75))
    plain = agreement_of(pairs).kappa
    drawn = kappa_over_documents(pairs, range(pairs.n), repeats=4000)

    assert drawn.value == pytest.approx(plain.value)
    assert drawn.low == pytest.approx(plain.low, abs=0.02)
    assert drawn.high == pytest.approx(plain.high, abs=0.02)


def test_items_of_one_document_are_one_draw() -> None:
    pairs = pair_up(*_said(AA=90, AR=20, RA=15, RR=75))
    alone = kappa_over_documents(pairs, range(pairs.n))
    together = kappa_over_documents(pairs, [place // 20 for place in range(pairs.n)])

    assert (together.half_width or 0) > 2 * (alone.half_width or 0)


def test_few_documents_give_a_value_without_an_interval() -> None:
    found = kappa_over_documents(pair_up(*_said(AA=5, RR=5, AR=1)), ["d"] * 11)

    assert found.value is not None
    assert (found.low, found.reason) == (None, "1 documents are too few for an interval; 5 at least")


def test_the_bootstrap_is_the_same_every_time() -> None:
    pairs = pair_up(*_said(AA=9, AR=2, RA=1, RR=7))

    assert kappa_over_documents(pairs, range(pairs.n)) == kappa_over_documents(pairs, range(pairs.n))


def test_words_of_landis_and_koch() -> None:
    words = [landis_koch(k) for k in (-0.1, 0.0, 0.2, 0.21, 0.5, 0.8, 0.81, 1.0)]

    assert words == [
        "poor",
        "slight",
        "slight",
        "fair",
        "moderate",
        "substantial",
        "almost perfect",
        "almost perfect",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 100, 300])
def test_kappa_intervals_cover(n: int) -> None:
    rng = np.random.default_rng(n)
    shares = np.array([[0.45, 0.1], [0.1, 0.35]])
    truth = _kappa_of(shares)
    covered = 0
    for _ in range(4000):
        counts = rng.multinomial(n, shares.ravel())
        names = ("AA", "AR", "RA", "RR")
        found = agreement(*_said(**dict(zip(names, map(int, counts), strict=True)))).kappa
        covered += found.low is not None and found.high is not None and found.low <= truth <= found.high

    assert 0.925 <= covered / 4000 <= 0.975
