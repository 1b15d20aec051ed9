"""Text of any language: sentences with offsets, words, numbers, scripts, refusals, claims."""

from evalcore.text.characters import is_blank, scripts
from evalcore.text.claims import claims_something
from evalcore.text.instructions import instruction_in
from evalcore.text.lexicon import (
    Abbreviations,
    Lexicon,
    RefusalPatterns,
    TalkPatterns,
    load_lexicon,
    parse_lexicon,
    shipped_languages,
    shipped_lexicons,
)
from evalcore.text.refusal import MAX_REFUSAL_CHARACTERS, is_refusal
from evalcore.text.sentences import published_sentences, sentences
from evalcore.text.span import Span
from evalcore.text.tokens import numbers, published_words, words

__all__ = [
    "MAX_REFUSAL_CHARACTERS",
    "Abbreviations",
    "Lexicon",
    "RefusalPatterns",
    "Span",
    "TalkPatterns",
    "claims_something",
    "instruction_in",
    "is_blank",
    "is_refusal",
    "load_lexicon",
    "numbers",
    "parse_lexicon",
    "published_sentences",
    "published_words",
    "scripts",
    "sentences",
    "shipped_languages",
    "shipped_lexicons",
    "words",
]
