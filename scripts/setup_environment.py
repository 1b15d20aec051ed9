"""Builds or brings up to date the environment in .venv: `python -m scripts.setup_environment`.

Every step is safe to repeat. What is done is recorded inside .venv under a key made of requirements.lock,
pyproject.toml and the checkout's place, so a second run returns at once and a deleted .venv starts over.
docs/decisions/001-layout-and-setup.md gives the reasons.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path

from scripts import chromium
from scripts.environment import Environment, SetupError, exclusive, next_action

ROOT = Path(__file__).resolve().parent.parent
MODEL_SECONDS = 600


def say(message: str) -> None:
    """Print one progress line on stderr."""
    print(f"set-up: {message}", file=sys.stderr, flush=True)


def install(environment: Environment) -> None:
    """Bring the packages in .venv to what the lock says."""
    action = next_action(
        usable=environment.is_usable(),
        recorded_key=environment.state.key,
        wanted_key=environment.wanted_key(),
    )
    if action == "ready":
        return
    if action == "rebuild":
        say(f"making {environment.folder.name} with Python {platform.python_version()}")
        environment.create()
    with environment.installing():
        environment.install_torch(say)
        say("installing the packages of requirements.lock (the first time about 1 GB: some minutes)")
        environment.pip("install", "--no-deps", "-r", "requirements.lock")
        say("installing proofdesk itself")
        environment.pip("install", "--no-deps", "--no-build-isolation", "-e", ".")
        environment.require_torch(say)
        say("checking the model weights")
        environment.require_weights()


def prepare_model(environment: Environment) -> None:
    """Export the encoder for ONNX Runtime; without it the slower way to run the same weights is used."""
    if environment.state.model_ready:
        return
    say("preparing the encoder for ONNX Runtime")
    command = [str(environment.program("proofdesk")), "model", "prepare"]
    try:
        finished = subprocess.run(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, timeout=MODEL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        say(f"warning: the encoder could not be prepared ({error}); it is tried again at the next run")
        return
    if finished.returncode != 0:
        say("warning: the encoder could not be prepared (above); it is tried again at the next run")
        return
    environment.record_model()


def provide_browser() -> None:
    """Install Debian's chromium where no browser is found and apt may be used; otherwise say what follows."""
    if chromium.find_chromium() is not None:
        return
    if os.environ.get(chromium.OVERRIDE):
        reason: str | None = f"{chromium.OVERRIDE}={os.environ[chromium.OVERRIDE]} does not start"
    else:
        say("no Chromium found: asking apt for Debian's")
        reason = chromium.install_with_apt()
        if reason is None and chromium.find_chromium() is None:
            reason = "the installed chromium does not start"
    if reason is not None:
        say(
            f"warning: no Chromium ({reason}); the browser tests skip. Cure: install chromium, or set "
            f"{chromium.OVERRIDE} to one"
        )


def main(arguments: list[str] | None = None) -> int:
    """Run the set-up and return the exit status: 0 done, 1 stopped, 130 interrupted."""
    parser = argparse.ArgumentParser(description="Build or bring up to date the environment in .venv.")
    parser.add_argument("--browser", action="store_true", help="also see to a Chromium for the browser tests")
    options = parser.parse_args(arguments)
    try:
        with exclusive(ROOT / ".cache" / "setup.lock", say):
            environment = Environment(ROOT)
            install(environment)
            prepare_model(environment)
            if options.browser:
                provide_browser()
            say(f"ready: {environment.folder.name} takes {environment.state.size_mb:,} MB")
    except SetupError as error:
        print(f"set-up stopped: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("set-up interrupted: the next run makes good what was left undone", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
