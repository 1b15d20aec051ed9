"""What a verifier is: it reads evidence and a claim and says how likely the one holds the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ClaimPair:
    """A claim (a sentence of the answer) and the evidence chosen for it, as one text."""

    evidence: str
    claim: str


@dataclass(frozen=True)
class VerifierInfo:
    """Names a verifier: its ``name`` as the profile wrote it and the hash of its weights (hex digits)."""

    name: str
    weights_hash: str


class Verifier(Protocol):
    """Reads pairs of evidence and claim. May be used from several threads."""

    @property
    def info(self) -> VerifierInfo:
        """Which verifier it is."""

    def verify(self, pairs: Sequence[ClaimPair]) -> NDArray[np.float64]:
        """P(claim is supported by its evidence) of each pair, in [0, 1], shape (len(pairs),)."""
