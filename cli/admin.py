"""``proofdesk db``, ``profiles``, ``model``, ``demo`` and ``console``: everything around the answers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from cli.terminal import AsJson, Db, add_row, emit, new_table, print_json, say, show
from evalcore.config import load_profile, profile_names
from workflows.store import database_url, open_store, upgrade_store

db_app = typer.Typer(help="The database.", no_args_is_help=True)
profiles_app = typer.Typer(help="Profiles: how answers are scored and decided.", no_args_is_help=True)
model_app = typer.Typer(help="The embedding model.", no_args_is_help=True)


@db_app.command("upgrade")
def upgrade_database(db: Db = None) -> None:
    """Make the database, or bring an older one to this release's schema; a copy is set aside first."""
    with closing(upgrade_store(db)) as store:
        if store.set_aside:
            say(f"the old database is kept at {store.set_aside}")
        emit(f"{store.url}: schema {store.info().revision}")


@db_app.command("info")
def database_info(db: Db = None, as_json: AsJson = False) -> None:
    """Where the database is, its schema, its settings and how many rows each table has."""
    with closing(open_store(db, create=False)) as store:
        info = store.info()
    if as_json:
        print_json(
            {
                "url": info.url,
                "schema": info.revision,
                "bytes": info.size_bytes,
                "rows": dict(info.rows),
                "settings": dict(info.pragmas),
            }
        )
        return
    size = f", {info.size_bytes:,} bytes" if info.size_bytes is not None else ""
    emit(f"{info.url}: schema {info.revision}{size}")
    table = new_table("table", "rows")
    for name, count in info.rows:
        add_row(table, name, f"{count:,}")
    show(table)


@profiles_app.command("list")
def list_profiles(as_json: AsJson = False) -> None:
    """List the shipped profiles."""
    profiles = [load_profile(name) for name in profile_names()]
    if as_json:
        print_json([{"name": p.name, "hash": p.hash, "description": p.config.description} for p in profiles])
        return
    table = new_table("profile", "hash", "rules", "description")
    for found in profiles:
        add_row(table, found.name, found.hash[:12], len(found.config.policy.rules), found.config.description)
    show(table)


@profiles_app.command("check")
def check_profile(
    profile: Annotated[str, typer.Argument(help="A shipped profile's name or a profile file.")],
    as_json: AsJson = False,
) -> None:
    """Check a profile; exit code 2 and the file, rule and field of the first mistake when it is wrong."""
    found = load_profile(profile)
    if as_json:
        print_json(
            {"name": found.name, "hash": found.hash, "rules": [r.id for r in found.config.policy.rules]}
        )
        return
    table = new_table("", "rule", "when", "decision", "failure type")
    for number, rule in enumerate(found.config.policy.rules, start=1):
        when = rule.when
        states = [f"state {state}" for state in when.states]
        bounds = [f"{name} {bound.text}" for name, bound in when.scores]
        add_row(
            table,
            number,
            rule.id,
            ", ".join(states + bounds) or "otherwise",
            rule.decision,
            rule.failure_type,
        )
    show(table)
    emit(f"{found.name}: no mistakes; hash {found.hash[:12]}")


@model_app.command("prepare")
def prepare(
    profile: Annotated[str, typer.Option(help="The profile whose model is prepared.")] = "default",
) -> None:
    """Make what the first evaluation would otherwise wait for: the model's ONNX export."""
    from workflows.model import prepare_model

    emit(prepare_model(profile))


def demo(
    folder: Annotated[Path, typer.Option(help="Where the demo database goes.")] = Path(".demo"),
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the console; 0 takes a free one.")
    ] = 8501,
    open_console: Annotated[bool, typer.Option("--console/--no-console", help="Whether to open it.")] = True,
) -> None:
    """Fill a demo database with seed answers and labels, and open the console on it."""
    from workflows import console
    from workflows.demo import demo_store

    path, new = demo_store(folder)
    say(f"demo database: {path}" + (f" ({new} answers scored)" if new else ""))
    if open_console:
        raise typer.Exit(console.run(f"sqlite:///{path}", port=port))


def open_console(
    db: Db = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8501,
    address: Annotated[
        str, typer.Option(help="Address to listen on; only this machine by default.")
    ] = "127.0.0.1",
) -> None:
    """Open the review console in a browser."""
    from workflows import console

    url = database_url(db)
    open_store(url).close()
    raise typer.Exit(console.run(url, port=port, address=address))
