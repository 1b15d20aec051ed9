"""Pairs of names, or of a name and a number, that the evidence pairs otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evalcore.findings.clauses import Clause, clauses
from evalcore.findings.finding import Finding
from evalcore.findings.names import Name
from evalcore.findings.quantity import Quantity
from evalcore.findings.tokens import Token, stem

_OVERLAP: Final = 0.6
_PARTNER_OVERLAP: Final = 0.75
_MOST_CLAUSES: Final = 60


def role_findings(sentence: str, evidence: Sequence[str]) -> list[Finding]:
    """Names tied to what the evidence ties to another name, each tie stated there in a clause of its own."""
    held = [clause for text in evidence for clause in clauses(text)][:_MOST_CLAUSES]
    own = clauses(sentence)[:_MOST_CLAUSES]
    if not held or not any(clause.names for clause in own):
        return []
    found = []
    borrowed: frozenset[str] = frozenset()
    for clause in own:
        predicate = _predicate(clause) or borrowed
        borrowed = borrowed or _predicate(clause)
        finding = (
            _wrong_number(sentence, clause, predicate, held)
            or _wrong_partner(sentence, clause, held)
            or _turned_round(sentence, clause, held)
        )
        if finding is not None:
            found.append(finding)
    return found


def _predicate(clause: Clause) -> frozenset[str]:
    return clause.stems - {w.stem for name in clause.names for w in name.words}


def _has(clause: Clause, name: Name) -> bool:
    """Whether a clause has the last word of a name, which a person goes by, or all of a short one."""
    lows = {w.low for other in clause.names for w in other.words} | {w.low for w in clause.words}
    return name.words[-1].low in lows


def _value(quantity: Quantity) -> tuple[str, tuple[float, ...]]:
    return quantity.unit.dimension, tuple(v * quantity.unit.factor for v in quantity.values)


def _wrong_number(
    sentence: str, clause: Clause, predicate: frozenset[str], held: Sequence[Clause]
) -> Finding | None:
    names = clause.names
    if len(names) != 1 or len(clause.numbers) != 1:
        return None
    name, number = names[0], clause.numbers[0]
    numbers = [c for c in held if len(c.numbers) == 1 and len(c.names) == 1]
    with_name = [c for c in numbers if _has(c, name) and _value(c.numbers[0])[0] == _value(number)[0]]
    with_number = [c for c in numbers if not _has(c, name) and _value(c.numbers[0]) == _value(number)]
    if not with_name or not with_number or any(_value(c.numbers[0]) == _value(number) for c in with_name):
        return None
    if any(_has(c, name) and any(_value(q) == _value(number) for q in c.numbers) for c in held):
        return None
    # Elliptic clauses ("Oslo has 24") have no predicate of their own.
    telling = [c for c in (*with_name, *with_number) if _predicate(c)]
    if not telling or any(_share(predicate, _predicate(c)) < _OVERLAP for c in telling):
        return None
    counted = {n for q in (number, with_name[0].numbers[0], with_number[0].numbers[0]) if (n := q.noun)}
    years = {q.year is None for q in (number, with_name[0].numbers[0])}
    if not predicate or len(counted) > 1 or len(years) > 1:
        return None
    right, other = with_name[0].numbers[0], with_number[0].names[0]
    return Finding(
        kind="role", start=number.start, end=number.end, text=sentence[number.start : number.end],
        message=f"{number.text} goes with '{other.text}' in the evidence, '{name.text}' with {right.text}",
        nearest=right.text,
    )  # fmt: skip


def _wrong_partner(sentence: str, clause: Clause, held: Sequence[Clause]) -> Finding | None:
    names = clause.names
    if len(names) != 2 or len(_predicate(clause)) < 1:
        return None
    one, other = names
    close = [c for c in held if _share(_predicate(clause), _predicate(c)) >= _PARTNER_OVERLAP]
    if any(_has(c, one) and _has(c, other) for c in held):
        return None
    with_one = [c for c in close if _has(c, one) and len(c.names) == 2]
    with_other = [c for c in close if _has(c, other) and len(c.names) == 2]
    if not with_one or not with_other:
        return None
    partner = _partner(with_one[0], one)
    if partner is None:
        return None
    return Finding(
        kind="role", start=other.start, end=other.end, text=sentence[other.start : other.end],
        message=f"the evidence ties '{one.text}' to '{partner.text}': '{with_one[0].text.strip()[:120]}'",
        nearest=partner.text,
    )  # fmt: skip


def _turned_round(sentence: str, clause: Clause, held: Sequence[Clause]) -> Finding | None:
    """Two names that change places around the same words: "A bought B" for "B bought A"."""
    names = clause.names
    if len(names) != 2:
        return None
    between = _between(clause, names[0], names[1])
    if not between or not between & _predicate(clause):
        return None
    for other in held:
        theirs = other.names
        if len(theirs) != 2 or not (_same(theirs[0], names[1]) and _same(theirs[1], names[0])):
            continue
        if _between(other, theirs[0], theirs[1]) == between and not between & _MUTUAL:
            return Finding(
                kind="role", start=names[0].start, end=names[1].end,
                text=sentence[names[0].start : names[1].end],
                message=f"the evidence has it the other way round: '{other.text.strip()[:120]}'",
                nearest=other.text.strip()[:120],
            )  # fmt: skip
    return None


_MUTUAL: Final = frozenset(
    stem(w)
    for w in [
        "met",
        "meets",
        "married",
        "marries",
        "borders",
        "played",
        "plays",
        "fought",
        "resembles",
        "equals",
        "versus",
        "joined",
        "meet",
    ]
)


def _between(clause: Clause, one: Name, other: Name) -> frozenset[str]:
    inside: list[Token] = [w for w in clause.words if one.end <= w.start < other.start]
    return frozenset(w.stem for w in inside)


def _same(one: Name, other: Name) -> bool:
    return one.words[-1].low == other.words[-1].low


def _partner(clause: Clause, name: Name) -> Name | None:
    return next((n for n in clause.names if n.words[-1].low != name.words[-1].low), None)


def _share(own: frozenset[str], other: frozenset[str]) -> float:
    return len(own & other) / len(own) if own else 0.0
