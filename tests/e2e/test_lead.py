"""What a lead does in the browser: from a chart to its answers, and from labels to a failed gate run."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import expect

from db.repositories.queue import Queue
from pages.components.verdict import SETTLE_SECONDS
from scripts.screenshots import settle
from tests.cli.program import proofdesk
from tests.e2e.conftest import Window
from workflows import review
from workflows.store import Store

pytestmark = pytest.mark.browser

LATEST_RUN = 8


def test_days_picked_on_a_chart_open_their_answers(window: Window, store: Store) -> None:
    page = window.page
    page.goto(f"{window.base}/trends?reviewer=Ada&every=day")
    settle(page)
    plot = page.locator(".st-key-trend-decisions .nsewdrag").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] - 5, steps=10)
    page.mouse.up()
    link = page.get_by_role("link", name="Open the answers from")
    expect(link).to_be_visible()
    first, last = link.inner_text().split("from ")[1].split(" to ")
    assert "2026" <= first < last

    link.click()
    expect(page.locator(".pd-id")).to_be_visible()
    assert f"since={first}" in page.url
    assert f"until={last}" in page.url
    settle(page)
    shown = page.locator(".pd-progress").inner_text()
    asked = review.QueueFilter(
        decision=None,
        scope="all",
        since=date.fromisoformat(first),
        until=date.fromisoformat(last),
    )
    with store.read() as session:
        n = Queue(session).count(asked)
    assert 10 < n < 110
    assert f"of {n} labelled" in shown


def test_labels_are_frozen_exported_and_a_worse_answer_fails_the_gate(
    window: Window, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    database = tmp_path / "demo.db"
    page = window.page
    labelled = []
    for decision in ("ACCEPT", "REVIEW"):
        page.goto(f"{window.base}/queue?reviewer=Ada&run={LATEST_RUN}&decision={decision}")
        settle(page)
        page.wait_for_timeout(1_000 * SETTLE_SECONDS)
        labelled.append(page.locator(".pd-id").inner_text())
        page.keyboard.press("1")
        expect(page.get_by_test_id("stToast")).to_contain_text(labelled[-1])

    page.goto(f"{window.base}/baselines?reviewer=Ada")
    settle(page)
    page.get_by_role("tab", name="Freeze").click()
    page.get_by_label("Answers").click()
    page.get_by_role("option", name="with any label").click()
    expect(page.get_by_text("2 accepted")).to_be_visible()
    page.get_by_label("Name").fill("support")
    page.get_by_role("button", name="Freeze").click()
    page.get_by_role("tab", name="Versions").click()
    expect(page.locator(".pd-table").filter(has_text=labelled[0]).first).to_be_visible()

    exported = proofdesk("baseline", "export", "support", "support.jsonl", "--db", database)
    assert exported.code == 0, exported.err
    cases = [json.loads(line) for line in (tmp_path / "support.jsonl").read_text("utf-8").splitlines()]
    found = [_rows(case) for case in cases if "sample" in case or "query" in case]
    assert labelled[0] in {row["id"] for row in found}
    for row in found:
        if row["id"] == labelled[0]:
            row["answer"] = "Bananas ripen faster in a paper bag beside an apple, at 20 degrees."
    (tmp_path / "new.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found), "utf-8")
    gate = proofdesk("gate", "--baseline", "support", "--answers", "new.jsonl", "--db", database)
    assert gate.code == 1, gate.out + gate.err
    assert labelled[0] in gate.out

    page.reload()
    settle(page)
    page.get_by_role("tab", name="Gate runs").click()
    expect(page.locator(".pd-table").filter(has_text="new.jsonl")).to_contain_text("regression")
    expect(page.get_by_test_id("stMain")).to_contain_text(labelled[0])


def _rows(case: dict[str, object]) -> dict[str, object]:
    sample = case.get("sample", case)
    assert isinstance(sample, dict)
    return {
        "id": sample["id"],
        "question": sample["query"],
        "contexts": sample["contexts"],
        "answer": sample["response"],
    }
