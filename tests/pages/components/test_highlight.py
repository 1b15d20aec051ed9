from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from evalcore.result import Evidence, SentenceStatus, SentenceVerdict
from pages.components.highlight import answer_html, doubts_of, passage_html


def sentence(
    text: str, start: int, end: int, *, index: int = 0, low: bool = True, evidence: tuple[Evidence, ...] = ()
) -> SentenceVerdict:
    status = SentenceStatus.LOW_CONFIDENCE if low else SentenceStatus.SUPPORTED
    return SentenceVerdict(
        index=index, start=start, end=end, text=text[start:end], support=0.2, status=status, evidence=evidence
    )


def shown_text(made: str) -> str:
    return html.unescape(re.sub(r'<sup class="pd-sign">▲\d+</sup>|<[^>]*>', "", made))


def test_only_the_distrusted_sentence_is_marked_and_numbered() -> None:
    text = "Fine. <b>Bad</b>."
    made = answer_html(
        text, [sentence(text, 0, 5, low=False), sentence(text, 6, len(text), index=1)], limit=None
    )

    assert made.count("<mark") == 1
    assert "&lt;b&gt;Bad&lt;/b&gt;.<sup" in made
    assert "▲1" in made


def test_overlapping_evidence_carries_both_numbers() -> None:
    passage = "abcdefghij"

    def held(start: int, end: int) -> tuple[Evidence, ...]:
        return (Evidence(passage=0, start=start, end=end, text=passage[start:end], score=0.5),)

    doubts = doubts_of(
        [sentence("xy", 0, 1, evidence=held(0, 6)), sentence("xy", 1, 2, index=1, evidence=held(4, 10))]
    )
    made = passage_html(passage, 0, doubts, limit=None)

    assert "best evidence for ▲1, ▲2" in made
    assert shown_text(made) == passage


@given(st.text(max_size=60), st.data())
def test_no_character_is_lost_or_added(text: str, data: st.DataObject) -> None:
    borders = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4)))
    spans = [(borders[0], borders[1]), (borders[2], borders[3])]
    sentences = [sentence(text, start, end, index=i) for i, (start, end) in enumerate(spans)]

    assert shown_text(answer_html(text, sentences, limit=None)) == text


@given(st.text(max_size=60), st.data())
def test_a_cut_text_is_a_beginning(text: str, data: st.DataObject) -> None:
    limit = data.draw(st.integers(0, 60))
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    evidence = (Evidence(passage=0, start=start, end=end, text=text[start:end], score=0.5),)
    doubts = doubts_of([sentence("x", 0, 1, evidence=evidence)])
    cut = text[:limit] + ("…" if limit < len(text) else "")

    assert shown_text(passage_html(text, 0, doubts, limit=limit)) == cut
