"""Guarantees over time: writing one into a profile, keeping it, and testing it on every audit label since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml

from db.engine import Store
from db.repositories.guarantees import GuaranteeRow, Guarantees
from db.repositories.settings import Settings
from evalcore.config import Profile, load_profile, parse_profile
from evalcore.errors import ConfigError, InputError
from evalcore.profile_file import profile_data
from evalcore.stats.sequential import audit_test
from workflows.calibrate import Guarantee
from workflows.rights import need_lead

__all__ = ["GuaranteeRow", "GuaranteeState", "GuaranteeStatus", "guarantee_status", "keep", "write_profile"]

GuaranteeState: TypeAlias = Literal["none", "holds", "broken", "ended"]

RULE = "guaranteed"
LEFT_TO_READ = "not-guaranteed"
_BEFORE = frozenset(
    {"empty_response", "empty_query", "empty_contexts", "refusal", "lexical_encoder", "unknown_script"}
)
"""States in which the risk is not measured, or on too little: their rules stand before the threshold."""


@dataclass(frozen=True, kw_only=True)
class GuaranteeStatus:
    """Where the guarantee of a gate stands.

    ``none``: there never was one. ``holds``: the audit since speaks not against it. ``broken``: it does,
    since ``since``. ``ended``: there was one, for another gate (``row``); this one has to earn its own.

    Attributes
    ----------
    n_audited, n_wrong : int
        Audited answers under the threshold since, and those of them that were wrong or disputed.
    evidence : float
        Against the guarantee; ``1/delta`` breaks it. 1 at the start.
    history : tuple of GuaranteeRow
        All there were, of every gate, the latest first.
    """

    state: GuaranteeState
    row: GuaranteeRow | None
    since: datetime | None
    n_audited: int
    n_wrong: int
    evidence: float
    history: tuple[GuaranteeRow, ...]


def guarantee_status(store: Store, fingerprint_id: str) -> GuaranteeStatus:
    """Test the latest guarantee of a gate on what was audited since.

    The test may be looked at every day: if the guarantee holds, it is ever called broken with probability
    ``delta`` at most.
    """
    with store.read() as session:
        guarantees = Guarantees(session)
        history, own = guarantees.all(), guarantees.of_gate(fingerprint_id)
        if not own:
            state: GuaranteeState = "ended" if history else "none"
            latest = history[0] if history else None
            return GuaranteeStatus(
                state=state, row=latest, since=None, n_audited=0, n_wrong=0, evidence=1.0, history=history
            )
        row = own[0]
        required = Settings(session).get().labels_required
        since = guarantees.audited_since(fingerprint_id, row.threshold, row.last_label_id)
    done = [answer for answer in since if answer.verdict is not None or answer.n_labels >= required]
    wrong = [answer.verdict != "accept" for answer in done]
    test = audit_test(wrong, alpha=row.alpha, delta=row.delta)
    return GuaranteeStatus(
        state="holds" if test.alarm_at is None else "broken",
        row=row,
        since=None if test.alarm_at is None else done[test.alarm_at - 1].labelled_at,
        n_audited=len(done),
        n_wrong=sum(wrong),
        evidence=float(test.evidence[-1]) if len(wrong) else 1.0,
        history=history,
    )


def keep(
    store: Store,
    found: Guarantee,
    *,
    by: int | None = None,
    written_hash: str | None = None,
    now: datetime | None = None,
) -> GuaranteeRow:
    """Keep a guarantee as earned now; what is audited from now on tests it.

    Raises
    ------
    RoleError
        When ``by`` is no lead; None is the command line.
    InputError
        When there is no threshold to keep.
    """
    if by is not None:
        need_lead(store, by)
    chosen = found.chosen
    if chosen.threshold is None or chosen.coverage is None:
        raise InputError("nothing is guaranteed", got=chosen.reason, cure="label more of the audit")
    with store.write() as session:
        guarantees = Guarantees(session)
        return guarantees.add(
            {
                "created_at": now or datetime.now(UTC),
                "reviewer_id": by,
                "fingerprint_id": found.fingerprint,
                "profile": found.profile,
                "written_hash": written_hash,
                "alpha": chosen.alpha,
                "delta": chosen.delta,
                "method": chosen.method,
                "threshold": chosen.threshold,
                "coverage": chosen.coverage,
                "n_labels": chosen.n,
                "n_passed": chosen.n_passed,
                "n_wrong": chosen.n_wrong,
                "n_answers": found.n_answers,
                "n_unread": found.n_unread,
                "last_label_id": guarantees.last_label_id(),
            }
        )


def write_profile(
    store: Store,
    found: Guarantee,
    path: Path,
    *,
    base: str | Path | None = None,
    by: int | None = None,
    now: datetime | None = None,
) -> GuaranteeRow:
    """Write a new profile that accepts exactly what is guaranteed, with the evidence in it, and keep it.

    Its scores are those of the gate the labels are of. Answers with risk up to the threshold are accepted;
    whatever the old rules accepted otherwise goes to REVIEW; their REVIEW and REJECT stay.

    Parameters
    ----------
    store : Store
    found : Guarantee
    path : Path
        Ends in .yaml; must not exist.
    base : str or Path, optional
        The gate's profile, where it is a file and not a shipped one.
    by : int, optional
        The lead who asks; None is the command line.
    now : datetime, optional

    Raises
    ------
    ConfigError
        When ``base`` is not the profile of the gate, and for a file that is there or is no .yaml.
    InputError
        When there is no threshold to write.
    """
    moment = now or datetime.now(UTC)
    if path.suffix not in (".yaml", ".yml"):
        raise ConfigError("a profile is a .yaml file", where=str(path))
    if path.exists():
        raise ConfigError(
            "the file exists; a profile is never changed in place", where=str(path), cure="name another file"
        )
    if found.chosen.threshold is None:
        raise InputError("nothing is guaranteed", got=found.chosen.reason, cure="label more of the audit")
    origin = str(base) if base is not None else found.profile
    profile = load_profile(origin)
    if profile.hash != found.profile_hash:
        raise ConfigError(
            "not the profile of the gate that was labelled",
            where=origin,
            got=f"hash {profile.hash[:12]}",
            expected=f"hash {found.profile_hash[:12]}, profile {found.profile}",
            cure="name the gate's own profile with --profile, or label answers of the present one",
        )
    text = _profile_text(profile, origin, found, path, moment)
    written = parse_profile(text, source=str(path))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError("the profile cannot be written", where=str(path), got=str(error)) from error
    return keep(store, found, by=by, written_hash=written.hash, now=moment)


def _profile_text(profile: Profile, origin: str, found: Guarantee, path: Path, moment: datetime) -> str:
    chosen = found.chosen
    assert chosen.threshold is not None
    has_risk = any("risk" in scorer.produces for scorer in profile.scorers)
    rules = guaranteed_rules(profile_data(origin)["policy"]["rules"], chosen.threshold, has_risk=has_risk)
    is_file = origin.endswith((".yaml", ".yml"))
    content = {
        "extends": str(Path(origin).resolve()) if is_file else origin,
        "schema_version": 1,
        "name": path.stem.lower(),
        "description": f"{profile.name}, and only what is guaranteed passes unread.",
        "guarantee": {
            "date": moment.date(),
            "fingerprint": found.fingerprint,
            "threshold": chosen.threshold,
            "alpha": chosen.alpha,
            "delta": round(chosen.delta, 6),
            "method": chosen.method,
            "labels": chosen.n,
            "labels_passed": chosen.n_passed,
            "labels_wrong": chosen.n_wrong,
            "error_bound": None if chosen.error_bound is None else round(chosen.error_bound, 4),
            "coverage": round(chosen.coverage or 0.0, 4),
        },
        "policy": {"rules": rules},
    }
    head = (
        f"# At most {chosen.alpha:.4g} of the answers this profile accepts are wrong, with "
        f"{1 - chosen.delta:.4g} confidence,\n"
        "# as long as questions and answers are like those labelled. Written by proofdesk calibrate.\n"
    )
    return head + yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110)


def guaranteed_rules(
    rules: Sequence[Mapping[str, Any]], threshold: float, *, has_risk: bool
) -> list[dict[str, Any]]:
    """Rules that accept answers with risk up to a threshold and nothing else."""
    bound = {"risk": f"<= {threshold:.4f}"} if has_risk else {"final": f">= {1 - threshold:.4f}"}
    shown = "risk {risk}" if has_risk else "final {final}"
    first: list[dict[str, Any]] = []
    then: list[dict[str, Any]] = []
    for rule in map(dict, rules):
        when = rule.get("when") or {}
        states = when.get("state", ())
        states = {states} if isinstance(states, str) else set(states)
        if rule["decision"] == "ACCEPT":
            rule |= {"decision": "REVIEW", "next_action": "optional_human_review"}
        if not when:
            rule |= {
                "id": LEFT_TO_READ,
                "reason": f"Nothing is wrong in particular; it is outside what is guaranteed ({shown}).",
                "why": "Only what lies under the guaranteed threshold passes unread.",
            }
        (first if states & _BEFORE else then).append(rule)
    accept = {
        "id": RULE,
        "when": bound,
        "decision": "ACCEPT",
        "failure_type": "none",
        "next_action": "serve_response",
        "reason": f"Under the guaranteed threshold ({shown}).",
        "why": "Few of these are wrong, by people's labels of a fair sample.",
    }
    return [*first, accept, *then]
