"""Gets the peers ready and asks them, by subprocess: no peer is ever imported here."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalcore import Sample
from evalcore.encoder.weights import cache_dir
from evalcore.errors import ProofdeskError

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"
_RUNNER = HERE / "run_peer.py"
_INSTALL_SECONDS = 300
_ANSWERING_SECONDS = 900


class PeerError(ProofdeskError):
    """A peer cannot be installed or run."""


@dataclass(frozen=True)
class PeerScore:
    """What a peer says of one answer; ``failure`` says why where it says nothing."""

    risk: float = 1.0
    flagged: bool = True
    milliseconds: float = 0.0
    failure: str | None = None


def pinned_peers(requirements: Path = REQUIREMENTS) -> dict[str, str]:
    """The pin of each peer, such as ``ragsanity==0.3.0``, by its name."""
    lines = (line.strip() for line in requirements.read_text(encoding="utf-8").splitlines())
    return {line.partition("==")[0]: line for line in lines if line and not line.startswith("#")}


def peer_command(name: str, pin: str, folder: Path | None = None) -> list[str]:
    """The command that scores with a peer; makes its environment at first use.

    Parameters
    ----------
    name : str
        As the runner knows the peer.
    pin : str
        What pip installs, without dependencies.
    folder : Path, optional
        Where the environments lie, a folder a pin; ``peers`` in the cache folder if not said.

    Raises
    ------
    PeerError
        When the environment cannot be made or the peer not be installed.
    """
    home = (folder or cache_dir() / "peers") / pin
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    # Written last: an environment whose making was interrupted is made again.
    complete = home / "complete"
    if not complete.is_file():
        _run([sys.executable, "-m", "venv", "--clear", str(home)], f"cannot make an environment for {name}")
        pip = [str(python), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*pip, "--no-deps", pin], f"cannot install {pin}")
        complete.touch()
    return [str(python), "-I", "-X", "utf8", str(_RUNNER), name]


def ask_peer(
    command: Sequence[str], samples: Sequence[Sample], *, seconds: float = _ANSWERING_SECONDS
) -> list[PeerScore]:
    """A peer's score of every answer, in order.

    A line that is missing or makes no sense is a failure of that answer alone.

    Raises
    ------
    PeerError
        When the peer cannot be started, says nothing of any answer, or takes longer than ``seconds``.
    """
    asked = "".join(
        json.dumps({"id": n, "query": s.query, "contexts": s.contexts, "response": s.response}) + "\n"
        for n, s in enumerate(samples)
    )
    try:
        done = subprocess.run(
            command, input=asked, capture_output=True, encoding="utf-8", errors="replace", timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise PeerError(f"took longer than {seconds:.0f} s for {len(samples)} answers") from error
    except OSError as error:
        raise PeerError("cannot be started", got=str(error)) from error
    ended = f"exit status {done.returncode}"
    if problem := _last_line(done.stderr):
        ended += f": {problem}"
    scores: dict[int, PeerScore] = {}
    for line in done.stdout.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, Mapping) and isinstance(row.get("id"), int):
            scores[row["id"]] = _score(row)
    if samples and not scores:
        raise PeerError("says nothing of any answer", got=ended)
    return [scores.get(n, PeerScore(failure=f"no line; {ended}")) for n in range(len(samples))]


def _score(row: Mapping[str, object]) -> PeerScore:
    if "error" in row:
        return PeerScore(failure=str(row["error"]))
    risk, flagged, took = row.get("risk"), row.get("flagged"), row.get("milliseconds")
    if not isinstance(risk, int | float) or not math.isfinite(risk) or not 0 <= risk <= 1:
        return PeerScore(failure=f"risk is {risk!r}, not a number from 0 to 1")
    if not isinstance(flagged, bool) or not isinstance(took, int | float):
        return PeerScore(failure=f"flagged is {flagged!r}, milliseconds {took!r}")
    return PeerScore(float(risk), flagged, float(took))


def _run(command: Sequence[str], what: str) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="replace", timeout=_INSTALL_SECONDS
        )
    except (subprocess.TimeoutExpired, OSError) as error:
        raise PeerError(what, got=str(error)) from error
    if done.returncode:
        raise PeerError(what, got=_last_line(done.stderr) or _last_line(done.stdout))


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""
