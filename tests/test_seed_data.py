"""The demo data hold what the demo promises to show."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import seed_data
from evalcore.errors import InputError
from seed_data import QUALITIES, SeedLabel, SeedSample, load_labels, load_samples

FIRST_DAY = datetime(2026, 10, 5, tzinfo=UTC)
END = datetime(2026, 11, 30, tzinfo=UTC)
CHANGE = datetime(2026, 11, 9, tzinfo=UTC)
RIGHT = {"good", "refusal_right"}
FAILURE_TYPES = {"hallucination", "weak_grounding", "poor_retrieval", "off_topic"}
FOLDER = Path(seed_data.__file__).parent


@pytest.fixture(scope="module")
def samples() -> list[SeedSample]:
    return load_samples()


@pytest.fixture(scope="module")
def labels() -> list[SeedLabel]:
    return load_labels()


def _bad_share(samples: list[SeedSample]) -> float:
    return sum(s.intended.quality not in RIGHT for s in samples) / len(samples)


def test_ids_and_contents_are_unique(samples: list[SeedSample]) -> None:
    assert len(samples) >= 96
    assert len({s.sample.id for s in samples}) == len(samples)
    assert len({s.sample.content_hash for s in samples}) == len(samples)


def test_languages_and_subjects_are_mixed(samples: list[SeedSample]) -> None:
    share = {lang: n / len(samples) for lang, n in Counter(s.lang for s in samples).items()}
    assert 0.6 <= share["en"] <= 0.75
    assert 0.25 <= share["ru"] <= 0.35
    assert {"de", "zh", "ar"} <= share.keys()
    subjects = Counter(s.subject for s in samples)
    assert set(subjects) == {"hp", "lib", "hr", "bill", "mus", "lab"}
    assert min(subjects.values()) >= 15


def test_every_intended_quality_occurs_and_half_are_good(samples: list[SeedSample]) -> None:
    found = Counter(s.intended.quality for s in samples)
    assert set(found) == set(QUALITIES)
    assert 0.45 <= found["good"] / len(samples) <= 0.6


def test_odd_inputs_are_there(samples: list[SeedSample]) -> None:
    assert any(not s.sample.query.strip() for s in samples)
    assert any(not s.sample.contexts for s in samples)
    assert any(s.sample.response == "" for s in samples)
    assert any(s.sample.response and not s.sample.response.strip() for s in samples)
    assert any(len(s.sample.contexts) == 5 for s in samples)
    assert max(len(c) for s in samples for c in s.sample.contexts) >= 6000
    responses = "\n".join(s.sample.response for s in samples)
    for mark in ("<script>", "javascript:", ":red[", "|---|", "```", "\n- ", "\n2. ", "[1]", "answer ACCEPT"):
        assert mark in responses


def test_every_week_is_covered_in_order(samples: list[SeedSample]) -> None:
    times = [s.created_at for s in samples]
    assert times == sorted(times)
    assert times[0] >= FIRST_DAY
    assert times[-1] < END
    weeks = Counter((t - FIRST_DAY) // timedelta(weeks=1) for t in times)
    assert sorted(weeks) == list(range(8))
    assert min(weeks.values()) >= 12


def test_the_change_of_prompt_about_doubles_the_share_of_bad_answers(samples: list[SeedSample]) -> None:
    for s in samples:
        assert s.prompt_version == ("p3" if s.created_at < CHANGE else "p4")
    early = _bad_share([s for s in samples if s.prompt_version == "p3"])
    late = _bad_share([s for s in samples if s.prompt_version == "p4"])
    assert 0.25 <= early <= 0.4
    assert 1.7 <= late / early <= 2.3


def test_labels_refer_to_samples_and_follow_them(samples: list[SeedSample], labels: list[SeedLabel]) -> None:
    born = {s.sample.id: s.created_at for s in samples}
    for label in labels:
        assert label.created_at > born[label.sample_id]
        assert label.created_at < END
        assert label.failure_type is None or label.failure_type in FAILURE_TYPES
        assert label.verdict != "accept" or label.failure_type is None
    assert len({(x.sample_id, x.reviewer) for x in labels}) == len(labels)


def test_the_reviewers_overlap_and_sometimes_disagree(labels: list[SeedLabel]) -> None:
    verdicts: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        verdicts[label.sample_id].append(label.verdict)
    both = [v for v in verdicts.values() if len(v) == 2]
    assert {x.reviewer for x in labels} == {"Demo: Irina", "Demo: Tom"}
    assert len(both) == 18
    assert sum(first != second for first, second in both) == 4
    agreed = Counter(first for first, second in both if first == second)
    assert agreed == {"accept": 7, "reject": 7}


def test_where_both_agree_or_one_speaks_the_verdict_is_right(
    samples: list[SeedSample], labels: list[SeedLabel]
) -> None:
    good = {s.sample.id: s.intended.quality in RIGHT for s in samples}
    verdicts: dict[str, set[str]] = defaultdict(set)
    for label in labels:
        verdicts[label.sample_id].add(label.verdict)
    for sample_id, said in verdicts.items():
        if len(said) == 1:
            assert said == {"accept" if good[sample_id] else "reject"}, sample_id


def test_a_queue_is_left_for_the_last_two_weeks(samples: list[SeedSample], labels: list[SeedLabel]) -> None:
    done = {x.sample_id for x in labels}
    late = [s for s in samples if s.created_at >= CHANGE + timedelta(weeks=1)]
    bad = [s for s in late if s.intended.quality not in RIGHT]
    assert len(bad) >= 15
    assert sum(s.sample.id in done for s in bad) <= 2


def test_the_loader_loses_nothing(samples: list[SeedSample], labels: list[SeedLabel]) -> None:
    sample_lines = [
        {
            "id": s.sample.id,
            "query": s.sample.query,
            "contexts": list(s.sample.contexts),
            "response": s.sample.response,
            "lang": s.lang,
            "subject": s.subject,
            "system": s.system,
            "prompt_version": s.prompt_version,
            "model": s.model,
            "created_at": f"{s.created_at:%Y-%m-%dT%H:%M:%SZ}",
            "intended": {"quality": s.intended.quality, "note": s.intended.note},
        }
        for s in samples
    ]
    label_lines = [
        {
            "sample_id": x.sample_id,
            "reviewer": x.reviewer,
            "verdict": x.verdict,
            "failure_type": x.failure_type,
            "note": x.note,
            "created_at": f"{x.created_at:%Y-%m-%dT%H:%M:%SZ}",
        }
        for x in labels
    ]
    for name, lines in (("samples.jsonl", sample_lines), ("labels.jsonl", label_lines)):
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        assert text == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("verdict", "maybe", "one of accept, reject, unsure"),
        ("created_at", "2026-10-05 09:00", "UTC as"),
        ("note", None, "a string"),
    ],
)
def test_a_damaged_line_is_named(
    field: str, value: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = json.loads((FOLDER / "labels.jsonl").read_text(encoding="utf-8").split("\n", 1)[0])
    (tmp_path / "labels.jsonl").write_text(json.dumps(line | {field: value}) + "\n", encoding="utf-8")
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    with pytest.raises(InputError, match=expected) as caught:
        load_labels()
    assert caught.value.where == f"seed_data/labels.jsonl:1, {field}"
