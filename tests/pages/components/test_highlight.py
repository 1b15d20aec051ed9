from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.result import Evidence, SentenceFinding, SentenceStatus, SentenceVerdict
from pages.components.highlight import answer_html, doubts_of, passage_html, support_text


def sentence(
    text: str,
    start: int,
    end: int,
    *,
    index: int = 0,
    low: bool = True,
    evidence: tuple[Evidence, ...] = (),
    findings: tuple[SentenceFinding, ...] = (),
) -> SentenceVerdict:
    return SentenceVerdict(
        index=index,
        start=start,
        end=end,
        text=text[start:end],
        support=0.2,
        status=SentenceStatus.LOW_CONFIDENCE if low else SentenceStatus.SUPPORTED,
        evidence=evidence,
        findings=findings,
    )


def found(text: str, start: int, end: int, message: str = "not there") -> SentenceFinding:
    return SentenceFinding(kind="name", start=start, end=end, text=text[start:end], message=message)


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


@pytest.mark.parametrize("low", [True, False])
def test_a_finding_is_underlined_in_its_sentence_and_escaped(low: bool) -> None:
    text = "Fine. By <b>Bo</b> 👍."
    one = found(text, 9, 18, 'names "<b>Bo</b>"')
    made = answer_html(text, [sentence(text, 6, len(text), low=low, findings=(one,))], limit=None)

    title = "names &quot;&lt;b&gt;Bo&lt;/b&gt;&quot;"
    assert f'By <u class="pd-finding" title="{title}">&lt;b&gt;Bo&lt;/b&gt;</u> 👍.' in made
    assert shown_text(made) == text


def test_overlapping_findings_are_both_named() -> None:
    text = "abcdef"
    findings = (found(text, 0, 4, "one"), found(text, 2, 6, "two"))
    made = answer_html(text, [sentence(text, 0, 6, low=False, findings=findings)], limit=5)

    assert '<u class="pd-finding" title="one; two">cd</u>' in made
    assert shown_text(made) == "abcde…"


def test_what_is_no_claim_says_so() -> None:
    silent = SentenceVerdict(
        index=0, start=0, end=5, text="Sure!", support=None, status=SentenceStatus.NOT_A_CLAIM, reason="talk"
    )

    assert support_text(silent) == "not a claim: talk"


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
    places = data.draw(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4))
    findings = tuple(found(text, *sorted(place)) for place in places)
    sentences = [
        sentence(text, start, end, index=i, findings=findings) for i, (start, end) in enumerate(spans)
    ]

    assert shown_text(answer_html(text, sentences, limit=None)) == text


@given(st.text(max_size=60), st.data())
def test_a_cut_text_is_a_beginning(text: str, data: st.DataObject) -> None:
    limit = data.draw(st.integers(0, 60))
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    evidence = (Evidence(passage=0, start=start, end=end, text=text[start:end], score=0.5),)
    doubts = doubts_of([sentence("x", 0, 1, evidence=evidence)])
    cut = text[:limit] + ("…" if limit < len(text) else "")

    assert shown_text(passage_html(text, 0, doubts, limit=limit)) == cut
