"""How each number on the screen is computed, in a line each."""

from __future__ import annotations

from collections.abc import Mapping

from pages.components.language import N_, named, t

SCORES: Mapping[str, str] = {
    "attribution": N_("how far the passages hold the answer: likeness in meaning and shared words, weighted"),
    "specificity": N_('length and variety of words, less a penalty for each hedge such as "perhaps"'),
    "alignment": N_("how far words, letters and meaning match the passages, mean of the weakest sentences"),
    "weakest_support": N_("probability that the passages hold the weakest sentence, by the learned verifier"),
    "risk": N_(
        "probability that the passages do not hold the answer, by the learned verifier; "
        "where a profile has none, 1 less the alignment"
    ),
    "faithfulness": N_("weighted mean of attribution and specificity, as the profile weighs them"),
    "relevance": N_("likeness of the answer, and of its best sentence, to the question, and shared words"),
    "context_precision": N_("share of the answer's different words that the passages hold"),
    "context_recall": N_("share of the passages' words that the answer uses, or as the profile publishes it"),
    "context_f1": N_("harmonic mean of context precision and context recall"),
    "context_relevance": N_("likeness of the question to the passage that is nearest to it"),
    "context_quality": N_("weighted mean of the words in common and of how near the passages are"),
    "consistency": N_("likeness of the answer to answers to the same question put another way"),
    "disagreement": N_("standard deviation of faithfulness, relevance and context quality"),
    "final": N_("weighted mean of the profile's scores, lowered where relevance or faithfulness is very low"),
}
OTHERS: Mapping[str, str] = {
    N_("support"): N_("probability that the best evidence holds the sentence, 0 to 1"),
    N_("margin"): N_(
        "distance of the deciding score from its threshold, with attribution and agreement of the scores; "
        "no probability"
    ),
}


def of_score(name: str) -> str:
    """How a score is computed; empty for a score of a team's own."""
    return t(SCORES[name]) if name in SCORES else ""


def listed_html(lines: Mapping[str, str]) -> str:
    """Names with how they are computed, folded under one line."""
    rows = "".join(f"<dt>{name}</dt><dd>{told}</dd>" for name, told in lines.items())
    return (
        f'<details class="pd-help"><summary class="pd-quiet pd-small">{t("How these are computed")}</summary>'
        f'<dl class="pd-small">{rows}</dl></details>'
    )


def scores_html(names: list[str]) -> str:
    """How these scores, the support of a sentence and the margin are computed."""
    told = {named(name): of_score(name) for name in names if name in SCORES}
    return listed_html({**told, **{t(name): t(line) for name, line in OTHERS.items()}})


def overview_html() -> str:
    """How the tiles and the chart of the Overview are computed."""
    return listed_html(
        {
            t("Answers"): t("results of the profile named, each counted once however often it was evaluated"),
            "ACCEPT, REVIEW, REJECT": t("what the profile's first rule that fired decided, and its share"),
            t("Waiting for a person"): t("REVIEW without a label that stands, of all profiles"),
            t("Labels"): t("labels that stand: not superseded, not withdrawn; of all profiles"),
            t("Decisions by day"): t("by the day of the chosen zone on which the result was stored"),
        }
    )
