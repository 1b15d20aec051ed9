"""Errors made on purpose: a supported sentence with one fact changed, and harmless rewordings of it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Made:
    """A changed sentence, the kind of change, and where in ``text`` the change stands."""

    kind: str
    text: str
    spans: Spans


_LISTS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "edits.yaml").read_text(encoding="utf-8"))
_MONTHS = frozenset(_LISTS["months"])
_NOT_NAMES = frozenset(_LISTS["not_names"])
_FUNCTION = frozenset(_LISTS["function_words"])
_AUXILIARIES = frozenset(_LISTS["auxiliaries"])
_NAME = re.compile(r"\b[A-Z][\w'’.-]*[a-z](?: (?:of |the |de |van )?[A-Z][\w'’-]+)*")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w]*[A-Za-z])")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+")


def changes(sentence: str, names: Sequence[str], words: Sequence[str], rng: random.Random) -> list[Made]:
    """One made error of every kind that applies to the sentence.

    ``names`` are names of the same or of other documents, ``words`` content words of others.
    """
    made = [change(sentence, rng) for change in _PLAIN]
    made.append(_other_name(sentence, names, rng))
    made.append(_other_word(sentence, words, rng))
    return [m for m in made if m is not None and m.text != sentence]


def names_in(text: str) -> list[str]:
    """What looks like a name in an English text; a sentence's first word only as part of a longer name."""
    return [m.group() for m in _names(text)]


def content_words(text: str) -> list[str]:
    """Lower-case words that carry meaning."""
    return [w for w in _WORD.findall(text) if w.islower() and w not in _FUNCTION and len(w) > 3]


def _names(text: str) -> list[re.Match[str]]:
    return [
        m
        for m in _NAME.finditer(text)
        if m.group().split()[0] not in _NOT_NAMES
        and (m.start() > 0 or " " in m.group())
        and m.group() not in _MONTHS
    ]


def _put(kind: str, sentence: str, start: int, end: int, new: str) -> Made:
    return Made(kind, sentence[:start] + new + sentence[end:], ((start, start + max(len(new), 1)),))


def _pick(found: Sequence[re.Match[str]], rng: random.Random) -> re.Match[str] | None:
    return rng.choice(found) if found else None


def change_number(sentence: str, rng: random.Random) -> Made | None:
    """One number of the sentence made another; None where it has none."""
    match = _pick(list(_NUMBER.finditer(sentence)), rng)
    if match is None:
        return None
    old = match.group()
    plain = old.replace(",", "")
    if plain.count(".") > 1 or len(plain) > 12:
        return None
    decimals = len(plain.partition(".")[2])
    value = float(plain)
    if decimals == 0 and 1500 <= value <= 2100 and "," not in old:
        new = str(int(value) + rng.choice([-30, -12, -10, -5, -3, -2, -1, 1, 2, 3, 5, 9, 10, 20, 40]))
        return _put("date", sentence, match.start(), match.end(), new)
    way = rng.randrange(4)
    changed = value
    if way == 0:
        changed = value + rng.choice([-3, -2, -1, 1, 2, 3]) * (10**-decimals)
    elif way == 1:
        changed = value * rng.choice([0.1, 0.5, 2, 3, 10])
    elif way == 2:
        changed = value * rng.uniform(0.6, 1.6)
    else:
        digits = [c for c in plain if c.isdigit()]
        position = rng.randrange(len(digits))
        digits[position] = rng.choice([d for d in "123456789" if d != digits[position]])
        changed = float("".join(digits)) * 10**-decimals
    if changed <= 0 or abs(changed - value) < 10**-decimals / 2:
        changed = value + 10**-decimals * 2
    new = f"{changed:,.{decimals}f}" if "," in old else f"{changed:.{decimals}f}"
    return None if new == old else _put("number", sentence, match.start(), match.end(), new)


def _from_lists(kind: str, lists: Sequence[Sequence[str]]) -> Callable[[str, random.Random], Made | None]:
    others = {word: [o for o in group if o != word] for group in lists for word in group}
    pattern = re.compile(r"\b(" + "|".join(sorted(others, key=len, reverse=True)) + r")\b")

    def change(sentence: str, rng: random.Random) -> Made | None:
        match = _pick([m for m in pattern.finditer(sentence) if m.group() != "May" or m.start()], rng)
        return match and _put(kind, sentence, match.start(), match.end(), rng.choice(others[match.group()]))

    return change


@cache
def _opposites() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for pair in _LISTS["opposites"]:
        one, other = pair.split("/")
        table.setdefault(one, []).append(other)
        table.setdefault(other, []).append(one)
    return table


def _opposite(sentence: str, rng: random.Random) -> Made | None:
    match = _pick([m for m in _WORD.finditer(sentence) if m.group().lower() in _opposites()], rng)
    if match is None:
        return None
    new = rng.choice(_opposites()[match.group().lower()])
    if match.group()[0].isupper():
        new = new.capitalize()
    return _put("opposite", sentence, match.start(), match.end(), new)


def _negation(sentence: str, rng: random.Random) -> Made | None:
    held = list(re.finditer(r"\b(?:not |never |no longer )|n['’]t\b", sentence))
    if held and rng.random() < 0.8:
        match = rng.choice(held)
        text = sentence[: match.start()] + sentence[match.end() :]
        before = sentence.rfind(" ", 0, max(match.start() - 1, 0)) + 1
        return Made("negation", text, ((before, max(match.start(), before + 1)),))
    verb = _pick([m for m in _WORD.finditer(sentence) if m.group() in _AUXILIARIES], rng)
    if verb is None or re.match(r"\s+not\b|n['’]t", sentence[verb.end() :]):
        return None
    new = rng.choice(["{} not", "{} not", "{} never"]).format(verb.group())
    return _put("negation", sentence, verb.start(), verb.end(), new)


def _roles(sentence: str, rng: random.Random) -> Made | None:
    found = _names(sentence)
    if len(found) < 2:
        return None
    one, other = sorted(rng.sample(found, 2), key=lambda m: m.start())
    if one.group() == other.group() or "," in sentence[one.end() : other.start()][:2]:
        return None
    between = sentence[one.end() : other.start()]
    if re.fullmatch(r",? (?:and|or|&) ", between):
        return None
    head = sentence[: one.start()] + other.group()
    text = head + between + one.group() + sentence[other.end() :]
    second = len(head + between)
    return Made("role", text, ((one.start(), len(head)), (second, second + len(one.group()))))


def _other_name(sentence: str, names: Sequence[str], rng: random.Random) -> Made | None:
    match = _pick(_names(sentence), rng)
    own = sentence.lower()
    others = [n for n in names if n.lower() not in own and not set(n.lower().split()) & set(own.split())]
    if match is None or not others:
        return None
    length = len(match.group().split())
    alike = [n for n in others if len(n.split()) == length] or others
    return _put("name", sentence, match.start(), match.end(), rng.choice(alike))


def _other_word(sentence: str, words: Sequence[str], rng: random.Random) -> Made | None:
    match = _pick(
        [
            m
            for m in _WORD.finditer(sentence)
            if m.group().islower() and m.group() not in _FUNCTION and len(m.group()) > 3
        ],
        rng,
    )
    if match is None:
        return None
    ending = next((e for e in ("ing", "ed", "ly", "tion", "s") if match.group().endswith(e)), "")
    alike = [
        w
        for w in words
        if w.endswith(ending) and (ending or w[-1] not in "sdgy") and w[:4] != match.group()[:4]
    ]
    alike = [w for w in alike if w not in sentence]
    return _put("word", sentence, match.start(), match.end(), rng.choice(alike)) if alike else None


_PLAIN: tuple[Callable[[str, random.Random], Made | None], ...] = (
    change_number,
    _from_lists("date", [_LISTS["months"], _LISTS["days"]]),
    _from_lists("number", [_LISTS["number_words"]]),
    _from_lists("unit", _LISTS["units"]),
    _opposite,
    _negation,
    _roles,
)


@cache
def _wordings() -> list[tuple[re.Pattern[str], str]]:
    pairs = [pair.split("/") for pair in _LISTS["wordings"]]
    return [(re.compile(rf"(?<![\w.,]){re.escape(a)}(?![\w.,]*\w)"), b) for a, b in pairs]


def reworded(sentence: str, rng: random.Random, opening: float = 0.25) -> str:
    """The sentence said a little differently, its facts kept.

    Examples
    --------
    >>> reworded("It weighs approximately 5 kg.", random.Random(1), opening=0)
    'It weighs about 5 kg.'
    """
    text = sentence
    for pattern, new in rng.sample(_wordings(), len(_wordings())):
        if pattern.search(text) and rng.random() < 0.6:
            text = pattern.sub(new, text, count=1)
    if rng.random() < 0.3:
        text = re.sub(r"\s*\([^()]{0,60}\)", "", text)
    if rng.random() < 0.3:
        text = _without_a_clause(text, rng)
    if rng.random() < 0.2:
        text = _clauses_turned(text)
    if rng.random() < opening:
        start = rng.choice(_LISTS["openings"])
        first = text.split(" ", 1)[0]
        lower = first in _NOT_NAMES and first != "I" and start[0].isalpha()
        text = start + (text[0].lower() + text[1:] if lower else text)
    elif rng.random() < 0.1:
        text = text.rstrip(".")
    elif rng.random() < 0.05:
        text = text.lower()
    return text


def _without_a_clause(text: str, rng: random.Random) -> str:
    """Leave out one part between two commas, or the last part after one."""
    parts = text.split(", ")
    if len(parts) < 3 or re.search(r", (?:and|or) ", text):
        return text
    gone = rng.randrange(1, len(parts))
    kept = parts[:gone] + parts[gone + 1 :]
    joined = (", " if gone < len(parts) - 1 and rng.random() < 0.5 else " ").join(
        [", ".join(kept[:gone]), ", ".join(kept[gone:])]
    )
    joined = joined.strip(", ")
    return joined if joined.endswith((".", "!", "?")) or not text.endswith(".") else joined + "."


def _clauses_turned(text: str) -> str:
    """ "In May, it rained." becomes "It rained in May." """
    match = re.fullmatch(
        r"((?:In|On|At|After|Before|During|When|If|Since|By|For|With) [^,]{3,60}), (.{10,})\.", text
    )
    if match is None:
        return text
    opening, rest = match.groups()
    return f"{rest[0].upper()}{rest[1:]} {opening[0].lower()}{opening[1:]}."
