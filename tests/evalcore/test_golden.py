"""The classic profile repeats the published recipe: its recorded results, and cases derived by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from evalcore.answer import Answer, TextConfig
from evalcore.config import load_profile
from evalcore.evaluator import Evaluator
from evalcore.policy import Policy
from evalcore.result import EvalResult, Score
from evalcore.sample import Sample
from evalcore.scorers.base import Scorer, measured
from evalcore.similarity import Similarity
from tests.shared_data import shared_rows

TOLERANCE = 0.0005
SCORES = (
    "attribution",
    "specificity",
    "faithfulness",
    "relevance",
    "context_quality",
    "final",
    "disagreement",
)

# Encoded alike as question, context and answer, so that every cosine is 1. Six words, all different.
TEXT = "Fuse F three protects the pump."


def _differences(result: EvalResult, expected: Mapping[str, Any]) -> list[str]:
    found: dict[str, object] = {
        "decision": str(result.decision.verdict),
        "failure_type": result.decision.failure_type,
        "next_action": result.decision.next_action,
        "confidence_pct": result.decision.confidence_pct,
        "hallucination_status": str(result.decision.hallucination_status),
        "passed": result.passed,
        "low_confidence_sentences": len(result.low_confidence_sentences),
    }
    wrong = [f"{name}: {found[name]} for {expected[name]}" for name in found if found[name] != expected[name]]
    for name in SCORES:
        value = result.score(name).value
        if value is None or abs(value - expected[name]) > TOLERANCE:
            wrong.append(f"{name}: {value} for {expected[name]}")
    return wrong


def test_the_recipes_own_five_cases(gates: Mapping[str, Evaluator]) -> None:
    rows = shared_rows("classic_golden.jsonl")
    wrong = {}
    for row in rows:
        result = gates["classic"].evaluate(
            query=row["query"], contexts=[row["context"]], response=row["response"]
        )
        wrong[row["id"]] = _differences(result, row["expected"])

    assert len(rows) == 5
    assert {case: lines for case, lines in wrong.items() if lines} == {}


def test_parity_on_real_answers(gates: Mapping[str, Evaluator]) -> None:
    expected = {row["id"]: row["expected"] for row in shared_rows("classic_parity.jsonl")}
    samples = [
        Sample(id=row["id"], query=row["query"], contexts=[row["context"]], response=row["response"])
        for row in shared_rows("ragtruth_qa_dev.jsonl")
        if row["id"] in expected
    ]
    wrong = {
        result.sample_id: _differences(result, expected[result.sample_id])
        for result in gates["classic"].evaluate_many(samples)
    }

    assert len(samples) == len(expected) == 49
    assert {case: lines for case, lines in wrong.items() if lines} == {}


def test_equal_texts(gates: Mapping[str, Evaluator]) -> None:
    result = gates["classic"].evaluate(query=TEXT, contexts=[TEXT], response=TEXT)

    expected = {
        "attribution": 1.0,  # 0.6 * 1 + 0.4 * 1
        "specificity": 0.63,  # 0.4 * 6/80 + 0.6 * 6/6
        "faithfulness": 0.889,  # 0.7 * 1 + 0.3 * 0.63
        "relevance": 1.0,
        "context_quality": 1.0,
        "final": 0.9507,  # 4/9 * 0.889 + 3/9 + 2/9
        "disagreement": 0.0523,  # mean 0.963; sqrt((0.074² + 2 * 0.037²) / 3)
        "decision": "ACCEPT",
        "failure_type": "none",
        "next_action": "serve_response",
        "confidence_pct": 71,  # 0.5 * 0.6014 + 0.3 * 1 + 0.2 * (1 - 0.0523/0.12) = 0.7135
        "hallucination_status": "none",
        "passed": True,
        "low_confidence_sentences": 0,
    }
    assert _differences(result, expected) == []


@pytest.mark.parametrize("contexts", [[], [""], ["  \n", "\t"]])
def test_blank_contexts_give_zeros(gates: Mapping[str, Evaluator], contexts: list[str]) -> None:
    result = gates["classic"].evaluate(query=TEXT, contexts=contexts, response=TEXT)

    expected = {
        "attribution": 0.0,
        "specificity": 0.0,
        "faithfulness": 0.0,
        "relevance": 1.0,
        "context_quality": 0.0,
        "final": 0.3333,  # 3/9 * 1; the cap at 0.40 does not bite
        "disagreement": 0.4714,  # (0, 1, 0): sqrt(2)/3
        "decision": "REVIEW",
        "failure_type": "weak_grounding",
        "next_action": "retry_with_specific_prompt",
        "confidence_pct": 35,  # 0.5 * 2 * 0.35
        "hallucination_status": "suspected",
        "passed": False,
        "low_confidence_sentences": 0,
    }
    assert _differences(result, expected) == []
    assert result.sentences == ()


def test_a_blank_question_is_off_topic(gates: Mapping[str, Evaluator]) -> None:
    result = gates["classic"].evaluate(query=" ", contexts=[TEXT], response=TEXT)

    expected = {
        "attribution": 1.0,
        "specificity": 0.63,
        "faithfulness": 0.889,
        "relevance": 0.0,
        "context_quality": 1.0,
        "final": 0.4321,  # (4/9 * 0.889 + 2/9) * 0.70
        "disagreement": 0.4475,  # (0.889, 0, 1): mean 0.6297
        "decision": "REVIEW",
        "failure_type": "off_topic",
        "next_action": "retry_with_clearer_query",
        "confidence_pct": 60,  # 0.5 * 2 * 0.30 + 0.3 * 1 + 0
        "hallucination_status": "none",
        "passed": False,
        "low_confidence_sentences": 0,
    }
    assert _differences(result, expected) == []


def test_a_blank_answer_gives_zeros(gates: Mapping[str, Evaluator]) -> None:
    result = gates["classic"].evaluate(query=TEXT, contexts=[TEXT], response="  ")

    expected = {
        **dict.fromkeys(SCORES, 0.0),
        "decision": "REVIEW",
        "failure_type": "weak_grounding",
        "next_action": "retry_with_specific_prompt",
        "confidence_pct": 55,  # 0.5 * 2 * 0.35 + 0 + 0.2 * 1
        "hallucination_status": "suspected",
        "passed": False,
        "low_confidence_sentences": 0,
    }
    assert _differences(result, expected) == []


FIVE_HEDGES = "It can be, it may be, might be, it depends, could be used. "  # 13 words, 8 of them distinct
DISTINCT = " ".join(f"q{a}{b}" for a in "abcdefgh" for b in "abcdefghijklmnop")  # 128 words


@pytest.mark.parametrize(
    ("response", "specificity"),
    [
        ("It depends on various ways.", 0.325),  # 0.4 * 5/80 + 0.6 - 2 * 0.15
        ("It depends. It depends. It depends.", 0.08),  # a phrase counts once: 0.4 * 6/80 + 0.6 * 2/6 - 0.15
        (FIVE_HEDGES, 0.0),  # 0.065 + 0.6 * 8/13 - 0.60 is below 0
        (FIVE_HEDGES + " ".join(DISTINCT.split()[:67]), 0.3625),  # 0.4 + 0.6 * 75/80 - 0.60, not - 0.75
        (DISTINCT, 1.0),  # length counts in full from 80 words on
        ("1234 5678", 0.0),  # no word of letters a to z
        ("Мост построен в 1901 году.", 0.0),
    ],
)
def test_specificity(gates: Mapping[str, Evaluator], response: str, specificity: float) -> None:
    result = gates["classic"].evaluate(query=TEXT, contexts=[response], response=response)

    assert result.score("specificity").value == pytest.approx(specificity, abs=5e-5)


@pytest.mark.parametrize(
    ("faithfulness", "relevance", "context_quality", "consistency", "final"),
    [
        (0.34, 1.0, 1.0, None, 0.4),  # 0.7067 before the cap
        (0.35, 1.0, 1.0, None, 0.7111),  # not below 0.35: no cap
        (0.9, 0.2999, 0.9, None, 0.49),  # 0.699967 * 0.70
        (0.9, 0.3, 0.9, None, 0.7),  # not below 0.30: not multiplied
        (0.34, 0.2, 1.0, None, 0.308),  # 0.44 * 0.70; the cap comes after and does not bite
        (0.34, 0.29, 1.0, None, 0.329),  # (0.151111 + 0.096667 + 0.222222) * 0.70
        (0.8, 0.6, 0.5, 0.4, 0.64),  # 0.32 + 0.18 + 0.10 + 0.04
        (0.0, 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_final_score(
    faithfulness: float, relevance: float, context_quality: float, consistency: float | None, final: float
) -> None:
    earlier = {
        "faithfulness": measured("faithfulness", faithfulness),
        "relevance": measured("relevance", relevance),
        "context_quality": measured("context_quality", context_quality),
        "consistency": Score.unmeasured("consistency", "no answer function was given")
        if consistency is None
        else measured("consistency", consistency),
    }

    assert _score(_classic_scorer("final"), earlier) == final


def _classic_scorer(name: str) -> Scorer:
    return next(scorer for scorer in load_profile("classic").scorers if scorer.produces == (name,))


def _score(scorer: Scorer, earlier: Mapping[str, Score]) -> float | None:
    answer = Answer(sample=Sample(query="", contexts=[], response=""), config=TextConfig())
    nothing = Evaluator.from_profile("classic").encoder.encode([[]])[0]
    return scorer.score(answer, Similarity([], nothing), earlier)[0].value


# What nothing is wrong with; each case changes some of it. D = 0.05 adds 0.2 * (1 - 0.05/0.12) = 0.11667.
CLEAN = {
    "attribution": 0.9,
    "specificity": 0.6,
    "faithfulness": 0.8,
    "relevance": 0.8,
    "context_quality": 0.8,
    "final": 0.8,
    "disagreement": 0.05,
}
A, S, Q, R, FINAL, D = (
    "attribution",
    "specificity",
    "context_quality",
    "relevance",
    "final",
    "disagreement",
)


@pytest.mark.parametrize(
    ("changes", "rule", "confidence"),
    [
        ({A: 0.2}, "ungrounded-specific", 33),  # 0.5 * 0.30 + 0.3 * 0.2 + 0.11667
        ({A: 0.0, D: 0.0}, "ungrounded-specific", 55),  # 0.5 * 0.70 + 0 + 0.2
        ({A: 0.2, S: 0.5}, "ungrounded-vague", 33),  # S is not above 0.50
        ({A: 0.3499, S: 0.5}, "ungrounded-vague", 22),  # 0.0001 + 0.10497 + 0.11667
        ({A: 0.35, S: 0.9}, "weak-and-specific", 32),  # 0.5 * 0.20 + 0.105 + 0.11667
        ({A: 0.4, S: 0.6}, "weak-grounding", 39),  # S is not above 0.60: 0.5 * 0.30 + 0.12 + 0.11667
        ({A: 0.45, S: 0.9}, "weak-grounding", 35),  # A is not below 0.45: 0.5 * 0.20 + 0.135 + 0.11667
        ({Q: 0.39, FINAL: 0.6}, "poor-retrieval", 40),  # 0.5 * 0.02 + 0.27 + 0.11667
        ({Q: 0.4, FINAL: 0.6}, "borderline", 44),  # 0.5 * 0.10 + 0.27 + 0.11667
        ({Q: 0.39, FINAL: 0.65}, "accept", 39),  # 0 + 0.27 + 0.11667
        ({A: 0.5, S: 0.5, Q: 0.45, FINAL: 0.6}, "weak-and-poor-context", 32),  # 0.5 * 0.10 + 0.15 + 0.11667
        ({A: 0.5, S: 0.5, Q: 0.3, FINAL: 0.7}, "weak-and-poor-context", 32),  # final is not below 0.65
        ({A: 0.5, S: 0.5, Q: 0.3, FINAL: 0.6}, "poor-retrieval", 37),  # 0.5 * 0.20 + 0.15 + 0.11667
        ({A: 0.5, S: 0.5, Q: 0.5}, "weak-grounding", 32),  # Q is not below 0.50
        ({A: 0.55, Q: 0.45}, "accept", 43),  # A is not below 0.55: 0.5 * 0.30 + 0.165 + 0.11667
        ({R: 0.29}, "off-topic", 40),  # 0.5 * 0.02 + 0.27 + 0.11667
        ({R: 0.3}, "accept", 54),  # 0.5 * 0.30 + 0.27 + 0.11667
        ({D: 0.1201}, "scores-disagree", 42),  # 0.5 * 0.30 + 0.27 + 0
        ({D: 0.12}, "accept", 42),
        ({D: 0.13, FINAL: 0.6}, "scores-disagree", 32),  # 0.5 * 0.10 + 0.27 + 0
        ({FINAL: 0.6499}, "borderline", 39),  # 0.0001 + 0.27 + 0.11667
        ({FINAL: 0.65}, "accept", 39),
        ({A: 1.0, FINAL: 1.0, D: 0.0}, "accept", 85),  # 0.5 * 0.70 + 0.3 + 0.2
    ],
)
def test_each_rule_and_its_thresholds(changes: dict[str, float], rule: str, confidence: int) -> None:
    scores = {name: measured(name, value) for name, value in {**CLEAN, **changes}.items()}

    decision = Policy(load_profile("classic").config.policy).decide(scores, ()).decision

    assert (decision.rule_id, decision.confidence_pct) == (rule, confidence)


@pytest.mark.parametrize(
    ("rule", "verdict", "failure_type", "next_action"),
    [
        ("ungrounded-specific", "REJECT", "hallucination", "regenerate_with_grounding_prompt"),
        ("ungrounded-vague", "REVIEW", "weak_grounding", "retry_with_specific_prompt"),
        ("weak-and-specific", "REJECT", "hallucination", "regenerate_with_grounding_prompt"),
        ("poor-retrieval", "REVIEW", "poor_retrieval", "retrieve_more_documents"),
        ("weak-and-poor-context", "REJECT", "hallucination", "retrieve_more_documents"),
        ("weak-grounding", "REVIEW", "weak_grounding", "retry_with_specific_prompt"),
        ("off-topic", "REVIEW", "off_topic", "retry_with_clearer_query"),
        ("scores-disagree", "REVIEW", "uncertain", "optional_human_review"),
        ("borderline", "REVIEW", "none", "optional_human_review"),
        ("accept", "ACCEPT", "none", "serve_response"),
    ],
)
def test_what_each_rule_says(rule: str, verdict: str, failure_type: str, next_action: str) -> None:
    rules = {found.id: found for found in load_profile("classic").config.policy.rules}

    assert list(rules).index(rule) < len(rules) == 10
    assert (rules[rule].decision, rules[rule].failure_type, rules[rule].next_action) == (
        verdict,
        failure_type,
        next_action,
    )


@pytest.mark.parametrize(
    ("attribution", "specificity", "status"),
    [
        (0.2, 0.6, "confirmed"),
        (0.2, 0.5, "suspected"),
        (0.35, 0.9, "suspected"),
        (0.44, 0.61, "suspected"),
        (0.5499, 0.1, "suspected"),
        (0.55, 0.1, "none"),
    ],
)
def test_hallucination_status(attribution: float, specificity: float, status: str) -> None:
    changes = {A: attribution, S: specificity}
    scores = {name: measured(name, value) for name, value in {**CLEAN, **changes}.items()}

    decision = Policy(load_profile("classic").config.policy).decide(scores, ()).decision

    assert decision.hallucination_status == status


def test_scores_are_compared_at_four_decimals() -> None:
    # 4/9 * 0.65 + 3/9 * 0.65 + 2/9 * 0.6498 = 0.649956, which is 0.65 and so not below it.
    earlier = {
        "faithfulness": measured("faithfulness", 0.65),
        "relevance": measured("relevance", 0.65),
        "context_quality": measured("context_quality", 0.6498),
        "consistency": Score.unmeasured("consistency", "no answer function was given"),
    }
    final = _score(_classic_scorer("final"), earlier)
    assert final == 0.65

    policy = Policy(load_profile("classic").config.policy)
    for raw, rule in ((0.549951, "accept"), (0.549949, "weak-grounding")):
        scores = {name: measured(name, value) for name, value in {**CLEAN, A: raw, FINAL: final}.items()}
        assert policy.decide(scores, ()).decision.rule_id == rule
