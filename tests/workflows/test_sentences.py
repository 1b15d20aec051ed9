"""The list of doubted sentences: groups, pages, and verdicts one by one or wherever the text is the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evalcore.errors import StoreError
from evalcore.result import EvalResult, SentenceFinding, SentenceStatus, SentenceVerdict
from tests.db.build import OTHER_FINGERPRINT, make_result, make_sample, store_results
from tests.workflows.desk import people
from workflows import sentences
from workflows.labels import save_label, undo_last
from workflows.sentences import LOW_CONFIDENCE, SentenceFilter
from workflows.store import Store

ALL = SentenceFilter(scope="all")
FIRST, SECOND = "The pump is fused.", "It takes 5 A."


def finding(kind: str) -> SentenceFinding:
    return SentenceFinding(
        kind=kind,
        start=28,
        end=29,
        text="5",
        message="no 5 in the contexts",
        nearest="3",  # type: ignore[arg-type]
    )


def two_sentences(name: str, *kinds: str, low: bool = True, **fields: object) -> tuple[object, EvalResult]:
    """An answer of two sentences: the first may be doubted, the second holds findings."""
    sample = make_sample(name, response=f"{FIRST} {SECOND}")
    result = make_result(sample, **fields)  # type: ignore[arg-type]
    status = SentenceStatus.LOW_CONFIDENCE if low else SentenceStatus.SUPPORTED
    first = replace(result.sentences[0], end=len(FIRST), text=FIRST, status=status)
    second = SentenceVerdict(
        index=1,
        start=len(FIRST) + 1,
        end=len(FIRST) + 1 + len(SECOND),
        text=SECOND,
        support=0.9,
        status=SentenceStatus.SUPPORTED,
        findings=tuple(finding(kind) for kind in kinds),
    )
    return sample, replace(result, sentences=(first, second))


@pytest.fixture
def filled(store: Store) -> Store:
    store_results(store, two_sentences("a", "number", "unit"), two_sentences("b", "number", low=False))  # type: ignore[arg-type]
    store_results(store, two_sentences("c", failure_type="off_topic"), run="r2")  # type: ignore[arg-type]
    other = two_sentences("a", "number", fingerprint=OTHER_FINGERPRINT)
    store_results(store, other, run="r3")  # type: ignore[arg-type]
    return store


def keys(store: Store, where: SentenceFilter = ALL, limit: int = 2) -> list[tuple[int, int]]:
    """The whole list, page by page; its count must agree."""
    found: list[tuple[int, int]] = []
    after = None
    while True:
        page = sentences.page(store, where, after=after, limit=limit)
        found += [item.key for item in page.items]
        after = page.next_after
        if after is None:
            break
    assert sentences.count(store, where) == len(found)
    return found


def test_sentences_are_grouped_by_kind_and_failure_type(filled: Store) -> None:
    groups = sentences.groups(filled, ALL)
    assert [(g.kind, g.failure_type, g.n, g.n_labelled) for g in groups] == [
        ("number", "low_attribution", 3, 0),
        (LOW_CONFIDENCE, "low_attribution", 2, 0),
        (LOW_CONFIDENCE, "off_topic", 1, 0),
        ("unit", "low_attribution", 1, 0),
    ]


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_pages_hold_each_sentence_once_latest_first(filled: Store, limit: int) -> None:
    assert keys(filled, limit=limit) == [(4, 1), (4, 0), (3, 0), (2, 1), (1, 1), (1, 0)]
    assert keys(filled, SentenceFilter(scope="all", kind="number"), limit) == [(4, 1), (2, 1), (1, 1)]
    assert keys(filled, SentenceFilter(scope="all", failure_type="off_topic"), limit) == [(3, 0)]
    assert keys(filled, SentenceFilter(scope="all", run_id=1), limit) == [(2, 1), (1, 1), (1, 0)]
    assert keys(filled, SentenceFilter(scope="all", kind="number", failure_type="off_topic"), limit) == []


def test_an_item_holds_findings_evidence_and_how_many_are_the_same(filled: Store) -> None:
    found = {item.key: item for item in sentences.page(filled, ALL).items}
    assert found[1, 1].kinds == ("number", "unit")
    assert found[1, 1].sentence.findings[0].nearest == "3"
    assert found[1, 0].sentence.evidence[0].text == "Fuse"
    assert (found[1, 0].external_id, found[1, 0].query, found[1, 0].decision) == (
        "a",
        "Which fuse?",
        "REVIEW",
    )
    assert (found[1, 0].n_same, found[1, 1].n_same, found[4, 0].n_same) == (2, 2, 1)
    assert sentences.same_text(filled, (1, 0)) == ((1, 0), (3, 0))


def test_one_verdict_goes_to_every_sentence_of_the_same_text_and_fingerprint(filled: Store) -> None:
    ada, bea = people(filled, "Ada", "Bea")
    for added in (2, 0):
        n = sentences.label_sentences(
            filled, [(1, 0)], reviewer_id=ada, verdict="unsupported", token="t", same=True
        )
        assert n == added
    assert keys(filled, SentenceFilter(kind=LOW_CONFIDENCE)) == [(4, 0)]
    assert keys(filled, SentenceFilter(scope="mine", reviewer_id=ada)) == [(3, 0), (1, 0)]
    assert keys(filled, SentenceFilter(scope="not_mine", reviewer_id=ada)) == [(4, 1), (4, 0), (2, 1), (1, 1)]
    assert len(keys(filled, SentenceFilter(scope="not_mine", reviewer_id=bea))) == 6
    labelled = {(g.kind, g.failure_type): g.n_labelled for g in sentences.groups(filled)}
    assert labelled[LOW_CONFIDENCE, "low_attribution"] == 1
    assert labelled["number", "low_attribution"] == 0


def test_a_change_supersedes_and_a_withdrawal_counts_as_none(filled: Store) -> None:
    (ada,) = people(filled, "Ada")
    for token, verdict, added in (
        ("1", "supported", 1),
        ("2", "supported", 0),
        ("3", "not_a_claim", 1),
        ("1", "unsupported", 0),
    ):
        n = sentences.label_sentences(
            filled,
            [(1, 0)],
            reviewer_id=ada,
            verdict=verdict,
            token=token,  # type: ignore[arg-type]
        )
        assert n == added
    (label,) = sentences.labels_of(filled, 1)
    assert (label.verdict, label.reviewer, label.idx, label.label_id) == ("not_a_claim", "Ada", 0, None)
    assert sentences.label_sentences(filled, [(1, 0)], reviewer_id=ada, verdict="withdrawn", token="4") == 1
    assert sentences.labels_of(filled, 1) == ()
    assert (1, 0) in keys(filled, SentenceFilter())


def test_verdicts_given_beside_a_label_are_tied_to_it(filled: Store) -> None:
    (ada,) = people(filled, "Ada")
    label = save_label(
        filled,
        result_id=1,
        reviewer_id=ada,
        verdict="reject",
        token="t",
        seen="marks",
        sentences={0: "supported", 1: "unsupported"},
    )
    stored = sentences.labels_of(filled, 1)
    assert [(s.idx, s.verdict, s.label_id, s.seen) for s in stored] == [
        (0, "supported", label.id, "marks"),
        (1, "unsupported", label.id, "marks"),
    ]


def test_undo_takes_back_what_was_said_of_sentences_beside_the_label(filled: Store) -> None:
    (ada,) = people(filled, "Ada")

    def said() -> dict[int, str]:
        return {label.idx: label.verdict for label in sentences.labels_of(filled, 1)}

    first = save_label(
        filled, result_id=1, reviewer_id=ada, verdict="accept", sentences={0: "supported", 1: "supported"}
    )
    save_label(
        filled,
        result_id=1,
        reviewer_id=ada,
        verdict="reject",
        replaces=first.id,
        sentences={1: "unsupported"},
    )
    assert said() == {0: "supported", 1: "unsupported"}
    undo_last(filled, ada)
    assert said() == {0: "supported", 1: "supported"}
    sentences.label_sentences(filled, [(1, 0)], reviewer_id=ada, verdict="not_a_claim", token="own")
    undo_last(filled, ada)
    assert said() == {0: "not_a_claim"}
    assert undo_last(filled, ada) is None


def test_what_cannot_be_labelled_leaves_nothing_stored(filled: Store) -> None:
    (ada,) = people(filled, "Ada")
    for wrong in ([(1, 0), (1, 9)], [(1, 0), (99, 0)]):
        with pytest.raises(StoreError, match="no such sentence"):
            sentences.label_sentences(filled, wrong, reviewer_id=ada, verdict="supported", token="t")
    with pytest.raises(StoreError, match="no such verdict"):
        sentences.label_sentences(filled, [(1, 0)], reviewer_id=ada, verdict="fine", token="t")  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="no such sentence"):
        sentences.same_text(filled, (1, 9))
    assert sentences.labels_of(filled, 1) == ()
