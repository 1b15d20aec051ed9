"""Encoders: the bundled MiniLM, the multilingual extra, any sentence-transformers model, the lexical one."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evalcore.encoder.base import Encoded, Encoder, EncoderInfo, Vectors
from evalcore.encoder.lexical import LexicalEncoder
from evalcore.encoder.weights import BUNDLED, locate
from evalcore.errors import EncoderError

__all__ = ["Encoded", "Encoder", "EncoderConfig", "EncoderInfo", "Vectors", "load_encoder", "prepare_encoder"]


Script = Literal[
    "Latin", "Cyrillic", "Greek", "Han", "Kana", "Hangul", "Arabic", "Hebrew", "Devanagari", "Thai", "Other"
]
"""As :func:`evalcore.text.scripts` names them."""


class EncoderConfig(BaseModel):
    """The ``encoder`` section of a profile."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(default=BUNDLED, min_length=1)
    """``bundled``, ``multilingual`` (the extra of that name), a folder, or a hub id in the local cache."""
    prefix: str | None = None
    """Put before every text, as some models want it (e5: ``"query: "``). Left out, it is the default prompt
    that the model's own folder names, if any."""
    cosine_floor: float = Field(default=0.0, ge=0, lt=1)
    """Cosine that counts as no similarity: ``c`` becomes ``(c - floor) / (1 - floor)``, at least 0.

    Some models keep all cosines in a narrow band, e5 above 0.7. Set it to the typical cosine of texts that
    have nothing to do with each other, and scores mean about the same as under a model without a band."""
    backend: Literal["auto", "onnx", "sentence-transformers", "lexical"] = "auto"
    """``auto`` is ONNX Runtime where it can be had, else sentence-transformers."""
    precision: Literal["fp32", "int8"] = "fp32"
    overflow: Literal["window", "truncate"] = "window"
    """What happens to a text beyond the model's window: windows and pooling, or a cut that is said."""
    max_windows: int = Field(default=64, ge=1)
    scripts: tuple[Script, ...] = ()
    """Writing systems the model knows; empty means any."""
    fallback: Literal["lexical", "none"] = "none"
    """What to do when the model cannot be loaded."""

    @model_validator(mode="after")
    def _precision_can_be_had(self) -> Self:
        if self.precision == "int8" and self.backend in ("sentence-transformers", "lexical"):
            raise ValueError(f"precision int8 needs the onnx backend, not {self.backend}")
        return self


def load_encoder(config: EncoderConfig, *, threads: int = 0, cache_size: int = 16384) -> Encoder:
    """The encoder a profile asks for.

    Parameters
    ----------
    config : EncoderConfig
    threads : int
        Texts encoded at once; 0 means one a core, at most 4. Does not change any vector.
    cache_size : int
        Vectors kept across calls.

    Raises
    ------
    EncoderError
        When the model cannot be loaded and the profile does not allow the lexical encoder in its place.
    """
    if config.backend == "lexical":
        return LexicalEncoder()
    try:
        return _load_neural(config, threads=threads, cache_size=cache_size)
    except EncoderError as error:
        if config.fallback == "lexical":
            return LexicalEncoder(fallback_reason=str(error))
        raise


def prepare_encoder(config: EncoderConfig) -> str:
    """Make at set-up what the first answer would else wait for; returns a line that says what is ready."""
    if config.backend == "lexical":
        return "lexical encoder: nothing to prepare"
    from evalcore.encoder import onnx

    folder = locate(config.model)
    if config.backend == "sentence-transformers":
        return f"{folder.name} at {folder.path}"
    return f"{folder.name} ({config.precision}) at {onnx.export(folder, config.precision)}"


def _load_neural(config: EncoderConfig, *, threads: int, cache_size: int) -> Encoder:
    from evalcore.encoder import onnx, sentence_transformer
    from evalcore.encoder.neural import NeuralEncoder

    folder = locate(config.model)
    if config.backend == "sentence-transformers":
        info, run = sentence_transformer.load(folder)
    else:
        try:
            info, run = onnx.load(folder, config.precision)
        except EncoderError:
            if config.backend == "onnx" or config.precision != "fp32":
                raise
            info, run = sentence_transformer.load(folder)
    return NeuralEncoder(
        replace(info, scripts=frozenset(config.scripts)),
        tokenizer_file=folder.path / "tokenizer.json",
        run=run,
        prefix=folder.prefix if config.prefix is None else config.prefix,
        cosine_floor=config.cosine_floor,
        overflow=config.overflow,
        max_windows=config.max_windows,
        threads=threads,
        cache_size=cache_size,
    )
