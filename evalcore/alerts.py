"""Alert rules: what is watched, the bound it may not cross, and the word on it. Read from YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from evalcore.errors import ConfigError
from evalcore.stats.values import Estimate

State: TypeAlias = Literal["OK", "WARN", "ALERT", "NO DATA"]
STATES: Final[tuple[State, ...]] = get_args(State)
Metric: TypeAlias = Literal[
    "share", "mean", "shift", "latency_p95_ms", "queue_length", "queue_age_hours", "kappa", "wrong_accepts"
]
OF_SCORE: Final = ("mean", "shift")
COUNTED: Final = ("queue_length", "queue_age_hours")
"""Metrics that are not estimated from a sample: one answer is enough to know them."""
LONGEST: Final = timedelta(days=400)
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def duration(text: str) -> timedelta:
    """A length of time such as ``15m``, ``24h`` or ``7d``.

    Examples
    --------
    >>> duration("36h")
    datetime.timedelta(days=1, seconds=43200)
    """
    found = re.fullmatch(r"\s*([1-9][0-9]{0,6})\s*([mhd])\s*", text)
    length = timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else timedelta(0)
    if not timedelta(minutes=15) <= length <= LONGEST:
        raise ValueError("a length of time such as 15m, 24h or 7d, of 15 minutes to 400 days")
    return length


class AlertRule(BaseModel):
    """One thing that is watched.

    Attributes
    ----------
    name : str
        Its key in the history: a rule with another name is another rule.
    metric : str
        ``share`` of a decision or failure type; ``mean`` of a score; ``shift`` of a score, the
        Kolmogorov-Smirnov distance of the window from the ``reference`` before it; ``latency_p95_ms``;
        ``queue_length`` and ``queue_age_hours`` of answers that wait for a first label; ``kappa`` of the gate
        with labels given in the window; ``wrong_accepts``, of accepted answers labelled in the random audit
        the share that reviewers reject.
    of : str
        For share, mean and shift: which.
    window, reference : str
        Up to now, and the time before the window, such as ``24h``; windows begin on quarters of an hour.
    below, above : float, optional
        The bounds; a value that equals one is within it.
    min_n : int
        With fewer rows there is NO DATA.
    severity : {"warn", "alert"}
        What a crossed bound means.
    profile, system : str, optional
        Whose results.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=120)
    metric: Metric
    of: str = ""
    window: str = "24h"
    reference: str = "14d"
    below: float | None = Field(default=None, allow_inf_nan=False)
    above: float | None = Field(default=None, allow_inf_nan=False)
    min_n: int = Field(default=30, ge=1)
    severity: Literal["warn", "alert"] = "alert"
    profile: str | None = None
    system: str | None = None

    @field_validator("window", "reference")
    @classmethod
    def _is_duration(cls, value: str) -> str:
        duration(value)
        return value

    @model_validator(mode="after")
    def _is_whole(self) -> AlertRule:
        if self.below is None and self.above is None:
            raise ValueError("a rule needs a bound: below, above or both")
        if self.below is not None and self.above is not None and self.below >= self.above:
            raise ValueError("nothing lies between these bounds: below is a lower bound, above an upper one")
        if self.metric in ("share", *OF_SCORE) and not self.of:
            raise ValueError(f"{self.metric} of what? name a decision, a failure type or a score in `of`")
        if self.metric in COUNTED and self.profile is not None:
            raise ValueError("the queue is that of all profiles; leave `profile` out")
        return self

    @property
    def length(self) -> timedelta:
        """The window."""
        return duration(self.window)

    @property
    def reference_length(self) -> timedelta:
        """The time before the window."""
        return duration(self.reference)


class Webhook(BaseModel):
    """Where changes of state are sent.

    The secret that signs them is read from the environment variable ``secret_env``, never from the file.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str = Field(pattern=r"^https?://[^\s/]+")
    secret_env: str = Field(default="PROOFDESK_WEBHOOK_SECRET", min_length=1)
    timeout_s: float = Field(default=10, gt=0, le=120)
    attempts: int = Field(default=4, ge=1, le=10)


class AlertConfig(BaseModel):
    """Every rule, and the webhook if there is one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: tuple[AlertRule, ...] = Field(min_length=1)
    webhook: Webhook | None = None

    @model_validator(mode="after")
    def _has_unlike_names(self) -> AlertConfig:
        names = [rule.name for rule in self.rules]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two rules of one name: {twice[0]}")
        return self


def alert_config(text: str, source: str) -> AlertConfig:
    """Read the rules from YAML.

    Raises
    ------
    ConfigError
        Naming the file and the key.
    """
    try:
        data: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError("not YAML", where=source, got=" ".join(str(error).split())[:200]) from error
    if not isinstance(data, dict):
        raise ConfigError(
            "alert rules are a mapping", where=source, got=type(data).__name__, cure="begin with `rules:`"
        )
    try:
        return AlertConfig.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        found = first.get("input")
        got = "" if isinstance(found, dict) else repr(found)[:80]
        raise ConfigError(first["msg"], where=f"{source}: {where}", got=got) from error


@dataclass(frozen=True, kw_only=True)
class Word:
    """The state of a rule, and why, in one line."""

    state: State
    told: str


def judge(rule: AlertRule, found: Estimate) -> Word:
    """Hold a measured value against a rule.

    A value beyond its bound whose interval still reaches the bound may be chance: WARN at most.

    Examples
    --------
    >>> rule = AlertRule(name="accepts", metric="share", of="ACCEPT", below=0.4)
    >>> judge(rule, Estimate(value=0.1, n=200, low=0.07, high=0.15))
    Word(state='ALERT', told='0.1 [0.07, 0.15] of n = 200, at least 0.4 is asked')
    >>> judge(rule, Estimate(value=0.3, n=20, low=0.2, high=0.5)).state
    'NO DATA'
    """
    if rule.metric not in COUNTED and found.n < rule.min_n:
        return Word(state="NO DATA", told=f"n = {found.n}, {rule.min_n} are needed")
    if found.value is None:
        return Word(state="NO DATA", told=found.reason or "nothing to measure")
    interval = "" if found.low is None or found.high is None else f" [{found.low:.4g}, {found.high:.4g}]"
    told = f"{found.value:.4g}{interval}"
    if rule.metric not in COUNTED:
        told = f"{told} of n = {found.n}"
    for bound, asked, beyond, surely in (
        (rule.below, "at least", -1, found.high),
        (rule.above, "at most", 1, found.low),
    ):
        if bound is None or (found.value - bound) * beyond <= 0:
            continue
        told = f"{told}, {asked} {bound:g} is asked"
        if surely is not None and (surely - bound) * beyond <= 0:
            return Word(state="WARN", told=f"{told}; it may be chance")
        return Word(state="WARN" if rule.severity == "warn" else "ALERT", told=told)
    return Word(state="OK", told=told)
