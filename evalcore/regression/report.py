"""A gate run as Markdown for a pull request, and as JUnit XML for a build server."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from evalcore.regression.judge import GateReport, Pair

_SHOWN = 50
_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~@:&$])")
TITLES = {
    "pass": "PASS",
    "regression": "REGRESSION",
    "incomplete": "INCOMPLETE",
    "not_comparable": "NOT COMPARABLE",
}


def number(value: float | None, form: str = ".4f") -> str:
    """A number, or a dash where there is none."""
    return "–" if value is None else format(value, form)


def mean_delta(report: GateReport) -> str:
    """The mean delta with its interval, or why there is none."""
    found = report.mean_delta
    if found.value is None:
        return f"undefined: {found.reason}"
    interval = "" if found.low is None else f" [{found.low:+.4f}, {found.high:+.4f}]"
    return f"{found.value:+.4f}{interval}"


def wrong_accepts(report: GateReport) -> str:
    """The share of wrong accepts with its interval; a dash without gold."""
    found = report.wrong_accepts
    if found.value is None:
        return "–"
    interval = "" if found.low is None else f" [{found.low:.1%}, {found.high:.1%}]"
    return f"{found.value:.1%}{interval} of {found.n} accepted with gold"


def lists(report: GateReport) -> list[tuple[str, tuple[str, ...]]]:
    """The lists of ids that are not empty, by name."""
    every = (
        ("added", report.added),
        ("missing", tuple(i for i in report.removed if i not in report.declared)),
        ("removed, declared", report.declared),
        ("changed question or passages", report.changed),
        ("twice among the answers", report.duplicates),
        ("not measured", report.unmeasured),
    )
    return [(name, ids) for name, ids in every if ids]


def to_markdown(report: GateReport) -> str:
    """The report as Markdown; whatever is data is escaped."""
    lines = [
        f"### Proofdesk gate: {TITLES[report.outcome]}",
        "",
        f"Baseline {_plain(report.baseline)} version {report.version}: {len(report.pairs)} shared cases, "
        f"{len(report.regressions)} worse; mean change of the final score {mean_delta(report)}; wrong "
        f"accepts "
        f"{wrong_accepts(report)}.",
    ]
    lines += [f"- {_plain(reason)}" for reason in report.reasons]
    if report.regressions:
        lines += [
            "",
            "| case | final before | after | change | decision | rule |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        lines += [_markdown_row(pair) for pair in report.regressions[:_SHOWN]]
        if len(report.regressions) > _SHOWN:
            lines.append(f"\n… and {len(report.regressions) - _SHOWN} more.")
    for name, ids in lists(report):
        more = f" … {len(ids) - 10} more" if len(ids) > 10 else ""
        lines += ["", f"{name.capitalize()} ({len(ids)}): {', '.join(_plain(i) for i in ids[:10])}{more}"]
    for warning in report.warnings:
        lines += ["", f"Note: {_plain(warning)}"]
    return "\n".join(lines) + "\n"


def to_junit(report: GateReport) -> str:
    """The report as JUnit XML: a test for each shared case, and one for the run as a whole."""
    failed = [pair for pair in report.pairs if pair.problems]
    whole = report.outcome != "pass"
    head = (
        f"<testsuite name={_attribute(f'proofdesk gate {report.baseline}@{report.version}')} "
        f'tests="{len(report.pairs) + 1}" failures="{len(failed) + (report.outcome == "regression")}" '
        f'errors="{int(whole and report.outcome != "regression")}">'
    )
    cases = [_junit_case(pair) for pair in report.pairs]
    told = _clean("; ".join(report.reasons))
    kind = "failure" if report.outcome == "regression" else "error"
    body = f"<{kind} message={_attribute(TITLES[report.outcome])}>{escape(told)}</{kind}>" if whole else ""
    cases.append(f'<testcase classname="proofdesk.gate" name="the run as a whole">{body}</testcase>')
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *cases, "</testsuite>", ""])


def _junit_case(pair: Pair) -> str:
    start = f'<testcase classname="proofdesk.gate" name={_attribute(pair.id)}'
    if not pair.problems:
        return f"{start}/>"
    told = escape(_clean("; ".join(pair.problems)))
    return f"{start}><failure message={_attribute(pair.problems[0])}>{told}</failure></testcase>"


def _markdown_row(pair: Pair) -> str:
    cells = (
        _plain(pair.id),
        number(pair.before),
        number(pair.after),
        number(pair.delta, "+.4f"),
        f"{pair.decision_before} → {pair.decision_after}",
        f"{_plain(pair.rule_before)} → {_plain(pair.rule_after)}",
    )
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """A text on one line that Markdown shows as it is."""
    line = " ".join(_clean(text).split())[:200]
    return _MARKS.sub(r"\\\1", line).replace("\\<", "&lt;").replace("\\>", "&gt;").replace("\\&", "&amp;")


def _attribute(text: str) -> str:
    return quoteattr(" ".join(_clean(text).split()))


def _clean(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)
