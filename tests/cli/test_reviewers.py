"""``proofdesk reviewers``: who they are and who leads."""

from __future__ import annotations

from pathlib import Path

from tests.cli.program import proofdesk
from workflows.rights import sign_in
from workflows.store import open_store


def test_roles_are_listed_and_given_by_name(tmp_path: Path) -> None:
    database = tmp_path / "p.db"
    store = open_store(str(database))
    for name in ("Ada", "Bea"):
        sign_in(store, name)
    store.close()
    given = proofdesk("reviewers", "role", "bea", "lead", "--db", database)
    assert (given.code, given.out.strip()) == (0, "Bea: lead")
    assert proofdesk("reviewers", "role", "Ada", "reviewer", "--db", database).code == 0
    people = proofdesk("reviewers", "list", "--db", database, "--json").document
    assert [(person["name"], person["role"]) for person in people] == [("Ada", "reviewer"), ("Bea", "lead")]
    last = proofdesk("reviewers", "role", "Bea", "reviewer", "--db", database)
    assert last.code == 2
    assert "somebody has to be a lead" in last.err
    assert "no such reviewer" in proofdesk("reviewers", "role", "Cy", "lead", "--db", database).err
    assert proofdesk("reviewers", "role", "Bea", "king", "--db", database).code == 2
