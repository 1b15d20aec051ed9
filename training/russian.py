"""Pairs in Russian: people's judgements of TERRa, and errors made in sentences of its texts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from evalcore.text import sentences as cut
from training.edits import Made, Spans, change_number
from training.pairs import Document, Pair, Row

RUSSIAN_FILES = ("terra_ru",)
"""Files of the shared data whose use is training, the Russian ones."""
JUDGED_TIMES = 3
"""A judged pair is shown with this many cuts of its text: there are few of them."""
_LISTS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "russian.yaml").read_text(encoding="utf-8"))
_NOT = re.compile(r"\b[Нн]е (?=\w)")
_VERB = re.compile(
    r"\b[а-яё]{3,}(?:ает|яет|ует|ит|ют|ят|ал|ала|али|ил|ила|или|ел|ела|ели|ул|ула|ули|ался|алась|ились)\b"
)
_NAME = re.compile(r"(?<=[а-яё,] )[А-ЯЁ][а-яё]{2,}(?: [А-ЯЁ][а-яё]{2,})?")
_SIDE_PART = re.compile(r", (?:которы|где|когда|однако|напомним)[^,.]{5,80},")


def russian_pairs(rows: Sequence[Row], seed: int = 0) -> list[Pair]:
    """All pairs that judged Russian rows give; shuffled."""
    rng = random.Random(seed)
    documents = {row.context: Document(row.context) for row in rows}
    names = sorted({m.group() for row in rows for m in _NAME.finditer(row.context)})
    pairs = []
    for row in rows:
        document = documents[row.context]
        wrong = () if row.supported else None
        for keep in (4, 3, 5)[:JUDGED_TIMES]:
            premise = document.premise(row.response, keep)
            pairs.append(Pair(row.dataset, document.id, premise, row.response, row.supported, wrong))
    everything = list(documents.values())
    for row in rows:
        pairs += _made(row, documents[row.context], everything, names, rng)
    rng.shuffle(pairs)
    return pairs


def _made(
    row: Row, document: Document, others: Sequence[Document], names: Sequence[str], rng: random.Random
) -> Iterator[Pair]:
    own = [s.text for s in cut(row.context) if 5 <= len(s.text.split()) <= 35]
    for sentence in rng.sample(own, min(len(own), 2)):
        text = _SIDE_PART.sub("", sentence) if rng.random() < 0.5 else sentence
        draw = rng.random()
        if draw < 0.4:
            yield _pair(document, text, True, ())
        elif draw < 0.85:
            made = [m for m in (c(text, names, rng) for c in (_number, _negation, _opposite, _name)) if m]
            if made:
                change = rng.choice(made)
                yield _pair(document, change.text, False, change.spans)
        else:
            premise = rng.choice(others).premise(text)
            if premise and text[:40] not in premise:
                yield Pair("made_ru", document.id, premise, text, False, None, "absent")


def _pair(document: Document, claim: str, supported: bool, wrong: Spans) -> Pair:
    return Pair("made_ru", document.id, document.premise(claim, 4), claim, supported, wrong, "made")


def _number(text: str, names: Sequence[str], rng: random.Random) -> Made | None:
    return change_number(text, rng)


def _negation(text: str, names: Sequence[str], rng: random.Random) -> Made | None:
    held = list(_NOT.finditer(text))
    if held:
        match = rng.choice(held)
        end = match.start() + len(text[match.end() :].split(" ", 1)[0])
        return Made("negation", text[: match.start()] + text[match.end() :], ((match.start(), end),))
    verbs = list(_VERB.finditer(text))
    if not verbs:
        return None
    match = rng.choice(verbs)
    changed = f"{text[: match.start()]}не {text[match.start() :]}"
    return Made("negation", changed, ((match.start(), match.end() + 3),))


def _opposite(text: str, names: Sequence[str], rng: random.Random) -> Made | None:
    pairs = [tuple(pair.split("/")) for pair in _LISTS["opposites"]]
    found = [
        (match, other)
        for one, two in pairs
        for word, other in ((one, two), (two, one))
        for match in re.finditer(rf"\b{word}\b", text)
    ]
    if not found:
        return None
    match, other = rng.choice(found)
    changed = text[: match.start()] + other + text[match.end() :]
    return Made("opposite", changed, ((match.start(), match.start() + len(other)),))


def _name(text: str, names: Sequence[str], rng: random.Random) -> Made | None:
    found = list(_NAME.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    # The same ending is most often the same case.
    alike = [n for n in names if n[-2:] == match.group()[-2:] and n[:3] not in text]
    if not alike:
        return None
    new = rng.choice(alike)
    changed = text[: match.start()] + new + text[match.end() :]
    return Made("name", changed, ((match.start(), match.start() + len(new)),))
