"""The console in Russian: every page, with no English left but names, codes and what people wrote."""

from __future__ import annotations

import re

import pytest

from tests.pages.conftest import OpenPage
from tests.pages.screen import html_of, opened_item, press, sign_in, toasts
from workflows import claims, review
from workflows.store import Store

PAGES = (
    "overview", "queue", "sentences", "labels", "adjudicate", "runs", "agreement", "calibration", "baselines",
)  # fmt: skip
TEXTS = re.compile(
    # What others wrote stands in elements that take its direction from it; code and data are no phrases.
    r'<(\w+)[^>]*dir="auto"[^>]*>.*?</\1>|<code>.*?</code>|<kbd>.*?</kbd>|<style>.*?</style>',
    re.DOTALL,
)
OWN = {
    "ACCEPT",
    "REVIEW",
    "REJECT",
    "UTC",
    "id",
    "Id",
    "Demo",
    "Ada",
    "IANA",
    "JSONL",
    "CSV",
    "TSV",
    "Parquet",
}
OWN |= {
    "ECE",
    "Brier",
    "Learn",
    "then",
    "Test",
    "proofdesk",
    "calibrate",
    "P",
    "Ragas",
    "DeepEval",
    "default",
    "classic",
    "helpdesk",
    "bot",
    "p",
    "W",
    "AC",
}


def english(html: str) -> set[str]:
    """Latin words on the screen that are neither data nor names."""
    while (plain := TEXTS.sub(" ", html)) != html:
        html = plain
    return set(re.findall(r"[A-Za-z]+", re.sub(r"&\w+;|<[^>]*>", " ", html))) - OWN


@pytest.fixture
def lead(store: Store) -> str:
    review.sign_in(store, "Ada")
    return "Ada"


@pytest.mark.parametrize("page", PAGES)
def test_no_english_is_left_on_a_page(page: str, open_page: OpenPage, lead: str) -> None:
    test = open_page(page, lang="ru", reviewer=lead)
    assert not test.exception
    assert english(html_of(test)) == set()
    labels = [button.label for button in test.button if not re.search(r"row-|settle-\d", str(button.key))]
    labels += [box.label for box in [*test.selectbox, *test.text_input, *test.text_area, *test.toggle]]
    assert [
        label for label in labels if re.search("[A-Za-z]{3}", label) and not re.search("[а-яё]", label)
    ] == []


def test_the_language_is_chosen_on_the_screen_and_stays(open_page: OpenPage, lead: str) -> None:
    test = open_page("queue", reviewer=lead)
    assert "Queue</h1>" in html_of(test)
    test.segmented_control(key="language-choice").set_value("ru").run()
    assert "Очередь</h1>" in html_of(test)
    test.switch_page("pages/runs.py").run()
    assert "Прогоны</h1>" in html_of(test)
    test.segmented_control(key="language-choice").set_value("en").run()
    assert "Runs</h1>" in html_of(test)


def test_a_label_given_in_russian_is_the_same_label(open_page: OpenPage, store: Store) -> None:
    test = sign_in(open_page("queue", lang="ru"))
    item = opened_item(test)
    press(test, "reject")
    assert toasts(test)[0].startswith("Сохранено\\: отклонено")
    assert [label.verdict for label in review.item(store, item).labels][-1] == "reject"


def test_a_refusal_is_told_in_russian(open_page: OpenPage, store: Store) -> None:
    tom = review.sign_in(store, "Tom")
    test = sign_in(open_page("queue", lang="ru"))
    taken = next(row.id for row in review.queue_page(store, review.QueueFilter(), limit=12).items[5:])
    claims.claim_item(store, taken, tom.id)
    test.query_params["item"] = str(taken)
    test.run()
    assert "Этим ответом заняты" in test.info[0].value


def test_a_language_there_is_not_is_english(open_page: OpenPage, lead: str) -> None:
    test = open_page("queue", lang="<b>xx</b>", reviewer=lead)
    assert "Queue</h1>" in html_of(test)
