"""Windows, pooling, duplicates and the cache: what every neural encoder shares."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from evalcore.encoder.base import Encoded, EncoderInfo, Vectors
from evalcore.errors import EncoderError

Overflow = Literal["window", "truncate"]
_SPECIAL_TOKENS = 2

if TYPE_CHECKING:
    from tokenizers import Tokenizer

RunPiece = Callable[[str], Vectors]
"""Encode one text that fits the window; returns the unit vector, shape (dim,)."""


class NeuralEncoder:
    """A transformer behind windows and a bounded cache.

    Each distinct text is run by itself, unpadded, several at a time on a few threads. Padding to one batch
    costs more on a CPU than it gains, and a vector that never depends on its neighbours in a batch is what
    makes the same answer score the same in any batch size and order.

    A text beyond the window is cut into windows at word starts; its vector is the mean of its windows'
    vectors weighted by their tokens, brought back to unit length. With ``overflow='truncate'`` the first
    window stands for the text and the rest is counted as left out.

    Parameters
    ----------
    info : EncoderInfo
        What the runner is.
    tokenizer_file : Path
        A ``tokenizer.json``.
    run : callable
        Encodes one text that fits the window.
    prefix : str
        Put before every text and every window of a long one; its tokens take room in the window and are
        counted nowhere.
    cosine_floor : float
        Passed on with the vectors.
    threads : int
        Texts encoded at once; 0 means one a core, at most 4.
    cache_size : int
        Vectors kept across calls, least recently used thrown out first.
    """

    def __init__(
        self,
        info: EncoderInfo,
        *,
        tokenizer_file: Path,
        run: RunPiece,
        prefix: str = "",
        cosine_floor: float = 0.0,
        overflow: Overflow = "window",
        max_windows: int = 64,
        threads: int = 0,
        cache_size: int = 16384,
    ) -> None:
        self._info = info
        self._runner = run
        self._prefix = prefix
        self._cosine_floor = cosine_floor
        self._overflow = overflow
        self._max_windows = max_windows
        self._tokenizer = load_tokenizer(tokenizer_file)
        prefix_tokens = len(self._tokenizer.encode(prefix, add_special_tokens=False).ids)
        self._room = info.window - _SPECIAL_TOKENS - prefix_tokens
        if self._room < 1:
            raise EncoderError(
                "the prefix leaves no room for a text",
                where="encoder.prefix",
                got=f"{prefix_tokens} tokens",
                expected=f"fewer than {info.window - _SPECIAL_TOKENS}",
            )
        self._threads = threads or min(os.cpu_count() or 1, 4)
        self._pool: ThreadPoolExecutor | None = None
        self._cache: OrderedDict[str, tuple[Vectors, int, int]] = OrderedDict()
        self._cache_size = cache_size
        self._lock = threading.Lock()

    @property
    def info(self) -> EncoderInfo:
        """What this encoder is."""
        return self._info

    def encode(self, groups: Sequence[Sequence[str]]) -> list[Encoded]:
        """Encode all groups at once: each distinct text that is not in the cache is run once."""
        known: dict[str, tuple[Vectors, int, int]] = {}
        missing: list[str] = []
        with self._lock:
            for text in dict.fromkeys(text for group in groups for text in group):
                entry = self._cache.get(text)
                if entry is None:
                    missing.append(text)
                else:
                    self._cache.move_to_end(text)
                    known[text] = entry
        if missing:
            # Longest first, so that no thread is left with a long text at the end.
            missing.sort(key=len, reverse=True)
            for text, entry in zip(missing, self._run_all(missing), strict=True):
                known[text] = entry
            with self._lock:
                for text in missing:
                    self._cache[text] = known[text]
                while len(self._cache) > self._cache_size:
                    self._cache.popitem(last=False)
        return [_gather([known[text] for text in group], self._cosine_floor) for group in groups]

    def clear_cache(self) -> None:
        """Forget all vectors: the next call is a cold one."""
        with self._lock:
            self._cache.clear()

    def _run_all(self, texts: Sequence[str]) -> list[tuple[Vectors, int, int]]:
        if self._threads == 1 or len(texts) == 1:
            return [self._encode_text(text) for text in texts]
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="encode")
        return list(self._pool.map(self._encode_text, texts))

    def _run(self, text: str) -> Vectors:
        return self._runner(self._prefix + text)

    def _encode_text(self, text: str) -> tuple[Vectors, int, int]:
        """Vector, token count and tokens left out of one text."""
        pieces, n_tokens, left_out = self._windows(text)
        if not pieces:
            return np.zeros_like(self._run("a")), 0, 0
        if len(pieces) == 1:
            return self._run(pieces[0][0]), n_tokens, left_out
        pooled = np.sum([self._run(piece) * weight for piece, weight in pieces], axis=0, dtype=np.float64)
        norm = float(np.linalg.norm(pooled))
        return np.asarray(pooled / (norm or 1.0), dtype=np.float32), n_tokens, left_out

    def _windows(self, text: str) -> tuple[list[tuple[str, int]], int, int]:
        """Pieces with their token counts, all tokens, tokens left out."""
        room = self._room
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        offsets = encoding.offsets
        n_tokens = len(offsets)
        if n_tokens <= room:
            return ([(text, n_tokens)] if n_tokens else []), n_tokens, 0
        if self._overflow == "truncate":
            # The runner cuts at the window by itself; pieces of a word stay as the whole text gave them.
            return [(text, room)], n_tokens, n_tokens - room
        word_ids = encoding.word_ids
        pieces: list[tuple[str, int]] = []
        first = 0
        while first < n_tokens and len(pieces) < self._max_windows:
            last = min(first + room, n_tokens)
            if last < n_tokens:
                cut = last
                while cut > first and word_ids[cut] == word_ids[cut - 1]:
                    cut -= 1
                last = cut if cut > first else last
            pieces.append((text[offsets[first][0] : offsets[last - 1][1]], last - first))
            first = last
        return pieces, n_tokens, n_tokens - first


def load_tokenizer(file: Path) -> Tokenizer:
    """Open a ``tokenizer.json`` without truncation and padding.

    Raises
    ------
    EncoderError
        When it is missing or cannot be read.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:
        raise EncoderError(
            "the model's tokenizer cannot be read",
            where=str(file),
            got=str(error),
            cure="save the model with its fast tokenizer, which writes tokenizer.json",
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _gather(entries: Sequence[tuple[Vectors, int, int]], cosine_floor: float) -> Encoded:
    vectors = (
        np.stack([vector for vector, _, _ in entries]) if entries else np.zeros((0, 0), dtype=np.float32)
    )
    return Encoded(
        vectors=vectors,
        n_tokens=tuple(count for _, count, _ in entries),
        left_out=tuple(left for _, _, left in entries),
        cosine_floor=cosine_floor,
    )
