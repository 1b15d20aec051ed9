"""Do reviewers agree, with each other, with gold and with the gate."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from db.engine import Store
from db.repositories.gold import Golds
from db.repositories.trust import Trust
from evalcore.stats.bootstrap import kappa_over_documents
from evalcore.stats.kappa import Agreement, agreement_of
from evalcore.stats.pairs import Pairs
from evalcore.stats.several_raters import krippendorff_alpha
from evalcore.stats.values import Estimate

__all__ = [
    "GATE",
    "GOLD",
    "Agreement",
    "AgreementReport",
    "Estimate",
    "PairAgreement",
    "Words",
    "agreement_report",
    "mark",
    "paired",
    "words",
]

GATE = "the gate"
GOLD = "gold"
AS_VERDICT = {"ACCEPT": "accept", "REVIEW": "reject", "REJECT": "reject"}
VERDICTS = ("reject", "accept", "unsure")
UNSURE = VERDICTS.index("unsure")
Ints: TypeAlias = NDArray[np.int64]


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


@dataclass(frozen=True)
class Rater:
    """A rater's words: ``items`` are result ids in rising order, ``verdicts`` places in ``VERDICTS``."""

    items: Ints
    verdicts: Ints

    def with_(self, other: Rater) -> tuple[Ints, Ints, Ints]:
        """The results both rated, and what each said of them."""
        if not len(self.items) or not len(other.items):
            return self.items[:0], self.verdicts[:0], other.verdicts[:0]
        places = np.minimum(np.searchsorted(other.items, self.items), len(other.items) - 1)
        mine = np.flatnonzero(other.items[places] == self.items)
        return self.items[mine], self.verdicts[mine], other.verdicts[places[mine]]


@dataclass(frozen=True)
class Words:
    """What every rater said of every labelled answer; ``documents`` are numbers of what it was answered from,
    in the order of ``items``, which rise."""

    people: dict[str, Rater]
    gate: Rater
    gold: Rater
    items: Ints
    documents: Ints

    def of(self, name: str) -> Rater:
        """A reviewer, the gate or gold; nothing for a stranger."""
        if name in (GATE, GOLD):
            return self.gate if name == GATE else self.gold
        return self.people.get(name, _NOBODY)


def words(store: Store) -> Words:
    """Read all labels that stand. The gate's REVIEW and REJECT count as reject."""
    with store.read() as session:
        read = Trust(session)
        said, decided, gold = read.said(), read.decided(), Golds(session).verdicts()
    place = {name: index for index, name in enumerate(VERDICTS)}
    given: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for result_id, reviewer, verdict in said:
        items, verdicts = given[reviewer]
        items.append(result_id)
        verdicts.append(place[verdict])
    people = {name: Rater(_ints(items), _ints(verdicts)) for name, (items, verdicts) in given.items()}
    rated = np.zeros(decided[-1][0] + 1 if decided else 0, dtype=bool)
    for rater in people.values():
        rated[rater.items] = True
    numbers: dict[str, int] = {}
    kept = [
        (item, place[AS_VERDICT[decision]], numbers.setdefault(document, len(numbers)))
        for item, decision, document in decided
        if rated[item]
    ]
    by_item = np.array(kept, dtype=np.int64).reshape(-1, 3)
    judged = sorted(gold)
    return Words(
        people=people,
        gate=Rater(by_item[:, 0], by_item[:, 1]),
        gold=Rater(_ints(judged), _ints(place[gold[item]] for item in judged)),
        items=by_item[:, 0],
        documents=by_item[:, 2],
    )


def mark(store: Store) -> tuple[int, int]:
    """Changes whenever there is a new label or settlement."""
    with store.read() as session:
        return Trust(session).mark()


def agreement_report(store: Store, *, repeats: int = 2000) -> AgreementReport:
    """Agreement of all raters by their labels that stand."""
    every = words(store)
    people = sorted(every.people)
    named = [*combinations(people, 2), *((name, GATE) for name in people)]
    if len(every.gold.items):
        named.append((GOLD, GATE))
    found = (_pair(every, first, second, repeats) for first, second in named)
    return AgreementReport(
        pairs=tuple(pair for pair in found if pair is not None),
        reviewers=_together(every, repeats),
        n_items=len(every.items),
    )


def paired(every: Words, first: str, second: str) -> tuple[Pairs, Ints]:
    """Two raters' words on what both decided, and the results; unsure is left out and counted."""
    one, two = every.of(first), every.of(second)
    shared, mine, theirs = one.with_(two)
    sure = (mine != UNSURE) & (theirs != UNSURE)
    left_out = Counter(
        {
            "not rated by the first": int(((mine == UNSURE) & (theirs != UNSURE)).sum()),
            "not rated by the second": int(((mine != UNSURE) & (theirs == UNSURE)).sum()),
            "rated by neither": int(((mine == UNSURE) & (theirs == UNSURE)).sum()),
        }
    )
    pairs = Pairs(
        categories=VERDICTS[:UNSURE],
        first=mine[sure],
        second=theirs[sure],
        kept=np.flatnonzero(sure),
        left_out=dict(+left_out),
    )
    return pairs, shared


def _pair(every: Words, first: str, second: str, repeats: int) -> PairAgreement | None:
    pairs, shared = paired(every, first, second)
    if not len(shared):
        return None
    documents = every.documents[np.searchsorted(every.items, shared)]
    return PairAgreement(
        first=first,
        second=second,
        agreement=agreement_of(pairs),
        kappa=kappa_over_documents(pairs, documents.tolist(), repeats=repeats),
    )


def _together(every: Words, repeats: int) -> Estimate:
    """Krippendorff's alpha of all reviewers, over the answers with two labels at least."""
    given: dict[int, list[float | None]] = defaultdict(list)
    counted = Counter(item for rater in every.people.values() for item in rater.items.tolist())
    for rater in every.people.values():
        for item, verdict in zip(rater.items.tolist(), rater.verdicts.tolist(), strict=True):
            if counted[item] > 1:
                given[item].append(None if verdict == UNSURE else float(verdict))
    items = sorted(given)
    documents = every.documents[np.searchsorted(every.items, _ints(items))]
    return krippendorff_alpha([given[item] for item in items], documents=documents.tolist(), repeats=repeats)


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


_NOBODY = Rater(_ints(()), _ints(()))
