"""One changed number, name, unit, date, negation or quantifier is found in nine cases of ten."""

from collections import Counter

from evalcore.findings import find_findings
from tests.evalcore.findings.metamorphic import Case, answers, cases, supported


def _raises(case: Case) -> bool:
    before = {(f.kind, f.text) for f in find_findings(case.sentence, case.contexts)}
    return any((f.kind, f.text) not in before for f in find_findings(case.changed, case.contexts))


def test_at_least_nine_in_ten_changes_of_each_kind_raise_a_finding() -> None:
    total: Counter[str] = Counter()
    raised: Counter[str] = Counter()
    for case in cases():
        total[case.kind] += 1
        raised[case.kind] += _raises(case)

    assert total.total() >= 300
    assert min(total.values()) >= 50
    assert {kind: (raised[kind], n) for kind, n in total.items() if raised[kind] < 0.9 * n} == {}


def test_supported_sentences_raise_almost_none() -> None:
    for sentences in (supported(), answers()):
        wrong = [text for text, contexts in sentences if find_findings(text, contexts)]

        assert len(wrong) <= 0.05 * len(sentences), wrong
