"""Supported sentences of the demo data, and the same with one thing changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evalcore.text import sentences, words
from seed_data import load_samples

_HELD_SHARE = 0.9
_UNITS = (
    ("months", "weeks"), ("month", "week"), ("days", "hours"), ("years", "months"), ("minutes", "seconds"),
    ("hours", "minutes"), ("weeks", "years"), ("euros", "dollars"), ("litres", "grams"), ("°C", "°F"),
    ("per cent", "kg"), ("volts", "watts"), ("cm", "kg"), (" m ", " km "), ("дней", "часов"), ("дня", "часа"),
    ("недель", "лет"), ("недели", "года"), ("минут", "секунд"), ("евро", "долларов"), ("天", "年"),
    ("литров", "граммов"), ("литра", "грамма"), ("Tagen", "Wochen"), ("Monaten", "Jahren"), ("years", "days"),
    ("месяцев", "дней"),
)  # fmt: skip
_COUNTED = r"two|three|six|eight|ten|шесть|трёх|десять"
_WORDED = (
    ("two", "six"), ("three", "nine"), ("ten", "thirty"), ("eight", "forty"), ("шесть", "девять"),
    ("трёх", "восьми"), ("десять", "сорок"),
)  # fmt: skip
_NAMES = (
    "Norrvik", "Visa", "Ethernet", "Tanner", "Hovest", "Horizon", "Lindenport", "Starter", "Scale", "Aero",
    "Mastercard", "Hospital", "Clara", "Elm", "SEPA", "Retry", "Billing", "Zoo", "Team", "Halden",
)  # fmt: skip
_OTHER_NAMES = ("Samsung", "Stanford", "Kovacs", "Brentwood")
_MONTHS = (
    "January", "March", "April", "July", "September", "December", "января", "марта", "сентября", "декабря",
)  # fmt: skip
_OTHER_MONTHS = {True: ("October", "June"), False: ("октября", "июня")}
_NEGATIONS = (
    (r"\b(is|are|was|were|must|may|can|should|will) (?!not\b|never\b)(?=[a-z]{3,})", r"\1 not "),
    (r"\b(is|are|was|were|must|may|can|should|will|does|do) not ", r"\1 "),
    (r"\bcannot ", "can "),
    (r"\bнельзя ", "можно "),
    (r"\b([Нн]е) (?=[а-я]{4,})(?!более|менее|позднее|только|старше|больше)", ""),
    (r"\b(хранятся|стоит|нужно|принимаются|подаётся|возвращается|входят|отвечает) ", r"не \1 "),
)
_BOUNDS = (
    ("at least", "at most"), ("up to", "at least"), ("no more than", "at least"),
    ("not more than", "at least"), ("at most", "at least"), ("more than", "less than"),
    ("below", "above"), ("within", "more than"),
    ("не более", "не менее"), ("до", "не менее"), ("больше", "меньше"),
)  # fmt: skip
_QUANTIFIERS = (
    ("every", "some"), ("all", "few"), ("All", "Few"), ("some", "all"),
    ("most", "all"), ("usually", "always"),
    ("не позднее", "не менее"), ("многие", "все"), ("только", "не только"),
)  # fmt: skip
_AMOUNT = r"\s?(?:\d|one|two|three|five|six|eight|ten)"


@dataclass(frozen=True)
class Case:
    """A sentence the contexts hold, and one that differs from it in one thing of a kind."""

    kind: str
    contexts: tuple[str, ...]
    sentence: str
    changed: str


def supported() -> list[tuple[str, tuple[str, ...]]]:
    """Sentences of good answers whose words the contexts hold, and the sentences of those contexts."""
    found = []
    for seed in load_samples():
        if seed.intended.quality != "good":
            continue
        contexts = tuple(seed.sample.contexts)
        held = {word for context in contexts for word in words(context)}
        for text in (seed.sample.response, *contexts):
            for span in sentences(text):
                own = words(span.text)
                if len(own) >= 4 and sum(w in held for w in own) >= _HELD_SHARE * len(own):
                    found.append((span.text, contexts))
    return list(dict.fromkeys(found))


def answers() -> list[tuple[str, tuple[str, ...]]]:
    """All sentences of good answers, whatever their words."""
    return [
        (span.text, tuple(seed.sample.contexts))
        for seed in load_samples()
        if seed.intended.quality == "good"
        for span in sentences(seed.sample.response)
    ]


def cases() -> Iterator[Case]:
    """One change a case, every change that applies."""
    for sentence, contexts in supported():
        whole = " ".join(contexts)
        for kind, changed in (
            *_numbers(sentence, whole), *_units(sentence, whole), *_named(sentence), *_dated(sentence, whole),
            *_replaced("negation", sentence, _NEGATIONS),
        ):  # fmt: skip
            if changed not in whole:
                yield Case(kind, contexts, sentence, changed)
        for changed in (*_bounded(sentence, _BOUNDS, _AMOUNT), *_bounded(sentence, _QUANTIFIERS, r"\s?\S")):
            yield Case("quantifier", contexts, sentence, changed)


def _bounded(sentence: str, pairs: tuple[tuple[str, str], ...], following: str) -> Iterator[str]:
    for one, other in pairs:
        if re.search(rf"\b{one}\b{following}", sentence) and not re.search(rf"\bno\b.*{one}", sentence, re.I):
            yield re.sub(rf"\b{one}\b", other, sentence, count=1)


def _numbers(sentence: str, whole: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(
        r"(?<![\w.,:/\[(-])\d{1,3}(?![\w.,:/-]|\.\d| (?:January|March|September|December|сен|мар|янв|дек))",
        sentence,
    ):
        value = int(match[0])
        for other in (value + 3, value * 10):
            if not re.search(rf"(?<!\d){other}(?!\d)", whole):
                yield "number", sentence[: match.start()] + str(other) + sentence[match.end() :]
                break
    for word, other_word in _WORDED:
        if re.search(rf"\b{word}\b", sentence) and not re.search(rf"\b{other_word}\b", whole):
            yield "number", re.sub(rf"\b{word}\b", other_word, sentence, count=1)


def _units(sentence: str, whole: str) -> Iterator[tuple[str, str]]:
    for unit, other in _UNITS:
        pattern = rf"(\d\s?|\b(?:{_COUNTED}) (?:working |рабочих )?){re.escape(unit)}(?![a-zа-я])"
        match = re.search(pattern, sentence)
        if match:
            yield "unit", sentence[: match.start()] + match[1] + other + sentence[match.end() :]


def _named(sentence: str) -> Iterator[tuple[str, str]]:
    for at, name in enumerate(_NAMES):
        if re.search(rf"\b{name}\b", sentence):
            other = _OTHER_NAMES[at % len(_OTHER_NAMES)]
            yield "name", re.sub(rf"\b{name}\b", other, sentence, count=1)


def _dated(sentence: str, whole: str) -> Iterator[tuple[str, str]]:
    for month in _MONTHS:
        match = re.search(rf"\b(\d{{1,2}}) {month}\b", sentence)
        if match:
            other = next(m for m in _OTHER_MONTHS[month.isascii()] if m not in whole)
            yield "date", sentence.replace(month, other, 1)
            day = 11 + int(match[1]) % 15
            yield "date", sentence.replace(match[0], f"{day} {month}", 1)
    for match in re.finditer(r"\b(?:19|20)\d\d\b", sentence):
        other = str(int(match[0]) + 7)
        if other not in whole:
            yield "date", sentence[: match.start()] + other + sentence[match.end() :]
    for match in re.finditer(r"\b(\d\d?):(\d\d)\b", sentence):
        other = f"{int(match[1]) + 2}:{match[2]}"
        if other not in whole:
            yield "date", sentence[: match.start()] + other + sentence[match.end() :]


def _replaced(kind: str, sentence: str, pairs: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
    for pattern, put in pairs:
        # Two negators in a clause make no negation.
        if "not" in put and re.search(r"\b(?:no|nobody|not|never)\b", sentence, re.IGNORECASE):
            continue
        changed = re.sub(pattern, put, sentence, count=1)
        if changed != sentence:
            yield kind, changed
