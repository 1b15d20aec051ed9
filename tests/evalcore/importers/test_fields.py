from __future__ import annotations

import pytest

from evalcore.errors import InputError
from evalcore.importers.fields import FieldMapping, resolve, resolve_table


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (["query", "context", "response"], ("query", "context", "response", None, None)),
        (
            ["user_input", "retrieved_contexts", "reference_contexts", "response", "reference"],
            ("user_input", "retrieved_contexts", "response", "reference", None),
        ),
        (
            ["question", "contexts", "answer", "ground_truths"],
            ("question", "contexts", "answer", "ground_truths", None),
        ),
        (
            ["input", "context", "retrieval_context", "actual_output", "expected_output"],
            ("input", "retrieval_context", "actual_output", "expected_output", None),
        ),
        (
            ["input", "retrievalContext", "actualOutput", "expectedOutput"],
            ("input", "retrievalContext", "actualOutput", "expectedOutput", None),
        ),
        (
            ["query", "expected_chunks", "completion", "expected_response", "qid"],
            ("query", "expected_chunks", "completion", "expected_response", "qid"),
        ),
        (
            ["input", "context", "output", "expected_output"],
            ("input", "context", "output", "expected_output", None),
        ),
        (
            ["question", "reference_context", "reference_answer", "answer"],
            ("question", "reference_context", "answer", "reference_answer", None),
        ),
        (
            ["\ufeffID", " Question ", "ANSWER", "Retrieved Contexts"],
            (" Question ", "Retrieved Contexts", "ANSWER", None, "\ufeffID"),
        ),
        (["prompt", "question", "answer", "output"], ("question", None, "answer", None, None)),
    ],
)
def test_names_of_each_tool_are_recognised(columns: list[str], expected: tuple[str | None, ...]) -> None:
    found = resolve(columns)
    assert (found.query, found.contexts, found.response, found.reference, found.id) == expected


def test_two_columns_of_one_rank_are_not_guessed_between() -> None:
    with pytest.raises(InputError) as caught:
        resolve(["question", "answer", "response"])
    assert "could be response" in str(caught.value)
    assert "answer, response" in str(caught.value)


def test_spellings_of_one_name_are_not_guessed_between() -> None:
    with pytest.raises(InputError, match="could be contexts"):
        resolve(["question", "answer", "retrieval_context", "retrievalContext"])


def test_explicit_mapping_overrides_and_frees_the_other_names() -> None:
    found = resolve(["question", "answer", "response"], FieldMapping(reference="answer"))
    assert (found.query, found.response, found.reference) == ("question", "response", "answer")


def test_explicit_column_that_is_absent_is_refused() -> None:
    with pytest.raises(InputError, match=r"mapped to response is missing \(anser\); got: question, answer"):
        resolve(["question", "answer"], FieldMapping(response="anser"))


def test_only_a_reference_may_be_absent_from_single_rows() -> None:
    assert resolve(["question", "answer"], FieldMapping(reference="gold"), sparse=True).reference is None
    with pytest.raises(InputError):
        resolve(["question", "answer"], FieldMapping(id="key"), sparse=True)


def test_table_lists_every_missing_field_with_the_names_found_and_known() -> None:
    with pytest.raises(InputError) as caught:
        resolve_table(["id", "text"], None, file="a.csv")
    message = str(caught.value)
    assert "no column for query, contexts, response (a.csv); got: columns id, text" in message
    assert "retrieved_contexts" in message
    assert "user_input" in message


@pytest.mark.parametrize(
    "wrong",
    [{"query": " "}, {"contexts_separator": ""}, {"contexts": "context", "without_contexts": True}],
)
def test_senseless_mapping_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(InputError):
        FieldMapping(**wrong)  # type: ignore[arg-type]
