"""``proofdesk evaluate``: files of answers through the gate into the store."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn

from cli.terminal import (
    EXIT_BAD_INPUT,
    EXIT_INTERRUPTED,
    EXIT_SOME_FAILED,
    AsJson,
    Db,
    add_row,
    emit,
    new_table,
    print_json,
    say,
    show,
    visible,
)
from evalcore.errors import InputError, ProofdeskError
from workflows.evaluate import FileReport, Interrupted, RunOptions, evaluate_file, make_evaluator
from workflows.evaluate import Progress as Advance
from workflows.ingest import FieldMapping, Piece, ReadOptions, Source
from workflows.store import open_store


def evaluate(
    files: Annotated[list[str], typer.Argument(help="JSONL, CSV, TSV or Parquet; '-' is JSONL on stdin.")],
    profile: Annotated[str, typer.Option(help="A shipped profile's name or a profile file.")] = "default",
    db: Db = None,
    run: Annotated[str | None, typer.Option("--run", help="Name of the run; else the file's name.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write each row's result here, as JSONL.")] = None,
    system: Annotated[str, typer.Option(help="The system that answered.")] = "",
    prompt_version: Annotated[str, typer.Option(help="Version of its prompt.")] = "",
    model: Annotated[str | None, typer.Option(help="Its language model.")] = None,
    query_field: Annotated[str | None, typer.Option(help="Column of the question.")] = None,
    contexts_field: Annotated[str | None, typer.Option(help="Column of the passages.")] = None,
    response_field: Annotated[str | None, typer.Option(help="Column of the answer.")] = None,
    id_field: Annotated[str | None, typer.Option(help="Column of the id.")] = None,
    contexts_separator: Annotated[
        str | None, typer.Option(help="What parts passages in one cell, such as DeepEval's bar.")
    ] = None,
    without_contexts: Annotated[
        bool, typer.Option("--without-contexts", help="The table has no passages.")
    ] = False,
    encoding: Annotated[str | None, typer.Option(help="Encoding of a CSV that is not UTF-8.")] = None,
    on_conflict: Annotated[
        Literal["refuse", "first", "suffix"],
        typer.Option(help="A row whose id an earlier one has with other content: error, left out, renamed."),
    ] = "refuse",
    as_json: AsJson = False,
) -> None:
    """Score answers from files and store them.

    Exit codes: 0 done, 1 some rows failed (each listed, the rest stored), 2 bad usage or unreadable input,
    130 stopped by Ctrl-C (whole results only are stored; the same command finishes the rest).
    """
    mapping = None
    named = (query_field, contexts_field, response_field, id_field, contexts_separator)
    if without_contexts or any(name is not None for name in named):
        mapping = FieldMapping(
            query=query_field,
            contexts=contexts_field,
            response=response_field,
            id=id_field,
            contexts_separator=contexts_separator,
            without_contexts=without_contexts,
        )
    options = RunOptions(
        name=run,
        system=system,
        prompt_version=prompt_version,
        model=model,
        read=ReadOptions(mapping=mapping, encoding=encoding, on_conflict=on_conflict),
    )
    _keep_inputs(out, files)
    evaluator = make_evaluator(profile)
    reports: list[FileReport] = []
    unreadable: list[str] = []
    with closing(open_store(db)) as store, _writing(out) as lines, _progress() as advance:
        for file in files:
            try:
                report = evaluate_file(store, evaluator, file, options, out=lines, progress=advance)
            except KeyboardInterrupt as stopped:
                n = stopped.n_stored if isinstance(stopped, Interrupted) else 0
                say(f"stopped in {file}: {n:,} of its answers are stored; the same command finishes it")
                raise typer.Exit(EXIT_INTERRUPTED) from None
            except ProofdeskError as error:
                if len(files) == 1:
                    raise
                unreadable.append(f"{file}: {error}")
                continue
            reports.append(report)
            for kind in ("error", "repeat", "note"):
                for message in report.messages[kind]:
                    say(message)
            hidden = report.n_failed - len(report.messages["error"])
            if hidden > 0:
                say(f"{report.file}: {hidden:,} more rows failed")
    for problem in unreadable:
        say(f"proofdesk: {problem}")
    if as_json:
        print_json({"runs": [report.to_dict() for report in reports], "unreadable": unreadable})
    else:
        for report in reports:
            _print_report(report)
    if unreadable:
        raise typer.Exit(EXIT_BAD_INPUT)
    if any(report.n_failed for report in reports):
        raise typer.Exit(EXIT_SOME_FAILED)


def _print_report(report: FileReport) -> None:
    """The summary of one file: what became of its rows, decisions, failure types, speed."""
    speed = f", {report.rate:.1f} answers/s" if report.rate is not None else ""
    emit(f"{report.file}: run {report.run!r}")
    emit(f"profile {report.profile}, fingerprint {report.fingerprint}")
    emit(
        f"{report.n_rows:,} rows: {report.n_new:,} scored now, {report.n_existing:,} stored before, "
        f"{report.n_repeats:,} repeats, {report.n_failed:,} failed; {report.seconds:.1f} s{speed}"
    )
    decisions = new_table("decision", "answers", "share")
    total = report.decisions.total()
    for name in ("ACCEPT", "REVIEW", "REJECT"):
        count = report.decisions[name]
        add_row(decisions, name, f"{count:,}", f"{count / total:.1%}" if total else "-")
    show(decisions)
    types = new_table("failure type", "answers")
    for name, count in report.failure_types.most_common():
        add_row(types, name, f"{count:,}")
    show(types)
    for warning, count in report.warnings.most_common():
        emit(f"warning, {count:,} answers: {warning}")


def _keep_inputs(out: Path | None, files: Sequence[str]) -> None:
    """Refuse to write the results over the answers they are made of."""
    if out is not None and out.resolve() in {Path(file).resolve() for file in files}:
        raise InputError(
            "the output file is one of the inputs", where="--out", got=str(out), cure="name another"
        )


@contextmanager
def _writing(path: Path | None) -> Iterator[IO[str] | None]:
    """A text file that takes its place only when all of it is written.

    What is no ordinary file, such as a pipe or ``/dev/null``, is written to as it stands.
    """
    if path is None:
        yield None
        return
    place = path.resolve()
    ordinary = place.is_file() or not place.exists()
    partial = place.with_name(f"{place.name}.{os.getpid()}.part") if ordinary else place
    opened = False
    try:
        with partial.open("w", encoding="utf-8") as lines:
            opened = True
            yield lines
        if ordinary:
            partial.replace(place)
    except OSError as error:
        raise ProofdeskError(
            "the output file cannot be written",
            where=str(path),
            got=error.strerror,
            cure="check the path, its rights and the disk's room",
        ) from error
    finally:
        if opened and ordinary:
            partial.unlink(missing_ok=True)


@contextmanager
def _progress() -> Iterator[Advance]:
    """A bar with rate and time left on stderr; silence where stderr is not a terminal."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def advance(report: FileReport, source: Source, piece: Piece) -> None:
            if source.name not in tasks:
                total = source.total_rows_hint or source.size_bytes
                tasks[source.name] = bar.add_task(visible(Path(source.name).name), total=total, rate="")
            done = report.n_rows if source.total_rows_hint else piece.position
            rate = f"{report.n_rows:,} rows, {report.n_rows / report.seconds:.1f} a second"
            bar.update(tasks[source.name], completed=done, rate=rate)

        yield advance
