"""``proofdesk reviewers``: who reviews, and who leads."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated, Literal

import typer

from cli.terminal import AsJson, Db, add_row, emit, new_table, print_json, say, show
from workflows import review
from workflows.rights import set_role_here
from workflows.store import open_store

reviewers_app = typer.Typer(help="The people who review.", no_args_is_help=True)


@reviewers_app.command("list")
def list_reviewers(db: Db = None, as_json: AsJson = False) -> None:
    """List everybody who has signed in, with their role."""
    with closing(open_store(db, create=False)) as store:
        people = review.reviewers(store)
    if as_json:
        print_json([{"name": p.name, "role": p.role, "created_at": p.created_at.isoformat()} for p in people])
        return
    table = new_table("name", "role", "since")
    for person in people:
        add_row(table, person.name, person.role, f"{person.created_at:%Y-%m-%d}")
    show(table)
    if not people:
        say("nobody has signed in yet")


@reviewers_app.command("role")
def give_role(
    name: Annotated[str, typer.Argument(help="The reviewer's name.")],
    role: Annotated[Literal["reviewer", "lead"], typer.Argument()],
    db: Db = None,
) -> None:
    """Make somebody a lead, who settles disagreements and sets the queue, or a reviewer again."""
    with closing(open_store(db, create=False)) as store:
        person = set_role_here(store, name, role)
    emit(f"{person.name}: {person.role}")
