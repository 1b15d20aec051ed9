"""`proofdesk evaluate`: what it reads, prints, writes and how it ends."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from evalcore.result import EvalResult
from tests.cli.program import Outcome, proofdesk
from tests.workflows.answers import answer, assert_whole, count, counts, query, write_jsonl

CONTEXTS = ["Pump A runs at 3 bar.", "Pump B runs at 5 bar."]
NAMES = {
    "published recipe": ("query", "context", "response"),
    "Ragas": ("user_input", "retrieved_contexts", "response"),
    "Ragas before 0.2": ("question", "contexts", "answer"),
    "DeepEval": ("input", "retrieval_context", "actual_output"),
}


def evaluate(*arguments: str | Path, database: Path, stdin: bytes = b"") -> Outcome:
    return proofdesk("evaluate", *arguments, "--db", database, "--json", stdin=stdin)


def stored_samples(database: Path) -> list[tuple[object, ...]]:
    return query(database, "SELECT external_id, query, contexts, response FROM samples ORDER BY id")


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_every_format_and_naming_gives_the_same_sample(
    names: tuple[str, str, str], ending: str, tmp_path: Path, database: Path
) -> None:
    query_name, contexts_name, response_name = names
    row = {"id": "q-1", query_name: "How fast?", contexts_name: CONTEXTS, response_name: "At 3 bar."}
    file = tmp_path / f"answers.{ending}"
    if ending == "jsonl":
        write_jsonl(file, [row])
    elif ending == "parquet":
        pd.DataFrame([row]).to_parquet(file)
    else:
        cells = pd.DataFrame([row | {contexts_name: json.dumps(CONTEXTS)}])
        cells.to_csv(file, index=False, sep="\t" if ending == "tsv" else ",")
    outcome = evaluate(file, database=database)
    assert outcome.code == 0, outcome.err
    ((sample_id, question, contexts, response),) = stored_samples(database)
    assert (sample_id, question, json.loads(str(contexts)), response) == (
        "q-1",
        "How fast?",
        CONTEXTS,
        "At 3 bar.",
    )


def test_standard_input_is_jsonl(database: Path) -> None:
    outcome = evaluate("-", database=database, stdin=json.dumps(answer(1)).encode())
    assert (outcome.code, outcome.document["runs"][0]["new"]) == (0, 1)
    assert query(database, "SELECT source FROM runs") == [("<stdin>",)]


@pytest.mark.parametrize(
    ("contexts", "expected"),
    [
        (CONTEXTS, CONTEXTS),
        (json.dumps(CONTEXTS), CONTEXTS),
        (
            "['The owner\\'s manual covers it.', \"See page 4.\"]",
            ["The owner's manual covers it.", "See page 4."],
        ),
        ("Single passage, with a comma.", ["Single passage, with a comma."]),
    ],
)
def test_contexts_may_be_a_list_a_list_in_a_text_or_one_text(
    contexts: object, expected: list[str], tmp_path: Path, database: Path
) -> None:
    evaluate(write_jsonl(tmp_path / "a.jsonl", [answer(1, contexts=contexts)]), database=database)
    ((_, _, stored, _),) = stored_samples(database)
    assert json.loads(str(stored)) == expected


def test_named_columns_come_before_recognised_ones(tmp_path: Path, database: Path) -> None:
    row = {"frage": "Q?", "belege": "P.", "antwort": "A.", "question": "not this"}
    file = write_jsonl(tmp_path / "a.jsonl", [row])
    names = ("--query-field", "frage", "--contexts-field", "belege", "--response-field", "antwort")
    outcome = evaluate(file, *names, database=database)
    assert outcome.code == 0, outcome.err
    assert stored_samples(database)[0][1:] == ("Q?", '["P."]', "A.")


def test_json_is_one_document_and_nothing_else_on_stdout(tmp_path: Path, database: Path) -> None:
    rows = [answer(1), answer(1), {"id": "bad"}, answer(2, answer="")]
    outcome = evaluate(write_jsonl(tmp_path / "a.jsonl", rows), database=database)
    assert outcome.out.startswith("{\n")
    (report,) = outcome.document["runs"]
    assert (report["rows"], report["new"], report["existing"], report["repeats"], report["failed"]) == (
        4,
        2,
        0,
        1,
        1,
    )
    assert sum(report["decisions"].values()) == sum(report["failure_types"].values()) == 2
    assert report["answers_per_second"] > 0
    assert outcome.document["unreadable"] == []


def test_a_person_gets_the_summary_on_stdout_and_messages_on_stderr(tmp_path: Path, database: Path) -> None:
    rows = [answer(1), answer(1), {"id": "bad"}]
    outcome = proofdesk("evaluate", write_jsonl(tmp_path / "a.jsonl", rows), "--db", database)
    assert "3 rows: 1 scored now, 0 stored before, 1 repeats, 1 failed" in outcome.out
    assert "ACCEPT" in outcome.out
    assert "failure type" in outcome.out
    assert "answers/s" in outcome.out
    assert "a.jsonl:3" not in outcome.out
    assert "a.jsonl:3: query: no query" in outcome.err
    assert "exact repeat" in outcome.err


def test_rows_that_fail_are_listed_and_the_rest_is_stored(tmp_path: Path, database: Path) -> None:
    file = tmp_path / "a.jsonl"
    lines = [
        json.dumps(answer(1)),
        "{broken",
        json.dumps(answer(2, contexts='["Unclosed list, "broken"]')),
        json.dumps(answer(3, answer={"text": "x"})),
        json.dumps(answer(4)),
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    outcome = evaluate(file, database=database)
    assert outcome.code == 1
    assert count(database, "results") == 2
    errors = outcome.err.splitlines()
    assert len(errors) == 3
    assert "a.jsonl:2: broken JSON at column 2" in errors[0]
    assert "a.jsonl:3: contexts: looks like a list" in errors[1]
    assert "a.jsonl:4: answer: not a text; got an object" in errors[2]
    assert outcome.document["runs"][0]["errors"] == errors


def test_a_failed_row_of_a_table_is_named_by_line_and_column(tmp_path: Path, database: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text('id,question,answer,contexts\n1,Q,"A\nB",P\n2,Q,A,"[""Unclosed, ""broken"\n3,Q\n')
    outcome = evaluate(file, database=database)
    assert (outcome.code, count(database, "results")) == (1, 1)
    assert "a.csv:4: contexts:" in outcome.err
    assert "a.csv:5: too few cells" in outcome.err


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("wrong.csv", b"id,question,response\nw-1,Q?,A.\n", "no column for contexts"),
        ("header.csv", b"id,question,answer,contexts\n", "no rows"),
        ("empty.csv", b"", "file is empty"),
        ("empty.jsonl", b"", "file is empty"),
        ("blank.jsonl", b"\n \n", "file is empty"),
        ("answers.xlsx", b"PK", "unknown file format"),
        ("broken.parquet", b"PAR1 not really", "broken.parquet"),
        ("utf16.jsonl", '{"a":1}'.encode("utf-16"), "must be UTF-8"),
        ("latin.csv", "question,answer,contexts\nQ,é,P\n".encode("latin-1"), "UTF-8"),
    ],
)
def test_an_unreadable_file_ends_in_one_line_and_stores_nothing(
    name: str, content: bytes, says: str, tmp_path: Path, database: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    outcome = evaluate(name, database=database)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err
    assert outcome.err.count("\n") == 1
    assert count(database, "samples") == count(database, "runs") == 0


def test_missing_columns_are_named_with_what_was_found_and_expected(tmp_path: Path, database: Path) -> None:
    (tmp_path / "wrong.csv").write_text("id,question,response\nw-1,Q?,A.\n")
    error = evaluate("wrong.csv", database=database).err
    assert "columns id, question, response" in error
    assert "retrieved_contexts" in error


def test_a_header_without_rows_gives_no_number_at_all(tmp_path: Path, database: Path) -> None:
    (tmp_path / "h.csv").write_text("id,question,answer,contexts\n")
    outcome = proofdesk("evaluate", "h.csv", "--db", database)
    assert (outcome.code, outcome.out) == (2, "")
    assert "nan" not in outcome.err.lower()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["a.jsonl", "--profile", "nope"], "no such profile"),
        (["a.jsonl", "--profile", "nope.yaml"], "cannot be read"),
        (["a.jsonl", "--on-conflict", "last"], "on-conflict"),
        (["a.jsonl", "--sideways"], "--sideways"),
        (["a.jsonl", "--query-field", ""], "blank column name"),
        (["a.jsonl", "--encoding", "latin-1"], "always UTF-8"),
        (["a.csv", "--encoding", "klingon"], "klingon"),
        (["a.jsonl", "--db", "nowhere/p.db"], "folder is missing"),
        (["a.jsonl", "--db", "a.jsonl"], "not an SQLite database"),
        (["a.jsonl", "--db", "."], "a folder, not a database"),
        (["a.jsonl", "--db", "postgresql://u:secret@h/d"], "SQLite only"),
        (["a.jsonl", "--out", "nowhere/out.jsonl"], "output file cannot be written"),
        (["a.jsonl", "--out", "a.jsonl/out.jsonl"], "output file cannot be written"),
        (["a.jsonl", "--out", "."], "output file cannot be written"),
        (["a.jsonl", "--out", "a.jsonl"], "one of the inputs"),
        (["a.jsonl", "--run", "\udcff"], "not UTF-8"),
        (["missing.jsonl"], "cannot be read"),
        (["folder.csv"], "cannot be read"),
        ([], "Missing argument"),
    ],
)
def test_bad_usage_is_exit_code_2_without_a_traceback(
    arguments: list[str], says: str, tmp_path: Path, database: Path
) -> None:
    before = write_jsonl(tmp_path / "a.jsonl", [answer(1)]).read_bytes()
    (tmp_path / "a.csv").write_text("question,answer,contexts\nQ,A,P\n")
    (tmp_path / "folder.csv").mkdir()
    outcome = proofdesk("evaluate", *([] if "--db" in arguments else ["--db", database]), *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err
    assert "Traceback" not in outcome.err
    assert "secret" not in outcome.err
    assert (tmp_path / "a.jsonl").read_bytes() == before
    assert not list(tmp_path.glob("**/*.part"))


def test_a_database_of_a_newer_release_is_left_alone(tmp_path: Path, database: Path) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(1)])
    assert evaluate(file, database=database).code == 0
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = counts(database)
    outcome = evaluate(write_jsonl(tmp_path / "b.jsonl", [answer(2)]), database=database)
    assert outcome.code == 2
    assert "newer release" in outcome.err
    assert counts(database) == before


def test_an_unreadable_file_does_not_stop_the_others(tmp_path: Path, database: Path) -> None:
    first = write_jsonl(tmp_path / "first.jsonl", [answer(1)])
    last = write_jsonl(tmp_path / "last.jsonl", [answer(2)])
    outcome = evaluate(first, "missing.csv", last, database=database)
    assert outcome.code == 2
    assert [report["new"] for report in outcome.document["runs"]] == [1, 1]
    (problem,) = outcome.document["unreadable"]
    assert problem.startswith("missing.csv: ")
    assert outcome.err == f"proofdesk: {problem}\n"
    assert count(database, "results") == 2


def test_out_has_every_row_in_file_order_also_those_stored_before(tmp_path: Path, database: Path) -> None:
    evaluate(write_jsonl(tmp_path / "some.jsonl", [answer(3), answer(1)]), database=database)
    rows = [answer(n) for n in range(70)] + [answer(5), {"id": "bad"}, answer(70)]
    file = write_jsonl(tmp_path / "all.jsonl", rows)
    outcome = evaluate(file, "--out", "out.jsonl", database=database)
    assert outcome.document["runs"][0]["existing"] == 2
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    results = [EvalResult.from_dict(json.loads(line)) for line in lines]
    assert [result.sample_id for result in results] == [f"a-{n}" for n in range(71)]
    assert [result.to_dict() for result in results] == [json.loads(line) for line in lines]
    stored = dict(
        query(
            database,
            "SELECT s.external_id, d.document FROM samples s "
            "JOIN results r ON r.sample_id = s.id JOIN result_documents d ON d.result_id = r.id",
        )
    )
    assert all(json.loads(str(stored[r.sample_id])) == r.to_dict() for r in results)
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out.jsonl"]


def test_out_stays_what_it_was_when_the_run_cannot_be_done(tmp_path: Path, database: Path) -> None:
    (tmp_path / "out.jsonl").write_text("earlier\n")
    assert evaluate("missing.jsonl", "--out", "out.jsonl", database=database).code == 2
    assert (tmp_path / "out.jsonl").read_text() == "earlier\n"
    assert not list(tmp_path.glob("*.part"))


def test_out_follows_a_link_and_spares_a_device(tmp_path: Path, database: Path) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(1)])
    (tmp_path / "real.jsonl").write_text("")
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    assert evaluate(file, "--out", "link.jsonl", database=database).code == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "real.jsonl").read_text().count("\n") == 1
    assert evaluate(file, "--out", "/dev/null", database=database).code == 0
    assert Path("/dev/null").is_char_device()


def test_a_second_run_adds_no_row_anywhere(tmp_path: Path, database: Path) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(n) for n in range(3)])
    evaluate(file, database=database)
    before = counts(database)
    again = evaluate(file, database=database)
    assert counts(database) == before
    (report,) = again.document["runs"]
    assert (report["new"], report["existing"], report["answers_per_second"]) == (0, 3, None)
    assert query(database, "SELECT n_rows, n_stored, n_existing, finished_at IS NULL FROM runs") == [
        (3, 3, 0, 0)
    ]
    assert_whole(database)


def test_another_run_name_adds_a_run_and_links_but_no_result(tmp_path: Path, database: Path) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(n) for n in range(3)])
    evaluate(file, database=database)
    before = counts(database)
    assert evaluate(file, "--run", "nightly", database=database).document["runs"][0]["run"] == "nightly"
    after = counts(database)
    assert {t: after[t] - before[t] for t in after if after[t] != before[t]} == {"runs": 1, "run_results": 3}
    listed = proofdesk("results", "list", "--db", database, "--run", "2", "--json").document["results"]
    assert len(listed) == 3


def test_another_profile_adds_results_beside_the_old_ones(tmp_path: Path, database: Path) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(n) for n in range(3)])
    first = evaluate(file, database=database)
    documents = query(database, "SELECT result_id, document FROM result_documents WHERE result_id <= 3")
    second = evaluate(file, "--profile", "classic", database=database)
    assert second.document["runs"][0]["fingerprint"] != first.document["runs"][0]["fingerprint"]
    assert (count(database, "samples"), count(database, "results"), count(database, "runs")) == (3, 6, 2)
    assert (
        query(database, "SELECT result_id, document FROM result_documents WHERE result_id <= 3") == documents
    )
    outcome = proofdesk("results", "show", "a-1", "--db", database)
    assert outcome.code == 2
    assert "#2" in outcome.err
    assert "#5" in outcome.err


def test_where_answers_come_from_is_stored(tmp_path: Path, database: Path) -> None:
    file = write_jsonl(tmp_path / "a.jsonl", [answer(1)])
    evaluate(file, "--system", "Kiosk", "--prompt-version", "p7", "--model", "m-1", database=database)
    assert query(database, "SELECT system, prompt_version, model FROM runs") == [("Kiosk", "p7", "m-1")]
