"""Published verifiers behind our protocol, for teams that have the weights: named by folder or hub id.

Nothing is downloaded and no code that comes with a model is run. Published models of these three kinds fit:

- ``nli``: a three-way or two-way entailment classifier, such as ``cross-encoder/nli-deberta-v3-base`` or
  ``MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli``. P(supported) is P(entailment).
- ``cross_encoder``: any classifier of pairs. With a single output it is the logistic function of it, as
  HHEM-1.0-Open has it: ``vectara/hallucination_evaluation_model`` at revision ``hhem-1.0-open``.
  HHEM-2.1-Open, the same id at its main revision, needs Python code from its own files and is refused.
- ``token_classifier``: labels the claim's tokens, such as LettuceDetect
  (``KRLabsOrg/lettucedect-base-modernbert-en-v1``). P(supported) is 1 less the largest P(unsupported) of a
  token. It was trained on prompts of tasks; without a question its own code uses that of a summary:
  ``prompt: "Summarize the following text:\\n{evidence}\\noutput:"``, and ``max_tokens: 4096``.

Sources: Kovács and Recski 2025, LettuceDetect (arXiv 2502.17125); Vectara's model card of HHEM.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from evalcore.errors import VerifierError
from evalcore.verifier.base import ClaimPair, Verifier, VerifierInfo
from evalcore.verifier.head import sigmoid
from evalcore.verifier.published_labels import SUPPORTED, UNSUPPORTED, find_output
from evalcore.verifier.published_load import Kind, LoadedModel, load_model

_PLACE = "{evidence}"
_LEAST_ROOM = 8
_BATCH_TOKENS = 4096
_UNNAMED = {0: "LABEL_0", 1: "LABEL_1"}


class PublishedVerifier(BaseModel):
    """A published model as a profile names it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind
    model: str = Field(min_length=1)
    """A folder, or a hub id that is in the local cache."""
    revision: str | None = None
    """Branch, tag or commit of a hub id; the main one where None."""
    max_tokens: int = Field(default=512, ge=16)
    """Tokens of prompt, evidence and claim together; what is beyond is cut from the end of the evidence."""
    prompt: str = _PLACE
    """What stands before the claim, ``{evidence}`` in it."""
    supported_label: StrictStr | StrictInt | None = None
    """The output that says the claim is supported; None finds it by its name."""
    unsupported_label: StrictStr | StrictInt | None = None
    """The label of an unsupported token; None finds it by its name, or takes the second of two unnamed."""

    @model_validator(mode="after")
    def _fields_fit_the_kind(self) -> Self:
        if self.prompt.count(_PLACE) != 1:
            raise ValueError(f"the prompt must hold {_PLACE} once")
        if self.kind == "token_classifier" and self.supported_label is not None:
            raise ValueError("a token_classifier has an unsupported_label, not a supported_label")
        if self.kind != "token_classifier" and self.unsupported_label is not None:
            raise ValueError(f"a {self.kind} has a supported_label, not an unsupported_label")
        return self


def load_verifier(config: PublishedVerifier) -> Verifier:
    """Open the verifier that ``config`` names, from this machine alone.

    Raises
    ------
    VerifierError
        When the model is not here, is broken, is of another kind, wants code of its own, has no output that
        can be told to mean support, or cannot read ``max_tokens``.
    """
    loaded = load_model(config.model, config.revision, config.kind)
    if loaded.longest is not None and config.max_tokens > loaded.longest:
        raise VerifierError(
            "max_tokens is more than the model can read",
            where=config.model,
            got=str(config.max_tokens),
            expected=f"at most {loaded.longest}",
        )
    return _ClassifierVerifier(config, loaded, _output(config, loaded))


def _output(config: PublishedVerifier, loaded: LoadedModel) -> int:
    labels = loaded.labels
    if len(labels) < 2 and config.kind != "cross_encoder":
        raise VerifierError(
            f"a {config.kind} needs two outputs or more",
            where=config.model,
            got=f"{len(labels)} output",
            cure="set kind: cross_encoder" if config.kind == "nli" else "name another model",
        )
    if config.kind != "token_classifier":
        # A lone output needs no name: it rises with support.
        wanted = 0 if len(labels) == 1 and config.supported_label is None else config.supported_label
        return find_output(labels, wanted, SUPPORTED, field="supported_label", model=config.model)
    # LettuceDetect leaves its labels unnamed and trains the second as "hallucinated".
    wanted = 1 if labels == _UNNAMED and config.unsupported_label is None else config.unsupported_label
    return find_output(labels, wanted, UNSUPPORTED, field="unsupported_label", model=config.model)


@dataclass(frozen=True)
class _Row:
    """One input of the model and where the claim's tokens are in it."""

    inputs: dict[str, list[int]]
    claim: list[int]

    @property
    def length(self) -> int:
        return len(self.inputs["input_ids"])


class _ClassifierVerifier:
    """A classifier of transformers on the CPU.

    Only inputs of one length are run together, unpadded, so that no pair's figure hangs on another's. A claim
    beyond half of the room is read in pieces, of which the least supported counts; one without a token that
    the model could read gets 0. One thread runs at a time: the model uses all cores by itself, and the
    tokenizer must not be entered twice.
    """

    def __init__(self, config: PublishedVerifier, loaded: LoadedModel, output: int) -> None:
        self._config = config
        self._tokenizer = loaded.tokenizer
        self._model = loaded.model
        self._output = output
        self._lock = threading.Lock()
        self._info = VerifierInfo(name=config.model, weights_hash=loaded.weights_hash)
        room = config.max_tokens - len(self._pair("", "")["input_ids"])
        if room < _LEAST_ROOM:
            raise VerifierError(
                "the prompt leaves no room for evidence and claim",
                where=config.model,
                got=f"{max(room, 0)} of {config.max_tokens} tokens",
                cure="raise max_tokens or shorten the prompt",
            )
        self._longest_claim = room // 2

    @property
    def info(self) -> VerifierInfo:
        return self._info

    def verify(self, pairs: Sequence[ClaimPair]) -> NDArray[np.float64]:
        with self._lock:
            rows = {
                pair: [self._row(pair.evidence, piece) for piece in self._pieces(pair.claim)]
                for pair in dict.fromkeys(pairs)
            }
            order = sorted((row for found in rows.values() for row in found), key=lambda row: row.length)
            support = {
                id(row): value
                for batch in _batches(order)
                for row, value in zip(batch, self._run(batch), strict=True)
            }
        said = {pair: min((support[id(row)] for row in found), default=0.0) for pair, found in rows.items()}
        return np.array([said[pair] for pair in pairs], dtype=np.float64)

    def _pair(self, evidence: str, claim: str) -> Any:
        return self._tokenizer(self._config.prompt.replace(_PLACE, evidence), claim)

    def _pieces(self, claim: str) -> list[str]:
        """The claim, or where it is too long its pieces, cut at word starts; none where it has no token."""
        encoding = self._tokenizer(claim, add_special_tokens=False, return_offsets_mapping=True)
        offsets, words = encoding["offset_mapping"], encoding.word_ids(0)
        if len(offsets) <= self._longest_claim:
            return [claim] if offsets else []
        pieces = []
        first = 0
        while first < len(offsets):
            last = min(first + self._longest_claim, len(offsets))
            cut = last
            while last < len(offsets) and cut > first and words[cut] == words[cut - 1]:
                cut -= 1
            last = cut if cut > first else last
            pieces.append(claim[offsets[first][0] : offsets[last - 1][1]])
            first = last
        return pieces

    def _row(self, evidence: str, claim: str) -> _Row:
        encoding = self._pair(evidence, claim)
        over = len(encoding["input_ids"]) - self._config.max_tokens
        if over > 0:
            offsets = self._tokenizer(evidence, add_special_tokens=False, return_offsets_mapping=True)[
                "offset_mapping"
            ]
            kept = len(offsets)
            # Once is enough, but for a cut inside a word, which may give one token more.
            while over > 0 and kept > 0:
                kept = max(kept - over, 0)
                encoding = self._pair(evidence[: offsets[kept - 1][1]] if kept else "", claim)
                over = len(encoding["input_ids"]) - self._config.max_tokens
        inputs = {name: encoding[name] for name in self._tokenizer.model_input_names if name in encoding}
        return _Row(inputs, [place for place, part in enumerate(encoding.sequence_ids(0)) if part == 1])

    def _run(self, rows: Sequence[_Row]) -> list[float]:
        """P(supported) of rows of one length."""
        import torch

        inputs = {name: torch.tensor([row.inputs[name] for row in rows]) for name in rows[0].inputs}
        with torch.inference_mode():
            logits = self._model(**inputs).logits.numpy().astype(np.float64)
        if not np.isfinite(logits).all():
            raise VerifierError(
                "the verifier's model gives figures that are not numbers",
                where=self._config.model,
                got="NaN or infinity among its outputs",
                cure="its weights are damaged or were cut to a precision that does not hold them: "
                "copy them anew, or name another model",
            )
        if logits.shape[-1] == 1:
            return [float(value) for value in sigmoid(logits[:, 0])]
        chances = _softmax(logits)[..., self._output]
        if self._config.kind != "token_classifier":
            return [float(value) for value in chances]
        return [1 - float(chance[row.claim].max()) for row, chance in zip(rows, chances, strict=True)]


def _batches(rows: Iterable[_Row]) -> Iterable[list[_Row]]:
    """Rows of one length together, as many as fit."""
    for length, group in groupby(rows, key=lambda row: row.length):
        same = list(group)
        most = max(1, _BATCH_TOKENS // length)
        yield from (same[start : start + most] for start in range(0, len(same), most))


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float64)
