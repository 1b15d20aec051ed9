"""``proofdesk alerts``: what it prints and how it ends."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalcore.result import Verdict
from tests.cli.program import proofdesk
from tests.db.build import make_result, make_sample, store_results
from workflows.store import open_store

RULE = (
    "{{name: accepted, metric: share, of: ACCEPT, window: 1h, min_n: {n}, severity: {severity}, below: 0.5}}"
)


@pytest.fixture
def rejected(tmp_path: Path) -> Path:
    """A database with forty answers rejected just now."""
    store = open_store(f"sqlite:///{tmp_path / 'p.db'}")
    samples = [make_sample(f"s{n}", response=f"Fuse {n} guards it.") for n in range(40)]
    pairs = [(sample, make_result(sample, verdict=Verdict.REJECT)) for sample in samples]
    store_results(store, *pairs, run="now", at=datetime.now(UTC))
    store.close()
    return tmp_path / "p.db"


def rules(folder: Path, *written: str) -> Path:
    path = folder / "rules.yaml"
    path.write_text("rules:\n" + "".join(f"  - {rule}\n" for rule in written), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("n", "severity", "strict", "code", "state"),
    [
        (10, "alert", [], 1, "ALERT"),
        (10, "warn", [], 0, "WARN"),
        (10, "warn", ["--strict"], 1, "WARN"),
        (50, "alert", [], 3, "NO DATA"),
    ],
)
def test_the_worst_state_makes_the_exit_code(
    rejected: Path, tmp_path: Path, n: int, severity: str, strict: list[str], code: int, state: str
) -> None:
    path = rules(tmp_path, RULE.format(n=n, severity=severity))
    done = proofdesk("alerts", "check", "--rules", path, "--db", rejected, *strict)
    assert done.code == code, done.err
    assert state in done.out
    assert "new" in done.out

    again = proofdesk("alerts", "check", "--rules", path, "--db", rejected, "--json", *strict)
    (found,) = again.document["states"]
    assert (found["state"], found["changed"]) == (state, False)
    history = proofdesk("alerts", "history", "--db", rejected)
    assert history.code == 0
    assert history.out.count(state) == 1


def test_bad_rules_end_in_two_and_say_where(rejected: Path, tmp_path: Path) -> None:
    done = proofdesk(
        "alerts", "check", "--rules", rules(tmp_path, "{name: a, metric: kappa}"), "--db", rejected
    )
    assert done.code == 2
    assert "rules.0" in done.err
    assert "needs a bound" in done.err
    missing = proofdesk("alerts", "check", "--rules", tmp_path / "none.yaml", "--db", rejected)
    assert missing.code == 2
    assert "cannot be read" in missing.err


def test_no_history_is_said(rejected: Path) -> None:
    assert "no rule has been checked yet" in proofdesk("alerts", "history", "--db", rejected).out


def test_a_webhook_that_is_down_ends_in_four_and_the_change_is_kept(
    rejected: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_WEBHOOK_SECRET", "secret")
    path = rules(tmp_path, RULE.format(n=10, severity="warn"))
    # Port 9 of this machine: nothing takes connections there.
    with path.open("a", encoding="utf-8") as file:
        file.write("webhook: {url: 'http://127.0.0.1:9/hook', attempts: 1, timeout_s: 2}\n")
    done = proofdesk("alerts", "check", "--rules", path, "--db", rejected)
    assert done.code == 4
    assert "1 changes wait" in done.err
    assert "WARN" in proofdesk("alerts", "history", "--db", rejected).out
