"""Which output of a published model says what, by the names its configuration gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evalcore.errors import VerifierError

SUPPORTED: Final = frozenset(
    {"entailment", "entailed", "supported", "supports", "consistent", "faithful", "grounded"}
)
"""Names under which published models say that the evidence holds the claim."""
UNSUPPORTED: Final = frozenset({"hallucinated", "hallucination", "unsupported", "not_supported"})
"""Names under which they say that it does not."""


def find_output(
    labels: Mapping[int, str], wanted: str | int | None, names: frozenset[str], *, field: str, model: str
) -> int:
    """Index of the output that a profile names, or else of the only one that bears one of ``names``.

    Names are compared without regard to case, and ``-``, ``_`` and blanks are one.

    Raises
    ------
    VerifierError
        When no output or more than one fits; the message lists the model's labels.

    Examples
    --------
    >>> nli = {0: "contradiction", 1: "ENTAILMENT", 2: "neutral"}
    >>> find_output(nli, None, SUPPORTED, field="supported_label", model="an-nli-model")
    1
    """
    if isinstance(wanted, int):
        found = [wanted] if wanted in labels else []
    else:
        sought = names if wanted is None else {_plain(wanted)}
        found = [index for index, label in labels.items() if _plain(label) in sought]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"{index}: {label}" for index, label in sorted(labels.items()))
    if wanted is None:
        raise VerifierError(
            "cannot tell which of the model's outputs to read",
            where=model,
            got=f"labels {listed}",
            expected=f"one of them called {', '.join(sorted(names))}",
            cure=f"name the output in the profile's {field}, by label or number, as the model's card has it",
        )
    raise VerifierError(
        f"{field} names no output of the model" if not found else f"{field} names several outputs",
        where=model,
        got=repr(wanted),
        expected=f"one of {listed}",
    )


def _plain(label: str) -> str:
    return "_".join(label.casefold().replace("-", " ").replace("_", " ").split())
