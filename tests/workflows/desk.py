"""A store with ready results and reviewers, for tests of what reviewers do; nothing is scored."""

from __future__ import annotations

from datetime import UTC, datetime

from db.engine import Store
from db.repositories.results import Results
from evalcore.result import Verdict
from tests.db.build import make_result, make_sample, store_results
from workflows.rights import sign_in

NOW = datetime(2025, 6, 3, 9, 0, tzinfo=UTC)


def fill(store: Store, n: int, *, verdict: Verdict = Verdict.REVIEW, prefix: str = "q") -> list[int]:
    """The ids of ``n`` results, the first the riskiest."""
    pairs = []
    for number in range(n):
        sample = make_sample(f"{prefix}-{number}", response=f"Fuse F{number} guards it.")
        final = round(0.1 + 0.8 * number / max(n, 2), 4)
        pairs.append((sample, make_result(sample, final=final, verdict=verdict)))
    store_results(store, *pairs, run=prefix)
    with store.read() as session:
        return [Results(session).find(sample.id)[0].id for sample, _ in pairs]


def people(store: Store, *names: str) -> list[int]:
    """The ids of reviewers; the first is the lead."""
    return [sign_in(store, name).id for name in names]
