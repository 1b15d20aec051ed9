"""What one change does to the gate: a changed fact raises the risk, a changed form turns no decision."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import pytest

from evalcore.evaluator import Evaluator
from evalcore.sample import Sample
from seed_data import load_samples
from tests.evalcore.findings.metamorphic import Case, cases

UNRELATED = "The tide tables of the northern harbour are printed every second year on yellow paper."
Contexts = tuple[str, ...]


@pytest.fixture(scope="module")
def gate(gates: Mapping[str, Evaluator]) -> Evaluator:
    return gates["default"]


def _risks(gate: Evaluator, answers: Sequence[tuple[Contexts, str]]) -> list[float]:
    samples = [Sample(query="", contexts=contexts, response=response) for contexts, response in answers]
    found = [result.score("risk").value for result in gate.evaluate_many(samples)]
    return [1.0 if risk is None else risk for risk in found]


def _some(found: Sequence[Case]) -> list[Case]:
    """All kinds alike, as far as there are cases, 90 of each at most."""
    by_kind: dict[str, list[Case]] = defaultdict(list)
    for case in found:
        by_kind[case.kind].append(case)
    chance = random.Random(7)
    return [case for own in by_kind.values() for case in chance.sample(own, min(len(own), 90))]


def test_one_changed_fact_raises_the_risk_in_nine_cases_of_ten(gate: Evaluator) -> None:
    chosen = _some(list(cases()))
    before = _risks(gate, [(case.contexts, case.sentence) for case in chosen])
    after = _risks(gate, [(case.contexts, case.changed) for case in chosen])
    total, raised = Counter(case.kind for case in chosen), Counter[str]()
    for case, old, new in zip(chosen, before, after, strict=True):
        raised[case.kind] += new > old

    assert sum(total.values()) >= 300
    shares = {kind: raised[kind] / n for kind, n in total.items()}
    # Negations stand at the edge: 81 of 90 when this was written, fewer on a machine that rounds otherwise.
    assert {
        kind: share for kind, share in shares.items() if share < (0.85 if kind == "negation" else 0.9)
    } == {}


def _turned(contexts: Contexts) -> Contexts:
    return contexts[::-1]


def _with_more(contexts: Contexts) -> Contexts:
    return (*contexts, UNRELATED)


def _behind_a_long_text(contexts: Contexts) -> Contexts:
    return (f"{UNRELATED}\n\n" * 40 + contexts[0], *contexts[1:]) if contexts else ()


@pytest.mark.parametrize(
    ("change", "at_most"),
    # Behind a long text 4 of 76 fall: windows are cut anew, and what is rare among them is counted anew.
    [(_turned, 0.03), (_with_more, 0.03), (_behind_a_long_text, 0.06)],
)
def test_another_layout_of_the_contexts_turns_few_decisions(
    gate: Evaluator, change: Callable[[Contexts], Contexts], at_most: float
) -> None:
    def changed(sample: Sample) -> Sample:
        return Sample(query=sample.query, contexts=change(sample.contexts), response=sample.response)

    assert _turned_share(gate, changed) <= at_most


def _quotes(text: str) -> str:
    return text.replace('"', "“").replace("'", "’")


def test_other_quotes_turn_few_decisions(gate: Evaluator) -> None:
    def changed(sample: Sample) -> Sample:
        return Sample(query=sample.query, contexts=sample.contexts, response=_quotes(sample.response))

    assert _turned_share(gate, changed) <= 0.03


def _turned_share(gate: Evaluator, change: Callable[[Sample], Sample]) -> float:
    """Share of the English seed answers whose decision is another one after the change."""
    samples = [seed.sample for seed in load_samples() if seed.lang == "en"]
    before = list(gate.evaluate_many(samples))
    after = list(gate.evaluate_many([change(sample) for sample in samples]))
    turned = [a.decision.verdict != b.decision.verdict for a, b in zip(before, after, strict=True)]
    return sum(turned) / len(samples)
