"""How closely the contexts repeat a sentence: in its letters, in its words and in its meaning."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from evalcore.answer import Answer
from evalcore.similarity import Similarity, share
from evalcore.text import shipped_lexicons

MATCHED_CHARACTERS = 1000
"""Characters of a sentence that are matched with the contexts."""


def window_cosines(answer: Answer, similarity: Similarity) -> NDArray[np.float64]:
    """Cosine of each sentence with each evidence window, shape (sentences, windows), worked out once."""
    sentences = [sentence.text for sentence in answer.sentences]
    windows = [window.text for window in answer.windows]
    return similarity.once("window cosines", lambda: similarity.matrix(sentences, windows))


def sentence_alignment(answer: Answer, similarity: Similarity) -> NDArray[np.float64]:
    """Alignment of each sentence with the contexts, in [0, 1], shape (sentences,).

    The plain mean of three parts, each in [0, 1]:

    - *letters*: the best partial match of the sentence, its first 1,000 characters if it is longer, with the
      contexts as one text, case folded;
    - *words*: the largest share of the sentence's content words that one evidence window holds;
    - *meaning*: the largest cosine with an evidence window.

    No weights were fitted: those that were carried over worse from one domain to the next
    (docs/decisions/007). The answer must have sentences and windows, and their texts must have been encoded.
    """
    return np.asarray(alignment_parts(answer, similarity).mean(axis=1), dtype=np.float64)


def alignment_parts(answer: Answer, similarity: Similarity) -> NDArray[np.float64]:
    """Letters, words and meaning of each sentence, each in [0, 1], shape (sentences, 3); worked out once."""
    return similarity.once("alignment", lambda: _parts(answer, similarity))


def _parts(answer: Answer, similarity: Similarity) -> NDArray[np.float64]:
    from rapidfuzz import fuzz

    sentences = [sentence.text for sentence in answer.sentences]
    context = answer.context.casefold()
    held = [frozenset(answer.words(window.text)) for window in answer.windows]
    # A match costs the product of both lengths: of a monster of a sentence the beginning stands for all.
    letters = np.array(
        [fuzz.partial_ratio(text[:MATCHED_CHARACTERS].casefold(), context) / 100 for text in sentences]
    )
    content = [_content(answer.words(text)) for text in sentences]
    words = np.array([max(share(window, own) for window in held) for own in content])
    meaning = window_cosines(answer, similarity).max(axis=1)
    return np.column_stack([letters, words, meaning])


def _content(words: list[str]) -> frozenset[str]:
    """The words that carry the sentence; all of them where none does."""
    return frozenset(word for word in words if word not in _stopwords()) or frozenset(words)


@cache
def _stopwords() -> frozenset[str]:
    return frozenset(word for lexicon in shipped_lexicons() for word in lexicon.stopwords)
