"""The verifier of many languages: a small addition that ships, on the weights of extra ``multilingual``.

The addition (low-rank parts of every product, biases, normalisations, two heads) was trained on the encoder
of that extra; see MODEL_CARD.md beside the artefact. At first use both are put together, exported to ONNX in
int8 and kept in the cache; torch takes part in these seconds only.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evalcore.encoder.quiet import quiet_loading
from evalcore.encoder.weights import MULTILINGUAL, ModelFolder, cache_dir, locate, partial_path
from evalcore.errors import VerifierError
from evalcore.verifier.base import VerifierInfo
from evalcore.verifier.shipped import HEAD_FILE, MODEL_FILE, TOKENIZER_FILE, ShippedVerifier

ADAPTER_FILE = "adapter.safetensors"


def multilingual_verifier(artefact: Path) -> ShippedVerifier:
    """The verifier of an addition that lies in ``artefact``, put together in the cache if it is not there.

    Raises
    ------
    EncoderError
        When the extra is not installed.
    VerifierError
        When the addition cannot be read or the cache cannot be written.
    """
    base = locate(MULTILINGUAL)
    adapter = artefact / ADAPTER_FILE
    try:
        content = adapter.read_bytes()
        # There is none while one is being fitted.
        head = (artefact / HEAD_FILE).read_bytes() if (artefact / HEAD_FILE).exists() else b""
    except OSError as error:
        raise VerifierError(
            "the multilingual verifier cannot be read",
            where=str(adapter),
            got=str(error),
            cure="reinstall Proofdesk",
        ) from error
    made_of = hashlib.sha256(base.weights_hash.encode() + content).hexdigest()
    folder = cache_dir() / "verifiers" / f"{MULTILINGUAL}-{made_of[:16]}"
    if not folder.is_dir():
        _put_together(base, adapter, folder)
    weights = hashlib.sha256(made_of.encode() + head).hexdigest()
    return ShippedVerifier(folder, info=VerifierInfo(name=MULTILINGUAL, weights_hash=weights))


def _put_together(base: ModelFolder, adapter: Path, folder: Path) -> None:
    """Write the folder beside its place and move it there: a killed run leaves nothing half done."""
    partial = partial_path(folder)
    try:
        partial.mkdir(parents=True)
        _export(base.path, adapter, partial / MODEL_FILE)
        shutil.copy(base.path / TOKENIZER_FILE, partial / TOKENIZER_FILE)
        if not folder.is_dir():
            partial.rename(folder)
    except Exception as error:
        # The readers of weights and of ONNX files raise private kinds for a broken one; and another process
        # may have been first: a folder that stands there is a whole one.
        if not folder.is_dir():
            raise VerifierError(
                "the multilingual verifier cannot be put together",
                where=str(folder),
                got=f"{type(error).__name__}: {error}",
                cure="reinstall Proofdesk, or set PROOFDESK_CACHE to a writable folder with 1 GB of room",
            ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _export(base: Path, adapter: Path, out: Path) -> None:
    from safetensors import safe_open

    from evalcore.verifier.cross_encoder import cross_encoder, export_int8

    with safe_open(str(adapter), framework="pt") as file:
        scale = float(file.metadata()["scale"])
        tensors = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    with quiet_loading():
        network = cross_encoder(base)
    network.load_state_dict(merged(network.state_dict(), tensors, scale))
    export_int8(network, out)


def merged(weights: Mapping[str, Any], addition: Mapping[str, Any], scale: float) -> dict[str, Any]:
    """The weights with an addition put in: ``x.a`` and ``x.b`` add to ``x.weight``, other names replace.

    Examples
    --------
    >>> import numpy as np
    >>> weights = {"x.weight": np.zeros((2, 3)), "x.bias": np.zeros(2)}
    >>> addition = {"x.a": np.ones((1, 3)), "x.b": np.ones((2, 1)), "x.bias": np.ones(2)}
    >>> merged(weights, addition, 2.0)["x.weight"][0].tolist()
    [2.0, 2.0, 2.0]
    """
    found = dict(weights)
    for name, tensor in addition.items():
        if name.endswith(".b"):
            continue
        if name.endswith(".a"):
            stem = name.removesuffix(".a")
            found[f"{stem}.weight"] = found[f"{stem}.weight"] + scale * (addition[f"{stem}.b"] @ tensor)
        elif name in found:
            found[name] = tensor
        else:
            raise KeyError(f"no weight {name}")
    return found
