"""The command line, run inside this process where that is enough, and as a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli import main

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "cli")


@dataclass(frozen=True)
class Outcome:
    """What a command left: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Stdout as the one JSON document it must be."""
        return json.loads(self.out)


def proofdesk(*arguments: str | Path, stdin: bytes = b"", encoding: str = "utf-8") -> Outcome:
    """Run the command line in this process, through the function the console script calls."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    code: object = 0
    with _arguments(["proofdesk", *map(str, arguments)], stdin), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
    texts = []
    for stream in (out, err):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        texts.append(stream.buffer.getvalue().decode(encoding))
    return Outcome(code if isinstance(code, int) else 0 if code is None else 1, *texts)


@contextmanager
def _arguments(arguments: list[str], stdin: bytes) -> Iterator[None]:
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = arguments, io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    try:
        yield
    finally:
        sys.argv, sys.stdin = before


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start the command line as a process, in its own process group."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PROOFDESK_D")}
    environment["PYTHONPATH"] = str(ROOT)
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
        **options,
    )


def finish(process: subprocess.Popen[bytes], *, timeout: float = 120) -> Outcome:
    """Wait for a process; kills it when it takes too long."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Outcome(process.returncode, out.decode("utf-8"), err.decode("utf-8"))


def wait_until(met: Callable[[], bool], process: subprocess.Popen[bytes], *, timeout: float = 60) -> None:
    """Wait for something while a process runs; fails when that ends first."""
    deadline = time.monotonic() + timeout
    while not met():
        assert process.poll() is None, "the process ended before"
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.005)
