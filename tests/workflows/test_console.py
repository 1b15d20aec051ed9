"""Starting the console: the port, the address, and nothing that phones home."""

from __future__ import annotations

import socket
import sys

import pytest

from evalcore.errors import InputError
from workflows import console


def test_the_command_serves_the_app_on_this_machine_and_reports_to_nobody() -> None:
    command = console.command(port=0, address="127.0.0.1")
    assert command[:4] == [sys.executable, "-m", "streamlit", "run"]
    assert command[4] == str(console.APP)
    assert "--server.address=127.0.0.1" in command
    assert "--browser.gatherUsageStats=false" in command
    assert "--server.headless=true" in command
    (port,) = [part.removeprefix("--server.port=") for part in command if part.startswith("--server.port=")]
    assert 1024 <= int(port) <= 65535


def test_a_port_that_is_free_is_kept() -> None:
    port = console.free_port("127.0.0.1")
    assert console.free_port("127.0.0.1", port) == port
    assert f"--server.port={port}" in console.command(port=port, address="127.0.0.1")


def test_a_taken_port_is_said_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match="cannot listen") as caught:
            console.command(port=port, address="127.0.0.1")
    assert str(port) in str(caught.value)
    assert "--port 0" in str(caught.value)


@pytest.mark.parametrize("address", ["999.1.1.1", "no such host", "192.0.2.1", "x" * 70, "a..b"])
def test_an_address_that_is_not_ours_is_said(address: str) -> None:
    with pytest.raises(InputError, match="cannot listen"):
        console.free_port(address)
