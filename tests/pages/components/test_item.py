"""The open item: findings stand under their sentence, escaped; talk is counted apart."""

from __future__ import annotations

import dataclasses

from streamlit.testing.v1 import AppTest

from evalcore.result import SentenceFinding, SentenceStatus, SentenceVerdict
from pages.components.desk import Opened
from tests.db.build import make_result, make_sample
from tests.pages.screen import html_of
from workflows import review
from workflows.labels import Seen
from workflows.review import StoredResult, item
from workflows.store import Store


def _drawn(store: Store, stored: StoredResult, seen: Seen = "gate") -> str:
    def page() -> None:
        import streamlit as st

        from pages.components import item

        item.draw(*st.session_state["drawn"])

    reviewer = review.sign_in(store, "Ada")
    test = AppTest.from_function(page)
    test.session_state["drawn"] = (store, Opened(stored=stored, claim=None, mine=None, seen=seen), reviewer)
    return html_of(test.run())


def _stored(store: Store, *, low: bool, messages: int = 1) -> StoredResult:
    response = "Sure! By <i>Bo</i> in 1987."
    sample = make_sample(response=response)
    talk = SentenceVerdict(
        index=0, start=0, end=5, text="Sure!", support=None, status=SentenceStatus.NOT_A_CLAIM, reason="talk"
    )
    claim = SentenceVerdict(
        index=1,
        start=6,
        end=len(response),
        text=response[6:],
        support=0.5,
        status=SentenceStatus.LOW_CONFIDENCE if low else SentenceStatus.SUPPORTED,
        findings=tuple(
            SentenceFinding(kind="name", start=9, end=18, text="<i>Bo</i>", message=f"no <i>Bo</i> {number}")
            for number in range(messages)
        ),
    )
    result = dataclasses.replace(make_result(sample), sentences=(talk, claim))
    template = item(store, 1)
    return dataclasses.replace(template, sample=sample, result=result)


def test_findings_stand_under_a_doubtful_sentence(store: Store) -> None:
    shown = _drawn(store, _stored(store, low=True))

    assert '<ul class="pd-findings"><li dir="auto">no &lt;i&gt;Bo&lt;/i&gt; 0</li></ul>' in shown
    assert '<u class="pd-finding" title="no &lt;i&gt;Bo&lt;/i&gt; 0">&lt;i&gt;Bo&lt;/i&gt;</u>' in shown
    assert "<i>" not in shown
    assert "1 of 2 sentences claim nothing about the world" in shown
    assert "No sentence is marked" not in shown


def test_findings_of_a_trusted_sentence_are_listed_too(store: Store) -> None:
    shown = _drawn(store, _stored(store, low=False))

    assert '<span class="pd-sign">•</span>' in shown
    assert "no &lt;i&gt;Bo&lt;/i&gt; 0</li>" in shown


def test_many_findings_are_cut_and_told(store: Store) -> None:
    shown = _drawn(store, _stored(store, low=True, messages=9))

    # Once in the list and once on the card of the sentence that is looked at.
    assert shown.count('<li dir="auto">') == 12
    assert "3 more; show all below" in shown


def test_without_findings_nothing_is_said_of_them(store: Store) -> None:
    shown = _drawn(store, _stored(store, low=False, messages=0))

    assert "pd-finding" not in shown
    assert "No sentence is marked" in shown


def test_blind_shows_neither_verdict_nor_scores_and_marks_only_if_the_queue_does(store: Store) -> None:
    stored = _stored(store, low=True)
    blind, marks, gate = (_drawn(store, stored, seen) for seen in ("blind", "marks", "gate"))

    for shown in (blind, marks):
        assert "pd-badge" not in shown
        assert "<h2>Scores</h2>" not in shown
    assert "pd-badge" in gate
    assert "<h2>Scores</h2>" in gate
    for sign in ("pd-low", "pd-finding", "Doubtful sentences", "support 0.50"):
        assert sign not in blind
        assert sign in marks
    assert 'data-sentence="1"' in blind
