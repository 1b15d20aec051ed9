"""The page on which a lead sees how much may pass unread."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.result import Verdict
from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of
from tests.workflows.desk import fill, people
from tests.workflows.test_trust import _audit
from workflows.store import Store, open_store


@pytest.fixture
def audited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """150 answers, of which Ada, a lead, has audited 100 and found none wrong."""
    url = f"sqlite:///{tmp_path}/a.db"
    monkeypatch.setenv("PROOFDESK_DB", url)
    store = open_store(url)
    fill(store, 150, verdict=Verdict.ACCEPT)
    (ada,) = people(store, "Ada")
    _audit(store, ada, 100, wrong=set())
    store.close()
    return url


def test_the_demo_has_no_guarantee_and_no_audit_yet(store: Store, open_page: OpenPage) -> None:
    test = open_page("calibration")
    shown = html_of(test)

    assert not test.exception
    assert "Not yet" in shown
    assert "No guarantee has been relied on yet" in shown
    assert "Not enough audited answers" in shown
    assert "10 more audited answers" in shown


def test_an_audit_earns_a_guarantee_and_a_stricter_wish_does_not(audited: str, open_page: OpenPage) -> None:
    test = open_page("calibration", reviewer="Ada")
    shown = html_of(test)
    assert not test.exception
    assert "may pass unread: at most 10% of them are" in shown
    assert len(test.get("plotly_chart")) == 2
    assert "cheapest" in shown

    test.number_input(key="wish-alpha").set_value(1.0).run()
    assert "Not yet" in html_of(test)
    assert "more are needed" in html_of(test)


def test_a_lead_relies_on_it_and_wrong_audits_break_it(audited: str, open_page: OpenPage) -> None:
    test = open_page("calibration", reviewer="Ada")
    test.button(key="guarantee-keep").click().run()
    assert "Holds" in html_of(test)
    assert "0 of 0 audited answers" in html_of(test)

    store = open_store(audited)
    ada = people(store, "Ada")[0]
    fresh = fill(store, 100, verdict=Verdict.ACCEPT, prefix="fresh")
    _audit(store, ada, 80, wrong=set(fresh))
    store.close()
    test.run()
    assert "Broken since" in html_of(test)


def test_who_is_no_lead_cannot(audited: str, open_page: OpenPage) -> None:
    store = open_store(audited)
    people(store, "Bea")
    store.close()
    for who in ({"reviewer": "Bea"}, {}):
        test = open_page("calibration", **who)
        assert "may pass unread" in html_of(test)
        assert not [button for button in test.button if button.key == "guarantee-keep"]


def test_costs_move_the_cheapest_threshold(audited: str, open_page: OpenPage) -> None:
    test = open_page("calibration")
    test.number_input(key="cost-reading").set_value(0.0).run()
    # Reading costs nothing: nothing has to pass.
    assert "0.0000" in html_of(test).split("cheapest")[0].rsplit("<tr>", 1)[1]
    test.number_input(key="cost-per-day").set_value(0.0).run()
    assert not test.exception


def test_an_empty_database_says_what_to_do(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/new.db")
    test = open_page("calibration")

    assert "proofdesk evaluate FILE" in test.info[0].value.replace("\\", "")
    assert not test.exception
