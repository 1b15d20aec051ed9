"""Alert rules on stored results, and the webhook against a real HTTP server."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from sqlalchemy import text

from evalcore.alerts import AlertConfig, AlertRule, Webhook, alert_config, judge
from evalcore.errors import ConfigError, StoreError
from evalcore.result import Verdict
from evalcore.stats.values import Estimate
from tests.db.build import NOON, make_result, make_sample, store_results
from workflows import alerts
from workflows.store import Store
from workflows.webhook import secret_key, send, signature

SECRET = "whsec_c2l4dGVlbiBieXRlcyBvZiBpdA=="
NOW = NOON + timedelta(hours=2)


class Receiver:
    """An HTTP server on this machine that answers by a script and keeps what it was sent."""

    def __init__(self, script: list[tuple[int, dict[str, str]]]) -> None:
        self.taken: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.taken.append((dict(self.headers.items()), body))
                status, headers = script.pop(0) if script else (204, {})
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def script() -> list[tuple[int, dict[str, str]]]:
    return []


@pytest.fixture
def receiver(script: list[tuple[int, dict[str, str]]]) -> Iterator[Receiver]:
    made = Receiver(script)
    yield made
    made.server.shutdown()
    made.server.server_close()


def arrive(store: Store, name: str, verdict: Verdict, n: int, hours: float = 0, **kinds: object) -> None:
    """So many results, stored that many hours after noon."""
    pairs = []
    for number in range(n):
        sample = make_sample(f"{name}-{number}", response=f"Fuse {name}{number} guards it.")
        pairs.append((sample, make_result(sample, verdict=verdict, **kinds)))
    store_results(store, *pairs, run=name, at=NOON + timedelta(hours=hours))


def config(*rules: AlertRule, url: str | None = None, attempts: int = 3) -> AlertConfig:
    webhook = None if url is None else Webhook(url=url, attempts=attempts, timeout_s=5)
    return AlertConfig(rules=rules, webhook=webhook)


ACCEPTS = AlertRule(name="enough accepted", metric="share", of="ACCEPT", below=0.5, window="4h", min_n=10)


def test_a_share_under_its_bound_is_an_alert_and_each_change_is_kept_once(store: Store) -> None:
    arrive(store, "good", Verdict.ACCEPT, 20)
    arrive(store, "bad", Verdict.REJECT, 60, hours=1)
    for _ in range(2):
        found = alerts.check(store, config(ACCEPTS), now=NOW)
    (state,) = found.states
    assert (state.state, state.was, state.changed, state.n) == ("ALERT", "ALERT", False, 80)
    assert state.value == 0.25
    assert "at least 0.5 is asked" in state.told

    # Four hours on, the window holds only the later ones; a day on it is empty.
    assert alerts.check(store, config(ACCEPTS), now=NOON + timedelta(hours=30)).states[0].state == "NO DATA"
    assert [(row.was, row.state) for row in alerts.history(store)] == [("ALERT", "NO DATA"), (None, "ALERT")]
    assert [row.state for row in alerts.states(store)] == ["NO DATA"]


def test_few_rows_are_no_data_and_what_may_be_chance_is_a_warning(store: Store) -> None:
    arrive(store, "some", Verdict.REJECT, 6)
    assert alerts.check(store, config(ACCEPTS), now=NOW).states[0].state == "NO DATA"
    arrive(store, "more", Verdict.ACCEPT, 5)
    (state,) = alerts.check(store, config(ACCEPTS), now=NOW).states
    assert (state.state, state.n) == ("WARN", 11)
    assert "it may be chance" in state.told


def test_severity_warn_never_alerts() -> None:
    rule = AlertRule(name="a", metric="share", of="ACCEPT", above=0.1, severity="warn")
    assert judge(rule, Estimate(value=0.9, n=100, low=0.8, high=1.0)).state == "WARN"


def test_a_bound_that_is_met_exactly_holds() -> None:
    rule = AlertRule(name="a", metric="queue_length", above=3)
    assert judge(rule, Estimate(value=3.0, n=1)).state == "OK"
    assert judge(rule, Estimate(value=4.0, n=1)).state == "ALERT"


def test_every_metric_reads_what_it_names(store: Store) -> None:
    arrive(store, "before", Verdict.ACCEPT, 40, hours=-20, final=0.9)
    arrive(store, "now", Verdict.REVIEW, 40, hours=1, final=0.2)
    rules = (
        AlertRule(name="reviews", metric="share", of="REVIEW", above=0.2, window="4h"),
        AlertRule(name="final", metric="mean", of="final", below=0.5, window="4h"),
        AlertRule(name="moved", metric="shift", of="final", above=0.3, window="4h", reference="2d"),
        AlertRule(name="slow", metric="latency_p95_ms", above=60_000, window="4h"),
        AlertRule(name="queue", metric="queue_length", above=39),
        AlertRule(name="old", metric="queue_age_hours", above=2),
        AlertRule(name="agreement", metric="kappa", below=0.2),
        AlertRule(name="wrong", metric="wrong_accepts", above=0.05),
    )
    found = {state.rule: state for state in alerts.check(store, config(*rules), now=NOW).states}
    assert {name: state.state for name, state in found.items()} == {
        "reviews": "ALERT",
        "final": "ALERT",
        "moved": "ALERT",
        "slow": "OK",
        "queue": "ALERT",
        "old": "OK",
        "agreement": "NO DATA",
        "wrong": "NO DATA",
    }
    assert found["final"].value == pytest.approx(0.2)
    assert found["moved"].value == 1.0
    assert found["queue"].value == 40
    assert found["old"].value == pytest.approx(1.0)


def test_a_system_and_a_profile_are_looked_at_alone(store: Store) -> None:
    arrive(store, "all", Verdict.REJECT, 40)
    rules = [
        ACCEPTS.model_copy(update={"name": "none of it", "system": "elsewhere"}),
        ACCEPTS.model_copy(update={"name": "nobody's", "profile": "unknown"}),
        ACCEPTS.model_copy(update={"name": "the latest run's"}),
    ]
    found = alerts.check(store, config(*rules), now=NOW).states
    assert [state.state for state in found] == ["NO DATA", "NO DATA", "ALERT"]


def test_changes_are_append_only(store: Store) -> None:
    arrive(store, "bad", Verdict.REJECT, 40)
    alerts.check(store, config(ACCEPTS), now=NOW)
    with pytest.raises(StoreError, match="append-only"), store.write() as session:
        session.execute(text("UPDATE alert_changes SET state = 'OK'"))


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("- a", "alert rules are a mapping"),
        ("rules: []", r"rules.yaml: rules"),
        ("rules: [{name: a, metric: share, of: ACCEPT}]", "a rule needs a bound"),
        ("rules: [{name: a, metric: share, below: 0.1}]", "share of what"),
        ("rules: [{name: a, metric: weather, below: 0.1}]", r"rules.0.metric.*'weather'"),
        ("rules: [{name: a, metric: kappa, below: 0.1, window: soon}]", "a length of time such as"),
        ("rules: [{name: a, metric: kappa, below: 0.1, window: 5m}]", "a length of time such as"),
        ("rules: [{name: a, metric: kappa, below: .nan}]", "finite"),
        ("rules: [{name: a, metric: kappa, below: 0.5, above: 0.1}]", "nothing lies between"),
        ("rules: [{name: a, metric: queue_length, above: 5, profile: x}]", "of all profiles"),
        ("rules: [{name: a, metric: kappa, below: 0}, {name: a, metric: kappa, below: 1}]", "of one name: a"),
        ("rules: [{name: a, metric: kappa, below: 0}]\nwebhook: {url: 'file:///etc/x'}", "webhook.url"),
        ("rules: [{name: a, metric: mean, of: beauty, below: 0}]", r"no such score.*a: of.*beauty"),
        ("a: [", "not YAML"),
    ],
)
def test_bad_rules_are_named(tmp_path: Path, rules: str, said: str) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(rules, encoding="utf-8")
    with pytest.raises(ConfigError, match=f"(?s){said}"):
        alerts.read_config(path)


def test_a_failure_type_nobody_knows_is_told_before_anything_is_kept(store: Store) -> None:
    arrive(store, "bad", Verdict.REJECT, 40)
    rule = AlertRule(name="typo", metric="share", of="of_topic", above=0.1)
    with pytest.raises(ConfigError, match="typo: of"):
        alerts.check(store, config(rule), now=NOW)
    assert alerts.history(store) == ()


def test_the_webhook_hears_of_a_change_signed(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_WEBHOOK_SECRET", SECRET)
    arrive(store, "bad", Verdict.REJECT, 40)
    watched = config(ACCEPTS, url=receiver.url)
    assert alerts.check(store, watched, now=NOW).sent == 1
    assert alerts.check(store, watched, now=NOW).sent == 0
    ((headers, body),) = receiver.taken
    by_name = {name.lower(): value for name, value in headers.items()}
    signed = signature(secret_key(SECRET), by_name["webhook-id"], int(by_name["webhook-timestamp"]), body)
    assert by_name["webhook-signature"] == signed
    told = json.loads(body)
    assert (told["type"], told["data"]["rule"], told["data"]["state"], told["data"]["was"]) == (
        "proofdesk.alert",
        "enough accepted",
        "ALERT",
        None,
    )


def test_a_first_ok_is_nothing_to_tell_and_a_return_to_ok_is(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_WEBHOOK_SECRET", SECRET)
    watched = config(ACCEPTS, url=receiver.url)
    arrive(store, "good", Verdict.ACCEPT, 40)
    assert alerts.check(store, watched, now=NOW).sent == 0
    arrive(store, "bad", Verdict.REJECT, 200)
    assert alerts.check(store, watched, now=NOW).sent == 1
    arrive(store, "better", Verdict.ACCEPT, 600)
    assert alerts.check(store, watched, now=NOW).sent == 1
    assert [json.loads(body)["data"]["state"] for _, body in receiver.taken] == ["ALERT", "OK"]


def test_what_was_not_taken_waits_in_order_for_the_next_check(
    store: Store,
    receiver: Receiver,
    script: list[tuple[int, dict[str, str]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PROOFDESK_WEBHOOK_SECRET", SECRET)
    arrive(store, "bad", Verdict.REJECT, 40)
    other = ACCEPTS.model_copy(update={"name": "another"})
    watched = config(ACCEPTS, other, url=receiver.url)
    script.append((400, {}))
    found = alerts.check(store, watched, now=NOW)
    assert (found.sent, found.unsent) == (0, 2)
    assert "HTTP 400 after 1 tries" in found.problem
    assert alerts.check(store, watched, now=NOW).sent == 2
    named = [json.loads(body)["data"]["rule"] for _, body in receiver.taken]
    assert named == ["enough accepted", "enough accepted", "another"]
    ids = [
        {name.lower(): value for name, value in headers.items()}["webhook-id"]
        for headers, _ in receiver.taken
    ]
    assert ids[0] == ids[1] != ids[2]


def test_without_a_secret_nothing_is_measured(
    store: Store, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROOFDESK_WEBHOOK_SECRET", raising=False)
    with pytest.raises(ConfigError, match="PROOFDESK_WEBHOOK_SECRET"):
        alerts.check(store, config(ACCEPTS, url=receiver.url), now=NOW)
    assert alerts.history(store) == ()


def test_a_busy_server_is_tried_again_later(
    receiver: Receiver, script: list[tuple[int, dict[str, str]]]
) -> None:
    script += [(500, {}), (429, {"Retry-After": "7"}), (503, {"Retry-After": "86400"})]
    slept: list[float] = []
    done = send(receiver.url, b"{}", message_id="m", key=b"k", attempts=4, sleep=slept.append)
    assert (done.ok, done.tries, slept) == (True, 4, [1.0, 7.0, 30.0])


def test_a_server_that_stays_down_is_given_up(
    receiver: Receiver, script: list[tuple[int, dict[str, str]]]
) -> None:
    script += [(500, {})] * 5
    done = send(receiver.url, b"{}", message_id="m", key=b"k", attempts=2, sleep=lambda _: None)
    assert (done.ok, done.tries, done.told) == (False, 2, "HTTP 500")


def test_no_redirect_is_followed(receiver: Receiver, script: list[tuple[int, dict[str, str]]]) -> None:
    script.append((302, {"Location": receiver.url}))
    done = send(receiver.url, b"{}", message_id="m", key=b"k", sleep=lambda _: None)
    assert (done.ok, done.told, len(receiver.taken)) == (False, "HTTP 302", 1)


def test_a_port_nobody_listens_on_is_named() -> None:
    with closing(ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler).socket) as free:
        port = free.getsockname()[1]
    done = send(
        f"http://127.0.0.1:{port}/", b"{}", message_id="m", key=b"k", attempts=2, sleep=lambda _: None
    )
    assert not done.ok
    assert "refused" in done.told


def test_the_shipped_example_is_read() -> None:
    path = Path(__file__).parents[2] / "examples" / "alerts.yaml"
    found = alert_config(path.read_text(encoding="utf-8"), str(path))
    assert {rule.metric for rule in found.rules} >= {"share", "shift", "queue_age_hours", "wrong_accepts"}
    assert found.webhook is None
