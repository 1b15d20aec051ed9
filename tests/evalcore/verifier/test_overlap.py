"""How far the contexts hold a sentence word by word."""

from __future__ import annotations

import pytest

from evalcore.answer import Answer, TextConfig
from evalcore.sample import Sample
from evalcore.verifier.overlap import STRETCH_WORDS, word_overlap

PASSAGE = (
    "The harbour bridge was opened by the mayor in 1932 and it carries two railway tracks over the river."
)


def _overlap(response: str, *contexts: str) -> list[tuple[float, float]]:
    sample = Sample(query="", contexts=contexts or (PASSAGE,), response=response)
    return [(a, b) for a, b in word_overlap(Answer(sample=sample, config=TextConfig())).round(4).tolist()]


def test_what_is_repeated_is_held_whole() -> None:
    assert _overlap(PASSAGE) == [(1.0, 1.0)]
    assert _overlap("It carries two railway tracks!") == [(1.0, 1.0)]


def test_a_clause_that_nothing_holds_counts_by_itself_however_long_the_rest() -> None:
    added = ", painted green after heavy winter storms elsewhere yesterday."
    ((stretch, pairs),) = _overlap(f"The harbour bridge was opened by the mayor in 1932{added}")

    assert stretch == 0.0
    assert pairs == pytest.approx(9 / 17, abs=1e-4)


def test_an_ending_changes_the_pairs_and_not_the_stretch() -> None:
    ((stretch, pairs),) = _overlap("It carries two railways track.")

    assert stretch == 1.0
    assert pairs < 1.0


def test_words_side_by_side_in_two_passages_are_no_pair() -> None:
    ((_, apart),) = _overlap("red boats sail", "red boats", "boats leave", "sail")

    assert apart == 0.5


def test_passages_change_places_without_a_trace() -> None:
    response = "The bridge was opened in 1932. Boats leave at nine."
    other = "Boats leave the northern pier at nine."

    assert _overlap(response, PASSAGE, other) == _overlap(response, other, PASSAGE)


def test_short_sentences_and_any_script() -> None:
    assert _overlap("Yes.", "No.") == [(0.0, 0.0)]
    assert _overlap("Мост открыли.", "Мост открыли в мае.") == [(1.0, 1.0)]
    assert _overlap("大桥开通了", "大桥开通了。")[0][0] == 1.0


def test_a_stretch_is_a_share_of_its_words() -> None:
    response = " ".join(["bridge"] * 20 + ["zeppelin"])

    assert _overlap(response)[0][0] == pytest.approx(1 - 1 / STRETCH_WORDS, abs=1e-4)
