"""A sample's identity: what its content hash counts and what it leaves out."""

from __future__ import annotations

import dataclasses
import hashlib

import pytest

from evalcore.sample import Sample

BASE = Sample(query="q", contexts=["one", "two"], response="r", reference="ref")


def test_the_hash_is_that_of_the_documented_form() -> None:
    sample = Sample(query='Ä "q"', contexts=["один"], response="a\nb")
    form = '{"contexts":["один"],"query":"Ä \\"q\\"","reference":null,"response":"a\\nb","v":1}'

    assert sample.content_hash == hashlib.sha256(form.encode("utf-8")).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        {"query": "Q"},
        {"query": "q "},
        {"response": ""},
        {"contexts": ["two", "one"]},
        {"contexts": ["onetwo"]},
        {"contexts": ["one", "two", ""]},
        {"contexts": []},
        {"reference": None},
        {"reference": ""},
    ],
)
def test_the_hash_knows_every_text(change: dict[str, object]) -> None:
    assert dataclasses.replace(BASE, id="", **change).content_hash != BASE.content_hash  # type: ignore[arg-type]


def test_the_hash_leaves_out_id_and_metadata() -> None:
    other = dataclasses.replace(BASE, id="mine", metadata={"a": 1})

    assert other.content_hash == BASE.content_hash
    assert (other.id, BASE.id) == ("mine", BASE.content_hash)


def test_composed_and_decomposed_letters_are_two_texts() -> None:
    hashes = {Sample(query=text, contexts=[], response="").content_hash for text in ("\u00e9", "e\u0301")}

    assert len(hashes) == 2


def test_contexts_may_be_any_sequence_and_become_a_tuple() -> None:
    for contexts in (["a", "b"], ("a", "b"), iter(["a", "b"])):
        assert Sample(query="", contexts=contexts, response="").contexts == ("a", "b")  # type: ignore[arg-type]


def test_a_sample_cannot_be_changed() -> None:
    metadata: dict[str, int] = {"a": 1}
    sample = Sample(query="q", contexts=[], response="r", metadata=metadata)
    metadata["a"] = 2

    assert sample.metadata == {"a": 1}
    with pytest.raises(TypeError):
        sample.metadata["a"] = 3  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        sample.query = "other"  # type: ignore[misc]
