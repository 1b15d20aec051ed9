"""`proofdesk db`, `profiles`, `model`, `demo` and `console`."""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest

from tests.cli.program import ROOT, proofdesk
from tests.workflows.answers import TABLES, answer, counts, query, write_jsonl

OLD_DUMPS = sorted((ROOT / "tests" / "db" / "data").glob("schema_*.sql"))


def test_upgrade_makes_a_missing_database_and_info_describes_it(database: Path) -> None:
    made = proofdesk("db", "upgrade", "--db", database)
    assert (made.code, made.err) == (0, "")
    assert "schema" in made.out
    info = proofdesk("db", "info", "--db", database, "--json").document
    assert info["rows"] == dict.fromkeys(info["rows"], 0) | {"queues": 1}
    assert set(info["rows"]) >= set(TABLES)
    assert info["settings"]["journal_mode"] == "wal"
    assert "results" in proofdesk("db", "info", "--db", database).out
    assert proofdesk("db", "upgrade", "--db", database).err == ""


@pytest.mark.parametrize("dump", OLD_DUMPS, ids=lambda path: path.stem)
def test_an_old_file_that_lost_its_version_is_copied_aside_and_upgraded(dump: Path, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(dump.read_text(encoding="utf-8"))
        connection.execute("DELETE FROM alembic_version")
        connection.commit()
    labels = query(database, "SELECT id, verdict, note FROM labels")
    results = query(database, "SELECT id, decision FROM results")
    assert labels
    file = write_jsonl(database.with_name("a.jsonl"), [answer(1)])
    for command in (["results", "list"], ["evaluate", file]):
        refused = proofdesk(*command, "--db", database)
        assert refused.code == 2
        assert "proofdesk db upgrade" in refused.err
    outcome = proofdesk("db", "upgrade", "--db", database)
    assert outcome.code == 0
    (copy,) = database.parent.glob("p.db.before-*")
    assert outcome.err == f"the old database is kept at {copy}\n"
    for place in (database, copy):
        assert query(place, "SELECT id, verdict, note FROM labels") == labels
        assert query(place, "SELECT id, decision FROM results") == results
    assert proofdesk("results", "list", "--db", database).code == 0
    assert proofdesk("db", "upgrade", "--db", database).err == ""
    assert len(list(database.parent.glob("p.db.before-*"))) == 1


@pytest.mark.parametrize("command", [["db", "upgrade"], ["db", "info"], ["results", "list"], ["console"]])
def test_a_newer_database_is_refused_and_left_alone(command: list[str], database: Path) -> None:
    proofdesk("db", "upgrade", "--db", database)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = database.read_bytes()
    outcome = proofdesk(*command, "--db", database)
    assert (outcome.code, outcome.out) == (2, "")
    assert "newer release" in outcome.err
    assert database.read_bytes() == before


def test_another_programs_database_is_refused(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE notes (id INTEGER)")
    for command in (["db", "upgrade"], ["db", "info"]):
        outcome = proofdesk(*command, "--db", database)
        assert outcome.code == 2
        assert "not one of Proofdesk's" in outcome.err


def test_profiles_are_listed_with_their_hash() -> None:
    found = proofdesk("profiles", "list", "--json").document
    assert [profile["name"] for profile in found] == ["classic", "default", "multilingual"]
    assert all(len(profile["hash"]) >= 12 and profile["description"] for profile in found)
    assert found[0]["hash"][:12] in proofdesk("profiles", "list").out


def test_a_profile_that_is_right_shows_its_rules() -> None:
    rules = proofdesk("profiles", "check", "default", "--json").document["rules"]
    shown = proofdesk("profiles", "check", "default")
    assert shown.code == 0
    assert "default: no mistakes" in shown.out
    assert len(rules) > 5
    assert "otherwise" in shown.out


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("decision: ACCEPT", "decision: MAYBE", "decision"),
        ("decision: ACCEPT", "decison: ACCEPT", "Field required"),
        ("schema_version: 1", "schema_version: [", "not readable as YAML"),
        ("type: attribution", "type: atribution", "atribution"),
    ],
)
def test_a_broken_profile_names_file_and_field(old: str, new: str, says: str, tmp_path: Path) -> None:
    text = (resources.files("configs") / "default.yaml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "mine.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    file = write_jsonl(tmp_path / "a.jsonl", [answer(1)])
    for command in (["profiles", "check", "mine.yaml"], ["evaluate", file, "--profile", "mine.yaml"]):
        outcome = proofdesk(*command)
        assert (outcome.code, outcome.out) == (2, "")
        assert "mine.yaml" in outcome.err
        assert says in outcome.err
        assert outcome.err.count("\n") == 1
    assert not (tmp_path / "proofdesk.db").exists()


def test_a_broken_rule_is_named(tmp_path: Path) -> None:
    text = (resources.files("configs") / "default.yaml").read_text(encoding="utf-8")
    rule = proofdesk("profiles", "check", "default", "--json").document["rules"][-1]
    broken = text.replace(f"- id: {rule}", f"- id: {rule}\n      colour: red", 1)
    assert broken != text
    (tmp_path / "mine.yaml").write_text(broken, encoding="utf-8")
    error = proofdesk("profiles", "check", "mine.yaml").err
    assert rule in error
    assert "colour" in error


def test_the_model_can_be_prepared() -> None:
    outcome = proofdesk("model", "prepare")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count("\n") == 1


def test_the_demo_database_is_made_once(tmp_path: Path) -> None:
    first = proofdesk("demo", "--no-console", "--folder", tmp_path / "demo")
    assert (first.code, first.out) == (0, "")
    database = tmp_path / "demo" / "demo.db"
    assert f"demo database: {database}" in first.err
    assert "answers scored" in first.err
    before = counts(database)
    assert before["labels"] > 0
    second = proofdesk("demo", "--no-console", "--folder", tmp_path / "demo")
    assert (second.code, second.err) == (0, f"demo database: {database}\n")
    assert counts(database) == before


def test_a_demo_folder_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("")
    outcome = proofdesk("demo", "--no-console", "--folder", tmp_path / "demo")
    assert outcome.code == 2
    assert outcome.err.startswith("proofdesk: the folder cannot be made")


def test_a_console_that_cannot_listen_says_so_at_once(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = proofdesk("console", "--db", database, "--port", str(port))
    assert outcome.code == 2
    assert f"port {port}" in outcome.err
    assert "--port 0" in outcome.err
    # The database was made before: a console on a missing one starts empty.
    assert proofdesk("db", "info", "--db", database).code == 0
    assert proofdesk("console", "--db", database, "--port", "70000").code == 2


def test_help_names_every_command() -> None:
    shown = proofdesk("--help")
    assert shown.code == 0
    for name in ("evaluate", "results", "label", "db", "profiles", "model", "demo", "console"):
        assert name in shown.out


def test_the_default_database_lies_in_this_folder(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [answer(1)])
    assert proofdesk("evaluate", "a.jsonl").code == 0
    assert (tmp_path / "proofdesk.db").is_file()
    assert json.loads(proofdesk("results", "list", "--json").out)["results"][0]["id"] == "a-1"
    shutil.copy(tmp_path / "proofdesk.db", tmp_path / "b.db")
    assert proofdesk("results", "list", "--db", "b.db", "--json").document["results"][0]["id"] == "a-1"
