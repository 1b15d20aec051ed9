"""Similarities between the texts of one answer, read from one encoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evalcore.encoder.base import Encoded, Vectors

SCORE_DECIMALS = 4


def rounded(value: float) -> float:
    """A score as it is compared and stored: 4 decimals, so that noise of the last bits decides nothing."""
    return round(float(value), SCORE_DECIMALS) + 0.0


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Jaccard index of two word sets, in [0, 1]; 0 when either is empty.

    Examples
    --------
    >>> overlap(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    return len(a & b) / len(a | b) if a and b else 0.0


def share(part: frozenset[str], whole: frozenset[str]) -> float:
    """Share of ``whole`` that is in ``part``, in [0, 1]; 0 when ``whole`` is empty."""
    return len(part & whole) / len(whole) if whole else 0.0


SENTENCE_SUPPORT = "sentence support"
"""Under this name a verifier keeps P(supported) of every sentence, for the sentence verdicts."""


class Similarity:
    """Cosines between the encoded texts of one answer, in [0, 1], where 0 is the encoder's cosine floor.

    Examples
    --------
    >>> import numpy as np
    >>> from evalcore.encoder.base import Encoded
    >>> rows = np.array([[1.0, 0.0], [0.6, 0.8]], dtype=np.float32)
    >>> s = Similarity(["a", "b"], Encoded(vectors=rows, n_tokens=(1, 1), left_out=(0, 0)))
    >>> round(s.between("a", "b"), 4)
    0.6
    """

    def __init__(self, texts: Sequence[str], encoded: Encoded) -> None:
        self._row: Mapping[str, int] = {text: index for index, text in enumerate(texts)}
        self._encoded = encoded
        self._derived: dict[str, NDArray[np.float64]] = {}

    def between(self, a: str, b: str) -> float:
        """Similarity of two texts."""
        return float(self.matrix([a], [b])[0, 0])

    def matrix(self, a: Sequence[str], b: Sequence[str]) -> NDArray[np.float64]:
        """Similarities of every text of ``a`` with every text of ``b``, shape (len(a), len(b))."""
        if not a or not b:
            return np.zeros((len(a), len(b)))
        return self._rescaled(cosines(self._rows(a), self._rows(b)))

    def with_pooled(self, text: str, texts: Sequence[str]) -> float:
        """Similarity of a text with several as one: :meth:`pooled`."""
        return float(self._rescaled(cosines(self._rows([text]), self.pooled(texts)))[0, 0])

    def pooled(self, texts: Sequence[str]) -> Vectors:
        """Mean of the texts' vectors weighted by their tokens, unit length, shape (1, dim)."""
        rows = self._rows(texts).astype(np.float64)
        weights = np.array([max(self._encoded.n_tokens[self._row[text]], 1) for text in texts])
        mean = (rows * weights[:, None]).sum(axis=0)
        norm = float(np.sqrt(np.sum(mean * mean)))
        return np.asarray((mean / (norm or 1.0))[None, :], dtype=np.float32)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The texts' unit vectors, shape (len(texts), dim)."""
        return self._rows(texts)

    def once(self, name: str, derive: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
        """What is derived from this encoding under a name: derived at the first call, kept for the next."""
        if name not in self._derived:
            self._derived[name] = derive()
        return self._derived[name]

    def left_out(self, text: str) -> tuple[int, int]:
        """Tokens of a text left out of its vector, and all its tokens; zeros if it was not encoded."""
        row = self._row.get(text)
        return (0, 0) if row is None else (self._encoded.left_out[row], self._encoded.n_tokens[row])

    def _rescaled(self, found: NDArray[np.float64]) -> NDArray[np.float64]:
        floor = self._encoded.cosine_floor
        return np.maximum(found - floor, 0.0) / (1 - floor) if floor else found

    def _rows(self, texts: Sequence[str]) -> Vectors:
        return self._encoded.vectors[[self._row[text] for text in texts]]


def support_of(similarity: Similarity) -> NDArray[np.float64]:
    """P(supported) of every sentence as the verifier gave it, shape (sentences,)."""
    return similarity.once(SENTENCE_SUPPORT, _no_verifier)


def _no_verifier() -> NDArray[np.float64]:
    raise LookupError("no verifier has read this answer")


def cosines(a: Vectors, b: Vectors) -> NDArray[np.float64]:
    """Dot products of unit vectors clamped to [0, 1], summed alike whatever the shapes."""
    # A matrix product may sum in another order for another shape; einsum over doubles does not.
    product: NDArray[np.float64] = np.einsum(
        "id,jd->ij", a.astype(np.float64), b.astype(np.float64), optimize=False
    )
    return np.clip(product, 0.0, 1.0)
