"""Agreement and the guarantee, from labels in a store."""

from __future__ import annotations

import pytest

from evalcore.errors import InputError
from evalcore.result import Verdict
from evalcore.stats.kappa import agreement
from tests.workflows.desk import fill, people
from workflows import claims
from workflows.agreement import GATE, GOLD, agreement_report
from workflows.calibrate import guarantee
from workflows.labels import save_label
from workflows.review import QueueFilter
from workflows.store import Store

AUDIT = QueueFilter(decision=None, order="random")


def _say(store: Store, item: int, who: int, verdict: str) -> None:
    save_label(store, result_id=item, reviewer_id=who, verdict=verdict)  # type: ignore[arg-type]


def _audit(store: Store, who: int, n: int, wrong: set[int]) -> None:
    for _ in range(n):
        claim = claims.claim_next(store, who, AUDIT, picked="audit", resume=False)
        assert claim is not None
        verdict = "reject" if claim.result_id in wrong else "accept"
        save_label(
            store, result_id=claim.result_id, reviewer_id=who, verdict=verdict,  # type: ignore[arg-type]
            token=claim.token, seen=claim.seen,
        )  # fmt: skip


def test_reviewers_are_compared_on_what_both_judged(store: Store) -> None:
    items = fill(store, 8)
    ada, bea = people(store, "Ada", "Bea")
    claims.change_settings(store, ada, labels_required=2)
    mine = ["accept", "accept", "reject", "reject", "accept", "unsure", "reject"]
    theirs = ["accept", "reject", "reject", "reject", "accept", "accept", "accept"]
    for item, one, two in zip(items, mine, theirs, strict=False):
        _say(store, item, ada, one)
        _say(store, item, bea, two)
    report = agreement_report(store, repeats=200)
    pair = next(pair for pair in report.pairs if {pair.first, pair.second} == {"Ada", "Bea"})
    by_hand = agreement([v for v, w in zip(mine, theirs, strict=True) if v != "unsure"],
                        [w for v, w in zip(mine, theirs, strict=True) if v != "unsure"])  # fmt: skip

    assert pair.agreement.n == 6
    assert pair.agreement.left_out == {"not rated by the first": 1}
    assert pair.agreement.observed == pytest.approx(by_hand.observed)
    assert pair.kappa.value == pytest.approx(by_hand.kappa.value)
    # All seven come from one document: nothing to draw an interval from.
    assert pair.kappa.low is None
    assert "1 documents are too few" in pair.kappa.reason
    assert report.n_items == 7
    assert report.reviewers.n == 6


def test_the_gate_is_a_rater_and_gold_is_held_against_it(store: Store) -> None:
    accepted = fill(store, 4, verdict=Verdict.ACCEPT, prefix="a")
    doubted = fill(store, 4, verdict=Verdict.REVIEW, prefix="r")
    (ada,) = people(store, "Ada")
    for item in accepted:
        _say(store, item, ada, "accept")
    for item in doubted:
        _say(store, item, ada, "reject")
    pairs = {(pair.first, pair.second): pair for pair in agreement_report(store, repeats=50).pairs}

    assert pairs[("Ada", GATE)].kappa.value == 1.0
    assert pairs[(GOLD, GATE)].agreement.n == 8


def test_no_labels_give_no_pair(store: Store) -> None:
    fill(store, 2)
    report = agreement_report(store)

    assert report.pairs == ()
    assert report.reviewers.value is None


def test_withdrawn_labels_count_for_nobody(store: Store) -> None:
    from workflows.labels import undo_last

    (item,) = fill(store, 1)
    ada, bea = people(store, "Ada", "Bea")
    claims.change_settings(store, ada, labels_required=2)
    _say(store, item, ada, "accept")
    _say(store, item, bea, "accept")
    undo_last(store, bea)

    assert [(pair.first, pair.second) for pair in agreement_report(store, repeats=50).pairs] == [
        ("Ada", GATE)
    ]


def test_a_fair_audit_earns_a_guarantee_and_ordinary_labels_never_do(store: Store) -> None:
    items = fill(store, 120, verdict=Verdict.ACCEPT)
    (ada,) = people(store, "Ada")
    for item in items[-60:]:
        _say(store, item, ada, "accept")
    assert guarantee(store, alpha=0.1).chosen.n == 0

    fresh = fill(store, 120, verdict=Verdict.ACCEPT, prefix="fresh")
    _audit(store, ada, 80, wrong=set(fresh[:12]))
    found = guarantee(store, alpha=0.1)

    # The audit passes over what Ada had labelled before; what of it stands before the audit's place counts.
    assert 80 < found.chosen.n <= 140
    assert found.chosen.threshold is not None
    assert found.n_answers == 240
    assert found.n_unread == round((found.chosen.coverage or 0) * 240)
    assert found.n_unread > 0


def test_labels_of_the_ordinary_queue_do_not_bend_the_sample(store: Store) -> None:
    items = fill(store, 200, verdict=Verdict.ACCEPT)
    (ada,) = people(store, "Ada")
    wrong = set(items[::4])
    for item in items[:80]:
        _say(store, item, ada, "reject" if item in wrong else "accept")
    _audit(store, ada, 60, wrong=wrong)
    found = guarantee(store, alpha=0.5).chosen
    share = found.n / 200

    # Of the riskiest 80, labelled first, about as many are in the sample as of all.
    assert found.n == pytest.approx(60 / 120 * 200, abs=25)
    assert 0.3 < share < 0.7


def test_disputed_audits_count_as_wrong_and_pending_ones_not_at_all(store: Store) -> None:
    items = fill(store, 6, verdict=Verdict.ACCEPT)
    ada, bea = people(store, "Ada", "Bea")
    claims.change_settings(store, ada, labels_required=2)
    _audit(store, ada, 6, wrong=set())
    assert (guarantee(store, alpha=0.1).chosen.n, guarantee(store, alpha=0.1).n_pending) == (0, 6)

    _audit(store, bea, 3, wrong=set(items))
    found = guarantee(store, alpha=0.1)
    assert (found.chosen.n, found.n_disputed, found.n_pending) == (3, 3, 3)


def test_another_gate_earns_its_own_and_no_run_is_said(store: Store) -> None:
    with pytest.raises(InputError, match="no run yet"):
        guarantee(store, alpha=0.1)
    fill(store, 3)
    with pytest.raises(InputError, match=r"no run of this gate.*feedface"):
        guarantee(store, alpha=0.1, fingerprint="feedface")


def test_audit_items_hide_the_marks_whatever_the_queue_shows(store: Store) -> None:
    fill(store, 2)
    (ada,) = people(store, "Ada")
    claims.change_settings(store, ada, blind=False, show_marks=True)
    claim = claims.claim_next(store, ada, AUDIT, picked="audit")

    assert claim is not None
    assert claim.seen == "blind"
