"""What set-up decides, how it recovers from a kill, and that two do not meet."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scripts.environment import (
    Environment,
    PipError,
    SetupState,
    child_variables,
    exclusive,
    folder_size_mb,
    next_action,
)


@pytest.mark.parametrize(
    ("usable", "recorded", "expected"),
    [(False, "k", "rebuild"), (False, None, "rebuild"), (True, "k", "ready"), (True, None, "update")],
)
def test_next_action(usable: bool, recorded: str | None, expected: str) -> None:
    assert next_action(usable=usable, recorded_key=recorded, wanted_key="k") == expected


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """Return a real environment, with a pip that refuses, in a checkout of two files."""
    for name in ("requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_text("torch==2.13.0\n", "utf-8")
    made = Environment(tmp_path)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made.folder)], check=True, timeout=60)
    site = next(made.folder.glob("[Ll]ib/**/site-packages"))
    refusing_pip = (
        'import sys\nif __name__ == "__main__":\n    sys.exit(f"no such package: {sys.argv[-1]}")\n'
    )
    (site / "pip.py").write_text(refusing_pip, "utf-8")
    return made


def test_a_finished_install_is_usable_and_its_key_follows_lock_and_project(environment: Environment) -> None:
    with environment.installing():
        assert not environment.is_usable()

    assert environment.is_usable()
    assert environment.state.key == environment.wanted_key()
    (environment.root / "pyproject.toml").write_text("changed", "utf-8")
    assert environment.state.key != environment.wanted_key()


def test_a_killed_install_is_rebuilt_and_one_that_pip_gave_up_is_kept(environment: Environment) -> None:
    with pytest.raises(PipError), environment.installing():
        raise PipError("no network")
    assert environment.is_usable()
    assert environment.state.key is None

    with pytest.raises(KeyboardInterrupt), environment.installing():
        raise KeyboardInterrupt
    assert not environment.is_usable()


def test_pips_own_words_reach_the_user(environment: Environment) -> None:
    with pytest.raises(PipError, match="no such package: torch"):
        environment.pip("install", "torch")


def test_a_moved_or_broken_environment_is_not_usable(environment: Environment) -> None:
    SetupState(key="k", root="/elsewhere").write(environment.folder / "proofdesk-setup.json")
    assert not environment.is_usable()

    SetupState(key="k", root=str(environment.root)).write(environment.folder / "proofdesk-setup.json")
    assert environment.is_usable()
    environment.program("python").unlink()
    assert not environment.is_usable()


def test_the_prepared_model_is_recorded_beside_the_install(environment: Environment) -> None:
    with environment.installing():
        pass
    assert not environment.state.model_ready
    environment.record_model()

    assert (environment.state.key, environment.state.model_ready) == (environment.wanted_key(), True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": "k", "unknown": 1}', '"text"'])
def test_a_damaged_record_counts_as_none(tmp_path: Path, text: str) -> None:
    record = tmp_path / "record.json"
    record.write_text(text, "utf-8")

    assert SetupState.read(record) == SetupState()


def test_variables_that_lead_pip_astray_are_left_out() -> None:
    variables = child_variables({"PYTHONPATH": "/x", "PIP_USER": "1", "PIP_TARGET": "/y", "PATH": "/bin"})

    assert variables == {"PATH": "/bin", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


@pytest.mark.skipif(os.name == "nt", reason="file locks of this kind are not on Windows")
def test_a_second_set_up_waits_for_the_first(tmp_path: Path) -> None:
    said: list[str] = []
    order: list[str] = []

    def second() -> None:
        with exclusive(tmp_path / "cache" / "lock", said.append):
            order.append("second")

    with exclusive(tmp_path / "cache" / "lock", said.append):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.2)
        order.append("first")
    waiting.join(10)

    assert order == ["first", "second"]
    assert said == ["waiting for another set-up of this checkout"]


def test_size_counts_hard_links_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(os.urandom(3 * 1024**2))
    os.link(tmp_path / "a", tmp_path / "b")

    assert folder_size_mb(tmp_path) == 3
