"""The Overview's numbers and its table of runs, as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from evalcore.result import Verdict
from pages.components.escape import first_words, html_text
from pages.components.language import number, t, tn
from workflows.overview import Overview, RunRow


def tiles_html(view: Overview) -> str:
    """Answers, decisions with their shares, what waits and what is labelled."""
    labels, queue = view.labels, view.queue
    profile = t("profile {name}", name=html_text(view.profile or ""))
    tiles = [_tile(t("Answers"), number(view.n_results), profile)]
    for verdict in Verdict:
        n = view.n(verdict)
        share = (
            t("{share} of answers", share=f"{n / view.n_results:.0%}") if view.n_results else t("no answers")
        )
        tiles.append(_tile(str(verdict), number(n), share, f"pd-{verdict.lower()}"))
    waiting = queue.total - queue.labelled
    queued = t("of {n} in the queue", n=number(queue.total))
    tiles.append(_tile(t("Waiting for a person"), number(waiting), queued))
    answers = tn("on {n} answer", "on {n} answers", labels.results)
    people = tn("by {n} reviewer", "by {n} reviewers", len(labels.by_reviewer))
    tiles.append(_tile(t("Labels"), number(labels.current), f"{answers}, {people}"))
    return f'<div class="pd-tiles">{"".join(tiles)}</div>'


def _tile(name: str, value: str, below: str, kind: str = "") -> str:
    return (
        f'<div class="pd-tile {kind}"><span class="pd-tile-name">{name}</span>'
        f'<b>{value}</b><span class="pd-quiet">{below}</span></div>'
    )


def runs_html(runs: Sequence[RunRow], decisions: Mapping[int, Mapping[str, int]] | None = None) -> str:
    """The latest runs as a table, with the share of each decision if given; an unfinished one says so."""
    heads = (t("Run"), t("Started (UTC)"), t("Profile"), t("Fingerprint"))
    numbers = (t("Rows"), t("Stored"), t("There before"), t("Failed"))
    head = "".join(f"<th>{name}</th>" for name in heads)
    head += "".join(f'<th class="pd-number">{name}</th>' for name in numbers)
    head += "".join(f'<th class="pd-number">{verdict}</th>' for verdict in Verdict if decisions is not None)
    rows = "".join(_run(run, None if decisions is None else decisions.get(run.id, {})) for run in runs)
    return (
        f'<div class="pd-scroll"><table class="pd-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _run(run: RunRow, decisions: Mapping[str, int] | None) -> str:
    counts = run.counts
    numbers = (counts.n_rows, counts.n_stored, counts.n_existing, counts.n_failed)
    cells = "".join(
        f'<td class="pd-number">{"–" if not run.finished_at else number(n)}</td>' for n in numbers
    )
    if decisions is not None:
        cells += "".join(f'<td class="pd-number">{_share(decisions, verdict)}</td>' for verdict in Verdict)
    return (
        f'<tr><td dir="auto" title="{html_text(run.name)}">{html_text(first_words(run.name, 60))}</td>'
        f"{_when(run)}"
        f'<td dir="auto">{html_text(first_words(run.profile, 40))}</td>'
        f"<td><code>{html_text(run.fingerprint_id)}</code></td>{cells}</tr>"
    )


def _share(decisions: Mapping[str, int], verdict: str) -> str:
    n, total = decisions.get(verdict, 0), sum(decisions.values())
    return f'<span title="{number(n)} / {number(total)}">{n / total:.0%}</span>' if total else "–"


def _when(run: RunRow) -> str:
    if run.finished_at is None:
        return f'<td>{_time(run.started_at)} <b class="pd-chip">◌ {t("unfinished")}</b></td>'
    return f'<td title="{t("finished {time} UTC", time=_time(run.finished_at))}">{_time(run.started_at)}</td>'


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
