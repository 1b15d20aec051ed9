"""Alerts: each rule's state now, its changes kept, and a webhook told."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from db.engine import Store
from db.repositories.alerts import AlertRow, Alerts, Measured, Span
from db.repositories.queue import Queue, QueueFilter
from db.repositories.runs import Runs
from db.repositories.score_counts import SCORES
from db.tables import DECISIONS
from evalcore.alerts import OF_SCORE, AlertConfig, AlertRule, State, Webhook, alert_config, judge
from evalcore.errors import ConfigError
from evalcore.stats.drift import shift
from evalcore.stats.kappa import agreement_of
from evalcore.stats.proportions import wilson
from evalcore.stats.values import Estimate, normal_quantile, undefined
from workflows.agreement import AS_VERDICT
from workflows.agreement_detail import pairs_of_cells
from workflows.review import known_failure_types
from workflows.webhook import Sent, secret_key, send

__all__ = ["AlertConfig", "AlertRow", "AlertState", "Checked", "check", "history", "read_config", "states"]

ROWS = 20_000
"""Results of one decision, at most, that a mean, a shift or a percentile is worked out from."""
LEVEL = 0.05


@dataclass(frozen=True, kw_only=True)
class AlertState:
    """A rule now. ``changed`` is whether its state is another than at the last check."""

    rule: str
    metric: str
    state: State
    was: str | None
    value: float | None
    n: int
    told: str

    @property
    def changed(self) -> bool:
        """Whether the state is another than at the last check."""
        return self.state != self.was


@dataclass(frozen=True, kw_only=True)
class Checked:
    """All rules, and what the webhook was told; ``unsent`` changes wait for the next check."""

    states: tuple[AlertState, ...]
    sent: int
    unsent: int
    problem: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "states": [{**asdict(state), "changed": state.changed} for state in self.states],
            "sent": self.sent,
            "unsent": self.unsent,
            "problem": self.problem,
        }


def read_config(path: Path) -> AlertConfig:
    """The rules in a YAML file.

    Raises
    ------
    ConfigError
        Naming the file, the key and the cure.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("alert rules cannot be read", where=str(path), got=str(error)[:200]) from error
    config = alert_config(text, str(path))
    for rule in config.rules:
        if rule.metric in OF_SCORE and rule.of not in SCORES:
            raise ConfigError(
                "no such score",
                where=f"{path}: {rule.name}: of",
                got=rule.of[:80],
                expected=", ".join(SCORES),
            )
    return config


def check(
    store: Store,
    config: AlertConfig,
    *,
    now: datetime | None = None,
    post: Callable[..., Sent] = send,
) -> Checked:
    """Measure every rule, keep what changed, and send it.

    A rule's first state is kept; it is sent unless it is OK. What could not be sent is tried again by the
    next check.

    Raises
    ------
    ConfigError
        When the webhook's secret is not in the environment, or a rule names a failure type nobody knows.
        Nothing is measured then.
    """
    moment = now or datetime.now(UTC)
    key = None if config.webhook is None else _key(config.webhook)
    _check_names(store, config)
    with store.read() as session:
        profile = Runs(session).latest_profile()
        measured = Measured(session)
        queue = Queue(session)
        found = [(rule, _measure(rule, moment, measured, queue, profile)) for rule in config.rules]
    states = []
    with store.write() as session:
        alerts = Alerts(session)
        known = alerts.states()
        for rule, value in found:
            word = judge(rule, value)
            was = known[rule.name].state if rule.name in known else None
            state = AlertState(
                rule=rule.name,
                metric=rule.metric,
                state=word.state,
                was=was,
                value=value.value,
                n=value.n,
                told=word.told,
            )
            states.append(state)
            if state.changed:
                tell = config.webhook is not None and not (was is None and word.state == "OK")
                alerts.add({**asdict(state), "created_at": moment, "notify": tell})
    sent, unsent, problem = 0, 0, ""
    if config.webhook is not None and key is not None:
        sent, unsent, problem = _tell(store, config.webhook, key, moment, post)
    return Checked(states=tuple(states), sent=sent, unsent=unsent, problem=problem)


def states(store: Store) -> tuple[AlertRow, ...]:
    """The last change of every rule, the worst first."""
    order = {"ALERT": 0, "WARN": 1, "NO DATA": 2, "OK": 3}
    with store.read() as session:
        rows = Alerts(session).states().values()
    return tuple(sorted(rows, key=lambda row: (order[row.state], row.rule)))


def history(store: Store, limit: int = 100) -> tuple[AlertRow, ...]:
    """The latest changes of state, the last first."""
    with store.read() as session:
        return Alerts(session).history(limit)


def _check_names(store: Store, config: AlertConfig) -> None:
    named = {rule.of: rule.name for rule in config.rules if rule.metric == "share"}
    unknown = named.keys() - set(DECISIONS)
    if unknown:
        unknown -= {*known_failure_types(store), "none"}
    for name in sorted(unknown):
        raise ConfigError(
            "neither a decision nor a failure type",
            where=f"{named[name]}: of",
            got=name[:80],
            expected=", ".join((*DECISIONS, "or a failure type of the policy")),
        )


def _key(webhook: Webhook) -> bytes:
    secret = os.environ.get(webhook.secret_env, "")
    if not secret:
        raise ConfigError(
            "the webhook has no secret to sign with",
            where=f"environment variable {webhook.secret_env}",
            cure="set it, or take the webhook out of the rules",
        )
    return secret_key(secret)


def _measure(
    rule: AlertRule, now: datetime, measured: Measured, queue: Queue, profile: str | None
) -> Estimate:
    span = Span(since=now - rule.length, until=now, profile=rule.profile or profile, system=rule.system)
    match rule.metric:
        case "share":
            return _share(rule.of, measured.counts(span))
        case "mean":
            return _mean(measured.values(rule.of, span, ROWS))
        case "latency_p95_ms":
            values = measured.values("latency_ms", span, ROWS)
            return Estimate(value=float(np.quantile(values, 0.95)), n=len(values)) if values else _nothing()
        case "shift":
            before = Span(
                since=span.since - rule.reference_length,
                until=span.since,
                profile=span.profile,
                system=span.system,
            )
            return _shift(measured.values(rule.of, before, ROWS), measured.values(rule.of, span, ROWS))
        case "kappa":
            cells = measured.labels(span)
            return agreement_of(
                pairs_of_cells((verdict, AS_VERDICT[decision], n) for (decision, verdict), n in cells.items())
            ).kappa
        case "wrong_accepts":
            cells = measured.labels(span, audit_only=True)
            wrong, right = cells["ACCEPT", "reject"], cells["ACCEPT", "accept"]
            return wilson(wrong, wrong + right)
        case "queue_length":
            where = QueueFilter(system=rule.system)
            progress = queue.progress(where)
            return Estimate(value=float(progress.total - progress.labelled), n=progress.total)
        case "queue_age_hours":
            page = queue.page(QueueFilter(system=rule.system, order="oldest"), limit=1)
            if not page.items:
                return Estimate(value=0.0, n=0)
            return Estimate(value=(now - page.items[0].created_at).total_seconds() / 3600, n=1)


def _nothing() -> Estimate:
    return undefined("no results in the window", 0)


def _share(name: str, counts: Counter[tuple[str, str]]) -> Estimate:
    of_these = sum(n for key, n in counts.items() if name in key)
    return wilson(of_these, sum(counts.values()))


def _mean(values: list[float]) -> Estimate:
    if len(values) < 2:
        return undefined("fewer than two values", len(values))
    array = np.asarray(values)
    reach = normal_quantile(0.95) * float(array.std(ddof=1)) / len(values) ** 0.5
    mean = float(array.mean())
    return Estimate(value=mean, n=len(values), low=mean - reach, high=mean + reach, method="normal")


def _shift(before: list[float], inside: list[float]) -> Estimate:
    found = shift(before, inside)
    n = min(found.n_reference, found.n_window)
    if found.ks is None or found.p is None:
        return undefined(found.reason, n)
    # Not told from chance: its lower end is no shift at all.
    return Estimate(value=found.ks, n=n, low=None if found.p < LEVEL else 0.0, high=None)


def _tell(
    store: Store, webhook: Webhook, key: bytes, now: datetime, post: Callable[..., Sent]
) -> tuple[int, int, str]:
    with store.read() as session:
        waiting = Alerts(session).unsent()
    sent, problem = 0, ""
    for row in waiting:
        done = post(
            webhook.url,
            _body(row),
            message_id=f"alert_{row.id}_{row.created_at:%Y%m%dT%H%M%S%f}",
            key=key,
            timeout_s=webhook.timeout_s,
            attempts=webhook.attempts,
        )
        with store.write() as session:
            Alerts(session).tried(row.id, now, ok=done.ok, told=done.told)
        if not done.ok:
            # What comes after it waits too: the receiver is to hear of changes in their order.
            problem = f"{webhook.url}: {done.told} after {done.tries} tries"
            break
        sent += 1
    return sent, len(waiting) - sent, problem


def _body(row: AlertRow) -> bytes:
    data = {
        "rule": row.rule,
        "metric": row.metric,
        "state": row.state,
        "was": row.was,
        "value": row.value,
        "n": row.n,
        "told": row.told,
    }
    message = {"type": "proofdesk.alert", "timestamp": row.created_at.isoformat(), "data": data}
    return json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8")
