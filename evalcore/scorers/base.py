"""What a scorer is. A scorer measures; it never decides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, model_validator

from evalcore.answer import Answer
from evalcore.registry import Registry
from evalcore.result import Score
from evalcore.similarity import Similarity, rounded

Earlier = Mapping[str, Score]

NO_RESPONSE = "the response is empty"
NO_CONTEXTS = "there is no context"
NO_QUERY = "the query is empty"
REFUSAL = "the response is a refusal: there is nothing to hold against the contexts"


class Weights(BaseModel):
    """Weights of named parts; each in [0, 1], together 1."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @model_validator(mode="after")
    def _sum_to_one(self) -> Self:
        values = [float(value) for value in dict(self).values()]
        if any(value < 0 or value > 1 for value in values):
            raise ValueError("every weight must lie in [0, 1]")
        if abs(sum(values) - 1) > 1e-9:
            raise ValueError(f"weights must sum to 1, not {sum(values):g}")
        return self


class ScorerConfig(BaseModel):
    """A scorer's entry in a profile, beside its ``type``."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Scorer(ABC):
    """Measures one thing about an answer, as one or several named scores.

    Attributes
    ----------
    Config : type of ScorerConfig
        The parameters a profile may set.
    """

    Config: ClassVar[type[ScorerConfig]] = ScorerConfig

    def __init__(self, config: Any) -> None:
        self._config = config

    @property
    def config(self) -> ScorerConfig:
        """The validated entry it was made from."""
        config: ScorerConfig = self._config
        return config

    @property
    @abstractmethod
    def produces(self) -> tuple[str, ...]:
        """Names of the scores it gives, always all of them, measured or not."""

    @property
    def requires(self) -> tuple[str, ...]:
        """Names of scores that must stand before it in the profile."""
        return ()

    @property
    def weights_hash(self) -> str | None:
        """Hash of the model weights it reads beside the encoder's, in hex; None without any."""
        return None

    def texts(self, answer: Answer) -> Iterable[str]:
        """Texts it will compare; they are encoded together with everybody else's."""
        return ()

    @abstractmethod
    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        """Measure. A score that cannot be measured is given as such, with its reason."""


SCORERS: Registry[Scorer] = Registry("scorer", "evalcore.scorers")


def measured(name: str, value: float) -> Score:
    """A score rounded to the 4 decimals at which scores are compared."""
    return Score(name=name, value=rounded(value))


def blank_score(names: Sequence[str], answer: Answer, reason: str) -> list[Score]:
    """What is given for a blank text: nothing, with the reason; or 0 where the profile repeats the recipe."""
    if answer.config.blank == "zero":
        return [Score(name=name, value=0.0) for name in names]
    return [Score.unmeasured(name, reason) for name in names]


def grounding_gap(answer: Answer) -> str | None:
    """Why the response cannot be held against the contexts, if it cannot."""
    if answer.blank_response:
        return NO_RESPONSE
    if answer.config.blank == "state" and answer.is_refusal:
        return REFUSAL
    if answer.blank_contexts:
        return NO_CONTEXTS
    return None
