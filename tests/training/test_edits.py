"""Errors made on purpose change one fact and say where; rewordings change none that can be told."""

from __future__ import annotations

import random

import pytest

from training.edits import changes, names_in, reworded

SENTENCE = (
    "In March 2015 Michael Smith of Chicago bought the firm from John Doe for 3.5 million dollars, "
    "which was higher than all offers before."
)
NAMES = ["Anna Keller", "Paris"]
WORDS = ["walking", "tables", "planted", "green", "opera"]


@pytest.mark.parametrize("seed", range(20))
def test_an_error_stands_where_it_says(seed: int) -> None:
    for made in changes(SENTENCE, NAMES, WORDS, random.Random(seed)):
        assert made.text != SENTENCE
        for start, end in made.spans:
            assert 0 <= start < end <= len(made.text)
        # Without the spans nothing of the sentence is changed.
        if made.kind not in ("negation", "role"):
            ((start, end),) = made.spans
            assert SENTENCE.startswith(made.text[:start])
            assert SENTENCE.endswith(made.text[end:])


def test_every_kind_is_made() -> None:
    kinds = {made.kind for seed in range(40) for made in changes(SENTENCE, NAMES, WORDS, random.Random(seed))}

    assert kinds == {"number", "date", "unit", "opposite", "negation", "role", "name", "word"}


def test_names_are_found_and_first_words_are_not() -> None:
    assert names_in("The mayor of Port Hale met Ana Ruiz.") == ["Port Hale", "Ana Ruiz"]


@pytest.mark.parametrize("seed", range(20))
def test_a_rewording_keeps_the_numbers(seed: int) -> None:
    text = reworded("The pump weighs approximately 57 kg and needs 3.5 bar.", random.Random(seed))

    assert "57" in text
    assert "3.5" in text.lower()
