"""Texts as HTML with stretches of them marked. Everything is escaped first; only marks are ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from evalcore.result import Evidence, SentenceStatus, SentenceVerdict
from pages.components.escape import html_text
from pages.components.language import said, t

SHOWN_CHARACTERS = 6_000
"""A longer text is cut here until the reviewer asks for all of it."""
_NOW = 0
"""Stands for the sentence that is looked at among the numbers of the doubted ones, which begin at 1."""


@dataclass(frozen=True)
class Doubt:
    """A sentence the gate distrusts, under the number it is marked with."""

    number: int
    sentence: SentenceVerdict

    @property
    def evidence(self) -> Evidence | None:
        """The stretch of the contexts that holds it best."""
        return self.sentence.evidence[0] if self.sentence.evidence else None


def doubts_of(sentences: Sequence[SentenceVerdict]) -> tuple[Doubt, ...]:
    """The distrusted sentences, numbered from 1 in the order of the answer."""
    low = (s for s in sentences if s.status is SentenceStatus.LOW_CONFIDENCE)
    return tuple(Doubt(number, sentence) for number, sentence in enumerate(low, start=1))


def support_text(sentence: SentenceVerdict) -> str:
    """What is known about a sentence's support, in words."""
    if sentence.status is SentenceStatus.NOT_A_CLAIM:
        return t("not a claim: {reason}", reason=said(sentence.reason or "nothing to support"))
    if sentence.support is None:
        return t("support not measured: {reason}", reason=said(sentence.reason or "no reason given"))
    support = t("support {value}", value=f"{sentence.support:.2f}")
    if not sentence.evidence:
        return support
    return f"{support}, {t('best in passage {n}', n=sentence.evidence[0].passage + 1)}"


def answer_html(
    response: str,
    sentences: Sequence[SentenceVerdict],
    *,
    limit: int | None,
    current: int | None = None,
    marks: bool = True,
) -> str:
    """The answer with its distrusted sentences marked and numbered; the others say their support on hover.

    What the contexts do not hold is underlined and says so on hover. Every sentence says which it is to the
    script that listens for clicks.

    Parameters
    ----------
    response : str
    sentences : sequence of SentenceVerdict
        In the order of the answer, not overlapping.
    limit : int, optional
        Cut after so many characters.
    current : int, optional
        Index of the sentence that is looked at.
    marks : bool
        Whether support and findings may show.
    """
    shown = response if limit is None else response[:limit]
    numbers = {doubt.sentence.index: doubt.number for doubt in doubts_of(sentences)} if marks else {}
    parts: list[str] = []
    at = 0
    for sentence in sentences:
        if sentence.start >= len(shown):
            break
        parts.append(html_text(shown[at : sentence.start]))
        text = _sentence_html(shown, sentence) if marks else html_text(shown[sentence.start : sentence.end])
        title = f' title="{html_text(support_text(sentence))}"' if marks else ""
        now = " pd-current" if sentence.index == current else ""
        which = f'data-sentence="{sentence.index}"{title}'
        number = numbers.get(sentence.index)
        if number is None:
            parts.append(f'<span class="pd-sentence{now}" {which}>{text}</span>')
        else:
            sign = f'<sup class="pd-sign">▲{number}</sup>'
            parts.append(f'<mark class="pd-low pd-sentence{now}" {which}>{text}{sign}</mark>')
        at = sentence.end
    parts.append(html_text(shown[at:]))
    return "".join(parts) + ("…" if len(shown) < len(response) else "")


def _sentence_html(shown: str, sentence: SentenceVerdict) -> str:
    """The text of a sentence with its findings underlined; where they overlap, all are named."""
    end = min(sentence.end, len(shown))
    spans = [(max(f.start, sentence.start), min(f.end, end), said(f.message)) for f in sentence.findings]
    spans = [span for span in spans if span[0] < span[1]]
    borders = sorted({sentence.start, end, *(border for first, last, _ in spans for border in (first, last))})
    parts: list[str] = []
    for start, stop in pairwise(borders):
        text = html_text(shown[start:stop])
        messages = dict.fromkeys(message for first, last, message in spans if first <= start and stop <= last)
        title = html_text("; ".join(messages))
        parts.append(f'<u class="pd-finding" title="{title}">{text}</u>' if messages else text)
    return "".join(parts)


def passage_html(
    passage: str,
    index: int,
    doubts: Sequence[Doubt],
    *,
    limit: int | None,
    current: Evidence | None = None,
) -> str:
    """A passage with the best evidence of every distrusted sentence marked with the sentence's number.

    ``current`` is that of the sentence that is looked at, doubted or not; it stands out.

    Stretches may overlap: each piece between two borders carries the numbers of all that cover it.
    """
    shown = passage if limit is None else passage[:limit]
    found = [(doubt.number, doubt.evidence) for doubt in doubts if doubt.evidence is not None]
    if current is not None:
        found.append((_NOW, current))
    spans = [
        (number, evidence.start, min(evidence.end, len(shown)))
        for number, evidence in found
        if evidence.passage == index and evidence.start < len(shown)
    ]
    borders = sorted({0, len(shown), *(border for _, start, end in spans for border in (start, end))})
    parts: list[str] = []
    for start, end in pairwise(borders):
        text = html_text(shown[start:end])
        covering = [number for number, first, last in spans if first <= start and end <= last]
        if not covering:
            parts.append(text)
            continue
        ending = [number for number, _, last in spans if last == end and number != _NOW]
        signs = "".join(f'<sup class="pd-sign">▲{number}</sup>' for number in ending)
        numbers = [f"▲{number}" for number in covering if number != _NOW]
        title = t("best evidence for {what}", what=", ".join(numbers) or t("the sentence looked at"))
        now = " pd-now" if _NOW in covering else ""
        parts.append(f'<mark class="pd-evidence{now}" title="{title}">{text}{signs}</mark>')
    return "".join(parts) + ("…" if len(shown) < len(passage) else "")


def evidence_numbers(index: int, doubts: Sequence[Doubt]) -> tuple[int, ...]:
    """The numbers of the distrusted sentences whose best evidence lies in a passage."""
    return tuple(d.number for d in doubts if d.evidence is not None and d.evidence.passage == index)
