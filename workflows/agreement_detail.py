"""Agreement looked into: by week, by failure type and system, and the answers two raters differ on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import numpy as np

from db.engine import Store
from db.repositories.trust import Trust
from evalcore.stats.kappa import Agreement, agreement_of
from evalcore.stats.pairs import Pairs
from evalcore.stats.proportions import wilson
from evalcore.stats.values import Estimate, undefined
from workflows.agreement import AS_VERDICT, UNSURE, VERDICTS, paired, words

__all__ = [
    "Group",
    "PairDetail",
    "Week",
    "WeekSeries",
    "by_group",
    "pair_detail",
    "pairs_of_cells",
    "weekly",
]

SHOWN_ITEMS = 200
"""Differing answers that are listed."""


@dataclass(frozen=True, kw_only=True)
class Week:
    """Kappa of a week, which begins on ``start``, a Monday; undefined weeks are there, with the reason."""

    start: date
    kappa: Estimate
    observed: float | None


@dataclass(frozen=True, kw_only=True)
class WeekSeries:
    """Every week from the first with a label to the last: reviewers with the gate, and with each other."""

    gate: tuple[Week, ...]
    reviewers: tuple[Week, ...]


@dataclass(frozen=True, kw_only=True)
class Group:
    """How reviewers and gate agree on one kind of answer.

    ``agree`` is the share of labels that agree, ``wrong_accepts`` the share rejected of those the gate
    accepted, ``false_alarms`` the share accepted of those it did not; each with Wilson's interval.
    """

    name: str
    agreement: Agreement
    agree: Estimate
    wrong_accepts: Estimate
    false_alarms: Estimate


@dataclass(frozen=True, kw_only=True)
class Differing:
    """An answer two raters differ on."""

    result_id: int
    external_id: str
    query: str
    first: str
    second: str


@dataclass(frozen=True, kw_only=True)
class PairDetail:
    """Two raters: their table of counts, and what they differ on, ``n_differing`` in all."""

    first: str
    second: str
    agreement: Agreement
    differing: tuple[Differing, ...]
    n_differing: int


def weekly(store: Store) -> WeekSeries:
    """Kappa by week, each series from one query. Intervals are large-sample ones over labels.

    Of two reviewers the one who was here first counts as the first, all pairs together.
    """
    with store.read() as session:
        trust = Trust(session)
        gate = [(cell.week, cell.verdict, AS_VERDICT[cell.decision], cell.n) for cell in trust.weekly()]
        people = [(cell.week, cell.verdict, cell.decision, cell.n) for cell in trust.weekly_pairs()]
    return WeekSeries(gate=_weeks(gate), reviewers=_weeks(people))


def by_group(store: Store, by: Literal["failure_type", "system"]) -> tuple[Group, ...]:
    """Agreement of reviewers with the gate by its failure type or by system, the largest group first."""
    with store.read() as session:
        cells = Trust(session).grouped(by)
    counts: dict[str, dict[tuple[str, str], int]] = defaultdict(lambda: defaultdict(int))
    for cell in cells:
        counts[cell.name][(cell.verdict, AS_VERDICT[cell.decision])] += cell.n
    groups = []
    for name, table in counts.items():
        found = agreement_of(pairs_of_cells((first, second, n) for (first, second), n in table.items()))
        agree = table[("accept", "accept")] + table[("reject", "reject")]
        groups.append(
            Group(
                name=name,
                agreement=found,
                agree=wilson(agree, found.n),
                wrong_accepts=_share(table[("reject", "accept")], table[("accept", "accept")]),
                false_alarms=_share(table[("accept", "reject")], table[("reject", "reject")]),
            )
        )
    return tuple(sorted(groups, key=lambda group: (-group.agreement.n, group.name)))


def pair_detail(store: Store, first: str, second: str) -> PairDetail | None:
    """Two raters by the names that the report gives them; None where they share nothing."""
    every = words(store)
    pairs, shared = paired(every, first, second)
    if not pairs.n:
        return None
    apart = np.flatnonzero(pairs.first != pairs.second)
    items = shared[pairs.kept[apart]].tolist()
    with store.read() as session:
        named = Trust(session).named(items[:SHOWN_ITEMS])
    return PairDetail(
        first=first,
        second=second,
        agreement=agreement_of(pairs),
        differing=tuple(
            Differing(
                result_id=item,
                external_id=named[item][0],
                query=named[item][1],
                first=VERDICTS[pairs.first[at]],
                second=VERDICTS[pairs.second[at]],
            )
            for item, at in zip(items[:SHOWN_ITEMS], apart.tolist(), strict=False)
        ),
        n_differing=len(items),
    )


def _weeks(cells: Iterable[tuple[date, str, str, int]]) -> tuple[Week, ...]:
    tables: dict[date, list[tuple[str, str, int]]] = defaultdict(list)
    for week, first, second, n in cells:
        tables[week].append((first, second, n))
    if not tables:
        return ()
    week, last, found = min(tables), max(tables), []
    while week <= last:
        table = tables.get(week)
        if table is None:
            found.append(Week(start=week, kappa=undefined("no labels in this week", 0), observed=None))
        else:
            agreement = agreement_of(pairs_of_cells(table))
            found.append(Week(start=week, kappa=agreement.kappa, observed=agreement.observed))
        week += timedelta(days=7)
    return tuple(found)


def pairs_of_cells(cells: Iterable[tuple[str, str, int]]) -> Pairs:
    """Pairs of verdicts from counts of (one rater's, the other's, how often)."""
    place = {name: index for index, name in enumerate(VERDICTS)}
    first: list[int] = []
    second: list[int] = []
    for one, two, n in cells:
        first += [place[one]] * n
        second += [place[two]] * n
    return Pairs(
        categories=VERDICTS[:UNSURE],
        first=np.array(first, dtype=np.int64),
        second=np.array(second, dtype=np.int64),
        kept=np.arange(len(first)),
        left_out={},
    )


def _share(part: int, rest: int) -> Estimate:
    return wilson(part, part + rest)
