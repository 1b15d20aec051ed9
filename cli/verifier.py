"""``proofdesk verifier``: refit the learned part of the gate to a team's labels, list versions, go back."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from cli.terminal import AsJson, Db, add_row, emit, new_table, print_json, show
from evalcore.errors import InputError
from workflows.store import open_store
from workflows.verifier import FitReport, current_version, history, labels_in_file, labels_in_store, refit
from workflows.verifier import revert as take_back

verifier_app = typer.Typer(help="The learned verifier's head: refit it, go back.", no_args_is_help=True)
Folder = Annotated[Path, typer.Option(help="Where the versions lie.")]
_FOLDER = Path("verifier")


@verifier_app.command()
def fit(
    from_labels: Annotated[
        bool, typer.Option("--from-labels", help="Learn from the labels in the database (the default).")
    ] = False,
    data: Annotated[Path | None, typer.Option(help="Learn from a JSONL file of labelled answers.")] = None,
    profile: Annotated[str, typer.Option(help="The profile to start from.")] = "default",
    folder: Folder = _FOLDER,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tell what would come of it; write nothing.")
    ] = False,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Refit the head and its calibration to people's labels; keep it only if it is better.

    Better means: on documents left out of the fit (5-fold), the mean log loss falls, and the whole 95%
    interval of the fall lies above 0. Use what is kept with ``--profile verifier/current.yaml``.
    """
    if data is not None and from_labels:
        raise InputError(
            "labels come from one place", got="--from-labels and --data", cure="give one of them"
        )
    if data is not None:
        labelled = labels_in_file(data)
    else:
        with closing(open_store(db, create=False)) as store:
            labelled = labels_in_store(store)
    report = refit(labelled, profile=profile, folder=folder, dry_run=dry_run)
    if as_json:
        print_json(_as_dict(report))
        return
    found = report.validation
    emit(f"{report.n_answers} answers of {found.n_documents} documents, {report.n_unsupported} unsupported")
    for reason, count in report.left_out.items():
        emit(f"left out: {count} ({reason})")
    interval = f"[{found.gain_low:.4f}, {found.gain_high:.4f}]"
    emit(f"mean log loss falls by {found.gain:.4f} {interval} on documents left out")
    if not report.kept:
        emit("not kept: it is not surely better; more labels would tell")
    elif report.version is None:
        emit("it would be kept; nothing is written in a dry run")
    else:
        emit(f"kept as {report.version}: use --profile {report.profile}")


@verifier_app.command("list")
def list_versions(folder: Folder = _FOLDER, as_json: AsJson = False) -> None:
    """List the versions and which one is in force."""
    entries = history(folder)
    now = current_version(folder)
    if as_json:
        print_json({"current": now, "history": entries})
        return
    table = new_table("at", "", "version", "answers", "gain", "now")
    for entry in entries:
        is_fit = entry["kind"] == "fit"
        gain = f"{entry['gain']:.4f} [{entry['gain_low']:.4f}, {entry['gain_high']:.4f}]" if is_fit else ""
        mark = "in force" if is_fit and entry["version"] == now else ""
        add_row(table, entry["at"], entry["kind"], entry["version"], entry.get("n_answers", ""), gain, mark)
    show(table)


@verifier_app.command()
def revert(folder: Folder = _FOLDER) -> None:
    """Go back to the version before the current one, at last to the profile the first was fitted from."""
    emit(f"in force now: {take_back(folder)}")


def _as_dict(report: FitReport) -> dict[str, object]:
    found = report.validation
    return {
        "n_answers": report.n_answers,
        "n_unsupported": report.n_unsupported,
        "n_documents": found.n_documents,
        "left_out": dict(report.left_out),
        "gain": {"value": found.gain, "low": found.gain_low, "high": found.gain_high},
        "kept": report.kept,
        "version": report.version,
        "profile": None if report.profile is None else str(report.profile),
        "head": report.head.model_dump(),
    }
