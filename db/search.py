"""The word index over questions and answers: SQLite's FTS5, filled with each sample, never changed after.

It keeps words only, not the texts, which are in ``samples``. Scripts that write no spaces are indexed
character by character, so that a word inside a run of them is found. Beginnings of one to three characters
are indexed too: without that, looking one text up for ``w*`` merges the lists of every word that begins so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlalchemy import ColumnElement, column, func, literal, select, table
from sqlalchemy.orm import Session

from evalcore.sample import Sample

WORD_INDEX = (
    "CREATE VIRTUAL TABLE sample_texts USING fts5"
    "(query, response, content='', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3')"
)

COMMON = 5_000
"""Texts a word may be in before going through all of them costs more than checking items one by one."""

TEXTS = table("sample_texts", column("rowid"), column("sample_texts"))
_MOST_WORDS = 32
_SPACELESS = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
)
_PARTS = re.compile(r'"([^"]*)"|(\S+)')


def add_texts(session: Session, samples: Iterable[tuple[int, Sample]]) -> None:
    """Index new samples under their row ids."""
    rows = [(number, spaced(sample.query), spaced(sample.response)) for number, sample in samples]
    if rows:
        session.connection().exec_driver_sql(
            "INSERT INTO sample_texts (rowid, query, response) VALUES (?, ?, ?)", rows
        )


def spaced(text: str) -> str:
    """A text with spaces around each character of scripts that write none.

    Examples
    --------
    >>> spaced("F3保险丝")
    'F3 保  险  丝 '
    """
    return text if text.isascii() else _SPACELESS.sub(r" \1 ", text)


def expression(wanted: str) -> str | None:
    """What a person typed, as the index is asked; None when there is no word in it.

    Examples
    --------
    >>> expression('fus "the pump" NOT -'), expression("!?")
    ('"fus"* "the pump" "NOT"*', None)
    """
    parts = []
    for phrase, word in _PARTS.findall(wanted.replace("\x00", " ")):
        text = spaced(phrase or word.replace('"', " ")).strip()
        if any(character.isalnum() for character in text):
            parts.append(f'"{text}"' if phrase else f'"{text}"*')
    return " ".join(parts[:_MOST_WORDS]) or None


def matches(wanted: str, sample_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a sample has the words; looks one sample up."""
    found = select(literal(1)).select_from(TEXTS).where(asked(wanted), TEXTS.c.rowid == sample_id)
    return found.exists()


def is_common(session: Session, wanted: str) -> bool:
    """Whether more than :data:`COMMON` samples have the words."""
    some = select(TEXTS.c.rowid).where(asked(wanted)).limit(COMMON + 1).subquery()
    return int(session.execute(select(func.count()).select_from(some)).scalar_one()) > COMMON


def asked(wanted: str) -> ColumnElement[bool]:
    """The condition on :data:`TEXTS` itself, for a statement that starts from the index."""
    return TEXTS.c.sample_texts.op("MATCH", is_comparison=True)(wanted)
