"""Samples that share an id within one file: counted once, refused or renamed, never overwritten."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from evalcore.importers.base import ImportedRow, Location, Row, RowError
from evalcore.importers.faults import quoted

OnConflict: TypeAlias = Literal["refuse", "first", "suffix"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Repeat:
    """A row left out because ``first`` already gave its id.

    ``conflict`` is False for an exact repeat (same id, same content; metadata is not compared) and True for
    another content that the policy ``first`` left out.
    """

    location: Location
    first: Location
    id: str
    conflict: bool
    position: int = field(default=0, compare=False)

    def __str__(self) -> str:
        kind = "another content under the id" if self.conflict else "exact repeat of the id"
        return f"{self.location}: {kind} {quoted(self.id)} of {self.first}; left out"


class DuplicateGuard:
    """The rows of one source with its duplicate ids dealt with.

    It yields the same rows in the same order, save that an exact repeat becomes a `Repeat`, and a row whose
    id was seen with other content is treated by ``on_conflict``:

    - ``refuse``: it becomes a `RowError`. Since rows are streamed, the first row stays imported.
    - ``first``: it becomes a `Repeat` with ``conflict`` set.
    - ``suffix``: it is imported as ``id#2`` (``#3``, ...) with a note.

    An id that differs from an earlier one only by case or white space is kept apart and gets a note.

    It remembers each id with 28 bytes of content hash and place: about 170 bytes a row for ids of 12
    characters without capitals, about 270 with capitals.

    Parameters
    ----------
    rows : iterable of Row
        The rows of one source.
    on_conflict : {'refuse', 'first', 'suffix'}
    """

    def __init__(self, rows: Iterable[Row], *, on_conflict: OnConflict = "refuse") -> None:
        self._rows = rows
        self._on_conflict = on_conflict
        self._seen: dict[str, bytes] = {}
        self._folded: dict[str, str] = {}
        self._renamed: dict[tuple[str, bytes], str] = {}

    def __iter__(self) -> Iterator[Row | Repeat]:
        self._seen.clear()
        self._folded.clear()
        self._renamed.clear()
        for row in self._rows:
            yield self._guarded(row) if isinstance(row, ImportedRow) else row

    def _guarded(self, row: ImportedRow) -> Row | Repeat:
        sample_id = row.sample.id
        content = bytes.fromhex(row.sample.content_hash)[:16]
        seen = self._seen.get(sample_id)
        if seen is None:
            note = self._near(sample_id)
            self._seen[sample_id] = _packed(content, row.location)
            return replace(row, notes=(*row.notes, note)) if note else row
        if seen.startswith(content):
            return self._repeat(row, sample_id, conflict=False)
        if self._on_conflict == "suffix":
            return self._suffixed(row, content)
        if self._on_conflict == "first":
            return self._repeat(row, sample_id, conflict=True)
        return RowError(
            location=row.location,
            what="conflicting id: an earlier row has it with other content",
            field="id",
            got=quoted(sample_id),
            expected=f"the content of {self._place(sample_id, row.location)}, or another id",
            cure="correct the ids, or choose to keep the first row or to add a suffix",
            position=row.position,
        )

    def _repeat(self, row: ImportedRow, stored_id: str, *, conflict: bool) -> Repeat:
        return Repeat(
            location=row.location,
            first=self._place(stored_id, row.location),
            id=row.sample.id,
            conflict=conflict,
            position=row.position,
        )

    def _suffixed(self, row: ImportedRow, content: bytes) -> ImportedRow | Repeat:
        sample_id = row.sample.id
        stored_id = self._renamed.get((sample_id, content))
        if stored_id is not None:
            return self._repeat(row, stored_id, conflict=False)
        number = 2
        while (new_id := f"{sample_id}#{number}") in self._seen:
            number += 1
        self._seen[new_id] = _packed(content, row.location)
        self._renamed[sample_id, content] = new_id
        place = self._place(sample_id, row.location)
        note = f"id {quoted(sample_id)} is taken by {place}; stored as {quoted(new_id)}"
        return replace(row, sample=replace(row.sample, id=new_id), notes=(*row.notes, note))

    def _near(self, sample_id: str) -> str | None:
        folded = " ".join(unicodedata.normalize("NFKC", sample_id).casefold().split())
        other = self._folded.get(folded)
        if other is None and folded != sample_id:
            self._folded[folded] = sample_id
            other = folded if folded in self._seen else None
        if other is None:
            return None
        return f"id {quoted(sample_id)} differs from {quoted(other)} only by case or white space; kept apart"

    def _place(self, sample_id: str, here: Location) -> Location:
        packed = self._seen[sample_id]
        line = int.from_bytes(packed[16:22])
        return Location(file=here.file, row=int.from_bytes(packed[22:]), line=line or None)


def _packed(content: bytes, location: Location) -> bytes:
    return content + (location.line or 0).to_bytes(6) + location.row.to_bytes(6)
