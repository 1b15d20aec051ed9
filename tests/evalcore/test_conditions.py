"""Bounds, states and the three answers a condition can give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.conditions import STATES, Bounds, When
from evalcore.result import Score

GRID = [step / 20 for step in range(21)]


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("< 0.35", [0.0, 0.3499], [0.35, 1.0]),
        ("<= 0.35", [0.0, 0.35], [0.3501]),
        ("> 0.35", [0.3501, 1.0], [0.35, 0.0]),
        (">= 0.35", [0.35, 1.0], [0.3499]),
        (">= 0.3, < 0.5", [0.3, 0.4999], [0.2999, 0.5]),
        ("<0.5,>0.3", [0.4], [0.3, 0.5]),
        ("< 0.5, <= 0.4", [0.4], [0.4001]),
        ("< 0.4, <= 0.4", [0.3999], [0.4]),
        ("> 0.4, >= 0.4", [0.4001], [0.4]),
        (">= 0.4, <= 0.4", [0.4], [0.3999, 0.4001]),
        (">= 0", [0.0, 1.0], []),
        ("<= 1", [0.0, 1.0], []),
    ],
)
def test_bounds(text: str, inside: list[float], outside: list[float]) -> None:
    bounds = Bounds.parse(text)

    assert all(bounds.holds(value) for value in inside)
    assert not any(bounds.holds(value) for value in outside)


@pytest.mark.parametrize(
    "text",
    ["", "0.35", "< ", "= 0.3", "== 0.3", "!= 0.3", "< .35", "< 0,35", "< 0.3 and > 0.1", "< nan", "< 1e-3",
     "> 0.1, < 0.5, < 0.4", "0.1 < x < 0.5", "None"],
)  # fmt: skip
def test_unreadable_bounds(text: str) -> None:
    with pytest.raises(ValueError, match="bound"):
        Bounds.parse(text)


@pytest.mark.parametrize(
    "text",
    ["< 0.3, > 0.5", "> 0.3, < 0.3", ">= 0.3, < 0.3", "> 0.3, <= 0.3", "> 1", "> 1.2", ">= 1.01", "< 0",
     "<= -0.1"],
)  # fmt: skip
def test_bounds_no_score_can_meet(text: str) -> None:
    with pytest.raises(ValueError, match="contradictory bound"):
        Bounds.parse(text)


_bound = st.builds(
    "{} {}".format, st.sampled_from(["<", "<=", ">", ">="]), st.sampled_from([0.2, 0.25, 0.5, 0.7])
)
_bounds = st.lists(_bound, min_size=1, max_size=2).map(", ".join)


@given(_bounds, _bounds)
def test_one_interval_within_another(inner: str, outer: str) -> None:
    try:
        first, second = Bounds.parse(inner), Bounds.parse(outer)
    except ValueError:
        return
    points = [value for grid in GRID for value in (grid - 0.001, grid, grid + 0.001) if 0 <= value <= 1]

    assert first.within(second) == all(second.holds(value) for value in points if first.holds(value))


def _scores(**values: float | None) -> dict[str, Score]:
    return {
        name: Score.unmeasured(name, "not here") if value is None else Score(name=name, value=value)
        for name, value in values.items()
    }


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (0.1, 0.9, True),
        (0.1, 0.1, False),
        (None, 0.1, False),  # false whatever the open score may be
        (0.9, None, False),
        (0.1, None, None),
        (None, 0.9, None),
        (None, None, None),
    ],
)
def test_an_unmeasured_score_leaves_only_open_questions_open(
    a: float | None, b: float | None, expected: bool | None
) -> None:
    when = When.parse({"a": "< 0.5", "b": "> 0.5"})

    assert when.holds(_scores(a=a, b=b), ()) is expected


def test_states_must_all_hold_and_come_first() -> None:
    when = When.parse({"state": ["refusal", "empty_contexts"], "a": "< 0.5"})

    assert when.holds(_scores(a=0.1), ("empty_contexts", "refusal")) is True
    assert when.holds(_scores(a=0.1), ("refusal",)) is False
    assert when.holds(_scores(a=None), ("refusal",)) is False
    assert when.holds(_scores(a=None), ("refusal", "empty_contexts")) is None


def test_no_conditions_hold_always() -> None:
    assert When.parse({}).holds({}, tuple(STATES)) is True
    assert not When.parse({})


@pytest.mark.parametrize(
    "state", ["unknown", 5, None, True, [], {}, {"refusal": 1}, [["refusal"]], ["refusal", 1]]
)
def test_states_that_are_none(state: object) -> None:
    with pytest.raises(ValueError, match="state"):
        When.parse({"state": state})


@pytest.mark.parametrize("data", [5, "attribution < 0.3", ["a"], None])
def test_conditions_are_a_mapping(data: object) -> None:
    with pytest.raises(ValueError, match="mapping"):
        When.parse(data)


@pytest.mark.parametrize(
    ("narrow", "wide", "expected"),
    [
        ({"a": "< 0.3"}, {}, True),
        ({}, {"a": "< 0.3"}, False),
        ({"a": "< 0.3", "b": "> 0.5"}, {"a": "<= 0.3"}, True),
        ({"a": "<= 0.3"}, {"a": "< 0.3"}, False),
        ({"state": ["refusal", "empty_query"]}, {"state": "refusal"}, True),
        ({"state": "refusal"}, {"state": ["refusal", "empty_query"]}, False),
        ({"state": "refusal"}, {"state": "refusal", "a": "< 0.3"}, False),
    ],
)
def test_implies(narrow: object, wide: object, expected: bool) -> None:
    assert When.parse(narrow).implies(When.parse(wide)) is expected
