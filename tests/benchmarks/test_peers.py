"""What passes between the benchmark and a peer, with scripts that stand in for the peer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.detection_ways import peer_way
from benchmarks.judged import read_judged
from benchmarks.peers import run_peer
from benchmarks.peers.process import PeerError, ask_peer, peer_command, pinned_peers
from evalcore import Sample
from tests.benchmarks.judged_rows import rows, write

SAMPLES = [Sample(query="q\u2028?", contexts=("a", "б"), response=f"answer {n}") for n in range(5)]


def script(folder: Path, body: str) -> list[str]:
    file = folder / "peer.py"
    file.write_text(f"import json, sys\nasked = [json.loads(line) for line in sys.stdin]\n{body}")
    return [sys.executable, "-X", "utf8", str(file)]


def test_scores_come_in_order_whatever_the_order_of_the_lines(tmp_path: Path) -> None:
    body = """
for row in reversed(asked):
    ok = row["contexts"] == ["a", "\\u0431"] and row["query"] == "q\\u2028?"
    n = int(row["response"].split()[1])
    print(json.dumps({"id": row["id"], "risk": n / 10 if ok else 1, "flagged": n > 2, "milliseconds": n}))
"""
    scores = ask_peer(script(tmp_path, body), SAMPLES)
    assert [s.risk for s in scores] == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert [s.flagged for s in scores] == [False, False, False, True, True]
    assert [s.milliseconds for s in scores] == [0, 1, 2, 3, 4]
    assert all(s.failure is None for s in scores)


def test_an_answer_that_a_peer_fails_on_is_that_answers_failure_alone(tmp_path: Path) -> None:
    body = """
print("loading")
print(json.dumps({"id": 0, "risk": 0.5, "flagged": True, "milliseconds": 1.5}))
print(json.dumps({"id": 1, "error": "ValueError: no words"}))
print(json.dumps({"id": 2, "risk": float("nan"), "flagged": True, "milliseconds": 1}))
print(json.dumps({"id": 3, "risk": 0.5, "flagged": "yes", "milliseconds": 1}))
print("out of memory", file=sys.stderr)
sys.exit(3)
"""
    scores = ask_peer(script(tmp_path, body), SAMPLES)
    assert (scores[0].risk, scores[0].failure) == (0.5, None)
    assert scores[1].failure == "ValueError: no words"
    assert "risk is nan" in str(scores[2].failure)
    assert "flagged is 'yes'" in str(scores[3].failure)
    assert scores[4].failure == "no line; exit status 3: out of memory"
    assert all((s.risk, s.flagged) == (1.0, True) for s in scores[1:])


def test_a_peer_that_says_nothing_is_an_error_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="exit status 1: ModuleNotFoundError: No module named 'no_such_peer'"):
        ask_peer(script(tmp_path, "import no_such_peer"), SAMPLES)
    with pytest.raises(PeerError, match="cannot be started"):
        ask_peer([str(tmp_path / "no-python")], SAMPLES)


def test_a_peer_that_never_ends_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="took longer than 1 s for 5 answers"):
        ask_peer(script(tmp_path, "import time; time.sleep(600)"), SAMPLES, seconds=1)


def test_the_runner_scores_each_answer_and_keeps_a_peers_own_words_apart(tmp_path: Path) -> None:
    (tmp_path / "ragsanity.py").write_text(
        """
class Result:
    faithfulness = 0.75
    faithfulness_details = {"sentences": [{"grounded": True}, {"grounded": False}]}

def evaluate(*, question, contexts, answer, metrics):
    print("hello from the peer")
    if not answer:
        raise ValueError("nothing to score")
    return Result()
"""
    )
    asked = [{"id": n, "query": "", "contexts": ["a"], "response": text} for n, text in enumerate(("a", ""))]
    done = subprocess.run(
        [sys.executable, run_peer.__file__, "ragsanity"],
        input="".join(json.dumps(row) + "\n" for row in asked),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["id"], first["risk"], first["flagged"]) == (0, 0.25, True)
    assert first["milliseconds"] >= 0
    assert (second["id"], second["error"]) == (1, "ValueError: nothing to score")
    assert "hello from the peer" in done.stderr


def test_a_peer_that_cannot_be_installed_is_a_column_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PROOFDESK_CACHE", str(tmp_path / "cache"))
    column = peer_way("ragsanity", "no-such-peer==1")(read_judged(write(tmp_path / "own.jsonl", rows())))
    assert column.judgements == ()
    assert "cannot install no-such-peer==1" in str(column.missing)
    assert "No matching distribution found" in str(column.missing)


def test_an_environment_once_made_is_used_again(tmp_path: Path) -> None:
    (tmp_path / "ragsanity==1").mkdir()
    (tmp_path / "ragsanity==1" / "complete").touch()
    command = peer_command("ragsanity", "ragsanity==1", tmp_path)
    assert command[0].startswith(str(tmp_path / "ragsanity==1"))
    assert command[-2:] == [run_peer.__file__, "ragsanity"]


def test_the_runner_knows_every_peer_that_is_pinned() -> None:
    pins = pinned_peers()
    assert list(pins) == list(run_peer.PEERS)
    assert all(pin.startswith(f"{name}==") for name, pin in pins.items())
