"""Consistency: does the system answer the same question alike when it is put another way?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from pydantic import Field, field_validator

from evalcore.answer import Answer
from evalcore.errors import ProofdeskError
from evalcore.result import Score
from evalcore.scorers.base import NO_QUERY, NO_RESPONSE, SCORERS, Earlier, Scorer, ScorerConfig, measured
from evalcore.similarity import Similarity, rounded


class ConsistencyConfig(ScorerConfig):
    """``rewrites``: templates; ``{question}`` is the query lower-cased, without its question marks."""

    rewrites: tuple[str, ...] = Field(min_length=1)

    @field_validator("rewrites")
    @classmethod
    def _has_a_place(cls, rewrites: tuple[str, ...]) -> tuple[str, ...]:
        for rewrite in rewrites:
            if rewrite.count("{question}") != 1:
                raise ValueError(f"{rewrite!r} must hold {{question}} once")
        return rewrites


@SCORERS.register("consistency")
class Consistency(Scorer):
    """Mean similarity of the response with the answers to rewritten questions, in [0, 1].

    Needs an answer function (see :class:`evalcore.Evaluator`); unmeasured without one, when it fails, and
    when it gives something other than a text.
    """

    Config = ConsistencyConfig

    _config: ConsistencyConfig

    @property
    def produces(self) -> tuple[str, ...]:
        return ("consistency",)

    def texts(self, answer: Answer) -> Iterable[str]:
        answers = self._answers(answer)
        return () if isinstance(answers, str) else (answer.sample.response, *answers)

    def score(self, answer: Answer, similarity: Similarity, earlier: Earlier) -> Sequence[Score]:
        answers = self._answers(answer)
        if isinstance(answers, str):
            return [Score.unmeasured("consistency", answers)]
        each = [rounded(similarity.between(answer.sample.response, other)) for other in answers]
        return [measured("consistency", float(np.mean(each)))]

    def _answers(self, answer: Answer) -> list[str] | str:
        """The answers to the rewrites, or why there are none."""
        if answer.answer_function is None:
            return "no answer function was given"
        if answer.blank_query:
            return NO_QUERY
        if answer.blank_response:
            return NO_RESPONSE
        question = answer.sample.query.strip().rstrip("?").lower()
        try:
            return [answer.ask(rewrite.replace("{question}", question)) for rewrite in self._config.rewrites]
        except ProofdeskError as error:
            return str(error)
