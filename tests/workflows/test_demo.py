"""The demo database: the same every time, made once, kept when visited."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from evalcore import EvalResult, Evaluator, Sample
from evalcore.errors import StoreError
from seed_data import load_labels, load_samples
from tests.workflows.answers import assert_whole, counts, query
from workflows import review
from workflows.demo import DEMO_DATABASE, demo_store, seed
from workflows.store import Store, open_store


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path, new = demo_store(tmp_path_factory.mktemp("first") / "deep" / "folder")
    assert path.name == DEMO_DATABASE
    assert new == len(load_samples())
    return path


def documents(database: Path) -> list[dict[str, object]]:
    found = []
    for (text,) in query(database, "SELECT document FROM result_documents ORDER BY result_id"):
        document = json.loads(str(text))
        del document["meta"]["latency_ms"]
        found.append(document)
    return found


def test_two_fresh_demo_databases_are_the_same(demo: Path, store: Store, database: Path) -> None:
    # One by the command's way, one by an evaluator that has seen other texts before.
    evaluator = Evaluator.from_profile("default")
    evaluator.evaluate(query="Q?", contexts=["P."], response="A.")
    seed(store, evaluator)
    assert documents(database) == documents(demo)
    labels = "SELECT result_id, reviewer_id, verdict, failure_type, note, created_at, supersedes FROM labels"
    runs = "SELECT name, source, system, prompt_version, model, started_at, n_rows, n_stored FROM runs"
    for sql in (labels, runs, "SELECT name FROM reviewers", "SELECT external_id, created_at FROM samples"):
        assert query(database, sql) == query(demo, sql)


def test_it_holds_every_seed_answer_and_label_with_their_dates(demo: Path) -> None:
    assert_whole(demo)
    found = counts(demo)
    assert found["results"] == len(load_samples())
    assert found["labels"] == len(load_labels())
    dates = {s.sample.id: f"{s.created_at:%Y-%m-%d}" for s in load_samples()}
    stored = query(
        demo,
        "SELECT external_id, substr(r.created_at, 1, 10) FROM results r JOIN samples s ON s.id = r.sample_id",
    )
    assert dict(stored) == dates
    assert query(demo, "SELECT count(*) FROM runs WHERE finished_at IS NULL") == [(0,)]


def test_seeding_again_scores_nothing_and_keeps_what_a_visitor_did(demo: Path) -> None:
    store = open_store(str(demo))
    person = review.sign_in(store, "Visitor")
    waiting = review.next_item(store, review.QueueFilter(), None)
    assert waiting is not None
    review.add_label(store, result_id=waiting.id, reviewer_id=person.id, verdict="reject")
    store.close()
    before = counts(demo)
    said: list[tuple[int, int]] = []

    class Unused(Evaluator):
        def evaluate_sample(self, sample: Sample) -> EvalResult:
            raise AssertionError("scored again")

        def evaluate_many(self, samples: Iterable[Sample], *, chunk: int = 1) -> Iterator[EvalResult]:
            assert list(samples) == []
            return iter(())

    assert demo_store(demo.parent) == (demo, 0)
    store = open_store(str(demo))
    assert seed(store, Unused.from_profile("default"), progress=lambda *at: said.append(at)) == 0
    store.close()
    assert counts(demo) == before
    assert said[-1] == (len(load_samples()), len(load_samples()))


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(StoreError, match="folder cannot be made"):
        demo_store(tmp_path / "taken")
