from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.evaluator import Evaluator
from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of, opened_item, parameter, press, sign_in, toasts
from workflows import review
from workflows.evaluate import evaluate_file
from workflows.store import Store, open_store


def number_of(store: Store, sample_id: str) -> int:
    return review.find_results(store, sample_id)[0].id


def labels_of(store: Store, sample_id: str, name: str = "Ada") -> list[str]:
    stored = review.item(store, number_of(store, sample_id))
    return [label.verdict for label in stored.labels if label.reviewer == name]


@pytest.fixture
def desk(store: Store, open_page: OpenPage) -> AppTest:
    return sign_in(open_page("queue"))


def test_the_name_is_asked_first_and_once(store: Store, open_page: OpenPage) -> None:
    test = open_page("queue")
    assert "Who is reviewing?" in html_of(test)
    assert not test.selectbox

    sign_in(test)
    assert parameter(test, "reviewer") == "Ada"
    again = open_page("queue", reviewer="ada")

    assert "16 of 64" in html_of(again)
    assert [row.name for row in review.reviewers(store)].count("Ada") == 1


def test_a_blank_name_is_refused_plainly(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("queue"), "   ")

    assert "needs a name" in test.error[0].value


def test_a_link_with_an_unknown_name_makes_no_reviewer(store: Store, open_page: OpenPage) -> None:
    test = open_page("queue", reviewer="Mallory")

    assert test.text_input(key="sign-in-name").value == "Mallory"
    assert "Mallory" not in [row.name for row in review.reviewers(store)]


def test_not_you_asks_again(desk: AppTest) -> None:
    desk.button(key="not-you").click().run()

    assert "Who is reviewing?" in html_of(desk)
    assert "reviewer" not in desk.query_params


def test_the_newest_and_riskiest_item_opens(store: Store, desk: AppTest) -> None:
    assert opened_item(desk) == number_of(store, "lib-019")
    assert not desk.exception
    shown = html_of(desk)
    assert "Doubtful sentences · 1 of 2" in shown
    assert (
        "the gate&#x27;s verdict shows after yours" in shown
        or "the gate's verdict shows after yours" in shown
    )
    assert "wrong-number" not in shown

    press(desk, "reject")
    desk.button(key="back").click().run()
    shown = html_of(desk)
    assert "wrong-number" in shown
    assert "no answer function was given" in shown


def test_a_label_is_stored_and_the_next_item_opens(store: Store, desk: AppTest) -> None:
    item = opened_item(desk)
    desk.text_area(key=f"note-{item}").set_value("the printer is not covered")
    desk.selectbox(key=f"type-{item}").set_value("hallucination")
    press(desk, "reject")

    label = review.item(store, item).labels[0]
    assert (label.verdict, label.failure_type, label.note, label.seen) == (
        "reject",
        "hallucination",
        "the printer is not covered",
        "marks",
    )
    assert opened_item(desk) == number_of(store, "hr-018")
    assert "<b>17 of 64</b> labelled, <b>1</b> by you" in html_of(desk)
    assert toasts(desk)[0].replace("\\", "") == "Saved: reject, lib-019"


def test_the_same_form_sent_twice_labels_once(store: Store, desk: AppTest) -> None:
    form = desk.session_state["verdict-form"]
    press(desk, "reject")
    again = review.add_label(
        store,
        result_id=form.result_id,
        reviewer_id=form.reviewer_id,
        verdict="accept",
        token=form.token,
    )

    assert again.verdict == "reject"
    assert labels_of(store, "lib-019") == ["reject"]
    # The button of a form that is no longer drawn is gone: a late click reaches nothing.
    with pytest.raises(KeyError):
        desk.button(key=f"accept-{form.result_id}")
    assert desk.session_state["verdict-form"].token != form.token


def test_a_click_right_after_the_item_appeared_is_no_verdict(store: Store, desk: AppTest) -> None:
    press(desk, "reject")
    second = opened_item(desk)
    desk.button(key=f"reject-{second}").click().run()

    assert labels_of(store, "hr-018") == []
    assert opened_item(desk) == second
    assert "only just appeared" in toasts(desk)[0]


def test_a_refused_label_keeps_the_note_and_offers_a_retry(store: Store, desk: AppTest) -> None:
    item = opened_item(desk)
    ada = next(row for row in review.reviewers(store) if row.name == "Ada")
    review.add_label(store, result_id=item, reviewer_id=ada.id, verdict="accept")
    desk.text_area(key=f"note-{item}").set_value("in another window")
    press(desk, "reject")

    assert "Already labelled" in desk.error[0].value
    assert desk.text_area(key=f"note-{item}").value == "in another window"
    assert labels_of(store, "lib-019") == ["accept"]

    desk.button(key=f"retry-{item}").click().run()
    assert "only just appeared" in toasts(desk)[0]
    press(desk, "reject")
    assert labels_of(store, "lib-019") == ["accept", "reject"]


def test_labels_of_others_show_only_after_ones_own(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("queue", item=str(number_of(store, "hp-013")), scope="all"))
    assert "Demo: Irina" not in html_of(test)

    press(test, "accept")
    test.button(key="back").click().run()

    assert opened_item(test) == number_of(store, "hp-013")
    shown = html_of(test)
    assert "Demo: Irina" in shown
    assert "Demo: Tom" in shown


def test_a_label_can_be_changed(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("queue"), "Demo: Tom")
    test.query_params["item"] = str(number_of(store, "hp-013"))
    test.run()
    assert "Your label" in html_of(test)

    press(test, "unsure")

    assert labels_of(store, "hp-013", "Demo: Tom") == ["reject", "unsure"]
    newest = review.item(store, number_of(store, "hp-013")).labels[-1]
    assert newest.supersedes is not None
    assert newest.seen == "all"


def test_filters_narrow_the_queue_and_stay_in_the_url(store: Store, desk: AppTest) -> None:
    desk.selectbox(key="filter-failure").set_value("off_topic").run()

    assert opened_item(desk) == number_of(store, "bill-019")
    assert parameter(desk, "failure") == "off_topic"
    assert "1 of 4" in html_of(desk)

    desk.selectbox(key="filter-order").set_value("riskiest").run()
    desk.button(key="clear-filters").click().run()
    assert "failure" not in desk.query_params
    assert opened_item(desk) == number_of(store, "lib-019")


def test_filters_are_read_from_the_url(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("queue", run="1", scope="all", order="riskiest", failure="weak_grounding"))

    assert test.selectbox(key="filter-run").value == "1"
    assert opened_item(test) == number_of(store, "lib-001")


@pytest.mark.parametrize(
    "parameters", [{"run": "'; DROP TABLE"}, {"scope": "x"}, {"order": "y"}, {"failure": "<b>"}]
)
def test_nonsense_in_the_url_does_no_harm(open_page: OpenPage, url: str, parameters: dict[str, str]) -> None:
    test = sign_in(open_page("queue", **parameters))

    assert not test.exception
    assert not test.error


@pytest.mark.parametrize("item", ["999999", "hp-013", "-1", "9" * 30, "<script>"])
def test_an_unknown_item_is_said_and_the_queue_offered(store: Store, open_page: OpenPage, item: str) -> None:
    test = sign_in(open_page("queue", item=item))

    assert test.warning
    test.button(key="open-first").click().run()
    assert opened_item(test) == number_of(store, "lib-019")


def test_pages_of_the_list_turn_both_ways(store: Store, desk: AppTest) -> None:
    def rows() -> list[str]:
        return [str(button.key) for button in desk.button if str(button.key).startswith("row-")]

    first = rows()
    desk.button(key="list-next").click().run()
    second = rows()
    desk.button(key="list-previous").click().run()

    assert len(first) == len(second) == 12
    assert not set(first) & set(second)
    assert rows() == first


def test_skip_leaves_an_item_and_back_returns_to_it(store: Store, desk: AppTest) -> None:
    desk.button(key="skip").click().run()
    assert opened_item(desk) == number_of(store, "hr-018")

    desk.button(key="back").click().run()
    assert opened_item(desk) == number_of(store, "lib-019")


def test_the_last_label_leads_to_the_end_screen(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("queue", failure="refusal"))
    press(test, "accept")

    assert "Nothing waits here" in html_of(test)
    test.button(key="show-all").click().run()
    assert parameter(test, "scope") == "all"


def test_hostile_texts_are_shown_as_they_are(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("queue", item=str(number_of(store, "lib-017"))))
    shown = html_of(test)

    assert "&lt;script&gt;alert(&#x27;hi&#x27;)&lt;/script&gt;" in shown
    assert "<script" not in shown
    assert "<img" not in shown
    row = test.button(key=f"row-{number_of(store, 'lib-017')}-open").label
    assert "<script" not in row.replace("\\<", "")


def test_an_empty_database_says_how_to_fill_it(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_DB", f"sqlite:///{tmp_path}/new.db")
    test = sign_in(open_page("queue"))

    assert "proofdesk evaluate answers.jsonl" in html_of(test)


def test_long_texts_are_cut_until_asked_for(
    tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/long.db"
    monkeypatch.setenv("PROOFDESK_DB", url)
    _store_long_answer(url, tmp_path)

    test = sign_in(open_page("queue", scope="all"))
    assert len(html_of(test)) < 90_000
    item = opened_item(test)
    test.toggle(key=f"everything-{item}").set_value(True).run()

    assert len(html_of(test)) > 200_000
    assert not test.exception


def _store_long_answer(url: str, folder: Path) -> None:
    text = "The pump of unit 7 holds 40 litres at noon. " * 2_300
    row = {"query": "How much?", "contexts": [text, "مرحبا"], "response": text[::-1][:100_000], "id": "long"}
    path = folder / "long.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    store = open_store(url)
    evaluate_file(store, Evaluator.from_profile("default"), path)
    store.close()


def test_the_audit_is_a_fair_sample_with_nothing_shown(store: Store, open_page: OpenPage) -> None:
    test = sign_in(open_page("queue", order="audit", failure="off_topic"))
    item = opened_item(test)
    shown = html_of(test)
    for sign in ("pd-low", "pd-finding", "pd-badge", "support "):
        assert sign not in shown.replace("<style>", "").split(".pd-title {")[0]
    press(test, "accept")

    label = review.item(store, item).labels[-1]
    assert (label.picked, label.seen, label.inclusion_probability) == ("audit", "blind", None)
    assert test.selectbox(key="filter-order").value == "audit"
