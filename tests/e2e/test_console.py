"""The console as a person meets it: a real server, a real browser, a real database."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from pages.components.keys import PAUSE_MILLISECONDS
from pages.components.verdict import SETTLE_SECONDS
from scripts.screenshots import settle
from tests.e2e.conftest import Window
from workflows import adjudication, claims, review, sentences
from workflows.store import Store

pytestmark = pytest.mark.browser


def number_of(store: Store, sample_id: str) -> int:
    return review.find_results(store, sample_id)[0].id


def verdicts(store: Store, sample_id: str) -> list[str]:
    return [label.verdict for label in review.item(store, number_of(store, sample_id)).labels]


def wait_for_item(page: Page, sample_id: str) -> None:
    expect(page.locator(".pd-id")).to_have_text(sample_id)
    settle(page)
    page.wait_for_timeout(1_000 * SETTLE_SECONDS)


def open_queue(window: Window, **parameters: str | int) -> Page:
    asked = "&".join(f"{name}={value}" for name, value in {"reviewer": "Ada", **parameters}.items())
    window.page.goto(f"{window.base}/queue?{asked}")
    settle(window.page)
    return window.page


def test_labels_are_given_by_button_and_by_key_and_last(window: Window, store: Store) -> None:
    page = window.page
    page.goto(window.base)
    settle(page)
    page.get_by_role("link", name="Queue").click()
    page.get_by_label("Your name").fill("Grace")
    page.get_by_role("button", name="Start reviewing").click()
    wait_for_item(page, "lib-019")
    progress = page.locator(".pd-progress")
    expect(progress).to_contain_text("16 of 64 labelled, 0 by you")

    page.get_by_label("Note (optional)").fill("12 and 3: digits are only digits while one types")
    page.get_by_role("button", name=re.compile("^Reject")).click()
    wait_for_item(page, "hr-018")
    expect(progress).to_contain_text("17 of 64 labelled, 1 by you")

    page.keyboard.press("1")
    wait_for_item(page, "lab-016")
    expect(progress).to_contain_text("18 of 64 labelled, 2 by you")

    page.reload()
    settle(page)
    expect(page.locator("[class*=st-key-who]")).to_contain_text("Grace")
    expect(progress).to_contain_text("18 of 64 labelled, 2 by you")
    assert (verdicts(store, "lib-019"), verdicts(store, "hr-018")) == (["reject"], ["accept"])
    note = review.item(store, number_of(store, "lib-019")).labels[0].note
    assert note == "12 and 3: digits are only digits while one types"


def test_keys_rest_while_one_types_and_a_double_click_labels_one_item(window: Window, store: Store) -> None:
    page = open_queue(window)
    wait_for_item(page, "lib-019")
    page.get_by_label("Note (optional)").press_sequentially("1 2 3 j")
    page.wait_for_timeout(500)
    assert verdicts(store, "lib-019") == []

    page.get_by_role("button", name=re.compile("^Reject")).dblclick(delay=20)
    wait_for_item(page, "hr-018")
    assert (verdicts(store, "lib-019"), verdicts(store, "hr-018")) == (["reject"], [])

    page.locator(".pd-id").click()
    page.keyboard.press("j")
    wait_for_item(page, "lab-016")
    page.keyboard.press("k")
    wait_for_item(page, "hr-018")


def test_ten_items_are_triaged_by_keyboard_alone(window: Window, store: Store) -> None:
    page = open_queue(window)
    seen: list[str] = []
    for number in range(10):
        expect(page.locator(".pd-id")).not_to_have_text(seen[-1] if seen else "")
        settle(page)
        page.wait_for_timeout(1_000 * SETTLE_SECONDS)
        seen.append(page.locator(".pd-id").inner_text())
        page.keyboard.press("123"[number % 3])

    expect(page.locator(".pd-progress")).to_contain_text("26 of 64 labelled, 10 by you")
    assert len(set(seen)) == 10
    said = [verdicts(store, sample_id)[-1] for sample_id in seen]
    assert said == (["accept", "reject", "unsure"] * 4)[:10]


def test_sentences_are_walked_judged_and_stored_with_the_label(window: Window, store: Store) -> None:
    item = number_of(store, "mus-017")
    page = open_queue(window, item=item)
    wait_for_item(page, "mus-017")
    card = page.locator(".pd-card")
    expect(card).to_contain_text("Sentence 1 of 3")
    page.keyboard.press("ArrowDown")
    expect(card).to_contain_text("Sentence 2 of 3")
    expect(page.locator("mark.pd-now").first).to_be_visible()
    page.keyboard.press("u")
    expect(card).to_contain_text("Sentence 3 of 3")
    page.locator('[data-sentence="0"]').click()
    expect(card).to_contain_text("Sentence 1 of 3")
    page.keyboard.press("s")
    expect(card).to_contain_text("Sentence 2 of 3")
    expect(card).to_contain_text("unsupported, by you")
    page.keyboard.press("2")
    expect(page.locator(".pd-id")).not_to_have_text("mus-017")

    told = {row.idx: row.verdict for row in sentences.labels_of(store, item)}
    assert told == {0: "supported", 1: "unsupported"}


def test_two_browsers_are_never_given_the_same_item(window: Window, store: Store) -> None:
    page = open_queue(window)
    wait_for_item(page, "lib-019")
    other = window.page.context.browser.new_context().new_page()  # type: ignore[union-attr]
    other.goto(f"{window.base}/queue?reviewer=Demo: Tom")
    settle(other)
    expect(other.locator(".pd-id")).to_have_text("hr-018")

    other.goto(f"{window.base}/queue?reviewer=Demo: Tom&item={number_of(store, 'lib-019')}")
    settle(other)
    expect(other.get_by_test_id("stAlert")).to_contain_text("Other reviewers have this item")
    expect(other.get_by_role("button", name=re.compile("^Accept"))).to_have_count(0)
    other.context.close()


def test_two_blind_words_that_differ_go_to_a_lead_who_makes_the_gold_label(
    window: Window, store: Store
) -> None:
    ada = review.sign_in(store, "Ada")
    claims.change_settings(store, ada.id, labels_required=2)
    item = number_of(store, "lib-019")
    for name, key in (("Bea", "1"), ("Cem", "2")):
        review.sign_in(store, name)
        context = window.page.context.browser.new_context()  # type: ignore[union-attr]
        page = context.new_page()
        page.goto(f"{window.base}/queue?reviewer={name}&item={item}")
        wait_for_item(page, "lib-019")
        expect(page.locator(".pd-badge")).to_have_count(0)
        page.keyboard.press(key)
        expect(page.locator(".pd-id")).not_to_have_text("lib-019")
        settle(page)
        page.wait_for_timeout(1_000 * SETTLE_SECONDS)
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".pd-id")).to_have_text("lib-019")
        expect(page.locator(".pd-badge").first).to_have_text("REVIEW")
        expect(page.locator(".pd-others").first).to_contain_text("Nobody" if name == "Bea" else "Bea")
        context.close()

    window.page.goto(f"{window.base}/adjudicate?reviewer=Ada&item={item}")
    settle(window.page)
    expect(window.page.locator(".pd-others")).to_contain_text("Reviewer 2: reject")
    expect(window.page.locator(".pd-others")).not_to_contain_text("Cem")
    window.page.keyboard.press("2")
    expect(window.page.get_by_test_id("stToast")).to_contain_text("Settled: reject, lib-019")
    gold = adjudication.gold_label(store, item)
    assert gold is not None
    assert gold.verdict == "reject"


def test_a_note_survives_a_session_that_ends_while_it_is_typed(window: Window, store: Store) -> None:
    page = open_queue(window)
    wait_for_item(page, "lib-019")
    page.get_by_label("Note (optional)").press_sequentially("half a thou", delay=20)
    page.wait_for_timeout(2 * PAUSE_MILLISECONDS)
    context = window.page.context.browser.new_context()  # type: ignore[union-attr]
    page.close()

    again = context.new_page()
    again.goto(f"{window.base}/queue?reviewer=Ada")
    settle(again)
    expect(again.locator(".pd-id")).to_have_text("lib-019")
    expect(again.get_by_label("Note (optional)")).to_have_value("half a thou")
    assert verdicts(store, "lib-019") == []
    context.close()


def test_undo_takes_the_label_back_and_opens_the_item_with_its_words(window: Window, store: Store) -> None:
    page = open_queue(window)
    wait_for_item(page, "lib-019")
    page.get_by_label("Note (optional)").fill("too quick")
    page.locator(".pd-question").click()
    page.keyboard.press("1")
    wait_for_item(page, "hr-018")
    page.keyboard.press("Control+z")
    wait_for_item(page, "lib-019")

    expect(page.get_by_label("Note (optional)")).to_have_value("too quick")
    expect(page.locator(".pd-badge")).to_have_count(0)
    assert verdicts(store, "lib-019") == ["accept", "withdrawn"]
    expect(page.locator(".pd-progress")).to_contain_text("16 of 64 labelled, 0 by you")


def test_ctrl_enter_saves_what_was_chosen_while_typing(window: Window, store: Store) -> None:
    page = open_queue(window)
    wait_for_item(page, "lib-019")
    page.get_by_text("1, 2, 3 save at once").click()
    page.wait_for_timeout(1_000)
    page.locator(".pd-question").click()
    page.keyboard.press("2")
    expect(page.get_by_test_id("stBaseButton-primary")).to_contain_text("Reject")
    assert verdicts(store, "lib-019") == []
    page.get_by_label("Note (optional)").press_sequentially("no price is given")
    page.keyboard.press("Control+Enter")
    wait_for_item(page, "hr-018")

    label = review.item(store, number_of(store, "lib-019")).labels[0]
    assert (label.verdict, label.note, label.seen) == ("reject", "no price is given", "marks")


def test_the_help_opens_by_key_and_keys_are_dead_meanwhile(window: Window, store: Store) -> None:
    page = open_queue(window)
    wait_for_item(page, "lib-019")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Ctrl+Enter")
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".pd-id")).to_have_text("lib-019")
    page.keyboard.press("/")
    page.keyboard.type("leave rules")
    page.keyboard.press("Enter")
    expect(page.locator(".pd-id")).to_have_text("hr-016")
    assert "q=leave" in page.url


def test_hostile_texts_stay_texts(window: Window, store: Store) -> None:
    evil = "x</p><img src=http://evil.invalid/a.png onerror=window.hit=1>:material/home: $a$ [l](http://evil.invalid)"
    mallory = review.sign_in(store, "![m](http://evil.invalid/m.png)")
    item = number_of(store, "lib-017")
    ada = review.sign_in(store, "Ada")
    for reviewer in (mallory, ada):
        review.add_label(store, result_id=item, reviewer_id=reviewer.id, verdict="unsure", note=evil)

    page = open_queue(window, item=item, scope="all")
    wait_for_item(page, "lib-017")

    for text in ("<script>alert('hi')</script>", ":red[urgent]", "[click](javascript:alert(1))"):
        expect(page.locator(".pd-question")).to_contain_text(text)
    expect(page.locator(".pd-answer")).to_contain_text("<img src=x onerror=alert(2)>")
    expect(page.locator(".pd-passage").nth(1)).to_contain_text('<img src="x" onerror="alert(1)">')
    expect(page.locator(".pd-passage").nth(1)).to_contain_text(":material/warning:")
    expect(page.locator(f".st-key-row-{item}-open")).to_contain_text(
        "reading club. <script>alert('hi')</script>"
    )
    expect(page.locator(".pd-others")).to_contain_text("![m](http://evil.invalid/m.png)")
    expect(page.locator(".pd-others")).to_contain_text("onerror=window.hit=1>:material/home: $a$ [l](http")
    page.get_by_role("button", name=re.compile("^Change to accept")).click()
    expect(page.get_by_test_id("stToast")).to_contain_text("Changed: accept, lib-017")

    assert page.evaluate("window.hit") is None
    assert page.title() != "owned"
    main = page.get_by_test_id("stMain")
    assert main.locator("img").count() == main.locator("a[href]").count() == 0


def test_a_file_with_broken_rows_is_uploaded_scored_and_its_errors_told(window: Window, store: Store) -> None:
    rows = [
        {"id": f"up-{k}", "question": "How long?", "contexts": ["It is 5 m."], "answer": "5 m."}
        for k in range(6)
    ]
    lines = [*map(json.dumps, rows), '{"id": "<img src=x onerror=alert(1)>", "question": 7}', "not json"]
    page = window.page
    page.goto(f"{window.base}/runs")
    settle(page)
    page.get_by_role("tab", name="Upload a file").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "answers <b>.jsonl", "mimeType": "application/json", "buffer": "\n".join(lines).encode()}
    )
    expect(page.locator(".pd-table").filter(has_text="up-0")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("tab", name="All runs").click()
    job = page.locator("[class*=st-key-job-]").first
    expect(job).to_contain_text("Done", timeout=60_000)
    expect(job).to_contain_text("8 rows · 2 failed")
    expect(job).to_contain_text("the file:8")
    expect(page.locator(".pd-table").filter(has_text="answers <b>.jsonl")).to_be_visible()
    with page.expect_download() as download:
        job.get_by_role("button", name="Download row errors (2)").click()
    told = download.value.path().read_text("utf-8").splitlines()
    assert told[0] == "row,problem"
    assert len(told) == 3
    run = review.runs(store)[0]
    assert (run.name, run.counts.n_stored, run.counts.n_failed) == ("answers <b>.jsonl", 6, 2)
    assert page.get_by_test_id("stMain").locator("img").count() == 0


@pytest.mark.parametrize("width", [768, 1280])
def test_nothing_sticks_out_sideways(window: Window, store: Store, width: int) -> None:
    window.page.set_viewport_size({"width": width, "height": 900})
    queue = f"/queue?reviewer=Ada&item={number_of(store, 'hp-013')}&scope=all"
    others = [
        f"/{name}?reviewer=Ada"
        for name in ("sentences", "labels", "adjudicate", "runs", "agreement", "calibration")
    ]
    for address in ("/", queue, *others):
        window.page.goto(window.base + address)
        settle(window.page)
        window.page.wait_for_timeout(500)
        widths = window.page.evaluate(
            "['html', '[data-testid=stMain]'].map(s => document.querySelector(s))"
            ".map(e => e.scrollWidth - e.clientWidth)"
        )
        assert widths == [0, 0], address


def test_a_direct_link_to_a_fresh_console_has_its_navigation(window: Window, store: Store) -> None:
    page = open_queue(window, item=number_of(store, "hp-013"))

    expect(page.locator(".pd-id")).to_have_text("hp-013")
    expect(page.get_by_role("link", name="Overview")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_console_speaks_russian_and_remembers_it(window: Window, store: Store) -> None:
    page = open_queue(window)
    wait_for_item(page, "lib-019")
    page.get_by_role("radio", name="RU").click()
    expect(page.locator(".pd-title")).to_have_text("Очередь")
    expect(page.get_by_role("link", name="Очередь")).to_be_visible()
    expect(page.locator(".pd-findings").first).to_contain_text("нет в контексте")

    page.wait_for_timeout(1_000 * SETTLE_SECONDS)
    page.get_by_label("Заметка (необязательно)").fill("Страница стоит 40 центов")
    page.get_by_role("button", name=re.compile("^Отклонить")).click()
    wait_for_item(page, "hr-018")
    expect(page.locator(".pd-progress")).to_contain_text("17 из 64 с меткой, 1 ваших")
    assert verdicts(store, "lib-019") == ["reject"]
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("принять, отклонить, не уверен")

    # Another visit of the same browser, with no word of the language in its address.
    page.goto(f"{window.base}/runs")
    expect(page.locator(".pd-title")).to_have_text("Прогоны")
    expect(page.locator("html")).to_have_attribute("lang", "ru")


def test_the_failure_type_is_chosen_by_key(window: Window, store: Store) -> None:
    page = open_queue(window)
    wait_for_item(page, "lib-019")
    page.keyboard.press("f")
    page.keyboard.type("poor", delay=40)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Failure type (optional)")).to_have_value("poor retrieval")
    settle(page)
    page.wait_for_timeout(400)
    page.keyboard.press("2")
    wait_for_item(page, "hr-018")
    label = review.item(store, number_of(store, "lib-019")).labels[-1]
    assert (label.verdict, label.failure_type) == ("reject", "poor_retrieval")
