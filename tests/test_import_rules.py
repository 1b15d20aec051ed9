"""Who may import whom: the doors between the rooms hold, and the reader of imports sees through disguises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.import_doors import DOORS, ENCODER_LIBRARIES, imports_of, room_of, violations

ROOT = Path(__file__).resolve().parent.parent
TOP_LEVELS = sorted({room.partition(".")[0] for room in DOORS})
SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for top in TOP_LEVELS
    for path in (*ROOT.glob(f"{top}.py"), *ROOT.glob(f"{top}/**/*.py"))
)
SET_UP_SOURCES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("scripts/*.py"))


@pytest.mark.parametrize("path", SOURCES)
def test_every_file_keeps_to_the_doors_of_its_room(path: str) -> None:
    assert violations((ROOT / path).read_text("utf-8"), path) == []


def test_every_room_of_the_design_has_files() -> None:
    assert {room_of(path) for path in SOURCES} >= {"evalcore", "db", "workflows", "pages", "cli", "app"}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("evalcore/policy.py", "import sqlalchemy"),
        ("evalcore/policy.py", "from db import tables"),
        ("evalcore/policy.py", "import streamlit as st"),
        ("evalcore/policy.py", "import sqlite3"),
        ("evalcore/encoder.py", "import torch"),
        ("evalcore/encoder.py", "if True:\n    import onnxruntime"),
        ("evalcore/encoder.py", "class A:\n    import tokenizers"),
        ("evalcore/encoder.py", "from transformers import AutoModel"),
        ("evalcore/encoder.py", "def load():\n    import sklearn"),
        ("evalcore/stats/kappa.py", "import yaml"),
        ("evalcore/stats/kappa.py", "from evalcore.result import EvalResult"),
        ("evalcore/stats/kappa.py", "from ..result import EvalResult"),
        ("evalcore/stats/kappa.py", "from evalcore import result"),
        ("evalcore/stats/kappa.py", "def f():\n    import torch"),
        ("db/mapping.py", "from evalcore import Evaluator"),
        ("db/mapping.py", "from evalcore.policy import decide"),
        ("db/mapping.py", "import pandas"),
        ("db/repositories/results.py", "from workflows.review import claim"),
        ("workflows/review.py", "import streamlit"),
        ("workflows/review.py", "from sqlalchemy import select"),
        ("workflows/review.py", "import pages.queue"),
        ("pages/queue.py", "from db.engine import session_scope"),
        ("pages/queue.py", "from sqlalchemy import text"),
        ("pages/queue.py", "from evalcore.stats import kappa"),
        ("pages/queue.py", "from pages.overview import draw"),
        ("pages/queue.py", "from . import overview"),
        ("pages/queue.py", "def draw():\n    import db"),
        ("pages/queue.py", "import importlib\nimportlib.import_module('db.engine')"),
        ("pages/queue.py", "def draw():\n    return __import__('numpy')"),
        ("pages/components/strip.py", "import sqlite3"),
        ("pages/queue.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from db import tables"),
        ("cli/terminal.py", "from evalcore.evaluator import Evaluator"),
        ("cli/terminal.py", "import db"),
        ("cli/terminal.py", "import pandas"),
        ("app.py", "import evalcore"),
        ("app.py", "import db"),
        ("seed_data/make.py", "import db"),
        ("evalcore/text.py", "import evalcore_extra"),
    ],
)
def test_a_wrong_import_is_seen(path: str, source: str) -> None:
    found = violations(source, path)

    assert len(found) == 1
    assert found[0].startswith(f"{path}:{1 + source.splitlines().index(source.splitlines()[-1])}: ")


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (
            "evalcore/encoder.py",
            "def load():\n    import torch, onnxruntime\n    from tokenizers import Tokenizer",
        ),
        ("evalcore/encoder.py", "load = lambda: __import__('torch')"),
        (
            "evalcore/encoder.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import onnxruntime",
        ),
        (
            "evalcore/config.py",
            "import json, yaml\nfrom pydantic import BaseModel\nimport importlib.resources",
        ),
        ("evalcore/scorers/relevance.py", "from ..result import Score\nfrom .base import Scorer"),
        (
            "evalcore/stats/kappa.py",
            "import numpy as np\nfrom scipy import stats\nfrom ..errors import StatsError",
        ),
        (
            "db/mapping.py",
            "from evalcore.result import EvalResult\nfrom evalcore import sample\nfrom .tables import Row",
        ),
        ("db/migrations/env.py", "from alembic import context\nimport sqlite3\nfrom db import tables"),
        (
            "workflows/evaluate.py",
            "import pandas as pd\nfrom evalcore import Evaluator\nfrom db.engine import x",
        ),
        (
            "pages/queue.py",
            "import streamlit as st\nfrom pages.components.strip import strip\nimport workflows",
        ),
        (
            "cli/terminal.py",
            "import typer\nfrom rich.table import Table\nfrom evalcore.errors import ProofdeskError",
        ),
        ("app.py", "import streamlit\nfrom workflows import review"),
        ("tests/test_cli.py", "import torch"),
    ],
)
def test_a_right_import_passes(path: str, source: str) -> None:
    assert violations(source, path) == []


@pytest.mark.parametrize("path", [path for path in SET_UP_SOURCES if path != "scripts/screenshots.py"])
def test_set_up_needs_only_the_standard_library(path: str) -> None:
    tops = {found.name.partition(".")[0] for found in imports_of((ROOT / path).read_text("utf-8"), path)}

    assert tops <= sys.stdlib_module_names | {"scripts"}


def test_importing_the_core_loads_nothing_heavy_and_opens_no_connection() -> None:
    heavy = (*ENCODER_LIBRARIES, "streamlit", "sqlalchemy", "pandas", "pyarrow")
    program = f"""
import sys

def refuse(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError(event)

sys.addaudithook(refuse)
import evalcore
print(*sorted(set({heavy!r}) & set(sys.modules)))
"""
    finished = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip() == ""
