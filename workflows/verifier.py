"""The verifier's head: refitted to a team's labels, kept in numbered versions, taken back."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from db.engine import Store
from db.repositories.gold import Gold, Golds
from db.repositories.labels import Labels, RatedItem
from db.repositories.results import Results
from db.repositories.sentences import SentenceLabels
from evalcore.config import load_profile, parse_profile, profile_data, profile_text
from evalcore.errors import ConfigError, InputError
from evalcore.evaluator import Evaluator
from evalcore.sample import Sample
from evalcore.scorers.base import grounding_gap
from evalcore.scorers.verifier import VerifierScorer
from evalcore.verifier.features import sentence_features
from evalcore.verifier.fit import LabelledAnswer, fit_head
from evalcore.verifier.head import Head
from evalcore.verifier.validate import Validation, cross_validate

CURRENT = "current.yaml"
HISTORY = "history.jsonl"
GROUNDING_FAILURES = (None, "", "none", "hallucination", "weak_grounding", "unsupported")
"""Failure types of a reject that speak of support; one for another reason says nothing of it."""
_CHUNK = 16


@dataclass(frozen=True, kw_only=True)
class JudgedSample:
    """A sample, people's verdict on it, and stretches of the response they judged on their own."""

    sample: Sample
    supported: bool
    stretches: tuple[tuple[int, int, bool], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """What there is to learn from, and how much was left out, by reason."""

    samples: tuple[JudgedSample, ...]
    left_out: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class FitReport:
    """What came of a refit. ``version`` is the one written; None for a dry run or one that is no better."""

    n_answers: int
    n_unsupported: int
    left_out: Mapping[str, int]
    validation: Validation
    head: Head
    kept: bool
    version: str | None
    profile: Path | None


def labels_in_store(store: Store) -> Labelled:
    """Answers that are accepted, or rejected for want of support, with what was said of their sentences.

    What a lead settled counts as settled; elsewhere the reviewers have to agree. Labels taken back count for
    nothing. An answer judged by its sentences alone is supported when all of those are.
    """
    with store.read() as session:
        by_result: dict[int, list[RatedItem]] = {}
        for item in Labels(session).pairs():
            by_result.setdefault(item.result_id, []).append(item)
        settled = {g.result_id: g for g in Golds(session).all() if g.source == "adjudication"}
        sentences: dict[int, dict[int, set[str]]] = {}
        for said in SentenceLabels(session).all_current():
            sentences.setdefault(said.result_id, {}).setdefault(said.idx, set()).add(said.verdict)
        left_out: Counter[str] = Counter()
        samples: dict[str, JudgedSample] = {}
        results = Results(session)
        for result_id in sorted(by_result.keys() | settled.keys() | sentences.keys()):
            agreed = _agreed_sentences(sentences.get(result_id, {}))
            if result_id in settled:
                verdict = _settled_verdict(settled[result_id])
            elif result_id in by_result:
                verdict = _verdict(by_result[result_id])
            else:
                verdict = all(agreed.values()) if agreed else "no sentence says supported or unsupported"
            if isinstance(verdict, str):
                left_out[verdict] += 1
                continue
            stored = results.get(result_id)
            spans = {s.index: (s.start, s.end) for s in stored.result.sentences}
            stretches = tuple((*spans[idx], supported) for idx, supported in agreed.items())
            # The same answer under two profiles is one answer.
            samples[stored.sample.content_hash] = JudgedSample(
                sample=stored.sample, supported=verdict, stretches=stretches
            )
    return Labelled(samples=tuple(samples.values()), left_out=dict(left_out))


def labels_in_file(path: Path) -> Labelled:
    """Answers of a JSONL file.

    Each line has ``query``, ``context`` or ``contexts``, ``response``, ``label`` (``supported`` or
    ``unsupported``) and perhaps ``sentence_labels`` (``start``, ``end``, ``label``).

    Raises
    ------
    InputError
        When the file cannot be read or a line is not so; names the line.
    """
    samples = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("the file of labels cannot be read", where=str(path), got=str(error)) from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                samples.append(_judged(json.loads(line)))
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    "not a labelled answer",
                    where=f"{path}:{number}",
                    got=f"{type(error).__name__}: {error}",
                    expected="query, context or contexts, response, label: supported or unsupported",
                ) from error
    return Labelled(samples=tuple(samples), left_out={})


def answers_of(gate: Evaluator, samples: Sequence[JudgedSample]) -> Iterator[LabelledAnswer]:
    """The features of the samples' claims; a sample with nothing to hold against its contexts is left out."""
    verifier = _scorer_of(gate).verifier
    for first in range(0, len(samples), _CHUNK):
        chunk = samples[first : first + _CHUNK]
        readings = gate.read([judged.sample for judged in chunk])
        for judged, (answer, similarity) in zip(chunk, readings, strict=True):
            if grounding_gap(answer) or not answer.sentences:
                continue
            features = sentence_features(answer, similarity, verifier)
            places = [place for place, claims in enumerate(answer.claims) if claims]
            told = []
            for row, place in enumerate(places):
                span = answer.sentences[place]
                over = [ok for a, b, ok in judged.stretches if a < span.end and b > span.start]
                if over:
                    told.append((row, all(over)))
            yield LabelledAnswer(
                features=features[np.array(places)],
                supported=judged.supported,
                document=hashlib.sha256("\n".join(answer.sample.contexts).encode("utf-8")).hexdigest(),
                claims=tuple(told),
            )


def refit(labelled: Labelled, *, profile: str | Path, folder: Path, dry_run: bool) -> FitReport:
    """Refit the head of a profile; write the next version if it is better and this is no dry run.

    Parameters
    ----------
    labelled : Labelled
    profile : str or Path
        The profile whose head is the start, by name or by its file.
    folder : Path
        Where the versions lie: ``v001.yaml`` and so on, ``current.yaml``, ``history.jsonl``.
    dry_run : bool
        Tell and write nothing.

    Raises
    ------
    InputError
        With too few labels, or labels of one kind only.
    ConfigError
        When the profile has no verifier.
    """
    gate = Evaluator.from_profile(profile)
    start = head_of(gate)
    answers = list(answers_of(gate, labelled.samples))
    validation = cross_validate(answers, start)
    head = fit_head(answers, start)
    version = written = None
    if validation.is_better and not dry_run:
        version = f"v{len(history(folder)) + 1:03d}"
        text = _profile_with(gate, head, version, validation, len(answers))
        written = _write(folder, version, text, str(gate.profile.source), validation, len(answers))
    return FitReport(
        n_answers=len(answers), n_unsupported=sum(not answer.supported for answer in answers),
        left_out=labelled.left_out, validation=validation, head=head, kept=validation.is_better,
        version=version, profile=written,
    )  # fmt: skip


def head_of(gate: Evaluator) -> Head:
    """The head a gate's profile uses.

    Raises
    ------
    ConfigError
        When it has no verifier.
    """
    return _scorer_of(gate).head


def _scorer_of(gate: Evaluator) -> VerifierScorer:
    for scorer in gate.profile.scorers:
        if isinstance(scorer, VerifierScorer):
            return scorer
    raise ConfigError(
        "this profile has no verifier to refit",
        where=gate.profile.source,
        cure="name a profile with a scorer of type verifier, such as default",
    )


def history(folder: Path) -> list[dict[str, Any]]:
    """What was written, oldest first: one entry a version and one for each time a version was taken back."""
    file = folder / HISTORY
    if not file.is_file():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def current_version(folder: Path) -> str | None:
    """The version that ``current.yaml`` holds; None where there is none or it was taken back."""
    entries = history(folder)
    return entries[-1]["current"] if entries else None


def revert(folder: Path) -> str:
    """Take the current version back: ``current.yaml`` becomes the one before it, at last the first start.

    Returns what it is now: a version, or the profile the first version was fitted from.

    Raises
    ------
    InputError
        When no version is in force.
    """
    now = current_version(folder)
    if now is None:
        raise InputError("there is no version to take back", where=str(folder))
    fitted = {entry["version"]: entry for entry in history(folder) if entry["kind"] == "fit"}
    before: str | None = fitted[now]["before"]
    if before is None:
        text = _whole_text(fitted[now]["start"])
        (folder / CURRENT).write_text(text, encoding="utf-8")
    else:
        (folder / CURRENT).write_text(
            (folder / f"{before}.yaml").read_text(encoding="utf-8"), encoding="utf-8"
        )
    _log(folder, {"kind": "revert", "version": now, "current": before})
    return before or str(fitted[now]["start"])


def _whole_text(profile: str) -> str:
    """A profile as it stands, or, where it takes over from another, which a copy might not find, in full."""
    text = profile_text(profile)
    if "extends" not in yaml.safe_load(text):
        return text
    return yaml.safe_dump(profile_data(profile), sort_keys=False, allow_unicode=True, width=110)


def _agreed_sentences(said: Mapping[int, set[str]]) -> dict[int, bool]:
    """Sentences on which all agree that they are supported, or that they are not."""
    return {
        idx: verdicts == {"supported"}
        for idx, verdicts in sorted(said.items())
        if verdicts in ({"supported"}, {"unsupported"})
    }


def _settled_verdict(gold: Gold) -> bool | str:
    if gold.verdict == "accept":
        return True
    return False if gold.failure_type in GROUNDING_FAILURES else "rejected for another reason than support"


def _verdict(items: Sequence[RatedItem]) -> bool | str:
    verdicts = {item.verdict for item in items} - {"unsure"}
    if not verdicts:
        return "unsure"
    if len(verdicts) > 1:
        return "reviewers disagree"
    if verdicts == {"accept"}:
        return True
    if any(item.failure_type in GROUNDING_FAILURES for item in items if item.verdict == "reject"):
        return False
    return "rejected for another reason than support"


def _judged(row: Any) -> JudgedSample:
    if row["label"] not in ("supported", "unsupported"):
        raise ValueError(f"label is {row['label']!r}")
    contexts = row["contexts"] if "contexts" in row else row["context"]
    return JudgedSample(
        sample=Sample(
            query=str(row.get("query") or ""),
            contexts=(contexts,) if isinstance(contexts, str) else tuple(contexts),
            response=row["response"],
        ),
        supported=row["label"] == "supported",
        stretches=tuple(
            (int(s["start"]), int(s["end"]), s["label"] == "supported")
            for s in row.get("sentence_labels") or ()
        ),
    )


def _profile_with(gate: Evaluator, head: Head, version: str, validation: Validation, n: int) -> str:
    data = profile_data(gate.profile.source)
    data["name"] = f"{data['name'].split('.v')[0]}.{version}"
    for entry in data["scorers"]:
        if entry["type"] == "verifier":
            entry["head"] = head.model_dump()
    interval = f"[{validation.gain_low:.4f}, {validation.gain_high:.4f}]"
    comment = (
        f"# Head fitted on {n} labelled answers of {validation.n_documents} documents.\n"
        f"# On documents left out the mean log loss fell by {validation.gain:.4f} {interval}.\n"
    )
    text = comment + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)
    parse_profile(text, source=version)
    return text


def _write(folder: Path, version: str, text: str, start: str, validation: Validation, n: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    before = current_version(folder)
    (folder / f"{version}.yaml").write_text(text, encoding="utf-8")
    (folder / CURRENT).write_text(text, encoding="utf-8")
    _log(
        folder,
        {
            "kind": "fit", "version": version, "current": version, "before": before, "start": start,
            "profile_hash": load_profile(folder / CURRENT).hash, "n_answers": n,
            "gain": validation.gain, "gain_low": validation.gain_low, "gain_high": validation.gain_high,
        },
    )  # fmt: skip
    return folder / CURRENT


def _log(folder: Path, entry: dict[str, Any]) -> None:
    entry = {"at": datetime.now(UTC).isoformat(timespec="seconds"), **entry}
    with (folder / HISTORY).open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry, ensure_ascii=False) + "\n")
