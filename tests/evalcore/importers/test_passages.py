from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import InputError
from evalcore.importers.passages import read_passages


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["one", "two"], ("one", "two")),
        (
            '["Pump A runs at 3 bar.", "Pump B runs at 5 bar."]',
            ("Pump A runs at 3 bar.", "Pump B runs at 5 bar."),
        ),
        (
            "['The owner\\'s manual covers it.', \"See page 4, table 2.\"]",
            ("The owner's manual covers it.", "See page 4, table 2."),
        ),
        (
            "Single passage, with a comma, and no brackets.",
            ("Single passage, with a comma, and no brackets.",),
        ),
        ("[1] Smith says so.", ("[1] Smith says so.",)),
        ("[Music] la la [Applause]", ("[Music] la la [Applause]",)),
        ("  kept to the letter ", ("  kept to the letter ",)),
        ("[]", ()),
        ("", ()),
        (None, ()),
        ([], ()),
        ([""], ("",)),
        ([{"text": "a"}, {"page_content": "b", "metadata": {}}, {"content": "c"}], ("a", "b", "c")),
        ("[{'page_content': 'a', 'metadata': {'n': 1}}]", ("a",)),
        ('  ["a"]\n', ("a",)),
        ("['a', # not a comment in a file\n 'b']", ("a", "b")),
    ],
)
def test_every_spelling_of_passages(value: object, expected: tuple[str, ...]) -> None:
    assert read_passages(value, column="contexts") == expected


@pytest.mark.parametrize(
    "value",
    [
        '["Unclosed list, "broken',
        '["a", "b"',
        "[Pump A, Pump B]",
        "[1, 2]",
        "[redacted]",
        '["a", null]',
        '[["a"]]',
        "['a', ...]",
        "['a', __import__('os').getcwd()]",
        "[" * 5000 + "]" * 5000,
        "[" + "-" * 20000 + "1]",
        "['a\0b']",
        ["a", None],
        ["a", 3],
        [["a"]],
        [{"title": "no text"}],
        {"text": "an object, not a list"},
        7,
        True,
    ],
)
def test_what_is_no_list_of_texts_is_refused_by_column(value: object) -> None:
    with pytest.raises(InputError) as caught:
        read_passages(value, column="ctx")
    assert caught.value.where == "ctx"


def test_printed_numpy_array_is_not_glued_into_one_passage() -> None:
    printed = str(np.array(["first passage", "second passage"], dtype=object))
    assert printed == "['first passage' 'second passage']"
    with pytest.raises(InputError, match="without commas"):
        read_passages(printed, column="contexts")


def test_a_cell_is_never_evaluated() -> None:
    with pytest.raises(InputError):
        read_passages("[print('ran')]", column="contexts")


def test_separator_cuts_only_when_asked_for() -> None:
    assert read_passages("a|b", column="c") == ("a|b",)
    assert read_passages("a|b", column="c", separator="|") == ("a", "b")
    assert read_passages("", column="c", separator="|") == ()


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_printed_python_list_gives_its_texts_back(passages: list[str]) -> None:
    assert read_passages(repr(passages), column="contexts") == tuple(passages)
