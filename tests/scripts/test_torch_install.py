"""Where torch comes from, on which machine, and what a silent network costs."""

from __future__ import annotations

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from scripts import torch_install


@pytest.mark.parametrize(
    ("system", "nvidia_gpu", "installed", "expected"),
    [
        ("Linux", False, None, [("--index-url", torch_install.CPU_INDEX, "--no-deps"), ("--no-deps",)]),
        (
            "Linux",
            False,
            "2.12.0+cpu",
            [("--index-url", torch_install.CPU_INDEX, "--no-deps"), ("--no-deps",)],
        ),
        ("Linux", True, None, [()]),
        ("Darwin", False, None, [("--no-deps",)]),
        ("Windows", True, None, [("--no-deps",)]),
        ("Linux", False, "2.13.0+cpu", []),
        ("Linux", True, "2.13.0+cu130", []),
        ("Darwin", False, "2.13.0", []),
    ],
)
def test_torch_comes_from_the_cpu_index_first_only_on_linux_without_a_gpu(
    system: str, nvidia_gpu: bool, installed: str | None, expected: list[tuple[str, ...]]
) -> None:
    plan = torch_install.plan_torch(
        system=system, nvidia_gpu=nvidia_gpu, installed=installed, pinned="2.13.0"
    )

    assert [attempt.pip_arguments for attempt in plan] == [
        (*options, "torch==2.13.0") for options in expected
    ]
    assert [attempt.index for attempt in plan if attempt.index] == [
        torch_install.CPU_INDEX for options in expected if "--index-url" in options
    ]


def test_a_lock_without_torch_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match="pins no torch"):
        torch_install.pinned_version("torchvision==0.29.1\n")


def test_an_index_that_swallows_the_question_costs_no_more_than_its_limit() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        start = time.monotonic()

        answered = torch_install.index_answers(f"http://127.0.0.1:{silent.getsockname()[1]}/", seconds=0.3)

    assert not answered
    assert time.monotonic() - start < 2


def test_an_index_that_is_not_there_does_not_answer_and_one_that_refuses_does() -> None:
    class Refuse(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(403)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = HTTPServer(("127.0.0.1", 0), Refuse)
    url = f"http://127.0.0.1:{server.server_port}/"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        assert torch_install.index_answers(url)
    finally:
        server.shutdown()
        server.server_close()
    assert not torch_install.index_answers(url)
