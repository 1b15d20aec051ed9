"""The encoding of a text file, settled before its first row is given out."""

from __future__ import annotations

import codecs
from pathlib import Path

from evalcore.errors import InputError
from evalcore.importers.faults import one_line

_CHUNK = 1 << 20


def encoding_of(path: Path, name: str, given: str | None) -> str:
    """The codec to read a file with: the one given, that of its byte-order mark, or UTF-8 (mark allowed).

    Raises
    ------
    InputError
        When the given one is not a text encoding.
    """
    if given is not None:
        try:
            "".encode(given)
            known = codecs.lookup(given).name
        except LookupError as error:
            raise InputError("unknown encoding", where=one_line(name), got=repr(given)) from error
        return "utf-8-sig" if known == "utf-8" else known
    with path.open("rb") as stream:
        start = stream.read(4)
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "utf-8-sig"


def check_encoding(path: Path, name: str, encoding: str) -> None:
    """Decode the whole file, a chunk at a time, so that no row is imported from a file that breaks later.

    Raises
    ------
    InputError
        At the first byte that does not fit; the message names its line and its offset from 0.
    """
    decoder = codecs.getincrementaldecoder(encoding)(errors="strict")
    read = 0
    line = 1
    with path.open("rb") as stream:
        while True:
            chunk = stream.read(_CHUNK)
            read += len(chunk)
            try:
                line += decoder.decode(chunk, final=not chunk).count("\n")
            except UnicodeDecodeError as error:
                # The codec's own buffer may hold bytes of the chunk before: error.object is both together.
                offset = read - len(error.object) + error.start
                line += error.object[: error.start].decode(encoding, errors="replace").count("\n")
                found = f"0x{error.object[error.start : error.start + 1].hex()}: {error.reason}"
                raise _undecodable(encoding, f"{one_line(name)}:{line}, byte {offset}", found) from error
            except UnicodeError as error:
                raise _undecodable(encoding, one_line(name), str(error)) from error
            if not chunk:
                return


def _undecodable(encoding: str, where: str, found: str) -> InputError:
    return InputError(
        f"not {encoding.removesuffix('-sig').upper()}",
        where=where,
        got=found,
        cure="save the file again as UTF-8, or name its encoding (encoding='cp1252')",
    )
