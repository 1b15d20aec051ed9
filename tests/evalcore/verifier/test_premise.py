"""Which windows are chosen as the evidence of a sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evalcore.verifier.premise import Bags

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=6)


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    bags = Bags.of([["the", "pump"], ["the", "valve"], ["the", "fuse"]])

    assert bags.best(["the", "fuse"], keep=1) == [2]


def test_the_second_window_adds_what_the_first_does_not_hold() -> None:
    bags = Bags.of([["red", "pump", "steel"], ["red", "pump"], ["blue", "valve"]])

    assert bags.best(["red", "pump", "steel", "valve"], keep=2) == [0, 2]


def test_where_no_word_is_shared_the_first_windows_stand() -> None:
    assert Bags.of([["x"], ["y"], ["z"]]).best(["a"], keep=2) == [0, 1]
    assert Bags.of([]).best(["a"], keep=2) == []


@given(st.lists(WORDS, max_size=8), WORDS, st.integers(1, 4))
def test_as_many_as_asked_in_reading_order_each_once(
    windows: list[list[str]], sentence: list[str], keep: int
) -> None:
    chosen = Bags.of(windows).best(sentence, keep)

    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(keep, len(windows))
