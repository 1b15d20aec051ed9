"""Finds the Chromium that browser tests and screenshots drive, and installs Debian's where it may."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MACOS_PATHS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
OVERRIDE = "PROOFDESK_CHROMIUM"


def find_chromium(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the path of a Chromium or Chrome that starts, or None.

    ``PROOFDESK_CHROMIUM`` names one outright. A name on PATH is not enough: Ubuntu ships a stub that only
    advises a snap, so each candidate must answer ``--version``.
    """
    if environment.get(OVERRIDE):
        candidates = [environment[OVERRIDE]]
    else:
        on_path = (shutil.which(name, path=environment.get("PATH", os.defpath)) for name in NAMES)
        candidates = [path for path in on_path if path is not None]
        candidates += [path for path in MACOS_PATHS if Path(path).exists()]
    return next((path for path in candidates if _starts(path)), None)


def _starts(path: str) -> bool:
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def root_prefix(*, user_id: int, sudo_works: bool) -> tuple[str, ...] | None:
    """Return what goes before a command that needs root: nothing, ``sudo -n``, or None where it may not run.

    Examples
    --------
    >>> root_prefix(user_id=0, sudo_works=False), root_prefix(user_id=1000, sudo_works=False)
    ((), None)
    """
    if user_id == 0:
        return ()
    return ("sudo", "-n") if sudo_works else None


def install_with_apt() -> str | None:
    """Install Debian's chromium; return why it could not be done, or None when it was."""
    if shutil.which("apt-get") is None:
        return "this system has no apt-get"
    sudo_works = shutil.which("sudo") is not None and _succeeds(["sudo", "-n", "true"])
    prefix = root_prefix(user_id=os.geteuid(), sudo_works=sudo_works)
    if prefix is None:
        return "apt-get needs root or a sudo that asks for no password"
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    apt += ["-o", "DPkg::Lock::Timeout=120", "-o", "Acquire::http::Timeout=20"]
    if not _succeeds([*apt, "update"]):
        return "apt-get update failed"
    # Without recommended packages a screen would be drawn with no font for Cyrillic.
    packages = ["chromium", "fonts-liberation"]
    if not _succeeds([*apt, "install", "-y", "--no-install-recommends", *packages]):
        return "apt-get could not install the package chromium"
    return None


def _succeeds(command: list[str]) -> bool:
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return result.returncode == 0
