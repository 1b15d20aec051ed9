"""Profiles: one YAML file says how answers are read, scored and decided."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evalcore.answer import TextConfig
from evalcore.conditions import When
from evalcore.encoder import EncoderConfig
from evalcore.errors import ConfigError
from evalcore.evidence import EvidenceConfig
from evalcore.policy import PolicyConfig
from evalcore.profile_file import profile_data, profile_names, profile_text, resolved
from evalcore.result import Verdict
from evalcore.scorers.base import SCORERS, Scorer

__all__ = [
    "Profile",
    "ProfileConfig",
    "StatesConfig",
    "load_profile",
    "parse_profile",
    "profile_data",
    "profile_names",
    "profile_text",
]


class StatesConfig(BaseModel):
    """The ``states`` section: when an answer is in a state of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    unknown_script_above: float = Field(default=0.25, ge=0, le=1)
    """Share of letters outside the encoder's scripts from which the language counts as unknown."""


class GuaranteeRecord(BaseModel):
    """The ``guarantee`` section: what the threshold in the rules stands on. It changes no result.

    At most ``alpha`` of the answers with risk up to ``threshold`` are wrong, with confidence 1 - ``delta``,
    by ``labels`` labels of a fair sample of the answers of the gate ``fingerprint``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    date: date
    fingerprint: str
    threshold: float = Field(ge=0, le=1)
    alpha: float = Field(gt=0, lt=1)
    delta: float = Field(gt=0, lt=1)
    method: Literal["learn_then_test", "conformal"]
    labels: int = Field(ge=0)
    labels_passed: int = Field(ge=0)
    labels_wrong: int = Field(ge=0)
    error_bound: float | None = Field(default=None, ge=0, le=1)
    coverage: float = Field(ge=0, le=1)


class ProfileConfig(BaseModel):
    """A profile file, validated."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal[1]
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$")
    description: str = Field(min_length=1)
    encoder: EncoderConfig
    text: TextConfig
    states: StatesConfig = StatesConfig()
    scorers: tuple[dict[str, Any], ...] = Field(min_length=1)
    evidence: EvidenceConfig
    policy: PolicyConfig
    guarantee: GuaranteeRecord | None = None


@dataclass(frozen=True)
class Profile:
    """A loaded profile: its validated content, its scorers and the hash that names them.

    Examples
    --------
    >>> profile = load_profile("classic")
    >>> profile.name, len(profile.config.policy.rules)
    ('classic', 10)
    """

    config: ProfileConfig
    scorers: tuple[Scorer, ...]
    source: str

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.config.name

    @cached_property
    def hash(self) -> str:
        """SHA-256 in hex over all settings, defaults included, and the phrase lists; not the prose."""
        content = self.config.model_dump(mode="json", exclude={"description", "scorers", "guarantee"})
        content["scorers"] = [
            {"type": entry["type"], **scorer.config.model_dump(mode="json")}
            for entry, scorer in zip(self.config.scorers, self.scorers, strict=True)
        ]
        content["lexicons"] = _lexicon_hash()
        text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


@cache
def _lexicon_hash() -> str:
    """Hash over the phrase and abbreviation lists, which decide what is a sentence, a hedge and a refusal."""
    digest = hashlib.sha256()
    folder = resources.files("configs") / "lexicons"
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".yaml"):
            digest.update(entry.name.encode("utf-8") + b"\n" + entry.read_bytes())
    return digest.hexdigest()


def load_profile(profile: str | Path) -> Profile:
    """Load a shipped profile by name, or any profile by the path of its file.

    Parameters
    ----------
    profile : str or Path
        A name without a slash and an ending, or a path that ends in ``.yaml`` or ``.yml``.

    Raises
    ------
    ConfigError
        When there is no such profile or something in it is wrong; the message names file, place and cure.
    """
    return parse_profile(profile_text(profile), source=str(profile))


def parse_profile(content: str, *, source: str) -> Profile:
    """Read a profile from YAML text; ``source`` is what messages call it."""
    data = resolved(content, source)
    try:
        config = ProfileConfig.model_validate(data)
    except ValidationError as error:
        raise _config_error(error, data, source) from error
    scorers = _make_scorers(config.scorers, source)
    produced = [name for scorer in scorers for name in scorer.produces]
    unknown = config.policy.unknown_scores(produced)
    if unknown:
        place, name = unknown[0]
        raise ConfigError(
            "a score that no scorer of this profile makes",
            where=f"{source}: policy.{place}",
            got=name,
            expected=", ".join(produced),
        )
    _check_lexical_guard(config, source)
    return Profile(config, scorers, source)


def _make_scorers(entries: Sequence[Mapping[str, Any]], source: str) -> tuple[Scorer, ...]:
    scorers: list[Scorer] = []
    produced: set[str] = set()
    for number, entry in enumerate(entries):
        where = f"{source}: scorers[{number}]"
        kind = entry.get("type")
        if not isinstance(kind, str):
            raise ConfigError("a scorer needs a type", where=where, expected=", ".join(SCORERS))
        maker = SCORERS.get(kind, where=f"{where}.type")
        settings = {key: value for key, value in entry.items() if key != "type"}
        try:
            scorer = maker(maker.Config.model_validate(settings))
        except ValidationError as error:
            raise _config_error(error, settings, f"{where} ({kind})") from error
        except ConfigError as error:
            raise ConfigError(
                error.what,
                where=f"{where} ({kind})",
                got=error.got,
                expected=error.expected,
                cure=error.cure,
            ) from error
        missing = [name for name in scorer.requires if name not in produced]
        if missing:
            raise ConfigError(
                "a scorer looks at a score that is not made before it",
                where=f"{where} ({kind})",
                got=", ".join(missing),
                cure="move it below the scorer that makes them",
            )
        twice = [name for name in scorer.produces if name in produced]
        if twice:
            raise ConfigError("a score is made twice", where=f"{where} ({kind})", got=", ".join(twice))
        produced.update(scorer.produces)
        scorers.append(scorer)
    return tuple(scorers)


def _check_lexical_guard(config: ProfileConfig, source: str) -> None:
    """Words alone must never pass an answer: a rule for that state has to stand before any ACCEPT."""
    if config.encoder.fallback != "lexical" and config.encoder.backend != "lexical":
        return
    for number, rule in enumerate(config.policy.rules):
        if rule.decision is not Verdict.ACCEPT:
            if rule.when == When(states=("lexical_encoder",)):
                return
        else:
            raise ConfigError(
                "this profile may run on the lexical encoder and could accept on its word alone",
                where=f"{source}: policy.rules[{number}] ({rule.id})",
                cure='put a rule "when: {state: lexical_encoder}" that does not accept before every ACCEPT',
            )


def _config_error(error: ValidationError, data: Any, source: str) -> ConfigError:
    """The first problem of a validation, with its place as one would look for it in the file."""
    first = error.errors(include_url=False)[0]
    place = ""
    at: Any = data
    for step in first["loc"]:
        if isinstance(step, int):
            place += f"[{step}]"
            at = at[step] if isinstance(at, list | tuple) and step < len(at) else None
            if isinstance(at, dict) and isinstance(at.get("id"), str):
                place += f" ({at['id']})"
        else:
            place += f".{step}" if place else step
            at = at.get(step) if isinstance(at, dict) else None
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = "a key that nothing reads"
    got = None if at is None or isinstance(at, dict | list) else repr(at)
    more = f"{len(error.errors()) - 1} more in this file" if len(error.errors()) > 1 else None
    return ConfigError(message, where=f"{source}: {place}" if place else source, got=got, cure=more)
