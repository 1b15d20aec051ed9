"""What is known of a sentence before it is judged: one row of numbers a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evalcore.alignment import alignment_parts
from evalcore.answer import Answer
from evalcore.similarity import Similarity
from evalcore.verifier.base import ClaimPair
from evalcore.verifier.overlap import word_overlap
from evalcore.verifier.shipped import ShippedVerifier

LARGEST_LOGIT = 6.0
MOST_FINDINGS = 2
NUMERIC: Final = frozenset({"number", "unit", "date"})
"""Kinds of findings that are counted as ``numbers``."""


def claim_pairs(answer: Answer) -> list[ClaimPair]:
    """Each sentence with its evidence, in order.

    Within a passage the evidence stands as it is read; passages stand by how much of the sentence they hold,
    so that the order in which they were retrieved changes nothing.
    """
    return [
        ClaimPair(evidence=_premise(answer, sentence.text, chosen), claim=sentence.text)
        for sentence, chosen in zip(answer.sentences, answer.premises, strict=True)
    ]


def _premise(answer: Answer, sentence: str, chosen: Sequence[int]) -> str:
    passages: dict[int, list[str]] = {}
    for index in chosen:
        passages.setdefault(answer.windows[index].passage, []).append(answer.windows[index].text)
    texts = [" ".join(windows) for windows in passages.values()]
    if len(texts) > 1:
        own = frozenset(answer.words(sentence))
        texts.sort(key=lambda text: (-len(own & frozenset(answer.words(text))), text))
    return " ".join(texts)


def sentence_features(
    answer: Answer, similarity: Similarity, verifier: ShippedVerifier
) -> NDArray[np.float64]:
    """The features of every sentence, shape (sentences, len(FEATURES)).

    The answer must have sentences and windows, and their texts must have been encoded.
    """
    pairs = claim_pairs(answer)
    logits = verifier.logits(pairs)
    counts = np.array(
        [
            (numeric := sum(f.kind in NUMERIC for f in found), len(found) - numeric)
            for found in answer.findings
        ],
        dtype=np.float64,
    ).reshape(len(pairs), 2)
    return np.column_stack(
        [
            np.clip(logits.claim, -LARGEST_LOGIT, LARGEST_LOGIT),
            np.clip(logits.piece, -LARGEST_LOGIT, LARGEST_LOGIT),
            alignment_parts(answer, similarity),
            np.minimum(counts, MOST_FINDINGS),
            word_overlap(answer),
        ]
    )
