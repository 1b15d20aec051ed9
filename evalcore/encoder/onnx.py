"""The model under ONNX Runtime: exported once from the same weights, then no torch."""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import numpy as np

from evalcore.encoder.base import EncoderInfo, Vectors
from evalcore.encoder.neural import RunPiece, load_tokenizer
from evalcore.encoder.quiet import quiet_loading
from evalcore.encoder.weights import ModelFolder, cache_dir, partial_path
from evalcore.errors import EncoderError

Precision = Literal["fp32", "int8"]
_OPSET = 17
_LARGE_TABLE = 100_000_000
"""Bytes from which a table of word vectors is kept in half precision: a vocabulary of many languages."""


def exported_path(folder: ModelFolder, precision: Precision) -> Path:
    """Where the export of these weights lies, whether or not it has been made."""
    return cache_dir() / "onnx" / f"{folder.weights_hash[:32]}-{precision}.onnx"


def export(folder: ModelFolder, precision: Precision) -> Path:
    """Make the ONNX file of a model unless it is there; returns its path.

    Needs torch and transformers, for these seconds only. The file is written beside its place and moved
    there, so a killed export leaves nothing that looks finished.

    Raises
    ------
    EncoderError
        When the model cannot be exported or the cache folder cannot be written.
    """
    target = exported_path(folder, precision)
    if target.is_file():
        return target
    if not folder.mean_pooled:
        raise EncoderError(
            "this model cannot run under ONNX Runtime",
            where=str(folder.path),
            expected="a transformer with mean pooling and a tokenizer.json",
            cure="set encoder.backend to sentence-transformers",
        )
    partial = partial_path(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if precision == "int8":
            _open_or_remake(folder, "fp32")
            _quantise(exported_path(folder, "fp32"), partial)
        else:
            _export_fp32(folder.path, partial)
            _halve_large_tables(partial)
        partial.replace(target)
    except EncoderError:
        raise
    except Exception as error:
        # The readers of weights and of ONNX files raise private kinds for a broken one.
        raise EncoderError(
            "the model could not be exported to ONNX",
            where=str(target),
            got=f"{type(error).__name__}: {error}",
            cure="set PROOFDESK_CACHE to a folder that can be written, or encoder.backend to "
            "sentence-transformers",
        ) from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    return target


def _export_fp32(model_path: Path, target: Path) -> None:
    import torch
    from transformers import AutoModel

    with quiet_loading():
        model = AutoModel.from_pretrained(str(model_path), local_files_only=True, attn_implementation="eager")
    model.eval()

    class LastHidden(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

    ids = torch.ones((2, 16), dtype=torch.long)
    axes = {0: "batch", 1: "tokens"}
    with warnings.catch_warnings(), torch.no_grad():
        # The tracer warns about branches on shapes that are constant for this model.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            LastHidden(),
            (ids, torch.ones_like(ids)),
            str(target),
            input_names=["input_ids", "attention_mask"],
            output_names=["last_hidden_state"],
            dynamic_axes={"input_ids": axes, "attention_mask": axes, "last_hidden_state": axes},
            opset_version=_OPSET,
            dynamo=False,
        )


def _halve_large_tables(path: Path) -> None:
    """Keep large tables that rows are only looked up in as float16; the rows are float32 from there on."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(path))
    graph = model.graph
    sizes = {table.name: len(table.raw_data) for table in graph.initializer}
    large = {name for name, size in sizes.items() if size > _LARGE_TABLE}
    if not large:
        return
    readers = [node for node in graph.node if large.intersection(node.input)]
    if any(node.op_type != "Gather" or node.input[0] not in large for node in readers):
        return
    for table in graph.initializer:
        if table.name in large:
            table.CopyFrom(
                numpy_helper.from_array(numpy_helper.to_array(table).astype(np.float16), table.name)
            )
    nodes = []
    for node in graph.node:
        nodes.append(node)
        if node in readers:
            row = node.output[0]
            node.output[0] = f"{row}_half"
            nodes.append(helper.make_node("Cast", [node.output[0]], [row], to=onnx.TensorProto.FLOAT))
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.save(model, str(path))


def _quantise(source: Path, target: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with quiet_loading():
        quantize_dynamic(
            str(source),
            str(target),
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            # Without it, CPUs without VNNI saturate int16 sums and vectors differ between machines.
            reduce_range=True,
        )


def _open_or_remake(folder: ModelFolder, precision: Precision) -> Any:
    """A session on the export. One that cannot be opened, cut short by a full disk say, is made once more."""
    path = export(folder, precision)
    try:
        return _open(path)
    except EncoderError:
        path.unlink(missing_ok=True)
        return _open(export(folder, precision))


def _open(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # One thread a text; texts run beside each other. A spinning pool of more was slower on a busy machine.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise EncoderError(
            "the exported model cannot be read",
            where=str(path),
            got=f"{type(error).__name__}: {error}",
            cure="delete this file; it is made again at the next run",
        ) from error


def load(folder: ModelFolder, precision: Precision) -> tuple[EncoderInfo, RunPiece]:
    """Open the exported model, exporting it first if need be.

    Returns
    -------
    info : EncoderInfo
    run : callable
        One text in, its unit vector out; the text is cut at the model's window.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise EncoderError("ONNX Runtime is not installed", cure="pip install onnxruntime") from error
    session = _open_or_remake(folder, precision)
    tokenizer = load_tokenizer(folder.path / "tokenizer.json")
    tokenizer.enable_truncation(folder.window)

    def run(text: str) -> Vectors:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        hidden = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0]
        mean = hidden[0].mean(axis=0, dtype=np.float64)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32)

    info = EncoderInfo(
        name=folder.name,
        weights_hash=folder.weights_hash,
        backend="onnxruntime",
        precision=precision,
        runtime_version=onnxruntime.__version__,
        window=folder.window,
        scripts=frozenset(),
    )
    return info, run
