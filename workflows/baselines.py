"""Baselines: frozen from labelled results, stored, written to a file and read back with the same hashes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

from db.engine import Store
from db.repositories.baselines import BaselineRow, Baselines, GateRunRow
from db.repositories.gold import Golds
from db.repositories.results import ResultFilter, Results
from db.repositories.runs import RunRow, Runs
from evalcore.errors import InputError, StoreError
from evalcore.regression.baseline import (
    SCHEMA_VERSION,
    Baseline,
    Case,
    Gold,
    Provenance,
    case_of,
    make_baseline,
)
from evalcore.result import EvalResult, Fingerprint
from workflows.rights import need_lead

__all__ = [
    "BaselineDiff",
    "BaselineRow",
    "Choice",
    "GateRunRow",
    "diff",
    "export",
    "find_run",
    "freeze",
    "gate_runs",
    "import_file",
    "listed",
    "load",
    "preview",
    "read_file",
    "remove",
]

Choice: TypeAlias = Literal["gold", "labelled", "all"]
_KIND = "proofdesk_baseline"


@dataclass(frozen=True, kw_only=True)
class BaselineDiff:
    """What differs between two versions, by the ids of cases."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    n_same: int


def find_run(store: Store, which: str | None) -> RunRow:
    """A run by ``#number`` or name, the latest of that name; the latest of all if None.

    Raises
    ------
    InputError
        When there is none.
    """
    with store.read() as session:
        runs = Runs(session)
        if which is not None and which.startswith("#") and which[1:].isdecimal() and len(which) < 18:
            return runs.get(int(which[1:]))
        for run in runs.latest(10_000):
            if which in (None, run.name):
                return run
    raise InputError("no such run", got=(which or "none at all")[:80], cure="evaluate a file first")


def preview(store: Store, run: str | None = None, *, choice: Choice = "gold") -> tuple[RunRow, list[Case]]:
    """The cases that would be frozen: the results of a run, and whose gold or labels they have.

    ``gold``: those with a gold label; ``labelled``: those with any label too, a single one counts as
    ``single``; ``all``: unlabelled ones too.
    """
    chosen = find_run(store, run)
    cases = []
    with store.read() as session:
        golds = {row.result_id: row for row in Golds(session).all()}
        results = Results(session)
        where = ResultFilter(run_id=chosen.id, fingerprint_id=chosen.fingerprint_id)
        for stored in results.iter_documents(where):
            gold, source = _gold_of(golds, results, stored.id, choice)
            if gold is None and choice != "all":
                continue
            result = EvalResult.from_dict(stored.document)
            cases.append(case_of(stored.sample, result, gold=gold, gold_source=source))
    return chosen, cases


def freeze(
    store: Store,
    name: str,
    run: str | None = None,
    *,
    choice: Choice = "gold",
    note: str = "",
    by: int | None = None,
) -> BaselineRow:
    """Freeze the results of a run under a name; a name that exists gets its next version.

    Raises
    ------
    RoleError
        When ``by`` is no lead; None is the command line.
    InputError
        For a name that is none, two answers of one id, and when no result fits.
    """
    if by is not None:
        need_lead(store, by)
    chosen, cases = preview(store, run, choice=choice)
    baseline = make_baseline(name, 1, chosen.fingerprint, cases, note=note)
    return _keep(store, baseline, by)


def load(store: Store, which: str) -> Baseline:
    """A baseline by NAME or NAME@VERSION, its hashes checked.

    Raises
    ------
    StoreError
        When there is none, it was removed, or what is stored is not what was frozen.
    """
    row = _find(store, which)
    if row.is_removed:
        raise StoreError(
            "this baseline was taken out of use", got=f"{row.name}@{row.version}", cure="name another version"
        )
    return _load(store, row)


def _load(store: Store, row: BaselineRow) -> Baseline:
    with store.read() as session:
        stored = list(Baselines(session).cases(row.id))
    label = f"{row.name}@{row.version}"
    cases = [
        Case.from_dict(json.loads(document), f"{label}, case {n}") for n, (document, _) in enumerate(stored)
    ]
    baseline = make_baseline(
        row.name,
        row.version,
        Fingerprint(**json.loads(row.fingerprint)),
        cases,
        note=row.note,
        created_at=row.created_at.isoformat(),
    )
    if baseline.hash != row.hash:
        raise StoreError("the stored baseline is not what was frozen", where=label, got=baseline.hash[:12])
    return baseline


def listed(store: Store) -> tuple[BaselineRow, ...]:
    """Every version of every baseline, removed ones too."""
    with store.read() as session:
        return Baselines(session).all()


def gate_runs(store: Store, which: str | None = None) -> tuple[GateRunRow, ...]:
    """The latest gate runs, of all baselines or of one version."""
    row = None if which is None else _find(store, which)
    with store.read() as session:
        return Baselines(session).runs(None if row is None else row.id)


def remove(store: Store, which: str, *, by: int | None = None) -> BaselineRow:
    """Take a version out of use. It and its runs can still be read; nothing is gated against it."""
    if by is not None:
        need_lead(store, by)
    row = _find(store, which)
    if row.is_removed:
        raise StoreError("taken out of use already", got=f"{row.name}@{row.version}")
    with store.write() as session:
        Baselines(session).remove(row.id, by)
        return Baselines(session).get(row.name, row.version)


def diff(store: Store, one: str, two: str) -> BaselineDiff:
    """What differs between two versions; what was taken out of use can still be compared."""
    first = {case.id: case for case in _load(store, _find(store, one)).cases}
    second = {case.id: case for case in _load(store, _find(store, two)).cases}
    shared = first.keys() & second.keys()
    changed = sorted(i for i in shared if first[i].hash != second[i].hash)
    return BaselineDiff(
        added=tuple(sorted(second.keys() - first.keys())),
        removed=tuple(sorted(first.keys() - second.keys())),
        changed=tuple(changed),
        n_same=len(shared) - len(changed),
    )


def export(store: Store, which: str, path: Path) -> Baseline:
    """Write a baseline as JSONL: a manifest, then a case a line with its hash.

    Raises
    ------
    InputError
        When the file exists or cannot be written.
    """
    baseline = load(store, which)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in _lines(baseline))
    except OSError as error:
        raise InputError(
            "the file cannot be written", where=str(path), got=error.strerror or str(error)
        ) from error
    return baseline


def import_file(store: Store, path: Path, *, name: str | None = None, by: int | None = None) -> BaselineRow:
    """Store a baseline from a file, as the next version of its name or of another."""
    if by is not None:
        need_lead(store, by)
    found = read_file(path)
    return _keep(
        store, make_baseline(name or found.name, 1, found.fingerprint, found.cases, note=found.note), by
    )


def read_file(path: Path) -> Baseline:
    """A baseline from a file that :func:`export` wrote, every hash checked.

    Raises
    ------
    InputError
        Naming the line: no baseline, another schema, cut short, or a case that was changed.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("the baseline cannot be read", where=str(path), got=str(error)[:200]) from error
    if not lines:
        raise InputError("the baseline is empty", where=str(path), cure="export it again")
    manifest = _json(lines[0], f"{path}:1")
    if not isinstance(manifest.get(_KIND), int):
        raise InputError("not a baseline's file", where=f"{path}:1", expected=f'a manifest with "{_KIND}"')
    if manifest[_KIND] != SCHEMA_VERSION:
        raise InputError(
            "a baseline of another schema",
            where=str(path),
            got=str(manifest[_KIND]),
            expected=str(SCHEMA_VERSION),
        )
    cases = []
    for number, line in enumerate(lines[1:], start=2):
        data = _json(line, f"{path}:{number}")
        case = Case.from_dict(data, f"{path}:{number}")
        if data.get("hash") != case.hash:
            raise InputError(
                "a case that was changed after it was written", where=f"{path}:{number}", got=case.id[:80]
            )
        cases.append(case)
    try:
        fingerprint = Fingerprint(**manifest["fingerprint"])
        name, n_cases, whole = str(manifest["name"]), int(manifest["n_cases"]), str(manifest["hash"])
        version, note = int(manifest["version"]), str(manifest.get("note", ""))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            "not a baseline's manifest", where=f"{path}:1", got=f"{type(error).__name__}: {error}"
        ) from error
    if len(cases) != n_cases:
        raise InputError(
            "the baseline is cut",
            where=str(path),
            got=f"{len(cases)} cases",
            expected=str(n_cases),
            cure="export it again",
        )
    baseline = make_baseline(
        name, version, fingerprint, cases, note=note, created_at=str(manifest.get("created_at", ""))
    )
    if baseline.hash != whole:
        raise InputError("the baseline's hash is not that of its cases", where=f"{path}:1", got=whole[:12])
    return baseline


def _lines(baseline: Baseline) -> Iterator[str]:
    manifest = {
        _KIND: SCHEMA_VERSION,
        "name": baseline.name,
        "version": baseline.version,
        "n_cases": len(baseline.cases),
        "hash": baseline.hash,
        "fingerprint": asdict(baseline.fingerprint),
        "created_at": baseline.created_at,
        "note": baseline.note,
    }
    yield json.dumps(manifest, ensure_ascii=False)
    for case in baseline.cases:
        yield json.dumps({**case.to_dict(), "hash": case.hash}, ensure_ascii=False, allow_nan=False)


def _keep(store: Store, baseline: Baseline, by: int | None) -> BaselineRow:
    cases = [
        (case.id, json.dumps(case.to_dict(), ensure_ascii=False, allow_nan=False), case.hash)
        for case in baseline.cases
    ]
    with store.write() as session:
        return Baselines(session).add(
            baseline.name,
            fingerprint=json.dumps(asdict(baseline.fingerprint)),
            hash_=baseline.hash,
            note=baseline.note,
            cases=cases,
            reviewer_id=by,
            created_at=datetime.now(UTC),
        )


def _find(store: Store, which: str) -> BaselineRow:
    name, _, version = which.partition("@")
    if version and not (version.isdecimal() and len(version) < 10):
        raise InputError("not a version", got=version[:20], expected="NAME or NAME@NUMBER")
    with store.read() as session:
        return Baselines(session).get(name, int(version) if version else None)


def _gold_of(
    golds: dict[int, Any], results: Results, result_id: int, choice: Choice
) -> tuple[Gold | None, Provenance | None]:
    found = golds.get(result_id)
    if found is not None:
        source: Provenance = "adjudication" if found.source == "adjudication" else "agreement"
        if source == "agreement" and found.n_labels == 1:
            source = "single"
        return found.verdict, source
    if choice == "gold":
        return None, None
    said = {
        label.verdict
        for label in results.get(result_id).labels
        if not label.is_withdrawn and label.verdict != "unsure"
    }
    if len(said) != 1:
        return None, None
    return ("accept" if "accept" in said else "reject"), "single"


def _json(line: str, where: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError("not JSON", where=where, got=line[:60], cure="export it again") from error
    if not isinstance(data, dict):
        raise InputError("not an object", where=where, got=line[:60])
    return data
