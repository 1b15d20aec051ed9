"""Alignment of a sentence with its contexts: letters, words, meaning."""

from __future__ import annotations

import pytest

from evalcore import Evaluator, Sample
from evalcore.alignment import sentence_alignment
from evalcore.answer import Answer
from evalcore.scorers.alignment import Alignment, AlignmentConfig
from evalcore.similarity import Similarity

CONTEXTS = ("The depot holds 24 trams. It was built of brick in 1902 and stands by the river.",)


@pytest.fixture
def gate(gates: dict[str, Evaluator]) -> Evaluator:
    return gates["default"]


def alignments(gate: Evaluator, response: str, contexts: tuple[str, ...] = CONTEXTS) -> list[float]:
    answer = Answer(
        sample=Sample(query="What is known of the depot?", contexts=contexts, response=response),
        config=gate.profile.config.text,
    )
    texts = gate.texts(answer)
    return sentence_alignment(answer, Similarity(texts, gate.encoder.encode([texts])[0])).tolist()


def test_a_sentence_that_is_the_whole_context_aligns_fully(gate: Evaluator) -> None:
    # Each part is 1 by hand: equal texts, equal word sets, the cosine of a vector with itself.
    assert alignments(gate, "The depot holds 24 trams.", ("The depot holds 24 trams.",)) == [
        pytest.approx(1.0)
    ]


def test_case_changes_nothing_but_the_vector(gate: Evaluator) -> None:
    plain = alignments(gate, "The depot holds 24 trams.")[0]
    assert alignments(gate, "THE DEPOT HOLDS 24 TRAMS.")[0] == pytest.approx(plain, abs=0.01)


def test_a_sentence_from_elsewhere_aligns_less_than_one_from_the_context(gate: Evaluator) -> None:
    held, invented = alignments(gate, "The depot holds 24 trams. Its café won a prize for lemon cake.")
    assert held > 0.8
    assert invented < 0.5


def test_function_words_alone_do_not_align_a_sentence(gate: Evaluator) -> None:
    (only_common,) = alignments(gate, "It was of the and by it in.")
    (content,) = alignments(gate, "It was built of brick.")
    assert content > only_common


def test_risk_is_what_the_alignment_leaves(gate: Evaluator) -> None:
    response = "The depot holds 24 trams. Its café won a prize for lemon cake."
    sample = Sample(query="What is known of the depot?", contexts=CONTEXTS, response=response)
    scorer = Alignment(AlignmentConfig(weakest=3))
    ((answer, similarity),) = gate.read([sample])

    alignment, risk = scorer.score(answer, similarity, {})

    assert alignment.value is not None
    assert risk.value == pytest.approx(1 - alignment.value)
    assert alignment.value == pytest.approx(sum(alignments(gate, response)) / 2, abs=1e-4)


def test_only_the_weakest_sentences_count(gate: Evaluator) -> None:
    weak = "Its café won a prize for lemon cake. A ghost signs the visitors' book. Kings slept in the attic."
    strong = " The depot holds 24 trams. It was built of brick in 1902. It stands by the river."

    def alignment(response: str) -> float | None:
        return (
            gate.evaluate(query="The depot?", contexts=CONTEXTS, response=response).score("alignment").value
        )

    assert alignment(weak + strong) == alignment(weak)


@pytest.mark.parametrize("response", ["", "I don't know.", "..."])
def test_without_claims_there_is_no_alignment(gate: Evaluator, response: str) -> None:
    result = gate.evaluate(query="What is known of the depot?", contexts=CONTEXTS, response=response)
    assert result.score("alignment").value is None
    assert result.score("risk").value is None
    assert result.score("risk").reason


def test_any_script_aligns_with_itself(gate: Evaluator) -> None:
    contexts = ("Депо построено в 1902 году. В нём 24 трамвая.", "该水泵额定功率为5千瓦。")
    russian, invented = alignments(gate, "В нём 24 трамвая. Кафе получило приз за торт.", contexts)
    assert russian > 0.8 > 0.6 > invented
    (chinese,) = alignments(gate, "水泵额定功率为5千瓦。", contexts)
    assert chinese > 0.7
