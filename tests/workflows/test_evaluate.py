"""A file through the gate into the store: pieces, reports, and being stopped anywhere."""

from __future__ import annotations

import io
import json
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from db.repositories.results import Results
from db.repositories.runs import Runs, RunSpec
from evalcore import EvalResult, Evaluator, Sample
from evalcore.importers import ImportedRow, open_source
from tests.workflows.answers import answer, assert_whole, count, counts, query, write_jsonl
from workflows.evaluate import KEPT_MESSAGES, PIECE, FileReport, Interrupted, RunOptions, evaluate_file
from workflows.ingest import Piece, Source
from workflows.store import Store


def test_a_report_counts_every_row_once(store: Store, evaluator: Evaluator, tmp_path: Path) -> None:
    evaluate_file(store, evaluator, write_jsonl(tmp_path / "a.jsonl", [answer(0)]))
    rows = [answer(0), answer(1), answer(1), {"id": "bad"}, answer(1, answer="Other."), answer(2)]
    report = evaluate_file(store, evaluator, write_jsonl(tmp_path / "b.jsonl", rows))
    assert (report.n_rows, report.n_new, report.n_existing, report.n_repeats, report.n_failed) == (
        6,
        2,
        1,
        1,
        2,
    )
    assert report.decisions.total() == report.failure_types.total() == 3
    assert report.run == "b.jsonl"
    assert report.columns.startswith("query=question, contexts=contexts, response=answer")
    assert json.loads(json.dumps(report.to_dict()))["rows"] == 6


def test_progress_comes_after_every_piece(store: Store, evaluator: Evaluator, tmp_path: Path) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(n) for n in range(PIECE + 3)])
    seen: list[tuple[int, int, int]] = []

    def progress(report: FileReport, source: Source, piece: Piece) -> None:
        assert source.size_bytes == file.stat().st_size
        seen.append((report.n_rows, count(tmp_path / "p.db", "results"), piece.position))

    evaluate_file(store, evaluator, file, progress=progress)
    assert [(rows, stored) for rows, stored, _ in seen] == [(PIECE, PIECE), (PIECE + 3, PIECE + 3)]
    assert seen[-1][2] == file.stat().st_size


def test_messages_are_bounded_and_counts_are_not(store: Store, evaluator: Evaluator, tmp_path: Path) -> None:
    n = KEPT_MESSAGES + 5
    file = tmp_path / "a.jsonl"
    file.write_text("{}\n" * n)
    report = evaluate_file(store, evaluator, file)
    assert (report.n_failed, len(report.messages["error"])) == (n, KEPT_MESSAGES)
    assert report.run_id is None


def test_stopping_between_commit_and_report_tells_what_the_store_has(
    store: Store, evaluator: Evaluator, database: Path, tmp_path: Path
) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(n) for n in range(PIECE + 1)])

    def stop(report: FileReport, source: Source, piece: Piece) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted) as stopped:
        evaluate_file(store, evaluator, file, progress=stop)
    assert stopped.value.n_stored == count(database, "results") == PIECE
    assert_whole(database)
    again = evaluate_file(store, evaluator, file)
    assert (again.n_new, again.n_existing) == (1, PIECE)
    assert_whole(database)


def test_what_another_process_stored_meanwhile_counts_as_stored_before(
    store: Store, evaluator: Evaluator, database: Path, tmp_path: Path
) -> None:
    rows = [answer(n) for n in range(2 * PIECE)]
    file = write_jsonl(tmp_path / "a.jsonl", rows)
    first = next(row.sample for row in open_source(file) if isinstance(row, ImportedRow))

    class Overtaken(Evaluator):
        """Another process stores one of the answers while this one scores them."""

        def evaluate_many(self, samples: Iterable[Sample], *, chunk: int = 16) -> Iterator[EvalResult]:
            yield from super().evaluate_many(samples, chunk=chunk)
            spec = RunSpec(key="other", name="other", source="-", fingerprint=self.fingerprint)
            with store.write() as session:
                run = Runs(session).start(spec)
                Results(session).add_many(run.id, [(first, evaluator.evaluate_sample(first))])

    out = io.StringIO()
    report = evaluate_file(store, Overtaken(evaluator.profile, evaluator.encoder), file, out=out)
    assert (report.n_new, report.n_existing) == (2 * PIECE - 1, 1)
    ((document,),) = query(database, "SELECT document FROM result_documents WHERE result_id = 1")
    assert json.loads(out.getvalue().splitlines()[0]) == json.loads(str(document))
    runs = query(database, "SELECT n_rows, n_stored, n_existing FROM runs WHERE name = 'a.jsonl'")
    assert runs == [(2 * PIECE, 2 * PIECE - 1, 1)]


@pytest.mark.parametrize(
    ("options", "same"),
    [
        (RunOptions(), True),
        (RunOptions(name="a.jsonl"), True),
        (RunOptions(name="other"), False),
        (RunOptions(system="Kiosk"), False),
        (RunOptions(prompt_version="2"), False),
        (RunOptions(model="m"), False),
    ],
)
def test_the_same_file_name_and_origin_are_the_same_run(
    options: RunOptions, same: bool, store: Store, evaluator: Evaluator, database: Path, tmp_path: Path
) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(1)])
    first = evaluate_file(store, evaluator, file)
    second = evaluate_file(store, evaluator, file, options)
    assert (first.run_id == second.run_id) is same
    assert count(database, "results") == 1


def test_a_file_whose_content_changed_is_another_run(
    store: Store, evaluator: Evaluator, database: Path, tmp_path: Path
) -> None:
    evaluate_file(store, evaluator, write_jsonl(tmp_path / "a.jsonl", [answer(1)]))
    evaluate_file(store, evaluator, write_jsonl(tmp_path / "a.jsonl", [answer(1), answer(2)]))
    assert counts(database)["runs"] == 2
    assert query(database, "SELECT n_stored, n_existing FROM runs ORDER BY id") == [(1, 0), (1, 1)]


def test_results_do_not_depend_on_the_pieces_they_came_in(
    store: Store, evaluator: Evaluator, tmp_path: Path
) -> None:
    rows = [answer(n) for n in range(PIECE + 5)]
    out = io.StringIO()
    evaluate_file(store, evaluator, write_jsonl(tmp_path / "a.jsonl", rows), out=out)
    for line, row in zip(out.getvalue().splitlines()[-7:], rows[-7:], strict=True):
        alone = evaluator.evaluate(
            query=str(row["question"]),
            contexts=row["contexts"],  # type: ignore[arg-type]
            response=str(row["answer"]),
            id=str(row["id"]),
        ).to_dict()
        stored = json.loads(line)
        for document in (alone, stored):
            del document["meta"]["latency_ms"]
        assert stored == alone
