"""The two shipped gates, loaded once, and what they say of the demo's answers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evalcore.evaluator import Evaluator
from evalcore.result import EvalResult
from evalcore.sample import Sample
from seed_data import load_samples

PROFILES = ("classic", "default")


@pytest.fixture(scope="session")
def gates() -> Mapping[str, Evaluator]:
    return {name: Evaluator.from_profile(name) for name in PROFILES}


@pytest.fixture(scope="session")
def seed_samples() -> list[Sample]:
    return [seed.sample for seed in load_samples()]


@pytest.fixture(scope="session")
def seed_results(
    gates: Mapping[str, Evaluator], seed_samples: list[Sample]
) -> Mapping[str, list[EvalResult]]:
    return {name: list(gate.evaluate_many(seed_samples)) for name, gate in gates.items()}
