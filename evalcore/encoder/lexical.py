"""The encoder of last resort: TF-IDF over the words that the texts of one answer share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from evalcore.encoder.base import Encoded, EncoderInfo
from evalcore.text import words


class LexicalEncoder:
    """TF-IDF vectors over the vocabulary of one group of texts.

    All texts of a group share one vocabulary, so two texts without a common word have similarity 0 and two
    equal bags of words have 1. The idf is the smoothed ``ln((1 + n) / (1 + df)) + 1`` over the group's
    distinct texts. It sees words, not meaning: a profile must not ACCEPT on its word alone.

    Source: G. Salton and C. Buckley, "Term-weighting approaches in automatic text retrieval", Information
    Processing & Management 24 (1988).

    Examples
    --------
    >>> one = LexicalEncoder().encode([["red kite", "red kite", "blue door"]])[0].vectors
    >>> [round(float(one[0] @ v), 4) for v in one]
    [1.0, 1.0, 0.0]
    """

    def __init__(self, *, fallback_reason: str | None = None) -> None:
        self._info = EncoderInfo(
            name="lexical-tfidf",
            weights_hash="none",
            backend="lexical",
            precision="fp64",
            runtime_version="1",
            window=0,
            scripts=frozenset(),
            is_lexical=True,
            fallback_reason=fallback_reason,
        )

    @property
    def info(self) -> EncoderInfo:
        """What this encoder is."""
        return self._info

    def encode(self, groups: Sequence[Sequence[str]]) -> list[Encoded]:
        """Encode each group over its own vocabulary."""
        return [_encode_group(group) for group in groups]


def _encode_group(texts: Sequence[str]) -> Encoded:
    bags = {text: Counter(words(text)) for text in dict.fromkeys(texts)}
    frequency: Counter[str] = Counter()
    for bag in bags.values():
        frequency.update(bag.keys())
    vocabulary = {word: column for column, word in enumerate(sorted(frequency))}
    idf = np.array([math.log((1 + len(bags)) / (1 + frequency[word])) + 1 for word in vocabulary])
    rows = {}
    for text, bag in bags.items():
        row = np.zeros(len(vocabulary))
        for word, count in bag.items():
            row[vocabulary[word]] = count
        row *= idf
        norm = math.sqrt(float(row @ row))
        rows[text] = row / norm if norm else row
    matrix = np.zeros((len(texts), len(vocabulary)), dtype=np.float32)
    for index, text in enumerate(texts):
        matrix[index] = rows[text]
    return Encoded(
        vectors=matrix,
        n_tokens=tuple(bags[text].total() for text in texts),
        left_out=(0,) * len(texts),
    )
