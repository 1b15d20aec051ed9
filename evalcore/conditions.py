"""Conditions over named scores and states, as profiles write them: ``attribution: "< 0.35"``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import core_schema

from evalcore.result import Score

STATES = {
    "empty_query": "the query says nothing",
    "empty_response": "the response says nothing",
    "empty_contexts": "no passage says anything",
    "refusal": "the response only declines to answer",
    "part_refusal": "a sentence of the response declines to answer, and others do not",
    "lexical_encoder": "words were compared, not meaning: no embedding model took part",
    "wrong_number": "a number, unit or date of the answer is not in the contexts",
    "wrong_name": "a name of the answer is not in the contexts",
    "wrong_statement": "a negation, a quantifier or a role of the answer is not that of the contexts",
    "unknown_script": "much of the answer is in a script the embedding model does not know",
}

_BOUND = re.compile(r"\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)\s*\Z")


@dataclass(frozen=True)
class Bounds:
    """An interval a score must lie in. Each end is strict or not; equality counts as written.

    Examples
    --------
    >>> Bounds.parse(">= 0.3, < 0.5").holds(0.3), Bounds.parse("< 0.35").holds(0.35)
    (True, False)
    """

    text: str
    low: float
    low_strict: bool
    high: float
    high_strict: bool

    @classmethod
    def parse(cls, text: str) -> Bounds:
        """Read one bound, or two with a comma between.

        Raises
        ------
        ValueError
            For anything else, and for bounds that no score in [0, 1] can meet.
        """
        low, low_strict, high, high_strict = 0.0, False, 1.0, False
        parts = str(text).split(",")
        if len(parts) > 2:
            raise ValueError(f"at most two bounds, found {text!r}")
        for part in parts:
            match = _BOUND.match(part)
            if match is None:
                raise ValueError(f"not a bound: {text!r}; write '< 0.35' or '>= 0.3, < 0.5'")
            sign, value = match.group(1), float(match.group(2))
            if sign.startswith(">"):
                low, low_strict = max((low, low_strict), (value, sign == ">"))
            else:
                high, high_strict = min(
                    (high, high_strict), (value, sign == "<"), key=lambda h: (h[0], not h[1])
                )
        if low > high or (low == high and (low_strict or high_strict)):
            raise ValueError(f"contradictory bound {text!r}: no score in [0, 1] meets it")
        return cls(str(text).strip(), low, low_strict, high, high_strict)

    def holds(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        above = value > self.low if self.low_strict else value >= self.low
        below = value < self.high if self.high_strict else value <= self.high
        return above and below

    def within(self, other: Bounds) -> bool:
        """Whether every value that lies here lies in the other interval too."""
        return (self.low, self.low_strict) >= (other.low, other.low_strict) and (
            (self.high, not self.high_strict) <= (other.high, not other.high_strict)
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, Bounds) else cls.parse(value),
            serialization=core_schema.plain_serializer_function_ser_schema(lambda bounds: bounds.text),
        )


@dataclass(frozen=True)
class When:
    """All of several conditions: bounds on scores, and states that must hold.

    Written as a mapping; the key ``state`` names one state or a list, any other key a score.
    """

    scores: tuple[tuple[str, Bounds], ...] = ()
    states: tuple[str, ...] = ()

    @classmethod
    def parse(cls, data: Any) -> When:
        """Read the mapping.

        Raises
        ------
        ValueError
            For an unknown state or an unreadable bound; the message names the key.
        """
        if not isinstance(data, Mapping):
            raise ValueError(f"conditions are a mapping of score to bound, found {data!r}")
        scores: list[tuple[str, Bounds]] = []
        states: tuple[str, ...] = ()
        for key, value in data.items():
            if key == "state":
                if not isinstance(value, str | list | tuple) or not value:
                    raise ValueError(f"state: one state or a list of them, found {value!r}")
                states = (value,) if isinstance(value, str) else tuple(value)
                for state in states:
                    if not isinstance(state, str) or state not in STATES:
                        raise ValueError(f"unknown state {state!r}; known: {', '.join(STATES)}")
                continue
            try:
                scores.append((str(key), Bounds.parse(value)))
            except ValueError as error:
                raise ValueError(f"{key}: {error}") from error
        return cls(tuple(scores), states)

    def __bool__(self) -> bool:
        return bool(self.scores or self.states)

    @property
    def names(self) -> tuple[str, ...]:
        """The scores looked at."""
        return tuple(name for name, _ in self.scores)

    def implies(self, other: When) -> bool:
        """Whether the other holds wherever this one does: it names less, and its bounds are no narrower."""
        own = dict(self.scores)
        return set(other.states) <= set(self.states) and all(
            name in own and own[name].within(bounds) for name, bounds in other.scores
        )

    def holds(self, scores: Mapping[str, Score], states: Sequence[str]) -> bool | None:
        """True, False, or None where it hangs on a score that was not measured (Kleene's logic)."""
        if any(state not in states for state in self.states):
            return False
        open_question = False
        for name, bounds in self.scores:
            value = scores[name].value
            if value is None:
                open_question = True
            elif not bounds.holds(value):
                return False
        return None if open_question else True

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, When) else cls.parse(value),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda when: {
                    **({"state": list(when.states)} if when.states else {}),
                    **{name: bounds.text for name, bounds in when.scores},
                }
            ),
        )
