from __future__ import annotations

import csv
import io
import json

import pytest

from evalcore.errors import InputError
from evalcore.importers import FieldMapping, Limits

from .conftest import Load

HEADER = "id,question,answer,contexts\n"


def table(*rows: str) -> str:
    return HEADER + "".join(f"{row}\n" for row in rows)


def test_mark_of_a_spreadsheet_changes_nothing(load: Load) -> None:
    text = table(
        'q-1,How long is the warranty?,The warranty lasts 24 months.,"[""All pumps carry 24 months.""]"'
    )
    plain = load("a.csv", text)
    marked = load("b.csv", b"\xef\xbb\xbf" + text.encode())
    quoted_header = load("c.csv", b"\xef\xbb\xbf" + text.replace("id,", '"id",', 1).encode())
    assert plain.samples == marked.samples == quoted_header.samples
    assert marked.samples[0].id == "q-1"
    assert not marked.samples[0].metadata
    assert marked.source.mapping is not None
    assert marked.source.mapping.id == "id"


def test_line_breaks_commas_and_quotes_stay_inside_their_cell(load: Load) -> None:
    text = (
        "id,question,answer,contexts\r\n"
        'q-1,How do I reset it?,"Do this:\r\n1. Switch off, then unplug.\r\n\r\n2. Wait ""two"" minutes.",'
        '"[""Unplug and wait two minutes.""]"\r\n'
        'q-2,Is it heavy?,No.,"[""It weighs 2 kg.""]"\r\n'
    )
    got = load("a.csv", text)
    assert len(got.rows) == 2
    assert not got.errors
    assert got.samples[0].response == 'Do this:\r\n1. Switch off, then unplug.\r\n\r\n2. Wait "two" minutes.'
    assert [row.location.line for row in got.rows] == [2, 6]

    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(["id", "question", "answer", "contexts"])
    writer.writerows([s.id, s.query, s.response, json.dumps(s.contexts)] for s in got.samples)
    assert load("b.csv", written.getvalue()).samples == got.samples


def test_words_that_mean_nothing_elsewhere_stay_answers(load: Load) -> None:
    words = ["NA", "None", "null", "N/A", "nan", "TRUE", "1e5", "007", "-"]
    got = load(
        "a.csv", table(*(f"n-{n},Q?,{word},c" for n, word in enumerate(words)), "last,Who signed it?,,c")
    )
    assert [s.response for s in got.samples] == [*words, ""]
    assert not got.errors


def test_ids_that_look_like_numbers_are_text(load: Load) -> None:
    ids = ["007", "7", "7.0", "00420", "4e87", "9007199254740993"]
    text = "id,question,answer\n" + "".join(f"{i},Q{i},A{i}\n" for i in ids)
    got = load("answers.csv", text, mapping=FieldMapping(without_contexts=True))
    assert [s.id for s in got.samples] == ids
    assert [s.contexts for s in got.samples] == [()] * 6


def test_contexts_of_a_cell(load: Load) -> None:
    text = table(
        'c-1,Q,A,"[""Pump A runs at 3 bar."", ""Pump B runs at 5 bar.""]"',
        'c-2,Q,A,"[\'The owner\\\'s manual covers it.\', ""See page 4, table 2.""]"',
        'c-3,Q,A,"Single passage, with a comma, and no brackets."',
        'c-4,Q,A,"[""Unclosed list, ""broken"',
        "c-5,Q,A,",
    )
    got = load("a.csv", text)
    assert [len(s.contexts) for s in got.samples] == [2, 2, 1, 0]
    assert got.samples[1].contexts[0] == "The owner's manual covers it."
    assert got.samples[2].contexts == ("Single passage, with a comma, and no brackets.",)
    assert (got.errors[0].location.line, got.errors[0].field) == (5, "contexts")


def test_long_cell_is_imported_whole(load: Load) -> None:
    long = "The valve opens at 3 bar. " * 8000
    got = load("huge.csv", HEADER + f'h-1,When?,At 3 bar.,"{long}"\nh-2,Q,A,c\n')
    assert len(got.samples[0].contexts[0]) == 208_000
    assert got.samples[1].id == "h-2"


def test_cell_over_the_limit_is_named_with_its_size_and_the_others_are_read(load: Load) -> None:
    got = load(
        "huge.csv",
        table('h-1,When?,A,"' + "long\n" * 60 + '"', "h-2,Q,A,c"),
        limits=Limits(max_cell_chars=100),
    )
    assert [s.id for s in got.samples] == ["h-2"]
    error = got.errors[0]
    assert (error.location.row, error.location.line, error.field) == (1, 2, "contexts")
    assert error.got == "300 characters"
    assert "at most 100" in str(error)


def test_record_without_end_stops_the_reading_and_says_so(load: Load) -> None:
    got = load(
        "a.csv",
        table("a,Q,A,c", 'b,Q,A,"never closed', *(["x,Q,A,c"] * 50)),
        limits=Limits(max_record_chars=60),
    )
    assert [s.id for s in got.samples] == ["a"]
    assert got.errors[0].location.line == 3
    assert "rest of the file was not read" in str(got.errors[0])


def test_quote_that_is_never_closed_is_an_error_not_a_row(load: Load) -> None:
    got = load("a.csv", table("a,Q,A,c", 'b,Q,A,"never closed', "x,Q,A,c"))
    assert [s.id for s in got.samples] == ["a"]
    assert "never closed" in str(got.errors[0])
    assert "lines 3 to 4" in str(got.errors[0])


def test_stray_quote_costs_its_own_row(load: Load) -> None:
    got = load("a.csv", table('a,Q,"He said "hi" to me",c', "b,Q,A,c"))
    assert [s.id for s in got.samples] == ["b"]
    assert got.errors[0].location.line == 2


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("a,Q,A,c,extra", "too many cells; got 5 cells"),
        ("a,Q,A", "too few cells; got 3 cells"),
        (",,,", "every cell is empty"),
        ("a,Q,A\0,c", "answer: a NUL character"),
    ],
)
def test_odd_row_is_an_error_with_its_line(load: Load, row: str, says: str) -> None:
    got = load("a.csv", table("x,Q,A,c", row, "z,Q,A,c"))
    assert [s.id for s in got.samples] == ["x", "z"]
    assert says in str(got.errors[0])
    assert got.errors[0].location.line == 3


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_read_off_the_header(load: Load, delimiter: str) -> None:
    text = table("a,Q,A,c").replace(",", delimiter)
    got = load("a.tsv" if delimiter == "\t" else "a.csv", text)
    assert got.samples[0].contexts == ("c",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marked_encodings_are_recognised(load: Load, encoding: str) -> None:
    got = load("a.csv", table("ё-1,Сколько?,Два.,Их два.").encode(encoding))
    assert (got.samples[0].id, got.samples[0].response) == ("ё-1", "Два.")


def test_encoding_may_be_named(load: Load) -> None:
    text = table("a,Сколько?,Два.,Их два.")
    assert load("a.csv", text.encode("cp1251"), encoding="cp1251").samples[0].query == "Сколько?"
    assert load("b.csv", text.encode("utf-16-le"), encoding="utf-16-le").samples[0].query == "Сколько?"
    assert load("c.csv", b"\xef\xbb\xbf" + text.encode(), encoding="utf8").samples[0].id == "a"


def test_bytes_that_do_not_fit_stop_the_import_before_the_first_row(load: Load) -> None:
    text = table("a,Q,A,c").encode() + b"b,caf\xe9,A,c\n"
    with pytest.raises(InputError) as caught:
        load("a.csv", text)
    assert f"a.csv:3, byte {len(table('a,Q,A,c')) + 5}" in str(caught.value)
    assert "0xe9" in str(caught.value)


def test_bad_byte_is_placed_across_chunks(load: Load) -> None:
    filler = "x,Q,A,ж\n" * 200_000
    content = (HEADER + filler).encode() + b"b,\xd0"
    with pytest.raises(InputError, match=f":200002, byte {len(content) - 1}\\)"):
        load("a.csv", content)


@pytest.mark.parametrize("encoding", ["klingon", "hex", "utf-16"])
def test_encoding_that_does_not_serve_is_refused(load: Load, encoding: str) -> None:
    with pytest.raises(InputError):
        load("a.csv", table("a,Q,A,c"), encoding=encoding)


def test_utf16_without_a_mark_is_recognised_as_no_text(load: Load) -> None:
    with pytest.raises(InputError, match="NUL characters in the header"):
        load("a.csv", table("a,Q,A,c").encode("utf-16-le"))


def test_missing_columns_import_nothing(load: Load) -> None:
    with pytest.raises(InputError) as caught:
        load("wrong_col.csv", "id,question,response\nw-1,Q?,A.\n")
    message = str(caught.value)
    assert "no column for contexts" in message
    assert "columns id, question, response" in message
    assert "retrieval_context" in message
    with pytest.raises(InputError, match="no column for query, response"):
        load("b.csv", "id,quetsion,anwser,contexts\n1,2,3,4\n")


def test_header_alone_is_no_rows(load: Load) -> None:
    got = load("header_only.csv", HEADER)
    assert (got.rows, got.errors) == ([], [])


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n\n", b" \r\n"])
def test_file_without_text_is_empty(load: Load, content: bytes) -> None:
    with pytest.raises(InputError, match="file is empty"):
        load("empty.csv", content)


def test_column_names_may_not_repeat(load: Load) -> None:
    with pytest.raises(InputError, match="occur twice"):
        load("a.csv", "question,answer,contexts,split,split\n")


def test_unnamed_column_of_an_index_is_metadata(load: Load) -> None:
    got = load("a.csv", ",question,answer,contexts\n0,Q,A,c\n")
    assert dict(got.samples[0].metadata) == {"column_1": "0"}


def test_blank_lines_and_either_line_end_are_fine(load: Load) -> None:
    got = load("a.csv", "\n" + HEADER + "\r\n  \na,Q,A,c\r\rb,Q,A,c")
    assert [s.id for s in got.samples] == ["a", "b"]
    assert not got.errors


def test_unclosed_header_is_refused(load: Load) -> None:
    with pytest.raises(InputError, match="header cannot be read"):
        load("a.csv", 'id,"question,answer,contexts\na,Q,A,c\n')


def test_bar_separated_contexts_only_when_mapped(load: Load) -> None:
    text = "input,actual_output,retrieval_context\nQ,A,one|two\n"
    assert load("a.csv", text).samples[0].contexts == ("one|two",)
    mapped = load("a.csv", text, mapping=FieldMapping(contexts_separator="|"))
    assert mapped.samples[0].contexts == ("one", "two")


def test_position_reaches_the_size_and_iteration_starts_again(load: Load) -> None:
    got = load("a.csv", table(*(f"{n},Q,A,c" for n in range(5000))))
    assert got.rows[-1].position == got.source.size_bytes
    assert got.rows[0].position < got.rows[-1].position
    assert sum(1 for _ in got.source) == 5000
