"""Decides where PyTorch comes from: docs/decisions/001 tells why this is more than one pin."""

from __future__ import annotations

import queue
import re
import shutil
import ssl
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

CPU_INDEX = "https://download.pytorch.org/whl/cpu"


@dataclass(frozen=True)
class TorchAttempt:
    """One way to install torch: what to tell the user, pip's arguments, the index to look for first."""

    label: str
    pip_arguments: tuple[str, ...]
    index: str | None = None


def pinned_version(lock_text: str, package: str = "torch") -> str:
    """Return the version that the lock pins for a package.

    Raises
    ------
    ValueError
        If the lock does not pin it.

    Examples
    --------
    >>> pinned_version("six==1.17.0\\ntorch==2.13.0\\n")
    '2.13.0'
    """
    found = re.search(rf"^{re.escape(package)}==([^\s;]+)", lock_text, flags=re.MULTILINE)
    if found is None:
        raise ValueError(f"requirements.lock pins no {package}; expected a line '{package}==VERSION'")
    return found.group(1)


def has_nvidia_gpu() -> bool:
    """Tell whether this machine shows an NVIDIA driver."""
    return Path("/proc/driver/nvidia").exists() or shutil.which("nvidia-smi") is not None


def is_satisfied(installed: str | None, pinned: str) -> bool:
    """Tell whether an installed version is the pinned one, whatever its build (``+cpu``, ``+cu130``).

    Examples
    --------
    >>> is_satisfied("2.13.0+cpu", "2.13.0"), is_satisfied("2.12.1", "2.13.0"), is_satisfied(None, "2.13.0")
    (True, False, False)
    """
    return installed is not None and installed.partition("+")[0] == pinned


def plan_torch(
    *, system: str, nvidia_gpu: bool, installed: str | None, pinned: str
) -> tuple[TorchAttempt, ...]:
    """Return the ways to install torch, to be tried in order until pip succeeds; empty where it is there.

    Parameters
    ----------
    system : str
        What ``platform.system()`` says: ``Linux``, ``Darwin``, ``Windows``.
    nvidia_gpu : bool
        Whether an NVIDIA driver is present: then the CUDA build is wanted, with all it needs.
    installed : str or None
        The version in the environment.
    pinned : str
        The version in the lock.
    """
    if is_satisfied(installed, pinned):
        return ()
    if system == "Linux" and nvidia_gpu:
        return (with_dependencies(pinned),)
    alone = ("--no-deps", f"torch=={pinned}")
    registry = TorchAttempt("from the package registry", alone)
    if system != "Linux":
        return (registry,)
    cpu_build = TorchAttempt(
        "CPU build, from PyTorch's own index", ("--index-url", CPU_INDEX, *alone), CPU_INDEX
    )
    return (cpu_build, registry)


def with_dependencies(pinned: str) -> TorchAttempt:
    """Return the way that also brings whatever GPU libraries the build asks for (several GB)."""
    return TorchAttempt("with the GPU libraries that its build asks for", (f"torch=={pinned}",))


def index_answers(url: str, *, seconds: float = 5.0) -> bool:
    """Tell whether an index gives any answer within a hard limit.

    pip's own time-out counts per address and per try, so that a network which swallows packets would hold
    set-up for minutes; here the whole question, name look-up included, has one limit. A refusal or a
    certificate that Python does not know is an answer: pip may be set up for it.
    """
    answers: queue.Queue[bool] = queue.Queue()

    def ask() -> None:
        try:
            urllib.request.urlopen(url, timeout=seconds).close()
        except urllib.error.HTTPError:
            answers.put(True)
        except OSError as error:
            answers.put(isinstance(getattr(error, "reason", error), ssl.SSLError))
        else:
            answers.put(True)

    threading.Thread(target=ask, daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except queue.Empty:
        return False
