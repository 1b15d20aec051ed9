"""``proofdesk agreement`` and ``calibrate``: what people's labels say of each other and of the gate."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from cli.terminal import AsJson, Db, add_row, emit, new_table, print_json, show
from evalcore.errors import InputError
from workflows.agreement import PairAgreement, agreement_report
from workflows.calibrate import Method, guarantee
from workflows.guarantees import GuaranteeStatus, guarantee_status, write_profile
from workflows.store import open_store

EXIT_NOT_ENOUGH = 3


def agreement(db: Db = None, as_json: AsJson = False) -> None:
    """Do reviewers agree, with each other, with gold and with the gate.

    Exit codes: 0 done, 2 bad input, 3 no pair of raters has enough labels for a kappa.
    """
    with closing(open_store(db, create=False)) as store:
        report = agreement_report(store)
    if as_json:
        print_json(asdict(report))
    else:
        table = new_table("rater", "rater", "items", "agree", "kappa", "95% interval", "AC1", "Landis-Koch")
        for pair in report.pairs:
            _add(table, pair)
        show(table)
        alpha = report.reviewers
        if alpha.value is None:
            emit(f"Krippendorff's alpha of all reviewers: undefined: {alpha.reason}")
        else:
            interval = "" if alpha.low is None else f" [{alpha.low:.3f}, {alpha.high:.3f}]"
            emit(f"Krippendorff's alpha of all reviewers: {alpha.value:.3f}{interval}, {alpha.n} items")
        emit("The gate's REVIEW counts as reject. Unsure is left out. The bounds of the words are arbitrary.")
    if not any(pair.kappa.is_defined for pair in report.pairs):
        raise typer.Exit(EXIT_NOT_ENOUGH)


def calibrate(
    alpha: Annotated[
        float, typer.Option(help="At most this share of what passes unread may be wrong.")
    ] = 0.10,
    delta: Annotated[float, typer.Option(help="With confidence 1 - delta.")] = 0.05,
    method: Annotated[
        str, typer.Option(help="learn_then_test, or conformal (on average).")
    ] = "learn_then_test",
    fingerprint: Annotated[
        str | None, typer.Option(help="The gate; that of the latest run if left out.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option(help="Write a new profile that accepts exactly what is guaranteed.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="With --write: the gate's profile, where it is a file of your own.")
    ] = None,
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """How much may pass unread, by the audit's labels (queue order "Audit").

    Exit codes: 0 a threshold is guaranteed, 2 bad input, 3 not with these labels.
    """
    known: dict[str, Method] = {"learn_then_test": "learn_then_test", "conformal": "conformal"}
    if method not in known:
        raise InputError("no such method", where="--method", got=method, expected=", ".join(known))
    with closing(open_store(db, create=False)) as store:
        found = guarantee(store, alpha=alpha, delta=delta, method=known[method], fingerprint=fingerprint)
        status = guarantee_status(store, found.fingerprint)
        written = write is not None and found.chosen.threshold is not None
        if write is not None and written:
            write_profile(store, found, write, base=profile)
    chosen = found.chosen
    if as_json:
        print_json({**asdict(found), "status": asdict(status), "written": str(write) if written else None})
    else:
        emit(f"profile {found.profile}, fingerprint {found.fingerprint}, {found.n_answers:,} answers")
        emit(
            f"audited answers: {chosen.n}, of which disputed and counted as wrong: {found.n_disputed}; "
            f"{found.n_pending} more wait for a label"
        )
        if chosen.threshold is None:
            emit(f"no threshold: {chosen.reason}")
        else:
            emit(f"answers with risk up to {chosen.threshold:.4f} may pass unread")
            emit(
                f"at most {alpha:.0%} of them are wrong, with {1 - delta:.0%} confidence; "
                f"{chosen.n_wrong} of {chosen.n_passed} audited ones are"
            )
            emit(f"readings saved: {found.n_unread:,} of {found.n_answers:,} ({chosen.coverage:.1%})")
        _emit_status(status)
        if written:
            emit(f"wrote {write}: proofdesk evaluate FILE --profile {write}")
        emit("Another profile, encoder or verifier has to earn its own guarantee.")
    if chosen.threshold is None:
        raise typer.Exit(EXIT_NOT_ENOUGH)


def _emit_status(status: GuaranteeStatus) -> None:
    row = status.row
    if row is None:
        return
    told = f"guarantee of {row.created_at:%Y-%m-%d} (at most {row.alpha:.0%}, risk up to {row.threshold:.4f})"
    if status.state == "ended":
        emit(f"{told}: ended, it was earned by profile {row.profile}, fingerprint {row.fingerprint_id}")
        return
    since = f"; {status.n_wrong} of {status.n_audited} audited since are wrong"
    broken = f"broken since {status.since:%Y-%m-%d}" if status.since else "holds"
    emit(f"{told}: {broken}{since}")


def _add(table: Table, pair: PairAgreement) -> None:
    found, kappa = pair.agreement, pair.kappa
    observed = "-" if found.observed is None else f"{found.observed:.1%}"
    value = "undefined" if kappa.value is None else f"{kappa.value:.3f}"
    interval = kappa.reason if kappa.low is None else f"[{kappa.low:.3f}, {kappa.high:.3f}]"
    ac1 = "-" if found.ac1.value is None else f"{found.ac1.value:.3f}"
    left = sum(found.left_out.values())
    items = f"{found.n}" + (f" (+{left} unsure)" if left else "")
    add_row(table, pair.first, pair.second, items, observed, value, interval, ac1, found.word or "-")
