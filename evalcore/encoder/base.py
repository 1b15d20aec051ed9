"""What every encoder offers: texts in, unit vectors out, one group of texts per answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class EncoderInfo:
    """What made the vectors; goes into each result's fingerprint.

    ``scripts`` are the writing systems the model was trained on; an empty set means any.
    ``fallback_reason`` is set when this encoder stands in for one that could not be loaded.
    """

    name: str
    weights_hash: str
    backend: str
    precision: str
    runtime_version: str
    window: int
    scripts: frozenset[str]
    is_lexical: bool = False
    fallback_reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Encoded:
    """The vectors of one group of texts.

    Attributes
    ----------
    vectors : ndarray of float32, shape (n_texts, dim)
        Rows of unit length; a row of zeros for a text without a single token.
    n_tokens : tuple of int
        Tokens of each text, before anything was left out.
    left_out : tuple of int
        Tokens of each text that took no part in its vector.
    cosine_floor : float
        Cosine that counts as no similarity at all; see ``EncoderConfig.cosine_floor``.
    """

    vectors: Vectors
    n_tokens: tuple[int, ...]
    left_out: tuple[int, ...]
    cosine_floor: float = 0.0


class Encoder(Protocol):
    """Turns groups of texts into vectors whose dot product is a similarity.

    Vectors of one group may be compared with each other; across groups only where the encoder is neural.
    """

    @property
    def info(self) -> EncoderInfo:
        """What this encoder is."""
        ...

    def encode(self, groups: Sequence[Sequence[str]]) -> list[Encoded]:
        """Encode every group; equal texts are encoded once.

        Parameters
        ----------
        groups : sequence of sequences of str
            One group an answer: all texts its scorers will compare.

        Returns
        -------
        list of Encoded
            In the order of the groups.
        """
        ...
