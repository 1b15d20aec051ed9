"""The page on agreement."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of
from tests.workflows.desk import fill, people
from tests.workflows.test_trust import _say
from workflows import claims
from workflows.store import Store, open_store


def test_the_demo_has_a_matrix_a_pair_weeks_and_groups(store: Store, open_page: OpenPage) -> None:
    test = open_page("agreement")
    shown = html_of(test)

    assert not test.exception
    assert "Demo: Irina" in shown
    assert "Krippendorff" in shown
    assert "Two raters" in shown
    assert "weak grounding" in shown
    assert "helpdesk-bot" in shown
    assert "wrong accepts" in shown
    assert len(test.get("plotly_chart")) == 1


def test_what_two_raters_differ_on_is_listed_and_opens(store: Store, open_page: OpenPage) -> None:
    test = open_page("agreement")
    box = test.selectbox(key="agreement-pair")
    assert box.options[0] == "Demo: Irina · Demo: Tom"
    shown = html_of(test)
    assert "They differ on 2 answers." in shown
    assert 'href="queue?item=' in shown
    test.selectbox(key="agreement-pair").select_index(len(box.options) - 1).run()
    assert "gold" in box.options[-1]
    assert not test.exception


def test_an_empty_database_says_how_many_labels(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/new.db")
    test = open_page("agreement")

    assert "No answer has a label yet" in html_of(test)
    assert "About 93 labelled answers" in html_of(test)


def test_one_reviewer_and_one_category_are_undefined_and_not_zero(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/one.db")
    store = open_store(f"sqlite:///{tmp_path}/one.db")
    items = fill(store, 4)
    ada, bea = people(store, "<b>Ada</b>", "Bea")
    claims.change_settings(store, ada, labels_required=2)
    for item in items:
        _say(store, item, ada, "reject")
        _say(store, item, bea, "reject")
    store.close()
    shown = html_of(open_page("agreement"))

    assert "undefined" in shown
    assert "They differ on nothing" in shown
    assert "<b>Ada</b>" not in shown
