"""Make the shipped verifier anew: ``python -m training [--data FOLDER] [--out FOLDER]``.

Reads the shared data, makes the pairs, fine-tunes the bundled encoder (about 25 minutes on two cores), writes
``cross_encoder.onnx``, ``tokenizer.json`` and ``head.json``. With ``--head-only`` the cross-encoder that lies
in the folder is kept and only the head is fitted (about 90 seconds).
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from rich.console import Console

from evalcore.encoder.weights import locate
from evalcore.evaluator import Evaluator
from evalcore.verifier.shipped import FOLDER, HEAD_FILE, MODEL_FILE, TOKENIZER_FILE, ShippedVerifier
from training.export import export
from training.fine_tune import fine_tune
from training.heads import calibration_rows, fit_shipped_head
from training.pairs import MEASURE_FILES, TRAIN_FILES, make_pairs, part_of, read_rows

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    """Parse the command line, train, export, fit the head."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=_SHARED, help="folder of the shared sets")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the three files")
    parser.add_argument("--head-only", action="store_true", help="keep the cross-encoder that is there")
    arguments = parser.parse_args()
    console = Console()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if not arguments.head_only:
        fine_tune_and_export(arguments.data, arguments.out, console)
    gate, verifier = Evaluator.from_profile("default"), ShippedVerifier(arguments.out)
    rows = calibration_rows(arguments.data)
    console.print(f"fitting the head on {len(rows)} answers")
    head = fit_shipped_head(rows, gate, verifier)
    (arguments.out / HEAD_FILE).write_text(head.model_dump_json(indent=1) + "\n", encoding="utf-8")
    console.print(head.model_dump_json(indent=1))


def fine_tune_and_export(data: Path, out: Path, console: Console) -> None:
    """Make the pairs from documents of the training part that no measure file holds, and train on them."""
    measured = {row.document for row in read_rows(data, MEASURE_FILES)}
    rows = [
        row
        for row in read_rows(data, TRAIN_FILES)
        if row.document not in measured and part_of(row.document) == "train"
    ]
    pairs = make_pairs(rows)
    console.print(f"{len(pairs)} pairs from {len(rows)} answers")
    torch.set_num_threads(min(torch.get_num_threads(), 8))
    base = locate("bundled").path
    network = fine_tune(pairs, base, console.print)
    export(network, out / MODEL_FILE)
    shutil.copy(base / TOKENIZER_FILE, out / TOKENIZER_FILE)


if __name__ == "__main__":
    main()
