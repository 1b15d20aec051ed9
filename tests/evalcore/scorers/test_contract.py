"""What every registered scorer keeps: its names, all of them, each in [0, 1] or with a reason."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evalcore.answer import Answer, TextConfig
from evalcore.config import load_profile, parse_profile
from evalcore.errors import ConfigError
from evalcore.evaluator import Evaluator
from evalcore.registry import Registry
from evalcore.result import Score, Verdict
from evalcore.sample import Sample
from evalcore.scorers.base import SCORERS, Earlier, Scorer, ScorerConfig, measured
from evalcore.similarity import Similarity
from tests.evalcore.test_config import DEFAULT
from tests.evalcore.verifier.published_models import nli_model

# At least one entry for each registered scorer; the shipped profiles' entries come on top.
ENTRIES: dict[str, dict[str, Any]] = {
    "attribution": {
        "semantic": "best_window",
        "overlap": "coverage",
        "weights": {"semantic": 0.5, "overlap": 0.5},
    },
    "specificity": {
        "weights": {"length": 0.5, "variety": 0.5},
        "full_length": 10,
        "hedge_penalty": 1.0,
        "max_penalty": 1.0,
        "lexicons": ["en"],
        "hedge_list": "hedges",
    },
    "relevance": {"whole": "text", "weights": {"whole": 0.5, "best_sentence": 0.5, "overlap": 0.0}},
    "context_quality": {
        "recall": "context_used",
        "semantic": "query",
        "weights": {"f1": 0.5, "semantic": 0.5},
    },
    "consistency": {"rewrites": ["Why {question}?"]},
    "alignment": {"weakest": 3},
    "verifier": {"head": "shipped"},
    "weighted_mean": {"name": "mean", "weights": {"a": 1.0}},
    "disagreement": {"of": ["a", "b"]},
}
_MODELS = tempfile.TemporaryDirectory()
_TINY = nli_model(Path(_MODELS.name))
ENTRIES["published_verifier"] = {
    "verifier": {"kind": "nli", "model": str(_TINY), "max_tokens": 64},
    "weakest": 3,
}
TEXTS = {
    "empty": "",
    "blank": " \n\t",
    "invisible": "\u200b\u2060",
    "mark": "\u2014",
    "one letter": "x",
    "layout": "```python\n```",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "digits": "42",
    "emoji": "👍",
    "nul": "\x00",
    "markup": "<script>alert(1)</script> {attribution} %s",
    "refusal": "I don't know.",
    "Russian": "Мост построен в 1901 году. Он длинный.",
    "Chinese": "水泵由保险丝保护。" * 50,
    "huge": "The pump is protected by fuse F3. " * 400,
    "one word": "a" * 20_000,
    "right to left": "المضخة محمية \u202e abc",
}


def _scorers() -> list[Scorer]:
    made = [SCORERS.get(name, where="test") for name in SCORERS]
    own = [
        maker(maker.Config.model_validate(ENTRIES[name])) for name, maker in zip(SCORERS, made, strict=True)
    ]
    return [*own, *load_profile("classic").scorers, *load_profile("default").scorers]


def _samples() -> Iterator[Sample]:
    plain = ("Which fuse protects the pump?", "Fuse F3 protects the pump.", "It is fuse F3.")
    for text in TEXTS.values():
        yield Sample(query=text, contexts=[plain[1]], response=plain[2])
        yield Sample(query=plain[0], contexts=[text], response=plain[2])
        yield Sample(query=plain[0], contexts=[plain[1]], response=text)
        yield Sample(query=text, contexts=[text, "", text], response=text)
    yield Sample(query="", contexts=[], response="")


def test_each_registered_scorer_has_an_entry() -> None:
    assert set(SCORERS) == set(ENTRIES)


@pytest.mark.parametrize(
    "config", [TextConfig(), TextConfig(sentences="published", words="ascii", blank="zero")]
)
def test_names_range_and_reasons(config: TextConfig, gates: Mapping[str, Evaluator]) -> None:
    scorers = _scorers()
    for sample in _samples():
        answer = Answer(sample=sample, config=config, answer_function=lambda question: question)
        for scorer in scorers:
            texts = list(dict.fromkeys(scorer.texts(answer)))
            reading = Similarity(texts, gates["default"].encoder.encode([texts])[0])
            for earlier in (0.0, 0.25, 1.0, None) if scorer.requires else (None,):
                found = scorer.score(answer, reading, _earlier(scorer, earlier))
                assert [score.name for score in found] == list(scorer.produces)
                for score in found:
                    assert score.reason if score.value is None else 0.0 <= score.value <= 1.0


def _earlier(scorer: Scorer, value: float | None) -> dict[str, Score]:
    return {
        name: Score.unmeasured(name, "not here") if value is None else measured(name, value)
        for name in scorer.requires
    }


@pytest.fixture
def brevity() -> Iterator[None]:
    """A scorer of somebody else's, registered for one test."""

    class BrevityConfig(ScorerConfig):
        words: int

    @SCORERS.register("brevity")
    class Brevity(Scorer):
        Config = BrevityConfig
        _config: BrevityConfig

        @property
        def produces(self) -> tuple[str, ...]:
            return ("brevity",)

        def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
            n = len(answer.response_words)
            return [measured("brevity", min(1.0, self._config.words / n) if n else 1.0)]

    yield
    del SCORERS._parts["brevity"]


RULE = """
    - id: rambling
      when: {brevity: "< 0.50"}
      decision: REVIEW
      failure_type: rambling
      next_action: ask_for_less
      reason: "Far too long (brevity {brevity})."
      why: Nobody reads that.
      confidence: {score: brevity, at: 0.50}
    - id: accept
"""


@pytest.mark.usefixtures("brevity")
def test_a_new_scorer_needs_its_own_file_and_a_profile_only(gates: Mapping[str, Evaluator]) -> None:
    content = DEFAULT.replace("  - type: alignment\n", "  - {type: brevity, words: 5}\n  - type: alignment\n")
    content = content.replace("\n    - id: accept\n", RULE)
    gate = Evaluator(parse_profile(content, source="p.yaml"), gates["default"].encoder)

    passage = "Fuse F3 protects the circulation pump of the heating in the cellar."
    short = gate.evaluate(query="Which fuse?", contexts=[passage], response="Fuse F3 protects it.")
    long = gate.evaluate(query="Which fuse protects the pump?", contexts=[passage], response=passage)

    assert short.score("brevity").value == 1.0
    assert (long.decision.verdict, long.decision.rule_id) == (Verdict.REVIEW, "rambling")
    assert long.decision.reason == "Far too long (brevity 0.417)."
    assert gate.profile.hash != gates["default"].profile.hash


@pytest.mark.usefixtures("brevity")
def test_two_scorers_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="two scorers of one name"):
        SCORERS.register("brevity")(SCORERS.get("disagreement", where="test"))


def test_an_unknown_scorer_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="attribution, consistency") as caught:
        SCORERS.get("nosuch", where="here")
    assert caught.value.where == "here"


def test_a_registry_loads_its_package_at_the_first_look() -> None:
    assert list(Registry[object]("room", "evalcore.encoder")) == []
    assert list(SCORERS) == sorted(SCORERS)
