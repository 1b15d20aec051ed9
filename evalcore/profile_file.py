"""Profile files: which there are, their YAML read strictly, and what one takes over from another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from evalcore.errors import ConfigError


def profile_names() -> list[str]:
    """Names of the profiles that ship with Proofdesk."""
    return sorted(
        entry.name.removesuffix(".yaml")
        for entry in resources.files("configs").iterdir()
        if entry.name.endswith(".yaml")
    )


def profile_text(profile: str | Path) -> str:
    """The YAML text of a shipped profile or a profile file; raises as :func:`load_profile` does."""
    text = str(profile)
    if text.endswith((".yaml", ".yml")):
        file: Path | Traversable = Path(text)
    elif text in profile_names():
        file = resources.files("configs") / f"{text}.yaml"
    else:
        raise ConfigError(
            "no such profile",
            got=text,
            expected=f"{', '.join(profile_names())}, or a path ending in .yaml",
        )
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(
            "the profile is not UTF-8",
            where=f"{text}, byte {error.start}",
            got=f"0x{error.object[error.start]:02x}",
            cure="save the file as UTF-8",
        ) from error
    except (OSError, ValueError) as error:
        raise ConfigError("the profile cannot be read", where=text, got=str(error)) from error


def profile_data(profile: str | Path) -> dict[str, Any]:
    """The settings of a profile as plain values, those it takes over from another filled in."""
    source = str(profile)
    return resolved(profile_text(source), source)


def resolved(content: str, source: str, seen: tuple[str, ...] = ()) -> dict[str, Any]:
    """The settings of YAML text over those of the profile that ``extends`` names, if it names one.

    Mappings are laid over each other key by key, scorers by type and name; any other list replaces the whole.
    ``source`` is what messages call the text, and where a path in ``extends`` starts from.

    Raises
    ------
    ConfigError
        For text that is not YAML, a key that stands twice, and a profile to extend that cannot be had.
    """
    own = _read_yaml(content, source)
    if "extends" not in own:
        return own
    parent = own.pop("extends")
    where = f"{source}: extends"
    if not isinstance(parent, str) or not parent:
        raise ConfigError("extends names a profile", where=where, got=repr(parent))
    if parent.endswith((".yaml", ".yml")):
        # A path is meant from the file it stands in.
        parent = str(Path(source).parent / parent)
    if parent in (*seen, source):
        chain = " > ".join([*seen, source, parent])
        raise ConfigError("a profile that extends itself", where=where, got=chain)
    base = resolved(profile_text(parent), parent, (*seen, source))
    return _overlaid(base, own)


def _overlaid(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """``own`` over ``base``: mappings key by key, scorers by type and name, any other list as a whole."""
    found = dict(base)
    for key, value in own.items():
        old = found.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            found[key] = _overlaid(old, value)
        elif key == "scorers" and isinstance(value, list) and isinstance(old, list):
            found[key] = _with_scorers(old, value)
        else:
            found[key] = value
    return found


def _with_scorers(base: Sequence[Any], own: Sequence[Any]) -> list[Any]:
    found = list(base)
    for entry in own:
        same = [i for i, other in enumerate(found) if _scorer_key(other) == _scorer_key(entry) is not None]
        if same:
            found[same[0]] = _overlaid(found[same[0]], entry)
        else:
            found.append(entry)
    return found


def _scorer_key(entry: Any) -> tuple[Any, Any] | None:
    return (entry.get("type"), entry.get("name")) if isinstance(entry, dict) else None


class _StrictLoader(yaml.SafeLoader):
    """Refuses a key that stands twice in one mapping, of which plain YAML keeps the last in silence."""


def _mapping_without_repeats(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise yaml.constructor.ConstructorError(None, None, f"{key!r} is not a text", key_node.start_mark)
        if key in found:
            raise yaml.constructor.ConstructorError(None, None, f"{key!r} stands twice", key_node.start_mark)
        found[key] = loader.construct_object(value_node, deep=True)
    return found


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping_without_repeats)


def _read_yaml(content: str, source: str) -> dict[str, Any]:
    try:
        data = yaml.load(content, _StrictLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{source}:{mark.line + 1}" if mark else source
        problem = str(getattr(error, "problem", None) or error)
        raise ConfigError("not readable as YAML", where=place, got=problem) from error
    except (ValueError, RecursionError) as error:
        # The loader turns what looks like a date or a number into one, and some only look like it.
        raise ConfigError("not readable as YAML", where=source, got=str(error)) from error
    if not isinstance(data, dict):
        raise ConfigError("a profile is a mapping", where=source, got=type(data).__name__)
    return data
