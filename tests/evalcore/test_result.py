"""Results as dicts: what is read back, and what is refused. (Round trips: see test_evaluator.)"""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import InputError
from evalcore.result import (
    EvalResult,
    FindingKind,
    Score,
    ScoreStatus,
    SentenceFinding,
    SentenceStatus,
    fingerprint_id,
)


@pytest.fixture(scope="module")
def result(seed_results: Mapping[str, list[EvalResult]]) -> EvalResult:
    return next(r for r in seed_results["default"] if r.low_confidence_sentences and r.sentences[0].evidence)


def test_the_published_shape(result: EvalResult) -> None:
    found = result.to_dict()

    assert found["explanations"]["low_confidence_sentences"] == [
        s.text for s in result.low_confidence_sentences
    ]
    assert found["scores"]["attribution"] == result.score("attribution").value
    assert found["meta"] == {
        "passed": result.passed,
        "needs_review": result.needs_review,
        "used_llm_judge": False,
        "latency_ms": result.latency_ms,
    }
    assert found["decision"] == result.decision.verdict.value
    assert list(found["scores"]) == [score.name for score in result.scores]


def test_a_dict_stored_before_there_were_findings_is_read(result: EvalResult) -> None:
    data = copy.deepcopy(result.to_dict())
    for sentence in data["sentences"]:
        del sentence["findings"]

    bare = tuple(dataclasses.replace(sentence, findings=()) for sentence in result.sentences)
    assert EvalResult.from_dict(data) == dataclasses.replace(result, sentences=bare)


_offsets = st.integers(0, 2**40)


@given(
    st.lists(
        st.builds(
            SentenceFinding,
            kind=st.sampled_from(get_args(FindingKind)),
            start=_offsets,
            end=_offsets,
            text=st.text(),
            message=st.text(),
            nearest=st.none() | st.text(),
        ),
        max_size=4,
    ),
    st.sampled_from(SentenceStatus),
)
def test_findings_and_every_status_come_back_from_json(
    result: EvalResult, findings: list[SentenceFinding], status: SentenceStatus
) -> None:
    first = dataclasses.replace(result.sentences[0], findings=tuple(findings), status=status)
    changed = dataclasses.replace(result, sentences=(first, *result.sentences[1:]))

    assert EvalResult.from_dict(json.loads(json.dumps(changed.to_dict()))) == changed


def test_latency_takes_no_part_in_equality(result: EvalResult) -> None:
    assert dataclasses.replace(result, latency_ms=1e6) == result


@pytest.mark.parametrize("data", [None, [], "text", 5, {}, {"schema_version": 2}, {"schema_version": 1}])
def test_what_is_no_result(data: Any) -> None:
    with pytest.raises(InputError):
        EvalResult.from_dict(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("decision",), "MAYBE"),
        (("hallucination_status",), "perhaps"),
        (("scores",), [1, 2]),
        (("scores",), None),
        (("scores", "attribution"), None),
        (("score_notes",), None),
        (("sentences",), None),
        (("sentences", 0), "text"),
        (("sentences", 0, "status"), "fine"),
        (("sentences", 0, "evidence"), [{"passage": 0}]),
        (("sentences", 0, "findings"), [{"kind": "number"}]),
        (("sentences", 0, "findings"), [{"kind": "odd", "start": 0, "end": 1, "text": "a", "message": "b"}]),
        (("meta",), None),
        (("fingerprint",), "abc"),
        (("explanations",), {}),
    ],
)
def test_a_damaged_dict_is_refused(result: EvalResult, path: tuple[str | int, ...], value: object) -> None:
    data = copy.deepcopy(result.to_dict())
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value

    with pytest.raises(InputError):
        EvalResult.from_dict(data)


@pytest.mark.parametrize(
    "field", ["rule_id", "scores", "score_notes", "sentences", "fingerprint", "meta", "states"]
)
def test_a_missing_field_is_named(result: EvalResult, field: str) -> None:
    data = result.to_dict()
    del data[field]

    with pytest.raises(InputError, match=field):
        EvalResult.from_dict(data)


def test_a_score_has_a_value_or_a_reason() -> None:
    assert Score.unmeasured("a", "why").value is None
    for wrong in ({"value": None}, {"value": 0.5, "status": ScoreStatus.UNMEASURED}):
        with pytest.raises(InputError, match="unmeasured"):
            Score(name="a", **wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="needs a reason"):
        Score(name="a", value=None, status=ScoreStatus.UNMEASURED)


def test_an_unknown_score_lists_the_known_ones(result: EvalResult) -> None:
    with pytest.raises(InputError, match="attribution"):
        result.score("truth")


def test_a_fingerprint_depends_on_every_field(result: EvalResult) -> None:
    changed = {
        fingerprint_id(dataclasses.replace(result.fingerprint, **{field.name: "other"}))
        for field in dataclasses.fields(result.fingerprint)
    }

    assert len(changed | {result.fingerprint.id}) == len(dataclasses.fields(result.fingerprint)) + 1
