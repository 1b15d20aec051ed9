"""Sentences, words, numbers and scripts of any text."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.text import (
    Span,
    is_blank,
    is_refusal,
    numbers,
    published_sentences,
    published_words,
    scripts,
    sentences,
    words,
)

# Pieces that meet each rule of the splitter, so that generated texts reach their corners.
PIECES = st.sampled_from(
    [
        *[". ", "! ", "?", "...", "。", "！", "؟ ", "।", "\n", "\n\n", "\r\n", " ", "\t", "\u2028", "\u200b"],
        *[
            "- ",
            "* ",
            "• ",
            "1. ",
            "2. ",
            "3) ",
            "> ",
            "# ",
            "a. ",
            "|",
            "|---|",
            "---",
            "```\n",
            "~~~",
            "**",
        ],
        *["Dr. ", "e.g. ", "U.S. ", "J. ", "p.m. ", "No. 5", "т. е. ", "г. ", "3.5", "v1.2.3", "1,250,000"],
        *[
            '"',
            "'",
            "”",
            ")",
            "(",
            "[1]",
            "_",
            ":",
            "word",
            "Word",
            "слово",
            "水",
            "😀",
            "\x00",
            "\ud800",
            "é",
        ],
    ]
)
ANY_TEXT = st.one_of(
    st.text(),
    st.text(alphabet=st.characters(exclude_categories=())),
    st.lists(PIECES, max_size=40).map("".join),
)
MARKS = re.compile(r"[-=*_|:+~#>`•‣◦▪●○–—·()\[\]xX\s\d.、．]|[^\W\d_](?=[.)])")


def cut(text: str) -> list[str]:
    found = sentences(text)
    assert all(text[s.start : s.end] == s.text for s in found)
    return [s.text for s in found]


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_spans_are_exact_ordered_and_trimmed(text: str) -> None:
    for split in (sentences, published_sentences):
        last = 0
        for span in split(text):
            assert text[span.start : span.end] == span.text
            assert last <= span.start < span.end
            assert span.text == span.text.strip()
            last = span.end


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_only_white_space_marks_and_fence_lines_are_left_out(text: str) -> None:
    if "```" in text or "~~~" in text:
        return
    last = 0
    for span in (*sentences(text), Span(len(text), len(text), "")):
        left_out = text[last : span.start]
        assert MARKS.sub("", left_out) == "", left_out
        last = span.end


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["Ab cd", "Dr.", "3.5", ".", "!", "?", "U.S.", "水。", '"', ")"]), max_size=30)
)
def test_a_sentence_of_prose_is_not_cut_again(pieces: list[str]) -> None:
    for span in sentences(" ".join(pieces)):
        assert cut(span.text) == [span.text]


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT)
def test_every_function_takes_any_text(text: str) -> None:
    assert words(text) == words(" ".join(words(text))) or not text.isascii()
    assert all(text[n.start : n.end] == n.text for n in numbers(text))
    assert not scripts(text) or sum(scripts(text).values()) == pytest.approx(1)
    assert is_blank(text) in (True, False)
    assert is_refusal(text) in (True, False)


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=("Cs",))))
def test_full_width_and_composed_forms_have_the_same_words(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


def test_short_phrases_and_lists_without_a_stop_are_sentences() -> None:
    assert cut("Ferry since 9 June 1987") == ["Ferry since 9 June 1987"]
    assert cut("No") == ["No"]
    assert cut("- Weight: 7 kg\n- Warranty: 2 y\n- Case: steel") == [
        "Weight: 7 kg",
        "Warranty: 2 y",
        "Case: steel",
    ]


def test_abbreviations_initials_and_decimals_do_not_cut() -> None:
    assert cut(
        "Dr. Kim heads Beta Ltd. in the U.K. The flow is 7.5 l, i.e. a third (see Fig. 9, No. 4)."
    ) == [
        "Dr. Kim heads Beta Ltd. in the U.K.",
        "The flow is 7.5 l, i.e. a third (see Fig. 9, No. 4).",
    ]
    assert cut('"We agree." "They do not." So it stays.') == ['"We agree."', '"They do not."', "So it stays."]
    assert cut("A. B. Kerr signed v2.0.1 at approx. 9 a.m. Work began at once.") == [
        "A. B. Kerr signed v2.0.1 at approx. 9 a.m.",
        "Work began at once.",
    ]
    assert len(cut("Dr. Kim left. He was ill.")) == len(cut("Doctor Kim left. He was ill."))


def test_chinese_is_cut_without_spaces() -> None:
    assert cut("电机功率为3千瓦。保修期为一年！产地是法国。") == [
        "电机功率为3千瓦。",
        "保修期为一年！",
        "产地是法国。",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t", []),
        ("...", ["..."]),
        ("See https://a.example/b.html?x=1. Mail a.b@c.example. Open app.py. Done...", 4),
        ("Really?! Yes. “No!” he said. Well... maybe.", 4),
        ("It is true.[1] It is false. [2, 3] We see.", ["It is true.[1]", "It is false. [2, 3]", "We see."]),
        (
            "Mix it. (Passage 2) Then wait. (Source 1 and 3)",
            ["Mix it. (Passage 2)", "Then wait. (Source 1 and 3)"],
        ),
        ("Great. :)", ["Great. :)"]),
        ("Is it hers? No. 5 people saw it. No. He left.", 4),
        ("Smith et al. (2019) say so. Acme Inc. CEO Jo Ray agrees.", 2),
        ("Plan B. The dose is 5. 3 people left.", 3),
        ("It closed in May.The line cost 4 million (see it).However, it paid.Why?Because it did.", 5),
        ("Use System.Text.Json or the U.S.A-made Foo.Bar.", 1),
        ("Two steps. 1. Open the valve. 2. Wait.", 3),
        ("The phone is old. iPhone sales fell.", 2),
        ("the pump is 5 kw. the warranty is two years.", 2),
        ("Мост по ул. Ленина, т. е. новый, открыт в 1998 г. Автор — А. С. Белов, т.к. он есть на рис. 3.", 2),
        ("В 1998 г. построили дома, школы и т. д. Мост открыли позже. Живёт в г. Москва.", 3),
        ("Она весит 5 кг. Длина 3 м. Цена 7 тыс. руб.", 3),
        ("هل هو آمن؟ نعم۔ شكرا", ["هل هو آمن؟", "نعم۔", "شكرا"]),
        ("यह सुरक्षित है। हाँ।", 2),
        ("「はい。」と言った。そうです。", ["「はい。」と言った。", "そうです。"]),
        ("重さは３．５キロ。長さは２メートル。", 2),
    ],
)
def test_prose(text: str, expected: list[str] | int) -> None:
    found = cut(text)
    assert (len(found) if isinstance(expected, int) else found) == expected, found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pump is rated\nat 5 kW. It runs\non mains.\nthen stops", 3),
        ("One part\n\nof two", ["One part", "of two"]),
        ("# Title\nText.\n## More: a\nText", ["Title", "Text.", "More: a", "Text"]),
        ("Title\n=====\nText", ["Title", "Text"]),
        ("**Bold title**\nText", ["**Bold title**", "Text"]),
        ("Intro:\n1. One. Two.\n2. Three\n   goes on\n* four\n• five", 6),
        ("- [x] done\n- \n-\nend", ["done", "end"]),
        ("| a | b |\n|---|:-:|\n| 1. X | 2 |\nafter", ["| a | b |", "| 1. X | 2 |", "after"]),
        ("a | b\n--|--\nc | d\n\ne | f", ["a | b", "c | d", "e | f"]),
        ("See:\n```py\nx = 1. \n\nY = 2\n```\nEnd.", ["See:", "x = 1. \n\nY = 2", "End."]),
        ("```\nnever closed. At all", ["never closed. At all"]),
        ("> quoted text that\n> goes on. Yes.\n\nOut", ["quoted text that\n> goes on.", "Yes.", "Out"]),
        ("Range: 40 km\nCharge time: 3 h", ["Range: 40 km", "Charge time: 3 h"]),
        ("How many?\n42. That is all.", ["How many?", "42.", "That is all."]),
        ("7. Seven\n8. Eight", ["Seven", "Eight"]),
        ("Steps: 1. Open the valve. 2. Wait.", ["Steps: 1. Open the valve.", "2. Wait."]),
        ("One.\n---\nTwo.\r\n\r\nThree", ["One.", "Two.", "Three"]),
    ],
)
def test_layout(text: str, expected: list[str] | int) -> None:
    found = cut(text)
    assert (len(found) if isinstance(expected, int) else found) == expected, found


def test_published_sentences_follow_the_recipe() -> None:
    text = "  Dr. Lee agreed!\nReally?  - Yes. 好。不"
    spans = published_sentences(text)
    assert [s.text for s in spans] == ["Dr.", "Lee agreed!", "Really?", "- Yes.", "好。不"]
    assert [s.text for s in spans] == [
        p.strip() for p in re.split(r"(?<=[.!?])\s+", text.strip()) if p.strip()
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don’t DON'T 'quoted' rock'n'roll", ["don't", "don't", "quoted", "rock'n'roll"]),
        ("well-known hybrid_score F3 v1.2.3", ["well", "known", "hybrid", "score", "f3", "v1.2.3"]),
        (
            "1,250,000 12.5 3.5% $7 48M 2024-03-30",
            ["1250000", "12.5", "3.5", "7", "48", "m", "2024", "03", "30"],
        ),
        (
            "12,5 1.250.000,75 1 250 000 1\u00a0250 1'250 1,2,3",
            ["12.5", "1250000.75", "1250000", "1250", "1250"],
        ),
        ("３．５ kg ٣٫٥", ["3.5", "kg", "3.5"]),
        ("水泵功率5千瓦", ["水", "泵", "功", "率", "5", "千", "瓦"]),
        ("ありがとう ABC", ["あ", "り", "が", "と", "う", "abc"]),
        ("हिन्दी é e\u0301", ["हिन्दी", "é", "é"]),
        ("Ёлка СТРАЖА Straße", ["ёлка", "стража", "strasse"]),
        ("می\u200cخواهم co\u00adop", ["میخواهم", "coop"]),
        ("😀 — ...", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text)[: len(expected) or None] == expected


def test_thai_vowels_stay_with_their_letter() -> None:
    assert words("กี่วัน") == ["กี่", "วั", "น"]


def test_published_words_are_ascii_runs() -> None:
    assert published_words("How's the Café 2.0 мост?") == ["how", "s", "the", "caf"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales grew 7.5% to 2,300,000 USD on 5 May 2021.", ["7.5", "2,300,000", "5", "2021"]),
        ("It reached EUR1250000 [1], €5 and $48M [2, 3].", ["1250000", "5", "48"]),
        ("1. Rose 12.5% (see https://shop.example/item/229743).\n2) fell 3", ["12.5", "3"]),
        ("Mix 2 eggs. (Passage 2) (about 20) [Source 1, 3] (Документ 4)", ["2", "20"]),
        ("F3, v1.2.3, CO2, file_7 and a1@b2.example", []),
        ("功率为5千瓦，３．５米", ["5", "３．５"]),
        ("At -5 °C, 2½ h, 5–7 days, on 2024-03-30", ["-5", "2½", "5", "7", "2024", "03", "30"]),
        ("1 250 000 and 1\u00a0250 and 1,2,3", ["1 250 000", "1\u00a0250", "1", "2", "3"]),
        ("42. That is all.", ["42"]),
    ],
)
def test_numbers(text: str, expected: list[str]) -> None:
    assert [n.text for n in numbers(text)] == expected


def test_scripts_give_shares_of_letters() -> None:
    assert scripts("12 ...") == {}
    assert scripts("Rio Мост") == {"Cyrillic": 4 / 7, "Latin": 3 / 7}
    samples = {
        "Latin": "éß", "Cyrillic": "Ёж", "Han": "水泵", "Kana": "あア", "Hangul": "한글", "Arabic": "نعم",
        "Hebrew": "שלום", "Devanagari": "हद", "Greek": "Ωμ", "Thai": "กข", "Other": "Հა",
    }  # fmt: skip
    for name, sample in samples.items():
        assert scripts(sample) == {name: 1.0}


@pytest.mark.parametrize("text", ["", "   \n\t ", "\u200b\u200b", "—", "...", "\x00", "\ufeff", "$ _ *", "ㅤ"])
def test_text_without_letters_digits_or_emoji_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", "5", "水", "👍", "✓", "❤️", "🇲🇹", "- x", "½"])
def test_text_with_content_is_not_blank(text: str) -> None:
    assert not is_blank(text)
