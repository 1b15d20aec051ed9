"""The first rule that fires decides; what is not measured never passes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalcore.conditions import STATES
from evalcore.config import load_profile
from evalcore.policy import Policy, PolicyConfig
from evalcore.result import HallucinationStatus, Score, Verdict

NAMES = ("attribution", "disagreement", "final")


def _outcome(id: str, decision: str, **more: object) -> dict[str, object]:
    return {
        "id": id,
        "decision": decision,
        "failure_type": "none",
        "next_action": "look",
        "reason": f"{id}: final {{final}}",
        "why": "so",
        **more,
    }


def _config(*rules: dict[str, object], **more: object) -> dict[str, Any]:
    return {
        "confidence": {
            "weights": {"margin": 0.5, "attribution": 0.3, "agreement": 0.2},
            "margin_scale": 2.0,
            "disagreement_scale": 0.12,
        },
        "passed": {"final": ">= 0.5"},
        "needs_review": [{"attribution": "< 0.5"}, {"final": "< 0.5"}],
        "hallucination_status": [
            {"status": "confirmed", "when": {"attribution": "< 0.2"}},
            {"status": "suspected", "when": {"attribution": "< 0.4"}},
            {"status": "none"},
        ],
        "unmeasured": _outcome("unmeasured", "REVIEW"),
        "rules": [*rules, _outcome("last", "ACCEPT", confidence={"score": "final", "at": 0.5})],
        **more,
    }


def _policy(*rules: dict[str, object], **more: object) -> Policy:
    return Policy(PolicyConfig.model_validate(_config(*rules, **more)))


def _scores(**values: float | None) -> dict[str, Score]:
    given = {**dict.fromkeys(NAMES, 0.9), **values}
    return {
        name: Score.unmeasured(name, "not here") if value is None else Score(name=name, value=value)
        for name, value in given.items()
    }


def test_the_first_rule_that_fires_wins_and_is_named() -> None:
    policy = _policy(
        _outcome("first", "REJECT", when={"final": "< 0.3"}),
        _outcome("second", "REVIEW", when={"final": "< 0.6"}),
    )

    found = [policy.decide(_scores(final=value), ()).decision.rule_id for value in (0.1, 0.3, 0.6)]

    assert found == ["first", "second", "last"]


def test_a_rule_that_hangs_on_an_unmeasured_score_ends_the_search() -> None:
    policy = _policy(_outcome("first", "REJECT", when={"final": "< 0.3"}))

    decision = policy.decide(_scores(final=None), ()).decision

    assert (decision.rule_id, decision.verdict) == ("unmeasured", Verdict.REVIEW)
    assert decision.reason == "unmeasured: final not measured"


def test_a_rule_that_is_false_for_another_reason_does_not() -> None:
    policy = _policy(_outcome("first", "REJECT", when={"final": "< 0.3", "attribution": "< 0.5"}))

    assert policy.decide(_scores(final=None), ()).decision.rule_id == "last"


def test_a_state_rule_before_it_still_fires() -> None:
    policy = _policy(
        _outcome("blank", "REJECT", when={"state": "empty_response"}),
        _outcome("weak", "REVIEW", when={"final": "< 0.3"}),
    )

    assert policy.decide(_scores(final=None), ("empty_response",)).decision.rule_id == "blank"


_value = st.none() | st.sampled_from([0.0, 0.3, 0.35, 0.5, 0.6, 0.65, 0.9, 1.0])


@given(st.data(), st.sampled_from(["classic", "default"]), st.sets(st.sampled_from(sorted(STATES))))
def test_an_unmeasured_decisive_score_is_never_accepted(
    data: st.DataObject, name: str, states: set[str]
) -> None:
    profile = load_profile(name)
    scores = {}
    for score in [score for scorer in profile.scorers for score in scorer.produces]:
        value = data.draw(_value, label=score)
        scores[score] = (
            Score.unmeasured(score, "not here") if value is None else Score(name=score, value=value)
        )

    decision = Policy(profile.config.policy).decide(scores, sorted(states)).decision

    if scores["attribution"].value is None and "refusal" not in states:
        assert decision.verdict is not Verdict.ACCEPT
    if "lexical_encoder" in states and name == "default":
        assert decision.verdict is not Verdict.ACCEPT
    if decision.rule_id == "accept":
        fired = profile.config.policy.rules
        assert all(rule.when.holds(scores, sorted(states)) is False for rule in fired[:-1])


@pytest.mark.parametrize(
    ("attribution", "status"),
    [(0.1, "confirmed"), (0.2, "suspected"), (0.4, "none"), (None, "none")],
)
def test_the_ladder_names_the_hallucination_status(attribution: float | None, status: str) -> None:
    decision = _policy().decide(_scores(attribution=attribution), ()).decision

    assert decision.hallucination_status == status


def test_a_rule_overrides_the_ladder() -> None:
    policy = _policy(_outcome("blank", "REJECT", when={"final": "< 0.3"}, hallucination_status="none"))

    decision = policy.decide(_scores(final=0.1, attribution=0.1), ()).decision

    assert decision.hallucination_status is HallucinationStatus.NONE


@pytest.mark.parametrize(
    ("attribution", "final", "passed", "needs_review"),
    [
        (0.5, 0.5, True, False),
        (0.4, 0.5, True, True),
        (0.9, 0.4999, False, True),
        (0.4, None, None, True),
        (None, 0.9, True, None),
        (None, None, None, None),
    ],
)
def test_the_two_flags(
    attribution: float | None, final: float | None, passed: bool | None, needs_review: bool | None
) -> None:
    ruling = _policy().decide(_scores(attribution=attribution, final=final), ())

    assert (ruling.passed, ruling.needs_review) == (passed, needs_review)


@pytest.mark.parametrize(
    ("scores", "confidence"),
    [
        # 0.5 * min(1, 2 * |final - 0.5|) + 0.3 * attribution + 0.2 * max(0, 1 - disagreement / 0.12)
        ({"final": 1.0, "attribution": 1.0, "disagreement": 0.0}, 100),
        ({"final": 0.5, "attribution": 0.0, "disagreement": 0.5}, 0),
        ({"final": 0.6, "attribution": 0.5, "disagreement": 0.06}, 35),
        ({"final": 0.0, "attribution": 0.5, "disagreement": 0.12}, 65),
        ({"final": None}, None),
        ({"attribution": None}, None),
        ({"disagreement": None}, None),
    ],
)
def test_confidence(scores: dict[str, float | None], confidence: int | None) -> None:
    assert _policy().decide(_scores(**scores), ()).decision.confidence_pct == confidence


def test_a_rule_without_a_margin_has_no_confidence() -> None:
    policy = _policy(_outcome("low", "REVIEW", when={"final": "< 0.3"}))

    assert policy.decide(_scores(final=0.1), ()).decision.confidence_pct is None


def test_the_reason_shows_scores_to_three_decimals() -> None:
    policy = _policy(_outcome("low", "REVIEW", when={"final": "< 0.3"}, reason="{{{final}}} {attribution}"))

    assert policy.decide(_scores(final=0.12345), ()).decision.reason == "{0.123} 0.900"


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (_config(_outcome("last", "REVIEW", when={"final": "< 0.3"})), "two rules of one id 'last'"),
        (
            _config(_outcome("unmeasured", "REVIEW", when={"final": "< 0.3"})),
            "two rules of one id 'unmeasured'",
        ),
        (_config(_outcome("all", "REVIEW")), r"rules\[1\] \(last\): can never fire, since 'all'"),
        (
            _config(
                _outcome("wide", "REVIEW", when={"final": "< 0.3"}),
                _outcome("narrow", "REJECT", when={"final": "< 0.2", "attribution": "< 0.1"}),
            ),
            r"rules\[1\] \(narrow\): can never fire, since 'wide'",
        ),
        (
            _config(rules=[_outcome("only", "REVIEW", when={"final": "< 0.3"})]),
            r"rules\[0\] \(only\): the final rule must have no conditions",
        ),
        (_config(rules=[]), "at least 1 item"),
        (_config(unmeasured=_outcome("unmeasured", "ACCEPT")), "cannot be accepted"),
        (_config(hallucination_status=[{"status": "none", "when": {"final": "< 0.3"}}]), "last step"),
        (_config(_outcome("Bad Id", "REVIEW", when={"final": "< 0.3"})), "pattern"),
        (_config(_outcome("a", "MAYBE", when={"final": "< 0.3"})), "'ACCEPT', 'REVIEW' or 'REJECT'"),
        (_config(_outcome("a", "REVIEW", when={"final": "< 0.3"}, reason="{final!r}")), "bare name"),
        (_config(_outcome("a", "REVIEW", when={"final": "< 0.3"}, reason="{final:.1f}")), "bare name"),
        (_config(_outcome("a", "REVIEW", when={"final": "< 0.3"}, reason="{final.real}")), "bare name"),
        (_config(_outcome("a", "REVIEW", when={"final": "< 0.3"}, reason="{}")), "bare name"),
        (_config(_outcome("a", "REVIEW", when={"final": "< 0.3"}, reason="{final")), "expected '}'"),
        (
            _config(
                _outcome("a", "REVIEW", when={"final": "< 0.3"}, confidence={"score": "final", "at": 1.1})
            ),
            "less than or equal to 1",
        ),
    ],
)
def test_a_policy_that_makes_no_sense(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        PolicyConfig.model_validate(config)
