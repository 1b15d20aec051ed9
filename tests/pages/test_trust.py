"""The page on which a lead sees whether to trust."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.result import Verdict
from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of
from tests.workflows.desk import fill, people
from tests.workflows.test_trust import _audit
from workflows.store import Store, open_store


def test_the_demo_has_agreement_and_no_guarantee_yet(store: Store, open_page: OpenPage) -> None:
    test = open_page("trust")
    shown = html_of(test)

    assert not test.exception
    assert "Not yet" in shown
    assert "Demo: Irina · Demo: Tom" in shown
    assert "the gate" in shown
    assert "gold · the gate" in shown


def test_an_audit_earns_a_guarantee_and_a_stricter_wish_does_not(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/a.db")
    store = open_store(f"sqlite:///{tmp_path}/a.db")
    fill(store, 150, verdict=Verdict.ACCEPT)
    (ada,) = people(store, "Ada")
    _audit(store, ada, 100, wrong=set())
    store.close()
    test = open_page("trust")
    assert "may pass unread: at most 10% of them are" in html_of(test)

    test.number_input(key="wish-alpha").set_value(1.0).run()
    assert "Not yet" in html_of(test)
    assert "more are needed" in html_of(test)


def test_an_empty_database_says_what_to_do(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/new.db")
    test = open_page("trust")

    assert "proofdesk evaluate FILE" in test.info[0].value.replace("\\", "")
    assert "No answer has a label yet" in html_of(test)
