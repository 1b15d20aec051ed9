"""New answers against a baseline (field cases GAT-01 to GAT-06)."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from evalcore.errors import ConfigError, InputError
from evalcore.regression.baseline import Baseline, Case, case_of, make_baseline, part_of
from evalcore.regression.config import GateConfig, gate_config
from evalcore.regression.judge import GateReport, judge
from evalcore.regression.report import to_junit, to_markdown
from evalcore.result import EvalResult, Score, Verdict
from evalcore.sample import Sample
from tests.db.build import FINGERPRINT, make_result, make_sample

OPEN = GateConfig(score_drop={}, worse_decisions=100)


def answer(id_: str, final: float | None, verdict: Verdict = Verdict.ACCEPT) -> tuple[Sample, EvalResult]:
    sample = make_sample(id_, response=f"Answer {id_}.")
    result = make_result(sample, final=0.5 if final is None else final, verdict=verdict)
    if final is None:
        scores = tuple(
            Score.unmeasured(s.name, "no model") if s.name == "final" else s for s in result.scores
        )
        result = replace(result, scores=scores)
    return sample, result


def frozen(*rows: tuple[str, float], gold: dict[str, str] | None = None) -> Baseline:
    cases = []
    for id_, final in rows:
        sample, result = answer(id_, final)
        said = (gold or {}).get(id_)
        cases.append(case_of(sample, result, gold=said, gold_source="file" if said else None))  # type: ignore[arg-type]
    return make_baseline("support", 1, FINGERPRINT, cases)


def judged(
    baseline: Baseline, *answers: tuple[Sample, EvalResult], config: GateConfig | None = None
) -> GateReport:
    return judge(baseline, answers, config or GateConfig(), FINGERPRINT)


def test_the_same_answers_pass() -> None:
    report = judged(frozen(("a", 0.8), ("b", 0.4)), answer("b", 0.4), answer("a", 0.8))
    assert (report.outcome, report.exit_code, report.reasons, report.regressions) == ("pass", 0, (), ())
    assert report.mean_delta.value == 0.0
    assert report.mean_delta.low is None


def test_a_drop_of_exactly_what_is_allowed_is_allowed() -> None:
    # 0.8 - 0.75 is 0.050000000000000044 in binary.
    assert judged(frozen(("a", 0.8)), answer("a", 0.75)).outcome == "pass"
    report = judged(frozen(("a", 0.8)), answer("a", 0.7499))
    assert (report.outcome, report.exit_code) == ("regression", 1)
    (pair,) = report.regressions
    assert (pair.before, pair.after, pair.delta) == (0.8, 0.7499, -0.0501)
    assert "final fell by 0.0501, allowed 0.05" in pair.problems


def test_a_mean_that_equals_its_bound_is_within_it() -> None:
    config = GateConfig(score_drop={}, mean_drop={"final": 0.1})
    baseline = frozen(("a", 0.7), ("b", 0.8), ("c", 0.9))
    report = judged(baseline, answer("a", 0.6), answer("b", 0.7), answer("c", 0.8), config=config)
    assert report.outcome == "pass"
    assert [bound.n for bound in report.bounds] == [3, 3]
    worse = judged(baseline, answer("a", 0.59), answer("b", 0.7), answer("c", 0.8), config=config)
    assert worse.outcome == "regression"
    assert any("mean drop of final: 0.103333, at most 0.1" in reason for reason in worse.reasons)


def test_a_share_between_two_reachable_values_shows_its_n() -> None:
    ids = "abcdef"
    baseline = frozen(*((i, 0.8) for i in ids), gold=dict(zip(ids, ["accept"] * 5 + ["reject"], strict=True)))
    report = judged(baseline, *(answer(i, 0.8) for i in ids), config=GateConfig(wrong_accept_share=0.16))
    (bound,) = [bound for bound in report.bounds if bound.name == "share of wrong accepts"]
    assert (bound.found, bound.n, bound.holds) == (0.166667, 6, False)
    assert "share of wrong accepts: 0.166667, at most 0.16" in report.reasons
    assert report.wrong_accepts.low is not None


def test_headlines_are_of_shared_cases_and_the_others_are_listed() -> None:
    baseline = frozen(("a", 0.9), ("b", 0.9), ("c", 0.9), ("d", 0.3))
    answers = [answer(i, 0.9) for i in "abc"] + [answer("e", 0.95)]
    report = judged(baseline, *answers)
    assert report.mean_delta.value == 0.0
    assert (report.removed, report.added) == (("d",), ("e",))
    assert (report.outcome, report.exit_code) == ("incomplete", 3)
    assert "cases missing and not declared as removed: 1" in report.reasons

    declared = judged(baseline, *answers, config=GateConfig(removed=("d",)))
    assert (declared.outcome, declared.declared) == ("pass", ("d",))


def test_another_gate_is_not_comparable_and_names_what_differs() -> None:
    baseline = frozen(("a", 0.72), ("b", 0.9))
    other = replace(FINGERPRINT, encoder="e-2", precision="float16")
    report = judge(baseline, [answer("a", 0.2), answer("b", 0.2)], GateConfig(), other)
    assert (report.outcome, report.exit_code) == ("not_comparable", 3)
    assert report.differing == ("encoder", "precision")
    assert "the gate changed: encoder, precision" in report.reasons


def test_rescored_the_shift_of_the_scorer_is_told_apart_from_the_answers() -> None:
    baseline = frozen(("a", 0.72), ("b", 0.71), ("c", 0.9))
    other = replace(FINGERPRINT, runtime_version="6.0")
    shifted = [answer("a", 0.62), answer("b", 0.61), answer("c", 0.8)]
    anew = make_baseline("support", 1, other, [case_of(*pair) for pair in shifted])
    report = judge(baseline, shifted, GateConfig(), other, rescored=anew)
    assert (report.outcome, report.rescored) == ("pass", True)
    assert any("moved by -0.1000 on average" in warning for warning in report.warnings)


def test_constant_scores_raise_a_warning() -> None:
    report = judged(frozen(*((i, 1.0) for i in "abc")), *(answer(i, 1.0) for i in "abc"))
    assert any("is the scorer healthy?" in warning for warning in report.warnings)


def test_a_worse_decision_is_one_even_where_scores_hold() -> None:
    report = judged(frozen(("a", 0.8)), answer("a", 0.8, Verdict.REVIEW))
    assert report.outcome == "regression"
    assert report.regressions[0].problems == ("ACCEPT became REVIEW",)
    # Allowed in number, it is still shown, and still no reason to fail... unless the bound says so.
    assert "worse decisions: 1, at most 0" in report.reasons
    better = make_baseline("b", 1, FINGERPRINT, [case_of(*answer("a", 0.5, Verdict.REJECT))])
    assert judged(better, answer("a", 0.5, Verdict.ACCEPT)).outcome == "pass"


def test_what_cannot_be_compared_is_no_pass() -> None:
    baseline = frozen(("a", 0.8), ("b", 0.8))
    unmeasured = judged(baseline, answer("a", None), answer("b", 0.8))
    assert (unmeasured.outcome, unmeasured.unmeasured) == ("incomplete", ("a",))

    # A refusal has no score, then and now: its decision is what is compared.
    refusals = make_baseline("r", 1, FINGERPRINT, [case_of(*answer("a", None)), case_of(*answer("b", 0.8))])
    assert judged(refusals, answer("a", None), answer("b", 0.8)).outcome == "pass"
    assert judged(refusals, answer("a", None, Verdict.REJECT), answer("b", 0.8)).outcome == "regression"
    none = make_baseline("r", 1, FINGERPRINT, [case_of(*answer("a", None))])
    assert judged(none, answer("a", None)).outcome == "incomplete"

    sample, result = answer("a", 0.8)
    moved = replace(sample, query="Another question?")
    changed = judged(baseline, (moved, result), answer("b", 0.8))
    assert (changed.outcome, changed.changed, len(changed.pairs)) == ("incomplete", ("a",), 1)

    twice = judged(baseline, answer("a", 0.8), answer("a", 0.1), answer("b", 0.8))
    assert (twice.outcome, twice.duplicates, [p.id for p in twice.pairs]) == ("incomplete", ("a",), ["b"])

    few = judged(baseline, answer("a", 0.8), answer("b", 0.8), config=GateConfig(min_cases=10))
    assert (few.outcome, few.reasons) == ("incomplete", ("2 shared cases, at least 10 are needed",))


def test_a_regression_is_said_even_where_cases_are_missing_too() -> None:
    report = judged(frozen(("a", 0.8), ("b", 0.8)), answer("a", 0.1))
    assert report.outcome == "regression"
    assert len(report.reasons) == 2


def test_latency_has_its_budget() -> None:
    baseline = frozen(("a", 0.8))
    sample, result = answer("a", 0.8)
    slow = (sample, replace(result, latency_ms=120.0))
    assert judged(baseline, slow, config=GateConfig(latency_p95_ms=120)).outcome == "pass"
    assert judged(baseline, slow, config=GateConfig(latency_p95_ms=119)).outcome == "regression"


def test_the_interval_of_the_mean_is_paired() -> None:
    ids = [f"c{n}" for n in range(40)]
    baseline = frozen(*((i, round(0.2 + 0.015 * n, 4)) for n, i in enumerate(ids)))
    answers = [answer(i, round(0.21 + 0.015 * n, 4)) for n, i in enumerate(ids)]
    found = judged(baseline, *answers).mean_delta
    # All rose by the same: scores apart by 0.6, and an interval without width.
    assert (round(found.low or 0, 6), round(found.high or 0, 6)) == (0.01, 0.01)


HOSTILE = "<script>alert(1)</script> | [x](http://e) `a` \x1b[31m \x00 & \n# head"


def test_reports_show_hostile_ids_as_text() -> None:
    sample = make_sample("x", response="A.")
    sample = replace(sample, id=HOSTILE)
    result = make_result(sample, final=0.8, verdict=Verdict.ACCEPT)
    baseline = make_baseline("support", 1, FINGERPRINT, [case_of(sample, result)])
    worse = make_result(sample, final=0.1, verdict=Verdict.REJECT)
    report = judge(baseline, [(sample, worse)], GateConfig(), FINGERPRINT)

    markdown = to_markdown(report)
    row = next(line for line in markdown.splitlines() if "script" in line)
    assert row.replace("\\|", "").count("|") == 7
    assert "<script>" not in markdown
    assert "](" not in markdown
    suite = ElementTree.fromstring(to_junit(report))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    assert "<script>" in str(suite[0].get("name"))


def test_the_report_is_json(tmp_path: object) -> None:
    report = judged(frozen(("a", 0.8)), answer("a", 0.1))
    document = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert (document["outcome"], document["exit_code"]) == ("regression", 1)
    assert document["pairs"][0]["delta"] == -0.7


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("score_drop: {final: 2}", r"score_drop\.final"),
        ("score_drops: {final: 0.1}", "score_drops"),
        ("worse_decisions: -1", "worse_decisions"),
        ("- a", "a mapping"),
        ("a: [", "not YAML"),
    ],
)
def test_bad_bounds_name_their_key(text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told) as caught:
        gate_config(text, "gates.yaml")
    assert "gates.yaml" in str(caught.value)


def test_bounds_are_read_and_empty_ones_are_the_published() -> None:
    assert gate_config("", "g") == GateConfig()
    assert GateConfig().score_drop == {"final": 0.05}
    assert gate_config("score_drop: {}\nmin_cases: 3", "g").min_cases == 3


def test_cases_have_the_same_hash_wherever_they_are_made() -> None:
    one, two = frozen(("a", 0.8), ("b", 0.3)), frozen(("b", 0.3), ("a", 0.8))
    assert one.hash == two.hash
    again = Case.from_dict(json.loads(json.dumps(one.cases[0].to_dict())), "x")
    assert again.hash == one.cases[0].hash
    assert frozen(("a", 0.8), ("b", 0.31)).hash != one.hash
    assert make_baseline("other", 7, FINGERPRINT, one.cases, note="n").hash == one.hash


def test_a_document_is_in_one_part() -> None:
    texts = [f"Document {n} says so." for n in range(400)]
    parts = [part_of(Sample(query=str(n), contexts=(text,), response="x")) for n, text in enumerate(texts)]
    again = [part_of(Sample(query="q", contexts=(text.upper(),), response="y")) for text in texts]
    assert parts == again
    assert 150 < parts.count("development") < 250
    assert 60 < parts.count("held_out") < 140


@pytest.mark.parametrize("name", ["", "a b", "../x", "-x", "x" * 81])
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="not a baseline's name"):
        make_baseline(name, 1, FINGERPRINT, frozen(("a", 0.5)).cases)


def test_no_case_and_two_of_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="needs a case"):
        make_baseline("x", 1, FINGERPRINT, [])
    case = frozen(("a", 0.5)).cases[0]
    with pytest.raises(InputError, match="two cases of one id"):
        make_baseline("x", 1, FINGERPRINT, [case, case])


@pytest.mark.parametrize(
    "change", [{"decision": "MAYBE"}, {"gold": "yes"}, {"part": "x"}, {"scores": [1]}, {"contexts": "one"}]
)
def test_a_case_of_another_form_names_where(change: dict[str, object]) -> None:
    data = {**frozen(("a", 0.5)).cases[0].to_dict(), **change}
    with pytest.raises(InputError, match=r"f\.jsonl:7"):
        Case.from_dict(data, "f.jsonl:7")
