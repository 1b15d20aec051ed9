"""Every measure of one way on one file."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from benchmarks import detection_metrics as metrics
from benchmarks.detection_metrics import Estimate, Flags, Floats
from benchmarks.detection_ways import Column, Judgement
from benchmarks.judged import JudgedAnswer

Row = dict[str, Estimate]


def measure(
    name: str,
    way: str,
    answers: Mapping[str, Sequence[JudgedAnswer]],
    said: Mapping[str, Mapping[str, Column]],
    repeats: int,
) -> Row:
    """Every measure of one way on one file, by its title.

    Parameters
    ----------
    name, way : str
        The file and the way.
    answers, said : mapping
        The answers of every file and what every way says of them: the others give the threshold that is best
        on other data.
    repeats : int
        Bootstrap resamples.
    """
    judged = said[name][way].judgements
    documents = [answer.document for answer in answers[name]] if judged else []
    unsupported = _flags(not answer.supported for answer in answers[name]) if judged else _flags(())
    risk = np.array([j.risk for j in judged])
    cut = _threshold_elsewhere(name, way, answers, said)
    own = _flags(bool(j.flagged) for j in judged) if judged and judged[0].flagged is not None else None
    other = risk >= cut if cut is not None and judged else None

    def interval(of: Callable[[Floats, Flags], float | None]) -> Estimate:
        return metrics.bootstrap(documents, lambda i: of(risk[i], unsupported[i]), repeats=repeats)

    def at(flagged: Flags | None, of: Callable[[Flags, Flags], float | None]) -> Estimate:
        if flagged is None:
            return Estimate(None)
        return metrics.bootstrap(documents, lambda i: of(flagged[i], unsupported[i]), repeats=repeats)

    took = [j.milliseconds for j in judged if j.failure is None]
    return {
        "AUROC": interval(metrics.auroc),
        "average precision": interval(metrics.average_precision),
        "balanced accuracy": at(own, metrics.balanced_accuracy),
        "F1": at(own, metrics.f1),
        "bal. acc., other data's cut": at(other, metrics.balanced_accuracy),
        "F1, other data's cut": at(other, metrics.f1),
        "unread at 95%": interval(metrics.coverage_at_precision),
        "ECE": interval(metrics.calibration_error),
        "sentence AUROC": _sentence_auroc(answers[name], judged, repeats) if judged else Estimate(None),
        "p50 ms": Estimate(statistics.median(took) if took else None),
    }


def mean_auroc(rows: Sequence[Row]) -> tuple[float | None, int]:
    """The mean AUROC over the files where it is defined, and how many those are."""
    values = [value for row in rows if (value := row["AUROC"].value) is not None]
    return (statistics.mean(values) if values else None), len(values)


def _threshold_elsewhere(
    name: str,
    way: str,
    answers: Mapping[str, Sequence[JudgedAnswer]],
    said: Mapping[str, Mapping[str, Column]],
) -> float | None:
    others = [other for other in answers if other != name and said[other][way].judgements]
    if not others:
        return None
    risk = np.array([j.risk for other in others for j in said[other][way].judgements])
    return metrics.best_threshold(risk, _flags(not a.supported for o in others for a in answers[o]))


def _sentence_auroc(answers: Sequence[JudgedAnswer], judged: Sequence[Judgement], repeats: int) -> Estimate:
    """AUROC over the stretches people judged; a stretch is as risky as the riskiest sentence it touches."""
    documents, risks, bad = [], [], []
    for answer, judgement in zip(answers, judged, strict=True):
        for stretch in answer.sentences:
            touched = [
                r for start, end, r in judgement.sentences if start < stretch.end and end > stretch.start
            ]
            if touched:
                documents.append(answer.document)
                risks.append(max(touched))
                bad.append(not stretch.supported)
    if not risks:
        return Estimate(None)
    risk, unsupported = np.array(risks), _flags(bad)
    return metrics.bootstrap(documents, lambda i: metrics.auroc(risk[i], unsupported[i]), repeats=repeats)


def _flags(values: Iterable[bool]) -> Flags:
    return np.array(list(values), dtype=bool)
