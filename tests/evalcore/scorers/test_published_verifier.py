"""A published verifier in a profile: it gives the risk, the sentences and a part of the fingerprint."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.config import parse_profile, profile_text
from evalcore.errors import ConfigError
from evalcore.evaluator import Evaluator
from tests.evalcore.verifier.published_models import BAD, GOOD, nli_model


def _profile(model: Path) -> str:
    entry = f"""  - type: published_verifier
    weakest: 1
    verifier: {{kind: nli, model: {model}, max_tokens: 64}}
"""
    return profile_text("default").replace("  - type: verifier\n    head: shipped\n", entry)


def test_its_word_is_the_risk_and_the_support_of_each_sentence(tmp_path: Path) -> None:
    gate = Evaluator(parse_profile(_profile(nli_model(tmp_path)), source="own"))

    result = gate.evaluate(
        query="How is the oak?",
        contexts=["The oak stands in the yard."],
        response=f"The oak is {GOOD}. The yard is {BAD}.",
    )

    good, bad = (sentence.support for sentence in result.sentences)
    assert good is not None
    assert bad is not None
    assert good > 0.5 > bad
    assert result.score("weakest_support").value == bad
    assert result.score("risk").value == pytest.approx(1 - bad, abs=1e-4)


def test_its_weights_are_in_the_fingerprint(tmp_path: Path) -> None:
    own = Evaluator(parse_profile(_profile(nli_model(tmp_path)), source="own"))

    assert own.fingerprint.weights_hash != Evaluator.from_profile("default").fingerprint.weights_hash


def test_a_wrong_kind_is_refused_by_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="kind"):
        parse_profile(_profile(tmp_path).replace("kind: nli", "kind: oracle"), source="own")
