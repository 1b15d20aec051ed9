"""A pytest plugin: fixture ``proofdesk_baseline`` fails a test whose answers are worse than a baseline's.

Examples
--------
::

    def test_answers_hold(proofdesk_baseline):
        proofdesk_baseline("baselines/support.jsonl", my_system)

where ``my_system(query, contexts)`` gives an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from evalcore.sample import Sample
    from workflows.gate import GateReport

Answers: TypeAlias = (
    "Callable[[str, tuple[str, ...]], str] | Mapping[str, str] | Iterable[Sample] | str | Path"
)
Check: TypeAlias = "Callable[..., GateReport]"


@pytest.fixture
def proofdesk_baseline() -> Check:
    """Gives ``check(baseline, answers, config=None, profile=None, rescore=False, db=None)``.

    ``baseline`` is an exported file, or a name with ``db``. ``answers`` is a function of question and
    passages, a mapping of case id to answer, samples, or the path of a file. ``config`` is a mapping as in
    gates.yaml, or the path of such a file. Anything but a pass fails the test with the report; the report is
    returned.
    """
    return _check


def _check(
    baseline: str | Path,
    answers: Answers,
    *,
    config: Mapping[str, Any] | str | Path | None = None,
    profile: str | None = None,
    rescore: bool = False,
    db: str | None = None,
) -> GateReport:
    # Imported here: a plugin is loaded by every run of pytest, also where nobody asks for it.
    from workflows import gate
    from workflows.store import open_store

    __tracebackhide__ = True
    store = None if db is None else open_store(db, create=False)
    try:
        found = gate.find_baseline(store, str(baseline))
    finally:
        if store is not None:
            store.close()
    bounds = (
        gate.GateConfig.model_validate(config)
        if isinstance(config, Mapping)
        else gate.read_config(None if config is None else Path(config))
    )
    if isinstance(answers, str | Path):
        report = gate.gate_file(found, answers, bounds, profile=profile, rescore=rescore)
    else:
        samples = _samples([case.sample for case in found.cases], answers)
        report = gate.gate_answers(found, samples, bounds, profile=profile, rescore=rescore)
    if report.outcome != "pass":
        pytest.fail(gate.to_markdown(report), pytrace=False)
    return report


def _samples(asked: Sequence[Sample], answers: Any) -> list[Sample]:
    if callable(answers):
        return [replace(sample, response=answers(sample.query, sample.contexts)) for sample in asked]
    if isinstance(answers, Mapping):
        return [replace(sample, response=answers[sample.id]) for sample in asked if sample.id in answers]
    return list(answers)
