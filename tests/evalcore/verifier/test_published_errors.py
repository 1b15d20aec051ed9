"""Published verifiers that cannot be used: each fault has its own message, and none reaches the network."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertModel

from evalcore.errors import VerifierError
from evalcore.verifier.base import ClaimPair, Verifier
from evalcore.verifier.published import PublishedVerifier, load_verifier
from tests.evalcore.verifier.published_models import (
    POSITIONS,
    VOCABULARY,
    pair_classifier,
    save_tokenizer,
    token_classifier,
)

NLI_LABELS = ("contradiction", "entailment", "neutral")
PAIR = ClaimPair("The oak is tall.", "The oak is good.")


def _load(model: str | Path, kind: str = "nli", **settings: object) -> Verifier:
    settings.setdefault("max_tokens", 32)
    return load_verifier(PublishedVerifier(kind=kind, model=str(model), **settings))


def _fault(model: str | Path, kind: str = "nli", **settings: object) -> VerifierError:
    with pytest.raises(VerifierError) as caught:
        _load(model, kind, **settings)
    return caught.value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return pair_classifier(tmp_path / "model", NLI_LABELS, 1)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def hub_cache(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a model that lies in the hub's cache, with a tag ``v1`` and no main branch."""
    cache, commit = tmp_path / "hub", "0123456789abcdef0123456789abcdef01234567"
    repository = cache / "models--team--checker"
    shutil.copytree(folder, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "v1").write_text(commit)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))
    return "team/checker"


@pytest.mark.usefixtures("no_network")
def test_a_model_of_the_hub_cache_is_found_by_id_and_revision(hub_cache: str, folder: Path) -> None:
    found = _load(hub_cache, revision="v1")

    assert found.info.name == hub_cache
    assert found.info.weights_hash == _load(folder).info.weights_hash
    assert found.verify([PAIR])[0] > 0.5


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize(
    ("model", "revision"),
    [
        ("team/checker", None),
        ("team/checker", "v2"),
        ("nobody/nothing-here", None),
        ("not an id", None),
        ("./no-such-folder", None),
        ("~/no-such-folder-here", None),
        ("C:\\models\\checker", None),
    ],
)
def test_a_model_that_is_not_here_is_said_at_once(hub_cache: str, model: str, revision: str | None) -> None:
    error = _fault(model, revision=revision)

    assert model in str(error)
    assert "folder" in str(error.cure)


@pytest.mark.usefixtures("no_network")
def test_a_folder_loads_without_a_word(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _load(folder).verify([PAIR, ClaimPair("the oak is tall " * 300, "the oak " * 300)])

    assert capfd.readouterr() == ("", "")


def test_a_folder_has_no_revisions(folder: Path) -> None:
    assert "revision" in str(_fault(folder, revision="v1"))


def test_a_model_of_another_kind_is_named_with_the_kind_it_is(folder: Path, tmp_path: Path) -> None:
    tokens = token_classifier(tmp_path / "tokens", ("LABEL_0", "LABEL_1"))
    headless = tmp_path / "headless"
    BertModel(BertConfig(vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=1,
                         num_attention_heads=1, intermediate_size=16)).save_pretrained(headless)  # fmt: skip
    save_tokenizer(headless)

    assert "kind: token_classifier" in str(_fault(tokens, "cross_encoder").cure)
    assert "kind: nli" in str(_fault(folder, "token_classifier").cure)
    assert _fault(headless).got == "BertModel"
    assert _fault(pair_classifier(tmp_path / "one", ["LABEL_0"])).cure == "set kind: cross_encoder"


@pytest.mark.parametrize(
    ("labels", "settings"),
    [
        (("LABEL_0", "LABEL_1"), {}),
        (("red", "green"), {}),
        (("supported", "entailment"), {}),
        (("red", "green"), {"supported_label": "blue"}),
        (("red", "green"), {"supported_label": 2}),
        (("red", "green"), {"supported_label": -1}),
        (("red", "RED"), {"supported_label": "red"}),
    ],
)
def test_labels_that_decide_nothing_are_listed(
    tmp_path: Path, labels: tuple[str, ...], settings: dict[str, object]
) -> None:
    message = str(_fault(pair_classifier(tmp_path, labels), "cross_encoder", **settings))

    assert "supported_label" in message
    assert all(f"{index}: {label}" in message for index, label in enumerate(labels))


def test_a_token_classifiers_labels_are_listed_too(tmp_path: Path) -> None:
    message = str(_fault(token_classifier(tmp_path, ("PER", "LOC", "O")), "token_classifier"))

    assert "unsupported_label" in message
    assert "0: PER, 1: LOC, 2: O" in message


@pytest.mark.parametrize("size", [0, 40, 2000])
def test_weights_cut_short_are_broken(folder: Path, size: int) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:size])

    assert str(folder) in str(_fault(folder))


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_file_that_is_missing(folder: Path, name: str) -> None:
    (folder / name).unlink()
    error = _fault(folder)

    assert str(folder) in str(error)
    assert error.cure


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"model_type": "bert", "architectures": 3}', "\x00"])
def test_a_configuration_that_is_none(folder: Path, content: str) -> None:
    (folder / "config.json").write_text(content)

    assert "config" in str(_fault(folder))


def test_weights_that_lack_the_head_or_have_another_shape_are_not_made_up(folder: Path) -> None:
    file = folder / "model.safetensors"
    weights = load_file(file)
    save_file({k: v for k, v in weights.items() if "classifier" not in k}, file, {"format": "pt"})
    headless = _fault(folder)
    save_file({**weights, "classifier.weight": torch.zeros(5, 16)}, file, {"format": "pt"})

    assert "classifier" in str(headless.got)
    assert str(folder) in str(_fault(folder))


def test_a_tokenizer_that_is_missing_broken_or_of_another_model(folder: Path) -> None:
    file = folder / "tokenizer.json"
    content = file.read_text()
    file.write_text(content.replace('"good": 17', '"good": 1700'))
    foreign = _fault(folder)
    file.write_text(content[:100])
    broken = _fault(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        (folder / name).unlink(missing_ok=True)

    assert "1700" in str(foreign.got)
    assert "cannot be loaded" in broken.what
    assert "tokenizer" in str(_fault(folder))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_figures_that_are_not_numbers_are_an_error_not_a_score(folder: Path, value: float) -> None:
    file = folder / "model.safetensors"
    weights = load_file(file)
    weights["classifier.bias"][0] = value
    save_file(weights, file, {"format": "pt"})
    verifier = _load(folder)

    with pytest.raises(VerifierError) as caught:
        verifier.verify([PAIR])

    assert str(folder) in str(caught.value)
    assert caught.value.cure
    assert verifier.verify([]).shape == (0,)


def test_no_more_tokens_than_the_model_has_positions_for(folder: Path) -> None:
    longest = _load(folder, max_tokens=POSITIONS)
    error = _fault(folder, max_tokens=POSITIONS + 1)

    assert np.isfinite(longest.verify([ClaimPair("the oak is tall " * 300, "the oak " * 300)])).all()
    assert error.expected == f"at most {POSITIONS}"


def test_a_prompt_that_leaves_no_room(folder: Path) -> None:
    assert "prompt" in str(_fault(folder, prompt="the oak is tall " * 8 + "{evidence}"))


def test_a_model_with_code_of_its_own_is_refused_and_its_code_not_run(folder: Path, tmp_path: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "HHEMv2", "auto_map": {"AutoModelForSequenceClassification": "code.Model"}}
    (folder / "config.json").write_text(json.dumps(config))
    trace = tmp_path / "ran"
    (folder / "code.py").write_text(f"open({str(trace)!r}, 'w')")
    error = _fault(folder, "cross_encoder")
    config |= {"model_type": "unheard-of", "auto_map": None}
    (folder / "config.json").write_text(json.dumps(config))

    assert "never run" in error.what
    assert "hhem-1.0-open" in str(error.cure)
    assert not trace.exists()
    assert "transformers" in _fault(folder).what
