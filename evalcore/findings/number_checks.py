"""Numbers, units and dates of a sentence that the contexts do not state."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from evalcore.findings.dates import MONTHS, WEEKDAYS, Date
from evalcore.findings.facts import DECADE, ContextFacts
from evalcore.findings.finding import Finding, Kind
from evalcore.findings.matching import same_value
from evalcore.findings.quantities import quantities
from evalcore.findings.quantity import Quantities, Quantity
from evalcore.findings.tokens import Token, stem

_MOST_CHECKED: Final = 200
_LIST_NUMBER = re.compile(r"\s*\(?\d{1,3}[.)]\s")
_POINTER = re.compile(
    r"(?:passages?|sources?|documents?|articles?|steps?|options?|figures?|tables?|tips?|points?|methods?|парт|шаг"
    r"|источник|документ|пример|example|item|answer|reason|#|№|no\.)\s?#?(?:\d{1,3}(?:,| and|, and| и)\s)*\Z",
    re.IGNORECASE,
)
_CENTURY: Final = frozenset(stem(w) for w in ("century", "centuries", "век", "века", "веке"))
_DERIVED = re.compile(
    r"\b(?:total|totals|totalling|sum|combined|altogether|difference|apart|average|later|earlier|together|remaining"
    r"|longer|shorter|more than|less than|twice|всего|итого|вместе|разница|позже|раньше|между|between)\b",
    re.IGNORECASE,
)
_YEAR_LEAD = re.compile(
    r"\b(?:in|since|until|till|by|from|to|year|of|during|before|after|around|в|с|до|к|около)\s\Z",
    re.IGNORECASE,
)
_MONTH_LEAD = re.compile(
    r"\b(?:in|on|since|until|till|by|from|to|of|during|before|after|early|late|mid|last|next|this|every|each|and|or"
    r"|through|between|в|во|с|до|к|по|на|начале|конце)[\s-]\Z",
    re.IGNORECASE,
)


def number_findings(
    sentence: str, said: Quantities, facts: ContextFacts, evidence: Sequence[str]
) -> list[Finding]:
    """Numbers, units and years of a sentence that no passage states, with the nearest one there."""
    near = [q for text in evidence for q in quantities(text).numbers[:_MOST_CHECKED]]
    near = near or list(facts.numbers[:_MOST_CHECKED])
    found = []
    leading = _LIST_NUMBER.match(sentence)
    for quantity in said.numbers[:_MOST_CHECKED]:
        if (leading and quantity.start < leading.end()) or _POINTER.search(
            sentence[max(0, quantity.start - 32) : quantity.start]
        ):
            continue
        if quantity.implicit or _held(sentence, quantity, facts) or not _is_claim(quantity, near, facts):
            continue
        if _DERIVED.search(sentence) and _is_derived(quantity, near):
            continue
        nearest = _nearest(quantity, near, facts)
        found.append(_finding(sentence, quantity, nearest))
    return found


def date_findings(
    sentence: str, said: Quantities, words: Sequence[Token], facts: ContextFacts, evidence: Sequence[str]
) -> list[Finding]:
    """Dates, months and weekdays of a sentence that no passage states."""
    near = [d for text in evidence for d in quantities(text).dates]
    found = []
    for date in said.dates[:_MOST_CHECKED]:
        if not any(_states(other, date, facts) for other in facts.dates) and not _pieces_held(date, facts):
            nearest = min((near or list(facts.dates)), key=lambda o: _days_apart(date, o), default=None)
            told = nearest.text if nearest else _nearest_year(date.year, facts)
            found.append(_absent("date", sentence, date.start, date.end, told))
    taken = [(date.start, date.end) for date in said.dates]
    for word in words[: 20 * _MOST_CHECKED]:
        told = _missing_name_of_time(sentence, word, facts)
        if told is not None and not any(start <= word.start < end for start, end in taken):
            found.append(_absent("date", sentence, word.start, word.end, told or None))
    return found


def _held(sentence: str, quantity: Quantity, facts: ContextFacts) -> bool:
    year = quantity.year
    if quantity.label and not quantity.unit.dimension and quantity.label in facts.labelled:
        return bool(facts.labelled[quantity.label].intersection(quantity.values))
    if year is not None and year in facts.years:
        return True
    if same_value(quantity, facts) is not None:
        return True
    if quantity.noun in _CENTURY and facts.centuries.intersection(quantity.values):
        return True
    if year is None:
        return False
    # "The 1990s" for 1994, and the other way round.
    spoken = DECADE.match(sentence, quantity.start) is not None
    return year // 10 * 10 in facts.decades or (spoken and any(y // 10 == year // 10 for y in facts.years))


def _is_claim(quantity: Quantity, near: Iterable[Quantity], facts: ContextFacts) -> bool:
    """Whether an absent number can be called wrong: a small bare count may only count what is listed."""
    if quantity.unit.dimension or quantity.year is not None or quantity.step < 1 or quantity.scaled:
        return True
    if quantity.label in facts.labelled or (quantity.digits and quantity.values[-1] > 10):
        return True
    return bool(quantity.noun) and any(
        other.noun == quantity.noun and not other.unit.dimension and other.values != quantity.values
        for other in near
    )


def _is_derived(quantity: Quantity, near: Sequence[Quantity]) -> bool:
    alike = [q for q in near if q.unit.dimension == quantity.unit.dimension or not quantity.unit.dimension][
        :24
    ]
    bases = [q.values[-1] * (q.unit.factor if quantity.unit.dimension else 1) for q in alike]
    wanted = quantity.values[-1] * (quantity.unit.factor if quantity.unit.dimension else 1)
    years = [float(q.year) for q in near if q.year is not None]
    results = {sum(bases)} | {
        result for a, b in combinations(bases, 2) for result in (a + b, abs(a - b), (a + b) / 2, a * b)
    }
    results |= {abs(a - b) for a, b in combinations(years[:24], 2)}
    return any(math.isclose(wanted, r, rel_tol=1e-6) for r in results) or quantity.values[-1] in results


def _nearest(quantity: Quantity, near: Sequence[Quantity], facts: ContextFacts) -> Quantity | None:
    known = facts.by_dimension
    base = quantity.values[-1] * quantity.unit.factor
    far: list[Quantity] = []
    if quantity.unit.dimension in known:
        far.extend(known[quantity.unit.dimension].around(base))
    far.extend(facts.raw.around(quantity.values[-1]))
    candidates = [(q, 0.0) for q in near] + [(q, 1.0) for q in far]
    return min(candidates, key=lambda pair: _distance(quantity, pair[0]) + pair[1], default=(None, 0.0))[0]


def _distance(said: Quantity, held: Quantity) -> float:
    same = said.unit.dimension == held.unit.dimension
    one = abs(said.values[-1] * (said.unit.factor if same else 1))
    other = abs(held.values[-1] * (held.unit.factor if same else 1))
    apart = min(abs(math.log10((one + 1e-9) / (other + 1e-9))), 6.0)
    score = apart + (0 if same else 2) + (3 if held.implicit else 0)
    score += 3 if (said.year is None) != (held.year is None) else 0
    digits = _digits(said.text), _digits(held.text)
    if digits[0] and digits[0] == digits[1]:
        score -= 2 if len(digits[0]) == 1 else 5
    score -= 1.5 if said.noun and said.noun == held.noun else 0
    return score - (5 if said.label and said.label == held.label else 0)


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdecimal()).strip("0")


def _finding(sentence: str, said: Quantity, nearest: Quantity | None) -> Finding:
    kind: Kind = "number"
    if said.year is not None and (said.year >= 1500 or _YEAR_LEAD.search(sentence[: said.start][-12:])):
        kind = "date"
    elif nearest is not None and said.unit != nearest.unit and set(said.values) & set(nearest.values):
        kind = "unit"
    return _absent(kind, sentence, said.start, said.end, nearest.text.strip() if nearest else None)


def _absent(kind: Kind, sentence: str, start: int, end: int, nearest: str | None) -> Finding:
    text = sentence[start:end]
    message = f"{text.strip()} is not in the context"
    if nearest:
        message += f" (nearest: {nearest})"
    return Finding(kind=kind, start=start, end=end, text=text, message=message, nearest=nearest)


def _states(held: Date, said: Date, facts: ContextFacts) -> bool:
    """Whether a date of the contexts states all that is said; a year may stand elsewhere."""
    if not said.agrees(held):
        return False
    if (said.month is not None and held.month is None) or (said.day is not None and held.day is None):
        return False
    return said.year is None or held.year is not None or said.year in facts.years or not facts.years


def _pieces_held(date: Date, facts: ContextFacts) -> bool:
    if date.day is None:
        return (date.month is None or date.month in facts.months) and (
            date.year is None or date.year in facts.years
        )
    return date.text.strip().casefold() in facts.folded


def _days_apart(one: Date, other: Date) -> float:
    apart = 0.0
    for a, b, weight in ((one.year, other.year, 365), (one.month, other.month, 30), (one.day, other.day, 1)):
        apart += 200 if (a is None) != (b is None) else weight * abs((a or 0) - (b or 0))
    return apart


def _nearest_year(year: int | None, facts: ContextFacts) -> str | None:
    if year is None or not facts.years:
        return None
    return str(min(sorted(facts.years), key=lambda y: abs(y - year)))


def _missing_name_of_time(sentence: str, word: Token, facts: ContextFacts) -> str | None:
    """The nearest month or weekday for one that the contexts never name; None when there is no fault."""
    low = word.low
    weekday, month = WEEKDAYS.get(low), MONTHS.get(low)
    if weekday is None and month is None:
        return None
    english = word.text.isascii()
    if (english and not word.text[0].isupper()) or (len(low) < 4 and low != "may"):
        return None
    if weekday is not None:
        if weekday in facts.weekdays or not facts.weekdays:
            return None
        if facts.spans_weekdays:
            return None
        return _first(facts, WEEKDAYS)
    if month in facts.months or not _MONTH_LEAD.search(sentence[: word.start][-12:]):
        return None
    return _first(facts, MONTHS)


def _first(facts: ContextFacts, listed: Iterable[str]) -> str:
    return next((word.capitalize() for word in listed if word in facts.words), "")
