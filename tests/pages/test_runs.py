"""The page of runs."""

from __future__ import annotations

import json
from pathlib import Path

from evalcore.evaluator import Evaluator
from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of
from workflows import compare, review
from workflows.evaluate import RunOptions, evaluate_file
from workflows.store import Store


def test_the_runs_are_listed(open_page: OpenPage, store: Store) -> None:
    test = open_page("runs")
    shown = html_of(test)

    assert not test.exception
    for run in review.runs(store)[:3]:
        assert run.name in shown
    assert "field names of Ragas" in shown


def test_two_runs_are_compared_flips_first(open_page: OpenPage, store: Store, tmp_path: Path) -> None:
    rows = [
        {"id": "good", "question": "How long?", "contexts": ["It is 5 m long."], "answer": "It is 5 m long."},
        {
            "id": "<b>bad</b>",
            "question": "How long?",
            "contexts": ["It is 5 m long."],
            "answer": "9 km, <i>maybe</i>.",
        },
    ]
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for profile in ("classic", "default"):
        evaluate_file(store, Evaluator.from_profile(profile), file, RunOptions(name=f"by {profile}"))
    after, before = (run.id for run in review.runs(store)[:2])
    found = compare.compare_runs(store, before, after)

    test = open_page("runs")
    shown = html_of(test)
    assert f"<b>{found.n_flipped} of 2</b> items in both" in shown
    assert "&lt;b&gt;bad&lt;/b&gt;" in shown
    assert f"queue?item={review.find_results(store, 'good')[0].id}&amp;scope=all" in shown
    flipped = [pair.external_id for pair in compare.compare_page(store, before, after).items if pair.flipped]
    assert len(flipped) == found.n_flipped


def test_one_run_with_itself_is_not_compared(open_page: OpenPage, store: Store) -> None:
    test = open_page("runs")
    newest = review.runs(store)[0].id
    test.selectbox(key="compare-before").set_value(newest).run()

    assert "Choose two different runs" in html_of(test)
