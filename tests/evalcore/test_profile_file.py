"""Profiles that take over from another: what is laid over what, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalcore.config import load_profile, parse_profile, profile_data
from evalcore.errors import ConfigError

OWN = "extends: default\nschema_version: 1\nname: own\n"


def test_a_profile_that_only_extends_is_its_parent_under_another_name() -> None:
    own, parent = parse_profile(OWN, source="own.yaml"), load_profile("default")

    assert own.config.model_copy(update={"name": "default"}) == parent.config
    assert own.hash != parent.hash


def test_mappings_are_laid_over_key_by_key() -> None:
    own = parse_profile(f"{OWN}encoder: {{max_windows: 7}}\n", source="own.yaml").config

    assert own.encoder.max_windows == 7
    assert own.encoder.scripts == load_profile("default").config.encoder.scripts


def test_a_scorer_is_laid_over_the_one_of_its_type_and_name_and_a_new_one_comes_last() -> None:
    text = (
        f"{OWN}scorers:\n  - {{type: alignment, weakest: 2}}\n"
        "  - {type: weighted_mean, name: final, weights: {relevance: 0.4, faithfulness: 0.3}}\n"
        "  - {type: weighted_mean, name: mine, weights: {relevance: 1.0}}\n"
    )
    before = profile_data("default")["scorers"]
    after = parse_profile(text, source="own.yaml").config.scorers

    assert [entry["type"] for entry in after[:-1]] == [entry["type"] for entry in before]
    assert next(e for e in after if e["type"] == "alignment") == {
        "type": "alignment",
        "weakest": 2,
        "as_risk": False,
    }
    assert next(e for e in after if e.get("name") == "final")["weights"] == {
        "faithfulness": 0.3,
        "relevance": 0.4,
        "context_quality": 0.2,
        "consistency": 0.1,
    }
    assert after[-1]["name"] == "mine"


def test_any_other_list_replaces_the_whole() -> None:
    own = parse_profile(f"{OWN}encoder: {{scripts: [Greek]}}\n", source="own.yaml").config

    assert own.encoder.scripts == ("Greek",)


def test_a_path_is_meant_from_the_file_it_stands_in(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(f"{OWN}encoder: {{max_windows: 5}}\n", "utf-8")
    (tmp_path / "sub").mkdir()
    top = tmp_path / "sub" / "top.yaml"
    top.write_text("extends: ../base.yaml\nname: top\n", "utf-8")

    assert load_profile(top).config.encoder.max_windows == 5
    assert load_profile(top).name == "top"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("extends: nosuch\n", r"no such profile.*nosuch"),
        ("extends: [a, b]\n", r"extends names a profile.*own\.yaml: extends"),
        ("extends: gone.yaml\n", r"cannot be read.*gone\.yaml"),
        (f"{OWN}encoder: {{modell: x}}\n", r"own\.yaml: encoder\.modell"),
    ],
)
def test_what_cannot_be_extended_says_where(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        parse_profile(text, source="own.yaml")


def test_profiles_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.yaml").write_text(f"extends: {other}.yaml\nname: {name}\n", "utf-8")

    with pytest.raises(ConfigError, match=r"extends itself.*a\.yaml > .*b\.yaml > .*a\.yaml"):
        load_profile(tmp_path / "a.yaml")
