from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import proofdesk
from tests.workflows.answers import answer, write_jsonl

ESC, CSI, TURN = "\x1b", "\x9b", "\u202e"

HOSTILE = {
    "id": f"id{ESC}[31m[bold]",
    "question": f"[/] [link=file:///x]q[/link] :warning: {CSI}2J {TURN}drow{ESC}]0;title\x07",
    "contexts": [f"Passage {ESC}[2J with [red]markup[/red]."],
    "answer": f"Answer {ESC}[1;31m with [/nothing] and a \\ at the end \\",
}


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test in an empty folder, with no database or reviewer named from outside."""
    monkeypatch.chdir(tmp_path)
    for name in ("PROOFDESK_DB", "PROOFDESK_REVIEWER", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "p.db"


@pytest.fixture(scope="session")
def read_only_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database for tests that only read: three plain answers, a hostile one, one under two contents."""
    folder = tmp_path_factory.mktemp("stored")
    database = folder / "stored.db"
    first = write_jsonl(
        folder / "first.jsonl",
        [*(answer(n) for n in range(3)), HOSTILE, answer(9, question="سؤال 🧑🏽‍🚀 " + "long " * 2000)],
    )
    second = write_jsonl(folder / "second.jsonl", [answer(0, answer="No fuse guards it.")])
    outcome = proofdesk("evaluate", first, second, "--db", database)
    assert outcome.code == 0, outcome.err
    return database
