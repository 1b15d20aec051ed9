"""Make the shipped verifiers: ``python -m training [--data FOLDER] [--out FOLDER] [--multilingual]``.

Reads the shared data, makes the pairs, fine-tunes the bundled encoder (about 25 minutes on two cores) and
writes ``cross_encoder.onnx``, ``tokenizer.json`` and ``head.json``. With ``--multilingual`` it is the encoder
of that extra that learns, in a small addition: ``adapter.safetensors`` and ``head.json`` (about 40 minutes).
With ``--head-only`` the network that lies in the folder is kept and only the head is fitted (90 seconds).
"""

from __future__ import annotations

import argparse
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import torch
from rich.console import Console

from evalcore.encoder.weights import locate
from evalcore.evaluator import Evaluator
from evalcore.verifier.cross_encoder import export_int8
from evalcore.verifier.multilingual import ADAPTER_FILE, multilingual_verifier
from evalcore.verifier.shipped import FOLDER, HEAD_FILE, MODEL_FILE, TOKENIZER_FILE, ShippedVerifier
from training.adapter import adapt, save_adapter
from training.fine_tune import fine_tune
from training.heads import calibration_rows, fit_shipped_head
from training.pairs import MEASURE_FILES, TRAIN_FILES, Pair, make_pairs, part_of, read_rows
from training.russian import RUSSIAN_FILES, russian_pairs

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
_ENGLISH_PAIRS = 16_000
"""Of the English pairs, those the multilingual verifier learns from: its steps take twice as long."""
_ADAPTER_LR = 6e-4


def main() -> None:
    """Parse the command line, train, export, fit the head."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=_SHARED, help="folder of the shared sets")
    parser.add_argument("--out", type=Path, help="folder for the files")
    parser.add_argument("--multilingual", action="store_true", help="the verifier of many languages")
    parser.add_argument("--head-only", action="store_true", help="keep the network that is there")
    arguments = parser.parse_args()
    console = Console()
    out: Path = arguments.out or (FOLDER / "multilingual" if arguments.multilingual else FOLDER)
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(min(torch.get_num_threads(), 8))
    if arguments.multilingual:
        names: tuple[str, ...] = (*TRAIN_FILES, *RUSSIAN_FILES)
        if not arguments.head_only:
            network = fine_tune(
                multilingual_pairs(arguments.data),
                locate("multilingual").path,
                console.print,
                lr=_ADAPTER_LR,
                prepare=adapt,
            )
            save_adapter(network, out / ADAPTER_FILE)
        gate, verifier = Evaluator.from_profile("multilingual"), multilingual_verifier(out)
    else:
        names = TRAIN_FILES
        if not arguments.head_only:
            base = locate("bundled").path
            export_int8(fine_tune(english_pairs(arguments.data), base, console.print), out / MODEL_FILE)
            shutil.copy(base / TOKENIZER_FILE, out / TOKENIZER_FILE)
        gate, verifier = Evaluator.from_profile("default"), ShippedVerifier(out)
    rows = calibration_rows(arguments.data, names)
    console.print(f"fitting the head on {len(rows)} answers")
    head = fit_shipped_head(rows, gate, verifier)
    (out / HEAD_FILE).write_text(head.model_dump_json(indent=1) + "\n", encoding="utf-8")
    console.print(head.model_dump_json(indent=1))


def english_pairs(data: Path) -> list[Pair]:
    """Pairs from documents of the training part that no measure file holds."""
    measured = {row.document for row in read_rows(data, MEASURE_FILES)}
    rows = [
        row
        for row in read_rows(data, TRAIN_FILES)
        if row.document not in measured and part_of(row.document) == "train"
    ]
    return make_pairs(rows)


def multilingual_pairs(data: Path) -> Sequence[Pair]:
    """Some of the English pairs and all Russian ones; shuffled."""
    rng = random.Random(1)
    russian = [row for row in read_rows(data, RUSSIAN_FILES) if part_of(row.document) == "train"]
    english = english_pairs(data)
    pairs = rng.sample(english, min(len(english), _ENGLISH_PAIRS)) + russian_pairs(russian)
    rng.shuffle(pairs)
    return pairs


if __name__ == "__main__":
    main()
