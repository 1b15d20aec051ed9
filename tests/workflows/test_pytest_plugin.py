"""The pytest plugin, as a project of somebody else uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalcore.evaluator import Evaluator
from workflows import baselines
from workflows.evaluate import RunOptions, evaluate_file
from workflows.store import open_store

pytest_plugins = ("pytester",)

TESTS = """
ANSWERS = {"pump": "The pump carries a two-year warranty.", "fuse": "Fuse F3 protects the pump."}

def test_same(proofdesk_baseline):
    assert proofdesk_baseline("support.jsonl", ANSWERS).outcome == "pass"

def test_function(proofdesk_baseline):
    def system(query, contexts):
        assert len(contexts) == 1
        return ANSWERS["pump" if "warranty" in query else "fuse"]
    proofdesk_baseline("support.jsonl", system, config={"min_cases": 2})

def test_worse(proofdesk_baseline):
    proofdesk_baseline("support.jsonl", {**ANSWERS, "fuse": "Bananas are rich in potassium."})

def test_missing(proofdesk_baseline):
    proofdesk_baseline("support.jsonl", {"pump": ANSWERS["pump"]})

def test_file(proofdesk_baseline):
    proofdesk_baseline("support.jsonl", "answers.jsonl", config="gates.yaml")
"""
ROWS = [
    {
        "id": "pump", "question": "How long is the warranty?",
        "contexts": ["All pumps carry a two-year warranty."],
        "answer": "The pump carries a two-year warranty.",
    },
    {
        "id": "fuse", "question": "Which fuse protects the pump?", "contexts": ["Fuse F3 protects the pump."],
        "answer": "Fuse F3 protects the pump.",
    },
]  # fmt: skip


def test_worse_answers_fail_a_test_with_the_report(pytester: pytest.Pytester) -> None:
    folder = Path(pytester.path)
    file = folder / "answers.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS), encoding="utf-8")
    (folder / "gates.yaml").write_text("worse_decisions: 0\n", encoding="utf-8")
    store = open_store(f"sqlite:///{folder / 'a.db'}")
    evaluate_file(store, Evaluator.from_profile("classic"), file, RunOptions(name="first"))
    baselines.freeze(store, "support", choice="all")
    baselines.export(store, "support", folder / "support.jsonl")
    store.close()
    pytester.makepyfile(TESTS)
    done = pytester.runpytest_inprocess(
        "-p", "no:proofdesk", "-p", "workflows.pytest_plugin", "-p", "no:cacheprovider"
    )

    done.assert_outcomes(passed=3, failed=2)
    shown = done.stdout.str()
    assert "Proofdesk gate: REGRESSION" in shown
    assert "| fuse |" in shown
    assert "Proofdesk gate: INCOMPLETE" in shown
