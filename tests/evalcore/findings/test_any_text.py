"""Any text gives findings with exact places, in time that grows in line with its length."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.findings import ContextFacts, find_findings, findings

PIECES = st.sampled_from(
    [
        *[
            "Anna Keller",
            "MIT",
            "F3",
            "WA-2",
            "COVID-19",
            "Москва",
            "水",
            "三百",
            "五年",
            "é",
            "\ud800",
            "\u0301",
        ],
        *[
            "12",
            "1,250,000",
            "1 250 000",
            "½",
            "3/4",
            "0",
            "9" * 400,
            "-5",
            "12.5%",
            "$4M",
            "€",
            "°C",
            "km",
            "5:30 pm",
        ],
        *[
            "3 March 2024",
            "2024-02-30",
            "03/04/2024",
            "31.12.1999",
            "May",
            "Monday",
            "1990s",
            "в мае",
            "00:00",
        ],
        *[
            "not",
            "never",
            "all",
            "some",
            "only",
            "at least",
            "half of the",
            "one in",
            "не более",
            "a third of",
        ],
        *[" and ", ", ", "; ", ". ", " is ", " ", "\n", "-", "–", "'", "(", "[1]", "https://a.b/1", "\x00"],
    ]
)
TEXT = st.one_of(
    st.text(), st.text(alphabet=st.characters(exclude_categories=())), st.lists(PIECES).map("".join)
)


@settings(max_examples=300, deadline=None)
@given(TEXT, st.lists(TEXT, max_size=3), st.lists(TEXT, max_size=2))
def test_places_are_exact_and_in_order(sentence: str, passages: list[str], evidence: list[str]) -> None:
    found = find_findings(sentence, passages, evidence=evidence)

    assert all(sentence[f.start : f.end] == f.text and f.text and f.message for f in found)
    assert [f.start for f in found] == sorted(f.start for f in found)
    assert found == find_findings(sentence, passages, evidence=evidence)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES).map("".join))
def test_a_text_holds_its_own_numbers_dates_and_names(text: str) -> None:
    kinds = {f.kind for f in find_findings(text, [text])}

    assert kinds.isdisjoint({"number", "unit", "date", "name"})


def test_without_contexts_nothing_is_wrong() -> None:
    assert find_findings("It cost 900 euros in Oslo.", []) == ()
    assert find_findings("It cost 900 euros in Oslo.", ["", " … "]) == ()
    assert find_findings("\u200b", ["It cost 900 euros."]) == ()


@pytest.mark.parametrize(
    "unit",
    ["1", "1,", "1 000 ", "Aa ", "not only x ", "twenty ", "3 March ", "a and b has ", "一千", "1:",
     "F1-", "USD ", "one of the ", "at least ", "7 kg of 12 ", "Anna Keller, ", "\u0301", "a@", "all some ",
     "Monday "],
)  # fmt: skip
def test_hostile_text_is_read_to_its_end(unit: str) -> None:
    # How long that takes is a row of benchmarks/text.py; here a step that explodes would never come back.
    text = unit * 1600

    found = findings(text, ContextFacts.of([text]), [text])

    assert all(text[f.start : f.end] == f.text for f in found)


def test_a_long_context_is_gathered() -> None:
    passage = " ".join(
        f"Room {n} of the North Wing cost {n * 7} euros in {1900 + n % 100}." for n in range(50)
    )
    facts = ContextFacts.of([passage] * 100)
    found = findings("Room 7 of the North Wing cost 50 euros in 1907.", facts)

    assert [(f.kind, f.nearest) for f in found] == [("number", "49 euros")]
