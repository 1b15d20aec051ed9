"""Whether a number of a sentence is one that the contexts state, in the same unit or another."""

from __future__ import annotations

from evalcore.findings.facts import ContextFacts, Values
from evalcore.findings.quantity import BARE, CLOCK, Quantity
from evalcore.findings.tokens import stopwords
from evalcore.findings.units import MONEY, RATIO, Unit, tolerance

_CENTS = MONEY + "CENT"


def same_value(quantity: Quantity, facts: ContextFacts) -> Quantity | None:
    """A number of the contexts that states the same amount in a unit that can be converted."""
    unit = quantity.unit
    for value in quantity.values:
        for dimension, values in _comparable(unit, facts):
            exact = dimension == unit.dimension
            base = value * unit.factor if exact else value
            for found, other in values.between(*_around(base, 0.16)):
                limit = tolerance(unit, other.unit) if exact else 1e-6
                equal = abs(found - base) <= limit * max(abs(base), 1e-12)
                if _convertible(quantity, other) and (
                    equal or _rounds(quantity, base, other, found, exact=exact)
                ):
                    return other
    return _converted(quantity, facts)


def _comparable(unit: Unit, facts: ContextFacts) -> list[tuple[str, Values]]:
    known = facts.by_dimension
    if unit == BARE:
        return [("*", facts.raw)]
    wanted = [unit.dimension, ""]
    if unit.dimension in {"degree", "temperature"}:
        wanted = ["temperature", "degree", ""]
    return [(dimension, known[dimension]) for dimension in wanted if dimension in known]


def _converted(quantity: Quantity, facts: ContextFacts) -> Quantity | None:
    """The same amount where a factor alone does not convert it."""
    for value in quantity.values:
        if quantity.unit.dimension == RATIO:
            found = _first(facts, [""], value / 100)
        elif quantity.unit.dimension == "temperature":
            found = _same_warmth(quantity, value, facts)
        elif quantity.unit.dimension == _CENTS:
            found = _first(
                facts, [d for d in facts.by_dimension if d.startswith(MONEY) and d != _CENTS], value / 100
            )
        elif quantity.unit.dimension.startswith(MONEY):
            found = _first(facts, [_CENTS], value * 100)
        else:
            found = None
        if found is not None:
            return found
    return None


def _first(facts: ContextFacts, dimensions: list[str], value: float) -> Quantity | None:
    known = facts.by_dimension
    for dimension in dimensions:
        if dimension in known:
            for _, other in known[dimension].between(*_around(value, 1e-6)):
                return other
    return None


def _same_warmth(quantity: Quantity, value: float, facts: ContextFacts) -> Quantity | None:
    celsius = _celsius(value, quantity.unit)
    known = facts.by_dimension.get("temperature")
    for other in known.quantities if known else ():
        if (
            other.unit.system != quantity.unit.system
            and abs(_celsius(other.values[0], other.unit) - celsius) <= 1
        ):
            return other
    return None


def _celsius(value: float, unit: Unit) -> float:
    if unit.system == "kelvin":
        return value - 273.15
    return (value - 32) / 1.8 if unit.system == "fahrenheit" else value


def _around(value: float, share: float) -> tuple[float, float]:
    reach = abs(value) * share + 1e-12
    return value - reach, value + reach


def _rounds(said: Quantity, base: float, held: Quantity, found: float, *, exact: bool) -> bool:
    """Whether what is said is what is held, rounded: "$1.3 million" for $1,254,300, "about 50" for 52."""
    apart = abs(found - base) / max(abs(base), 1e-12)
    if said.unit == CLOCK:
        return False
    if said.loose:
        # A rounded number has fewer digits: 33 is not "about" 30.
        if _digits(said) >= _digits(held):
            return False
        return apart <= (0.15 if said.bound * (found - base) > 0 else 0.0 if said.bound else 0.06)
    if held.loose and held.bound == 0:
        return apart <= 0.03 and _digits(said) < _digits(held)
    step = said.step * (said.unit.factor if exact else 1)
    finer = held.step * (held.unit.factor if exact else 1) < step * 0.999 or (
        said.scaled and _digits(said) < _digits(held)
    )
    return finer and abs(found - base) <= step * 0.501 and apart <= 0.05


def _digits(quantity: Quantity) -> int:
    """How many digits a number has without the noughts at its ends."""
    return len("".join(c for c in quantity.text if c.isdecimal()).strip("0"))


def _convertible(said: Quantity, held: Quantity) -> bool:
    """Whether equal figures are the same amount: one unit is missing, or both are alike."""
    one, other = said.unit, held.unit
    if one.dimension == other.dimension:
        if one.dimension == "temperature":
            return one.system == other.system
        # "A month" is no claim about days.
        return one.system == other.system or not held.implicit
    if "degree" in (one.dimension, other.dimension):
        return True
    # "9 euros" is not what "9 users" says.
    return one == BARE or (other == BARE and (not held.noun or held.noun in stopwords()))
