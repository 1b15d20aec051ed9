"""``proofdesk baseline``: freeze, list, compare, export and import baselines."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.terminal import AsJson, Db, add_row, emit, new_table, print_json, show
from evalcore.errors import InputError
from workflows import baselines
from workflows.baselines import BaselineRow
from workflows.store import open_store

baseline_app = typer.Typer(
    help="Baselines: cases that never change, to gate new answers against.", no_args_is_help=True
)

Which = Annotated[str, typer.Argument(help="NAME, for its latest version, or NAME@VERSION.")]


@baseline_app.command("freeze")
def freeze(
    name: Annotated[str, typer.Argument(help="Its name; one that exists gets its next version.")],
    run: Annotated[str | None, typer.Option(help="The run, by name or #number; else the latest.")] = None,
    which: Annotated[
        Literal["gold", "labelled", "all"],
        typer.Option(help="Answers with a gold label, with any label, or all."),
    ] = "gold",
    note: Annotated[str, typer.Option(help="What it is for.")] = "",
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Freeze the results of a run as they are now."""
    with closing(open_store(db, create=False)) as store:
        row = baselines.freeze(store, name, run, choice=which, note=note)
    _print(row, as_json)


@baseline_app.command("list")
def list_(db: Db = None, as_json: AsJson = False) -> None:
    """Every version of every baseline."""
    with closing(open_store(db, create=False)) as store:
        rows = baselines.listed(store)
    if as_json:
        print_json([_values(row) for row in rows])
        return
    table = new_table("baseline", "cases", "frozen (UTC)", "hash", "note")
    for row in rows:
        name = f"{row.name}@{row.version}" + (" (out of use)" if row.is_removed else "")
        add_row(table, name, row.n_cases, f"{row.created_at:%Y-%m-%d %H:%M}", row.hash[:12], row.note)
    show(table)


@baseline_app.command("show")
def show_(which: Which, db: Db = None, as_json: AsJson = False) -> None:
    """The cases of a version."""
    with closing(open_store(db, create=False)) as store:
        baseline = baselines.load(store, which)
    if as_json:
        cases = [{**case.to_dict(), "hash": case.hash} for case in baseline.cases]
        print_json(
            {"name": baseline.name, "version": baseline.version, "hash": baseline.hash, "cases": cases}
        )
        return
    profile = baseline.fingerprint.profile
    emit(f"{baseline.name}@{baseline.version}, hash {baseline.hash[:12]}, profile {profile}")
    table = new_table("case", "part", "decision", "final", "gold", "from")
    for case in baseline.cases:
        final = case.scores.get("final")
        value = "–" if final is None else f"{final:.4f}"
        add_row(table, case.id, case.part, case.decision, value, case.gold or "–", case.gold_source or "–")
    show(table)


@baseline_app.command("diff")
def diff(one: Which, two: Which, db: Db = None, as_json: AsJson = False) -> None:
    """What differs between two versions."""
    with closing(open_store(db, create=False)) as store:
        found = baselines.diff(store, one, two)
    if as_json:
        print_json(
            {"added": found.added, "removed": found.removed, "changed": found.changed, "same": found.n_same}
        )
        return
    for name, ids in (("added", found.added), ("removed", found.removed), ("changed", found.changed)):
        for case_id in ids:
            emit(f"{name}: {case_id}")
    emit(f"{found.n_same} cases are the same")


@baseline_app.command("export")
def export(
    which: Which, file: Annotated[Path, typer.Argument(help="A new .jsonl file.")], db: Db = None
) -> None:
    """Write a version as JSONL with its hashes; `proofdesk gate` reads it without a database."""
    with closing(open_store(db, create=False)) as store:
        baseline = baselines.export(store, which, file)
    name = f"{baseline.name}@{baseline.version}"
    emit(f"{len(baseline.cases)} cases of {name} in {file}, hash {baseline.hash[:12]}")


@baseline_app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file that export wrote.")],
    name: Annotated[str | None, typer.Option(help="Another name than the one in the file.")] = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Store a baseline from a file, every hash checked."""
    with closing(open_store(db)) as store:
        row = baselines.import_file(store, file, name=name)
    _print(row, as_json)


@baseline_app.command("remove")
def remove(
    which: Which,
    yes: Annotated[bool, typer.Option("--yes", help="Without this nothing happens.")] = False,
    db: Db = None,
) -> None:
    """Take a version out of use. It can still be read, exported no more, and nothing is gated against it."""
    if not yes:
        raise InputError("a baseline in use is taken out only on purpose", got=which[:80], cure="add --yes")
    with closing(open_store(db, create=False)) as store:
        row = baselines.remove(store, which)
    emit(f"{row.name}@{row.version} is out of use; its runs can still be read")


def _print(row: BaselineRow, as_json: bool) -> None:
    if as_json:
        print_json(_values(row))
    else:
        emit(f"{row.name}@{row.version}: {row.n_cases} cases, hash {row.hash[:12]}")


def _values(row: BaselineRow) -> dict[str, object]:
    return {
        "name": row.name,
        "version": row.version,
        "cases": row.n_cases,
        "hash": row.hash,
        "created_at": row.created_at.isoformat(),
        "note": row.note,
        "out_of_use": row.is_removed,
    }
