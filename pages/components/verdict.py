"""The reviewer's word on the open item. A late or double click can neither label twice nor another item."""

from __future__ import annotations

import time
from dataclasses import dataclass

import streamlit as st

from evalcore.errors import StoreError
from pages.components import connection, desk, escape
from workflows import review
from workflows.review import Cursor, LabelRow, LabelVerdict, ReviewerRow, StoredResult
from workflows.store import Store

SETTLE_SECONDS = 0.6
"""A verdict sooner than this after its item appeared is half of a double click, not a judgement."""

_FORM = "verdict-form"
_UNSAVED = "verdict-unsaved"
_BUTTONS: tuple[tuple[LabelVerdict, str, str], ...] = (
    ("accept", "Accept", "1"),
    ("reject", "Reject", "2"),
    ("unsure", "Unsure", "3"),
)


@dataclass(frozen=True, kw_only=True)
class Form:
    """What one drawn form is about. The token makes a second sending of it harmless."""

    result_id: int
    sample_id: str
    place: Cursor
    reviewer_id: int
    replaces: int | None
    token: str
    drawn: float


@dataclass(frozen=True)
class Unsaved:
    """A verdict the store refused."""

    result_id: int
    verdict: LabelVerdict
    error: StoreError


def draw(store: Store, stored: StoredResult, reviewer: ReviewerRow) -> None:
    """Draw the form, the label to change if there is one, and then, only then, what others said."""
    labels = review.current_labels(stored)
    mine = next((label for label in labels if label.reviewer_id == reviewer.id), None)
    form = _form(stored, reviewer, mine)
    if mine is not None:
        st.html(f'<div class="pd-mine"><b>Your label</b>{_label_html(mine)}</div>')
    with st.form(f"verdict-{stored.id}", border=False, enter_to_submit=False):
        types = review.known_failure_types(store)
        kind = mine.failure_type if mine else None
        # Never preset to the gate's own type: the reviewer's word has to be theirs.
        listed = types if kind is None or kind in types else (*types, kind)
        st.selectbox(
            "Failure type (optional)",
            listed,
            index=None if kind is None else listed.index(kind),
            format_func=lambda name: escape.first_words(escape.words(name), 60),
            placeholder="None",
            key=f"type-{stored.id}",
        )
        st.text_area(
            "Note (optional)",
            value=mine.note if mine else "",
            height=76,
            max_chars=20_000,
            key=f"note-{stored.id}",
        )
        for verdict, label, key in _BUTTONS:
            st.form_submit_button(
                f"Change to {verdict}" if mine else label,
                key=f"{verdict}-{stored.id}",
                shortcut=key,
                width="stretch",
                on_click=_save,
                args=(store, form, verdict),
            )
    _draw_unsaved(store, form)
    if mine is not None:
        others = "".join(_label_html(label, label.reviewer) for label in labels if label is not mine)
        none = '<p class="pd-quiet">Nobody else has labelled this.</p>'
        st.html(f'<div class="pd-others"><b>Others</b>{others or none}</div>')


def draw_steps(stored: StoredResult) -> None:
    """Draw the way to the item before and to the next, and the keys."""
    with st.container(key="steps", horizontal=True, gap="small"):
        st.button(
            "Back",
            key="back",
            shortcut="K",
            width="stretch",
            disabled=not desk.can_go_back(),
            on_click=desk.back,
        )
        st.button(
            "Skip",
            key="skip",
            shortcut="J",
            width="stretch",
            on_click=desk.go_on,
            args=(review.place_of(stored),),
        )
    st.html(
        '<p class="pd-quiet pd-small">Keys: <kbd>1</kbd> accept, <kbd>2</kbd> reject, <kbd>3</kbd> unsure, '
        "<kbd>J</kbd> skip, <kbd>K</kbd> back. They rest while you type. "
        "Labels of others show after yours.</p>"
    )


def _form(stored: StoredResult, reviewer: ReviewerRow, mine: LabelRow | None) -> Form:
    replaces = mine.id if mine else None
    drawn: Form | None = st.session_state.get(_FORM)
    if drawn is not None:
        same = (drawn.result_id, drawn.reviewer_id, drawn.replaces) == (stored.id, reviewer.id, replaces)
        if same:
            return drawn
    form = Form(
        result_id=stored.id,
        sample_id=stored.sample.id,
        place=review.place_of(stored),
        reviewer_id=reviewer.id,
        replaces=replaces,
        token=review.new_token(),
        drawn=time.monotonic(),
    )
    st.session_state[_FORM] = form
    return form


def _save(store: Store, form: Form, verdict: LabelVerdict) -> None:
    if time.monotonic() - form.drawn < SETTLE_SECONDS:
        desk.say("Not saved: the item had only just appeared. Press again if you meant this one.")
        return
    note = str(st.session_state.get(f"note-{form.result_id}") or "")
    try:
        label = review.add_label(
            store,
            result_id=form.result_id,
            reviewer_id=form.reviewer_id,
            verdict=verdict,
            failure_type=st.session_state.get(f"type-{form.result_id}"),
            note=note.strip(),
            token=form.token,
            replaces=form.replaces,
            seen="gate" if form.replaces is None else "all",
        )
    except StoreError as error:
        st.session_state[_UNSAVED] = Unsaved(form.result_id, verdict, error)
        return
    st.session_state.pop(_UNSAVED, None)
    said = "Changed" if form.replaces is not None else "Saved"
    if label.verdict != verdict:
        said = "Saved before"
    desk.say(f"{said}: {label.verdict}, {escape.first_words(form.sample_id, 60)}")
    if desk.opened() == form.result_id:
        st.session_state.pop(_FORM, None)
        desk.go_on(form.place)


def _draw_unsaved(store: Store, form: Form) -> None:
    unsaved: Unsaved | None = st.session_state.get(_UNSAVED)
    if unsaved is None or unsaved.result_id != form.result_id:
        return
    st.error(f"{connection.message(unsaved.error)}  \nYour note is still here.")
    st.button(
        f"Try again: {unsaved.verdict}",
        key=f"retry-{form.result_id}",
        width="stretch",
        on_click=_save,
        args=(store, form, unsaved.verdict),
    )


def _label_html(label: LabelRow, who: str | None = None) -> str:
    name = f'<b dir="auto">{escape.html_text(who)}</b>: ' if who else ""
    kind = f" · {escape.html_text(escape.words(label.failure_type))}" if label.failure_type else ""
    note = escape.html_text(escape.first_words(label.note, 600))
    shown_note = f'<div class="pd-note" dir="auto">{note}</div>' if note else ""
    return (
        f'<div class="pd-label">{name}{label.verdict}{kind} '
        f'<span class="pd-quiet">{label.created_at:%Y-%m-%d %H:%M} UTC</span>{shown_note}</div>'
    )
