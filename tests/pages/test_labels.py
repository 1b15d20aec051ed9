"""The page of labels and reviewers."""

from __future__ import annotations

import pytest

from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of, sign_in, toasts
from workflows import claims, review, rights
from workflows.store import Store


@pytest.fixture
def lead(store: Store) -> str:
    """Ada, who signs in first and leads."""
    assert review.sign_in(store, "Ada").role == "lead"
    return "Ada"


def test_a_lead_sees_every_label_and_searches_them(store: Store, open_page: OpenPage, lead: str) -> None:
    test = sign_in(open_page("labels"), lead)
    assert "47 labels" in html_of(test)
    assert "Demo: Irina" in html_of(test)

    test.text_input(key="labels-text").set_value("Room 114").run()
    assert "1 label<" in html_of(test)
    test.text_input(key="labels-text").set_value("no such words").run()
    assert "No labels" in html_of(test)


def test_who_is_no_lead_sees_their_own_while_the_queue_is_blind(
    store: Store, open_page: OpenPage, lead: str
) -> None:
    test = sign_in(open_page("labels"), "Demo: Tom")
    shown = html_of(test)
    assert "Demo: Tom" in shown
    assert "Demo: Irina" not in shown
    assert "Only a lead sees the figures of others" in shown
    assert "role-save" not in [button.key for button in test.button]

    claims.change_settings(store, review.sign_in(store, lead).id, blind=False)
    assert "Demo: Irina" in html_of(sign_in(open_page("labels"), "Demo: Tom"))


def test_hostile_notes_stay_text(store: Store, open_page: OpenPage, lead: str) -> None:
    ada = review.sign_in(store, lead)
    review.add_label(
        store, result_id=1, reviewer_id=ada.id, verdict="unsure", note="<img src=x onerror=alert(1)>"
    )
    shown = html_of(sign_in(open_page("labels"), lead))

    assert "&lt;img src=x onerror=alert(1)&gt;" in shown
    assert "<img" not in shown


def test_a_lead_changes_roles_and_the_last_lead_stays(store: Store, open_page: OpenPage, lead: str) -> None:
    test = sign_in(open_page("labels"), lead)
    tom = next(row for row in review.reviewers(store) if row.name == "Demo: Tom")
    test.selectbox(key="role-of").set_value(tom.id)
    test.selectbox(key="role-new").set_value("lead")
    test.button(key="role-save").click().run()

    assert "is now lead" in toasts(test)[0]
    assert rights.need_lead(store, tom.id).name == "Demo: Tom"
    rights.set_role(store, tom.id, review.sign_in(store, lead).id, "reviewer")
    again = sign_in(open_page("labels"), "Demo: Tom")
    again.selectbox(key="role-of").set_value(tom.id)
    again.button(key="role-save").click().run()
    assert "Somebody has to be a lead" in again.error[0].value
