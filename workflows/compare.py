"""What changed between two runs, item by item."""

from __future__ import annotations

from dataclasses import dataclass

from db.engine import Store
from db.repositories.compare import Comparison, Flip, Pair, PairPage, PairPlace
from db.repositories.runs import RunRow, Runs

__all__ = ["Flip", "Pair", "PairPage", "PairPlace", "RunComparison", "compare_page", "compare_runs"]


@dataclass(frozen=True, kw_only=True)
class RunComparison:
    """Two runs and how many of the items in both went from one decision to another."""

    before: RunRow
    after: RunRow
    flips: tuple[Flip, ...]

    @property
    def n_both(self) -> int:
        """Items that are in both runs, by their own ids."""
        return sum(flip.n for flip in self.flips)

    @property
    def n_flipped(self) -> int:
        """Items that are decided otherwise."""
        return sum(flip.n for flip in self.flips if flip.before != flip.after)


def compare_runs(store: Store, before: int, after: int) -> RunComparison:
    """How two runs differ in numbers.

    Raises
    ------
    StoreError
        When there is no such run.
    """
    with store.read() as session:
        runs = Runs(session)
        flips = Comparison(session, before, after).flips()
        return RunComparison(before=runs.get(before), after=runs.get(after), flips=flips)


def compare_page(
    store: Store, before: int, after: int, *, place: PairPlace | None = None, limit: int = 25
) -> PairPage:
    """Items of two runs in pairs: decisions that flipped first, then the largest change of risk."""
    with store.read() as session:
        return Comparison(session, before, after).page(after=place, limit=limit)
