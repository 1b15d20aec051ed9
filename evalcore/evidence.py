"""For each sentence of the answer: how well the contexts hold it, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from evalcore.alignment import sentence_alignment, window_cosines
from evalcore.answer import Answer
from evalcore.result import Evidence, SentenceFinding, SentenceStatus, SentenceVerdict
from evalcore.scorers.base import grounding_gap
from evalcore.similarity import Similarity, rounded, share, support_of
from evalcore.text import Span

NO_CLAIM = "claims nothing about the world"

_FINDINGS_SAID = 3
_MESSAGE_LENGTH = 160


class EvidenceConfig(BaseModel):
    """The ``evidence`` section of a profile.

    ``support`` of a sentence is its similarity with all contexts as one text (published), its similarity
    with its best evidence window, its alignment (:mod:`evalcore.alignment`), or P(supported) of the scorer
    ``verifier``. ``select`` picks the evidence
    shown: by similarity, or by the share of the sentence's words a window holds, which needs no encoding.
    ``keep`` windows are kept, best first. ``findings`` says whether a sentence is searched for what the
    contexts do not hold; ``claims`` whether a sentence that by the rules claims nothing is left unjudged.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    support: Literal["whole_context", "best_window", "alignment", "verifier"]
    select: Literal["semantic", "lexical"]
    low_confidence_below: float = Field(ge=0, le=1)
    keep: int = Field(default=2, ge=0)
    findings: bool = False
    claims: Literal["all", "rules"] = "all"


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
            _unjudged(index, sentence, SentenceStatus.UNMEASURED, gap)
            for index, sentence in enumerate(sentences)
        )
    texts = [sentence.text for sentence in sentences]
    semantic = window_cosines(answer, similarity) if _needs_windows(config) else None
    shown = semantic if config.select == "semantic" and semantic is not None else _word_shares(answer)
    if config.support == "alignment":
        support = sentence_alignment(answer, similarity)
    elif config.support == "verifier":
        support = support_of(similarity)
    elif config.support == "best_window" and semantic is not None:
        support = semantic.max(axis=1)
    else:
        support = similarity.matrix(texts, [answer.context])[:, 0]
    claims = answer.claims if config.claims == "rules" else (True,) * len(sentences)
    return tuple(
        _verdict(answer, index, rounded(float(support[index])), shown[index], config)
        if claims[index]
        else _unjudged(index, sentence, SentenceStatus.NOT_A_CLAIM, NO_CLAIM)
        for index, sentence in enumerate(sentences)
    )


def findings_text(sentences: Sequence[SentenceVerdict]) -> str:
    """The findings of an answer in a line for its reason; empty where there are none.

    The first three are spelled out, each of them once and cut when long; of the rest the number is told.
    """
    messages = list(dict.fromkeys(_line(f.message) for sentence in sentences for f in sentence.findings))
    if not messages:
        return ""
    left = len(messages) - _FINDINGS_SAID
    more = f"; and {left} more" if left > 0 else ""
    return f"Findings: {'; '.join(messages[:_FINDINGS_SAID])}{more}."


def _line(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= _MESSAGE_LENGTH else f"{line[: _MESSAGE_LENGTH - 1]}…"


def _unjudged(index: int, sentence: Span, status: SentenceStatus, reason: str | None) -> SentenceVerdict:
    return SentenceVerdict(
        index=index,
        start=sentence.start,
        end=sentence.end,
        text=sentence.text,
        support=None,
        status=status,
        reason=reason,
    )


def _findings(answer: Answer, index: int) -> tuple[SentenceFinding, ...]:
    """The findings of a sentence, their offsets moved from the sentence to the whole response."""
    at = answer.sentences[index].start
    return tuple(
        SentenceFinding(
            kind=found.kind,
            start=at + found.start,
            end=at + found.end,
            text=found.text,
            message=found.message,
            nearest=found.nearest,
        )
        for found in answer.findings[index]
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
        findings=_findings(answer, index) if config.findings else (),
    )
