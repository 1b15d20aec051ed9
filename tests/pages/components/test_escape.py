from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.components.escape import first_words, html_text, markdown, one_line

_JOINER = "\u2060"


@pytest.mark.parametrize(
    "text",
    [
        ":red[x]",
        "$x$",
        "`x`",
        "[x](javascript:alert(1))",
        "![x](http://example.invalid/a.png)",
        "# x",
        ":smile:",
        ":material/warning:",
        "https://example.invalid",
        "www.example.invalid",
        "a@example.invalid",
        "<script>x</script>",
        "a -> b",
        "&lt;",
    ],
)
def test_markdown_keeps_the_text_and_disarms_it(text: str) -> None:
    made = markdown(text)

    assert re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", made).replace(_JOINER, "") == text
    assert not re.search(r"(?<!\\)[!-/:-@\[-`{-~]", re.sub(r"\\.", "", made))
    plain = re.sub(r"\\(.)", r"\1", made)
    assert not re.search(r":[\w+-]|www\.|\w@\w|->", plain)


@given(st.text())
def test_every_mark_of_markdown_is_escaped(text: str) -> None:
    made = markdown(text)

    assert "\n" not in made
    assert not re.search(r"[!-/:-@\[-`{-~]", re.sub(r"\\[!-/:-@\[-`{-~]", "", made))


@given(st.text())
def test_html_holds_no_tag_and_no_quote(text: str) -> None:
    assert not set(html_text(text)) & set("<>\"'")


def test_marks_that_turn_the_direction_of_writing_are_dropped() -> None:
    assert one_line("safe\u202egnp.exe\nnext") == "safe gnp.exe next"


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_first_words_stay_within_their_length(text: str, length: int) -> None:
    assert len(first_words(text, length)) <= length + 1
