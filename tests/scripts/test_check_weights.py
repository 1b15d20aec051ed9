"""The installed weights are whole, and damage is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import check_weights


def test_the_weights_are_whole() -> None:
    assert check_weights.damaged_files() == []


def test_a_damaged_or_missing_file_of_a_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "toy-1.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1\n", "utf-8")
    (tmp_path / "whole.bin").write_bytes(b"weights")
    (tmp_path / "cut.bin").write_bytes(b"wei")
    digest = check_weights.file_digest(tmp_path / "whole.bin", "sha256")
    rows = [f"{name},sha256={digest},7" for name in ("whole.bin", "cut.bin", "gone.bin")]
    (record / "RECORD").write_text("\n".join([*rows, "toy-1.dist-info/RECORD,,"]), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert check_weights.damaged_files("toy") == [
        "cut.bin differs from its recorded checksum",
        "gone.bin is missing",
    ]
