"""The page on baselines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalcore.evaluator import Evaluator
from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of, toasts
from workflows import baselines, gate, review
from workflows.evaluate import RunOptions, evaluate_file
from workflows.store import Store

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def lead(store: Store) -> str:
    review.sign_in(store, "Ada")
    return "Ada"


def test_without_a_baseline_the_page_says_how_to_make_one(open_page: OpenPage, lead: str) -> None:
    test = open_page("baselines", reviewer=lead)
    assert not test.exception
    assert "No baseline yet" in html_of(test)
    assert "No gate run yet" in html_of(test)


def test_a_lead_freezes_labelled_answers_of_a_run(open_page: OpenPage, store: Store, lead: str) -> None:
    test = open_page("baselines", reviewer=lead)
    run = next(r.id for r in review.runs(store) if baselines.preview(store, f"#{r.id}")[1])
    test.selectbox(key="freeze-run").set_value(run).run()
    n = len(baselines.preview(store, f"#{run}")[1])
    assert f"{n} case" in html_of(test)

    test.text_input(key="freeze-name").set_value("a name with spaces")
    test.button(key="freeze-send").click().run()
    assert "Not a baseline" in test.error[0].value
    test.text_input(key="freeze-name").set_value("support")
    test.text_input(key="freeze-note").set_value(HOSTILE)
    test.button(key="freeze-send").click().run()
    assert "Frozen" in toasts(test)[0]
    assert [(row.name, row.version, row.n_cases) for row in baselines.listed(store)] == [("support", 1, n)]
    shown = html_of(test)
    assert "support@1" in shown
    assert HOSTILE not in shown


def test_who_is_no_lead_reads_and_does_not_freeze(open_page: OpenPage, store: Store, lead: str) -> None:
    test = open_page("baselines", reviewer="Demo: Tom")
    assert "Only a lead freezes" in test.info[0].value
    assert not [button for button in test.button if button.key == "freeze-send"]


def test_gate_runs_show_their_report_and_versions_are_compared(
    open_page: OpenPage, store: Store, lead: str, tmp_path: Path
) -> None:
    rows = [
        {"id": "ok", "question": "How long?", "contexts": ["It is 5 m long."], "answer": "It is 5 m long."},
        {
            "id": HOSTILE,
            "question": "How wide?",
            "contexts": ["It is 2 m wide."],
            "answer": "It is 2 m wide.",
        },
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    evaluate_file(store, Evaluator.from_profile("default"), file, RunOptions(name="two"))
    baselines.freeze(store, "support", "two", choice="all")
    rows[1]["answer"] = "Bananas are rich in potassium."
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    evaluate_file(store, Evaluator.from_profile("default"), file, RunOptions(name="worse"))
    baselines.freeze(store, "support", "worse", choice="all")
    report = gate.gate_file(baselines.load(store, "support@1"), file, gate.GateConfig(), store=store)
    assert report.outcome == "regression"

    test = open_page("baselines", reviewer=lead)
    shown = html_of(test)
    assert not test.exception
    assert "regression" in shown
    assert "1 of 2 cases fell by more than allowed" in shown
    assert HOSTILE not in shown
    assert "Changed · 1" in shown
    test.selectbox(key="baseline-cases").set_value("support@1").run()
    assert not test.exception
