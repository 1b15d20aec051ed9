"""Cosines, overlaps and rounding: hand values, degenerate cases, the same value in any company."""

from __future__ import annotations

import numpy as np
import pytest

from evalcore.encoder.base import Encoded
from evalcore.similarity import Similarity, cosines, overlap, rounded, share


def test_overlap_and_share() -> None:
    a, b, none = frozenset("abcd"), frozenset("cdef"), frozenset[str]()

    assert overlap(a, b) == pytest.approx(2 / 6)
    assert share(a, b) == 0.5
    assert (overlap(a, a), share(a, a)) == (1.0, 1.0)
    assert (overlap(none, none), overlap(a, none), share(a, none), share(none, a)) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.349951, 0.35), (0.349949, 0.3499), (1.0 + 1e-9, 1.0), (-1e-9, 0.0), (np.float32(0.5), 0.5)],
)
def test_rounding(value: float, expected: float) -> None:
    found = rounded(value)

    assert found == expected
    assert type(found) is float
    assert str(found)[0] != "-"


def test_cosines_are_clamped() -> None:
    rows = np.array([[1, 0], [-1, 0], [0.8, 0.6]], dtype=np.float32)

    assert cosines(rows[:1], rows).round(6).tolist() == [[1.0, 0.0, 0.8]]
    assert cosines(rows * np.float32(1.01), rows).max() == 1.0


def test_a_cosine_does_not_depend_on_its_matrix() -> None:
    rows = np.random.default_rng(5).normal(size=(67, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    whole = cosines(rows[:30], rows[30:])

    for i, j in ((0, 0), (3, 36), (29, 17), (12, 5)):
        alone = cosines(rows[i : i + 1], rows[30 + j : 31 + j])
        part = cosines(rows[i : i + 2], rows[30 + j : 33 + j])
        assert alone[0, 0] == pytest.approx(whole[i, j], abs=1e-12)
        assert part[0, 0] == pytest.approx(whole[i, j], abs=1e-12)


@pytest.fixture
def reading() -> Similarity:
    vectors = np.array([[1, 0], [0, 1], [0.6, 0.8], [0, 0]], dtype=np.float32)
    return Similarity(
        ["east", "north", "between", "blank"],
        Encoded(vectors=vectors, n_tokens=(3, 1, 300, 0), left_out=(0, 0, 46, 0)),
    )


def test_between_and_matrix(reading: Similarity) -> None:
    assert reading.between("east", "between") == pytest.approx(0.6)
    assert reading.between("east", "blank") == 0.0
    assert reading.matrix(["east", "north"], ["between"]).round(6).tolist() == [[0.6], [0.8]]
    assert reading.matrix([], ["east"]).shape == (0, 1)
    assert reading.matrix(["east"], []).shape == (1, 0)


def test_pooling_weighs_by_tokens_and_has_unit_length(reading: Similarity) -> None:
    # (3 * east + 1 * north) / sqrt(10)
    assert reading.pooled(["east", "north"])[0] == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    assert reading.pooled(["blank"])[0].tolist() == [0.0, 0.0]


def test_what_was_left_out(reading: Similarity) -> None:
    assert reading.left_out("between") == (46, 300)
    assert reading.left_out("east") == (0, 3)
    assert reading.left_out("never encoded") == (0, 0)
