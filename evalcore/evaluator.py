"""One answer, or a stream of them, through the encoder, the scorers and the policy."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from evalcore.answer import Answer, AnswerFunction
from evalcore.config import Profile, load_profile
from evalcore.encoder import Encoder, load_encoder
from evalcore.errors import InputError
from evalcore.evidence import evidence_texts, findings_text, judge_sentences
from evalcore.policy import Policy
from evalcore.result import EvalResult, Fingerprint, Score
from evalcore.sample import JsonValue, Sample
from evalcore.similarity import Similarity
from evalcore.text import instruction_in, scripts
from evalcore.verifier.features import NUMERIC
from evalcore.version import VERSION

CHUNK = 16
INSTRUCTION = "possible instruction in evaluated text"
"""How a warning begins that points out orders in an answer or a passage."""


class Evaluator:
    """The gate: scores answers under one profile and decides.

    The encoder is loaded at the first evaluation, or when the fingerprint is asked for. An evaluator may be
    kept for the life of a process and used from several threads.

    Parameters
    ----------
    profile : Profile
    encoder : Encoder, optional
        Used in place of the one the profile names.
    answer_function : callable, optional
        Answers a question with the system under judgement; needed for the consistency score only.
    threads : int
        Texts encoded at once; 0 means one a core, at most 4. Changes no result.

    Examples
    --------
    >>> gate = Evaluator.from_profile("default")
    >>> result = gate.evaluate(query="Which fuse protects the pump?",
    ...     contexts=["Fuse F3 (10 A) protects the pump."], response="")
    >>> result.decision.verdict, result.decision.rule_id
    (<Verdict.REJECT: 'REJECT'>, 'empty-response')
    """

    def __init__(
        self,
        profile: Profile,
        encoder: Encoder | None = None,
        *,
        answer_function: AnswerFunction | None = None,
        threads: int = 0,
    ) -> None:
        self.profile = profile
        self._given_encoder = encoder
        self._answer_function = answer_function
        self._threads = threads
        self._policy = Policy(profile.config.policy)

    @classmethod
    def from_profile(
        cls, profile: str | Path, *, answer_function: AnswerFunction | None = None, threads: int = 0
    ) -> Evaluator:
        """An evaluator for a shipped profile's name or a profile file's path.

        Raises
        ------
        ConfigError
            When the profile is wrong; nothing is left to fail at the first answer but the model itself.
        """
        return cls(load_profile(profile), answer_function=answer_function, threads=threads)

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder, loaded at the first use."""
        return self._given_encoder or load_encoder(self.profile.config.encoder, threads=self._threads)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What makes this evaluator's results."""
        info = self.encoder.info
        return Fingerprint(
            profile=self.profile.name,
            profile_hash=self.profile.hash,
            encoder=info.name,
            weights_hash=self._weights_hash(info.weights_hash),
            backend=info.backend,
            precision=info.precision,
            runtime_version=info.runtime_version,
            package_version=VERSION,
        )

    def _weights_hash(self, encoder: str) -> str:
        """The encoder's hash; with a scorer that has weights of its own, one hash over all of them."""
        others = [scorer.weights_hash for scorer in self.profile.scorers if scorer.weights_hash]
        if not others:
            return encoder
        return hashlib.sha256("\x1f".join([encoder, *others]).encode("utf-8")).hexdigest()

    def evaluate(
        self,
        *,
        query: str,
        contexts: Sequence[str],
        response: str,
        reference: str | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
        id: str = "",
    ) -> EvalResult:
        """Evaluate one answer.

        Parameters
        ----------
        query, contexts, response, reference, metadata, id
            See :class:`evalcore.Sample`.

        Raises
        ------
        InputError
            When a field has the wrong type.
        EncoderError
            When the model cannot be loaded and the profile allows no other.
        """
        return self.evaluate_sample(
            Sample(
                query=query,
                contexts=contexts,  # type: ignore[arg-type]  # checked and made a tuple by Sample
                response=response,
                reference=reference,
                metadata=metadata or {},
                id=id,
            )
        )

    def evaluate_sample(self, sample: Sample) -> EvalResult:
        """Evaluate one sample."""
        return self._evaluate([sample])[0]

    def evaluate_many(self, samples: Iterable[Sample], *, chunk: int = CHUNK) -> Iterator[EvalResult]:
        """Evaluate a stream, in order, with memory bounded by ``chunk`` answers.

        Results do not depend on ``chunk``, but for ``latency_ms``: the chunk's time over its answers.
        """
        if chunk < 1:
            raise InputError("a chunk holds at least one answer", where="chunk", got=str(chunk))
        stream = iter(samples)
        while batch := list(islice(stream, chunk)):
            yield from self._evaluate(batch)

    def _evaluate(self, samples: Sequence[Sample]) -> list[EvalResult]:
        started = time.perf_counter()
        drafts = [self._judge(answer, similarity) for answer, similarity in self.read(samples)]
        latency = (time.perf_counter() - started) * 1000 / len(samples)
        return [draft(round(latency, 3)) for draft in drafts]

    def read(self, samples: Sequence[Sample]) -> list[tuple[Answer, Similarity]]:
        """The samples as the scorers get them: cut up, and all their texts encoded at once."""
        answers = [
            Answer(sample=sample, config=self.profile.config.text, answer_function=self._answer_function)
            for sample in samples
        ]
        groups = [self.texts(answer) for answer in answers]
        encoded = self.encoder.encode(groups)
        return [
            (answer, Similarity(group, vectors))
            for answer, group, vectors in zip(answers, groups, encoded, strict=True)
        ]

    def texts(self, answer: Answer) -> list[str]:
        """Every text that will be compared, once, in a fixed order."""
        named: dict[str, None] = {}
        for scorer in self.profile.scorers:
            named.update(dict.fromkeys(scorer.texts(answer)))
        named.update(dict.fromkeys(evidence_texts(answer, self.profile.config.evidence)))
        return list(named)

    def _judge(self, answer: Answer, similarity: Similarity) -> Callable[[float], EvalResult]:
        scores: dict[str, Score] = {}
        for scorer in self.profile.scorers:
            for score in scorer.score(answer, similarity, scores):
                scores[score.name] = score
        states = self._states(answer)
        ruling = self._policy.decide(scores, states)
        sentences = judge_sentences(answer, similarity, self.profile.config.evidence)
        warnings = self._warnings(answer, similarity)
        decision = ruling.decision
        if said := findings_text(sentences):
            decision = replace(decision, reason=f"{decision.reason} {said}")

        def finish(latency_ms: float) -> EvalResult:
            return EvalResult(
                sample_id=answer.sample.id,
                content_hash=answer.sample.content_hash,
                decision=decision,
                scores=tuple(scores.values()),
                sentences=sentences,
                states=states,
                passed=ruling.passed,
                needs_review=ruling.needs_review,
                used_llm_judge=False,
                fingerprint=self.fingerprint,
                warnings=warnings,
                latency_ms=latency_ms,
            )

        return finish

    def _states(self, answer: Answer) -> tuple[str, ...]:
        info = self.encoder.info
        found = {
            "empty_query": answer.blank_query,
            "empty_response": answer.blank_response,
            "empty_contexts": answer.blank_contexts,
            "refusal": answer.is_refusal,
            "part_refusal": answer.is_part_refusal,
            "lexical_encoder": info.is_lexical,
            "unknown_script": bool(info.scripts) and self._unknown_script(answer, info.scripts),
            **self._findings(answer),
        }
        return tuple(sorted(name for name, holds in found.items() if holds))

    def _findings(self, answer: Answer) -> dict[str, bool]:
        if not self.profile.config.evidence.findings:
            return {}
        kinds = {
            finding.kind
            for found, claims in zip(answer.findings, answer.claims, strict=True)
            for finding in found
            if claims
        }
        return {
            "wrong_number": bool(kinds & NUMERIC),
            "wrong_name": "name" in kinds,
            "wrong_statement": bool(kinds - NUMERIC - {"name"}),
        }

    def _unknown_script(self, answer: Answer, known: frozenset[str]) -> bool:
        limit = self.profile.config.states.unknown_script_above
        texts = (answer.sample.query, answer.sample.response, answer.context)
        return any(
            sum(part for script, part in scripts(text).items() if script not in known) > limit
            for text in texts
        )

    def _warnings(self, answer: Answer, similarity: Similarity) -> tuple[str, ...]:
        info = self.encoder.info
        warnings = []
        if info.is_lexical:
            cause = f": {info.fallback_reason}" if info.fallback_reason else ""
            warnings.append(f"no embedding model took part; words were compared instead{cause}")
        if self.profile.config.evidence.findings:
            warnings += _instructions(answer)
        named = {
            "the query": answer.sample.query,
            "the contexts": answer.context,
            "the response": answer.sample.response,
            **{f"sentence {i + 1}": sentence.text for i, sentence in enumerate(answer.sentences)},
        }
        for name, text in named.items():
            warnings += _truncation(name, *similarity.left_out(text))
        windows: dict[int, tuple[int, int]] = {}
        for window in answer.windows:
            left, total = similarity.left_out(window.text)
            before = windows.get(window.passage, (0, 0))
            windows[window.passage] = before[0] + left, before[1] + total
        for passage, (left, total) in windows.items():
            warnings += _truncation(f"passage {passage + 1}", left, total)
        return tuple(warnings)


def _instructions(answer: Answer) -> list[str]:
    """Where the evaluated text seems to give orders; for a person to see, it changes nothing."""
    texts = {
        "the response": answer.sample.response,
        **{f"passage {i + 1}": passage for i, passage in enumerate(answer.sample.contexts)},
    }
    found = ((name, instruction_in(text)) for name, text in texts.items())
    return [f"{INSTRUCTION}: {name} says '{phrase}'" for name, phrase in found if phrase is not None]


def _truncation(name: str, left: int, total: int) -> list[str]:
    return [f"text truncated: {left} of {total} tokens of {name} were not read"] if left else []
