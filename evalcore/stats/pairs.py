"""Two raters on the same items: which pairs can be used, and the table of what they said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import InputError

SKIPPED = ("", "skipped", "skip", "n/a", "none", "null")
"""What stands for "not rated", compared without case and spaces; None does too."""


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """The usable pairs of two raters.

    Attributes
    ----------
    categories : tuple of str
        In the order of the scale where one was given, else by name; a category nobody used may be among them.
    first, second : int array, shape (n,)
        Places in ``categories``.
    kept : int array, shape (n,)
        Places of the pairs among all items.
    left_out : dict
        Why items were left out, and how many.
    """

    categories: tuple[str, ...]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    kept: NDArray[np.int64]
    left_out: dict[str, int]

    @property
    def n(self) -> int:
        """Usable pairs."""
        return len(self.first)

    @property
    def table(self) -> NDArray[np.int64]:
        """Counts, shape (categories, categories): rows are the first rater's."""
        size = len(self.categories)
        flat = np.bincount(self.first * size + self.second, minlength=size * size)
        return np.asarray(flat.reshape(size, size), dtype=np.int64)


def pair_up(
    first: Sequence[object],
    second: Sequence[object],
    *,
    order: Sequence[str] | None = None,
    skipped: Iterable[str] = SKIPPED,
) -> Pairs:
    """Pair the labels of two raters, item by item.

    Labels are compared without case and outer spaces. An item that either left blank is left out of
    everything.

    Parameters
    ----------
    first, second : sequences of the same length
        Labels; None, or a text of ``skipped``, where one did not rate.
    order : sequence of str, optional
        The categories in the order of their scale. A label that is not among them is an error.

    Raises
    ------
    InputError
        For sequences of different lengths, and labels outside the order.

    Examples
    --------
    >>> pairs = pair_up(["ACCEPT", "reject", None], ["accept ", "REJECT", "accept"])
    >>> pairs.n, pairs.left_out, pairs.table.tolist()
    (2, {'not rated by the first': 1}, [[1, 0], [0, 1]])
    """
    if len(first) != len(second):
        raise InputError(
            "two raters' labels must be of the same items",
            got=f"{len(first)} and {len(second)} labels",
            cure="give one label an item, None where there is none",
        )
    gone = {_plain(text) for text in skipped}
    ours = [_label(value, gone) for value in first]
    theirs = [_label(value, gone) for value in second]
    left_out: Counter[str] = Counter()
    kept = []
    for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if a is not None and b is not None:
            kept.append(place)
        elif a is None and b is None:
            left_out["rated by neither"] += 1
        else:
            left_out["not rated by the first" if a is None else "not rated by the second"] += 1
    used = sorted({label for place in kept for label in (ours[place], theirs[place]) if label is not None})
    names = used if order is None else [_plain(name) for name in order]
    if len(set(names)) < len(names):
        raise InputError("a category stands twice in the order", got=", ".join(map(str, order or ())))
    if strange := [label for label in used if label not in names]:
        raise InputError("a label outside the order of categories", got=strange[0], expected=", ".join(names))
    place_of = {name: index for index, name in enumerate(names)}
    return Pairs(
        categories=tuple(names),
        first=np.array([place_of[str(ours[place])] for place in kept], dtype=np.int64),
        second=np.array([place_of[str(theirs[place])] for place in kept], dtype=np.int64),
        kept=np.array(kept, dtype=np.int64),
        left_out=dict(left_out),
    )


def _plain(value: object) -> str:
    return str(value).strip().casefold()


def _label(value: object, gone: set[str]) -> str | None:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    text = _plain(value)
    return None if text in gone else text
