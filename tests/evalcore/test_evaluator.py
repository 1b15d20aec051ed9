"""The gate as a whole: the same word in any company, states, bad input, streams, warnings and offsets."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evalcore import EvalResult, Evaluator, Sample
from evalcore.answer import AnswerFunction
from evalcore.config import parse_profile
from evalcore.errors import InputError
from evalcore.result import SentenceStatus, Verdict
from tests.evalcore.conftest import PROFILES

QUERY = "Which fuse protects the pump?"
CONTEXTS = ("Fuse F3 (10 A) protects the circulation pump.", "The boiler stands in the cellar.")
RESPONSE = "Fuse F3 protects the circulation pump."
BLANKS = ("", "  \n\t", "\u200b\u2060", "\u2014", "...")

each_profile = pytest.mark.parametrize("profile", PROFILES)


def _dict(result: EvalResult) -> dict[str, Any]:
    found = result.to_dict()
    del found["meta"]["latency_ms"]
    return found


@each_profile
def test_company_and_order_change_nothing(
    gates: Mapping[str, Evaluator],
    seed_samples: list[Sample],
    seed_results: Mapping[str, list[EvalResult]],
    profile: str,
) -> None:
    expected = {result.sample_id: _dict(result) for result in seed_results[profile]}
    gate = Evaluator(gates[profile].profile, threads=1)
    cold = Evaluator(gates[profile].profile)
    shuffled = random.Random(7).sample(seed_samples, len(seed_samples))

    for results in (
        (gate.evaluate_sample(sample) for sample in shuffled[:20]),
        cold.evaluate_many(shuffled[:60], chunk=7),
        gates[profile].evaluate_many(shuffled, chunk=64),
    ):
        for result in results:
            assert _dict(result) == expected[result.sample_id]


@each_profile
def test_results_are_json_and_come_back_from_it(
    seed_results: Mapping[str, list[EvalResult]], profile: str
) -> None:
    for result in seed_results[profile]:
        text = json.dumps(result.to_dict(), allow_nan=False, ensure_ascii=False)
        back = EvalResult.from_dict(json.loads(text))
        assert back == result
        assert back.to_dict() == result.to_dict()


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    text = (resources.files("configs") / "schemas" / "result.schema.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text))


@each_profile
def test_results_fit_the_schema(
    schema: Draft202012Validator, seed_results: Mapping[str, list[EvalResult]], profile: str
) -> None:
    for result in seed_results[profile]:
        assert [error.message for error in schema.iter_errors(result.to_dict())] == []


def test_the_schema_is_strict(
    schema: Draft202012Validator, seed_results: Mapping[str, list[EvalResult]]
) -> None:
    good = next(r for r in seed_results["default"] if r.sentences and r.sentences[0].evidence).to_dict()
    for path in (
        (),
        ("explanations",),
        ("fingerprint",),
        ("meta",),
        ("sentences", 0),
        ("sentences", 0, "evidence", 0),
    ):
        for change in ("more", "less"):
            bad = json.loads(json.dumps(good))
            place = bad
            for key in path:
                place = place[key]
            if change == "more":
                place["surprise"] = 1
            else:
                place.pop(next(iter(place)))
            assert list(schema.iter_errors(bad))


@each_profile
def test_offsets_point_at_the_texts(
    seed_samples: list[Sample], seed_results: Mapping[str, list[EvalResult]], profile: str
) -> None:
    for sample, result in zip(seed_samples, seed_results[profile], strict=True):
        for index, sentence in enumerate(result.sentences):
            assert sentence.index == index
            assert sample.response[sentence.start : sentence.end] == sentence.text
            for evidence in sentence.evidence:
                passage = sample.contexts[evidence.passage]
                assert passage[evidence.start : evidence.end] == evidence.text
            for finding in sentence.findings:
                assert sentence.start <= finding.start < finding.end <= sentence.end
                assert sample.response[finding.start : finding.end] == finding.text
            found = [evidence.score for evidence in sentence.evidence]
            assert found == sorted(found, reverse=True)
        starts = [sentence.start for sentence in result.sentences]
        assert starts == sorted(starts)


@each_profile
def test_what_is_unmeasured_says_why(seed_results: Mapping[str, list[EvalResult]], profile: str) -> None:
    for result in seed_results[profile]:
        for score in result.scores:
            assert (score.value is None) == bool(score.reason)
            assert score.value is None or 0 <= score.value <= 1
            assert score.value is None or score.value == round(score.value, 4)
        for sentence in result.sentences:
            unjudged = (SentenceStatus.UNMEASURED, SentenceStatus.NOT_A_CLAIM)
            assert (sentence.support is None) == (sentence.status in unjudged)
            assert (sentence.support is None) == bool(sentence.reason)


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_answer_is_rejected_as_such(gates: Mapping[str, Evaluator], blank: str) -> None:
    result = gates["default"].evaluate(query=QUERY, contexts=CONTEXTS, response=blank)

    assert result.states == ("empty_response",)
    assert (result.decision.verdict, result.decision.rule_id) == (Verdict.REJECT, "empty-response")
    assert result.score("attribution").value is None
    assert result.passed is None
    assert result.sentences == ()


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_question_is_a_state(gates: Mapping[str, Evaluator], blank: str) -> None:
    result = gates["default"].evaluate(query=blank, contexts=CONTEXTS, response=RESPONSE)

    assert result.states == ("empty_query",)
    assert (result.decision.verdict, result.decision.rule_id) == (Verdict.REVIEW, "empty-query")
    assert result.score("relevance").value is None
    assert result.score("attribution").value is not None


@pytest.mark.parametrize("contexts", [[], *([blank] for blank in BLANKS), list(BLANKS)])
def test_blank_contexts_are_a_state(gates: Mapping[str, Evaluator], contexts: list[str]) -> None:
    result = gates["default"].evaluate(query=QUERY, contexts=contexts, response=RESPONSE)

    assert result.states == ("empty_contexts",)
    assert (result.decision.verdict, result.decision.rule_id) == (Verdict.REVIEW, "empty-contexts")
    assert [sentence.status for sentence in result.sentences] == [SentenceStatus.UNMEASURED]


def test_everything_blank(gates: Mapping[str, Evaluator]) -> None:
    result = gates["default"].evaluate(query="", contexts=[], response="")

    assert result.states == ("empty_contexts", "empty_query", "empty_response")
    assert result.decision.rule_id == "empty-response"


@pytest.mark.parametrize(
    ("refusal", "query", "contexts", "rule"),
    [
        ("I don't know.", QUERY, CONTEXTS, "refusal-although-context"),
        ("The documents do not mention this.", "Who wrote Hamlet?", CONTEXTS, "refusal"),
        ("I don't know.", QUERY, [], "refusal-no-context"),
        ("Я не знаю.", QUERY, CONTEXTS, "unknown-script"),
    ],
)
def test_a_refusal_is_a_state(
    gates: Mapping[str, Evaluator], refusal: str, query: str, contexts: list[str], rule: str
) -> None:
    result = gates["default"].evaluate(query=query, contexts=contexts, response=refusal)

    assert "refusal" in result.states
    assert result.decision.rule_id == rule
    assert result.score("attribution").value is None


@pytest.mark.parametrize(
    ("query", "context", "response"),
    [
        ("Какой предохранитель защищает насос?", "Предохранитель F3 защищает насос.", "Предохранитель F3."),
        (
            "Какой предохранитель защищает насос?",
            "Предохранитель F3 защищает насос.",
            "Луна сделана из сыра.",
        ),
        (QUERY, CONTEXTS[0], "Луна сделана из сыра, и это доказано в 1987 году."),
        ("哪个保险丝保护水泵？", "保险丝F3保护水泵。", "月球上有很多人居住。"),
        (QUERY, CONTEXTS[0], "月球上有很多人居住，他们吃奶酪。"),
        ("哪个保险丝保护水泵？", CONTEXTS[0], "Napoleon sold the submarine in 1987."),
        ("Ποια ασφάλεια;", CONTEXTS[0], "Ουδεμία."),
    ],
)
def test_a_language_the_model_does_not_know_is_for_a_person(
    gates: Mapping[str, Evaluator], query: str, context: str, response: str
) -> None:
    result = gates["default"].evaluate(query=query, contexts=[context], response=response)

    assert "unknown_script" in result.states
    assert (result.decision.verdict, result.decision.rule_id) == (Verdict.REVIEW, "unknown-script")


@pytest.mark.parametrize(
    "change",
    [
        {"contexts": "one string"},
        {"contexts": b"bytes"},
        {"contexts": None},
        {"contexts": 5},
        {"contexts": {"a": "b"}},
        {"contexts": {"a", "b"}},
        {"contexts": ["fine", None]},
        {"contexts": [["nested"]]},
        {"query": None},
        {"query": 5},
        {"response": b"bytes"},
        {"response": ["list"]},
        {"reference": 5},
        {"id": 5},
        {"metadata": 5},
        {"metadata": [1]},
        {"query": "lone \ud800"},
        {"response": "\udfff"},
        {"contexts": ["fine", "\udc00 not"]},
        {"reference": "\ud83d"},
        {"id": "\ud83d"},
    ],
)
def test_wrong_types_are_refused_by_name(gates: Mapping[str, Evaluator], change: dict[str, Any]) -> None:
    given: dict[str, Any] = {"query": QUERY, "contexts": CONTEXTS, "response": RESPONSE, **change}

    with pytest.raises(InputError) as caught:
        gates["default"].evaluate(**given)
    assert (caught.value.where or "").startswith(next(iter(change)))


@each_profile
@pytest.mark.parametrize(
    "text",
    ["```python\n```", "~~~x", "|---|\n|---|", "# ", "👍", "\x00\x01", "1", "a" * 50_000, "\n" * 9_000 + "x"],
)
def test_odd_texts_are_judged(gates: Mapping[str, Evaluator], profile: str, text: str) -> None:
    for given in (
        {"query": text, "contexts": CONTEXTS, "response": RESPONSE},
        {"query": QUERY, "contexts": [text], "response": RESPONSE},
        {"query": QUERY, "contexts": CONTEXTS, "response": text},
    ):
        result = gates[profile].evaluate(**given)  # type: ignore[arg-type]
        json.dumps(result.to_dict(), allow_nan=False)


@each_profile
def test_a_long_answer_and_many_passages(gates: Mapping[str, Evaluator], profile: str) -> None:
    # Few distinct sentences: what is tested is the size, not the model.
    response = " ".join(f"Pump {i % 40} is protected by fuse {i % 40}." for i in range(4000))[:100_000]
    contexts = [f"Passage {i % 20} says that fuse {i % 20} protects pump {i % 20}. " * 4 for i in range(200)]

    result = gates[profile].evaluate(query=QUERY, contexts=contexts, response=response)

    assert len(response) == 100_000
    assert len(result.sentences) > 2000
    assert bool(result.warnings) == (profile == "classic")


def test_the_cut_of_the_classic_profile_is_said(gates: Mapping[str, Evaluator]) -> None:
    long = "The circulation pump is protected by fuse F3 and stands beside the boiler. " * 40
    result = gates["classic"].evaluate(query=QUERY, contexts=[long], response=RESPONSE + " " + long)

    assert [warning.partition(" tokens of ")[2] for warning in result.warnings] == [
        "the contexts were not read",
        "the response were not read",
    ]
    # 40 sentences of 15 tokens, of which 254 are read.
    assert result.warnings[0].startswith(f"text truncated: {40 * 15 - 254} of {40 * 15} tokens")


def test_windows_cut_by_the_encoder_are_said(gates: Mapping[str, Evaluator]) -> None:
    text = (resources.files("configs") / "default.yaml").read_text(encoding="utf-8")
    text = text.replace("overflow: window", "overflow: truncate").replace(
        "window_words: 40", "window_words: 400"
    )
    gate = Evaluator(parse_profile(text, source="p.yaml"))
    long = "The circulation pump is protected by fuse F3 and stands beside the boiler. " * 25

    result = gate.evaluate(query=QUERY, contexts=["Short.", long], response=RESPONSE)

    assert result.warnings == (
        f"text truncated: {25 * 15 - 254} of {25 * 15} tokens of passage 2 were not read",
    )


def test_a_stream_is_pulled_a_chunk_at_a_time(gates: Mapping[str, Evaluator]) -> None:
    pulled = 0

    def endless() -> Iterator[Sample]:
        nonlocal pulled
        for number in itertools.count():
            pulled += 1
            yield Sample(query=QUERY, contexts=CONTEXTS, response=RESPONSE, id=f"s{number}")

    results = gates["default"].evaluate_many(endless(), chunk=5)

    assert pulled == 0
    found = [result.sample_id for result in itertools.islice(results, 7)]
    assert found == [f"s{number}" for number in range(7)]
    assert pulled == 10


def test_an_empty_stream_and_an_empty_chunk(gates: Mapping[str, Evaluator]) -> None:
    assert list(gates["default"].evaluate_many([])) == []
    with pytest.raises(InputError, match="at least one answer"):
        next(gates["default"].evaluate_many([], chunk=0))


def _asked(gate: Evaluator, function: AnswerFunction, query: str = QUERY) -> EvalResult:
    asking = Evaluator(gate.profile, gate.encoder, answer_function=function)
    return asking.evaluate(query=query, contexts=CONTEXTS, response=RESPONSE)


@each_profile
def test_the_rewrites_of_the_question(gates: Mapping[str, Evaluator], profile: str) -> None:
    questions: list[str] = []

    def answer(question: str) -> str:
        questions.append(question)
        return RESPONSE

    result = _asked(gates[profile], answer, "What is an F3 FUSE??")

    assert questions == [
        "Can you explain what is an f3 fuse?",
        "Tell me about what is an f3 fuse.",
        "What do you know about what is an f3 fuse?",
    ]
    assert result.score("consistency").value == 1.0


def test_consistency_counts_in_the_final_score(gates: Mapping[str, Evaluator]) -> None:
    result = _asked(gates["classic"], lambda question: "Napoleon sold the submarine.")
    parts = {"faithfulness": 0.4, "relevance": 0.3, "context_quality": 0.2, "consistency": 0.1}

    expected = sum(weight * (result.score(name).value or 0) for name, weight in parts.items())
    assert result.score("final").value == pytest.approx(expected, abs=1e-4)
    assert (result.score("consistency").value or 0) < 0.3


def _fails(question: str) -> str:
    raise RuntimeError("no connection")


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (_fails, "the answer function failed: RuntimeError: no connection"),
        (lambda question: None, "the answer function gave NoneType, not a text"),
        (lambda question: "\ud800", "the answer function gave a text that UTF-8 cannot carry"),
    ],
)
def test_a_failing_answer_function_leaves_consistency_unmeasured(
    gates: Mapping[str, Evaluator], function: Any, reason: str
) -> None:
    result = _asked(gates["default"], function)

    assert result.score("consistency").value is None
    assert result.score("consistency").reason == reason
    assert result.score("final").value is not None


def test_an_answer_function_that_fails_once_is_asked_once(gates: Mapping[str, Evaluator]) -> None:
    calls: list[str] = []

    def first_fails(question: str) -> str:
        calls.append(question)
        if len(calls) == 1:
            raise TimeoutError
        return RESPONSE

    result = _asked(gates["default"], first_fails)

    assert len(calls) == 1
    assert result.score("consistency").value is None


@pytest.mark.parametrize("text", ["", "\u2014", "{question}"])
def test_odd_answers_to_rewrites(gates: Mapping[str, Evaluator], text: str) -> None:
    result = _asked(gates["default"], lambda question: text, "What is {question}?")

    assert result.score("consistency").value is not None


def test_without_a_function_consistency_says_so(gates: Mapping[str, Evaluator]) -> None:
    result = gates["default"].evaluate(query=QUERY, contexts=CONTEXTS, response=RESPONSE)

    assert result.score("consistency").reason == "no answer function was given"


def test_identity_and_fingerprint(gates: Mapping[str, Evaluator]) -> None:
    sample = Sample(query=QUERY, contexts=CONTEXTS, response=RESPONSE, id="mine", metadata={"a": 1})
    ours, theirs = (gates[name].evaluate_sample(sample) for name in ("default", "classic"))

    assert ours.sample_id == "mine"
    assert ours.content_hash == theirs.content_hash == sample.content_hash
    assert ours.fingerprint.id != theirs.fingerprint.id
    assert ours.fingerprint.profile_hash == gates["default"].profile.hash
    assert ours.latency_ms > 0
