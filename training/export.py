"""The fine-tuned cross-encoder as an int8 ONNX file."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from training.fine_tune import CrossEncoder

_OPSET = 17


def export(network: CrossEncoder, out: Path) -> None:
    """Write ``out``, about 23 MB."""
    network.eval()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    ids = torch.ones((2, 16), dtype=torch.long)
    axes = {0: "batch", 1: "tokens"}
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "fp32.onnx"
        with warnings.catch_warnings(), torch.no_grad():
            # The tracer warns about branches on shapes that are constant for this model.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                network,
                (ids, torch.ones_like(ids), torch.zeros_like(ids)),
                str(full),
                input_names=names,
                output_names=["claim", "pieces"],
                dynamic_axes={**dict.fromkeys(names, axes), "claim": {0: "batch"}, "pieces": axes},
                opset_version=_OPSET,
                dynamo=False,
            )
        quantize_dynamic(
            str(full),
            str(out),
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gather"],
            per_channel=True,
            # Without it, CPUs without VNNI saturate int16 sums and figures differ between machines.
            reduce_range=True,
        )
