"""Word lists: what is shipped, and what a broken file is told."""

from importlib import resources

import pytest

from evalcore.errors import ConfigError
from evalcore.text import load_lexicon, parse_lexicon, shipped_languages

PUBLISHED = (
    "it can be", "it may be", "in various", "many scenarios", "could be used", "might be",
    "generally speaking", "in some cases", "it depends", "various ways", "can help with",
)  # fmt: skip
ENGLISH = (resources.files("configs") / "lexicons" / "en.yaml").read_text(encoding="utf-8")


def test_english_and_russian_are_shipped() -> None:
    assert shipped_languages() == ("en", "ru")
    for language in shipped_languages():
        lexicon = load_lexicon(language)
        assert lexicon.language == language
        assert lexicon.hedges
        assert lexicon.stopwords


def test_published_hedges_are_those_of_the_recipe() -> None:
    assert load_lexicon("en").published_hedges == PUBLISHED
    assert set(PUBLISHED) <= set(load_lexicon("en").hedges)
    assert load_lexicon("ru").published_hedges == ()


def test_an_unknown_language_is_told_which_there_are() -> None:
    with pytest.raises(ConfigError, match="en, ru"):
        load_lexicon("../en")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sentence_starters:", "starters:", r"x\.yaml: starters"),
        ("  may_end:", "  may_ends:", r"x\.yaml: abbreviations\.may_ends"),
        ("language: en\n", "", r"missing key \(x\.yaml: language"),
        ("language: en\n", "language: no\n", r"x\.yaml: language"),
        ('"no", nos', "no, nos", r"abbreviations\.before_number\[2\]\); got: False; .*quotes"),
        ("  - it can be", "  - It can be", r"published_hedges\[0\].*lower case"),
        ("  cores:\n", '  cores:\n    - "(open"\n', r"refusals\.cores\[0\]"),
        (
            '  courtesies:\n    - "(please )?(just',
            '  courtesies:\n    - "(open"\n    - "(just',
            r"talk\.courtesies\[0\]",
        ),
        ("  barred: [", "  bared: [", r"talk\.bared"),
        ("stopwords: [", "stopwords: [[", "not valid YAML"),
    ],
)
def test_a_broken_file_names_file_and_key(old: str, new: str, message: str) -> None:
    assert old in ENGLISH
    with pytest.raises(ConfigError, match=message):
        parse_lexicon(ENGLISH.replace(old, new, 1), where="x.yaml")


def test_a_file_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(ConfigError, match="the whole file"):
        parse_lexicon("[]", where="x.yaml")
