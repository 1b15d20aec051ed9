"""All labels: found, paged, exported safely; what each reviewer did."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import pytest

from db.repositories.labels import Labels, NewLabel
from evalcore.errors import RoleError, StoreError
from tests.workflows.desk import NOW, fill, people
from workflows import adjudication
from workflows.claims import change_settings
from workflows.label_lists import (
    LabelFilter,
    count_labels,
    export_labels,
    list_labels,
    own_figures,
    reviewer_figures,
)
from workflows.labels import save_label, undo_last
from workflows.store import Store

HOSTILE = "=HYPERLINK(\"http://x\")\n100% of_it, 'yes'"


@pytest.fixture
def filled(store: Store) -> Store:
    items = fill(store, 4)
    ada, bea = people(store, "Ada", "Bea")
    first = save_label(
        store, result_id=items[0], reviewer_id=ada, verdict="accept", note=HOSTILE, seen="blind"
    )
    save_label(
        store,
        result_id=items[0],
        reviewer_id=ada,
        verdict="reject",
        replaces=first.id,
        failure_type="off_topic",
    )
    save_label(store, result_id=items[0], reviewer_id=bea, verdict="reject", corrected_answer="-2 °C")
    save_label(store, result_id=items[1], reviewer_id=bea, verdict="unsure")
    save_label(store, result_id=items[2], reviewer_id=bea, verdict="accept")
    undo_last(store, bea)
    return store


def found(store: Store, **fields: object) -> list[int]:
    """Ids of the labels, page by page; the count must agree."""
    where = LabelFilter(**fields)  # type: ignore[arg-type]
    ids: list[int] = []
    after = None
    while True:
        page = list_labels(store, where, after=after, limit=2)
        ids += [item.label.id for item in page.items]
        after = page.next_after
        if after is None:
            break
    assert count_labels(store, where) == len(ids)
    return ids


def test_labels_are_found_latest_first(filled: Store) -> None:
    assert found(filled) == [4, 3, 2]
    assert found(filled, current=False) == [6, 5, 4, 3, 2, 1]
    assert found(filled, reviewer_id=2) == [4, 3]
    assert found(filled, verdict="reject") == [3, 2]
    assert found(filled, failure_type="off_topic") == [2]
    assert found(filled, run_id=1, verdict="unsure") == [4]
    assert found(filled, run_id=99) == []
    assert found(filled, text="q-1") == [4]
    assert found(filled, text="-2 °C") == [3]
    assert found(filled, until=NOW) == []
    assert found(filled, since=NOW) == [4, 3, 2]


@pytest.mark.parametrize(("text", "ids"), [("100%", [1]), ("of_it", [1]), ("ofXit", []), ("HYPERlink", [1])])
def test_signs_of_a_pattern_are_taken_to_the_letter(filled: Store, text: str, ids: list[int]) -> None:
    assert found(filled, text=text, current=False) == ids


def test_an_export_gives_the_current_state_or_all_of_the_history(filled: Store) -> None:
    lines = [json.loads(line) for line in export_labels(filled, form="jsonl")]
    assert [(row["id"], row["reviewer"], row["verdict"]) for row in lines] == [
        ("q-0", "Ada", "reject"), ("q-0", "Bea", "reject"), ("q-1", "Bea", "unsure"),
    ]  # fmt: skip
    history = [json.loads(line) for line in export_labels(filled, LabelFilter(current=False), form="jsonl")]
    assert [(row["label"], row["supersedes"], row["undoes"], row["stands"]) for row in history] == [
        (1, None, None, False), (2, 1, None, True), (3, None, None, True), (4, None, None, True),
        (5, None, None, False), (6, 5, 5, False),
    ]  # fmt: skip
    assert history[0]["note"] == HOSTILE
    assert (history[0]["seen"], history[1]["seen"], history[1]["after_reveal"]) == ("blind", "all", True)


def test_no_cell_of_a_csv_is_a_formula(filled: Store) -> None:
    text = "".join(export_labels(filled, LabelFilter(current=False), form="csv"))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == 6
    assert rows[0]["note"] == f"'{HOSTILE}"
    assert rows[2]["corrected_answer"] == "'-2 °C"
    assert rows[1]["note"] == ""
    assert all(not cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for cell in row.values())


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_every_sign_that_begins_a_formula_is_defused(store: Store, first: str) -> None:
    (item,) = fill(store, 1)
    (ada,) = people(store, f"{first.strip() or 'x'}Ada")
    save_label(store, result_id=item, reviewer_id=ada, verdict="accept", note=f"{first}1")
    text = "".join(export_labels(store, form="csv"))
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert row["note"] == f"'{first}1"
    assert row["reviewer"].startswith(("'", "x"))


def test_figures_are_a_leads_and_ones_own(filled: Store) -> None:
    with pytest.raises(RoleError, match="only a lead"):
        reviewer_figures(filled, 2)
    assert own_figures(filled, 2).counts.reviewer == "Bea"
    with pytest.raises(StoreError, match="no such reviewer"):
        own_figures(filled, 99)


def test_figures_count_what_stands_what_changed_and_what_agrees_with_gold(filled: Store) -> None:
    ada, bea = reviewer_figures(filled, 1)
    assert (ada.counts.rows, ada.counts.current, ada.counts.changed_after_reveal) == (2, 1, 1)
    assert (bea.counts.rows, bea.counts.current, bea.counts.unsure, bea.counts.undone) == (4, 2, 1, 1)
    assert (ada.unsure_share, bea.unsure_share) == (0.0, 0.5)
    # Both reject q-0, so that is gold; alone on q-1 there is nobody to agree with.
    assert (ada.agreement, bea.agreement) == (1.0, 1.0)
    assert (ada.counts.compared, bea.counts.compared) == (1, 1)
    adjudication.settle(filled, 1, 1, "accept", token="s")
    assert [figures.agreement for figures in reviewer_figures(filled, 1)] == [0.0, 0.0]


def test_who_did_nothing_has_no_figures(store: Store) -> None:
    (ada,) = people(store, "Ada")
    figures = own_figures(store, ada)
    assert (figures.seconds, figures.unsure_share, figures.agreement) == (None, None, None)


def test_pace_is_the_median_within_a_sitting(store: Store) -> None:
    items = fill(store, 6)
    lead, ada = people(store, "Lead", "Ada")
    change_settings(store, lead, labels_required=5)
    # Gaps of 10, 20 and 60 s, a night, 30 s.
    for item, at in zip(items, (0, 10, 30, 90, 40_000, 40_030), strict=True):
        with store.write() as session:
            moment = NOW + timedelta(seconds=at)
            Labels(session).add(
                NewLabel(result_id=item, reviewer_id=ada, verdict="accept", created_at=moment)
            )
    assert own_figures(store, ada).seconds == 25.0
