"""How much may pass unread: a threshold with a guarantee, from the audit's labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from db.engine import Store
from db.repositories.queue import Cursor, QueueFilter
from db.repositories.runs import Runs
from db.repositories.settings import Settings
from db.repositories.trust import Judged, Trust
from evalcore.errors import InputError
from evalcore.stats.risk_control import AutoAccept, Method, auto_accept

__all__ = ["FairSample", "Guarantee", "Method", "fair_sample", "guarantee"]


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """What can be promised of one gate, by the labels of its audit.

    Attributes
    ----------
    fingerprint, profile, profile_hash : str
        The gate: another profile, encoder or verifier has to earn its own.
    chosen : AutoAccept
    n_answers : int
        All its answers; ``n_unread`` of them pass.
    n_disputed : int
        Audited answers without a gold label, whose reviewers disagree or are unsure: they count as wrong.
    n_pending : int
        Audited answers that wait for more labels: they are left out, whatever the first label says.
    """

    fingerprint: str
    profile: str
    profile_hash: str
    chosen: AutoAccept
    n_answers: int
    n_unread: int
    n_disputed: int
    n_pending: int


@dataclass(frozen=True, kw_only=True)
class FairSample:
    """The audited answers of a gate that have all their labels, and the risks of all its answers."""

    fingerprint: str
    profile: str
    profile_hash: str
    rows: tuple[Judged, ...]
    n_pending: int
    population: list[float]

    @property
    def risks(self) -> list[float]:
        """Of the audited."""
        return [row.risk for row in self.rows]

    @property
    def wrong(self) -> list[bool]:
        """Of the audited: rejected, or disputed and not settled."""
        return [row.verdict != "accept" for row in self.rows]


def guarantee(
    store: Store,
    *,
    alpha: float,
    delta: float = 0.05,
    method: Method = "learn_then_test",
    fingerprint: str | None = None,
) -> Guarantee:
    """The largest threshold of risk that the audit's labels can guarantee.

    Only a fair sample of all answers of the gate counts. The audit hands answers out in an order that has
    nothing to do with them; all that stand in this order up to where it has come are the sample, those too
    that somebody had labelled before for another reason. Other labels of the ordinary queue were picked by
    decision and risk and say nothing fair.

    Parameters
    ----------
    store : Store
    alpha, delta : float
        At most ``alpha`` of what passes is wrong, with confidence ``1 - delta``.
    method : str
    fingerprint : str, optional
        The gate; that of the latest run if left out.

    Raises
    ------
    InputError
        When there is no run, or no result of this gate.
    """
    found = fair_sample(store, fingerprint)
    given = [row.inclusion_probability for row in found.rows if row.inclusion_probability is not None]
    chosen = auto_accept(
        found.risks,
        found.wrong,
        found.population,
        alpha=alpha,
        delta=delta,
        probabilities=given or None,
        method=method,
    )
    threshold = chosen.threshold
    return Guarantee(
        fingerprint=found.fingerprint,
        profile=found.profile,
        profile_hash=found.profile_hash,
        chosen=chosen,
        n_answers=len(found.population),
        n_unread=0 if threshold is None else sum(risk <= threshold for risk in found.population),
        n_disputed=sum(row.verdict is None for row in found.rows),
        n_pending=found.n_pending,
    )


def fair_sample(store: Store, fingerprint: str | None = None) -> FairSample:
    """The fair sample of a gate, that of the latest run if none is named; see :func:`guarantee`."""
    with store.read() as session:
        runs = Runs(session).latest(1000)
        found = [run for run in runs if fingerprint in (None, run.fingerprint_id)]
        if not found:
            raise InputError(
                "no run of this gate" if fingerprint else "no run yet",
                got=fingerprint,
                cure="evaluate a file first: proofdesk evaluate FILE",
            )
        gate = found[0]
        trust = Trust(session)
        labelled, risks = trust.judged(gate.fingerprint_id), trust.risks(gate.fingerprint_id)
        required = Settings(session).get().labels_required
    if not risks:
        raise InputError("no answers of this gate", got=gate.fingerprint_id)
    everything = _fair_sample(labelled)
    rows = tuple(row for row in everything if row.verdict is not None or row.n_labels >= required)
    return FairSample(
        fingerprint=gate.fingerprint_id,
        profile=gate.profile,
        profile_hash=gate.fingerprint.profile_hash,
        rows=rows,
        n_pending=len(everything) - len(rows),
        population=risks,
    )


def _fair_sample(labelled: Sequence[Judged]) -> list[Judged]:
    """The labelled answers up to where the audit has come; of an uneven audit its own answers alone."""
    drawn = [row for row in labelled if row.in_audit]
    uneven = [row for row in drawn if row.inclusion_probability is not None]
    if uneven and len(uneven) < len(drawn):
        raise InputError(
            "audit labels with and without an inclusion probability",
            got=f"{len(drawn) - len(uneven)} of {len(drawn)} have none",
            cure="keep to one way of drawing the audit",
        )
    if uneven or not drawn:
        return uneven
    last = max(_place(row) for row in drawn)
    return [row for row in labelled if _place(row) <= last]


def _place(row: Judged) -> tuple[object, ...]:
    return QueueFilter(order="random").sort_key(Cursor("2000-01-01", row.risk, row.result_id, row.shuffle))
