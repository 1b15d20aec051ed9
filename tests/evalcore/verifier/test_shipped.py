"""The cross-encoder that ships: what it says, and that nothing but the pair decides it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from evalcore.errors import VerifierError
from evalcore.verifier.base import ClaimPair
from evalcore.verifier.shipped import FOLDER, MODEL_FILE, ShippedVerifier, shipped_head, shipped_verifier

EVIDENCE = (
    "The bridge was opened in 1932 by Clara Voss and is 410 metres long. It carries two railway tracks."
)
HELD = ["The bridge is 410 metres long.", "It was opened in 1932.", "Clara Voss opened the bridge."]
NOT_HELD = ["The bridge was painted green by its owner.", "Tickets for the museum cost nine euros.",
            "The bridge was closed to railway traffic after the flood."]  # fmt: skip


def test_what_the_evidence_holds_is_likelier_supported_than_what_it_does_not() -> None:
    held = shipped_verifier().verify([ClaimPair(EVIDENCE, claim) for claim in HELD])
    other = shipped_verifier().verify([ClaimPair(EVIDENCE, claim) for claim in NOT_HELD])

    assert held.min() > other.max()
    assert ((held >= 0) & (held <= 1)).all()


def test_a_pair_says_the_same_alone_in_a_batch_and_from_threads() -> None:
    pairs = [ClaimPair(EVIDENCE, claim) for claim in [*HELD, *NOT_HELD]]
    alone = ShippedVerifier(threads=1)
    single = np.array([alone.verify([pair])[0] for pair in pairs])
    together = ShippedVerifier(threads=4)
    with ThreadPoolExecutor(4) as pool:
        many = list(pool.map(together.verify, [pairs[::-1]] * 4))

    assert (alone.verify(pairs) == single).all()
    assert all((row[::-1] == single).all() for row in many)


def test_repeated_empty_and_monstrous_pairs() -> None:
    verifier = shipped_verifier()
    long = ClaimPair("word " * 5000, "claim " * 5000)

    assert verifier.verify([]).shape == (0,)
    assert np.isfinite(verifier.verify([ClaimPair("", ""), ClaimPair("", "x"), long, long])).all()
    assert verifier.verify([long, long])[0] == verifier.verify([long])[0]


def test_a_claim_is_read_whatever_the_length_of_its_evidence() -> None:
    evidence = f"{EVIDENCE} " + "The station has a hall. " * 200
    held, other = shipped_verifier().verify([ClaimPair(evidence, HELD[0]), ClaimPair(evidence, NOT_HELD[1])])

    assert held > other


def test_the_artefact_is_small_and_named_by_its_hash() -> None:
    size = sum(file.stat().st_size for file in FOLDER.iterdir())

    assert size < 25_000_000
    assert len(shipped_verifier().info.weights_hash) == 64
    assert shipped_head().weakest >= 1


def test_a_broken_model_file_says_which_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / MODEL_FILE).write_bytes(b"not a model")

    with pytest.raises(VerifierError, match=r"cross_encoder\.onnx.*reinstall"):
        ShippedVerifier(tmp_path)
