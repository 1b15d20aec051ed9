"""``proofdesk agreement`` and ``proofdesk calibrate``."""

from __future__ import annotations

from pathlib import Path

from evalcore.result import Verdict
from tests.cli.program import proofdesk
from tests.workflows.desk import fill, people
from tests.workflows.test_trust import AUDIT
from workflows import claims
from workflows.labels import save_label
from workflows.store import open_store


def _labelled(path: Path, n: int) -> None:
    store = open_store(f"sqlite:///{path}")
    fill(store, 150, verdict=Verdict.ACCEPT)
    ada, bea = people(store, "Ada", "Bea")
    for number in range(n):
        claim = claims.claim_next(store, ada, AUDIT, picked="audit", resume=False)
        assert claim is not None
        save_label(store, result_id=claim.result_id, reviewer_id=ada, verdict="accept", token=claim.token)
        if number < 10:
            verdict = "reject" if number < 4 else "accept"
            save_label(store, result_id=claim.result_id, reviewer_id=bea, verdict=verdict)  # type: ignore[arg-type]
    store.close()


def test_a_guarantee_is_printed_with_what_it_saves(tmp_path: Path) -> None:
    _labelled(tmp_path / "a.db", 100)
    told = proofdesk("calibrate", "--alpha", "0.2", "--db", tmp_path / "a.db")

    assert told.code == 0, told.err
    assert "may pass unread" in told.out
    assert "with 95% confidence" in told.out
    document = proofdesk("calibrate", "--alpha", "0.2", "--db", tmp_path / "a.db", "--json").document
    assert document["chosen"]["n"] == 100
    assert document["n_disputed"] == 4
    assert document["n_unread"] > 0


def test_too_few_labels_end_with_three_and_say_how_many_more(tmp_path: Path) -> None:
    _labelled(tmp_path / "a.db", 8)
    told = proofdesk("calibrate", "--db", tmp_path / "a.db")

    assert told.code == 3
    assert "no threshold: not reachable" in told.out


def test_agreement_is_printed_with_its_items(tmp_path: Path) -> None:
    _labelled(tmp_path / "a.db", 20)
    told = proofdesk("agreement", "--db", tmp_path / "a.db")

    assert told.code == 0, told.err
    assert "Ada" in told.out
    assert "60.0%" in told.out
    assert "Krippendorff's alpha" in told.out


def test_bad_wishes_are_refused(tmp_path: Path) -> None:
    _labelled(tmp_path / "a.db", 1)

    assert "alpha lies between" in proofdesk("calibrate", "--alpha", "2", "--db", tmp_path / "a.db").err
    assert "no such method" in proofdesk("calibrate", "--method", "hope", "--db", tmp_path / "a.db").err
    assert proofdesk("agreement", "--db", tmp_path / "none.db").code == 2


def test_a_guarantee_is_written_as_a_profile(tmp_path: Path) -> None:
    _labelled(tmp_path / "a.db", 100)
    told = proofdesk("calibrate", "--alpha", "0.2", "--write", tmp_path / "p.yaml", "--db", tmp_path / "a.db")
    # These results were never scored by a shipped profile, so none can be written for them.
    assert told.code == 2
    assert "not the profile of the gate" in told.err
    assert not (tmp_path / "p.yaml").exists()
