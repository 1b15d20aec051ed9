"""The Overview's numbers and its table of runs, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from evalcore.result import Verdict
from pages.components.escape import first_words, html_text
from workflows.overview import Overview, RunRow


def tiles_html(view: Overview) -> str:
    """Answers, decisions with their shares, what waits and what is labelled."""
    labels, queue = view.labels, view.queue
    tiles = [_tile("Answers", f"{view.n_results:,}", f"profile {html_text(view.profile or '')}")]
    for verdict in Verdict:
        n = view.n(verdict)
        share = f"{n / view.n_results:.0%} of answers" if view.n_results else "no answers"
        tiles.append(_tile(str(verdict), f"{n:,}", share, f"pd-{verdict.lower()}"))
    waiting = queue.total - queue.labelled
    tiles.append(_tile("Waiting for a person", f"{waiting:,}", f"of {queue.total:,} in the queue"))
    people = f"on {labels.results:,} answers, by {len(labels.by_reviewer):,} reviewers"
    tiles.append(_tile("Labels", f"{labels.current:,}", people))
    return f'<div class="pd-tiles">{"".join(tiles)}</div>'


def _tile(name: str, value: str, below: str, kind: str = "") -> str:
    return (
        f'<div class="pd-tile {kind}"><span class="pd-tile-name">{name}</span>'
        f'<b>{value}</b><span class="pd-quiet">{below}</span></div>'
    )


def runs_html(runs: Sequence[RunRow]) -> str:
    """The latest runs as a table; one that never finished says so."""
    heads = ("Run", "Started (UTC)", "Profile", "Fingerprint")
    numbers = ("Rows", "Stored", "There before", "Failed")
    head = "".join(f"<th>{name}</th>" for name in heads)
    head += "".join(f'<th class="pd-number">{name}</th>' for name in numbers)
    rows = "".join(_run(run) for run in runs)
    return (
        f'<div class="pd-scroll"><table class="pd-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _run(run: RunRow) -> str:
    counts = run.counts
    numbers = (counts.n_rows, counts.n_stored, counts.n_existing, counts.n_failed)
    cells = "".join(f'<td class="pd-number">{"–" if not run.finished_at else f"{n:,}"}</td>' for n in numbers)
    return (
        f'<tr><td dir="auto" title="{html_text(run.name)}">{html_text(first_words(run.name, 60))}</td>'
        f"{_when(run)}"
        f'<td dir="auto">{html_text(first_words(run.profile, 40))}</td>'
        f"<td><code>{html_text(run.fingerprint_id)}</code></td>{cells}</tr>"
    )


def _when(run: RunRow) -> str:
    if run.finished_at is None:
        return f'<td>{_time(run.started_at)} <b class="pd-chip">◌ unfinished</b></td>'
    return f'<td title="finished {_time(run.finished_at)} UTC">{_time(run.started_at)}</td>'


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
