"""The page of doubted sentences."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of, parameter, sign_in, toasts
from workflows import review, sentences
from workflows.sentences import SentenceFilter
from workflows.store import Store


def _first(store: Store) -> sentences.DoubtItem:
    return sentences.page(store, SentenceFilter(scope="all")).items[0]


def _said(store: Store, item: sentences.DoubtItem) -> list[tuple[str, str]]:
    rows = sentences.labels_of(store, item.result_id)
    return [(row.reviewer, row.verdict) for row in rows if row.idx == item.idx]


def _button(test: AppTest, item: sentences.DoubtItem, verdict: str) -> AppTest:
    return test.button(key=f"say-{verdict}-{item.result_id}-{item.idx}").click().run()


def test_sentences_stand_with_doubt_and_evidence(store: Store, open_page: OpenPage) -> None:
    shown = html_of(sign_in(open_page("sentences")))
    item = _first(store)

    assert f"{sentences.count(store, SentenceFilter(scope='all'))} sentences" in shown
    assert item.sentence.text in shown
    assert "low confidence" in shown
    assert "pd-quote" in shown


def test_a_sentence_is_labelled_from_the_list_and_taken_back(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("sentences", which="all"))
    item = _first(store)
    _button(test, item, "unsupported")
    assert _said(store, item) == [("Ada", "unsupported")]

    _button(test, item, "unsupported")
    assert _said(store, item) == []
    assert toasts(test) == ["Taken back\\."]


def test_a_labelled_sentence_leaves_the_list_of_those_not_mine(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("sentences"))
    before = sentences.count(store, SentenceFilter(scope="all"))
    _button(test, _first(store), "supported")

    assert f"{before - 1} sentences" in html_of(test)


def test_filters_stay_in_the_url_and_nonsense_does_no_harm(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("sentences"))
    test.selectbox(key="sentences-kind").set_value("number").run()
    assert parameter(test, "kind") == "number"
    assert f"{sentences.count(store, SentenceFilter(kind='number', scope='all'))} sentences" in html_of(test)

    odd = sign_in(open_page("sentences", kind="<b>x</b>", which="';--"))
    assert not odd.exception
    assert "No sentence fits these filters." in html_of(odd)
    assert "<b>x</b>" not in html_of(odd)


def test_pages_turn_both_ways(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("sentences"))
    first = html_of(test)
    test.button(key="sentences-next").click().run()
    second = html_of(test)
    test.button(key="sentences-previous").click().run()

    assert "page 2" in second
    assert first != second
    assert html_of(test) == first


def test_an_empty_database_has_an_empty_list(open_page: OpenPage, store: Store) -> None:
    test = sign_in(open_page("sentences", failure="nothing-of-the-kind"))

    assert "Nothing here" in html_of(test)
    assert [row.name for row in review.reviewers(store)].count("Ada") == 1
