"""The verifier that ships with Proofdesk: a small cross-encoder under ONNX Runtime, in int8.

It reads evidence and claim together and gives two logits of "not supported": one for the whole claim and one
for its worst word piece. How it was made, from which data, and how well it does: MODEL_CARD.md beside it.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.encoder.neural import load_tokenizer
from evalcore.errors import VerifierError
from evalcore.verifier.base import ClaimPair, VerifierInfo
from evalcore.verifier.head import Head

FOLDER = Path(__file__).parent / "artefact"
MODEL_FILE = "cross_encoder.onnx"
TOKENIZER_FILE = "tokenizer.json"
HEAD_FILE = "head.json"
MAX_TOKENS = 256
MAX_CLAIM_TOKENS = 96
Model = Literal["shipped", "multilingual"]
"""The English verifier, whole in the package, or the one on the weights of extra ``multilingual``."""
_FOLDERS: dict[Model, str] = {"shipped": "", "multilingual": "multilingual"}
_CACHE_SIZE = 16384


@dataclass(frozen=True)
class Logits:
    """Logits of "not supported": of each claim and of its worst word piece, both of shape (n,)."""

    claim: NDArray[np.float64]
    piece: NDArray[np.float64]


class ShippedVerifier:
    """The cross-encoder, each pair run by itself, unpadded, so that no pair's figures hang on another's.

    Parameters
    ----------
    folder : Path
        Holds ``cross_encoder.onnx`` and ``tokenizer.json``.
    info : VerifierInfo, optional
        Its name and hash where they are not those of the files in the folder.
    threads : int
        Pairs read at once; 0 means one a core, at most 4. Changes no figure.
    """

    def __init__(self, folder: Path = FOLDER, *, info: VerifierInfo | None = None, threads: int = 0) -> None:
        self._folder = folder
        self._info = info
        self._threads = threads or min(os.cpu_count() or 1, 4)
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._cache: OrderedDict[ClaimPair, tuple[float, float]] = OrderedDict()
        self._session = _open(folder / MODEL_FILE)
        self._tokenizer = load_tokenizer(folder / TOKENIZER_FILE)
        # As a wrapped pair would have them: the first and the last of an empty text's ids.
        self._cls, self._sep = self._tokenizer.encode("").ids

    @cached_property
    def info(self) -> VerifierInfo:
        """Its name and the hash of its weights."""
        return self._info or VerifierInfo(name="shipped", weights_hash=weights_hash(self._folder))

    def verify(self, pairs: Sequence[ClaimPair]) -> NDArray[np.float64]:
        """P(claim is supported by its evidence), in [0, 1], shape (len(pairs),)."""
        logits = self.logits(pairs).claim
        return np.asarray(1 / (1 + np.exp(logits)), dtype=np.float64)

    def logits(self, pairs: Sequence[ClaimPair]) -> Logits:
        """Both logits of every pair; a pair read before is not read again."""
        with self._lock:
            known = {pair: self._cache[pair] for pair in pairs if pair in self._cache}
            if self._pool is None and self._threads > 1:
                self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="verify")
        new = sorted({pair for pair in pairs if pair not in known}, key=_length, reverse=True)
        run = map if self._pool is None or len(new) < 2 else self._pool.map
        known.update(zip(new, run(self._run, new), strict=True))
        with self._lock:
            for pair in new:
                self._cache[pair] = known[pair]
            while len(self._cache) > _CACHE_SIZE:
                self._cache.popitem(last=False)
        both = np.array([known[pair] for pair in pairs], dtype=np.float64).reshape(len(pairs), 2)
        return Logits(claim=both[:, 0], piece=both[:, 1])

    def clear_cache(self) -> None:
        """Forget what was read: the next call is a cold one."""
        with self._lock:
            self._cache.clear()

    def _run(self, pair: ClaimPair) -> tuple[float, float]:
        ids, start = encode_pair(self._tokenizer, pair, self._cls, self._sep)
        types = np.zeros((1, len(ids)), dtype=np.int64)
        types[0, start:] = 1
        row = np.array([ids], dtype=np.int64)
        claim, pieces = self._session.run(
            None, {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": types}
        )
        said = pieces[0, start:-1]
        return float(claim[0]), float(said.max()) if len(said) else 0.0


@cache
def shipped_head(model: Model = "shipped") -> Head:
    """The head that ships with a verifier."""
    return Head.model_validate_json((FOLDER / _FOLDERS[model] / HEAD_FILE).read_text(encoding="utf-8"))


@cache
def shipped_verifier(model: Model = "shipped") -> ShippedVerifier:
    """The one verifier of this name in this process, opened at the first call.

    Raises
    ------
    EncoderError
        For ``multilingual`` where the extra it stands on is not installed.
    VerifierError
        When its files cannot be read or made.
    """
    if model == "multilingual":
        from evalcore.verifier.multilingual import multilingual_verifier

        return multilingual_verifier(FOLDER / _FOLDERS[model])
    return ShippedVerifier()


def encode_pair(tokenizer: Any, pair: ClaimPair, cls: int, sep: int) -> tuple[list[int], int]:
    """Ids of ``[CLS] evidence [SEP] claim [SEP]`` and where the claim begins.

    What is too long is cut from the end of the evidence, and from a claim only beyond 96 pieces.
    """
    said = tokenizer.encode(pair.claim, add_special_tokens=False).ids[:MAX_CLAIM_TOKENS]
    held = tokenizer.encode(pair.evidence, add_special_tokens=False).ids[: MAX_TOKENS - len(said) - 3]
    return [cls, *held, sep, *said, sep], len(held) + 2


def weights_hash(folder: Path) -> str:
    """SHA-256 in hex over the model's files."""
    digest = hashlib.sha256()
    for name in (MODEL_FILE, TOKENIZER_FILE, HEAD_FILE):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def _length(pair: ClaimPair) -> tuple[int, str, str]:
    return len(pair.claim) + len(pair.evidence), pair.claim, pair.evidence


def _open(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        # ONNX Runtime raises private kinds for a file that is missing, cut short or no model.
        raise VerifierError(
            "the shipped verifier cannot be read",
            where=str(path),
            got=f"{type(error).__name__}: {error}",
            cure="reinstall Proofdesk, or name another verifier in the profile",
        ) from error
