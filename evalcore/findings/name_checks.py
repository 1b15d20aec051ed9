"""Names of a sentence that the contexts never mention."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from evalcore.findings.facts import IDENTIFIER, ContextFacts
from evalcore.findings.finding import Finding
from evalcore.findings.names import ALIASES, Name, names, same_word, skeleton
from evalcore.findings.tokens import Token, stopwords, tokens
from evalcore.findings.vocabulary import word_set

_MOST_CHECKED: Final = 100
_MOST_ALIKE: Final = 400
_LONG: Final = 7
_GERMAN = word_set("""der die das und ist nicht ein eine den dem mit für von auf sie werden wird""")
_TITLE_SHARE: Final = 0.6
_HEADING: Final = 5
_HEADING_SHARE: Final = 0.8


def name_findings(
    sentence: str, words: Sequence[Token], facts: ContextFacts, evidence: Sequence[str]
) -> list[Finding]:
    """Names that no passage mentions in any form, with the nearest name of the evidence."""
    found = [] if _capitals_mean_nothing(words) else _missing_names(sentence, words, facts, evidence)
    return found + _missing_identifiers(sentence, facts, found)


def _missing_names(
    sentence: str, words: Sequence[Token], facts: ContextFacts, evidence: Sequence[str]
) -> list[Finding]:
    held = [
        (name, _around(read, name))
        for text in evidence
        for read in (tokens(text),)
        for name in names(text, read)
    ]
    found = []
    for name in names(sentence, words)[:_MOST_CHECKED]:
        if _is_call(sentence, name):
            continue
        checked = name.words[1:] if name.initial else name.words
        missing = [w for w in checked if not knows_word(w, facts)]
        if missing and _spelled_out(name, facts):
            continue
        if not missing and name.initial:
            missing = _missing_first_word(name, words, facts, held)
        mixed = None if missing else _mixed_up(name, facts)
        if mixed is not None:
            missing = [name.words[0]]
        if not missing:
            continue
        nearest = mixed or _nearest(name, words, held)
        start = name.words[0].start
        if name.initial and len(name.words) > 1 and missing[0] is not name.words[0] and not knows_word(
            name.words[0], facts
        ):  # fmt: skip
            start = name.words[1].start
        text = sentence[start : name.end]
        message = f"names '{text}'"
        message += f", the evidence says '{nearest.text}'" if nearest else ", which is not in the context"
        found.append(
            Finding(
                kind="name", start=start, end=name.end, text=text, message=message,
                nearest=nearest.text if nearest else None,
            )
        )  # fmt: skip
    return found


def _is_call(sentence: str, name: Name) -> bool:
    """ "CLICK HERE" or "READ:" at the head of a sentence."""
    if not name.words[0].initial or not all(w.text.isupper() for w in name.words):
        return False
    return len(name.words) > 1 or sentence[name.end : name.end + 1] in {":", "："}


def knows_word(word: Token, facts: ContextFacts) -> bool:
    """Whether the contexts have a name word in some form: inflected, joined, abbreviated, transliterated."""
    low = word.low
    if low in facts.words or len(low) < 2 or word.text[0].isdecimal():
        return True
    if word.acronym:
        plain = low.removesuffix("s") if word.text[-1] == "s" else low
        if plain in facts.words or (plain.isalpha() and plain in facts.initials):
            return True
    if any(same_word(low, other) for other in facts.by_prefix.get(low[:3], ())[:_MOST_ALIKE]):
        return True
    if any(low in group and not group.isdisjoint(facts.words) for group in ALIASES):
        return True
    if len(low) >= _LONG and low in facts.squeezed:
        return True
    return _other_script(low, facts)


def _other_script(low: str, facts: ContextFacts) -> bool:
    """Whether a name may stand in the contexts in another script, or could not stand there at all."""
    latin = low[0] < "\u0370"
    if not latin and not "а" <= low[0] <= "я":
        return True
    wanted = skeleton(low)
    if len(wanted) >= 2 and wanted in facts.skeletons[1 if latin else 0]:
        return True
    # Contexts in Latin letters would spell every Cyrillic name their own way.
    same, other = facts.scripts[1], facts.scripts[0]
    return not latin and other > 0 and same * 4 < other


def _spelled_out(name: Name, facts: ContextFacts) -> bool:
    """Whether the contexts have the initials of a name as a word: "WHO" for its three words."""
    initials = "".join(w.low[0] for w in name.words)
    return len(initials) >= 2 and (
        initials in facts.words or (initials[1:] in facts.words and len(initials) > 3)
    )


def _missing_first_word(
    name: Name, words: Sequence[Token], facts: ContextFacts, held: Sequence[tuple[Name, _Around]]
) -> list[Token]:
    """The first word of a sentence, when the contexts have another name in its place.

    Any word has a capital there, so it is a name only where the words after it follow a name in the evidence.
    """
    first = name.words[0]
    if first.low in stopwords() or first.low.endswith("ly") or knows_word(first, facts):
        return []
    rest = [w.low for w in name.words[1:]]
    if rest:
        for other in facts.names:
            lows = [w.low for w in other.words]
            if len(lows) == len(rest) + 1 and lows[1:] == rest:
                return [first]
        return []
    said = {w.low for w in words}
    following = _around(words, name).after
    for other, theirs in held:
        known = not other.initial or other.words[0].low not in facts.small
        if following and known and theirs.after == following and not said & {w.low for w in other.words}:
            return [first]
    return []


def _mixed_up(name: Name, facts: ContextFacts) -> Name | None:
    """The full name whose first word a name of two words takes to end with the last word of another."""
    if len(name.words) != 2 or any(w.acronym for w in name.words):
        return None
    first, last = (w.low for w in name.words)
    if not facts.small.isdisjoint((first, last)):
        return None
    like_first = facts.full_names.get((first, ""), ())
    like_last = facts.full_names.get(("", last), ())
    if not like_first or not like_last or (first, last) in facts.full_names:
        return None
    return like_first[0]


def _nearest(name: Name, words: Sequence[Token], held: Sequence[tuple[Name, _Around]]) -> Name | None:
    """The name in the evidence that stands where this one stands: it shares a word or the words around it."""
    said = {w.low for w in words}
    own = {w.low for w in name.words}
    around = _around(words, name)
    best: tuple[int, Name] | None = None
    for other, theirs in held[:_MOST_CHECKED]:
        lows = {w.low for w in other.words}
        if lows <= said or (other.initial and len(other.words) == 1 and not around.stems & theirs.stems):
            continue
        score = 4 * len(lows & own) + 2 * len(around.stems & theirs.stems)
        # "By Samsung" for "by Siemens", not for "in Munich".
        score += 3 * (around.before == theirs.before) if score else 0
        score += (len(other.words) == len(name.words)) if score else 0
        if score and (best is None or score > best[0]):
            best = (score, other)
    return best[1] if best else None


class _Around(NamedTuple):
    """Stems of the words of meaning near a name, and the two words right after it, as stems."""

    stems: frozenset[str]
    before: str
    after: tuple[str, ...]


def _around(words: Sequence[Token], name: Name) -> _Around:
    first = bisect_left(words, name.start, key=lambda w: w.start)
    end = bisect_left(words, name.end, lo=first, key=lambda w: w.start)
    near = (*words[max(0, first - 4) : first], *words[end : end + 4])
    return _Around(
        frozenset(w.stem for w in near if w.low not in stopwords()),
        words[first - 1].low if first else "",
        tuple(w.stem for w in words[end : end + 2]),
    )


def _capitals_mean_nothing(words: Sequence[Token]) -> bool:
    """A heading, a shout, or a language that gives every noun a capital."""
    letters = [w for w in words if w.text[0].isalpha() and len(w.low) > 1]
    if sum(w.low in _GERMAN for w in letters) >= 2:
        return True
    if len(letters) >= _HEADING and sum(w.text[0].isupper() for w in letters) >= _HEADING_SHARE * len(
        letters
    ):
        return True
    longer = [w for w in letters if len(w.low) > 3]
    capital = sum(w.text[0].isupper() for w in longer)
    return len(longer) >= 5 and capital > _TITLE_SHARE * len(longer)


def _missing_identifiers(sentence: str, facts: ContextFacts, found: Sequence[Finding]) -> list[Finding]:
    """Identifiers such as F3 or WA-2 where the contexts have the same letters with other digits."""
    missing = []
    named = {position for f in found for position in range(f.start, f.end)}
    for match in IDENTIFIER.finditer(sentence):
        start, end = match.span()
        held = facts.identifiers.get(match[1].casefold(), ())
        if not held or start in named or not match[0][0].isupper():
            continue
        if match[0].casefold() in {one.casefold() for one in held[:_MOST_ALIKE]}:
            continue
        missing.append(
            Finding(
                kind="name", start=start, end=end, text=match[0], nearest=held[0],
                message=f"names '{match[0]}', the context says '{held[0]}'",
            )
        )  # fmt: skip
        if len(missing) >= _MOST_CHECKED:
            break
    return missing
