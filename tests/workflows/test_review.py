"""Review: which result is meant, what comes next, and labels that are only ever added."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evalcore import Evaluator
from evalcore.errors import InputError, StoreError
from tests.workflows.answers import answer, write_jsonl
from workflows import review
from workflows.evaluate import evaluate_file
from workflows.overview import overview
from workflows.store import Store, open_store

# Half of it stands in the passage, so a person is to look.
DOUBTFUL = "The pump is guarded by a fuse in the cellar of the house."


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, evaluator: Evaluator) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("review")
    store = open_store(str(folder / "p.db"))
    rows = [answer(n) for n in range(3)] + [answer(n, answer=DOUBTFUL) for n in range(3, 8)]
    rows += [answer(8, id="4"), answer(9, id="#9")]
    evaluate_file(store, evaluator, write_jsonl(folder / "a.jsonl", rows))
    evaluate_file(store, evaluator, write_jsonl(folder / "b.jsonl", [answer(0, answer=DOUBTFUL)]))
    yield store
    store.close()


@pytest.mark.parametrize(("which", "number"), [("a-1", 2), ("#1", 1), ("4", 9), ("#4", 4), ("3", 3)])
def test_a_result_is_meant_by_id_or_number(which: str, number: int, filled: Store) -> None:
    assert review.resolve(filled, which) == number


@pytest.mark.parametrize("which", ["", "#", "# 1", "-1", "1.0", "A-1", "a-1 ", "#9999", "9" * 19, "١"])
def test_what_means_no_result_is_refused(which: str, filled: Store) -> None:
    with pytest.raises((InputError, StoreError), match="no such result"):
        review.resolve(filled, which)


def test_an_id_with_several_results_asks_for_a_number(filled: Store) -> None:
    with pytest.raises(InputError, match="several results") as caught:
        review.resolve(filled, "a-0")
    assert "#1 (" in str(caught.value)
    assert "#11 (" in str(caught.value)


def test_a_run_that_is_not_there_is_no_empty_list(filled: Store) -> None:
    with pytest.raises(StoreError, match="no such run"):
        review.list_results(filled, review.ResultFilter(run_id=99))


def test_the_queue_goes_round_until_nothing_waits(filled: Store) -> None:
    where = review.QueueFilter()
    waiting = [item.id for item in review.queue_page(filled, where, limit=100).items]
    assert len(waiting) >= 2
    first = review.next_item(filled, where, None)
    assert first is not None
    assert first.id == waiting[0]
    last = review.queue_page(filled, where, limit=100).items[-1]
    after_last = review.next_item(filled, where, last.cursor)
    assert after_last is not None
    assert after_last.id == waiting[0]
    assert dict(review.failure_types(filled)).keys() <= {
        item.failure_type for item in review.queue_page(filled, where, limit=100).items
    }


def test_a_form_sent_twice_is_one_label(filled: Store) -> None:
    person = review.sign_in(filled, "Ada")
    token = review.new_token()
    sent = [
        review.add_label(filled, result_id=1, reviewer_id=person.id, verdict="accept", token=token)
        for _ in range(2)
    ]
    assert sent[0] == sent[1]
    assert len(review.item(filled, 1).labels) == 1


def test_a_change_of_mind_supersedes_and_keeps_the_first(filled: Store) -> None:
    ada, bo = review.sign_in(filled, "Ada"), review.sign_in(filled, "Bo")
    first = review.add_label(filled, result_id=2, reviewer_id=ada.id, verdict="accept")
    with pytest.raises(StoreError, match="already labelled"):
        review.add_label(filled, result_id=2, reviewer_id=ada.id, verdict="reject")
    second = review.add_label(filled, result_id=2, reviewer_id=ada.id, verdict="reject", replaces=first.id)
    third = review.add_label(filled, result_id=2, reviewer_id=ada.id, verdict="accept", replaces=second.id)
    review.add_label(filled, result_id=2, reviewer_id=bo.id, verdict="unsure")
    assert review.current_label(filled, 2, ada.id) == third
    history = review.item(filled, 2).labels
    assert [(label.reviewer, label.verdict, label.supersedes) for label in history] == [
        ("Ada", "accept", None),
        ("Ada", "reject", first.id),
        ("Ada", "accept", second.id),
        ("Bo", "unsure", None),
    ]


def test_labelling_moves_an_item_out_of_what_waits(filled: Store) -> None:
    person = review.sign_in(filled, "Cy")
    where = review.QueueFilter()
    before = review.progress(filled, where, person.id)
    waiting = review.next_item(filled, where, None)
    assert waiting is not None
    review.add_label(filled, result_id=waiting.id, reviewer_id=person.id, verdict="reject")
    after = review.progress(filled, where, person.id)
    assert after != before
    following = review.next_item(filled, where, waiting.cursor)
    assert following is not None
    assert following.id != waiting.id
    assert [person.name for person in review.reviewers(filled)] == ["Ada", "Bo", "Cy"]


def test_the_overview_adds_up(filled: Store) -> None:
    seen = overview(filled)
    assert seen.profile == "default"
    assert seen.n_results == 11
    assert sum(seen.n(decision) for decision in ("ACCEPT", "REVIEW", "REJECT")) == 11
    assert sum(day.n for day in seen.by_day) == 11
    assert [run.name for run in seen.runs] == ["b.jsonl", "a.jsonl"]
    assert overview(filled, profile="classic").n_results == 0
    with pytest.raises(StoreError, match="zone"):
        overview(filled, zone="Mars/Olympus")


def test_the_overview_of_an_empty_store_is_empty(store: Store) -> None:
    seen = overview(store)
    assert (seen.profile, seen.n_results, seen.by_day, seen.runs) == (None, 0, (), ())
