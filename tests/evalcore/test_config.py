"""Profiles: what is wrong in one is found when it is loaded and named by file, rule and field."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import get_args

import pytest

from evalcore.config import Profile, load_profile, parse_profile, profile_names
from evalcore.encoder import Script
from evalcore.errors import ConfigError
from evalcore.text import scripts

DEFAULT = (resources.files("configs") / "default.yaml").read_text(encoding="utf-8")
CLASSIC = (resources.files("configs") / "classic.yaml").read_text(encoding="utf-8")


LINE_AFTER_KEEP = 2 + DEFAULT[: DEFAULT.index("  keep: 2")].count("\n")


def _changed(old: str, new: str, content: str = DEFAULT) -> str:
    assert old in content
    return content.replace(old, new, 1)


def _error(content: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        parse_profile(content, source="p.yaml")
    return caught.value


def test_the_shipped_profiles_load() -> None:
    assert {"classic", "default"} <= set(profile_names())
    for name in profile_names():
        assert load_profile(name).name == name


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        # Scores nobody makes, wherever they are spoken of.
        (
            'when: {context_relevance: "< 0.35"}',
            'when: {context_relevanec: "< 0.35"}',
            "p.yaml: policy.rules[13] (poor-retrieval).when",
            "context_relevanec",
        ),
        (
            "answers the question (relevance {relevance}).",
            "answers the question (relevance {relevanc}).",
            "p.yaml: policy.rules[17] (accept).reason",
            "relevanc",
        ),
        (
            "{score: weakest_support, at: 0.10}",
            "{score: weakest, at: 0.10}",
            "p.yaml: policy.rules[15] (weak-sentence).confidence.score",
            "weakest",
        ),
        (
            "could not be measured.",
            "could {not} be measured.",
            "p.yaml: policy.unmeasured.reason",
            "not",
        ),
        ('passed: {final: ">= 0.45"}', 'passed: {finish: ">= 0.45"}', "p.yaml: policy.passed", "finish"),
        ('- {risk: ">= 0.65"}', '- {danger: ">= 0.65"}', "p.yaml: policy.needs_review[0]", "danger"),
        (
            'suspected, when: {risk: ">= 0.65"}',
            'suspected, when: {truth: ">= 0.65"}',
            "p.yaml: policy.hallucination_status[1].when",
            "truth",
        ),
        (
            "  - type: alignment\n    weakest: 3\n    as_risk: false\n",
            "",
            "p.yaml: policy.rules[9] (unsupported).when",
            "alignment",
        ),
        # Bounds and states.
        (
            "{state: empty_query}",
            "{state: emtpy_query}",
            "p.yaml: policy.rules[1] (empty-query).when",
            "unknown state 'emtpy_query'",
        ),
        (
            "{state: empty_query}",
            "{state: [empty_query, [x]]}",
            "p.yaml: policy.rules[1] (empty-query).when",
            "unknown state",
        ),
        (
            "{state: empty_query}",
            "{state: 5}",
            "p.yaml: policy.rules[1] (empty-query).when",
            "one state or a list",
        ),
        ("{state: empty_query}", "5", "p.yaml: policy.rules[1] (empty-query).when", "mapping"),
        (
            'when: {relevance: "< 0.25"}',
            'when: {relevance: "< 0.25, > 0.5"}',
            "p.yaml: policy.rules[12] (off-topic).when",
            "relevance: contradictory bound '< 0.25, > 0.5'",
        ),
        (
            'when: {relevance: "< 0.25"}',
            'when: {relevance: "> 1.2"}',
            "p.yaml: policy.rules[12] (off-topic).when",
            "relevance: contradictory bound '> 1.2'",
        ),
        (
            'when: {relevance: "< 0.25"}',
            "when: {relevance: 0.25}",
            "p.yaml: policy.rules[12] (off-topic).when",
            "relevance: not a bound: 0.25",
        ),
        # The list of rules.
        ("id: empty-query", "id: empty-response", "p.yaml: policy", "rules[1]: two rules of one id"),
        ("id: empty-query", "id: unmeasured", "p.yaml: policy", "rules[1]: two rules of one id"),
        (
            "- id: accept\n",
            '- id: accept\n      when: {final: "> 0.1"}\n',
            "p.yaml: policy",
            "rules[17] (accept): the final rule must have no conditions",
        ),
        (
            "      when: {state: lexical_encoder}\n",
            "",
            "p.yaml: policy",
            "rules[3] (unknown-script): can never fire, since 'lexical-only' stands before it",
        ),
        (
            'when: {context_relevance: "< 0.35"}',
            'when: {relevance: "< 0.2"}',
            "p.yaml: policy",
            "rules[13] (poor-retrieval): can never fire, since 'off-topic'",
        ),
        (
            "      when: {state: lexical_encoder}\n",
            "      when: {state: [lexical_encoder, refusal]}\n",
            "p.yaml: policy.rules[4] (refusal-no-context)",
            "could accept on its word alone",
        ),
        (
            "when: {state: lexical_encoder}\n      decision: REVIEW",
            "when: {state: lexical_encoder}\n      decision: ACCEPT",
            "p.yaml: policy.rules[2] (lexical-only)",
            "could accept on its word alone",
        ),
        (
            "decision: REJECT\n      failure_type: empty_response",
            "decision: REFUSE\n      failure_type: empty_response",
            "p.yaml: policy.rules[0] (empty-response).decision",
            "'ACCEPT', 'REVIEW' or 'REJECT'",
        ),
        # Scorers.
        ("- type: alignment", "- type: weakest", "p.yaml: scorers[2].type", "no such scorer"),
        ("- type: alignment", "- kind: alignment", "p.yaml: scorers[2]", "a scorer needs a type"),
        ("- type: alignment", "- type: 5", "p.yaml: scorers[2]", "a scorer needs a type"),
        (
            "  - type: alignment\n    weakest: 3\n    as_risk: false\n",
            "  - type: alignment\n    weakest: 3\n    as_risk: false\n" * 2,
            "p.yaml: scorers[3] (alignment)",
            "a score is made twice",
        ),
        (
            "  - type: attribution\n",
            "  - {type: disagreement, of: [attribution, relevance]}\n  - type: attribution\n",
            "p.yaml: scorers[0] (disagreement)",
            "not made before it",
        ),
        (
            "{attribution: 0.70, specificity: 0.30}",
            "{attribution: 0.70, specificity: 0.20}",
            "p.yaml: scorers[4] (weighted_mean)",
            "weights must sum to 1, not 0.9",
        ),
        (
            "{whole: 0.45, best_sentence: 0.35, overlap: 0.20}",
            "{whole: 0.45, best_sentence: 0.35, overlap: 0.30}",
            "p.yaml: scorers[5] (relevance): weights",
            "weights must sum to 1, not 1.1",
        ),
        (
            "{whole: 0.45, best_sentence: 0.35, overlap: 0.20}",
            "{whole: 1.45, best_sentence: -0.65, overlap: 0.20}",
            "p.yaml: scorers[5] (relevance): weights",
            "every weight must lie in [0, 1]",
        ),
        (
            "{length: 0.40, variety: 0.60}",
            "{length: .nan, variety: 0.60}",
            "p.yaml: scorers[1] (specificity): weights.length",
            "finite number",
        ),
        (
            "{margin: 0.50, attribution: 0.30, agreement: 0.20}",
            "{margin: 0.50, attribution: 0.30, agreement: 0.10}",
            "p.yaml: policy.confidence.weights",
            "weights must sum to 1, not 0.9",
        ),
        ("margin_scale: 2.0", "margin_scale: .inf", "p.yaml: policy.confidence.margin_scale", "finite"),
        ("full_length: 80", "full_length: 0", "p.yaml: scorers[1] (specificity): full_length", "greater"),
        ("full_length: 80", "full_length: x", "p.yaml: scorers[1] (specificity): full_length", "integer"),
        (
            "lexicons: [en, ru]",
            "lexicons: [en, tlh]",
            "p.yaml: scorers[1] (specificity)",
            "no word lists for this language",
        ),
        ("hedge_list: hedges", "hedge_list: hedge", "p.yaml: scorers[1] (specificity): hedge_list", "hedges"),
        (
            "optional: [consistency]",
            "optional: [consistancy]",
            "p.yaml: scorers[9] (weighted_mean)",
            "optional names a score without a weight: consistancy",
        ),
        (
            'when: {relevance: "< 0.30"}, multiply: 0.70',
            'when: {relevance: "< 0.30"}, multiply: 0.70, cap: 0.1',
            "p.yaml: scorers[9] (weighted_mean): adjustments[0]",
            "either multiplies or caps",
        ),
        (
            'when: {relevance: "< 0.30"}, multiply',
            "when: {state: refusal}, multiply",
            "p.yaml: scorers[9] (weighted_mean): adjustments[0]",
            "not at states",
        ),
        ("name: faithfulness", "name: state", "p.yaml: scorers[4] (weighted_mean)", "may be called state"),
        ("name: faithfulness", "name: my score", "p.yaml: scorers[4] (weighted_mean): name", "pattern"),
        (
            '"Tell me about {question}."',
            '"Tell me about {topic}."',
            "p.yaml: scorers[7] (consistency): rewrites",
            "must hold {question} once",
        ),
        # Keys, types and values elsewhere.
        ("name: default\n", "name: default\nextra: 3\n", "p.yaml: extra", "a key that nothing reads"),
        ("  keep: 2", "  kept: 2", "p.yaml: evidence.kept", "a key that nothing reads"),
        ("  keep: 2", "  keep: two", "p.yaml: evidence.keep", "valid integer"),
        ("  keep: 2", "  keep: -1", "p.yaml: evidence.keep", "greater than or equal to 0"),
        ("  support: verifier\n", "", "p.yaml: evidence.support", "required"),
        ("window_words: 40", "window_words: 4", "p.yaml: text.window_words", "greater than or equal to 5"),
        ("words: unicode", "words: utf8", "p.yaml: text.words", "'ascii' or 'unicode'"),
        ("schema_version: 1", "schema_version: 2", "p.yaml: schema_version", "1"),
        ("schema_version: 1\n", "", "p.yaml: schema_version", "required"),
        ("name: default", "name: ../x", "p.yaml: name", "pattern"),
        ("name: default", "name: no", "p.yaml: name", "valid string"),
        ("backend: auto", "backend: gpu", "p.yaml: encoder.backend", "'onnx'"),
        ("scripts: [Latin]", "scripts: [latin]", "p.yaml: encoder.scripts[0]", "'Latin'"),
        (
            "backend: auto\n  precision: fp32",
            "backend: sentence-transformers\n  precision: int8",
            "p.yaml: encoder",
            "precision int8 needs the onnx backend",
        ),
        # YAML itself.
        ("name: default\n", "name: default\nname: other\n", "p.yaml:6", "'name' stands twice"),
        ("  keep: 2", "  keep: 2\n  keep: 3", f"p.yaml:{LINE_AFTER_KEEP}", "'keep' stands twice"),
        ("  keep: 2", "  keep: 2\n  7: 3", f"p.yaml:{LINE_AFTER_KEEP}", "7 is not a text"),
        ("backend: auto", "backend: [auto", "p.yaml:11", "not readable as YAML"),
        ("name: default", "\tname: default", "p.yaml:5", "not readable as YAML"),
        ("full_length: 80", "full_length: 2024-13-45", "p.yaml", "month must be in 1..12"),
        ("name: default", "name: !!python/object/apply:os.getcwd []", "p.yaml:5", "could not determine"),
        ("name: default", "name: " + "[" * 20_000, "p.yaml", "not readable as YAML"),
        ("name: default", "name: a\x07b", "p.yaml", "not readable as YAML"),
    ],
)  # fmt: skip
def test_an_error_names_its_place(old: str, new: str, where: str, message: str) -> None:
    error = _error(_changed(old, new))

    assert error.where == where
    assert message in str(error)


@pytest.mark.parametrize("content", ["", "5", "[]", "text", "# only a comment\n", "--- \n---\n"])
def test_a_profile_is_one_mapping(content: str) -> None:
    assert "p.yaml" in str(_error(content))


def test_confidence_needs_its_two_scores() -> None:
    content = (
        CLASSIC.replace("  - type: disagreement\n    of: [faithfulness, relevance, context_quality]\n", "")
        .replace('when: {disagreement: "> 0.12"}', 'when: {relevance: "< 0.40"}')
        .replace("{disagreement}", "{relevance}")
    )
    error = _error(content)

    assert (error.where, error.got) == ("p.yaml: policy.confidence", "disagreement")


def test_a_fallback_without_an_accepting_rule_needs_no_guard() -> None:
    content = _changed("fallback: none", "fallback: lexical", CLASSIC)
    assert "could accept on its word alone" in str(_error(content))

    assert parse_profile(content.replace("decision: ACCEPT", "decision: REVIEW"), source="p.yaml")


@pytest.mark.parametrize("profile", ["nosuch", "", "../default", "Default", "default.yml.bak"])
def test_an_unknown_name_lists_the_known_ones(profile: str) -> None:
    with pytest.raises(ConfigError, match=r"no such profile.*classic, default"):
        load_profile(profile)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_profile(tmp_path / "gone.yaml")
    assert caught.value.where == str(tmp_path / "gone.yaml")


@pytest.mark.parametrize("name", ["folder.yaml", "null\0byte.yaml"])
def test_what_is_no_file_is_named(tmp_path: Path, name: str) -> None:
    if "\0" not in name:
        (tmp_path / name).mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load_profile(f"{tmp_path}/{name}")


def test_bytes_that_are_not_utf8_are_placed(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(b"name: caf\xe9\n")
    with pytest.raises(ConfigError) as caught:
        load_profile(path)
    assert caught.value.where == f"{path}, byte 9"
    assert caught.value.got == "0xe9"


def test_a_file_by_path_is_the_same_profile(tmp_path: Path) -> None:
    path = tmp_path / "mine.yml"
    path.write_text("\ufeff" + DEFAULT.replace("\n", "\r\n"), encoding="utf-8")

    assert load_profile(path).hash == load_profile("default").hash == load_profile(str(path)).hash


def test_the_hash_ignores_the_description_comments_and_layout() -> None:
    def hashed(content: str) -> str:
        return parse_profile(content, source="p.yaml").hash

    assert hashed(_changed("A learned verifier of", "Another text of")) == hashed(DEFAULT)
    assert hashed("# a comment\n" + DEFAULT) == hashed(DEFAULT)
    assert hashed(_changed("{length: 0.40, variety: 0.60}", "{variety: 0.6, length: 0.4}")) == hashed(DEFAULT)
    assert hashed(_changed("  max_windows: 64\n", "")) == hashed(DEFAULT)


def test_the_hash_knows_the_order_of_rules() -> None:
    def swapped(profile: Profile) -> Profile:
        policy = profile.config.policy
        rules = (policy.rules[1], policy.rules[0], *policy.rules[2:])
        config = profile.config.model_copy(update={"policy": policy.model_copy(update={"rules": rules})})
        return Profile(config, profile.scorers, profile.source)

    profile = load_profile("default")

    assert swapped(profile).hash != profile.hash


def test_a_profile_may_name_every_script_that_texts_have() -> None:
    letters = "a б γ 水 か 한 ع ש अ ไ ა"

    assert set(scripts(letters)) == set(get_args(Script))
