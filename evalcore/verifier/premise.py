"""The evidence a sentence is held against: the few windows that together hold most of its words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_REPEATED = 0.25
"""Worth of a word that a window chosen before holds already, against one that none holds yet."""


@dataclass(frozen=True)
class Bags:
    """Words of each evidence window and how rare each word is among them."""

    windows: tuple[frozenset[str], ...]
    rarity: dict[str, float]

    @classmethod
    def of(cls, windows: Iterable[Iterable[str]]) -> Bags:
        """Gather the words of the windows, case folded."""
        bags = tuple(frozenset(words) for words in windows)
        counts = Counter(word for bag in bags for word in bag)
        return cls(bags, {word: math.log(1 + len(bags) / n) for word, n in counts.items()})

    def best(self, sentence: Iterable[str], keep: int, meaning: Sequence[float] | None = None) -> list[int]:
        """Indices of up to ``keep`` windows that hold the sentence's words best, in reading order.

        Each next window is the one that adds most: a word weighs by how rare it is, less if held already.
        ``meaning`` (cosine of each window with the sentence) breaks ties and speaks where no word is shared.

        Examples
        --------
        >>> bags = Bags.of([["a", "pump"], ["a", "valve"], ["a", "red", "pump"]])
        >>> bags.best(["red", "valve"], keep=2)
        [1, 2]
        """
        own = frozenset(sentence)
        weights = [{word: self.rarity[word] for word in own & bag} for bag in self.windows]
        chosen: list[int] = []
        held: set[str] = set()
        for _ in range(min(keep, len(weights))):
            worth = [
                -1.0
                if index in chosen
                else sum(w if word not in held else _REPEATED * w for word, w in found.items())
                + (meaning[index] if meaning is not None else 0.0)
                for index, found in enumerate(weights)
            ]
            best = max(range(len(worth)), key=lambda index: (worth[index], -index))
            chosen.append(best)
            held.update(weights[best])
        return sorted(chosen)
