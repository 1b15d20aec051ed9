"""``proofdesk verifier`` at the terminal."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.program import proofdesk


def test_a_refit_needs_labels_and_says_how_many_it_found(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    row = {
        "query": "Which fuse?",
        "context": "Fuse F3 guards it.",
        "response": "Fuse F3.",
        "label": "supported",
    }
    file.write_text(json.dumps(row) + "\n", "utf-8")

    told = proofdesk("verifier", "fit", "--data", file, "--dry-run")

    assert told.code == 2
    assert "1 labelled answers from 1 documents" in told.err


def test_labels_come_from_one_place(tmp_path: Path) -> None:
    told = proofdesk("verifier", "fit", "--data", tmp_path / "x.jsonl", "--from-labels")

    assert told.code == 2
    assert "--from-labels and --data" in told.err


def test_there_is_nothing_to_list_or_take_back(tmp_path: Path) -> None:
    listed = proofdesk("verifier", "list", "--folder", tmp_path, "--json")
    back = proofdesk("verifier", "revert", "--folder", tmp_path)

    assert json.loads(listed.out) == {"current": None, "history": []}
    assert back.code == 2
    assert "no version to take back" in back.err
