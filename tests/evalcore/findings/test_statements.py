"""Names, negations, quantifiers and roles against the evidence."""

import pytest

from evalcore.findings import ContextFacts, find_findings, findings

OVEN = "The oven must not be opened during cleaning. Parcels are delivered within 3 days."
STAFF = (
    "Vera Lind heads the Bergen branch; Paul Ness heads the Turku branch. "
    "Bergen has 12 boats and Turku has 31."
)
LAB = "The samples were analysed at MIT by Jean Moreau. The Japanese partner paid for the pump WA-2."


def found(sentence: str, *contexts: str, evidence: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(f.kind, f.text) for f in find_findings(sentence, contexts, evidence=evidence)]


@pytest.mark.parametrize(
    ("sentence", "context", "name", "nearest"),
    [
        ("The samples were analysed at Stanford by Jean Moreau.", LAB, "Stanford", "MIT"),
        ("The samples were analysed at MIT by Jean Dupont.", LAB, "Jean Dupont", "Jean Moreau"),
        ("Maria Lind heads the Bergen branch.", STAFF, "Maria Lind", "Vera Lind"),
        ("The branch is headed by Vera Ness.", STAFF, "Vera Ness", "Vera Lind"),
        ("The pump WA-3 was paid for.", LAB, "WA-3", "WA-2"),
        ("Фонд основала Мария Орлова.", "Фонд основала Анна Орлова.", "Мария Орлова", "Анна Орлова"),
        ("Программа работает на Windows.", "Программа работает на Linux.", "Windows", "Linux"),
    ],
)
def test_a_name_the_context_lacks(sentence: str, context: str, name: str, nearest: str) -> None:
    (one,) = find_findings(sentence, [context])

    assert (one.kind, one.text, one.nearest) == ("name", name, nearest)
    assert one.message.startswith(f"names '{name}', the ")
    assert one.message.endswith(f" says '{nearest}'")


@pytest.mark.parametrize(
    ("sentence", "context"),
    [
        ("However, Moreau's team did it with J. Moreau.", LAB),
        ("The pump was paid for by a firm from Japan.", LAB),
        ("This is Stanford.", ""),
        ("He joined the WHO in Geneva.", "He joined the World Health Organization in Geneva."),
        ("She works for the World Health Organization.", "She works for the WHO."),
        ("Собаку видели у Ивана Петрова.", "Иван Петров держит собаку."),
        ("Филиал в Lisbon закрыт.", "Филиал в Лиссабоне закрыт."),
        ("The Causes And Effects Of Rising Damp", "Damp rises in walls."),
        ("Der Kunde bezahlt die Rechnung und bekommt das Paket.", "Rechnungen zahlt man sofort."),
    ],
)
def test_forms_of_a_known_name_and_what_cannot_be_checked_are_no_finding(sentence: str, context: str) -> None:
    assert found(sentence, context) == []


@pytest.mark.parametrize(
    ("sentence", "context"),
    [
        ("The oven must be opened during cleaning.", OVEN),
        ("Parcels are not delivered within 3 days.", OVEN),
        ("Parcels are never delivered within 3 days.", OVEN),
        ("Parcels aren't delivered within 3 days.", OVEN),
        ("Dogs are forbidden in the garden.", "Dogs are allowed in the garden."),
        ("Возврат не принимается после 30 дней.", "Возврат принимается после 30 дней."),
        ("Здесь можно курить на балконе.", "Здесь нельзя курить на балконе."),
    ],
)
def test_a_turned_statement_quotes_the_evidence(sentence: str, context: str) -> None:
    (one,) = find_findings(sentence, [context])

    assert one.kind == "negation"
    assert one.nearest
    assert one.nearest in context
    assert f"'{one.nearest}'" in one.message


@pytest.mark.parametrize(
    ("sentence", "context"),
    [
        ("Keep the oven shut while it cleans itself.", OVEN),
        ("The oven must not be opened during cleaning.", OVEN),
        ("Parcels are delivered not only on weekdays.", OVEN),
        ("Must the oven be opened during cleaning?", OVEN),
        ("No, parcels are delivered within 3 days.", OVEN),
        ("Dogs are not allowed in the garden.", "Dogs are forbidden in the garden."),
        ("The gate is open on weekdays.", "The gate is open on weekdays and closed on holidays."),
    ],
)
def test_a_paraphrase_is_not_turned(sentence: str, context: str) -> None:
    assert found(sentence, context) == []


@pytest.mark.parametrize(
    ("sentence", "context", "text"),
    [
        ("All rooms have a balcony.", "Some rooms have a balcony.", "All"),
        ("Trains always stop at the border.", "Trains usually stop at the border.", "always"),
        ("Все номера имеют балкон.", "Некоторые номера имеют балкон.", "Все"),
        ("You must wait at least 10 days.", "You must wait at most 10 days.", "10 days"),
        ("Штраф не менее 40 евро.", "Штраф не более 40 евро.", "40 евро"),
    ],
)
def test_a_quantifier_the_evidence_does_not_grant(sentence: str, context: str, text: str) -> None:
    assert found(sentence, context) == [("quantifier", text)]


def test_a_weaker_quantifier_is_no_finding() -> None:
    assert found("Most rooms have a balcony.", "All rooms have a balcony.") == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Paul Ness heads the Bergen branch.", [("role", "Bergen")]),
        ("Bergen has 31 boats and Turku has 12.", [("role", "31"), ("role", "12")]),
        ("Turku has 31 boats; Bergen has 12.", []),
        ("Vera Lind heads the Bergen branch.", []),
        ("Bergen has 12 boats.", []),
    ],
)
def test_pairs_that_the_evidence_pairs_otherwise(sentence: str, expected: list[tuple[str, str]]) -> None:
    assert found(sentence, STAFF) == expected


def test_two_names_that_change_places() -> None:
    assert found("Volta bought Ampere in 2011.", "In 2011 Ampere bought Volta.") == [
        ("role", "Volta bought Ampere")
    ]
    assert found("In 2011 Ampere bought Volta.", "In 2011 Ampere bought Volta.") == []


def test_another_subject_with_the_same_unit_contradicts_nothing() -> None:
    assert (
        found("Turku has 31 boats.", "Turku has 31 boats. Oulu owns 8 boats and Vaasa rents 9 boats.") == []
    )


def test_given_evidence_and_facts_gathered_before_give_the_same() -> None:
    evidence = ("The oven must not be opened during cleaning.",)
    sentence = "The oven must be opened during cleaning."

    assert found(sentence, OVEN, evidence=evidence) == found(sentence, OVEN)
    assert findings(sentence, ContextFacts.of([OVEN]), evidence) == find_findings(sentence, [OVEN])
