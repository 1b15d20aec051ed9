"""Fit the shipped head on documents that the cross-encoder has not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from evalcore.evaluator import Evaluator
from evalcore.sample import Sample
from evalcore.scorers.base import grounding_gap
from evalcore.verifier.features import sentence_features
from evalcore.verifier.fit import LabelledAnswer, fit_head
from evalcore.verifier.head import Head, Weights
from evalcore.verifier.shipped import ShippedVerifier
from training.pairs import TRAIN_FILES, Row, document_of, part_of, read_rows

LARGEST_SET = 300
"""Answers taken of one set, so that the large ones do not decide alone."""
STRENGTH = 300.0
"""Worth of the starting weights in labels. Chosen on the documents the head was fitted on and the parts held
out of the same sets; without it the weights of letters and words fell to 0, which carried over worse."""
_SIGNALS = {
    "claim": 0.4,
    "piece": 0.3,
    "letters": -3.0,
    "words": -3.0,
    "meaning": -3.0,
    "stretch": -3.0,
    "pairs": -2.5,
}
_FINDINGS = {"numbers": 1.0, "details": 0.3}
START = Head(
    sentence=Weights(bias=-2.0, **{name: -value for name, value in {**_SIGNALS, **_FINDINGS}.items()}),
    answer=Weights(bias=2.0, **_SIGNALS, **_FINDINGS),
    weakest=5,
)
"""Every signal with the same say, by its spread, and the findings on top."""


def labelled(rows: Sequence[Row], gate: Evaluator, verifier: ShippedVerifier) -> Iterator[LabelledAnswer]:
    """The features of judged answers; those that cannot be held against their context are left out."""
    for start in range(0, len(rows), 16):
        chunk = rows[start : start + 16]
        samples = [Sample(query="", contexts=(row.context,), response=row.response) for row in chunk]
        for row, (answer, similarity) in zip(chunk, gate.read(samples), strict=True):
            if grounding_gap(answer) or not answer.sentences:
                continue
            features = sentence_features(answer, similarity, verifier)
            yield LabelledAnswer(
                features=features[np.array(answer.claims)],
                supported=row.supported,
                document=document_of(row.context),
            )


def calibration_rows(data: Path, names: Iterable[str] = TRAIN_FILES) -> list[Row]:
    """Rows of the documents kept for the head, some of each set."""
    rows, taken = [], Counter[str]()
    for row in read_rows(data, names):
        if part_of(row.document) == "calibrate" and taken[row.dataset] < LARGEST_SET:
            taken[row.dataset] += 1
            rows.append(row)
    return rows


def fit_shipped_head(rows: Sequence[Row], gate: Evaluator, verifier: ShippedVerifier) -> Head:
    """The head; each set has the same weight."""
    answers, names = [], []
    for name in sorted({row.dataset for row in rows}):
        own = list(labelled([row for row in rows if row.dataset == name], gate, verifier))
        answers += own
        names += [name] * len(own)
    sizes = Counter(names)
    shares = np.array([1 / sizes[name] for name in names])
    return fit_head(answers, START, shares=shares / shares.mean(), strength=STRENGTH)
