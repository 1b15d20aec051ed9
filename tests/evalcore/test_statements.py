"""Claims, premises and findings of an answer's sentences, and how they stand in its result."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.answer import Answer, TextConfig
from evalcore.config import parse_profile
from evalcore.evaluator import Evaluator
from evalcore.evidence import findings_text
from evalcore.result import EvalResult, SentenceFinding, SentenceStatus, SentenceVerdict
from evalcore.sample import Sample

QUERY = "When was the museum built, and by whom?"
CONTEXTS = ("The museum was built in 1978 by Anna Keller.", "Tickets cost 12 euros.")
WRONG = "It was built in 1987."


def _answer(response: str, contexts: tuple[str, ...] = CONTEXTS, query: str = QUERY) -> Answer:
    return Answer(sample=Sample(query=query, contexts=contexts, response=response), config=TextConfig())


def _found(answer: Answer) -> list[list[str]]:
    return [[finding.text for finding in found] for found in answer.findings]


def _judged(gates: Mapping[str, Evaluator], response: str, **given: object) -> EvalResult:
    values = {"query": QUERY, "contexts": CONTEXTS, "response": response, **given}
    return gates["default"].evaluate(**values)  # type: ignore[arg-type]


def test_premises_are_up_to_three_windows_in_reading_order() -> None:
    contexts = tuple(f"Passage about {word}." for word in ("boats", "trains", "planes", "bikes", "trams"))
    answer = _answer("Trams, boats and planes run. Bikes do too.", contexts)

    assert answer.premises[0] == (0, 2, 4)
    assert 3 in answer.premises[1]
    assert all(list(chosen) == sorted(chosen) and len(chosen) == 3 for chosen in answer.premises)


@pytest.mark.parametrize(
    ("response", "contexts"),
    [(WRONG, ()), (WRONG, ("", " \n")), ("I don't know.", CONTEXTS), ("The documents do not say.", CONTEXTS)],
)
def test_without_anything_to_hold_it_against_there_are_none(response: str, contexts: tuple[str, ...]) -> None:
    answer = _answer(response, contexts)

    assert answer.premises == answer.findings == ((),) * len(answer.sentences) != ()


def test_a_blank_answer_has_no_sentence_to_speak_of() -> None:
    answer = _answer(" ")

    assert (answer.premises, answer.findings, answer.claims) == ((), (), ())


@pytest.mark.parametrize(
    ("sentence", "query", "expected"),
    [
        (WRONG, QUERY, ["1987"]),
        (WRONG, "Was it built in 1987?", []),
        (WRONG, "Was it built in 19870?", ["1987"]),
        ("It was built by Bruno Stern.", "Did BRUNO STERN build it?", []),
        ("It was built by Bruno Stern.", "Was it Bruno Stern's?", []),
        ("It was built by Bruno Stern.", "Did Bruno Sterner build it?", ["Bruno Stern"]),
        ("Tickets cost 1,250 euros.", "Are tickets 1250 euros?", []),
        ("Билет стоит 55 евро.", "Правда, что билет стоит 55 евро?", []),
    ],
)
def test_what_the_question_brought_is_no_finding(sentence: str, query: str, expected: list[str]) -> None:
    assert _found(_answer(sentence, query=query)) == [expected]


def test_a_negation_stays_a_finding_whatever_was_asked() -> None:
    contexts = ("The museum is open on Mondays.",)
    sentence = "The museum is not open on Mondays."
    answer = _answer(sentence, contexts, query=f"{sentence} Right?")

    assert [finding.kind for finding in answer.findings[0]] == ["negation"]


def test_claims_and_the_heading_mark() -> None:
    response = f"Hello!\n\n## Summary\n\n{WRONG}\n\n- Summary\n\nI hope this helps."

    assert _answer(response).claims == (False, False, True, True, False)


def test_nothing_but_talk_is_judged_like_claims() -> None:
    assert _answer("Sure! I hope this helps.").claims == (True, True)
    assert _answer("Sure! I hope this helps. It fell.").claims == (False, False, True)


@pytest.mark.parametrize(
    "before",
    ["", "Hello!\n\n", "👩🏽‍👧 Sure! ", "שלום לכולם. ", "مرحبا بكم. ", "\u202eabc. ", "e\u0301. Да. "],
)
def test_offsets_are_those_of_the_response(gates: Mapping[str, Evaluator], before: str) -> None:
    response = f"{before}{WRONG} Tickets cost 15 euros."
    result = _judged(gates, response)

    found = [finding for sentence in result.sentences for finding in sentence.findings]
    assert [finding.text for finding in found if finding.kind in ("number", "date")] == ["1987", "15 euros"]
    assert all(response[finding.start : finding.end] == finding.text for finding in found)


def test_findings_stand_with_their_sentence_and_in_the_reason(gates: Mapping[str, Evaluator]) -> None:
    result = _judged(gates, f"Sure! {WRONG}")

    talk, claim = result.sentences
    assert (talk.status, talk.support, talk.evidence, talk.findings) == (
        SentenceStatus.NOT_A_CLAIM,
        None,
        (),
        (),
    )
    assert talk.reason == "claims nothing about the world"
    assert [(f.kind, f.nearest) for f in claim.findings] == [("date", "1978")]
    assert talk not in result.low_confidence_sentences
    assert result.decision.reason.endswith(" Findings: 1987 is not in the context (nearest: 1978).")


def test_without_findings_the_reason_stays_the_rules_own(gates: Mapping[str, Evaluator]) -> None:
    result = _judged(gates, "The museum was built in 1978 by Anna Keller.")

    assert [sentence.findings for sentence in result.sentences] == [()]
    assert "Findings" not in result.decision.reason


def test_classic_has_neither_findings_nor_talk(gates: Mapping[str, Evaluator]) -> None:
    result = gates["classic"].evaluate(query=QUERY, contexts=CONTEXTS, response=f"Sure! {WRONG}")

    assert [sentence.findings for sentence in result.sentences] == [(), ()]
    assert SentenceStatus.NOT_A_CLAIM not in {sentence.status for sentence in result.sentences}
    assert "Findings" not in result.decision.reason


def test_a_profile_that_says_nothing_of_them_has_none(gates: Mapping[str, Evaluator]) -> None:
    text = (resources.files("configs") / "default.yaml").read_text(encoding="utf-8")
    text = text.replace("  findings: true\n  claims: rules\n", "")
    plain = Evaluator(parse_profile(text, source="p.yaml"), gates["default"].encoder)
    result = plain.evaluate(query=QUERY, contexts=CONTEXTS, response=f"Sure! {WRONG}")

    assert all(sentence.support is not None and not sentence.findings for sentence in result.sentences)


def _sentence(*messages: str) -> SentenceVerdict:
    findings = tuple(
        SentenceFinding(kind="name", start=0, end=1, text="x", message=message) for message in messages
    )
    return SentenceVerdict(
        index=0, start=0, end=1, text="x", support=0.5, status=SentenceStatus.SUPPORTED, findings=findings
    )


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        ((), ""),
        (("a",), "Findings: a."),
        (("a", "b", "a", "c"), "Findings: a; b; c."),
        (("a", "b", "c", "d", "e"), "Findings: a; b; c; and 2 more."),
        (("two\nlines\t of it",), "Findings: two lines of it."),
        (("x" * 500,), f"Findings: {'x' * 159}…."),
    ],
)
def test_findings_in_a_line(messages: tuple[str, ...], text: str) -> None:
    assert findings_text([_sentence(), _sentence(*messages)]) == text


@given(st.text(max_size=120), st.lists(st.text(max_size=80), max_size=3), st.text(max_size=40))
def test_any_texts(response: str, contexts: list[str], query: str) -> None:
    answer = _answer(response, tuple(contexts), query)

    assert len(answer.claims) == len(answer.premises) == len(answer.findings) == len(answer.sentences)
    assert any(answer.claims) or not answer.claims
    for sentence, chosen, found in zip(answer.sentences, answer.premises, answer.findings, strict=True):
        assert len(chosen) <= 3
        assert all(0 <= index < len(answer.windows) for index in chosen)
        assert all(sentence.text[one.start : one.end] == one.text for one in found)
