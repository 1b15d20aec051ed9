"""The page on which a lead settles what reviewers disagree on."""

from __future__ import annotations

import pytest

from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of, sign_in, toasts
from workflows import adjudication, claims, review
from workflows.store import Store


@pytest.fixture
def disputed(store: Store) -> int:
    """An item that two reviewers see differently; Ada leads."""
    ada = review.sign_in(store, "Ada")
    claims.change_settings(store, ada.id, labels_required=2)
    item = review.find_results(store, "lib-019")[0].id
    for name, verdict, note in (("Bea", "accept", "fine by me"), ("Cem", "reject", "<b>25</b> is wrong")):
        person = review.sign_in(store, name)
        review.add_label(store, result_id=item, reviewer_id=person.id, verdict=verdict, note=note)  # type: ignore[arg-type]
    return item


def test_a_lead_reads_both_words_unnamed_and_settles(
    store: Store, open_page: OpenPage, disputed: int
) -> None:
    test = sign_in(open_page("adjudicate", item=str(disputed)))
    shown = html_of(test)
    assert "fine by me" in shown
    assert "&lt;b&gt;25&lt;/b&gt; is wrong" in shown
    for name in ("Bea", "Cem"):
        assert name not in shown

    test.text_area(key=f"settle-note-{disputed}").set_value("40 cents, says the passage")
    test.button(key="settle-reject").click().run()

    gold = adjudication.gold_label(store, disputed)
    assert gold is not None
    assert gold.verdict == "reject"
    assert "Settled: reject" in toasts(test)[0].replace("\\", "")
    assert adjudication.settlements(store, disputed)[0].note == "40 cents, says the passage"
    assert disputed not in [
        row.result_id for row in adjudication.disagreements(store, review.sign_in(store, "Ada").id)
    ]


def test_who_is_no_lead_is_told_so(open_page: OpenPage, disputed: int) -> None:
    test = sign_in(open_page("adjudicate", item=str(disputed)), "Bea")

    assert "Only a lead may do this" in test.info[0].value
    assert "is wrong" not in html_of(test)


def test_nothing_to_settle_says_how_to_find_some(store: Store, open_page: OpenPage) -> None:
    ada = review.sign_in(store, "Ada")
    for row in adjudication.disagreements(store, ada.id, limit=100):
        adjudication.settle(store, ada.id, row.result_id, "accept", token=review.new_token())
    test = sign_in(open_page("adjudicate"))

    assert "Nothing to settle" in html_of(test)
    assert "0 to settle" in html_of(test)
    assert "There is no such result" in sign_in(open_page("adjudicate", item="99999")).warning[0].value
