"""For each sentence of the answer: how well the contexts hold it, and where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from evalcore.alignment import sentence_alignment, window_cosines
from evalcore.answer import Answer
from evalcore.result import Evidence, SentenceStatus, SentenceVerdict
from evalcore.scorers.base import grounding_gap
from evalcore.similarity import Similarity, rounded, share


class EvidenceConfig(BaseModel):
    """The ``evidence`` section of a profile.

    ``support`` of a sentence is its similarity with all contexts as one text (published), its similarity
    with its best evidence window, or its alignment (:mod:`evalcore.alignment`). ``select`` picks the evidence
    shown: by similarity, or by the share of the sentence's words a window holds, which needs no encoding.
    ``keep`` windows are kept, best first.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    support: Literal["whole_context", "best_window", "alignment"]
    select: Literal["semantic", "lexical"]
    low_confidence_below: float = Field(ge=0, le=1)
    keep: int = Field(default=2, ge=0)


def evidence_texts(answer: Answer, config: EvidenceConfig) -> Iterable[str]:
    """Texts that :func:`judge_sentences` will compare."""
    if grounding_gap(answer):
        return
    yield from (sentence.text for sentence in answer.sentences)
    if config.support == "whole_context":
        yield answer.context
    if _needs_windows(config):
        yield from (window.text for window in answer.windows)


def judge_sentences(
    answer: Answer, similarity: Similarity, config: EvidenceConfig
) -> tuple[SentenceVerdict, ...]:
    """The answer's sentences with support, status and evidence, in order; none for a blank answer."""
    sentences = answer.sentences
    gap = grounding_gap(answer)
    if gap or not sentences:
        return tuple(
            SentenceVerdict(
                index=index,
                start=sentence.start,
                end=sentence.end,
                text=sentence.text,
                support=None,
                status=SentenceStatus.UNMEASURED,
                reason=gap,
            )
            for index, sentence in enumerate(sentences)
        )
    texts = [sentence.text for sentence in sentences]
    semantic = window_cosines(answer, similarity) if _needs_windows(config) else None
    shown = semantic if config.select == "semantic" and semantic is not None else _word_shares(answer)
    if config.support == "alignment":
        support = sentence_alignment(answer, similarity)
    elif config.support == "best_window" and semantic is not None:
        support = semantic.max(axis=1)
    else:
        support = similarity.matrix(texts, [answer.context])[:, 0]
    return tuple(
        _verdict(answer, index, rounded(float(support[index])), shown[index], config)
        for index in range(len(sentences))
    )


def _needs_windows(config: EvidenceConfig) -> bool:
    return config.support != "whole_context" or config.select == "semantic"


def _word_shares(answer: Answer) -> NDArray[np.float64]:
    """Share of each sentence's distinct words that each window holds, shape (sentences, windows)."""
    windows = [frozenset(answer.words(window.text)) for window in answer.windows]
    sentences = [frozenset(answer.words(sentence.text)) for sentence in answer.sentences]
    return np.array([[share(w, s) for w in windows] for s in sentences], dtype=float).reshape(
        len(sentences), len(windows)
    )


def _verdict(
    answer: Answer, index: int, support: float, row: NDArray[np.float64], config: EvidenceConfig
) -> SentenceVerdict:
    sentence = answer.sentences[index]
    # Rounded before sorting, so that noise of the last bits cannot swap two windows.
    values = [rounded(value) for value in row.tolist()]
    best = sorted(range(len(values)), key=lambda column: (-values[column], column))[: config.keep]
    low = support < config.low_confidence_below
    return SentenceVerdict(
        index=index,
        start=sentence.start,
        end=sentence.end,
        text=sentence.text,
        support=support,
        status=SentenceStatus.LOW_CONFIDENCE if low else SentenceStatus.SUPPORTED,
        evidence=tuple(
            Evidence(
                passage=answer.windows[column].passage,
                start=answer.windows[column].start,
                end=answer.windows[column].end,
                text=answer.windows[column].text,
                score=values[column],
            )
            for column in best
            if values[column] > 0
        ),
    )
