"""Judged answers to measure on: of every document one that is supported and one that is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path


def rows(documents: int = 6) -> list[dict[str, object]]:
    """Two rows a document, in the shared schema."""
    made: list[dict[str, object]] = []
    for number in range(documents):
        context = f"Depot {number} holds {number + 20} trams. It was built of brick and stands by the river."
        good, bad = f"Depot {number} holds {number + 20} trams.", "Nobody knows the moon cheese recipe."
        both = f"{good} {bad}"
        right = {"start": 0, "end": len(good), "label": "supported"}
        wrong = {"start": len(good) + 1, "end": len(both), "label": "unsupported"}
        shared = {"query": "How many trams does the depot hold?", "context": context}
        made.append(
            {
                **shared,
                "id": f"{number}-good",
                "response": good,
                "label": "supported",
                "sentence_labels": [right],
            }
        )
        made.append(
            {
                **shared,
                "id": f"{number}-bad",
                "response": both,
                "label": "unsupported",
                "sentence_labels": [right, wrong],
            }
        )
    return made


def write(path: Path, lines: Sequence[object]) -> Path:
    """A JSONL file of the rows."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
