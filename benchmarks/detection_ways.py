"""The ways to tell unsupported answers from supported ones that the detection benchmark compares."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from benchmarks.judged import JudgedAnswer
from benchmarks.peers.process import PeerError, ask_peer, peer_command
from db.mapping import risk_of
from evalcore import Evaluator
from evalcore.result import HallucinationStatus
from evalcore.text import sentences, words

SentenceRisk = tuple[int, int, float]


@dataclass(frozen=True)
class Judgement:
    """What one way says of one answer.

    ``sentences`` are start, end and risk; ``flagged`` is the word of the way's own threshold, None without
    one. Where the way fails on the answer, ``failure`` says why and the answer counts as one that must be
    read: risk 1, flagged.
    """

    risk: float
    sentences: tuple[SentenceRisk, ...]
    flagged: bool | None
    milliseconds: float
    failure: str | None = None


@dataclass(frozen=True)
class Column:
    """A way's judgement of every answer of a file, or why there is none."""

    judgements: tuple[Judgement, ...] = ()
    missing: str | None = None

    @property
    def failures(self) -> list[str]:
        """Why single answers could not be judged."""
        return [j.failure for j in self.judgements if j.failure is not None]


Way = Callable[[Sequence[JudgedAnswer]], Column]


def each_answer(one: Callable[[JudgedAnswer], Judgement], *, flagged: bool | None) -> Way:
    """A way that judges answers one by one; what it raises is that answer's failure.

    Parameters
    ----------
    one : callable
        Judges an answer.
    flagged : bool or None
        What an answer it fails on counts as: True, or None for a way without a threshold of its own.
    """

    def guarded(answer: JudgedAnswer) -> Judgement:
        try:
            return one(answer)
        except Exception as error:  # noqa: BLE001 - counted and shown; one bad answer must not end an hour's run
            return Judgement(1.0, (), flagged, 0.0, f"{answer.sample.id}: {type(error).__name__}: {error}")

    return lambda answers: Column(tuple(guarded(answer) for answer in answers))


def gate_way(gate: Evaluator) -> Way:
    """A profile: the risk the queue sorts by; flagged is what it suspects of hallucination, or more.

    Its REVIEWs for other reasons (off topic, poor retrieval, no question) say nothing of support.
    """

    def one(answer: JudgedAnswer) -> Judgement:
        result = gate.evaluate_sample(answer.sample)
        return Judgement(
            risk=risk_of(result),
            sentences=tuple(
                (s.start, s.end, 1 - s.support) for s in result.sentences if s.support is not None
            ),
            flagged=result.decision.hallucination_status is not HallucinationStatus.NONE,
            milliseconds=result.latency_ms,
        )

    return each_answer(one, flagged=True)


def word_overlap() -> Way:
    """1 - the smallest share of a sentence's words that the contexts hold."""

    def support(sentence: str, context: str, known: frozenset[str]) -> float:
        own = frozenset(words(sentence))
        return len(own & known) / len(own) if own else 1.0

    return _worst_sentence(support)


def fuzzy_match() -> Way:
    """1 - the worst sentence's best partial match with the contexts."""
    return _worst_sentence(lambda sentence, context, known: fuzz.partial_ratio(sentence, context) / 100)


def peer_way(name: str, pin: str) -> Way:
    """A published check, run in its own environment."""
    try:
        command = peer_command(name, pin)
    except PeerError as error:
        reason = str(error)
        return lambda answers: Column(missing=reason)

    def column(answers: Sequence[JudgedAnswer]) -> Column:
        try:
            scores = ask_peer(command, [answer.sample for answer in answers])
        except PeerError as error:
            return Column(missing=str(error))
        return Column(tuple(Judgement(s.risk, (), s.flagged, s.milliseconds, s.failure) for s in scores))

    return column


def _worst_sentence(support: Callable[[str, str, frozenset[str]], float]) -> Way:
    def one(answer: JudgedAnswer) -> Judgement:
        started = time.perf_counter()
        context = "\n".join(answer.sample.contexts)
        known = frozenset(words(context))
        risks = tuple(
            (span.start, span.end, 1 - support(span.text, context, known))
            for span in sentences(answer.sample.response)
        )
        return Judgement(
            risk=max((risk for _, _, risk in risks), default=1.0),
            sentences=risks,
            flagged=None,
            milliseconds=(time.perf_counter() - started) * 1000,
        )

    return each_answer(one, flagged=None)
