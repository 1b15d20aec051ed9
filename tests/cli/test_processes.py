"""The command as a process: what the shell, a kill, Ctrl-C and a second process make of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from urllib.error import URLError

import pytest

from tests.cli.program import COMMAND, ROOT, finish, proofdesk, start, wait_until
from tests.shared_data import shared_file
from tests.workflows.answers import answer, assert_whole, count, counts, query, write_jsonl
from workflows.console import free_port

N = 150


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "answers.jsonl", [answer(n) for n in range(N)])


def n_stored(database: Path) -> int:
    """Results there are, 0 while there is no table for them yet."""
    if not database.exists() or not query(database, "SELECT 1 FROM sqlite_master WHERE name = 'results'"):
        return 0
    return count(database, "results")


def stop_when_some_are_stored(file: Path, database: Path, number: signal.Signals, n: int) -> str:
    """Evaluate a file, send a signal once results are there; returns what stood on stderr."""
    process = start("evaluate", file, "--db", database, "--out", database.with_suffix(".out"))
    wait_until(lambda: n_stored(database) >= 64, process)
    process.send_signal(number)
    outcome = finish(process)
    assert outcome.code == (130 if number is signal.SIGINT else -number)
    assert outcome.out == ""
    assert 64 <= count(database, "results") < n
    assert_whole(database)
    assert query(database, "SELECT finished_at FROM runs") == [(None,)]
    return outcome.err


def assert_finished_by_a_rerun(file: Path, database: Path, n: int) -> None:
    """A rerun ends the same run with exactly the file's rows; one more adds nothing."""
    before = count(database, "results")
    report = proofdesk("evaluate", file, "--db", database, "--json").document["runs"][0]
    assert (report["new"], report["existing"]) == (n - before, before)
    assert_whole(database)
    assert count(database, "results") == count(database, "run_results") == n
    runs = query(database, "SELECT n_rows, n_stored, n_existing, n_failed, finished_at IS NULL FROM runs")
    assert runs == [(n, n, 0, 0, 0)]
    rows = counts(database)
    assert proofdesk("evaluate", file, "--db", database, "--json").document["runs"][0]["new"] == 0
    assert counts(database) == rows


def test_the_console_script_is_installed_and_does_what_the_module_does() -> None:
    script = Path(sys.executable).with_name("proofdesk")
    if not script.exists():
        pytest.skip("the package is not installed beside this interpreter")
    for command in ([script], COMMAND):
        done = subprocess.run([*command, "profiles", "list", "--json"], capture_output=True, cwd=ROOT)
        assert (done.returncode, done.stderr) == (0, b"")
        assert [profile["name"] for profile in json.loads(done.stdout)] == [
            "classic",
            "default",
            "multilingual",
        ]


def test_a_process_writes_one_json_document_from_stdin_and_nothing_else(database: Path) -> None:
    process = start("evaluate", "-", "--db", database, "--json", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(json.dumps(answer(1)).encode())
    process.stdin.close()
    process.stdin = None
    outcome = finish(process)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.document["runs"][0]["new"] == 1


def test_a_killed_run_leaves_whole_results_and_a_rerun_finishes_it(file: Path, database: Path) -> None:
    stop_when_some_are_stored(file, database, signal.SIGKILL, N)
    assert_finished_by_a_rerun(file, database, N)


def test_ctrl_c_says_what_is_stored_and_a_rerun_finishes_it(file: Path, database: Path) -> None:
    said = stop_when_some_are_stored(file, database, signal.SIGINT, N)
    n = count(database, "results")
    assert said == f"stopped in {file}: {n} of its answers are stored; the same command finishes it\n"
    assert not list(database.parent.glob("*.part"))
    assert not database.with_suffix(".out").exists()
    assert_finished_by_a_rerun(file, database, N)


@pytest.mark.slow
def test_real_answers_killed_halfway_end_at_exactly_392(database: Path) -> None:
    file = shared_file("ragtruth_qa_dev.jsonl")
    stop_when_some_are_stored(file, database, signal.SIGKILL, 392)
    assert_finished_by_a_rerun(file, database, 392)


def test_two_processes_on_one_new_database_store_each_answer_once(tmp_path: Path, database: Path) -> None:
    first = write_jsonl(tmp_path / "first.jsonl", [answer(n) for n in range(100)])
    second = write_jsonl(tmp_path / "second.jsonl", [answer(n) for n in range(99, 19, -1)])
    processes = [start("evaluate", file, "--db", database, "--json") for file in (first, second)]
    outcomes = [finish(process) for process in processes]
    assert [(outcome.code, outcome.err) for outcome in outcomes] == [(0, ""), (0, "")]
    reports = [outcome.document["runs"][0] for outcome in outcomes]
    assert sum(report["new"] for report in reports) == count(database, "results") == 100
    assert [report["new"] + report["existing"] for report in reports] == [100, 80]
    links = query(database, "SELECT run_id, count(*) FROM run_results GROUP BY run_id ORDER BY 2")
    assert [n for _, n in links] == [80, 100]
    assert query(database, "SELECT sum(n_stored), count(finished_at) FROM runs") == [(100, 2)]
    assert query(database, "SELECT coalesce(sum(n), 0) FROM result_counts") == [(100,)]


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_reader_that_goes_away_is_no_failure_and_hides_none(
    closed: str, tmp_path: Path, database: Path
) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(1), *({"id": str(n)} for n in range(300))])
    reading, writing = os.pipe()
    os.close(reading)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, closed: writing}
    process = subprocess.Popen([*COMMAND, "evaluate", file, "--db", database], cwd=ROOT, **pipes)
    os.close(writing)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"Traceback" not in (out or b"") + (err or b"")
    assert b"BrokenPipe" not in (err or b"")
    assert count(database, "results") == 1


def test_head_gets_its_line(read_only_database: Path) -> None:
    shell = shutil.which("bash")
    if shell is None:
        pytest.skip("no bash")
    line = f"set -o pipefail; {sys.executable} -m cli results list --db {read_only_database} | head -n 1"
    done = subprocess.run([shell, "-c", line], capture_output=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"result")


def test_the_console_starts_on_a_missing_database_and_ends_when_told_to(database: Path) -> None:
    port = free_port("127.0.0.1")
    health = f"http://127.0.0.1:{port}/_stcore/health"

    def answers() -> bool:
        try:
            with urllib.request.urlopen(health, timeout=5) as reply:
                return reply.status == 200
        except URLError:
            return False

    process = start("console", "--db", database, "--port", str(port))
    wait_until(answers, process)
    assert counts(database)["results"] == 0
    process.terminate()
    outcome = finish(process, timeout=30)
    assert "Traceback" not in outcome.err
    assert not answers()
