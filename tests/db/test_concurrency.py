"""Several processes on one file: all is stored once and none meets a lock (field case STO-05)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from db.engine import Store
from db.repositories.counts import Counts
from db.repositories.labels import Labels
from tests.db.build import make_result, make_sample, store_results

ROOT = Path(__file__).parents[2]
PROCESSES = 4
TRANSACTIONS = 200

# Each transaction reads before it writes, which is what a deferred BEGIN fails at.
WRITER = """
import sys
from db.engine import Store
from db.repositories.labels import Labels, NewLabel
from db.repositories.reviewers import Reviewers
store = Store.open(sys.argv[1])
with store.write() as session:
    me = Reviewers(session).ensure(sys.argv[2])
for number in range(int(sys.argv[3])):
    with store.write() as session:
        labels = Labels(session)
        mine = [label for label in labels.current(1) if label.reviewer_id == me.id]
        labels.add(NewLabel(result_id=1, reviewer_id=me.id, verdict="accept", note=str(number),
                            replaces=mine[0].id if mine else None))
"""

CREATOR = """
import sys
from db.engine import Store
Store.open(sys.argv[1], upgrade=True).close()
"""


def together(programs: list[list[str]]) -> list[str]:
    """Run programs at the same time; what each wrote to stderr."""
    running = [
        subprocess.Popen([sys.executable, "-c", *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True)
        for arguments in programs
    ]
    return [process.communicate(timeout=60)[1] for process in running]


def test_writing_processes_meet_no_lock_and_lose_nothing(store: Store, url: str) -> None:
    sample = make_sample()
    store_results(store, (sample, make_result(sample)))
    programs = [[WRITER, url, f"reviewer {n}", str(TRANSACTIONS)] for n in range(PROCESSES)]
    assert together(programs) == [""] * PROCESSES
    with store.read() as session:
        counts = Labels(session).counts()
        notes = [label.note for label in Labels(session).current(1)]
        assert Counts(session).recount() == ()
    assert (counts.rows, counts.current) == (PROCESSES * TRANSACTIONS, PROCESSES)
    assert notes == [str(TRANSACTIONS - 1)] * PROCESSES


def test_processes_that_make_the_database_together_agree(url: str) -> None:
    assert together([[CREATOR, url] for _ in range(PROCESSES)]) == [""] * PROCESSES
    store = Store.open(url)
    assert dict(store.info().rows)["runs"] == 0
    store.close()
