"""Word lists per language, read from ``configs/lexicons/*.yaml`` and checked when they are loaded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import yaml

from evalcore.errors import ConfigError


@dataclass(frozen=True)
class Abbreviations:
    """Abbreviations without their last full stop, in lower case, by what a full stop after them means.

    ``never_end``: never the end of a sentence. ``before_number``: not the end when a number follows, an
    ordinary word otherwise. ``after_number``: the end only after a number and before a capital.
    ``in_names``: the end only before a word of ``sentence_starters``. ``may_end``: the end before a capital.
    """

    never_end: frozenset[str]
    before_number: frozenset[str]
    after_number: frozenset[str]
    in_names: frozenset[str]
    may_end: frozenset[str]


@dataclass(frozen=True)
class RefusalPatterns:
    """How a language declines: patterns matched at the start of a clause, after any number of ``leads``.

    ``cores`` decline, ``courtesies`` apologise or offer help. A clause begins at a word of ``contrasts``, and
    after a comma at a word of ``clause_openers``.
    """

    leads: tuple[str, ...]
    cores: tuple[str, ...]
    courtesies: tuple[str, ...]
    contrasts: tuple[str, ...]
    clause_openers: tuple[str, ...]


@dataclass(frozen=True)
class TalkPatterns:
    """How a language talks without claiming anything about the world; see :mod:`evalcore.text.claims`.

    ``openers`` and ``affirmations`` may stand before anything or alone. An affirmation, a counted lead-in and
    a heading of the question's own words are claims where they may be the answer: for questions of which an
    ``answerable`` pattern is found. After ``courtesies``, ``lead_ins``, ``counted_lead_ins`` and
    ``questions`` only ``words`` and function words may follow, after the last three the question's own words
    too, but none of ``barred``. ``open_questions`` may hold anything but numbers and names. ``headings`` are
    whole headings, which may go on with ``connectors`` and the question's own words.
    """

    openers: tuple[str, ...]
    affirmations: tuple[str, ...]
    answerable: tuple[str, ...]
    courtesies: tuple[str, ...]
    lead_ins: tuple[str, ...]
    counted_lead_ins: tuple[str, ...]
    questions: tuple[str, ...]
    open_questions: tuple[str, ...]
    headings: tuple[str, ...]
    connectors: tuple[str, ...]
    words: tuple[str, ...]
    barred: tuple[str, ...]


_TALK_WORDS = ("headings", "connectors", "words", "barred")


@dataclass(frozen=True)
class Lexicon:
    """The word lists of one language.

    ``published_hedges`` are the phrases of the published recipe, to the letter and in its order, and empty
    for a language it does not know; ``hedges`` is our own, longer list. ``citation_words`` name a source in a
    citation mark such as "(Passage 2)". ``instructions`` are orders to whoever reads a text. All phrases are
    in lower case.
    """

    language: str
    abbreviations: Abbreviations
    sentence_starters: frozenset[str]
    stopwords: frozenset[str]
    hedges: tuple[str, ...]
    published_hedges: tuple[str, ...]
    citation_words: frozenset[str]
    refusals: RefusalPatterns
    talk: TalkPatterns
    instructions: tuple[str, ...]


@cache
def load_lexicon(language: str) -> Lexicon:
    """Read the shipped word lists of a language.

    Parameters
    ----------
    language : str
        The name of a file in ``configs/lexicons`` without its ending: ``"en"`` or ``"ru"``.

    Raises
    ------
    ConfigError
        When there is no such file, or a key of it is missing, unknown or of the wrong kind; the message names
        the file and the key.

    Examples
    --------
    >>> load_lexicon("en").published_hedges[0]
    'it can be'
    """
    names = shipped_languages()
    if language not in names:
        raise ConfigError(
            "no word lists for this language",
            where="configs/lexicons",
            got=repr(language),
            expected=", ".join(names),
            cure="add configs/lexicons/<language>.yaml, laid out as en.yaml",
        )
    name = f"{language}.yaml"
    return parse_lexicon((_folder() / name).read_text(encoding="utf-8"), where=f"configs/lexicons/{name}")


@cache
def shipped_languages() -> tuple[str, ...]:
    """The languages with word lists, sorted."""
    return tuple(sorted(f.name[:-5] for f in _folder().iterdir() if f.name.endswith(".yaml")))


def shipped_lexicons() -> tuple[Lexicon, ...]:
    """The word lists of every shipped language, in the order of their names."""
    return tuple(load_lexicon(language) for language in shipped_languages())


def parse_lexicon(source: str, *, where: str) -> Lexicon:
    """Check the text of a word list file; ``where`` is how an error names the file.

    Raises
    ------
    ConfigError
        See :func:`load_lexicon`.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        data = yaml.load(source, Loader=loader)
    except yaml.YAMLError as error:
        raise ConfigError("not valid YAML", where=where, got=" ".join(str(error).split())) from error
    top = _mapping(data, where, "", Lexicon.__dataclass_fields__)
    short = _mapping(top["abbreviations"], where, "abbreviations", Abbreviations.__dataclass_fields__)
    decline = _mapping(top["refusals"], where, "refusals", RefusalPatterns.__dataclass_fields__)
    if not isinstance(top["language"], str):
        raise _wrong(where, "language", top["language"], "a language code, quoted")
    patterns = {key: _phrases(decline[key], where, f"refusals.{key}") for key in decline}
    for key in ("leads", "cores", "courtesies"):
        _check_patterns(patterns[key], where, f"refusals.{key}")
    said = _mapping(top["talk"], where, "talk", TalkPatterns.__dataclass_fields__)
    talk = {key: _phrases(said[key], where, f"talk.{key}") for key in said}
    for key in talk:
        if key not in _TALK_WORDS:
            _check_patterns(talk[key], where, f"talk.{key}")
    return Lexicon(
        language=top["language"],
        abbreviations=Abbreviations(
            **{key: frozenset(_phrases(short[key], where, f"abbreviations.{key}")) for key in short}
        ),
        sentence_starters=frozenset(_phrases(top["sentence_starters"], where, "sentence_starters")),
        stopwords=frozenset(_phrases(top["stopwords"], where, "stopwords")),
        hedges=_phrases(top["hedges"], where, "hedges"),
        published_hedges=_phrases(top["published_hedges"], where, "published_hedges"),
        citation_words=frozenset(_phrases(top["citation_words"], where, "citation_words")),
        refusals=RefusalPatterns(**patterns),
        talk=TalkPatterns(**talk),
        instructions=_phrases(top["instructions"], where, "instructions"),
    )


def _folder() -> Traversable:
    return resources.files("configs") / "lexicons"


def _mapping(data: object, where: str, key: str, fields: Iterable[str]) -> Mapping[str, object]:
    expected = list(fields)
    if not isinstance(data, dict):
        raise _wrong(where, key or "the whole file", data, "a mapping with the keys " + ", ".join(expected))
    prefix = f"{key}." if key else ""
    for name in data:
        if name not in expected:
            raise ConfigError(
                "unknown key", where=f"{where}: {prefix}{name}", got=repr(name), expected=", ".join(expected)
            )
    for name in expected:
        if name not in data:
            raise ConfigError(
                "missing key", where=f"{where}: {prefix}{name}", cure="add it; an empty list is []"
            )
    return data


def _phrases(data: object, where: str, key: str) -> tuple[str, ...]:
    if not isinstance(data, list):
        raise _wrong(where, key, data, "a list of phrases")
    for number, item in enumerate(data):
        # YAML reads a bare no, on or yes as a truth value.
        if not isinstance(item, str) or not item.strip():
            raise _wrong(where, f"{key}[{number}]", item, "a phrase; put words like no, on and yes in quotes")
        if item != item.lower():
            raise _wrong(where, f"{key}[{number}]", item, "lower case")
    return tuple(data)


def _check_patterns(patterns: Iterable[str], where: str, key: str) -> None:
    for number, pattern in enumerate(patterns):
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(
                f"not a regular expression: {error}", where=f"{where}: {key}[{number}]", got=pattern
            ) from error


def _wrong(where: str, key: str, got: object, expected: str) -> ConfigError:
    return ConfigError("wrong kind of value", where=f"{where}: {key}", got=repr(got)[:80], expected=expected)
