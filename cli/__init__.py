"""The terminal's way in: parse, call one workflow, print."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

import typer

from cli import admin, alerts, baseline, results, reviewers, trust, verifier
from cli.evaluate import evaluate
from cli.gate import gate
from cli.terminal import EXIT_BAD_INPUT, say
from evalcore.errors import InputError, ProofdeskError

app = typer.Typer(
    name="proofdesk",
    help="A gate and review console for answers written by language models.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command()(evaluate)
app.add_typer(results.results_app, name="results")
app.command()(results.label)
app.add_typer(admin.db_app, name="db")
app.add_typer(admin.profiles_app, name="profiles")
app.add_typer(admin.model_app, name="model")
app.add_typer(reviewers.reviewers_app, name="reviewers")
app.command()(trust.agreement)
app.command()(trust.calibrate)
app.add_typer(baseline.baseline_app, name="baseline")
app.command()(gate)
app.add_typer(alerts.alerts_app, name="alerts")
app.add_typer(verifier.verifier_app, name="verifier")
app.command()(admin.demo)
app.command("console")(admin.open_console)


def main() -> None:
    """Run the command line; an error meant for people ends in one line and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal of another encoding gets an escape for what it cannot show.
            stream.reconfigure(errors="backslashreplace")
    try:
        _check_arguments(sys.argv[1:])
        app()
    except (ProofdeskError, OSError) as error:
        say(f"proofdesk: {error}")
        sys.exit(EXIT_BAD_INPUT)


def _check_arguments(arguments: Sequence[str]) -> None:
    """Refuse bytes that are no text: no name of theirs could be stored, and none printed."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(
                "an argument that is not UTF-8", got=ascii(argument), cure="rename the file, or type it again"
            ) from None
