"""Teach the multilingual encoder to read evidence and claim, in a small addition to weights it does not ship.

Low-rank additions to every product of its layers, new biases and normalisations, and the two heads: 1.5 MB.
Source: E. Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models" (2022), arXiv:2106.09685.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn

RANK = 8
SCALE = 2.0


class LowRank(nn.Module):
    """A frozen product plus a low-rank one that is trained."""

    def __init__(self, plain: nn.Linear) -> None:
        super().__init__()
        self.plain = plain
        self.plain.weight.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(RANK, plain.in_features) / plain.in_features**0.5)
        self.b = nn.Parameter(torch.zeros(plain.out_features, RANK))

    def forward(self, x: Any) -> Any:
        """The product, shape of x but for the last axis."""
        return self.plain(x) + SCALE * nn.functional.linear(nn.functional.linear(x, self.a), self.b)


def adapt(network: Any) -> None:
    """Freeze the encoder but for low-rank additions, biases and normalisations of its layers."""
    for parameter in network.encoder.embeddings.parameters():
        parameter.requires_grad_(False)
    if network.encoder.pooler is not None:
        for parameter in network.encoder.pooler.parameters():
            parameter.requires_grad_(False)
    for layer in network.encoder.encoder.layer:
        for module in list(layer.modules()):
            for name, child in list(module.named_children()):
                if isinstance(child, nn.Linear) and not isinstance(module, LowRank):
                    setattr(module, name, LowRank(child))


def save_adapter(network: Any, out: Path) -> None:
    """Write what was trained, in half precision, under the names of the weights it goes with."""
    tensors: dict[str, torch.Tensor] = {}
    for name, parameter in network.named_parameters():
        if parameter.requires_grad:
            tensors[name.replace(".plain.", ".")] = parameter.detach().to(torch.float16).contiguous()
    save_file(tensors, str(out), metadata={"scale": str(SCALE)})
