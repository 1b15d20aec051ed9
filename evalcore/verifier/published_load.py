"""Open a published classifier from its files: found locally, checked, never run with code of its own."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from evalcore.encoder.quiet import quiet_loading
from evalcore.encoder.weights import locate
from evalcore.errors import EncoderError, VerifierError

Kind = Literal["cross_encoder", "nli", "token_classifier"]

_TOKENIZER_FILES: Final = (
    "added_tokens.json", "merges.txt", "sentencepiece.bpe.model", "special_tokens_map.json", "spiece.model",
    "spm.model", "tokenizer_config.json", "vocab.json", "vocab.txt",
)  # fmt: skip
"""What may decide the tokens besides tokenizer.json, which the hash of the weights holds already."""
_UNLIMITED = 10**9
_HUB_CURE = "put the model's folder on this machine and name it in the profile's verifier.model"


@dataclass(frozen=True)
class LoadedModel:
    """A classifier and its tokenizer; ``longest`` is what its positions allow, None where nothing limits."""

    tokenizer: Any
    model: Any
    labels: Mapping[int, str]
    longest: int | None
    weights_hash: str


def load_model(name: str, revision: str | None, kind: Kind) -> LoadedModel:
    """Open a model by folder or hub id, from this machine alone.

    Raises
    ------
    VerifierError
        When its files are not here, are broken, want code of their own or are of another kind.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import torch
        import transformers
    except ImportError as error:
        raise VerifierError(
            "a published verifier needs torch and transformers", cure="pip install torch transformers"
        ) from error
    path = _find(name, revision)
    weights_hash = _hash_files(path)
    _check_architecture(path, name, kind)
    auto = (
        transformers.AutoModelForTokenClassification
        if kind == "token_classifier"
        else transformers.AutoModelForSequenceClassification
    )
    try:
        with quiet_loading(), _no_warnings():
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(path), local_files_only=True, trust_remote_code=False
            )
            model, report = auto.from_pretrained(
                str(path), local_files_only=True, trust_remote_code=False, dtype=torch.float32,
                output_loading_info=True,
            )  # fmt: skip
    except Exception as error:
        # The readers of weights and vocabularies raise many kinds for a broken file, some of them private.
        raise VerifierError(
            "the verifier's model cannot be loaded",
            where=str(path),
            got=f"{type(error).__name__}: {error}",
            cure="check that the folder holds the whole model: config, weights and tokenizer",
        ) from error
    absent = sorted(report["missing_keys"]) + sorted(str(key) for key in report["mismatched_keys"])
    if absent:
        raise VerifierError(
            "the model's files lack some of its weights, which would be noise",
            where=str(path),
            got=f"no {absent[0]}" + (f" and {len(absent) - 1} more" if len(absent) > 1 else ""),
            cure=f"name a model that was trained as a {kind.replace('_', ' ')}, with all of its files",
        )
    _check_tokenizer(tokenizer, model, path)
    # Cuts are made by the caller, from the evidence: the tokenizer's own limit would only warn.
    tokenizer.model_max_length = _UNLIMITED
    return LoadedModel(
        tokenizer=tokenizer,
        model=model.eval(),
        labels={int(index): str(label) for index, label in model.config.id2label.items()},
        longest=_longest(model),
        weights_hash=weights_hash,
    )


def _find(name: str, revision: str | None) -> Path:
    folder = Path(name).expanduser()
    if folder.is_dir():
        if revision is not None:
            raise VerifierError(
                "a model folder has no revisions",
                where=name,
                got=revision,
                cure="leave out the revision, or name the model by its hub id",
            )
        return folder.resolve()
    if name.startswith((".", "/", "~")) or "\\" in name:
        raise VerifierError("no such model folder", where=name, cure=_HUB_CURE)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, revision=revision, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError) as error:
        raise VerifierError(
            "the verifier's model is neither a folder nor in the local hub cache",
            where=f"{name}, revision {revision}" if revision else name,
            got=type(error).__name__,
            cure=_HUB_CURE,
        ) from error


def _hash_files(path: Path) -> str:
    """Hash over weights and configuration, as encoders are named, and over all that decides the tokens."""
    try:
        digest = hashlib.sha256(locate(str(path)).weights_hash.encode("ascii"))
        for file in (path / name for name in _TOKENIZER_FILES):
            if file.is_file():
                digest.update(file.name.encode() + b"\n" + hashlib.sha256(file.read_bytes()).digest())
    except (EncoderError, OSError) as error:
        raise VerifierError(
            "the verifier's model cannot be read",
            where=str(path),
            got=str(error),
            cure="name the folder that holds the model's config.json, weights and tokenizer",
        ) from error
    return digest.hexdigest()


def _check_architecture(path: Path, name: str, kind: Kind) -> None:
    from transformers import CONFIG_MAPPING

    try:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
        family = str(config["model_type"])
        made_as = [str(architecture) for architecture in config.get("architectures") or ()]
    except (OSError, ValueError, AttributeError, KeyError, TypeError) as error:
        raise VerifierError(
            "the model's configuration cannot be read",
            where=str(path / "config.json"),
            got=f"{type(error).__name__}: {error}",
            cure="check that the folder holds the whole model",
        ) from error
    if family not in CONFIG_MAPPING:
        own_code = bool(config.get("auto_map"))
        cure = "name a model of an architecture that transformers has"
        if family.casefold() == "hhemv2":
            cure += "; of HHEM that is vectara/hallucination_evaluation_model at revision hhem-1.0-open"
        raise VerifierError(
            "the model needs Python code from its own files, which is never run"
            if own_code
            else "the installed transformers does not know this model's architecture",
            where=name,
            got=f"model_type {family}",
            cure=cure,
        )
    head = "ForTokenClassification" if kind == "token_classifier" else "ForSequenceClassification"
    if not any(architecture.endswith(head) for architecture in made_as):
        raise VerifierError(
            f"the model is not a {kind.replace('_', ' ')}",
            where=name,
            got=", ".join(made_as) or "no architecture in config.json",
            expected=f"an architecture that ends in {head}",
            cure=_other_kind(made_as),
        )


def _other_kind(made_as: list[str]) -> str:
    if any(architecture.endswith("ForTokenClassification") for architecture in made_as):
        return "set kind: token_classifier"
    if any(architecture.endswith("ForSequenceClassification") for architecture in made_as):
        return "set kind: cross_encoder or kind: nli"
    return "name a model that was trained to classify pairs of texts or their tokens"


def _check_tokenizer(tokenizer: Any, model: Any, path: Path) -> None:
    ids = tokenizer.get_vocab().values() if tokenizer.is_fast else ()
    rows = model.get_input_embeddings().num_embeddings
    # A folder without tokenizer files gives a tokenizer of special tokens alone.
    if len(ids) <= len(tokenizer.all_special_ids) or max(ids) >= rows:
        raise VerifierError(
            "the model's tokenizer does not belong to its weights",
            where=str(path),
            got=f"{len(ids)} tokens, the largest id {max(ids, default=0)}",
            expected=f"ids below {rows}, from a tokenizer.json or the vocabulary it is made of",
            cure="copy the tokenizer files that were published with the weights",
        )


def _longest(model: Any) -> int | None:
    """Tokens that a table of positions has room for; relative and rotary positions have no end."""
    for name, module in model.named_modules():
        if name.endswith(("position_embeddings", "embed_positions")) and hasattr(module, "num_embeddings"):
            padding = getattr(module, "padding_idx", None)
            offset = getattr(module, "offset", 0)
            return int(module.num_embeddings) - int(offset if padding is None else padding + 1)
    return None


@contextmanager
def _no_warnings() -> Iterator[None]:
    """What transformers would warn of while it loads is checked here and raised."""
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(before)
