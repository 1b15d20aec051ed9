"""What must reach the database to the letter: ids, words that look like nothing, long cells, odd bytes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import Outcome, proofdesk
from tests.workflows.answers import answer, count, query, write_jsonl


def evaluate(*arguments: str | Path, database: Path) -> Outcome:
    return proofdesk("evaluate", *arguments, "--db", database, "--json")


def column(database: Path, name: str) -> list[object]:
    return [value for (value,) in query(database, f"SELECT {name} FROM samples ORDER BY id")]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_byte_order_mark_is_no_part_of_the_first_name(ending: str, tmp_path: Path, database: Path) -> None:
    text = 'id,question,answer,contexts\nq-1,How long?,24 months.,"[""24-month warranty.""]"\n'
    if ending == "jsonl":
        text = json.dumps(answer(1, id="q-1"))
    (tmp_path / f"a.{ending}").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert evaluate(f"a.{ending}", database=database).code == 0
    assert column(database, "external_id") == ["q-1"]


def test_line_breaks_commas_and_quotes_inside_a_cell_stay(tmp_path: Path, database: Path) -> None:
    text = (
        "id,question,answer,contexts\r\n"
        'q-1,How do I reset it?,"Do this:\r\n1. Switch off, then unplug.\r\n\r\n2. Wait ""two"" minutes.",'
        '"[""Unplug and wait two minutes.""]"\r\n'
        'q-2,Is it heavy?,No.,"[""It weighs 2 kg.""]"\r\n'
    )
    (tmp_path / "multiline.csv").write_bytes(text.encode())
    assert evaluate("multiline.csv", database=database).document["runs"][0]["rows"] == 2
    answers = column(database, "response")
    assert answers == ['Do this:\r\n1. Switch off, then unplug.\r\n\r\n2. Wait "two" minutes.', "No."]


def test_words_that_mean_nothing_elsewhere_are_answers(tmp_path: Path, database: Path) -> None:
    words = ["NA", "None", "null", "N/A", ""]
    cells = "".join(f"n-{number},Q?,{word},P.\n" for number, word in enumerate(words, start=1))
    (tmp_path / "na.csv").write_text("id,question,answer,contexts\n" + cells)
    outcome = evaluate("na.csv", database=database)
    assert outcome.code == 0
    assert column(database, "response") == words
    empty = (
        "SELECT external_id FROM results r JOIN samples s ON s.id = r.sample_id "
        "WHERE rule_id = 'empty-response'"
    )
    assert query(database, empty) == [("n-5",)]


def test_ids_are_the_exact_text(tmp_path: Path, database: Path) -> None:
    ids = ["007", "7", "7.0", "00420", "4e87", "9007199254740993"]
    cells = "".join(f"{sample_id},Q{n},A{n},P\n" for n, sample_id in enumerate(ids))
    (tmp_path / "ids.csv").write_text("id,question,answer,contexts\n" + cells)
    assert evaluate("ids.csv", database=database).code == 0
    assert column(database, "external_id") == ids
    shown = proofdesk("results", "show", "007", "--db", database, "--json").document
    assert (shown["sample"]["id"], shown["sample"]["response"]) == ("007", "A0")


def test_an_id_that_looks_like_a_result_number_wins_over_the_number(tmp_path: Path, database: Path) -> None:
    evaluate(write_jsonl(tmp_path / "a.jsonl", [answer(1, id="2"), answer(2, id="x")]), database=database)
    shown = [proofdesk("results", "show", w, "--db", database, "--json").document for w in ("2", "#2", "1")]
    assert [document["result"] for document in shown] == [1, 2, 1]


@pytest.fixture
def duplicates(tmp_path: Path) -> Path:
    pairs = [("A-7", "Red."), ("A-7", "Blue."), ("B-1", "Large."), ("B-1", "Large."), ("A-7 ", "2 kg.")]
    rows = [{"id": i, "question": "Q?", "answer": a, "contexts": ["P."]} for i, a in pairs]
    return write_jsonl(tmp_path / "dup.jsonl", rows)


def test_a_second_content_under_one_id_is_refused(duplicates: Path, database: Path) -> None:
    outcome = evaluate(duplicates, database=database)
    assert outcome.code == 1
    (report,) = outcome.document["runs"]
    assert (report["rows"], report["new"], report["repeats"], report["failed"]) == (5, 3, 1, 1)
    assert "dup.jsonl:2: id: conflicting id" in report["errors"][0]
    assert "dup.jsonl:4: exact repeat of the id 'B-1'" in report["repeated"][0]
    assert "'A-7 ' differs from 'A-7' only by case or white space" in report["notes"][0]
    stored = query(database, "SELECT external_id, response FROM samples ORDER BY id")
    assert stored == [("A-7", "Red."), ("B-1", "Large."), ("A-7 ", "2 kg.")]


def test_the_first_content_can_be_kept(duplicates: Path, database: Path) -> None:
    outcome = evaluate(duplicates, "--on-conflict", "first", database=database)
    assert (outcome.code, outcome.document["runs"][0]["repeats"]) == (0, 2)
    assert column(database, "response") == ["Red.", "Large.", "2 kg."]


def test_both_contents_can_be_kept(duplicates: Path, database: Path) -> None:
    outcome = evaluate(duplicates, "--on-conflict", "suffix", database=database)
    assert outcome.code == 0
    assert column(database, "external_id") == ["A-7", "A-7#2", "B-1", "A-7 "]
    assert any("stored as 'A-7#2'" in note for note in outcome.document["runs"][0]["notes"])


def test_a_cell_of_a_size_csv_readers_refuse_is_whole(tmp_path: Path, database: Path) -> None:
    cell = "The valve opens at 3 bar. " * 8000
    (tmp_path / "huge.csv").write_text(
        f'id,question,answer,contexts\nh-1,When does the valve open?,At 3 bar.,"{cell}"\nh-2,Q,A,P\n'
    )
    outcome = evaluate("huge.csv", database=database)
    assert (outcome.code, count(database, "results")) == (0, 2)
    assert json.loads(str(column(database, "contexts")[0])) == [cell]
    assert len(proofdesk("results", "list", "--db", database).out) < 2000


def test_another_encoding_can_be_named(tmp_path: Path, database: Path) -> None:
    (tmp_path / "ru.csv").write_bytes("question,answer,contexts\nКто?,Мэр.,Подписал мэр.\n".encode("cp1251"))
    assert evaluate("ru.csv", database=database).code == 2
    assert evaluate("ru.csv", "--encoding", "cp1251", database=database).code == 0
    assert column(database, "response") == ["Мэр."]
