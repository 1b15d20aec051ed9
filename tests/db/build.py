"""Samples and results of any kind, for the store's tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from db.engine import Store
from db.repositories.results import Results
from db.repositories.runs import Runs, RunSpec
from evalcore.result import (
    Decision,
    EvalResult,
    Evidence,
    Fingerprint,
    HallucinationStatus,
    Score,
    SentenceStatus,
    SentenceVerdict,
    Verdict,
)
from evalcore.sample import Sample

NOON = datetime(2025, 6, 2, 12, 0, tzinfo=UTC)

FINGERPRINT = Fingerprint(
    profile="default",
    profile_hash="p1",
    encoder="minilm",
    weights_hash="w1",
    backend="onnx",
    precision="fp32",
    runtime_version="1.0",
    package_version="0.1.0",
)
OTHER_FINGERPRINT = replace(FINGERPRINT, profile="classic", profile_hash="p2")


def make_sample(
    name: str = "s1", *, response: str = "The pump is fused. It hums.", **fields: object
) -> Sample:
    """A sample with two passages; the name is its id."""
    values = {"query": "Which fuse?", "contexts": ("Fuse F3 guards the pump.", "Pumps hum.")} | fields
    return Sample(id=name, response=response, **values)


def make_result(
    sample: Sample,
    *,
    verdict: Verdict = Verdict.REVIEW,
    failure_type: str = "low_attribution",
    final: float | None = 0.4,
    fingerprint: Fingerprint = FINGERPRINT,
    scores: tuple[Score, ...] = (),
) -> EvalResult:
    """A result with one sentence that spans the whole response."""
    measured = (
        Score.unmeasured("final", "nothing to measure") if final is None else Score(name="final", value=final)
    )
    low = SentenceVerdict(
        index=0,
        start=0,
        end=len(sample.response),
        text=sample.response,
        support=0.25,
        status=SentenceStatus.LOW_CONFIDENCE,
        evidence=(Evidence(passage=0, start=0, end=4, text=sample.contexts[0][:4], score=0.25),),
    )
    return EvalResult(
        sample_id=sample.id,
        content_hash=sample.content_hash,
        decision=Decision(
            verdict=verdict,
            rule_id="weak_support",
            failure_type=failure_type,
            hallucination_status=HallucinationStatus.SUSPECTED,
            next_action="human_review",
            reason="The answer rests on little.",
            why="Support is low.",
            confidence_pct=40,
        ),
        scores=(measured, Score(name="attribution", value=0.31), *scores),
        sentences=(low,),
        states=("refusal",),
        passed=False,
        needs_review=True,
        used_llm_judge=False,
        fingerprint=fingerprint,
        warnings=("cut at 256 tokens",),
        latency_ms=12.5,
    )


def start_run(
    session: Session, key: str = "r1", *, fingerprint: Fingerprint = FINGERPRINT, at: datetime = NOON
) -> int:
    """The id of a run, started if it is new."""
    spec = RunSpec(key=key, name=key, source="f.jsonl", fingerprint=fingerprint, started_at=at)
    return Runs(session).start(spec).id


def store_results(
    store: Store, *pairs: tuple[Sample, EvalResult], run: str = "r1", at: datetime = NOON
) -> list[int]:
    """Store results of one fingerprint under a run; their ids, in the order given."""
    with store.write() as session:
        run_id = start_run(session, run, fingerprint=pairs[0][1].fingerprint)
        results = Results(session)
        results.add_many(run_id, pairs, at)
        wanted = [(sample.id, result.fingerprint.id) for sample, result in pairs]
        return [
            next(item.id for item in results.find(name) if item.fingerprint_id == fingerprint)
            for name, fingerprint in wanted
        ]
