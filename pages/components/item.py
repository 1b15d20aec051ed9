"""The open item: what was asked and answered, what the gate doubts, and what it held that against."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from evalcore.result import EvalResult, Evidence, SentenceStatus, SentenceVerdict
from pages.components import desk, highlight, keys, scores, sentence_desk
from pages.components.desk import Opened
from pages.components.escape import first_words, html_text
from pages.components.highlight import SHOWN_CHARACTERS, Doubt
from pages.components.language import named, number, said, t, tn
from workflows.review import ReviewerRow, StoredResult
from workflows.store import Store

_SHOWN_DOUBTS = 12
_SHOWN_FINDINGS = 6
_SHOWN_PASSAGES = 30
_OPEN_TOGETHER = 1_500


@st.fragment
def draw(store: Store, opened: Opened, reviewer: ReviewerRow) -> None:
    """Draw the whole item, long texts cut until the reviewer asks for all of them.

    Until the reviewer has labelled it the gate's verdict and scores are left out where the queue is blind,
    and marked sentences and findings where it hides those too.
    """
    stored = opened.stored
    sample, result = stored.sample, stored.result
    doubts = highlight.doubts_of(result.sentences) if opened.shows_marks else ()
    place = sentence_desk.current(opened)
    looked_at = next((s for s in result.sentences if s.index == place), None)
    evidence = looked_at.evidence[0] if opened.shows_marks and looked_at and looked_at.evidence else None
    everything = bool(st.session_state.get(f"everything-{stored.id}", False))
    limit = None if everything else SHOWN_CHARACTERS
    query = sample.query if limit is None else sample.query[:limit]
    question = f'<p class="pd-question" dir="auto">{html_text(query) or _blank(t("(empty question)"))}</p>'
    answer = highlight.answer_html(
        sample.response, result.sentences, limit=limit, current=place, marks=opened.shows_marks
    )
    st.html(
        f'<article class="pd-item">{_head(stored, opened)}{question}'
        f'<section><h2>{t("Answer")}</h2><div class="pd-text pd-answer" dir="auto">'
        f"{answer or _blank(t('(empty answer)'))}</div>"
        "</section></article>"
    )
    sentence_desk.draw(store, opened, reviewer)
    doubted = _doubts(result, doubts, everything) if opened.shows_marks else ""
    shown_scores = f"<section><h2>{t('Scores')}</h2>{scores.strip_html(result.scores)}</section>"
    st.html(
        f'<article class="pd-item">{doubted}{_contexts(sample.contexts, doubts, limit, evidence)}'
        f"{'' if opened.is_blind else shown_scores}{_origin(stored)}</article>"
    )
    size = sum(map(len, (sample.query, sample.response, *sample.contexts)))
    if _is_long(stored, doubts):
        st.toggle(
            t("Show all {n} characters and everything folded", n=number(size)), key=f"everything-{stored.id}"
        )
    keys.listen(lambda index: sentence_desk.pick(stored.id, index))


def _is_long(stored: StoredResult, doubts: tuple[Doubt, ...]) -> bool:
    sample = stored.sample
    longest = max(map(len, (sample.query, sample.response, *sample.contexts)))
    sentences = stored.result.sentences
    too_many = (
        len(doubts) > _SHOWN_DOUBTS
        or len(sample.contexts) > _SHOWN_PASSAGES
        or len(_noted(stored.result)) > _SHOWN_DOUBTS
        or any(len(sentence.findings) > _SHOWN_FINDINGS for sentence in sentences)
    )
    return longest > SHOWN_CHARACTERS or too_many


def _head(stored: StoredResult, opened: Opened) -> str:
    decision, result = stored.result.decision, stored.result
    if opened.is_blind:
        told = t("the gate's verdict shows after yours")
        if opened.taken and opened.taken != desk.SETTLING:
            told = t("others are at it")
        return (
            '<header class="pd-head"><div class="pd-line">'
            f'<b class="pd-id" dir="auto">{html_text(stored.sample.id[:120])}</b>'
            f'<span class="pd-quiet">{told}</span></div>{_orders(result)}</header>'
        )
    sure = decision.confidence_pct
    margin = t("no margin") if sure is None else t("margin {n} %", n=sure)
    verdict = str(decision.verdict)
    states = "".join(f'<span class="pd-chip">{html_text(named(state))}</span>' for state in result.states)
    warnings = _warnings(result.warnings)
    suspicion = html_text(named(str(decision.hallucination_status)))
    return (
        '<header class="pd-head"><div class="pd-line">'
        f'<b class="pd-id" dir="auto">{html_text(stored.sample.id[:120])}</b>'
        f'<span class="pd-badge pd-{verdict.lower()}">{verdict}</span>'
        f'<span class="pd-chip pd-strong">{html_text(named(decision.failure_type))}</span>{states}'
        f'<span class="pd-quiet">{t("risk")} {stored.risk:.2f} · {margin} · '
        f"{t('hallucination')}: {suspicion}</span></div>"
        f'<p class="pd-reason-line"><span dir="auto">{html_text(said(decision.reason))}</span> '
        f'<span class="pd-quiet" dir="auto">{html_text(said(decision.why))}</span></p>'
        f'<p class="pd-quiet pd-small">{t("Rule")} <code>{html_text(decision.rule_id)}</code> · {t("next")}: '
        f"{html_text(named(decision.next_action))}</p>{warnings}</header>"
    )


def _orders(result: EvalResult) -> str:
    """Orders that stand in the texts: a reviewer has to know of them before the verdict, blind or not."""
    orders = [warning for warning in result.warnings if warning.startswith("possible instruction")]
    return _warnings(orders)


def _warnings(warnings: Iterable[str]) -> str:
    return "".join(f'<p class="pd-warning" dir="auto">⚠ {html_text(said(told))}</p>' for told in warnings)


def _doubts(result: EvalResult, doubts: tuple[Doubt, ...], everything: bool) -> str:
    shown = doubts if everything else doubts[:_SHOWN_DOUBTS]
    rows = "".join(_doubt(doubt, everything) for doubt in shown)
    if len(shown) < len(doubts):
        more = t("… and {n} more; show all below.", n=len(doubts) - len(shown))
        rows += f'<p class="pd-quiet">{more}</p>'
    noted = _noted(result)
    listed = noted if everything else noted[:_SHOWN_DOUBTS]
    rows += "".join(_row("•", sentence, "", everything) for sentence in listed)
    if len(listed) < len(noted):
        more = t("… and {n} more with findings; show all below.", n=len(noted) - len(listed))
        rows += f'<p class="pd-quiet">{more}</p>'
    unmeasured = [s for s in result.sentences if s.status is SentenceStatus.UNMEASURED]
    if unmeasured:
        told = t(
            "{n} of {total} sentences could not be measured: {reason}.",
            n=len(unmeasured),
            total=len(result.sentences),
            reason=html_text(said(unmeasured[0].reason or t("no reason given"))),
        )
        rows += f'<p class="pd-quiet" dir="auto">{told}</p>'
    silent = sum(s.status is SentenceStatus.NOT_A_CLAIM for s in result.sentences)
    if silent:
        told = t(
            "{n} of {total} sentences claim nothing about the world and were not judged.",
            n=silent,
            total=len(result.sentences),
        )
        rows += f'<p class="pd-quiet">{told}</p>'
    if not doubts and not noted and not unmeasured:
        rows += f'<p class="pd-quiet">{t("No sentence is marked: each has its support in the contexts.")}</p>'
    count = t(" · {n} of {total} sentences", n=len(doubts), total=len(result.sentences)) if doubts else ""
    return (
        f'<details class="pd-doubts"{" open" if everything else ""}><summary>'
        f"<b>{t('Doubtful sentences')}{count}</b></summary>{rows}</details>"
    )


def _noted(result: EvalResult) -> list[SentenceVerdict]:
    """Sentences the gate trusts as a whole and in which something stands that the contexts do not hold."""
    return [s for s in result.sentences if s.findings and s.status is not SentenceStatus.LOW_CONFIDENCE]


def _doubt(doubt: Doubt, everything: bool) -> str:
    sentence, evidence = doubt.sentence, doubt.evidence
    best = f'<span class="pd-quiet">{t("no evidence found in any passage")}</span>'
    if evidence is not None:
        best = (
            f'<span class="pd-quiet">{t("passage {n}", n=evidence.passage + 1)}</span> '
            f'<span class="pd-quote" dir="auto">{html_text(first_words(evidence.text, 400))}</span>'
        )
    return _row(f"▲{doubt.number}", sentence, f'<div class="pd-best">{best}</div>', everything)


def _row(sign: str, sentence: SentenceVerdict, best: str, everything: bool) -> str:
    support = "–" if sentence.support is None else f"{sentence.support:.2f}"
    return (
        f'<div class="pd-doubt"><span class="pd-sign">{sign}</span>'
        f'<div><div dir="auto">{html_text(first_words(sentence.text, 400))}</div>'
        f"{_findings(sentence, everything)}{best}</div>"
        f'<span class="pd-number" title="{t("support, 0 to 1")}">{support}</span></div>'
    )


def _findings(sentence: SentenceVerdict, everything: bool) -> str:
    messages = list(dict.fromkeys(said(finding.message) for finding in sentence.findings))
    shown = messages if everything else messages[:_SHOWN_FINDINGS]
    rows = "".join(f'<li dir="auto">{html_text(first_words(message, 300))}</li>' for message in shown)
    if len(shown) < len(messages):
        rows += f'<li class="pd-quiet">{t("{n} more; show all below.", n=len(messages) - len(shown))}</li>'
    return f'<ul class="pd-findings">{rows}</ul>' if rows else ""


def _contexts(
    contexts: tuple[str, ...], doubts: tuple[Doubt, ...], limit: int | None, current: Evidence | None
) -> str:
    if not contexts:
        none = f'<p class="pd-quiet">{t("Nothing was retrieved.")}</p>'
        return f"<section><h2>{t('Contexts')}</h2>{none}</section>"
    shown = contexts if limit is None else contexts[:_SHOWN_PASSAGES]
    all_open = sum(map(len, contexts)) <= _OPEN_TOGETHER
    rows = ""
    for index, passage in enumerate(shown):
        numbers = highlight.evidence_numbers(index, doubts)
        signs = "".join(f'<span class="pd-sign">▲{number}</span>' for number in numbers[:_SHOWN_DOUBTS])
        wanted = numbers or (current is not None and current.passage == index)
        is_open = " open" if all_open or (wanted and len(passage) <= SHOWN_CHARACTERS) else ""
        body = highlight.passage_html(passage, index, doubts, limit=limit, current=current)
        size = tn("{n} character", "{n} characters", len(passage))
        body = body or _blank(t("(empty passage)"))
        rows += (
            f'<details class="pd-passage"{is_open}><summary><b>{t("Passage {n}", n=index + 1)}</b> {signs} '
            f'<span class="pd-quiet pd-preview" dir="auto">{html_text(first_words(passage, 90))}</span>'
            f'<span class="pd-quiet pd-size">{size}</span></summary>'
            f'<div class="pd-text" dir="auto">{body}</div></details>'
        )
    if len(shown) < len(contexts):
        more = t("… and {n} more passages; show all below.", n=len(contexts) - len(shown))
        rows += f'<p class="pd-quiet">{more}</p>'
    return f"<section><h2>{t('Contexts')} · {len(contexts)}</h2>{rows}</section>"


def _origin(stored: StoredResult) -> str:
    run, fingerprint = stored.run, stored.result.fingerprint
    profile = t("profile {name}", name=html_text(fingerprint.profile))
    return (
        f'<p class="pd-quiet pd-small pd-origin" dir="auto">{t("Run")} {html_text(run.name)} · {t("stored")} '
        f"{stored.created_at:%Y-%m-%d %H:%M} UTC · {profile} · {t('fingerprint')} "
        f"<code>{html_text(fingerprint.id)}</code> · {t('result')} #{stored.id}</p>"
    )


def _blank(what: str) -> str:
    return f'<span class="pd-quiet">{what}</span>'
