"""The scorer ``verifier``: risk and the weakest sentence, from claims only."""

from __future__ import annotations

import pytest

from evalcore.config import load_profile, parse_profile, profile_text
from evalcore.errors import ConfigError
from evalcore.evaluator import Evaluator
from evalcore.result import EvalResult
from evalcore.verifier.shipped import shipped_head

CONTEXT = "The ferry to Brekka leaves at 8:15 from pier 4 and takes 35 minutes. A ticket costs 12 euros."
GOOD = "The ferry to Brekka leaves at 8:15 from pier 4. A ticket costs 12 euros."


@pytest.fixture(scope="module")
def gate() -> Evaluator:
    return Evaluator.from_profile("default")


def _evaluate(gate: Evaluator, response: str) -> EvalResult:
    return gate.evaluate(query="When does the ferry to Brekka leave?", contexts=[CONTEXT], response=response)


def test_a_sentence_from_nowhere_raises_the_risk_and_is_the_weakest(gate: Evaluator) -> None:
    good = _evaluate(gate, GOOD)
    bad = _evaluate(gate, f"{GOOD} The captain of the ferry was born in Lisbon and likes old maps.")

    assert bad.score("risk").value > good.score("risk").value  # type: ignore[operator]
    assert bad.score("weakest_support").value == bad.sentences[-1].support
    assert bad.sentences[-1].support < min(s.support for s in good.sentences if s.support is not None)  # type: ignore[type-var, operator]


def test_talk_is_not_held_against_an_answer(gate: Evaluator) -> None:
    plain, talk = _evaluate(gate, GOOD), _evaluate(gate, f"{GOOD} Let me know if you need more.")

    assert talk.score("risk").value == plain.score("risk").value


def test_a_blank_answer_has_no_risk_and_says_why(gate: Evaluator) -> None:
    risk = _evaluate(gate, " ").score("risk")

    assert risk.value is None
    assert risk.reason


def test_a_head_in_the_profile_changes_the_risk_the_hash_and_the_fingerprint(gate: Evaluator) -> None:
    head = shipped_head().model_dump()
    head["answer"]["bias"] += 2
    text = profile_text("default").replace("head: shipped", f"head: {head!r}")
    other = Evaluator(parse_profile(text, source="own"))

    assert _evaluate(other, GOOD).score("risk").value > _evaluate(gate, GOOD).score("risk").value  # type: ignore[operator]
    assert other.profile.hash != gate.profile.hash
    assert other.fingerprint.id != gate.fingerprint.id


def test_the_weights_of_the_verifier_are_in_the_fingerprint(gate: Evaluator) -> None:
    classic = Evaluator(load_profile("classic"))

    assert classic.fingerprint.weights_hash == classic.encoder.info.weights_hash
    assert gate.fingerprint.weights_hash != gate.encoder.info.weights_hash


def test_a_head_that_is_not_whole_is_refused_by_name() -> None:
    text = profile_text("default").replace("head: shipped", "head: {weakest: 3}")

    with pytest.raises(ConfigError, match="head"):
        parse_profile(text, source="own")
