"""One answer to judge: what was asked, what was retrieved, what was answered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

from evalcore.errors import InputError

JsonValue: TypeAlias = "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"

CANONICAL_VERSION = 1


@dataclass(frozen=True)
class Sample:
    """A question, the passages retrieved for it and the answer given.

    Parameters
    ----------
    query : str
        The user's question, as asked. May be empty: an empty question is a state of its own.
    contexts : sequence of str
        The retrieved passages in retrieval order. One passage is a sequence of one; a bare string is refused.
    response : str
        The answer under judgement.
    reference : str, optional
        A known good answer.
    metadata : mapping, optional
        JSON values that travel with the sample and take no part in its identity.
    id : str, optional
        The user's own id, kept to the letter. Without one the content hash serves.

    Raises
    ------
    InputError
        When a field has the wrong type or holds text that UTF-8 cannot carry.

    Examples
    --------
    >>> s = Sample(query="Which fuse?", contexts=["Fuse F3 protects the pump."], response="F3.")
    >>> s.contexts
    ('Fuse F3 protects the pump.',)
    >>> s.id == s.content_hash
    True
    >>> s.content_hash[:12]
    'a6025df5a9d9'
    """

    query: str
    contexts: tuple[str, ...]
    response: str
    reference: str | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict, compare=False)
    id: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.contexts, str | bytes):
            raise InputError(
                "contexts must be a list of passages",
                where="contexts",
                got="one string",
                cure="wrap it: contexts=[text]",
            )
        _text(self.query, "query")
        _text(self.response, "response")
        if self.reference is not None:
            _text(self.reference, "reference")
        if isinstance(self.contexts, Mapping | Set) or not isinstance(self.contexts, Iterable):
            raise InputError(
                "contexts must be a list of passages", where="contexts", got=type(self.contexts).__name__
            )
        object.__setattr__(self, "contexts", tuple(self.contexts))
        for number, passage in enumerate(self.contexts):
            _text(passage, f"contexts[{number}]")
        if not isinstance(self.metadata, Mapping):
            raise InputError(
                "not a mapping",
                where="metadata",
                got=type(self.metadata).__name__,
                expected="names and values",
            )
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))
        _text(self.id, "id")
        if not self.id:
            object.__setattr__(self, "id", self.content_hash)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256, in hex, of the canonical form.

        The canonical form is one JSON object with the keys ``contexts``, ``query``, ``reference``,
        ``response`` and ``v`` (the form's version, 1) in that order, no spaces, characters beyond ASCII as
        themselves, in UTF-8. Texts are taken to the letter: no trimming, no Unicode normalisation. The id
        and the metadata are left out, so the same answer under two ids has one hash.
        """
        form = {
            "contexts": list(self.contexts),
            "query": self.query,
            "reference": self.reference,
            "response": self.response,
            "v": CANONICAL_VERSION,
        }
        text = json.dumps(form, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _text(value: object, where: str) -> None:
    if not isinstance(value, str):
        raise InputError("not a text", where=where, got=type(value).__name__, expected="a string")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        found = ascii(error.object[error.start])
        raise InputError(
            "text that UTF-8 cannot carry",
            where=f"{where}, character {error.start}",
            got=f"half of a surrogate pair, {found}",
            cure="write the file again as valid UTF-8",
        ) from None
