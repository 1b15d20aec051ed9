"""The phrases of the interface in other languages, from one catalogue: ``configs/catalogue/LANGUAGE.po``."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from gettext import GNUTranslations
from importlib.resources import files

from babel.core import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

SOURCE = "en"
"""The language the phrases are written in."""
LANGUAGES: Mapping[str, str] = {"en": "English", "ru": "Русский"}
"""Every language there is, by its own name."""
SAID = "said"
"""Context of phrases the gate and the store write; a catalogue knows them with places for their values."""

FINDINGS = "Findings:"
MORE = ("and {n} more", "and {n} more")
_FINDINGS = re.compile(
    r"(?P<reason>.+?) Findings: (?P<findings>.+?)(?:; and (?P<more>\d+) more)?\.", re.DOTALL
)
_OWN = frozenset({"score", "reason", "part"})
"""Places whose values are words of ours too, and not of the texts."""
_PLACE = re.compile(r"\\\{(\w+)\\\}")


def phrase(language: str, text: str) -> str:
    """A phrase of the interface; the phrase itself where the catalogue has none."""
    return text if language == SOURCE else _catalogue(language).gettext(text)


def plural(language: str, one: str, many: str, n: int) -> str:
    """The form of a phrase that goes with a number in this language."""
    if language == SOURCE:
        return one if n == 1 else many
    return _catalogue(language).ngettext(one, many, n)


@lru_cache(maxsize=4096)
def said(language: str, text: str) -> str:
    """A message of the gate or the store in another language, its values as they are.

    The catalogue has these messages as ``{name} is not in the context``; a message fits one when the rest of
    it does. What fits none is shown as it is.

    Examples
    --------
    >>> said("ru", "12 is not in the context")
    '12: нет в контексте'
    """
    if language == SOURCE:
        return text
    with_findings = _FINDINGS.fullmatch(text)
    if with_findings:
        reason, findings, more = with_findings.group("reason", "findings", "more")
        listed = "; ".join(_one(language, finding) for finding in findings.split("; "))
        head = phrase(language, FINDINGS)
        rest = f"; {plural(language, *MORE, int(more)).format(n=more)}" if more else ""
        return f"{_one(language, reason)} {head} {listed}{rest}."
    return _one(language, text)


def _one(language: str, text: str) -> str:
    exact, patterns = _said(language)
    if text in exact:
        return exact[text]
    for pattern, translated in patterns:
        found = pattern.fullmatch(text)
        if found:
            values = found.groupdict()
            own = {name: _one(language, values[name]) for name in _OWN & values.keys()}
            return translated.format(**{**values, **own})
    return text


def number(language: str, n: int) -> str:
    """A whole number with its thousands set apart as the language does."""
    return f"{n:,}" if language == SOURCE else str(format_decimal(n, locale=_locale(language)))


def language_of(tag: str | None) -> str:
    """The language for a browser's tag, such as ``ru-RU``; English where there is none for it."""
    head = (tag or "").split("-")[0].lower()
    return head if head in LANGUAGES else SOURCE


@cache
def _locale(language: str) -> Locale:
    return Locale(language)


@cache
def _catalogue(language: str) -> GNUTranslations:
    with (files("configs") / "catalogue" / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def _said(language: str) -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """The messages without values, and those with, the longest first: it says most."""
    with (files("configs") / "catalogue" / f"{language}.po").open("rb") as file:
        messages = [m for m in read_po(file, locale=language) if m.context == SAID and m.string]
    exact = {str(m.id): str(m.string) for m in messages if "{" not in str(m.id)}
    patterned = sorted((m for m in messages if "{" in str(m.id)), key=lambda m: -len(str(m.id)))
    patterns = [
        (re.compile(_PLACE.sub(r"(?P<\1>.+?)", re.escape(str(m.id))), re.DOTALL), str(m.string))
        for m in patterned
    ]
    return exact, patterns
