"""The figures of the detection benchmark, against scikit-learn and by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, balanced_accuracy_score, f1_score, roc_auc_score

from benchmarks import detection
from benchmarks import detection_metrics as metrics
from benchmarks.detection_rows import measure
from benchmarks.detection_ways import Column, Judgement, each_answer
from benchmarks.judged import JudgedAnswer, read_judged
from tests.benchmarks.judged_rows import rows, write
from training.pairs import document_of, part_of

ROOT = Path(__file__).resolve().parents[2]


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
    for of in (metrics.auroc, metrics.average_precision, metrics.coverage_at_precision):
        assert of(risk, bad) == of(risk[mixed], bad[mixed])


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


def test_without_resamples_there_is_a_value_and_no_interval() -> None:
    assert metrics.bootstrap(["a", "b"], lambda i: 0.25, repeats=0) == metrics.Estimate(0.25)


def test_it_runs_on_files_it_has_never_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "own.jsonl", rows())
    other = write(tmp_path / "other.jsonl", rows()[:6])
    # One class only, no question, passages as a list, another language.
    russian = {"contexts": ["Депо построено в 1901 году.", "В нём 20 трамваев."], "lang": "ru", "query": None}
    odd = write(
        tmp_path / "odd.jsonl", [{**russian, "response": "В депо 20 трамваев.", "label": "supported"}] * 2
    )
    out = tmp_path / "out.json"
    files = ["--data", str(file), str(other), str(odd)]
    monkeypatch.setattr(sys, "argv", ["detection", *files, "--repeats", "20", "--json", str(out)])
    detection.main()
    shown = capsys.readouterr().out
    assert "own: 12 answers of 6 documents, 6 unsupported" in shown
    assert "held-out" not in shown
    figures = json.loads(out.read_text(encoding="utf-8"))
    own = figures["own"]
    assert (own["default"]["answers"], own["default"]["unsupported"]) == (12, 6)
    assert own["default"]["not judged"] == []
    assert own["word overlap"]["AUROC"]["value"] == 1.0
    assert own["word overlap"]["sentence AUROC"]["value"] == 1.0
    assert own["default"]["AUROC"]["value"] == 1.0
    assert own["fuzzy match"]["balanced accuracy"]["value"] is None
    assert figures["odd"]["default"]["AUROC"]["value"] is None
    assert figures["odd"]["default"]["ECE"]["value"] is not None
    assert "ragsanity" not in own


def test_an_answer_that_a_way_fails_on_is_counted_as_one_to_read(tmp_path: Path) -> None:
    answers = read_judged(write(tmp_path / "own.jsonl", rows()))

    def judge(answer: JudgedAnswer) -> Judgement:
        if answer.sample.id == "2-bad":
            raise ValueError("out of words")
        return Judgement(0.0 if answer.supported else 0.9, (), not answer.supported, 1.0)

    column = each_answer(judge, flagged=True)(answers)
    assert column.failures == ["2-bad: ValueError: out of words"]
    row = measure("own", "way", {"own": answers}, {"own": {"way": column}}, 20)
    assert row["AUROC"].value == 1.0
    assert row["balanced accuracy"].value == 1.0
    table = detection.file_table("own", detection.Measured(answers, part=True), {"way": row}, {"way": column})
    assert "held-out documents only" in str(table.title)
    assert list(table.columns[1].cells)[-1] == "1"


def test_a_way_that_is_missing_says_why_and_has_no_figures(tmp_path: Path) -> None:
    answers = read_judged(write(tmp_path / "own.jsonl", rows()))
    column = Column(missing="cannot install it")
    row = measure("own", "way", {"own": answers}, {"own": {"way": column}}, 20)
    assert {estimate.value for estimate in row.values()} == {None}
    table = detection.file_table(
        "own", detection.Measured(answers, part=False), {"way": row}, {"way": column}
    )
    assert "way was not measured: cannot install it" in str(table.caption)


def test_of_a_file_that_training_uses_only_held_out_documents_are_measured(tmp_path: Path) -> None:
    seen = write(tmp_path / "wice_train.jsonl", rows(40))
    unseen = write(tmp_path / "wice_test.jsonl", rows(40))
    measured = detection.read_files([seen, unseen], limit=0)
    part, whole = measured["wice_train"], measured["wice_test"]
    assert (part.part, whole.part) == (True, False)
    assert len(whole.answers) == 80
    held_out = [a for a in whole.answers if part_of(document_of(a.sample.contexts[0])) == "measure"]
    assert [a.sample.id for a in part.answers] == [a.sample.id for a in held_out]
    assert 0 < len(held_out) < 80


def test_two_files_of_one_name_are_both_measured(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    files = [write(tmp_path / "own.jsonl", rows()), write(tmp_path / "b" / "own.jsonl", rows())]
    assert list(detection.read_files(files, limit=0)) == ["own", str(files[1])]


@pytest.mark.parametrize("run", [["benchmarks/detection.py"], ["-m", "benchmarks.detection"]])
def test_it_runs_as_a_file_and_as_a_module_and_names_a_broken_line(tmp_path: Path, run: list[str]) -> None:
    file = write(tmp_path / "broken.jsonl", [*rows()[:2], {"id": "x", "label": "maybe"}])
    done = subprocess.run(
        [sys.executable, *run, "--data", str(file)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "broken.jsonl:3" in done.stderr
    assert "Traceback" not in done.stderr
