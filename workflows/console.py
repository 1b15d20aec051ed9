"""Starting the console: Streamlit as a child process with everything that phones home switched off."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import FrameType

from db.engine import URL_VARIABLE
from evalcore.errors import InputError

APP = Path(__file__).resolve().parent.parent / "app.py"


def command(*, port: int, address: str) -> list[str]:
    """The command line that serves the console; port 0 takes a free one.

    Raises
    ------
    InputError
        When the port is taken or the address is not one of this machine's.
    """
    return [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(APP),
        f"--server.port={free_port(address, port)}",
        f"--server.address={address}",
        "--server.headless=true",
        "--server.fileWatcherType=none",
        "--browser.gatherUsageStats=false",
    ]


def run(url: str, *, port: int = 8501, address: str = "127.0.0.1") -> int:
    """Serve the console on a database until it is stopped; returns its exit code.

    Streamlit is started in the project's folder, where its settings lie, and ends when this process is told
    to.

    Raises
    ------
    InputError
        When the port is taken or the address is not one of this machine's.
    """
    environment = {**os.environ, URL_VARIABLE: _absolute(url)}
    process = subprocess.Popen(command(port=port, address=address), cwd=APP.parent, env=environment)

    def end(number: int, frame: FrameType | None) -> None:
        process.terminate()

    before = signal.signal(signal.SIGTERM, end)
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        return 0
    finally:
        signal.signal(signal.SIGTERM, before)


def free_port(address: str, port: int = 0) -> int:
    """A port nobody listens on at the moment: the one given, or any.

    Raises
    ------
    InputError
        When it is taken, or the address is not one of this machine's.
    """
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            # As the server does: a port whose last connection has just closed is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            return int(probe.getsockname()[1])
    except (OSError, OverflowError, UnicodeError) as error:
        raise InputError(
            "the console cannot listen here",
            where=f"{address}, port {port}",
            got=str(error),
            cure="--port 0 takes a free port; --address 127.0.0.1 is this machine",
        ) from error


def _absolute(url: str) -> str:
    prefix = "sqlite:///"
    return f"{prefix}{Path(url.removeprefix(prefix)).resolve()}" if url.startswith(prefix) else url
