"""The page that says whether something has moved."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from evalcore.alerts import AlertConfig, AlertRule
from evalcore.result import Verdict
from tests.db.build import NOON
from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of
from tests.workflows.test_trends import days
from workflows import alerts
from workflows.store import open_store


@pytest.fixture
def turned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Ten days of accepted answers, then ten of rejected ones."""
    url = f"sqlite:///{tmp_path}/t.db"
    monkeypatch.setenv("PROOFDESK_DB", url)
    store = open_store(url)
    days(store, 0, 10, Verdict.ACCEPT)
    days(store, 10, 20, Verdict.REJECT)
    store.close()
    return url


def test_it_says_what_moved_and_when(turned: str, open_page: OpenPage) -> None:
    test = open_page("trends", reviewer="Ada")
    shown = html_of(test)
    assert not test.exception
    assert shown.count("<b>moved</b>") == 4
    assert "The share of ACCEPT changed on 2025-06-12: 100% before, 0% since." in shown
    assert len(test.get("plotly_chart")) == 2
    assert "56 answers in the busiest of them, 2025-06-02; 53 in the mean." in shown
    assert "No rule has been checked yet" in shown


def test_another_window_is_compared(turned: str, open_page: OpenPage) -> None:
    test = open_page("trends", reviewer="Ada")
    first = NOON.date()
    test.date_input(key="trend-reference").set_value((first, first + timedelta(days=4))).run()
    test.date_input(key="trend-window").set_value(
        (first + timedelta(days=5), first + timedelta(days=9))
    ).run()
    assert not test.exception
    assert "<b>moved</b>" not in html_of(test)
    assert "no sign of a move" in html_of(test)


def test_a_window_over_its_reference_is_told_and_the_page_stays(turned: str, open_page: OpenPage) -> None:
    test = open_page("trends", reviewer="Ada")
    first = NOON.date()
    test.date_input(key="trend-window").set_value((first, first + timedelta(days=9))).run()
    assert not test.exception
    assert "overlap" in test.warning[0].value
    assert "Has something moved?" in html_of(test)


def test_it_speaks_russian(turned: str, open_page: OpenPage) -> None:
    test = open_page("trends", reviewer="Ada", lang="ru")
    shown = html_of(test)
    assert not test.exception
    assert "Что-нибудь сдвинулось?" in shown
    assert "Доля ACCEPT изменилась 2025-06-12" in shown


def test_without_results_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_page: OpenPage
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/e.db")
    open_store(f"sqlite:///{tmp_path}/e.db").close()
    test = open_page("trends")
    assert not test.exception
    assert not test.get("plotly_chart")


@pytest.mark.parametrize("every", ["hour", "day", "week"])
def test_every_step_and_zone_stays_in_the_url(turned: str, open_page: OpenPage, every: str) -> None:
    test = open_page("trends", reviewer="Ada", every=every, zone="Asia/Kolkata", score="final")
    assert not test.exception
    assert test.selectbox(key="zone").value == "Asia/Kolkata"
    assert test.selectbox(key="score").value == "final"


def test_what_the_url_cannot_mean_is_told_or_left(turned: str, open_page: OpenPage) -> None:
    test = open_page("trends", reviewer="Ada", every="century", zone="Mars/Olympus", score="beauty")
    assert not test.exception
    assert "No such time zone" in test.warning[0].value
    assert len(test.get("plotly_chart")) == 2


def test_states_of_rules_are_listed_escaped(turned: str, open_page: OpenPage) -> None:
    rule = AlertRule(name="<i>few</i>", metric="share", of="ACCEPT", below=0.9, window="400d", min_n=1)
    store = open_store(turned)
    alerts.check(store, AlertConfig(rules=(rule,)), now=NOON + timedelta(days=21))
    store.close()
    shown = html_of(open_page("trends", reviewer="Ada"))
    assert "‼ ALERT" in shown
    assert "&lt;i&gt;few&lt;/i&gt;" in shown
    assert "at least 0.9 is asked" in shown
