"""Printing: data to stdout as tables, lines or JSON, everything else to stderr."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evalcore.errors import InputError

EXIT_SOME_FAILED = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

Db = Annotated[
    str | None,
    typer.Option("--db", help="Database URL or SQLite file; else $PROOFDESK_DB, else proofdesk.db here."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

MAX_NUMBER = 2**63 - 1
"""The largest row number a database holds."""

# Control characters but tab and line feed, the separators that break lines elsewhere, and the marks that turn
# the direction of what follows: each could make a terminal show something else than the text says.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """A text with whatever could steer a terminal written as an escape.

    Examples
    --------
    >>> visible("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    """
    return _STEERING.sub(_escaped, text.replace("\r\n", "\n"))


def new_table(*columns: str) -> Table:
    """A plain table whose long cells fold."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def add_row(table: Table, *cells: object) -> None:
    """Add a row whose texts are shown as they are: no markup, one line each."""
    table.add_row(*(Text(visible(" ".join(str(cell).split()))) for cell in cells))


def cut(text: str, length: int) -> str:
    """The beginning of a text, marked as such when it is not the whole.

    Examples
    --------
    >>> cut("abc", 3), cut("abcd", 3)
    ('abc', 'ab…')
    """
    return text if len(text) <= length else text[: length - 1] + "…"


def show(table: Table) -> None:
    """Print a table."""
    _print_rich(table)


def show_text(text: str, heading: str = "") -> None:
    """Print a text as it is, no markup read in it, after a heading in bold."""
    _print_rich(Text.assemble((visible(heading), "bold"), visible(text)))


def print_json(document: Any) -> None:
    """Print one JSON document; texts beyond ASCII stay readable where stdout can show them."""
    readable = sys.stdout is not None and (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(document, ensure_ascii=not readable, indent=2, allow_nan=False)
    # Between the texts there are only line feeds, so what is found is inside one, where \u is an escape.
    _write(sys.stdout, _STEERING.sub(lambda found: f"\\u{ord(found.group()):04x}", text))


def emit(line: str) -> None:
    """Print a line of data."""
    _write(sys.stdout, visible(line))


def write(text: str) -> None:
    """Print data of another tool's format as it is: it is for a file or a pipe, not for the eye."""
    _write(sys.stdout, text, end="")


def write_new_file(path: Path, lines: Iterable[str]) -> int:
    """Write a file that must not be there yet, whole or not at all; gives its bytes."""
    if path.exists():
        raise InputError("the file exists", where=str(path), cure="name another")
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    return path.stat().st_size


def say(message: str) -> None:
    """Print a message for people to stderr, where it does not mix with data, on one line."""
    _write(sys.stderr, visible(message).replace("\n", "\\n"))


def _escaped(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode("ascii")


def _print_rich(shown: Table | Text) -> None:
    console = Console()
    with console.capture() as captured:
        console.print(shown)
    _write(sys.stdout, captured.get().removesuffix("\n"))


def _write(stream: TextIO, text: str, end: str = "\n") -> None:
    try:
        print(text, end=end, file=stream, flush=True)
    except BrokenPipeError:
        # The reader went away, as `| head` does. What was done and the exit code stay what they are.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
