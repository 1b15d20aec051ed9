"""One sentence at a time: which is looked at, its evidence, and the reviewer's word on it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from evalcore.errors import StoreError
from evalcore.result import SentenceVerdict as Judged
from pages.components import desk, highlight
from pages.components.desk import Opened
from pages.components.escape import first_words, html_text
from pages.components.language import N_, said, t
from workflows import claims
from workflows.labels import SentenceVerdict
from workflows.review import ReviewerRow
from workflows.store import Store

NAMES: dict[SentenceVerdict, str] = {
    "supported": N_("Supported"),
    "unsupported": N_("Unsupported"),
    "not_a_claim": N_("Not a claim"),
}
_KEYS: dict[SentenceVerdict, str] = {"supported": "S", "unsupported": "U", "not_a_claim": "N"}
_SIGNS: dict[str, str] = {"supported": "✓", "unsupported": "✗", "not_a_claim": "–"}


def current(opened: Opened) -> int | None:
    """The index of the sentence that is looked at; the first doubtful one to begin with, if marks show."""
    sentences = opened.stored.result.sentences
    if not sentences:
        return None
    place: int | None = st.session_state.get(_place(opened.stored.id))
    if place is None:
        doubts = highlight.doubts_of(sentences) if opened.shows_marks else ()
        place = doubts[0].sentence.index if doubts else sentences[0].index
    return place if any(s.index == place for s in sentences) else sentences[0].index


def pick(result_id: int, index: int) -> None:
    """Look at this sentence."""
    st.session_state[_place(result_id)] = index


def verdicts(result_id: int) -> dict[int, SentenceVerdict]:
    """The reviewer's words on single sentences so far, by the sentence's index."""
    found: dict[int, SentenceVerdict] = st.session_state.get(_words(result_id), {})
    return found


def fields(result_id: int) -> dict[str, str | None]:
    """The same as fields of a draft."""
    return {f"sentence-{index}": word for index, word in verdicts(result_id).items()}


def restore(result_id: int, kept: Mapping[str, str | None]) -> None:
    """Take the words on sentences from a draft, unless there are some already."""
    if _words(result_id) in st.session_state:
        return
    found: dict[int, SentenceVerdict] = {}
    for name, word in kept.items():
        index = name.removeprefix("sentence-")
        if name != index and index.isdigit() and word in NAMES:
            found[int(index)] = next(known for known in NAMES if known == word)
    st.session_state[_words(result_id)] = found


def draw(store: Store, opened: Opened, reviewer: ReviewerRow) -> None:
    """Draw the sentence that is looked at, why it is marked, its best evidence, and the buttons."""
    place = current(opened)
    sentences = opened.stored.result.sentences
    if place is None:
        return
    at = next(number for number, s in enumerate(sentences) if s.index == place)
    sentence, result_id = sentences[at], opened.stored.id
    word = verdicts(result_id).get(place)
    with st.container(key="sentence-desk", gap="xsmall"):
        st.html(_card(sentence, at, len(sentences), word, opened))
        if opened.taken:
            return
        with st.container(horizontal=True, gap="xsmall", key="sentence-buttons"):
            st.button(
                "↑", key="sentence-before", shortcut="Up", disabled=at == 0, on_click=pick,
                args=(result_id, sentences[max(at - 1, 0)].index), help=t("The sentence before"),
            )  # fmt: skip
            st.button(
                "↓", key="sentence-after", shortcut="Down", disabled=at + 1 == len(sentences), on_click=pick,
                args=(result_id, sentences[min(at + 1, len(sentences) - 1)].index),
                help=t("The sentence after"),
            )  # fmt: skip
            for name, label in NAMES.items():
                st.button(
                    t(label),
                    key=f"sentence-{name}",
                    shortcut=_KEYS[name],
                    type="primary" if word == name else "secondary",
                    on_click=_judge,
                    args=(
                        store,
                        reviewer,
                        result_id,
                        place,
                        name,
                        sentences[min(at + 1, len(sentences) - 1)].index,
                    ),
                )


def _judge(
    store: Store, reviewer: ReviewerRow, result_id: int, index: int, word: SentenceVerdict, following: int
) -> None:
    """Say it, or take it back if it was said already, and look at the sentence after."""
    given = dict(verdicts(result_id))
    if given.get(index) == word:
        del given[index]
    else:
        given[index] = word
        pick(result_id, following)
    st.session_state[_words(result_id)] = given
    kept = {
        n: v for n, v in claims.draft(store, result_id, reviewer.id).items() if not n.startswith("sentence-")
    }
    try:
        claims.keep_draft(store, result_id, reviewer.id, {**kept, **fields(result_id)})
    except StoreError as error:
        desk.say(t("Your word on the sentence could not be kept yet: {what}", what=said(error.what)))


def _card(sentence: Judged, at: int, n: int, word: SentenceVerdict | None, opened: Opened) -> str:
    given = f" · <b>{_SIGNS[word]} {t(NAMES[word]).lower()}, {t('by you')}</b>" if word else ""
    place = t("Sentence {at} of {n}", at=at + 1, n=n)
    head = f'<div class="pd-quiet pd-small">{place}{given}</div>'
    text = f'<div dir="auto" class="pd-current-text">{html_text(first_words(sentence.text, 600))}</div>'
    if not opened.shows_marks:
        return f'<div class="pd-card">{head}{text}</div>'
    why = html_text(highlight.support_text(sentence))
    found = list(dict.fromkeys(said(finding.message) for finding in sentence.findings))[:6]
    rows = "".join(f'<li dir="auto">{html_text(first_words(message, 300))}</li>' for message in found)
    listed = f'<ul class="pd-findings">{rows}</ul>' if rows else ""
    quote = ""
    if sentence.evidence:
        best = sentence.evidence[0]
        which = t("Best evidence, passage {n}:", n=best.passage + 1)
        quote = (
            f'<div class="pd-best"><span class="pd-quiet">{which}</span> '
            f'<span class="pd-quote" dir="auto">{html_text(first_words(best.text, 500))}</span></div>'
        )
    return f'<div class="pd-card">{head}{text}<div class="pd-small pd-quiet">{why}</div>{listed}{quote}</div>'


def _place(result_id: int) -> str:
    return f"sentence-at-{result_id}"


def _words(result_id: int) -> str:
    return f"sentence-words-{result_id}"
