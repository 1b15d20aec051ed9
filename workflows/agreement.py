"""Do reviewers agree, with each other, with gold and with the gate."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

from db.engine import Store
from db.repositories.gold import Golds
from db.repositories.trust import Trust
from evalcore.stats.bootstrap import kappa_over_documents
from evalcore.stats.kappa import Agreement, agreement_of
from evalcore.stats.pairs import pair_up
from evalcore.stats.several_raters import krippendorff_alpha
from evalcore.stats.values import Estimate

__all__ = ["GATE", "GOLD", "AgreementReport", "PairAgreement", "agreement_report"]

GATE = "the gate"
GOLD = "gold"
_AS_VERDICT = {"ACCEPT": "accept", "REVIEW": "reject", "REJECT": "reject"}
_ORDER = ("reject", "accept")


@dataclass(frozen=True, kw_only=True)
class PairAgreement:
    """Two raters on the items both judged. ``kappa`` has its interval over resampled documents."""

    first: str
    second: str
    agreement: Agreement
    kappa: Estimate


@dataclass(frozen=True, kw_only=True)
class AgreementReport:
    """Every pair that shares an item, and all reviewers together.

    The gate's ACCEPT counts as accept, its REVIEW and REJECT as reject: what it would not have served. A
    reviewer's unsure is no judgement and left out. ``gold`` is paired with the gate only: reviewers had a
    part in it.
    """

    pairs: tuple[PairAgreement, ...]
    reviewers: Estimate
    n_items: int


def agreement_report(store: Store, *, repeats: int = 2000) -> AgreementReport:
    """Agreement of all raters by their labels that stand."""
    with store.read() as session:
        said = Trust(session).said()
        gold = {row.result_id: row.verdict for row in Golds(session).all()}
    documents = {row.result_id: row.document for row in said}
    words: dict[str, dict[int, str]] = defaultdict(dict)
    for row in said:
        words[row.reviewer][row.result_id] = row.verdict
    people = sorted(words)
    gate = {row.result_id: _AS_VERDICT[row.decision] for row in said}
    found = [(a, b, words[a], words[b]) for a, b in combinations(people, 2)]
    found += [(name, GATE, words[name], gate) for name in people]
    if gold:
        found.append((GOLD, GATE, gold, gate))
    pairs = tuple(
        pair
        for first, second, one, two in found
        if (pair := _pair(first, second, one, two, documents, repeats)) is not None
    )
    units = [[_number(words[name].get(item)) for name in people] for item in sorted(documents)]
    names = [documents[item] for item in sorted(documents)]
    return AgreementReport(
        pairs=pairs,
        reviewers=krippendorff_alpha(units, documents=names, repeats=repeats),
        n_items=len(documents),
    )


def _pair(
    first: str,
    second: str,
    one: dict[int, str],
    two: dict[int, str],
    documents: dict[int, str],
    repeats: int,
) -> PairAgreement | None:
    shared = sorted(one.keys() & two.keys())
    if not shared:
        return None
    pairs = pair_up(
        [one[item] for item in shared], [two[item] for item in shared], order=_ORDER, skipped=("unsure",)
    )
    return PairAgreement(
        first=first,
        second=second,
        agreement=agreement_of(pairs),
        kappa=kappa_over_documents(pairs, [documents[item] for item in shared], repeats=repeats),
    )


def _number(verdict: str | None) -> float | None:
    return None if verdict not in _ORDER else float(_ORDER.index(verdict))
