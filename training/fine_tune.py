"""Fine-tune the bundled encoder as a cross-encoder with a claim head and a word-piece head."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from evalcore.encoder.neural import load_tokenizer
from evalcore.verifier.cross_encoder import cross_encoder
from training.pairs import Pair

MAX_TOKENS = 256
MAX_CLAIM_TOKENS = 96
BATCH_TOKENS = 32 * 160
_PIECE_WEIGHT = 0.5


def encode_pair(tokenizer: Any, premise: str, claim: str) -> tuple[list[int], int, list[tuple[int, int]]]:
    """Ids of ``[CLS] premise [SEP] claim [SEP]``, where the claim begins, and its pieces' characters.

    The special ids are the tokenizer's own, as it puts them round a text.
    """
    said = tokenizer.encode(claim, add_special_tokens=False)
    ids = said.ids[:MAX_CLAIM_TOKENS]
    held = tokenizer.encode(premise, add_special_tokens=False).ids[: MAX_TOKENS - len(ids) - 3]
    cls, sep = tokenizer.encode("").ids
    return [cls, *held, sep, *ids, sep], len(held) + 2, said.offsets[: len(ids)]


def _batches(rows: list[tuple[list[int], int, list[float]]], rng: random.Random) -> Iterator[list[int]]:
    """Batches of rows of like length, of about the same number of tokens, in random order."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]) + rng.uniform(-12, 12))
    batches: list[list[int]] = []
    batch: list[int] = []
    longest = 0
    for index in order:
        longest = max(longest, len(rows[index][0]))
        if batch and longest * (len(batch) + 1) > BATCH_TOKENS:
            batches.append(batch)
            batch, longest = [], len(rows[index][0])
        batch.append(index)
    batches.append(batch)
    rng.shuffle(batches)
    return iter(batches)


def fine_tune(
    pairs: Sequence[Pair],
    model: Path,
    show: Callable[[str], None],
    *,
    lr: float = 1.2e-4,
    epochs: int = 1,
    seed: int = 0,
    prepare: Callable[[nn.Module], None] | None = None,
) -> nn.Module:
    """Train the model in a folder on the pairs; ``show`` is told the losses as they fall.

    ``prepare`` may change the network before its first step, for instance what of it is trained.
    """
    torch.manual_seed(seed)
    rng = random.Random(seed)
    tokenizer = load_tokenizer(model / "tokenizer.json")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    rows = []
    for pair in pairs:
        ids, start, offsets = encode_pair(tokenizer, pair.premise, pair.claim)
        rows.append((ids, start, [_target(pair, a, b) for a, b in offsets]))
    network: nn.Module = cross_encoder(model)
    if prepare is not None:
        prepare(network)
    network.train()
    schedule = [batch for _ in range(epochs) for batch in _batches(rows, rng)]
    trained = [p for p in network.parameters() if p.requires_grad]
    decay = [p for p in trained if p.dim() > 1]
    plain = [p for p in trained if p.dim() <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}],
        lr=lr,
        fused=True,
    )
    warm = max(len(schedule) // 15, 1)
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda s: min((s + 1) / warm, max(0.02, (len(schedule) - s) / (len(schedule) - warm)))
    )
    begun, shown = time.monotonic(), [0.0, 0.0, 0.0]
    for step, batch in enumerate(schedule, start=1):
        longest = max(len(rows[i][0]) for i in batch)
        tokens = torch.zeros((len(batch), longest), dtype=torch.long)
        types, mask = torch.zeros_like(tokens), torch.zeros_like(tokens)
        pieces = torch.full((len(batch), longest), -1.0)
        for at, index in enumerate(batch):
            row, start, targets = rows[index]
            tokens[at, : len(row)] = torch.tensor(row)
            mask[at, : len(row)] = 1
            types[at, start : len(row)] = 1
            pieces[at, start : start + len(targets)] = torch.tensor(targets)
        wanted = torch.tensor([0.0 if pairs[i].supported else 1.0 for i in batch])
        wanted = wanted * 0.94 + 0.03
        with torch.autocast("cpu", dtype=torch.bfloat16):
            claim, piece = network(tokens, mask, types)
        loss_claim = nn.functional.binary_cross_entropy_with_logits(claim.float(), wanted)
        known = pieces >= 0
        raw = nn.functional.binary_cross_entropy_with_logits(
            piece.float()[known], pieces[known], pos_weight=torch.tensor(3.0)
        )
        loss_piece = raw if bool(known.any()) else torch.tensor(0.0)
        loss = loss_claim + _PIECE_WEIGHT * loss_piece
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        rate.step()
        for place, value in enumerate((loss_claim, loss_piece, 1.0)):
            shown[place] += float(torch.as_tensor(value).detach())
        if step % 20 == 0 or step == len(schedule):
            claim_mean, piece_mean = shown[0] / shown[2], shown[1] / shown[2]
            show(
                f"step {step}/{len(schedule)} claim {claim_mean:.4f} pieces {piece_mean:.4f} "
                f"{time.monotonic() - begun:.0f} s"
            )
            shown = [0.0, 0.0, 0.0]

    return network


def _target(pair: Pair, start: int, end: int) -> float:
    if pair.wrong is None:
        return -1.0
    return 1.0 if any(a < end and b > start for a, b in pair.wrong) else 0.0
