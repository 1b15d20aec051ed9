"""The model under sentence-transformers: slower to start, needs nothing made beforehand."""

from __future__ import annotations

import os

import numpy as np

from evalcore.encoder.base import EncoderInfo, Vectors
from evalcore.encoder.neural import RunPiece
from evalcore.encoder.quiet import quiet_loading
from evalcore.encoder.weights import ModelFolder
from evalcore.errors import EncoderError


def load(folder: ModelFolder) -> tuple[EncoderInfo, RunPiece]:
    """Open the model from its folder with the hub switched off.

    Returns
    -------
    info : EncoderInfo
    run : callable
        One text in, its unit vector out; the text is cut at the model's window.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import sentence_transformers
    except ImportError as error:
        raise EncoderError(
            "sentence-transformers is not installed", cure="pip install sentence-transformers"
        ) from error
    try:
        with quiet_loading():
            model = sentence_transformers.SentenceTransformer(
                str(folder.path), device="cpu", local_files_only=True
            )
    except Exception as error:
        # The reader of the weights raises a private kind for a broken file.
        raise EncoderError(
            "the embedding model cannot be loaded",
            where=str(folder.path),
            got=f"{type(error).__name__}: {error}",
            cure="check that the folder holds the whole model",
        ) from error
    model.max_seq_length = folder.window

    def run(text: str) -> Vectors:
        # The prefix is in the text already: an empty prompt keeps the model's own from coming twice.
        vector = model.encode(
            [text],
            prompt="",
            batch_size=1,
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )[0]
        return np.asarray(vector, dtype=np.float32)

    info = EncoderInfo(
        name=folder.name,
        weights_hash=folder.weights_hash,
        backend="sentence-transformers",
        precision="fp32",
        runtime_version=sentence_transformers.__version__,
        window=folder.window,
        scripts=frozenset(),
    )
    return info, run
