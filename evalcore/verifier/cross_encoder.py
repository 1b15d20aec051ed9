"""The network of the learned verifiers, and its int8 export; torch is imported by those who ask for them."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

_OPSET = 17


def cross_encoder(model: Path) -> Any:
    """A torch module on the encoder in a folder, its two heads untrained.

    Its ``forward(input_ids, attention_mask, token_type_ids)``, each of shape (batch, tokens), gives the logit
    of "not supported" of each claim, shape (batch,), and of each word piece, shape (batch, tokens).
    """
    from torch import nn
    from transformers import AutoModel

    class CrossEncoder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            # On a CPU dropout inside the layers takes a third of a step of training; a pair is seen once, so
            # little is lost.
            self.encoder = AutoModel.from_pretrained(
                str(model),
                local_files_only=True,
                attn_implementation="eager",
                hidden_dropout_prob=0.0,
                attention_probs_dropout_prob=0.0,
            )
            size = int(self.encoder.config.hidden_size)
            self.claim = nn.Linear(size, 1)
            self.piece = nn.Linear(size, 1)
            self.dropout = nn.Dropout(0.1)

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> tuple[Any, Any]:
            hidden = self.encoder(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state
            hidden = self.dropout(hidden)
            return self.claim(hidden[:, 0]).squeeze(-1), self.piece(hidden).squeeze(-1)

    return CrossEncoder()


def export_int8(network: Any, out: Path) -> None:
    """Write the network as an ONNX file with 8-bit weights."""
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic

    from evalcore.encoder.quiet import quiet_loading

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
        with quiet_loading():
            quantize_dynamic(
                str(full),
                str(out),
                weight_type=QuantType.QInt8,
                op_types_to_quantize=["MatMul", "Gather"],
                per_channel=True,
                # Without it, CPUs without VNNI saturate int16 sums and figures differ between machines.
                reduce_range=True,
            )
