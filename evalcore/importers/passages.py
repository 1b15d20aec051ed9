"""Retrieved passages out of whatever a file calls its contexts."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import warnings

from evalcore.errors import InputError

TEXT_KEYS = ("text", "content", "page_content")

_OPENS_LIKE_A_LIST = re.compile(r"\[\s*(?:[\"'\[{\]]|[uUrRbBfF]{1,2}[\"']|$)")
_CURE = "write a JSON list of strings, or plain text that does not look like a list"


def read_passages(value: object, *, column: str, separator: str | None = None) -> tuple[str, ...]:
    """The passages in a contexts value, in order.

    A list gives its texts; a list of objects the text under ``text``, ``content`` or ``page_content``. A
    string that holds a JSON or Python list gives that list's texts; any other string is one passage, whole.
    None and the empty string are no passages.

    Parameters
    ----------
    value : object
        A JSON value or a cell's text.
    column : str
        Its column, for the error.
    separator : str, optional
        When given, a string is cut at it and not looked at for lists.

    Raises
    ------
    InputError
        When the value is of another kind, or a string looks like a list and is none. A string looks like a
        list when ``[`` is followed by a quote or another bracket, or when its first ``]`` is its last
        character.

    Examples
    --------
    >>> read_passages("['The owner\\\\'s manual.', \\"Page 4, table 2.\\"]", column="contexts")
    ("The owner's manual.", 'Page 4, table 2.')
    >>> read_passages("[1] Smith says so.", column="contexts")
    ('[1] Smith says so.',)
    """
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        if separator is not None:
            return tuple(value.split(separator))
        stripped = value.strip()
        if not _looks_like_a_list(stripped):
            return (value,)
        value = _parse_list(stripped, column)
    if not isinstance(value, list | tuple):
        raise InputError(
            "not a list of passages",
            where=column,
            got=type(value).__name__,
            expected="a list of strings",
            cure=_CURE,
        )
    return tuple(_passage(item, column, number) for number, item in enumerate(value, start=1))


def _passage(item: object, column: str, number: int) -> str:
    if isinstance(item, dict):
        for key in TEXT_KEYS:
            if key in item:
                item = item[key]
                break
    if not isinstance(item, str):
        raise InputError(
            f"passage {number} is not a text",
            where=column,
            got="null" if item is None else type(item).__name__,
            expected=f"a string, or an object with {', '.join(TEXT_KEYS[:-1])} or {TEXT_KEYS[-1]}",
        )
    return item


def _looks_like_a_list(text: str) -> bool:
    if not text.startswith("["):
        return False
    return _OPENS_LIKE_A_LIST.match(text) is not None or text.find("]") == len(text) - 1


def _parse_list(text: str, column: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    if text.endswith("]"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value: object = ast.literal_eval(text)
                joined = _has_adjacent_strings(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, tokenize.TokenError):
            pass
        else:
            if joined:
                # Python would glue the strings of a printed NumPy array into one passage without a word.
                raise InputError(
                    "passages without commas between them",
                    where=column,
                    got=_ends(text),
                    expected="a list with commas",
                    cure="turn NumPy arrays into lists (.tolist()) before writing the file",
                )
            return value
    raise InputError(
        f"looks like a list and cannot be read as one ({reason})",
        where=column,
        got=_ends(text),
        expected="a JSON list or a Python list of strings",
        cure=_CURE,
    )


def _has_adjacent_strings(text: str) -> bool:
    previous = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT):
            continue
        if token.type == tokenize.STRING and previous == tokenize.STRING:
            return True
        previous = token.type
    return False


def _ends(text: str) -> str:
    return repr(text) if len(text) <= 70 else f"{text[:40]!r} ... {text[-20:]!r}"
