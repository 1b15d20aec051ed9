"""Every key of the shipped profiles is read: changing any one changes the hash and some result."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import pytest
import yaml

from evalcore.answer import Answer, TextConfig
from evalcore.conditions import STATES
from evalcore.config import Profile, load_profile, parse_profile
from evalcore.encoder.base import Encoder
from evalcore.errors import ConfigError
from evalcore.evaluator import Evaluator
from evalcore.policy import Policy, Ruling
from evalcore.result import Score
from evalcore.sample import Sample
from evalcore.scorers.aggregate import WeightedMean
from evalcore.similarity import Similarity
from evalcore.verifier.shipped import shipped_head
from tests.evalcore.conftest import PROFILES

Path = tuple[str | int, ...]

# What a name may be switched to, by the last key on its path, or by the scorer's type and that key.
SWITCHES = {
    "backend": {"auto": "onnx"},
    "claims": {"rules": "all"},
    "blank": {"state": "zero", "zero": "state"},
    "decision": {"REVIEW": "REJECT", "REJECT": "REVIEW", "ACCEPT": "REVIEW"},
    "fallback": {"none": "lexical", "lexical": "none"},
    "hallucination_status": {"none": "suspected", "suspected": "none"},
    "hedge_list": {"published_hedges": "hedges", "hedges": "published_hedges"},
    "overflow": {"window": "truncate", "truncate": "window"},
    "overlap": {"jaccard": "coverage", "coverage": "jaccard"},
    "precision": {"fp32": "int8"},
    "recall": {"published": "context_used", "context_used": "published"},
    "score": {"attribution": "final"},
    "select": {"lexical": "semantic", "semantic": "lexical"},
    "sentences": {"published": "rules", "rules": "published"},
    "status": {"none": "suspected", "suspected": "confirmed", "confirmed": "suspected"},
    "support": {"whole_context": "best_window", "verifier": "alignment"},
    "whole": {"text": "pooled_sentences", "pooled_sentences": "text"},
    "words": {"ascii": "unicode", "unicode": "ascii"},
    ("attribution", "semantic"): {"whole_context": "best_window", "best_window": "whole_context"},
    ("context_quality", "semantic"): {"response": "query", "query": "response"},
}
_OWN = shipped_head()
OTHER_HEAD = _OWN.model_copy(update={"answer": _OWN.answer.model_copy(update={"bias": 0.0})}).model_dump()
# Keys that name and wire: changing one alone leaves no valid profile, or is no setting.
STRUCTURE = re.compile(r"schema_version|description|scorers/\d+/(type|name|as_risk)")
# A profile may have a fallback only where a rule guards it.
GUARDED = {("classic", "encoder/fallback")}
NO_RESULT = re.compile(r"name|encoder/.*")
"""Keys that show in the fingerprint alone; what they do is tested with the encoder."""


@cache
def _data(name: str) -> dict[str, Any]:
    return yaml.safe_load((resources.files("configs") / f"{name}.yaml").read_text(encoding="utf-8"))


def _leaves(data: Any, path: Path = ()) -> Iterator[Path]:
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    plain = isinstance(data, list) and all(isinstance(entry, str) for entry in data)
    if not isinstance(data, dict | list) or plain:
        yield path
        return
    for key, value in entries:
        yield from _leaves(value, (*path, key))


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def _perturbed(name: str, path: Path) -> dict[str, Any]:
    data = copy.deepcopy(_data(name))
    holder, key = _at(data, path[:-1]), path[-1]
    value = holder[key]
    if key == "head":
        holder[key] = OTHER_HEAD
    elif key == "low_confidence_below":
        holder[key] = 0.95
    elif isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, list):
        holder[key] = _other_list(key, value)
    elif isinstance(value, str):
        holder[key] = _other_text(data, path, value)
    elif path[-2] == "weights":
        # Weights sum to 1: what one gains its neighbour loses.
        names = list(holder)
        neighbour = names[(names.index(key) + 1) % len(names)]
        holder[key] = round(value + 0.04, 4)
        holder[neighbour] = round(holder[neighbour] - 0.04, 4)
    else:
        holder[key] = value // 2 if isinstance(value, int) else round(value * 0.7, 4)
    return data


def _other_list(key: str | int, value: list[str]) -> list[str]:
    if key == "lexicons":
        return ["ru"] if value == ["en"] else ["en"]
    if key == "rewrites":
        return [value[0] + " Really?", *value[1:]]
    if key == "scripts":
        return ["Cyrillic"]
    if key == "of":
        return value[:-1]
    return [] if key == "optional" else value[:-1]


def _other_text(data: dict[str, Any], path: Path, value: str) -> str:
    key = path[-1]
    if bound := re.fullmatch(r"([<>=]+ )(\d\.\d+)", value):
        return f"{bound[1]}{float(bound[2]) - 0.05:.2f}"
    kind = data["scorers"][path[1]]["type"] if path[0] == "scorers" else None
    table = SWITCHES.get((kind, key)) or SWITCHES.get(str(key))
    if table:
        return table.get(value, "attribution")
    if key == "state":
        return "unknown_script" if value == "lexical_encoder" else "lexical_encoder"
    if key == "join":
        return " joined "
    if key == "model":
        return "another/model"
    return value + ("x" if key in ("id", "failure_type", "next_action", "name") else " And so on.")


def _cases() -> list[tuple[str, Path]]:
    return [
        (name, path)
        for name in PROFILES
        for path in _leaves(_data(name))
        if not STRUCTURE.fullmatch(_shown(path)) and (name, _shown(path)) not in GUARDED
    ]


def _shown(path: Path) -> str:
    return "/".join(map(str, path))


def _id(value: object) -> str:
    return _shown(value) if isinstance(value, tuple) else str(value)


def _profile(data: dict[str, Any]) -> Profile:
    return parse_profile(yaml.safe_dump(data, allow_unicode=True, sort_keys=False), source="p.yaml")


CONTEXTS = [
    "Fuse F3 (10 A) protects the circulation pump of the heating. It sits in the cellar, beside the meter.",
    "The library opens at nine o'clock, and on Sundays it is closed. " * 4,
    "Мост через реку построен в 1901 году. Он может выдержать 40 тонн.",
]
TEXTS = {
    "right": ("Which fuse protects the pump?", "Fuse F3 protects the pump. It sits in the cellar."),
    "abbreviated": ("Which fuse protects the pump?", "Dr. Stone says F3.\n- In the cellar\n- Dry"),
    "made up": ("Which fuse protects the pump?", "Napoleon sold the blue submarine in 1987 to twelve poets."),
    "off topic": ("Who painted the ceiling?", "Fuse F3 (10 A) protects the circulation pump of the heating."),
    "hedged": ("When does the library open?", "It might be nine. More or less."),
    "hedged in Russian": ("When does the library open?", "Возможно at nine, скорее всего. As a rule."),
    "Russian": ("Когда построен мост?", "Мост построен в 1901 году."),
    "mixed": ("When was the мост built?", "The bridge was built in 1901."),
    "very hedged": (
        "When does the library open?",
        "It can be nine, it may be ten. Generally speaking, it depends. It might be any hour between dawn, "
        "lunch and a late supper, as the porter, two students, several neighbours and one old cat once said.",
    ),
    "near": ("Which fuse protects the pump?", "The museum has a fuse box near the door."),
    "no answer": ("Which fuse protects the pump?", "\u2014"),
    "talks": ("When does the library open?", "Sure! The library opens at seven. I hope this helps."),
    "declines": ("Which fuse protects the pump?", "I don't know."),
    "long": ("When does the library open?", "The library opens at nine on a day of this sort. " * 20),
}  # fmt: skip


def _samples() -> list[Sample]:
    texts = [Sample(query=q, contexts=CONTEXTS, response=r, id=name) for name, (q, r) in TEXTS.items()]
    right = TEXTS["right"]
    return [
        *texts,
        Sample(query=right[0], contexts=[], response=right[1], id="no context"),
        Sample(query="?", contexts=CONTEXTS, response=right[1], id="no question"),
    ]


def _answer(question: str) -> str:
    if "library" in question:
        raise RuntimeError("nobody there")
    return question.partition("fuse")[0] + "fuse F3"


def _results(profile: Profile, encoder: Encoder, samples: list[Sample]) -> Iterator[dict[str, Any]]:
    gate = Evaluator(profile, encoder, answer_function=_answer)
    for sample in samples:
        found = gate.evaluate_sample(sample).to_dict()
        del found["fingerprint"], found["meta"]["latency_ms"]
        yield found


@cache
def _score_sets(name: str) -> list[tuple[Mapping[str, Score], tuple[str, ...]]]:
    """Scores and states by chance, so many that every rule fires and every threshold counts."""
    chance = random.Random(20261130)
    names = [score for scorer in load_profile(name).scorers for score in scorer.produces]
    sets = []
    for _ in range(12000):
        low = chance.choice((0.0, 0.0, 0.3, 0.45))
        values = {score: round(chance.uniform(low, 1), 4) for score in names}
        values["disagreement"] = round(chance.uniform(0, 0.25), 4)
        scores = {score: Score(name=score, value=value) for score, value in values.items()}
        if chance.random() < 0.1:
            lost = chance.choice(names)
            scores[lost] = Score.unmeasured(lost, "not here")
        states = [state for state in STATES if chance.random() < 0.2] if chance.random() < 0.3 else []
        sets.append((scores, tuple(states)))
    return sets


def _nothing(encoder: Encoder) -> tuple[Answer, Similarity]:
    answer = Answer(sample=Sample(query="", contexts=[], response=""), config=TextConfig())
    return answer, Similarity([], encoder.encode([[]])[0])


@cache
def _rulings(name: str) -> list[Ruling]:
    policy = Policy(load_profile(name).config.policy)
    return [policy.decide(scores, states) for scores, states in _score_sets(name)]


@pytest.fixture(scope="module")
def known(gates: Mapping[str, Evaluator]) -> Mapping[str, list[dict[str, Any]]]:
    return {name: list(_results(gate.profile, gate.encoder, _samples())) for name, gate in gates.items()}


@pytest.mark.parametrize(("name", "path"), _cases(), ids=_id)
def test_a_changed_key_changes_the_hash_and_a_result(
    name: str,
    path: Path,
    gates: Mapping[str, Evaluator],
    known: Mapping[str, list[dict[str, Any]]],
) -> None:
    try:
        changed = _profile(_perturbed(name, path))
    except ConfigError:
        # A state in another rule's place leaves a rule that can never fire, and that is refused.
        if path[-1] != "state":
            raise
        return

    assert changed.hash != load_profile(name).hash
    if NO_RESULT.fullmatch(_shown(path)) or path[-1] == "scripts":
        return
    if path[0] == "policy":
        policy = Policy(changed.config.policy)
        pairs = zip(_score_sets(name), _rulings(name), strict=True)
        assert any(policy.decide(scores, states) != before for (scores, states), before in pairs)
    elif path[0] == "scorers" and isinstance(changed.scorers[int(path[1])], WeightedMean):
        answer, similarity = _nothing(gates[name].encoder)
        old, new = load_profile(name).scorers[int(path[1])], changed.scorers[int(path[1])]
        assert any(
            new.score(answer, similarity, scores) != old.score(answer, similarity, scores)
            for scores, _ in _score_sets(name)
        )
    else:
        results = _results(changed, gates[name].encoder, _samples())
        assert any(result != before for result, before in zip(results, known[name], strict=True))


@pytest.mark.parametrize("name", PROFILES)
def test_every_rule_can_fire(name: str) -> None:
    rules = {rule.id for rule in load_profile(name).config.policy.rules} | {"unmeasured"}

    assert {ruling.decision.rule_id for ruling in _rulings(name)} == rules
