"""What README shows is run here: its Python, its commands in their order, and the pictures it points to."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.demo_database import copied

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """The commands shown with a ``$`` before them."""
    return [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PROOFDESK_DB": f"sqlite:///{folder}/readme.db"}
    return subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_gate_in_five_lines_prints_what_it_says(tmp_path: Path) -> None:
    (code,), (shown,) = blocks("python"), blocks("text")
    assert len([line for line in code.splitlines() if line]) == 5
    done = run([sys.executable, "-c", code], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == shown


def test_the_commands_run_in_their_order(tmp_path: Path) -> None:
    (line,) = blocks("json")
    (tmp_path / "answers.jsonl").write_text(line, encoding="utf-8")
    assert len(commands()) >= 5
    for command in commands():
        program, *arguments = shlex.split(command)
        assert program == "proofdesk"
        done = run([sys.executable, "-m", "cli", *arguments], tmp_path)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        assert done.stdout.strip(), command


def test_the_guide_for_leads_shows_what_is_printed(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copied(tmp_path_factory.getbasetemp(), tmp_path / "proofdesk-demo.db")
    text = (ROOT / "docs" / "guide-lead.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```console\n\$ (.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "alerts.yaml").write_bytes((ROOT / "examples" / "alerts.yaml").read_bytes())
    codes = []
    for part in shown:
        command, _, expected = part.partition("\n")
        done = run([sys.executable, "-m", "cli", *shlex.split(command)[1:]], tmp_path)
        assert done.stdout.startswith(expected), command
        codes.append(done.returncode)
    # No audit labels yet; and the oldest answer of the demo's queue has waited for longer than two days.
    assert codes == [3, 1]


def test_the_two_make_targets_it_names_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"\bmake (\w+)", README):
        if target in ("test", "demo", "bench"):
            assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


@pytest.mark.parametrize(
    "name",
    ["README.md", "docs/ARCHITECTURE.md", "docs/guide-reviewer.md", "docs/guide-lead.md", "docs/guide-ci.md"],
)
def test_links_and_pictures_lead_somewhere(name: str) -> None:
    page = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{name} points to {target}"


def test_the_guide_for_ci_shows_what_happens(tmp_path: Path) -> None:
    for file in (ROOT / "examples" / "ci").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    text = (ROOT / "docs" / "guide-ci.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    codes = []
    for part in re.split(r"^\$ ", "".join(shown), flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        done = run([sys.executable, "-m", "cli", *shlex.split(command)[1:]], tmp_path)
        codes.append(done.returncode)
        said = re.sub(r"hash [0-9a-f]{12}", "hash ############", done.stdout)
        assert said.startswith(expected), f"{command}: {done.stdout}{done.stderr}"
    assert codes == [0, 0, 0, 0, 1]
    assert "fuse" in (tmp_path / "gate.md").read_text(encoding="utf-8")

    workflow = yaml.safe_load((tmp_path / "proofdesk.yml").read_text(encoding="utf-8"))
    (step,) = [step for step in workflow["jobs"]["gate"]["steps"] if step.get("name") == "Gate"]
    (tmp_path / "baselines").mkdir()
    (tmp_path / "support.jsonl").rename(tmp_path / "baselines" / "support.jsonl")
    gate = run([sys.executable, "-m", "cli", *shlex.split(step["run"].replace("\\\n", ""))[1:]], tmp_path)
    assert gate.returncode == 1, gate.stderr
