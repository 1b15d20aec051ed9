"""Refitting the verifier's head to labels: what counts as a label, versions, and the way back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.config import load_profile, profile_text
from evalcore.errors import ConfigError, InputError
from evalcore.verifier.shipped import shipped_head
from seed_data import load_samples
from tests.workflows.answers import answer, write_jsonl
from workflows import review
from workflows.adjudication import settle
from workflows.evaluate import evaluate_file
from workflows.labels import undo_last
from workflows.sentences import label_sentences
from workflows.store import Store, open_store
from workflows.verifier import (
    CURRENT,
    Labelled,
    current_version,
    history,
    labels_in_file,
    labels_in_store,
    refit,
    revert,
)


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The English seed answers, those that are made up against those that are good."""
    rows = [
        {
            "query": seed.sample.query,
            "contexts": list(seed.sample.contexts),
            "response": seed.sample.response,
            "label": "supported" if seed.intended.quality == "good" else "unsupported",
        }
        for seed in load_samples()
        if seed.lang == "en"
        and seed.intended.quality in ("good", "hallucination", "wrong_number", "wrong_name")
    ]
    return write_jsonl(tmp_path_factory.mktemp("labels") / "labels.jsonl", rows)


@pytest.fixture
def poor_profile(tmp_path: Path) -> Path:
    """The default profile with a head that takes every answer for unsupported."""
    head = shipped_head().model_dump()
    head["answer"]["bias"] += 6
    file = tmp_path / "poor.yaml"
    file.write_text(profile_text("default").replace("head: shipped", f"head: {json.dumps(head)}"), "utf-8")
    return file


def test_a_better_head_is_kept_as_a_version_and_can_be_taken_back(
    labels: Path, poor_profile: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "verifier"
    labelled = labels_in_file(labels)

    tried = refit(labelled, profile=poor_profile, folder=folder, dry_run=True)
    assert tried.kept
    assert not folder.exists()

    first = refit(labelled, profile=poor_profile, folder=folder, dry_run=False)
    assert (first.version, first.profile) == ("v001", folder / CURRENT)
    fitted = load_profile(folder / CURRENT)
    assert fitted.name == "default.v001"
    assert fitted.hash != load_profile(poor_profile).hash
    second = refit(labelled, profile=poor_profile, folder=folder, dry_run=False)
    assert second.version == "v002"

    assert revert(folder) == "v001"
    assert (folder / CURRENT).read_text("utf-8") == (folder / "v001.yaml").read_text("utf-8")
    assert revert(folder) == str(poor_profile)
    assert load_profile(folder / CURRENT).hash == load_profile(poor_profile).hash
    assert current_version(folder) is None
    with pytest.raises(InputError, match="no version to take back"):
        revert(folder)
    assert [entry["kind"] for entry in history(folder)] == ["fit", "fit", "revert", "revert"]


def test_a_head_that_is_no_better_is_not_kept(labels: Path, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in labels.read_text("utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["label"] = ("supported", "unsupported")[number % 2]
    shuffled = write_jsonl(tmp_path / "noise.jsonl", rows)

    report = refit(labels_in_file(shuffled), profile="default", folder=tmp_path / "v", dry_run=False)

    assert report.version is None or report.validation.gain_low > 0
    assert report.kept == report.validation.is_better
    assert (tmp_path / "v").exists() == report.kept


def test_a_profile_without_a_verifier_is_refused(labels: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no verifier to refit"):
        refit(labels_in_file(labels), profile="classic", folder=tmp_path, dry_run=True)


def test_too_few_labels_say_how_many_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="too few documents"):
        refit(Labelled(samples=(), left_out={}), profile="default", folder=tmp_path, dry_run=True)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "JSONDecodeError"),
        ("[1]", "TypeError"),
        ('{"query": "q", "context": "c", "response": "r"}', "KeyError: 'label'"),
        ('{"query": "q", "context": "c", "response": "r", "label": "good"}', "label is 'good'"),
    ],
)
def test_a_line_that_is_no_label_is_named(tmp_path: Path, line: str, problem: str) -> None:
    good = '{"query": "q", "context": "c", "response": "r", "label": "supported"}'
    file = tmp_path / "labels.jsonl"
    file.write_text(f"{good}\n\n{line}\n", "utf-8")

    with pytest.raises(InputError) as caught:
        labels_in_file(file)

    assert caught.value.where == f"{file}:3"
    assert problem in str(caught.value)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, evaluator: object) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("labelled")
    opened = open_store(str(folder / "p.db"))
    evaluate_file(opened, evaluator, write_jsonl(folder / "a.jsonl", [answer(n) for n in range(1, 7)]))  # type: ignore[arg-type]
    yield opened
    opened.close()


def test_labels_count_where_reviewers_agree_and_speak_of_support(store: Store) -> None:
    ann, ben = (review.sign_in(store, name).id for name in ("Ann", "Ben"))
    given = [
        (1, ann, "accept", None),
        (2, ann, "reject", "hallucination"),
        (3, ann, "accept", None),
        (3, ben, "reject", "hallucination"),
        (4, ann, "reject", "off_topic"),
        (5, ann, "unsure", None),
        (1, ben, "unsure", None),
    ]
    for result, reviewer, verdict, failure in given:
        review.add_label(
            store,
            result_id=result,
            reviewer_id=reviewer,
            verdict=verdict,
            failure_type=failure,  # type: ignore[arg-type]
        )

    labelled = labels_in_store(store)

    assert sorted(j.supported for j in labelled.samples) == [False, True]
    assert labelled.left_out == {
        "reviewers disagree": 1, "rejected for another reason than support": 1, "unsure": 1
    }  # fmt: skip


def test_settlements_and_sentence_labels_are_learned_from_and_withdrawn_ones_are_not(
    tmp_path: Path, evaluator: object
) -> None:
    store = open_store(str(tmp_path / "p.db"))
    evaluate_file(store, evaluator, write_jsonl(tmp_path / "a.jsonl", [answer(n) for n in range(1, 7)]))  # type: ignore[arg-type]
    ann, ben = (review.sign_in(store, name).id for name in ("Ann", "Ben"))
    labels = [
        (1, ann, "accept"),
        (1, ben, "reject"),
        (2, ann, "reject"),
        (3, ann, "accept"),
        (4, ann, "accept"),
    ]
    for result, reviewer, verdict in labels:
        review.add_label(store, result_id=result, reviewer_id=reviewer, verdict=verdict)  # type: ignore[arg-type]
    undo_last(store, ann)
    settle(store, ann, 1, "reject", token="s", failure_type="hallucination")
    for key, verdict in (((2, 0), "unsupported"), ((5, 0), "supported"), ((6, 0), "not_a_claim")):
        label_sentences(store, [key], reviewer_id=ann, verdict=verdict, token="t")  # type: ignore[arg-type]
    label_sentences(store, [(5, 0)], reviewer_id=ben, verdict="unsupported", token="t2")
    label_sentences(store, [(5, 0)], reviewer_id=ben, verdict="withdrawn", token="t3")

    labelled = labels_in_store(store)

    by_id = {judged.sample.id: judged for judged in labelled.samples}
    whole = len(by_id["a-2"].sample.response)
    assert {name: judged.supported for name, judged in by_id.items()} == {
        "a-1": False, "a-2": False, "a-3": True, "a-5": True,
    }  # fmt: skip
    assert by_id["a-2"].stretches == ((0, whole, False),)
    assert by_id["a-5"].stretches == ((0, whole, True),)
    assert by_id["a-3"].stretches == ()
    assert labelled.left_out == {"no sentence says supported or unsupported": 1}
    store.close()
