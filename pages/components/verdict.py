"""The reviewer's word on the open item. A late or double click can neither label twice nor another item."""

from __future__ import annotations

import time
from dataclasses import dataclass

import streamlit as st

from evalcore.errors import StoreError
from pages.components import connection, desk, escape, sentence_desk
from pages.components.desk import Opened
from pages.components.language import N_, named, said, shown_as, t
from workflows import claims, labels, review
from workflows.review import Cursor, LabelRow, LabelVerdict, ReviewerRow, StoredResult
from workflows.store import Store

SETTLE_SECONDS = 0.6
"""A verdict sooner than this after its item appeared is half of a double click, not a judgement."""
NOTE_LENGTH = 20_000
ANSWER_LENGTH = 100_000

_FORM = "verdict-form"
_UNSAVED = "verdict-unsaved"
_AT_ONCE = "go-on-at-once"
_BUTTONS: tuple[tuple[LabelVerdict, str, str], ...] = (
    ("accept", N_("Accept"), "1"),
    ("reject", N_("Reject"), "2"),
    ("unsure", N_("Unsure"), "3"),
)
_CHANGES = {
    "accept": N_("Change to accept"),
    "reject": N_("Change to reject"),
    "unsure": N_("Change to unsure"),
}
_FIELDS = {"failure_type": "type", "corrected_answer": "fix", "note": "note"}


@dataclass(frozen=True, kw_only=True)
class Form:
    """What one drawn form is about. The token makes a second sending of it harmless."""

    result_id: int
    sample_id: str
    place: Cursor
    reviewer_id: int
    replaces: int | None
    token: str
    seen: labels.Seen
    drawn: float


@dataclass(frozen=True)
class Unsaved:
    """A verdict the store refused."""

    result_id: int
    verdict: LabelVerdict
    error: StoreError


def draw(store: Store, opened: Opened, reviewer: ReviewerRow) -> None:
    """Draw the form, the label to change if there is one, and then, only then, what others said."""
    if opened.taken:
        taken = said(opened.taken)
        st.info(f"{taken[:1].upper()}{taken[1:]}. {t('You can read it; a label of yours is not needed.')}")
        return
    stored, mine = opened.stored, opened.mine
    if mine is None and opened.claim is None:
        enough = t("It has the labels it needs; yours would be one more.")
        st.html(f'<p class="pd-quiet pd-small">{enough}</p>')
    form = _form(opened, reviewer)
    _restore(store, form, mine or _taken_back(stored, reviewer))
    if mine is not None:
        st.html(f'<div class="pd-mine"><b>{t("Your label")}</b>{label_html(mine)}</div>')
    chosen: LabelVerdict | None = st.session_state.get(f"chosen-{stored.id}")
    for verdict, label, key in _BUTTONS:
        st.button(
            t(_CHANGES[verdict]) if mine else t(label),
            key=f"{verdict}-{stored.id}",
            shortcut=key,
            width="stretch",
            type="primary" if chosen == verdict else "secondary",
            on_click=_decide,
            args=(store, form, verdict),
        )
    types = review.known_failure_types(store)
    kind = st.session_state.get(f"type-{stored.id}")
    st.selectbox(
        t("Failure type (optional)"),
        # Never preset to the gate's own type: the reviewer's word has to be theirs.
        types if kind is None or kind in types else (*types, kind),
        index=None,
        format_func=shown_as(types, lambda name: escape.first_words(named(name), 60)),
        placeholder=t("None"),
        key=f"type-{stored.id}",
        on_change=_keep_draft,
        args=(store, form),
    )
    st.text_area(
        t("Note (optional)"),
        height=76,
        max_chars=NOTE_LENGTH,
        key=f"note-{stored.id}",
        on_change=_keep_draft,
        args=(store, form),
    )
    with st.expander(t("Corrected answer"), expanded=bool(st.session_state.get(f"fix-{stored.id}"))):
        st.text_area(
            t("Corrected answer"),
            height=140,
            max_chars=ANSWER_LENGTH,
            placeholder=t("What the answer should have said"),
            label_visibility="collapsed",
            key=f"fix-{stored.id}",
            on_change=_keep_draft,
            args=(store, form),
        )
    st.button(
        t("Save and next"),
        key="save-next",
        shortcut="Ctrl+Enter",
        width="stretch",
        on_click=_save_chosen,
        args=(store, form),
        help=t("Ctrl+Enter, also while you type"),
    )
    st.toggle(
        t("1, 2, 3 save at once"),
        value=st.session_state.get(_AT_ONCE, True),
        key="toggle-at-once",
        on_change=_set_at_once,
        help=t("Off: a digit chooses, and Ctrl+Enter saves and goes on."),
    )
    _draw_unsaved(store, form)
    if mine is not None:
        current = review.current_labels(stored)
        others = "".join(label_html(row, row.reviewer) for row in current if row.id != mine.id)
        none = f'<p class="pd-quiet">{t("Nobody else has labelled this.")}</p>'
        st.html(f'<div class="pd-others"><b>{t("Others")}</b>{others or none}</div>')


def draw_steps(store: Store, opened: Opened | None, reviewer: ReviewerRow) -> None:
    """Draw the way to the item before and to the next, undo, decline and the keys."""
    with st.container(key="steps", horizontal=True, gap="small"):
        st.button(
            t("Back"),
            key="back",
            shortcut="Left",
            width="stretch",
            disabled=not desk.can_go_back(),
            on_click=desk.back,
        )
        if opened is not None:
            st.button(
                t("Skip"), key="skip", shortcut="Right", width="stretch", on_click=_skip,
                args=(store, opened, reviewer, "skip"),
            )  # fmt: skip
    with st.container(key="more-steps", horizontal=True, gap="small"):
        st.button(
            t("Undo"), key="undo", shortcut="Ctrl+Z", type="tertiary", on_click=_undo, args=(store, reviewer),
            help=t("Takes back your last label. Nothing is lost: the history keeps both."),
        )  # fmt: skip
        if opened is not None and opened.claim is not None:
            st.button(
                t("Decline"), key="decline", type="tertiary", on_click=_skip,
                args=(store, opened, reviewer, "decline"),
                help=t("Not for you to judge: it is not given to you again. A note becomes the reason."),
            )  # fmt: skip
        if st.button(t("Keys"), key="help-keys", type="tertiary"):
            st.dialog(t("Keys"))(_keys)()


def _keys() -> None:
    rows = (
        ("1 · 2 · 3", t("accept, reject, unsure; saves and goes on")),
        ("Ctrl+Enter", t("save and next, also while you type")),
        ("Ctrl+Z", t("take back your last label")),
        ("← · →", t("back, skip (K and J too)")),
        ("↑ · ↓", t("sentence before, sentence after")),
        ("S · U · N", t("the sentence is supported, unsupported, not a claim")),
        ("F", t("failure type: type its beginning, Enter takes it")),
        ("/ · ?", t("search, this help")),
    )
    st.html(
        '<table class="pd-table">'
        + "".join(f"<tr><td><kbd>{key}</kbd></td><td>{what}</td></tr>" for key, what in rows)
        + '</table><p class="pd-quiet">'
        + t("Keys rest while you type, while a page loads and while this is open.")
        + " "
        + t("Labels of others and the gate's verdict show after yours.")
        + "</p>"
    )


def label_html(label: LabelRow, who: str | None = None) -> str:
    """A label in two lines, escaped."""
    name = f'<b dir="auto">{escape.html_text(who)}</b>: ' if who else ""
    kind = f" · {escape.html_text(named(label.failure_type))}" if label.failure_type else ""
    after = f" · {t('after the reveal')}" if label.after_reveal else ""
    note = escape.html_text(escape.first_words(label.note, 600))
    shown_note = f'<div class="pd-note" dir="auto">{note}</div>' if note else ""
    fixed = escape.html_text(escape.first_words(label.corrected_answer or "", 600))
    shown_fix = f'<div class="pd-note" dir="auto">{t("Corrected:")} {fixed}</div>' if fixed else ""
    return (
        f'<div class="pd-label">{name}{named(label.verdict)}{kind} '
        f'<span class="pd-quiet">{label.created_at:%Y-%m-%d %H:%M} UTC{after}</span>'
        f"{shown_note}{shown_fix}</div>"
    )


def _form(opened: Opened, reviewer: ReviewerRow) -> Form:
    stored, mine = opened.stored, opened.mine
    replaces = mine.id if mine else None
    token = opened.claim.token if opened.claim else None
    drawn: Form | None = st.session_state.get(_FORM)
    if drawn is not None:
        same = (drawn.result_id, drawn.reviewer_id, drawn.replaces) == (stored.id, reviewer.id, replaces)
        if same and token in (None, drawn.token):
            return drawn
    form = Form(
        result_id=stored.id,
        sample_id=stored.sample.id,
        place=review.place_of(stored),
        reviewer_id=reviewer.id,
        replaces=replaces,
        token=token or review.new_token(),
        seen=opened.seen,
        drawn=time.monotonic(),
    )
    st.session_state[_FORM] = form
    return form


def _taken_back(stored: StoredResult, reviewer: ReviewerRow) -> LabelRow | None:
    """The reviewer's last label here that they took back: its words are where they go on from."""
    rows = [row for row in stored.labels if row.reviewer_id == reviewer.id and not row.is_withdrawn]
    return rows[-1] if rows else None


def _restore(store: Store, form: Form, mine: LabelRow | None) -> None:
    """Fill the fields with what was typed and never sent, else with the label that is to be changed."""
    names = {field: f"{short}-{form.result_id}" for field, short in _FIELDS.items()}
    if all(key in st.session_state for key in names.values()):
        return
    kept = claims.draft(store, form.result_id, form.reviewer_id)
    for field, key in names.items():
        before = (getattr(mine, field) if mine else None) or None
        value = kept.get(field) or before
        st.session_state.setdefault(key, value if field == "failure_type" else value or "")
    sentence_desk.restore(form.result_id, kept)


def _fields(form: Form) -> dict[str, str | None]:
    found = {
        field: st.session_state.get(f"{short}-{form.result_id}") or None for field, short in _FIELDS.items()
    }
    return {**found, **sentence_desk.fields(form.result_id)}


def _keep_draft(store: Store, form: Form) -> None:
    try:
        claims.keep_draft(store, form.result_id, form.reviewer_id, _fields(form))
    except StoreError as error:
        desk.say(t("What you typed could not be kept yet: {what}", what=said(error.what)))


def _decide(store: Store, form: Form, verdict: LabelVerdict) -> None:
    if st.session_state.get(_AT_ONCE, True):
        _save(store, form, verdict)
    else:
        st.session_state[f"chosen-{form.result_id}"] = verdict


def _set_at_once() -> None:
    st.session_state[_AT_ONCE] = st.session_state["toggle-at-once"]


def _save_chosen(store: Store, form: Form) -> None:
    chosen: LabelVerdict | None = st.session_state.get(f"chosen-{form.result_id}")
    if chosen is None:
        desk.say(t("Choose a verdict first: 1, 2 or 3."))
        return
    _save(store, form, chosen)


def _save(store: Store, form: Form, verdict: LabelVerdict) -> None:
    if time.monotonic() - form.drawn < SETTLE_SECONDS:
        desk.say(t("Not saved: the item had only just appeared. Press again if you meant this one."))
        return
    typed = _fields(form)
    try:
        label = labels.save_label(
            store,
            result_id=form.result_id,
            reviewer_id=form.reviewer_id,
            verdict=verdict,
            failure_type=typed["failure_type"],
            note=(typed["note"] or "").strip(),
            corrected_answer=(typed["corrected_answer"] or "").strip() or None,
            token=form.token,
            replaces=form.replaces,
            seen=form.seen,
            sentences=sentence_desk.verdicts(form.result_id),
        )
    except StoreError as error:
        st.session_state[_UNSAVED] = Unsaved(form.result_id, verdict, error)
        return
    st.session_state.pop(_UNSAVED, None)
    st.session_state.pop(f"chosen-{form.result_id}", None)
    told = t("Changed") if form.replaces is not None else t("Saved")
    if label.verdict != verdict:
        told = t("Saved before")
    desk.say(f"{told}: {named(label.verdict)}, {escape.first_words(form.sample_id, 60)}")
    if desk.opened() == form.result_id:
        st.session_state.pop(_FORM, None)
        desk.go_on(form.place)


def _skip(store: Store, opened: Opened, reviewer: ReviewerRow, kind: claims.SkipKind) -> None:
    stored = opened.stored
    if opened.claim is not None:
        note = str(st.session_state.get(f"note-{stored.id}") or "").strip()
        try:
            claims.skip(store, stored.id, reviewer.id, kind=kind, reason=note)
        except StoreError as error:
            desk.say(said(error.what))
            return
    desk.go_on(review.place_of(stored))


def _undo(store: Store, reviewer: ReviewerRow) -> None:
    try:
        undone = labels.undo_last(store, reviewer.id, token=review.new_token())
    except StoreError as error:
        desk.say(said(error.what))
        return
    if undone is None:
        desk.say(t("You have no label left to take back."))
        return
    st.session_state.pop(_FORM, None)
    desk.open_item(undone.result_id)
    back_to = t("Back to: {verdict}", verdict=named(undone.verdict))
    desk.say(t("Taken back. Your label is withdrawn.") if undone.is_withdrawn else back_to)


def _draw_unsaved(store: Store, form: Form) -> None:
    unsaved: Unsaved | None = st.session_state.get(_UNSAVED)
    if unsaved is None or unsaved.result_id != form.result_id:
        return
    st.error(f"{connection.message(unsaved.error)}  \n{t('Your note is still here.')}")
    st.button(
        t("Try again: {verdict}", verdict=named(unsaved.verdict)),
        key=f"retry-{form.result_id}",
        width="stretch",
        on_click=_save,
        args=(store, form, unsaved.verdict),
    )
