"""``proofdesk baseline`` and ``gate``, end to end (field case GAT-06; the published demonstration)."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from evalcore.evaluator import Evaluator
from tests.cli.program import proofdesk
from workflows import adjudication, baselines, review
from workflows.evaluate import RunOptions, evaluate_file
from workflows.labels import save_label
from workflows.store import open_store

OFF_TOPIC = "Bananas are rich in potassium and grow in bunches in the tropics."
ROWS = [
    {
        "id": "pump",
        "question": "How long is the pump's warranty?",
        "contexts": ["All pumps carry a two-year warranty from the day of purchase."],
        "answer": "The pump carries a two-year warranty from the day of purchase.",
    },
    {
        "id": "fuse",
        "question": "Which fuse protects the pump?",
        "contexts": ["Fuse F3 protects the pump. Fuse F4 protects the heater."],
        "answer": "Fuse F3 protects the pump.",
    },
    {
        "id": "hours",
        "question": "When is the library open on Saturday?",
        "contexts": ["On Saturday the library is open from 10:00 to 16:00."],
        "answer": "On Saturday the library is open from 10:00 to 16:00.",
    },
    {
        "id": "filter",
        "question": "How often is the filter changed?",
        "contexts": ["The filter of the heat pump is changed once a year, in autumn."],
        "answer": "The filter is changed once a year, in autumn.",
    },
]


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return path


def degraded(*ids: str) -> list[dict[str, object]]:
    return [{**row, "answer": OFF_TOPIC} if row["id"] in ids else dict(row) for row in ROWS]


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database whose latest run, scored by classic, is frozen as support@1, and exported."""
    folder = tmp_path_factory.mktemp("gate")
    store = open_store(f"sqlite:///{folder / 'a.db'}")
    file = write(folder / "answers.jsonl", list(ROWS))
    evaluate_file(store, Evaluator.from_profile("classic"), file, RunOptions(name="first"))
    ada = review.sign_in(store, "Ada").id
    for row in ROWS[:3]:
        item = review.find_results(store, str(row["id"]))[0].id
        save_label(store, result_id=item, reviewer_id=ada, verdict="accept")
    baselines.freeze(store, "support", choice="all", by=ada)
    baselines.export(store, "support", folder / "support.jsonl")
    store.close()
    return folder


@pytest.fixture
def db(frozen: Path) -> str:
    return str(frozen / "a.db")


def test_unchanged_answers_pass(frozen: Path, db: str) -> None:
    told = proofdesk("gate", "--baseline", "support", "--answers", frozen / "answers.jsonl", "--db", db)
    assert told.code == 0, told.err
    assert told.out.startswith("PASS: baseline support@1")
    assert "4 shared cases, 0 worse" in told.out


def test_three_answers_replaced_by_off_topic_text_fail_and_are_named(
    frozen: Path, db: str, tmp_path: Path
) -> None:
    bad = write(tmp_path / "bad.jsonl", degraded("pump", "fuse", "hours"))
    told = proofdesk(
        "gate", "--baseline", "support", "--answers", bad, "--db", db,
        "--markdown", tmp_path / "r.md", "--junit", tmp_path / "r.xml",
    )  # fmt: skip
    assert told.code == 1, told.err
    assert "REGRESSION: baseline support@1" in told.out
    assert "4 shared cases, 3 worse" in told.out
    for case in ("pump", "fuse", "hours"):
        assert case in told.out
    assert "3 of 4 cases fell by more than allowed" in told.out
    assert "accept > " in told.out
    markdown = (tmp_path / "r.md").read_text("utf-8")
    assert "Proofdesk gate: REGRESSION" in markdown
    assert markdown.count("ACCEPT →") == 3
    suite = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert [case.get("name") for case in suite if case.find("failure") is not None][:3] == sorted(
        ["pump", "fuse", "hours"], key=lambda i: [c.get("name") for c in suite].index(i)
    )


def test_an_exported_baseline_gates_without_a_database(frozen: Path, tmp_path: Path) -> None:
    same = proofdesk(
        "gate", "--baseline", frozen / "support.jsonl", "--answers", frozen / "answers.jsonl", "--json"
    )
    assert same.code == 0, same.err
    assert same.document["outcome"] == "pass"
    bad = write(tmp_path / "bad.jsonl", degraded("filter"))
    worse = proofdesk("gate", "--baseline", frozen / "support.jsonl", "--answers", bad, "--json")
    assert worse.code == 1
    assert [pair["id"] for pair in worse.document["pairs"] if pair["problems"]] == ["filter"]


def test_another_profile_is_not_comparable_until_rescored(frozen: Path, tmp_path: Path) -> None:
    common = ("gate", "--baseline", frozen / "support.jsonl", "--profile", "default")
    told = proofdesk(*common, "--answers", frozen / "answers.jsonl")
    assert told.code == 3
    assert "NOT COMPARABLE" in told.out
    assert "the gate changed: profile, profile_hash" in told.out

    told = proofdesk(*common, "--answers", frozen / "answers.jsonl", "--rescore")
    assert told.code == 0, told.out
    assert "the scorer changed" in told.err
    bad = write(tmp_path / "bad.jsonl", degraded("fuse"))
    assert proofdesk(*common, "--answers", bad, "--rescore").code == 1


def test_missing_added_and_broken_rows_are_no_pass(frozen: Path, tmp_path: Path) -> None:
    rows = [*ROWS[:3], {**ROWS[3], "id": "new"}]
    told = proofdesk(
        "gate", "--baseline", frozen / "support.jsonl", "--answers", write(tmp_path / "a.jsonl", rows)
    )
    assert told.code == 3
    assert "missing (1): filter" in told.out
    assert "added (1): new" in told.out

    (tmp_path / "gates.yaml").write_text("removed: [filter]\n", encoding="utf-8")
    told = proofdesk(
        "gate", "--baseline", frozen / "support.jsonl", "--answers", tmp_path / "a.jsonl",
        "--config", tmp_path / "gates.yaml",
    )  # fmt: skip
    assert told.code == 0, told.out

    broken = write(tmp_path / "b.jsonl", list(ROWS))
    broken.write_text(broken.read_text("utf-8") + "{nonsense\n", encoding="utf-8")
    told = proofdesk("gate", "--baseline", frozen / "support.jsonl", "--answers", broken)
    assert told.code == 3
    assert "1 rows of the answers could not be read" in told.out
    assert "b.jsonl:5" in told.err


def test_a_baseline_that_is_gone_cut_changed_or_none_is_never_a_pass(
    frozen: Path, db: str, tmp_path: Path
) -> None:
    answers = ("--answers", frozen / "answers.jsonl")
    gone = proofdesk("gate", "--baseline", "nobody", *answers, "--db", db)
    assert (gone.code, "there is no such baseline" in gone.err) == (2, True)
    missing = proofdesk("gate", "--baseline", tmp_path / "none.jsonl", *answers)
    assert (missing.code, "cannot be read" in missing.err) == (2, True)

    text = (frozen / "support.jsonl").read_text("utf-8")
    lines = text.splitlines(keepends=True)
    changed = text.replace("two-year", "ten-year", 1)
    for name, content, told in (
        ("cut", text[:40], "not JSON"),
        ("short", "".join(lines[:-1]), "the baseline is cut"),
        ("empty", "", "the baseline is empty"),
        ("changed", changed, "changed after it was written"),
        ("other", json.dumps(ROWS[0]) + "\n", "not a baseline's file"),
        ("nocase", lines[0].replace('"n_cases": 4', '"n_cases": 0'), "needs a case"),
        ("later", text.replace('"proofdesk_baseline": 1', '"proofdesk_baseline": 9'), "another schema"),
    ):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(content, encoding="utf-8")
        found = proofdesk("gate", "--baseline", path, *answers)
        assert found.code == 2, name
        assert told in found.err, name


def test_baselines_are_listed_shown_compared_and_carried_elsewhere(frozen: Path, tmp_path: Path) -> None:
    first = ("baseline", "import", frozen / "support.jsonl", "--db", tmp_path / "b.db", "--json")
    one = proofdesk(*first)
    assert one.code == 0, one.err
    assert (one.document["version"], one.document["cases"]) == (1, 4)
    assert proofdesk(*first).document["version"] == 2
    listed = proofdesk("baseline", "list", "--db", tmp_path / "b.db", "--json").document
    assert [row["version"] for row in listed] == [2, 1]
    shown = proofdesk("baseline", "show", "support@1", "--db", tmp_path / "b.db").out
    assert "pump" in shown
    assert "single" in shown
    same = proofdesk("baseline", "diff", "support@1", "support@2", "--db", tmp_path / "b.db")
    assert same.out.strip() == "4 cases are the same"

    exported = proofdesk("baseline", "export", "support@2", tmp_path / "out.jsonl", "--db", tmp_path / "b.db")
    assert exported.code == 0, exported.err
    ours, theirs = (
        (p.read_text("utf-8").splitlines()) for p in (frozen / "support.jsonl", tmp_path / "out.jsonl")
    )
    assert ours[1:] == theirs[1:]
    assert json.loads(ours[0])["hash"] == json.loads(theirs[0])["hash"] == one.document["hash"]
    again = proofdesk("baseline", "export", "support", tmp_path / "out.jsonl", "--db", tmp_path / "b.db")
    assert (again.code, "cannot be written" in again.err) == (2, True)


def test_a_removed_version_is_gated_no_more_and_leaves_its_trace(frozen: Path, tmp_path: Path) -> None:
    db = ("--db", tmp_path / "b.db")
    proofdesk("baseline", "import", frozen / "support.jsonl", *db)
    gate = ("gate", "--baseline", "support", "--answers", frozen / "answers.jsonl", *db)
    assert proofdesk(*gate).code == 0
    refused = proofdesk("baseline", "remove", "support@1", *db)
    assert (refused.code, "add --yes" in refused.err) == (2, True)
    assert proofdesk("baseline", "remove", "support@1", "--yes", *db).code == 0
    told = proofdesk(*gate)
    assert (told.code, "there is no such baseline" in told.err) == (2, True)
    told = proofdesk("gate", "--baseline", "support@1", *gate[3:])
    assert (told.code, "taken out of use" in told.err) == (2, True)
    assert "(out of use)" in proofdesk("baseline", "list", *db).out
    store = open_store(f"sqlite:///{tmp_path / 'b.db'}")
    (run,) = baselines.gate_runs(store, "support@1")
    assert (run.outcome, run.n_shared, json.loads(run.report)["baseline"]) == ("pass", 4, "support")
    store.close()


def test_a_stored_run_is_judged_as_it_was_scored(frozen: Path, db: str) -> None:
    assert proofdesk("gate", "--baseline", "support", "--run", "first", "--db", db).code == 0
    told = proofdesk("gate", "--baseline", "support", "--run", "none", "--db", db)
    assert (told.code, "no such run" in told.err) == (2, True)
    told = proofdesk("gate", "--baseline", "support", "--run", "first", "--rescore", "--db", db)
    assert (told.code, "has its scores" in told.err) == (2, True)
    both = proofdesk("gate", "--baseline", "support", "--db", db)
    assert (both.code, "one of --answers and --run" in both.err) == (2, True)


def test_freezing_takes_what_was_asked_for(frozen: Path, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'c.db'}")
    file = write(tmp_path / "answers.jsonl", list(ROWS))
    evaluate_file(store, Evaluator.from_profile("classic"), file, RunOptions(name="first"))
    ada, bea = (review.sign_in(store, name).id for name in ("Ada", "Bea"))
    from workflows import claims

    claims.change_settings(store, ada, labels_required=2)
    items = [review.find_results(store, str(row["id"]))[0].id for row in ROWS]
    for who, said in ((ada, "aara"), (bea, "ar")):
        for item, verdict in zip(items, said, strict=False):
            word = "accept" if verdict == "a" else "reject"
            save_label(store, result_id=item, reviewer_id=who, verdict=word)  # type: ignore[arg-type]
    from uuid import uuid4

    adjudication.settle(store, ada, items[1], "reject", token=uuid4().hex)

    def sources(choice: str) -> dict[str, tuple[str | None, str | None]]:
        _, cases = baselines.preview(store, "first", choice=choice)  # type: ignore[arg-type]
        return {case.id: (case.gold, case.gold_source) for case in cases}

    assert sources("gold") == {"pump": ("accept", "agreement"), "fuse": ("reject", "adjudication")}
    assert sources("labelled") == {
        **sources("gold"), "hours": ("reject", "single"), "filter": ("accept", "single"),
    }  # fmt: skip
    assert set(sources("all")) == {str(row["id"]) for row in ROWS}
    row = baselines.freeze(store, "mine", "first", by=ada)
    assert (row.n_cases, row.version) == (2, 1)
    from evalcore.errors import RoleError

    with pytest.raises(RoleError):
        baselines.freeze(store, "mine", "first", by=bea)
    store.close()
