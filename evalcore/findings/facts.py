"""What the contexts of an answer state, gathered once for all its sentences."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from evalcore.findings.clauses import content_stems
from evalcore.findings.dates import MONTHS, WEEKDAYS, Date
from evalcore.findings.names import Name, names, skeleton
from evalcore.findings.quantities import ordinals, quantities
from evalcore.findings.quantity import BARE, Quantity
from evalcore.findings.tokens import Token, tokens
from evalcore.findings.units import Unit, find_unit
from evalcore.findings.vocabulary import word_set
from evalcore.text import sentences

# Said once, these are numbers too: "a week", "twice".
_TIMES: Final = {
    "once": 1, "twice": 2, "double": 2, "pair": 2, "both": 2, "couple": 2, "thrice": 3, "triple": 3,
    "half": 0.5, "дважды": 2, "вдвое": 2, "трижды": 3, "однажды": 1, "оба": 2, "обе": 2, "пара": 2,
}  # fmt: skip
_ONE = word_set("""a an one per each every the this next same в за один одна одну каждый каждую""")
DECADE: Final = re.compile(r"\b((?:1[0-9]|20)\d0)(?:['’]?s\b|-[хе])")
_YEAR_RANGE = re.compile(r"(?<!\d)(1[0-9]|20)\d\d[-–/](\d\d)(?!\d)")
_WEEKDAYS_TOGETHER = re.compile(
    rf"\b(?:{'|'.join(WEEKDAYS)})\b.?(?:[-–—]|to|through|until|till|по|до|and|и).?(?:{'|'.join(WEEKDAYS)})\b"
    r"|weekday|weekend|daily|every day|business day|рабочие дни|ежедневно|выходн",
    re.IGNORECASE,
)
IDENTIFIER: Final = re.compile(r"(?<!\w)([A-Za-z]{1,6}[-‑]?)\d{1,6}[A-Za-z]?(?![\w%])")
_MOST_IN_A_WINDOW = 256
_SENTENCES_BY_OVERLAP = 3
_COMMONEST = 400


@dataclass(frozen=True)
class Values:
    """Numbers of one dimension in rising order, each with the quantity that states it.

    Of those with the same value, unit and next word the first is kept.
    """

    sorted: tuple[float, ...]
    quantities: tuple[Quantity, ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, Quantity]]) -> Values:
        """Sort and make distinct."""
        first: dict[tuple[float, Unit, str, bool], Quantity] = {}
        for value, quantity in pairs:
            if math.isfinite(value):
                first.setdefault((value, quantity.unit, quantity.noun, quantity.implicit), quantity)
        ordered = sorted(first, key=lambda key: key[0])
        return cls(tuple(key[0] for key in ordered), tuple(first[key] for key in ordered))

    def between(self, low: float, high: float) -> list[tuple[float, Quantity]]:
        """The values from ``low`` to ``high``, both included, the first few hundred of them."""
        start, stop = bisect_left(self.sorted, low), bisect_right(self.sorted, high)
        stop = min(stop, start + _MOST_IN_A_WINDOW)
        return list(zip(self.sorted[start:stop], self.quantities[start:stop], strict=True))

    def around(self, value: float) -> list[Quantity]:
        """The two or three quantities next to a value."""
        at = bisect_left(self.sorted, value)
        return list(self.quantities[max(0, at - 1) : at + 2])


@dataclass(frozen=True)
class ContextFacts:
    """Numbers, dates, names and words of the contexts. Build with :meth:`of`; time linear in their length."""

    passages: tuple[str, ...]
    numbers: tuple[Quantity, ...] = field(repr=False)
    dates: tuple[Date, ...] = field(repr=False)
    names: tuple[Name, ...] = field(repr=False)
    words: frozenset[str] = field(repr=False)
    small: frozenset[str] = field(repr=False)
    """The words that begin with a small letter somewhere."""
    initials: str = field(repr=False)
    """First letters of the words in order, for acronyms; function words left out in the second half."""
    ordinals: frozenset[int] = field(repr=False)

    @classmethod
    def of(cls, passages: Sequence[str]) -> ContextFacts:
        """Gather the facts of the passages.

        Examples
        --------
        >>> facts = ContextFacts.of(["The tram line opened on 4 May 2011."])
        >>> facts.years
        frozenset({2011})
        """
        found_numbers: list[Quantity] = []
        found_dates: list[Date] = []
        found_names: list[Name] = []
        words: set[str] = set()
        small: set[str] = set()
        letters: list[str] = []
        seen_ordinals: set[int] = set()
        for passage in passages:
            stated = quantities(passage)
            read = tokens(passage)
            found_numbers.extend(stated.numbers)
            found_numbers.extend(_implicit(passage, read))
            found_dates.extend(stated.dates)
            found_names.extend(names(passage, read))
            words.update(token.low for token in read)
            small.update(token.low for token in read if token.text[0].islower())
            letters.append("".join(token.low[:1] for token in read))
            letters.append("".join(token.low[:1] for token in read if token.capital or len(token.low) > 3))
            seen_ordinals |= ordinals(read)
        return cls(
            tuple(passages), tuple(found_numbers), tuple(found_dates), tuple(found_names), frozenset(words),
            frozenset(small), "|".join(letters), frozenset(seen_ordinals),
        )  # fmt: skip

    @cached_property
    def by_dimension(self) -> dict[str, Values]:
        """Numbers by what they measure, in base units."""
        pairs: dict[str, list[tuple[float, Quantity]]] = {}
        for quantity in self.numbers:
            listed = pairs.setdefault(quantity.unit.dimension, [])
            listed.extend((value * quantity.unit.factor, quantity) for value in quantity.values)
        return {dimension: Values.of(listed) for dimension, listed in pairs.items()}

    @cached_property
    def raw(self) -> Values:
        """All numbers as written, whatever their unit."""
        extra = [(float(n), Quantity(0, 0, str(n), (float(n),), BARE)) for n in sorted(self.ordinals)]
        return Values.of([(value, q) for q in self.numbers for value in q.values] + extra)

    @cached_property
    def years(self) -> frozenset[int]:
        """Years, alone or in a date."""
        alone = {quantity.year for quantity in self.numbers} | {date.year for date in self.dates}
        # "2018-19" states both.
        short = {int(m[1] + m[2]) for passage in self.passages for m in _YEAR_RANGE.finditer(passage)}
        return frozenset(year for year in alone if year is not None) | short

    @cached_property
    def centuries(self) -> frozenset[int]:
        """The centuries of the years."""
        return frozenset((year - 1) // 100 + 1 for year in self.years)

    @cached_property
    def labelled(self) -> dict[str, frozenset[float]]:
        """The numbers of things that are numbered, such as lines and rooms, by the stem of the thing."""
        found: dict[str, set[float]] = {}
        for quantity in self.numbers:
            if quantity.label:
                found.setdefault(quantity.label, set()).update(quantity.values)
        return {label: frozenset(values) for label, values in found.items()}

    @cached_property
    def decades(self) -> frozenset[int]:
        """Decades spoken of as such, by their first year."""
        return frozenset(int(m[1]) for passage in self.passages for m in DECADE.finditer(passage))

    @cached_property
    def months(self) -> frozenset[int]:
        """Months, in a date or by name."""
        named = {MONTHS[word] for word in self.words & MONTHS.keys()}
        dated = {date.month for date in self.dates} | {date.day for date in self.dates if date.swapped}
        return frozenset(named | {month for month in dated if month is not None})

    @cached_property
    def weekdays(self) -> frozenset[int]:
        """Weekdays by name."""
        return frozenset(WEEKDAYS[word] for word in self.words & WEEKDAYS.keys())

    @cached_property
    def by_prefix(self) -> dict[str, tuple[str, ...]]:
        """Words by their first three letters, for words that differ in their ending only."""
        found: dict[str, list[str]] = {}
        for word in sorted(self.words):
            if len(word) >= 3:
                found.setdefault(word[:3], []).append(word)
        return {prefix: tuple(listed) for prefix, listed in found.items()}

    @cached_property
    def folded(self) -> str:
        """All text case-folded, a passage a line."""
        return "\n".join(self.passages).casefold()

    @cached_property
    def squeezed(self) -> str:
        """The letters and digits of all text: finds words that are written apart or joined."""
        return "".join(c for c in self.folded if c.isalnum() or c == "\n")

    @cached_property
    def identifiers(self) -> dict[str, tuple[str, ...]]:
        """Identifiers such as F3 and WA-2 by their letters."""
        found: dict[str, dict[str, None]] = {}
        for passage in self.passages:
            for match in IDENTIFIER.finditer(passage):
                found.setdefault(match[1].casefold(), {})[match[0]] = None
        return {letters: tuple(listed) for letters, listed in found.items()}

    @cached_property
    def full_names(self) -> dict[tuple[str, str], tuple[Name, ...]]:
        """Names of two words by both and, where a word is in no other kind of name, by one of them."""
        ends: dict[tuple[str, str], list[Name]] = {}
        alone = Counter(w.low for name in self.names for w in name.words)
        for name in self.names:
            if len(name.words) == 2:
                first, last = (w.low for w in name.words)
                for key in ((first, last), (first, ""), ("", last)):
                    ends.setdefault(key, []).append(name)
        return {
            key: tuple(listed)
            for key, listed in ends.items()
            if all(key) or alone[key[0] or key[1]] == len(listed)
        }

    @cached_property
    def scripts(self) -> tuple[int, int]:
        """How many words are in Latin letters and how many in Cyrillic ones."""
        latin = sum(word[0].isalpha() and word[0] < "\u0370" for word in self.words)
        return latin, sum("а" <= word[0] <= "я" for word in self.words)

    @cached_property
    def skeletons(self) -> tuple[frozenset[str], frozenset[str]]:
        """Beginnings of the consonants of Latin and of Cyrillic words: a name in the other script."""
        latin: set[str] = set()
        cyrillic: set[str] = set()
        for word in self.words:
            if word[0].isalpha() and (word[0].isascii() or "а" <= word[0] <= "я"):
                whole = skeleton(word)
                held = latin if word[0].isascii() else cyrillic
                held.update(whole[:length] for length in range(2, len(whole) + 1))
        return frozenset(latin), frozenset(cyrillic)

    @cached_property
    def spans_weekdays(self) -> bool:
        """Whether the contexts speak of days of the week together: "Monday to Friday", "daily"."""
        return any(_WEEKDAYS_TOGETHER.search(passage) for passage in self.passages)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the passages, in order."""
        return tuple(span.text for passage in self.passages for span in sentences(passage))

    @cached_property
    def _by_stem(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, sentence in enumerate(self.sentences):
            for one in content_stems(tokens(sentence)):
                found.setdefault(one, []).append(number)
        return found

    def closest_sentences(self, stems: Iterable[str]) -> tuple[str, ...]:
        """The sentences that share most of some stems, rare ones counting more; best first."""
        weight: Counter[int] = Counter()
        for one in sorted(set(stems)):
            listed = self._by_stem.get(one, ())
            if len(listed) <= _COMMONEST:
                for number in listed:
                    weight[number] += 1000 // (1 + int(math.log2(1 + len(listed))))
        best = sorted(weight, key=lambda number: (-weight[number], number))[:_SENTENCES_BY_OVERLAP]
        return tuple(self.sentences[number] for number in best)


def _implicit(text: str, words: Sequence[Token]) -> list[Quantity]:
    found = []
    for at, token in enumerate(words):
        if token.low in _TIMES:
            found.append(
                Quantity(token.start, token.end, token.text, (_TIMES[token.low],), BARE, implicit=True)
            )
        elif at and token.text.isalpha() and (unit := find_unit(token.low)) and unit.dimension == "time":
            start = words[at - 1].start if words[at - 1].low in _ONE else token.start
            found.append(
                Quantity(
                    start, token.end, text[start : token.end][:40], (1.0,), unit, digits=False, implicit=True
                )
            )
    return found


@lru_cache(maxsize=8)
def facts_of(passages: tuple[str, ...]) -> ContextFacts:
    """The facts of the passages, remembered for the next sentence of the same answer."""
    return ContextFacts.of(passages)
