"""Guarantees: written into a profile, kept, and tested on every audit label since."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.config import load_profile
from evalcore.errors import ConfigError, InputError, RoleError
from evalcore.evaluator import Evaluator
from evalcore.result import Verdict
from seed_data import load_samples
from tests.demo_database import copied
from tests.workflows.desk import fill, people
from tests.workflows.test_trust import AUDIT, _audit
from workflows import claims, review
from workflows.calibrate import guarantee
from workflows.guarantees import guarantee_status, guaranteed_rules, keep, write_profile
from workflows.labels import save_label
from workflows.store import Store, open_store


@pytest.fixture
def demo(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The demo, 100 of whose answers are audited: right where the gate's risk is low."""
    store = open_store(copied(tmp_path_factory.getbasetemp(), tmp_path / "demo.db"))
    ada = review.sign_in(store, "Ada").id
    for _ in range(100):
        claim = claims.claim_next(store, ada, AUDIT, picked="audit", resume=False)
        if claim is None:
            break
        risk = review.item(store, claim.result_id).risk
        verdict = "accept" if risk < 0.9 else "reject"
        save_label(
            store, result_id=claim.result_id, reviewer_id=ada, verdict=verdict,  # type: ignore[arg-type]
            token=claim.token, seen=claim.seen,
        )  # fmt: skip
    yield store
    store.close()


def test_a_written_profile_accepts_exactly_what_is_guaranteed(demo: Store, tmp_path: Path) -> None:
    found = guarantee(demo, alpha=0.3)
    threshold = found.chosen.threshold
    assert threshold is not None
    path = tmp_path / "support.yaml"
    row = write_profile(demo, found, path)
    profile = load_profile(path)
    assert profile.config.guarantee is not None
    assert profile.config.guarantee.fingerprint == found.fingerprint
    assert profile.config.guarantee.labels == found.chosen.n
    assert row.written_hash == profile.hash

    samples = [seed.sample for seed in load_samples()]
    results = list(Evaluator(profile).evaluate_many(samples))
    accepted = [result.decision.verdict is Verdict.ACCEPT for result in results]
    special = ("empty_query", "unknown_script")
    risks = [result.score("risk").value for result in results]
    under = [
        risk is not None and risk <= threshold and not any(state in result.states for state in special)
        for risk, result in zip(risks, results, strict=True)
    ]
    assert accepted == under
    assert 0 < sum(accepted) < len(samples)
    before = {result.sample_id: result for result in Evaluator.from_profile("default").evaluate_many(samples)}
    assert all(before[r.sample_id].scores == r.scores for r in results)
    rejected = {r.sample_id for r in results if r.decision.verdict is Verdict.REJECT}
    assert rejected == {i for i, r in before.items() if r.decision.verdict is Verdict.REJECT}


def test_the_written_profile_carries_the_guarantee_and_another_gate_does_not(
    demo: Store, tmp_path: Path
) -> None:
    found = guarantee(demo, alpha=0.3)
    assert guarantee_status(demo, found.fingerprint).state == "none"
    write_profile(demo, found, tmp_path / "support.yaml")
    assert guarantee_status(demo, found.fingerprint).state == "holds"

    from workflows.evaluate import RunOptions, evaluate_file

    file = tmp_path / "one.jsonl"
    file.write_text(
        '{"question": "How long?", "contexts": ["It is 5 m."], "answer": "It is 5 m."}\n', "utf-8"
    )
    for name, state in ((tmp_path / "support.yaml", "holds"), ("classic", "ended")):
        evaluate_file(demo, Evaluator.from_profile(name), file, RunOptions(name=str(name)))
        fingerprint = review.runs(demo)[0].fingerprint_id
        assert fingerprint != found.fingerprint
        assert guarantee_status(demo, fingerprint).state == state


def test_a_profile_is_never_overwritten_nor_written_for_another_gate(demo: Store, tmp_path: Path) -> None:
    found = guarantee(demo, alpha=0.3)
    path = tmp_path / "support.yaml"
    write_profile(demo, found, path)
    text = path.read_text("utf-8")
    with pytest.raises(ConfigError, match="never changed in place"):
        write_profile(demo, found, path)
    with pytest.raises(ConfigError, match="not the profile of the gate"):
        write_profile(demo, found, tmp_path / "other.yaml", base="classic")
    with pytest.raises(ConfigError, match=r"a \.yaml file"):
        write_profile(demo, found, tmp_path / "other.txt")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_profile(demo, found, tmp_path / "none" / "other.yaml")
    assert path.read_text("utf-8") == text
    assert not (tmp_path / "other.yaml").exists()

    own = tmp_path / "own.yaml"
    shutil.copy(path, own)
    assert load_profile(own).hash != load_profile("default").hash


def test_without_a_threshold_nothing_is_written_or_kept(store: Store, tmp_path: Path) -> None:
    fill(store, 30, verdict=Verdict.ACCEPT)
    (ada,) = people(store, "Ada")
    _audit(store, ada, 5, wrong=set())
    found = guarantee(store, alpha=0.1)
    with pytest.raises(InputError, match="nothing is guaranteed"):
        write_profile(store, found, tmp_path / "p.yaml")
    with pytest.raises(InputError, match="nothing is guaranteed"):
        keep(store, found)
    assert not list(tmp_path.glob("p.yaml"))
    assert guarantee_status(store, found.fingerprint).state == "none"


def test_only_a_lead_keeps_one(store: Store) -> None:
    fill(store, 120, verdict=Verdict.ACCEPT)
    ada, bea = people(store, "Ada", "Bea")
    _audit(store, ada, 110, wrong=set())
    found = guarantee(store, alpha=0.1)
    with pytest.raises(RoleError):
        keep(store, found, by=bea)
    assert keep(store, found, by=ada).reviewer_id == ada


def test_an_audit_of_wrong_answers_breaks_it_and_says_since_when(store: Store) -> None:
    fill(store, 120, verdict=Verdict.ACCEPT)
    (ada,) = people(store, "Ada")
    _audit(store, ada, 100, wrong=set())
    found = guarantee(store, alpha=0.1)
    keep(store, found)
    status = guarantee_status(store, found.fingerprint)
    assert (status.state, status.n_audited, status.evidence) == ("holds", 0, 1.0)

    fresh = fill(store, 60, verdict=Verdict.ACCEPT, prefix="fresh")
    _audit(store, ada, 30, wrong=set())
    assert guarantee_status(store, found.fingerprint).state == "holds"
    later = fill(store, 60, verdict=Verdict.ACCEPT, prefix="later")
    _audit(store, ada, 60, wrong={*fresh, *later})
    status = guarantee_status(store, found.fingerprint)
    assert status.state == "broken"
    assert status.since is not None
    assert status.evidence >= 1 / 0.05

    # It is earned anew from all labels there are, or not at all.
    again = guarantee(store, alpha=0.1)
    assert again.chosen.n > found.chosen.n


def test_rules_of_a_profile_without_a_verifier_hang_on_the_final_score() -> None:
    rules = [
        {"id": "bad", "when": {"final": "< 0.2"}, "decision": "REJECT"},
        {"id": "ok", "decision": "ACCEPT", "next_action": "serve_response"},
    ]
    made = guaranteed_rules(rules, 0.25, has_risk=False)
    assert [(rule["id"], rule["decision"]) for rule in made] == [
        ("guaranteed", "ACCEPT"), ("bad", "REJECT"), ("not-guaranteed", "REVIEW"),
    ]  # fmt: skip
    assert made[0]["when"] == {"final": ">= 0.7500"}
    assert rules[1]["decision"] == "ACCEPT"


def test_audit_items_come_between_the_others_at_the_leads_rate(store: Store) -> None:
    fill(store, 20, verdict=Verdict.REVIEW)
    accepted = set(fill(store, 20, verdict=Verdict.ACCEPT, prefix="a"))
    (ada,) = people(store, "Ada")
    claims.change_settings(store, ada, audit_share=0.25)
    draws = iter([0.1, 0.3, 0.9, 0.24] * 4)

    def take() -> claims.Claim:
        claim = claims.claim_next(store, ada, mixed=True, draw=lambda: next(draws), resume=False)
        assert claim is not None
        save_label(store, result_id=claim.result_id, reviewer_id=ada, verdict="accept", token=claim.token)
        return claim

    taken = [take() for _ in range(12)]
    assert [claim.picked for claim in taken] == ["audit", "priority", "priority", "audit"] * 3
    assert all(claim.seen == "blind" for claim in taken if claim.picked == "audit")
    assert all(claim.result_id not in accepted for claim in taken if claim.picked == "priority")
    assert any(claim.result_id in accepted for claim in taken if claim.picked == "audit")
    # They are what the audit's own order hands out, so the sample stays fair.
    assert guarantee(store, alpha=0.5).chosen.n >= 6
    assert claims.claim_next(store, ada, resume=False).picked == "priority"  # type: ignore[union-attr]
