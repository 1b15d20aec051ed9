"""What a gate run allows: read from YAML, the same in terminal, console and tests."""

from __future__ import annotations

from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evalcore.errors import ConfigError

DECIMALS = 6
"""Values and bounds are compared after rounding to so many: a drop of exactly what is allowed is allowed."""


class GateConfig(BaseModel):
    """The bounds. A value that equals its bound is within it.

    Attributes
    ----------
    score_drop : dict of str to float
        By score: the largest drop a case may have.
    mean_drop : dict of str to float
        By score: the largest drop of the mean over all shared cases.
    worse_decisions : int
        How many cases may get a worse decision (ACCEPT, REVIEW, REJECT).
    wrong_accept_share : float or None
        Of the accepted cases with gold: the largest share that gold rejects.
    min_cases : int
        Shared cases below which nothing is concluded.
    removed : list of str
        Cases whose absence is declared; any other missing case is incomplete.
    latency_p95_ms : float or None
        The 95th percentile of the milliseconds an answer takes to score.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    score_drop: dict[str, float] = Field(default={"final": 0.05})
    mean_drop: dict[str, float] = Field(default={})
    worse_decisions: int = Field(default=0, ge=0)
    wrong_accept_share: float | None = Field(default=None, ge=0, le=1)
    min_cases: int = Field(default=1, ge=1)
    removed: tuple[str, ...] = ()
    latency_p95_ms: float | None = Field(default=None, gt=0)


def gate_config(text: str, source: str) -> GateConfig:
    """Read the bounds from YAML.

    Raises
    ------
    ConfigError
        Naming the file and the key.
    """
    try:
        data: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError("not YAML", where=source, got=" ".join(str(error).split())[:200]) from error
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise ConfigError("a gate's bounds are a mapping", where=source, got=type(data).__name__)
    try:
        config = GateConfig.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(
            first["msg"], where=f"{source}: {where}", got=repr(first.get("input"))[:80]
        ) from error
    for name in ("score_drop", "mean_drop"):
        for score, bound in getattr(config, name).items():
            if not 0 <= bound <= 1:
                raise ConfigError("a drop lies in 0 to 1", where=f"{source}: {name}.{score}", got=str(bound))
    return config
