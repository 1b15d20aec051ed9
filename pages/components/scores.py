"""The scores of one answer as a strip of small bars."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.result import Score
from pages.components import help_lines
from pages.components.escape import html_text
from pages.components.language import named, said, t


def strip_html(scores: Sequence[Score]) -> str:
    """Every score with its bar and number; what was not measured says why."""
    return f'<div class="pd-scores">{"".join(_cell(score) for score in scores)}</div>' + (
        help_lines.scores_html([score.name for score in scores])
    )


def _cell(score: Score) -> str:
    name = html_text(named(score.name))
    if score.value is None:
        none = t("not measured")
        reason = html_text(said(score.reason or ""))
        return (
            f'<div class="pd-score" title="{name}: {none}, {reason}"><span>{name}</span>'
            f'<span class="pd-quiet">{none}</span><i class="pd-reason" dir="auto">{reason}</i></div>'
        )
    width = 100 * min(1.0, max(0.0, score.value))
    told = html_text(help_lines.of_score(score.name))
    return (
        f'<div class="pd-score" title="{name}: {score.value:.4f}. {told}"><span>{name}</span>'
        f'<span class="pd-number">{score.value:.2f}</span>'
        f'<div class="pd-bar"><div style="width:{width:.1f}%"></div></div></div>'
    )
