"""How far the contexts hold a sentence word by word, where it is held least."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evalcore.answer import Answer

STRETCH_WORDS = 8
"""Words of the stretch that is looked at: about a clause."""
_STEM_LETTERS = 6


def word_overlap(answer: Answer) -> NDArray[np.float64]:
    """Stretch and pairs of each sentence, both in [0, 1], shape (sentences, 2).

    - *stretch*: of any eight words in a row the smallest share that the contexts hold, up to the ending of a
      word; of a shorter sentence the share of all;
    - *pairs*: the share of its neighbouring words that stand side by side in a passage.

    Examples
    --------
    >>> from evalcore.answer import TextConfig
    >>> from evalcore.sample import Sample
    >>> sample = Sample(query="", contexts=("Bridges opened in May.",), response="Bridges closed in May.")
    >>> word_overlap(Answer(sample=sample, config=TextConfig())).round(2).tolist()
    [[0.75, 0.33]]
    """
    passages: dict[int, list[str]] = {}
    for window in answer.windows:
        passages.setdefault(window.passage, []).extend(answer.words(window.text))
    held = {_stem(word) for words in passages.values() for word in words}
    beside = {pair for words in passages.values() for pair in pairwise(words)}
    rows = []
    for sentence in answer.sentences:
        words = answer.words(sentence.text)
        pairs = [pair in beside for pair in pairwise(words)]
        stretch = _smallest_share([_stem(word) in held for word in words])
        rows.append((stretch, float(np.mean(pairs)) if pairs else stretch))
    return np.array(rows, dtype=np.float64).reshape(len(rows), 2)


def _smallest_share(flags: Sequence[bool]) -> float:
    if not flags:
        return 1.0
    length = min(STRETCH_WORDS, len(flags))
    sums = np.convolve(np.array(flags, dtype=np.float64), np.ones(length), mode="valid")
    return float(sums.min() / length)


def _stem(word: str) -> str:
    """A word without its ending, roughly and in any language: its first letters, or without a plural's s."""
    if len(word) > _STEM_LETTERS:
        return word[:_STEM_LETTERS]
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
