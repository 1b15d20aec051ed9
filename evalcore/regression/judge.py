"""New answers against a baseline: pair by pair, nothing guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from evalcore.regression.baseline import Baseline, Case, differing, question_hash
from evalcore.regression.config import DECIMALS, GateConfig
from evalcore.result import EvalResult, Fingerprint, Verdict
from evalcore.sample import Sample
from evalcore.stats.proportions import wilson
from evalcore.stats.values import Estimate, undefined

Outcome: TypeAlias = Literal["pass", "regression", "incomplete", "not_comparable"]
EXIT_CODES: Mapping[Outcome, int] = {"pass": 0, "regression": 1, "incomplete": 3, "not_comparable": 3}
MAIN_SCORE = "final"
_RANK = {str(Verdict.ACCEPT): 0, str(Verdict.REVIEW): 1, str(Verdict.REJECT): 2}
_REPEATS = 2_000


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One case then and now. ``problems`` say what is worse than allowed; empty where nothing is.

    ``drops`` are by score, positive where it fell.
    """

    id: str
    query: str
    decision_before: str
    decision_after: str
    rule_before: str
    rule_after: str
    before: float | None
    after: float | None
    drops: Mapping[str, float]
    gold: str | None
    problems: tuple[str, ...]

    @property
    def delta(self) -> float | None:
        """Of the final score; positive where it rose."""
        if self.before is None or self.after is None:
            return None
        return round(self.after - self.before, DECIMALS)


@dataclass(frozen=True, kw_only=True)
class Bound:
    """One rule of the gate: what was found, what is allowed, whether it holds."""

    name: str
    found: float
    allowed: float
    holds: bool
    n: int


@dataclass(frozen=True, kw_only=True)
class GateReport:
    """What a gate run found.

    Attributes
    ----------
    outcome : str
        ``regression`` is said only of answers that could be compared.
    reasons : tuple of str
        Why it is not a pass.
    pairs : tuple of Pair
        The worst first.
    added, removed : tuple of str
        Ids that only the new answers, or only the baseline, have. ``declared`` of the removed were declared.
    changed : tuple of str
        Ids whose question or passages are not those of the baseline.
    duplicates : tuple of str
        Ids that stand twice among the new answers; neither is compared.
    unmeasured : tuple of str
        Ids whose score was measured then and is not now.
    mean_delta : Estimate
        Of the final score over the shared cases, with a paired bootstrap interval.
    wrong_accepts : Estimate
        Of the accepted shared cases with gold, the share that gold rejects, with Wilson's interval.
    warnings : tuple of str
        What does not decide and should be known.
    """

    baseline: str
    version: int
    outcome: Outcome
    reasons: tuple[str, ...]
    differing: tuple[str, ...]
    rescored: bool
    pairs: tuple[Pair, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    declared: tuple[str, ...]
    changed: tuple[str, ...]
    duplicates: tuple[str, ...]
    unmeasured: tuple[str, ...]
    bounds: tuple[Bound, ...]
    mean_delta: Estimate
    wrong_accepts: Estimate
    warnings: tuple[str, ...]

    @property
    def regressions(self) -> tuple[Pair, ...]:
        """The cases that are worse than allowed."""
        return tuple(pair for pair in self.pairs if pair.problems)

    @property
    def exit_code(self) -> int:
        """0 pass, 1 regression, 3 incomplete or not comparable."""
        return EXIT_CODES[self.outcome]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values."""
        from dataclasses import asdict

        found = asdict(self)
        for pair, shown in zip(self.pairs, found["pairs"], strict=True):
            shown["delta"] = pair.delta
        return {**found, "exit_code": self.exit_code}


def judge(
    baseline: Baseline,
    answers: Sequence[tuple[Sample, EvalResult]],
    config: GateConfig,
    fingerprint: Fingerprint,
    *,
    rescored: Baseline | None = None,
) -> GateReport:
    """Compare new answers with a baseline's.

    Parameters
    ----------
    baseline : Baseline
    answers : sequence of (Sample, EvalResult)
        Paired with the cases by id; a pair whose question or passages differ is not compared.
    config : GateConfig
    fingerprint : Fingerprint
        Of the gate that scored ``answers``.
    rescored : Baseline, optional
        The baseline's own answers scored by that same gate. Without it another fingerprint is not
        comparable.
    """
    unlike = differing(baseline.fingerprint, fingerprint)
    against = rescored if rescored is not None else baseline
    counted = Counter(sample.id for sample, _ in answers)
    duplicates = tuple(sorted(id_ for id_, n in counted.items() if n > 1))
    new = {sample.id: (sample, result) for sample, result in answers if counted[sample.id] == 1}
    cases = {case.id: case for case in against.cases}
    changed = tuple(
        sorted(i for i in new.keys() & cases.keys() if question_hash(new[i][0]) != cases[i].question_hash)
    )
    shared = [cases[i] for i in sorted(cases.keys() & new.keys() - set(changed))]
    removed = tuple(sorted(cases.keys() - counted.keys()))
    declared = tuple(id_ for id_ in removed if id_ in config.removed)
    pairs = [_pair(case, new[case.id][1], config) for case in shared]
    needed = {*config.score_drop, *config.mean_drop}
    unmeasured = tuple(
        case.id
        for case in shared
        if any(case.scores.get(n) is not None and _value(new[case.id][1], n) is None for n in needed)
    )
    scored = any(case.scores.get(n) is not None for case in shared for n in needed)
    accepted = [p for p in pairs if p.decision_after == Verdict.ACCEPT and p.gold is not None]
    wrong_accepts = wilson(sum(p.gold == "reject" for p in accepted), len(accepted))
    latencies = [new[case.id][1].latency_ms for case in shared]
    bounds = tuple(_bounds(pairs, wrong_accepts, latencies, config))
    reasons: list[str] = []
    outcome: Outcome = "pass"
    if any(p.problems for p in pairs) or not all(bound.holds for bound in bounds):
        outcome = "regression"
        reasons += [
            f"{bound.name}: {bound.found:g}, at most {bound.allowed:g}" for bound in bounds if not bound.holds
        ]
        n_dropped = sum(any("fell" in problem for problem in p.problems) for p in pairs)
        if n_dropped:
            reasons.append(f"{n_dropped} of {len(pairs)} cases fell by more than allowed")
    if needed and shared and not scored:
        reasons.append("no case of the baseline has a score that a bound is about")
        outcome = "incomplete" if outcome == "pass" else outcome
    lacking = _lacking(len(shared), removed, declared, changed, duplicates, unmeasured, config)
    if lacking and outcome == "pass":
        outcome = "incomplete"
    reasons += lacking
    if unlike and rescored is None:
        outcome = "not_comparable"
        reasons = [
            f"the gate changed: {', '.join(unlike)}",
            "score the baseline's answers anew with --rescore",
        ]
    return GateReport(
        baseline=baseline.name,
        version=baseline.version,
        outcome=outcome,
        reasons=tuple(reasons),
        differing=unlike,
        rescored=rescored is not None,
        pairs=tuple(sorted(pairs, key=lambda p: (not p.problems, -max([0.0, *p.drops.values()]), p.id))),
        added=tuple(sorted(counted.keys() - cases.keys())),
        removed=removed,
        declared=declared,
        changed=changed,
        duplicates=duplicates,
        unmeasured=unmeasured,
        bounds=bounds,
        mean_delta=_mean_delta(pairs),
        wrong_accepts=wrong_accepts,
        warnings=tuple(_warnings(baseline, rescored, new, len(shared))),
    )


def _pair(case: Case, result: EvalResult, config: GateConfig) -> Pair:
    drops = {}
    for name, before in case.scores.items():
        after = _value(result, name)
        if before is not None and after is not None:
            drops[name] = round(before - after, DECIMALS)
    after_decision = str(result.decision.verdict)
    problems = [
        f"{name} fell by {drops[name]:.4f}, allowed {bound:g}"
        for name, bound in config.score_drop.items()
        if name in drops and drops[name] > round(bound, DECIMALS)
    ]
    if _RANK[after_decision] > _RANK[case.decision]:
        problems.append(f"{case.decision} became {after_decision}")
    return Pair(
        id=case.id,
        query=case.sample.query,
        decision_before=case.decision,
        decision_after=after_decision,
        rule_before=case.rule_id,
        rule_after=result.decision.rule_id,
        before=case.scores.get(MAIN_SCORE),
        after=_value(result, MAIN_SCORE),
        drops=drops,
        gold=case.gold,
        problems=tuple(problems),
    )


def _bounds(
    pairs: Sequence[Pair], wrong_accepts: Estimate, latencies: Sequence[float], config: GateConfig
) -> list[Bound]:
    worse = sum(_RANK[p.decision_after] > _RANK[p.decision_before] for p in pairs)
    found = [_bound("worse decisions", worse, config.worse_decisions, len(pairs))]
    for name, allowed in config.mean_drop.items():
        drops = [p.drops[name] for p in pairs if name in p.drops]
        if drops:
            found.append(_bound(f"mean drop of {name}", float(np.mean(drops)), allowed, len(drops)))
    if config.wrong_accept_share is not None and wrong_accepts.value is not None:
        found.append(
            _bound("share of wrong accepts", wrong_accepts.value, config.wrong_accept_share, wrong_accepts.n)
        )
    if config.latency_p95_ms is not None and latencies:
        slowest = float(np.quantile(latencies, 0.95))
        found.append(_bound("latency p95, ms", slowest, config.latency_p95_ms, len(latencies)))
    return found


def _bound(name: str, found: float, allowed: float, n: int) -> Bound:
    value = round(found, DECIMALS)
    return Bound(name=name, found=value, allowed=allowed, holds=value <= round(allowed, DECIMALS), n=n)


def _lacking(
    n_shared: int,
    removed: Sequence[str],
    declared: Sequence[str],
    changed: Sequence[str],
    duplicates: Sequence[str],
    unmeasured: Sequence[str],
    config: GateConfig,
) -> list[str]:
    found = []
    if n_shared < config.min_cases:
        found.append(f"{n_shared} shared cases, at least {config.min_cases} are needed")
    missing = len(removed) - len(declared)
    for n, told in (
        (missing, "cases missing and not declared as removed"),
        (len(changed), "cases with another question or other passages"),
        (len(duplicates), "cases that stand twice among the answers"),
        (len(unmeasured), "cases without a score that they had"),
    ):
        if n:
            found.append(f"{told}: {n}")
    return found


def _mean_delta(pairs: Sequence[Pair]) -> Estimate:
    deltas = np.array([p.delta for p in pairs if p.delta is not None], dtype=np.float64)
    n = len(deltas)
    if n == 0:
        return undefined("no case has a final score then and now", 0)
    mean = float(deltas.mean())
    if n < 5:
        return Estimate(value=mean, n=n, reason="fewer than 5 cases give no interval")
    draws = np.random.default_rng(0).integers(0, n, size=(_REPEATS, n))
    low, high = np.quantile(deltas[draws].mean(axis=1), [0.025, 0.975])
    return Estimate(
        value=mean, n=n, low=float(low), high=float(high), method=f"paired bootstrap, {_REPEATS} resamples"
    )


def _warnings(
    baseline: Baseline,
    rescored: Baseline | None,
    new: Mapping[str, tuple[Sample, EvalResult]],
    n_shared: int,
) -> list[str]:
    found = []
    finals = {_value(result, MAIN_SCORE) for _, result in new.values()}
    if len(new) >= 3 and len(finals) == 1:
        found.append(f"every answer has the same final score ({next(iter(finals))}): is the scorer healthy?")
    if rescored is not None:
        before = {case.id: case.scores.get(MAIN_SCORE) for case in baseline.cases}
        shifts = [
            now - then
            for case in rescored.cases
            if (now := case.scores.get(MAIN_SCORE)) is not None and (then := before.get(case.id)) is not None
        ]
        flips = sum(
            one.decision != two.decision for one, two in zip(baseline.cases, rescored.cases, strict=True)
        )
        if shifts:
            found.append(
                f"the scorer changed: the baseline's own answers moved by {float(np.mean(shifts)):+.4f} on "
                f"average, "
                f"{max(map(abs, shifts)):.4f} at most; {flips} of {len(rescored.cases)} are decided otherwise"
            )
    if n_shared and not any(case.gold for case in baseline.cases):
        found.append("no case of the baseline has a gold label: wrong accepts cannot be told")
    return found


def _value(result: EvalResult, name: str) -> float | None:
    return next((score.value for score in result.scores if score.name == name), None)
