"""The load of many reviewers in small: one is killed on the way, and nothing is lost or doubled."""

from __future__ import annotations

from pathlib import Path

from benchmarks.load import Plan, run


def test_reviewers_an_import_and_a_kill_leave_every_promise_kept(tmp_path: Path) -> None:
    plan = Plan(reviewers=3, items=60, imports=200, kill_every=0.0, most_kills=1, longest=120.0)
    outcome = run(plan, tmp_path)
    assert outcome.broken == ()
    assert (outcome.n_labels, outcome.n_imported, outcome.kills) == (60, 200, 1)
