from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of, parameter
from workflows.store import Store


def figure_of(test: AppTest) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(test.get("plotly_chart")[0].proto.spec)
    return loaded


def test_counts_shares_and_runs_are_shown(url: str, open_page: OpenPage) -> None:
    test = open_page()
    shown = html_of(test)

    assert not test.exception
    for part in ("<b>110</b>", "<b>35</b>", "32% of answers", "<b>64</b>", "<b>48</b>", "<b>47</b>"):
        assert part in shown
    assert "helpdesk-bot 2026-W48 (p4)" in shown
    assert "2026-11-23 07:41" in shown


def test_the_chart_names_its_zone_and_turns_to_counts(url: str, open_page: OpenPage) -> None:
    test = open_page()
    assert figure_of(test)["layout"]["xaxis"]["title"]["text"] == "Day (UTC)"
    assert [bar["name"] for bar in figure_of(test)["data"]] == ["ACCEPT", "REVIEW", "REJECT"]

    test.query_params["measure"] = "count"
    test.query_params["zone"] = "Asia/Tokyo"
    test.run()

    figure = figure_of(test)
    assert figure["layout"]["xaxis"]["title"]["text"] == "Day (Asia/Tokyo)"
    assert figure["layout"]["yaxis"]["title"]["text"] == "Answers"


def test_choosing_a_zone_redraws_and_stays_in_the_url(url: str, open_page: OpenPage) -> None:
    test = open_page()
    test.selectbox(key="zone").set_value("Europe/Berlin").run()

    assert parameter(test, "zone") == "Europe/Berlin"
    assert figure_of(test)["layout"]["xaxis"]["title"]["text"] == "Day (Europe/Berlin)"


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "<img src=x>", "[a](b)"])
def test_an_unknown_zone_is_said_and_utc_shown(url: str, open_page: OpenPage, zone: str) -> None:
    test = open_page(zone=zone)

    assert test.warning
    assert not test.exception
    assert figure_of(test)["layout"]["xaxis"]["title"]["text"] == "Day (UTC)"


def test_an_unknown_profile_has_no_answers(url: str, open_page: OpenPage) -> None:
    test = open_page(profile="nobody")

    assert not test.exception
    assert "no answers" in html_of(test)


def test_an_unfinished_run_is_marked(store: Store, open_page: OpenPage) -> None:
    from db.repositories.runs import Runs, RunSpec

    with store.write() as session:
        earlier = Runs(session).latest(1)[0]
        spec = RunSpec(key="k", name="<i>killed</i>", source="a.jsonl", fingerprint=earlier.fingerprint)
        Runs(session).start(spec)
    shown = html_of(open_page())

    assert "unfinished" in shown
    assert "&lt;i&gt;killed&lt;/i&gt;" in shown


def test_an_empty_database_says_how_to_fill_it(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/new.db")
    test = open_page()

    assert "No answers yet" in html_of(test)
    assert not test.exception
