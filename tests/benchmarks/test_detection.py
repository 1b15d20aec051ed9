"""The figures of the detection benchmark, against scikit-learn and by hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, balanced_accuracy_score, f1_score, roc_auc_score

from benchmarks import detection
from benchmarks import detection_metrics as metrics
from benchmarks.judged import read_judged, sample_documents
from evalcore.errors import InputError


@pytest.fixture
def scored() -> tuple[metrics.Floats, metrics.Flags]:
    random = np.random.default_rng(3)
    unsupported = random.random(200) < 0.3
    # Rounded, so that there are ties.
    risk = np.round(np.clip(random.normal(0.4, 0.2, 200) + 0.2 * unsupported, 0, 1), 2)
    return risk, unsupported


def test_areas_and_rates_are_those_of_scikit_learn(scored: tuple[metrics.Floats, metrics.Flags]) -> None:
    risk, bad = scored
    flagged = risk > 0.5
    assert metrics.auroc(risk, bad) == pytest.approx(roc_auc_score(bad, risk))
    assert metrics.average_precision(risk, bad) == pytest.approx(average_precision_score(bad, risk))
    assert metrics.balanced_accuracy(flagged, bad) == pytest.approx(balanced_accuracy_score(bad, flagged))
    assert metrics.f1(flagged, bad) == pytest.approx(f1_score(bad, flagged))


def test_measures_do_not_depend_on_the_order_of_answers(scored: tuple[metrics.Floats, metrics.Flags]) -> None:
    risk, bad = scored
    mixed = np.random.default_rng(1).permutation(len(risk))
    for measure in (metrics.auroc, metrics.average_precision, metrics.coverage_at_precision):
        assert measure(risk, bad) == measure(risk[mixed], bad[mixed])


def test_one_class_has_no_area() -> None:
    risk, all_bad = np.array([0.1, 0.9]), np.array([True, True])
    assert metrics.auroc(risk, all_bad) is None
    assert metrics.average_precision(risk, all_bad) is None
    assert metrics.balanced_accuracy(all_bad, all_bad) is None
    assert metrics.best_threshold(risk, all_bad) is None


def test_coverage_takes_tied_risks_together() -> None:
    risk = np.array([0.1, 0.2, 0.2, 0.3])
    bad = np.array([False, False, True, False])
    assert metrics.coverage_at_precision(risk, bad, 0.95) == 0.25
    assert metrics.coverage_at_precision(risk, bad, 0.75) == 1.0
    assert metrics.coverage_at_precision(risk, np.array([True] * 4), 0.95) == 0.0


def test_calibration_error_by_hand() -> None:
    # Two answers at risk 0.25 of which one is bad: |0.25 - 0.5| on half of the mass; two at 0.85, both bad.
    risk = np.array([0.25, 0.25, 0.85, 0.85])
    bad = np.array([True, False, True, True])
    assert metrics.calibration_error(risk, bad) == pytest.approx(0.5 * 0.25 + 0.5 * 0.15)


def test_best_threshold_parts_what_can_be_parted() -> None:
    risk = np.array([0.1, 0.2, 0.7, 0.9])
    assert metrics.best_threshold(risk, np.array([False, False, True, True])) == 0.7


def test_the_bootstrap_draws_whole_documents() -> None:
    # All answers of a document agree: with one document there is no interval, with two it is wide.
    bad = np.array([True] * 50 + [False] * 50)
    share = metrics.bootstrap(["a"] * 50 + ["b"] * 50, lambda i: float(bad[i].mean()), repeats=200)
    assert (share.value, share.low, share.high) == (0.5, 0.0, 1.0)
    alone = metrics.bootstrap(["a"] * 100, lambda i: float(bad[i].mean()), repeats=200)
    assert (alone.value, alone.low) == (0.5, None)


def rows() -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for number in range(6):
        context = f"Depot {number} holds {number + 20} trams. It was built of brick and stands by the river."
        good, bad = f"Depot {number} holds {number + 20} trams.", "Nobody knows the moon cheese recipe."
        for kind, response in (("good", good), ("bad", f"{good} {bad}")):
            made.append(
                {
                    "id": f"{number}-{kind}",
                    "query": "How many trams does the depot hold?",
                    "context": context,
                    "response": response,
                    "label": "supported" if kind == "good" else "unsupported",
                    "sentence_labels": [
                        {"start": 0, "end": len(good), "label": "supported"},
                        *(
                            [{"start": len(good) + 1, "end": len(response), "label": "unsupported"}]
                            if kind == "bad"
                            else []
                        ),
                    ],
                }
            )
    return made


def write(path: Path, lines: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_it_runs_on_a_file_it_has_never_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "own.jsonl", rows())
    other = write(tmp_path / "other.jsonl", rows()[:6])
    out = tmp_path / "out.json"
    arguments = ["detection", "--data", str(file), str(other), "--repeats", "20", "--json", str(out)]
    monkeypatch.setattr(sys, "argv", arguments)
    detection.main()
    assert "own: 12 answers of 6 documents, 6 unsupported" in capsys.readouterr().out
    figures = json.loads(out.read_text(encoding="utf-8"))["own"]
    assert figures["word overlap"]["AUROC"]["value"] == 1.0
    assert figures["word overlap"]["sentence AUROC"]["value"] == 1.0
    assert figures["default"]["AUROC"]["value"] == 1.0
    assert figures["fuzzy match"]["balanced accuracy"]["value"] is None


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    file = write(tmp_path / "broken.jsonl", [*rows()[:2], {"id": "x", "label": "maybe"}])
    with pytest.raises(InputError, match=r"broken\.jsonl:3"):
        read_judged(file)


def test_a_limit_draws_whole_documents(tmp_path: Path) -> None:
    drawn = sample_documents(read_judged(write(tmp_path / "own.jsonl", rows())), 5)
    assert len(drawn) == 6
    assert len({answer.document for answer in drawn}) == 3
