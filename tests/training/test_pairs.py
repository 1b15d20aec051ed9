"""Pairs to learn from: what is labelled how, and which documents they may come from."""

from __future__ import annotations

from training.pairs import Row, document_of, make_pairs, part_of

CONTEXT = (
    "The bakery opened in 1961. Its founder, Ida Holm, came from Bergen. It sells rye bread and cakes. "
    "On Sundays it is closed. The oven burns beech wood. A second shop was opened in Oslo in 1984. "
    "In 2003 the family sold both shops. The new owner kept the recipes."
)


def test_the_part_hangs_on_the_first_letters_of_the_document_only() -> None:
    assert document_of("A  bakery, in Bergen!") == document_of("a bakery in bergen")
    parts = [part_of(document_of(f"document number {n}")) for n in range(4000)]

    assert 0.60 < parts.count("train") / 4000 < 0.66
    assert 0.10 < parts.count("calibrate") / 4000 < 0.14
    assert 0.23 < parts.count("measure") / 4000 < 0.27


def test_an_edited_summary_is_wrong_where_it_differs_from_its_original() -> None:
    rows = [
        Row("summedits", CONTEXT, "The bakery opened in 1961. It sells rye bread.", True),
        Row("summedits", CONTEXT, "The bakery opened in 1971. It sells rye bread.", False),
    ]
    pairs = [pair for pair in make_pairs(rows) if pair.kind == "judged"]
    wrong = [pair for pair in pairs if pair.claim == "The bakery opened in 1971."]

    assert [pair.claim[a:b] for pair in wrong for a, b in pair.wrong or ()] == ["1971"]
    assert all(pair.supported for pair in pairs if pair.claim == "It sells rye bread.")


def test_the_claims_of_a_supported_answer_are_supported_and_of_another_nothing_is_known() -> None:
    rows = [
        Row("begin", CONTEXT, "Ida Holm came from Bergen.", True),
        Row("begin", CONTEXT, "Ida Holm came from Rome.", False),
    ]
    judged = {pair.claim: pair for pair in make_pairs(rows) if pair.kind == "judged"}

    assert judged["Ida Holm came from Bergen."].wrong == ()
    assert judged["Ida Holm came from Rome."].wrong is None
    assert not judged["Ida Holm came from Rome."].supported


def test_made_pairs_are_of_both_kinds_and_come_alike_again() -> None:
    rows = [Row("begin", CONTEXT, "The bakery opened in 1961 and sells rye bread.", True)]
    first, second = make_pairs(rows, seed=3), make_pairs(rows, seed=3)

    assert first == second
    assert {pair.supported for pair in first if pair.dataset == "made"} == {True, False}
