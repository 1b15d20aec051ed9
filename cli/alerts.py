"""``proofdesk alerts``: rules held against what came in, for cron."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from cli.terminal import AsJson, Db, add_row, emit, new_table, print_json, say, show
from workflows import alerts
from workflows.store import open_store

EXIT_OK = 0
EXIT_ALERT = 1
EXIT_NO_DATA = 3
EXIT_UNSENT = 4

alerts_app = typer.Typer(
    name="alerts", help="Rules on shares, scores, queue and agreement.", no_args_is_help=True
)

Rules = Annotated[
    Path, typer.Option("--rules", envvar="PROOFDESK_ALERTS", help="The rules, in YAML: docs/guide-lead.md.")
]


@alerts_app.command("check")
def check(
    rules: Rules = Path("alerts.yaml"),
    strict: Annotated[bool, typer.Option("--strict", help="A WARN ends in exit code 1 too.")] = False,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Measure every rule now, keep what changed, and tell the webhook if there is one.

    Exit codes: 0 all is well, or WARN; 1 some rule is in ALERT; 2 bad rules or no database; 3 some rule had
    too little data; 4 the webhook did not take a change, which the next check sends again.
    """
    config = alerts.read_config(rules)
    with closing(open_store(db, create=False)) as store:
        found = alerts.check(store, config)
    if as_json:
        print_json(found.to_dict())
    else:
        table = new_table("state", "rule", "was", "found")
        for state in found.states:
            was = "" if not state.changed else state.was or "new"
            add_row(table, state.state, state.rule, was, state.told)
        show(table)
    if found.problem:
        say(f"webhook: {found.problem}; {found.unsent} changes wait for the next check")
    reached = {state.state for state in found.states}
    bad = {"ALERT", "WARN"} if strict else {"ALERT"}
    if reached & bad:
        raise typer.Exit(EXIT_ALERT)
    if found.unsent:
        raise typer.Exit(EXIT_UNSENT)
    raise typer.Exit(EXIT_NO_DATA if "NO DATA" in reached else EXIT_OK)


@alerts_app.command("history")
def history(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many changes, the last first.")] = 50,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """List when rules changed their state."""
    with closing(open_store(db, create=False)) as store:
        rows = alerts.history(store, limit)
    if as_json:
        print_json([{**asdict(row), "created_at": row.created_at.isoformat()} for row in rows])
        return
    if not rows:
        emit("no rule has been checked yet")
        return
    table = new_table("when (UTC)", "rule", "was", "state", "found")
    for row in rows:
        add_row(table, f"{row.created_at:%Y-%m-%d %H:%M}", row.rule, row.was or "new", row.state, row.told)
    show(table)
