"""Pairs of evidence and claim to learn from: people's judgements, their edits, and errors made on purpose."""

from __future__ import annotations

import difflib
import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from evalcore.answer import Answer, TextConfig
from evalcore.sample import Sample
from evalcore.text import sentences as cut
from evalcore.text import words
from evalcore.verifier.premise import Bags
from training.edits import Spans, changes, content_words, names_in, reworded

TRAIN_FILES = (
    "expertqa", "wice", "summedits", "summeval", "begin", "factcheck_gpt", "q2_wow", "bump",
    "faithdial_audit", "summacoz_negatives",
)  # fmt: skip
"""Files of the shared data whose use is training, the English ones."""
MEASURE_FILES = ("ragtruth_qa_dev", "faithbench", "lfqa", "qags", "attributionbench", "factscore")
MEASURED_SHARE = 0.25
CALIBRATED_SHARE = 0.12
PREMISE_WINDOWS = 3
Part = Literal["train", "calibrate", "measure"]
_CONFIG = TextConfig()


@dataclass(frozen=True)
class Pair:
    """A claim and the evidence it is held against.

    ``wrong`` are the character spans of ``claim`` that nothing holds, empty where all is held, None unknown.
    """

    dataset: str
    document: str
    premise: str
    claim: str
    supported: bool
    wrong: Spans | None
    kind: str = "judged"


@dataclass(frozen=True)
class Row:
    """One judged answer of a shared file."""

    dataset: str
    context: str
    response: str
    supported: bool

    @property
    def document(self) -> str:
        return document_of(self.context)


def document_of(context: str) -> str:
    """Names a document by its first letters, so that copies of it in two sets count as one."""
    letters = re.sub(r"\W+", "", context.lower())[:160]
    return hashlib.sha256(letters.encode("utf-8")).hexdigest()[:16]


def part_of(document: str) -> Part:
    """The part of the data a document belongs to: three parts with no document in common."""
    place = int(document[:8], 16) / 0x100000000
    if place < MEASURED_SHARE:
        return "measure"
    return "calibrate" if place < MEASURED_SHARE + CALIBRATED_SHARE else "train"


def read_rows(folder: Path, names: Iterable[str]) -> list[Row]:
    """The judged answers of shared files."""
    rows = []
    for name in names:
        path = next(p for p in (folder / f"{name}_train.jsonl", folder / f"{name}.jsonl") if p.exists())
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            rows.append(Row(name, str(row["context"]), str(row["response"]), row["label"] == "supported"))
    return rows


class Document:
    """A context cut into windows, from which the premise of a claim is chosen."""

    def __init__(self, context: str) -> None:
        self.id = document_of(context)
        answer = Answer(sample=Sample(id="x", query="", contexts=(context,), response="x"), config=_CONFIG)
        self.windows = [w.text for w in answer.windows]
        self.sentences = [s.text for s in cut(context) if 6 <= len(s.text.split()) <= 45]
        self._bags = Bags.of(words(w) for w in self.windows)

    def premise(self, claim: str, keep: int = PREMISE_WINDOWS) -> str:
        """The windows that hold most of the claim, in order, as one text."""
        return " ".join(self.windows[i] for i in self._bags.best(words(claim), keep))

    def premise_without(self, claim: str, sentence: str, keep: int = PREMISE_WINDOWS) -> str:
        """The same without the windows in which a sentence stands."""
        gone = [w for w in self.windows if sentence[:40] in w or sentence[-40:] in w]
        rest = [w for w in self.windows if w not in gone]
        bags = Bags.of(words(w) for w in rest)
        return " ".join(rest[i] for i in bags.best(words(claim), keep))


def make_pairs(rows: Sequence[Row], seed: int = 0) -> list[Pair]:
    """All pairs that the rows give; shuffled."""
    rng = random.Random(seed)
    documents: dict[str, Document] = {}
    for row in rows:
        if row.context not in documents:
            documents[row.context] = Document(row.context)
    pairs = list(_judged(rows, documents, rng))
    pairs += list(_made(pairs, documents, rng))
    rng.shuffle(pairs)
    return pairs


_REPEAT = {"expertqa": 2, "wice": 2, "bump": 1}
_CAP = {"begin": 3000, "factcheck_gpt": 2200, "summacoz_negatives": 900}
_EDITED = ("summedits", "bump")


def _judged(rows: Sequence[Row], documents: dict[str, Document], rng: random.Random) -> Iterator[Pair]:
    by_set: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_set[row.dataset].append(row)
    for name, own in by_set.items():
        chosen = own if len(own) <= _CAP.get(name, 10**9) else rng.sample(own, _CAP[name])
        if name in _EDITED:
            yield from _edited(chosen, documents)
            continue
        for row in chosen:
            if "UNK" in row.response:
                continue
            parts = [s.text for s in cut(row.response)]
            if not parts or not row.context.strip():
                continue
            document = documents[row.context]
            if row.supported:
                claims = [part for part in parts if len(part.split()) > 2]
                claims += [row.response] if 1 < len(parts) <= 3 else []
            elif len(parts) <= 2 or len(row.response.split()) < 45:
                claims = [row.response]
            else:
                continue
            wrong = () if row.supported else None
            for claim in claims:
                for _ in range(_REPEAT.get(name, 1)):
                    keep = rng.choice([2, 3, 3, 4])
                    yield Pair(
                        name,
                        document.id,
                        document.premise(claim, keep),
                        claim,
                        row.supported,
                        wrong,
                    )


def _edited(rows: Sequence[Row], documents: dict[str, Document]) -> Iterator[Pair]:
    """Edited summaries against the supported ones of the same document: what differs is what is wrong."""
    supported: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.supported:
            supported[row.document].append(row.response)
    for row in rows:
        document = documents[row.context]
        spans = () if row.supported else _difference(row.response, supported[row.document])
        for sentence in cut(row.response):
            inside = [
                (max(a, sentence.start) - sentence.start, min(b, sentence.end) - sentence.start)
                for a, b in spans or ()
                if a < sentence.end and b > sentence.start
            ]
            if spans is None or len(sentence.text.split()) < 3:
                continue
            premise = document.premise(sentence.text)
            yield Pair(row.dataset, document.id, premise, sentence.text, not inside, tuple(inside))
        if len(row.response.split()) < 60 and spans is not None:
            premise = document.premise(row.response, 4)
            yield Pair(row.dataset, document.id, premise, row.response, row.supported, tuple(spans))


def _difference(text: str, others: Sequence[str]) -> Spans | None:
    """Spans of ``text`` that its closest relative does not have; None where none is close."""
    tokens = list(re.finditer(r"\w+|[^\w\s]", text))
    best: tuple[float, Spans] | None = None
    for other in others:
        matcher = difflib.SequenceMatcher(
            None, [t.group() for t in tokens], re.findall(r"\w+|[^\w\s]", other), autojunk=False
        )
        ratio = matcher.ratio()
        if best is not None and ratio <= best[0]:
            continue
        spans = []
        for tag, a, b, _, _ in matcher.get_opcodes():
            if tag == "equal":
                continue
            if a == b:  # something was left out here: the words around it tell
                a, b = max(a - 1, 0), min(a + 1, len(tokens))
            spans.append((tokens[a].start(), tokens[b - 1].end()))
        best = (ratio, tuple(spans))
    if best is None or best[0] < 0.6 or not best[1]:
        return None
    return best[1]


def _made(judged: Sequence[Pair], documents: dict[str, Document], rng: random.Random) -> Iterator[Pair]:
    """Errors made in supported claims and in sentences of the documents, and the same sentences unharmed."""
    by_id = {document.id: document for document in documents.values()}
    all_names = sorted({n for d in by_id.values() for s in d.sentences[:6] for n in names_in(s)})
    all_words = sorted({w for d in by_id.values() for s in d.sentences[:6] for w in content_words(s)})
    claims = [
        (p.dataset, by_id[p.document], p.claim, True)
        for p in judged
        if p.supported and len(p.claim.split()) > 4
    ]
    rng.shuffle(claims)
    taken = [(name, d, s, False) for name, d, s in _sentences_of(documents.values(), rng)]
    for dataset, document, claim, human in [*claims[:5000], *taken[:7000]]:
        names = [
            n for s in rng.sample(document.sentences, min(len(document.sentences), 12)) for n in names_in(s)
        ]
        if rng.random() < 0.3 or not names:
            names = rng.sample(all_names, min(len(all_names), 20))
        nearby = [
            w
            for s in rng.sample(document.sentences, min(len(document.sentences), 12))
            for w in content_words(s)
        ]
        source = nearby if rng.random() < 0.5 and nearby else rng.sample(all_words, min(len(all_words), 300))
        text = claim if human and rng.random() < 0.6 else reworded(claim, rng)
        keep = rng.choice([2, 3, 3, 4])
        base = Pair(dataset, document.id, document.premise(text, keep), text, True, (), "kept")
        if not human or rng.random() < 0.25:
            yield base
        draw = rng.random()
        if draw < 0.68:
            made = changes(text, names, source, rng)
            kinds = [m for m in made if m.kind != "word"] or made
            if made:
                change = rng.choice(kinds if rng.random() < 0.75 else made)
                yield replace(
                    base, premise=document.premise(change.text, keep), claim=change.text, supported=False,
                    wrong=change.spans, kind=change.kind,
                )  # fmt: skip
        elif draw < 0.84 and len(document.sentences) > 5:
            yield from _added(base, document, rng, keep)
        elif not human and len(document.windows) > 4:
            premise = document.premise_without(text, claim, keep)
            if premise:
                yield replace(base, premise=premise, supported=False, wrong=None, kind="absent")


def _added(base: Pair, document: Document, rng: random.Random, keep: int) -> Iterator[Pair]:
    """A supported claim with a part added that stands elsewhere and not in its evidence."""
    other = rng.choice(document.sentences)
    part = re.split(r", |; ", other.rstrip("."))[-1]
    part_words = part.split()
    if not 3 <= len(part_words) <= 14:
        part = " ".join(other.rstrip(".").split()[-8:])
    premise = document.premise_without(base.claim, other, keep)
    if not premise or other[:30] in base.claim or part in premise:
        return
    if document.premise(base.claim, 1) not in premise and base.claim[:40] not in premise:
        return
    head = base.claim.rstrip(".!? ")
    link = rng.choice(
        [", and ", ", which means ", " and ", " because ", ", such as ", "; also, ", ", including "]
    )
    claim = f"{head}{link}{part}."
    start = len(head + link)
    yield replace(
        base, premise=premise, claim=claim, supported=False, wrong=((start, start + len(part)),), kind="added"
    )


def _sentences_of(documents: Iterable[Document], rng: random.Random) -> list[tuple[str, Document, str]]:
    found = []
    for document in documents:
        some = document.sentences if len(document.sentences) <= 8 else rng.sample(document.sentences, 8)
        for sentence in some:
            if not sentence.endswith((".", "!")) or not sentence[0].isupper():
                continue
            text = sentence
            if rng.random() < 0.15:
                other = rng.choice(document.sentences)
                if other != sentence and len(other.split()) + len(sentence.split()) < 50:
                    text = f"{sentence.rstrip('.!')} and {other}"
            found.append(("made", document, text))
    rng.shuffle(found)
    return found
