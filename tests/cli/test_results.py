"""`proofdesk results` and `proofdesk label`: finding, showing without harm, judging once."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from tests.cli.conftest import ESC, HOSTILE
from tests.cli.program import Outcome, proofdesk
from tests.workflows.answers import answer, count, query, write_jsonl


@pytest.fixture
def labelled(tmp_path: Path, database: Path) -> Path:
    assert proofdesk("evaluate", write_jsonl(tmp_path / "a.jsonl", [answer(1)]), "--db", database).code == 0
    return database


def label(*arguments: str, database: Path, reviewer: str = "Ada") -> Outcome:
    return proofdesk("label", *arguments, "--reviewer", reviewer, "--db", database)


def test_results_are_listed_latest_first_and_page_by_page(read_only_database: Path) -> None:
    numbers: list[int] = []
    after: list[str] = []
    while True:
        page = proofdesk(
            "results", "list", "--db", read_only_database, "--limit", "4", "--json", *after
        ).document
        numbers += [row["result"] for row in page["results"]]
        if page["next_after"] is None:
            break
        after = ["--after", str(page["next_after"])]
    assert numbers == [6, 5, 4, 3, 2, 1]


def test_the_next_page_is_told_on_stderr(read_only_database: Path) -> None:
    outcome = proofdesk("results", "list", "--db", read_only_database, "--limit", "2")
    assert outcome.err == "more: --after 5\n"


def test_filters_narrow_the_list(read_only_database: Path) -> None:
    def listed(*arguments: str) -> list[int]:
        outcome = proofdesk("results", "list", "--db", read_only_database, "--json", *arguments)
        return [row["result"] for row in outcome.document["results"]]

    decisions = {d: listed("--decision", d) for d in ("ACCEPT", "REVIEW", "REJECT")}
    assert sorted(n for numbers in decisions.values() for n in numbers) == [1, 2, 3, 4, 5, 6]
    assert listed("--decision", "accept") == decisions["ACCEPT"] != []
    assert listed("--run", "2") == [6]
    assert listed("--failure-type", "none") == decisions["ACCEPT"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["list", "--decision", "MAYBE"], "decision"),
        (["list", "--run", "99"], "no such run"),
        (["list", "--run", str(2**64)], "--run"),
        (["list", "--limit", "0"], "--limit"),
        (["show", "nobody"], "no such result"),
        (["show", "#99"], "no such result"),
        (["show", "#" + "9" * 30], "no such result"),
        (["show", "#"], "no such result"),
        (["show", "²"], "no such result"),
        (["show", ""], "no such result"),
        (["show", "a-0"], "several results of one sample"),
    ],
)
def test_what_is_not_there_is_one_line_and_exit_code_2(
    arguments: list[str], says: str, read_only_database: Path
) -> None:
    outcome = proofdesk("results", *arguments, "--db", read_only_database)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err
    assert "Traceback" not in outcome.err


def test_an_ambiguous_id_lists_the_numbers_to_choose_from(read_only_database: Path) -> None:
    error = proofdesk("results", "show", "a-0", "--db", read_only_database).err
    assert "#1 (ACCEPT" in error
    assert "#6 (" in error
    shown = proofdesk("results", "show", "#6", "--db", read_only_database, "--json").document
    assert shown["sample"]["response"] == "No fuse guards it."


def test_no_results_is_said(tmp_path: Path, read_only_database: Path) -> None:
    outcome = proofdesk("results", "list", "--db", read_only_database, "--failure-type", "never")
    assert (outcome.code, outcome.err) == (0, "no results\n")


@pytest.mark.parametrize("command", [["results", "list"], ["results", "show", "x"], ["db", "info"]])
def test_a_missing_database_is_not_made_by_looking(command: list[str], database: Path) -> None:
    outcome = proofdesk(*command, "--db", database)
    assert (outcome.code, outcome.out) == (2, "")
    assert "there is no database yet" in outcome.err
    assert not database.exists()
    assert label("x", "accept", database=database).code == 2
    assert not database.exists()


def test_a_result_is_shown_whole(read_only_database: Path) -> None:
    outcome = proofdesk("results", "show", "a-1", "--db", read_only_database)
    for part in ("Which fuse guards pump 1?", "Fuse F1 guards it.", "rule", "attribution", "Next: "):
        assert part in outcome.out
    document = proofdesk("results", "show", "a-1", "--db", read_only_database, "--json").document
    assert document["sample"]["contexts"] == answer(1)["contexts"]
    assert document["evaluation"]["sample_id"] == "a-1"
    assert document["labels"] == []


@pytest.mark.parametrize("text", ["Fuse F1 guards pump 1, rated 9 litres.", "Nero paid 9 litres."])
def test_what_the_contexts_do_not_hold_stands_under_its_sentence(
    tmp_path: Path, database: Path, text: str
) -> None:
    rows = write_jsonl(tmp_path / "a.jsonl", [answer(1, answer=text)])
    assert proofdesk("evaluate", rows, "--db", database).code == 0
    shown = proofdesk("results", "show", "a-1", "--db", database)
    assert f"! {text}  (support " in shown.out
    assert "  finding: 9 litres is not in the context (nearest: 4 litres)" in shown.out


@pytest.mark.parametrize(
    "command",
    [
        ["results", "list"],
        ["results", "list", "--json"],
        ["results", "show", "#4"],
        ["results", "show", "#4", "--json"],
        ["results", "show", "#5"],
    ],
)
def test_nothing_that_steers_a_terminal_gets_out(command: list[str], read_only_database: Path) -> None:
    outcome = proofdesk(*command, "--db", read_only_database)
    assert outcome.code == 0
    harmful = {c for c in outcome.out + outcome.err if unicodedata.category(c) == "Cc" and c != "\n"}
    assert harmful == set()
    assert "\u202e" not in outcome.out


def test_colours_of_our_own_are_no_way_in_for_others(
    read_only_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "400")
    shown = proofdesk("results", "show", "#4", "--db", read_only_database).out
    assert f"{ESC}[1m" in shown
    for theirs in (f"{ESC}[31m", f"{ESC}[2J", f"{ESC}]0", f"{ESC}[1;31m", f"{ESC}]8"):
        assert theirs not in shown


def test_texts_are_shown_to_the_letter_but_for_escapes(
    read_only_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    shown = proofdesk("results", "show", "#4", "--db", read_only_database).out
    assert "id\\x1b[31m[bold]" in shown
    assert "[/] [link=file:///x]q[/link] :warning: \\x9b2J \\u202edrow\\x1b]0;title\\x07" in shown
    assert "Answer \\x1b[1;31m with [/nothing] and a \\ at the end \\\n" in shown
    listed = proofdesk("results", "list", "--db", read_only_database).out
    assert "id\\x1b[31m[bold]" in listed


def test_json_gives_the_exact_texts(read_only_database: Path) -> None:
    sample = proofdesk("results", "show", str(HOSTILE["id"]), "--db", read_only_database, "--json").document[
        "sample"
    ]
    assert (sample["id"], sample["query"], sample["response"]) == (
        HOSTILE["id"],
        HOSTILE["question"],
        HOSTILE["answer"],
    )


def test_long_texts_emoji_and_right_to_left_survive(read_only_database: Path) -> None:
    listed = proofdesk("results", "list", "--db", read_only_database).out
    assert "سؤال 🧑🏽‍🚀" in listed
    assert "…" in listed
    assert len(listed) < 3000
    assert proofdesk("results", "show", "#5", "--db", read_only_database).out.count("long") == 2000


def test_a_terminal_of_another_encoding_gets_escapes(read_only_database: Path) -> None:
    outcome = proofdesk("results", "list", "--db", read_only_database, encoding="ascii")
    assert outcome.code == 0
    assert "\\u0633" in outcome.out
    outcome = proofdesk("results", "show", "#5", "--db", read_only_database, "--json", encoding="latin-1")
    assert outcome.document["sample"]["query"].startswith("سؤال 🧑🏽‍🚀 long")


def test_labels_are_added_and_superseded_and_never_changed(labelled: Path) -> None:
    assert label("a-1", "accept", "--note", "fine", database=labelled).code == 0
    first = query(labelled, "SELECT * FROM labels")
    refused = label("a-1", "reject", database=labelled)
    assert (refused.code, refused.out) == (2, "")
    assert "already labelled by Ada" in refused.err
    assert "--replace" in refused.err
    assert count(labelled, "labels") == 1
    changed = label("#1", "reject", "--replace", "--failure-type", "wrong_number", database=labelled)
    assert changed.code == 0, changed.err
    assert label("a-1", "unsure", database=labelled, reviewer="Bo").code == 0
    labels = proofdesk("results", "show", "a-1", "--db", labelled, "--json").document["labels"]
    assert [(x["reviewer"], x["verdict"], x["failure_type"], x["note"]) for x in labels] == [
        ("Ada", "accept", None, "fine"),
        ("Ada", "reject", "wrong_number", ""),
        ("Bo", "unsure", None, ""),
    ]
    assert [x["supersedes"] for x in labels] == [None, labels[0]["label"], None]
    assert query(labelled, "SELECT * FROM labels LIMIT 1") == first


def test_case_and_spaces_do_not_make_another_reviewer(labelled: Path) -> None:
    label("a-1", "accept", database=labelled, reviewer="Ada  Lovelace")
    assert label("a-1", "reject", database=labelled, reviewer=" ada lovelace ").code == 2
    assert query(labelled, "SELECT name FROM reviewers") == [("Ada Lovelace",)]


def test_the_reviewer_may_come_from_the_environment(labelled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert proofdesk("label", "a-1", "accept", "--db", labelled).code == 2
    monkeypatch.setenv("PROOFDESK_REVIEWER", "Ada")
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{labelled}")
    outcome = proofdesk("label", "a-1", "accept", "--json")
    assert outcome.document == {"label": 1, "result": 1, "verdict": "accept", "supersedes": None}


@pytest.mark.parametrize(
    ("arguments", "reviewer", "says"),
    [
        (["a-1", "maybe"], "Ada", "maybe"),
        (["a-1", "accept"], "  ", "needs a name"),
        (["a-1", "accept"], "x" * 81, "too long"),
        (["a-1", "accept"], f"A{ESC}[31m", "does not print"),
        (["a-1", "accept", "--note", "x" * 20_001], "Ada", "too long"),
        (["nobody", "accept"], "Ada", "no such result"),
    ],
)
def test_a_label_that_cannot_be_stored_stores_nothing(
    arguments: list[str], reviewer: str, says: str, labelled: Path
) -> None:
    outcome = label(*arguments, database=labelled, reviewer=reviewer)
    assert outcome.code == 2
    assert says in outcome.err
    assert ESC not in outcome.err
    assert count(labelled, "labels") == 0


def test_a_hostile_note_is_shown_and_does_nothing(labelled: Path) -> None:
    label("a-1", "accept", "--note", f"{ESC}[2J [/bold] :x:", database=labelled)
    shown = proofdesk("results", "show", "a-1", "--db", labelled).out
    assert "Ada: accept \\x1b[2J [/bold] :x:" in shown


def test_results_are_exported_to_stdout_and_to_a_new_file(read_only_database: Path, tmp_path: Path) -> None:
    told = proofdesk("results", "export", "--format", "ragas", "--db", read_only_database)
    assert told.code == 0, told.err
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert len(lines) == 6
    assert set(lines[0]) == {"user_input", "retrieved_contexts", "response", "reference", "id"}

    file = tmp_path / "out.csv"
    arguments = ("results", "export", "--format", "csv", "--output", file, "--db", read_only_database)
    assert proofdesk(*arguments).code == 0
    written = file.read_text("utf-8")
    assert written.startswith("id,query,contexts")
    again = proofdesk(*arguments)
    assert again.code == 2
    assert "the file exists" in again.err
    assert file.read_text("utf-8") == written
