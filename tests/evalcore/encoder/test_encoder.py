"""The encoders: two runtimes, one vector; nothing cut in silence; what happens when there is no model."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from evalcore.config import parse_profile
from evalcore.encoder import EncoderConfig, load_encoder, onnx, prepare_encoder, sentence_transformer
from evalcore.encoder.base import Encoder, Vectors
from evalcore.encoder.lexical import LexicalEncoder
from evalcore.encoder.neural import NeuralEncoder
from evalcore.encoder.weights import ModelFolder, locate
from evalcore.errors import EncoderError
from evalcore.evaluator import Evaluator
from evalcore.result import Verdict
from evalcore.sample import Sample
from tests.evalcore.test_config import DEFAULT
from tests.shared_data import ROOT

ORDINARY = (
    "Fuse F3 (10 A) protects the circulation pump.",
    "The library opens at nine o'clock and closes at eight.",
    "Return the device within fourteen days, in its box.",
    "Warm water leaves the boiler at 55 °C.",
    "She was hired in 2019 and promoted two years later.",
    "The invoice is due thirty days after delivery.",
    "No food or drink is allowed in the reading room.",
    "The painting was restored after the flood.",
    "Calibrate the balance before every series of measurements.",
    "Annual leave must be requested in writing.",
)
LONG = " ".join(f"Line {i} of the log says that pump {i % 7} ran for {i} minutes." for i in range(120))
ODD = (
    "a", ".", "!?", "…", "\u200bzero\u200bwidth", "UPPER lower", "naïve café Ünïcödé", "1234567890",
    "Мост построен в 1901 году.", "水泵由保险丝保护。", "المضخة محمية", "🔧🔥 fixed 👍🏽", "x" * 10_000,
    "a b " * 900, "\t tabs\nand\r\nlines \n", "<script>alert(1)</script>", "| a | b |\n|---|---|",
    "e\u0301 combining", LONG,
)  # fmt: skip


@pytest.fixture(scope="module")
def folder() -> ModelFolder:
    return locate("bundled")


@pytest.fixture(scope="module")
def onnx_encoder() -> Encoder:
    return load_encoder(EncoderConfig(backend="onnx"), threads=2)


def _neural(folder: ModelFolder, **options: object) -> tuple[NeuralEncoder, list[str]]:
    """The ONNX encoder with a list of the texts that were really run."""
    info, run = onnx.load(folder, "fp32")
    ran: list[str] = []

    def noted(text: str) -> Vectors:
        ran.append(text)
        return run(text)

    encoder = NeuralEncoder(info, tokenizer_file=folder.path / "tokenizer.json", run=noted, **options)  # type: ignore[arg-type]
    return encoder, ran


def _vectors(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    return encoder.encode([texts])[0].vectors


def test_onnx_equals_sentence_transformers(onnx_encoder: Encoder) -> None:
    texts = [*ORDINARY, *ODD]
    other = load_encoder(EncoderConfig(backend="sentence-transformers"))

    difference = np.abs(_vectors(onnx_encoder, texts) - _vectors(other, texts))

    assert len(texts) >= 20
    assert difference.max() < 1e-4
    assert {onnx_encoder.info.backend, other.info.backend} == {"onnxruntime", "sentence-transformers"}
    assert onnx_encoder.info.weights_hash == other.info.weights_hash


def test_truncation_is_the_same_under_both_runtimes(folder: ModelFolder) -> None:
    ours = _vectors(_neural(folder, overflow="truncate")[0], [LONG])
    theirs = sentence_transformer.load(folder)[1](LONG)

    assert np.abs(ours[0] - theirs).max() < 1e-4


def test_int8_stays_near_fp32(onnx_encoder: Encoder) -> None:
    small = load_encoder(EncoderConfig(backend="onnx", precision="int8"))

    cosines = np.sum(_vectors(onnx_encoder, ORDINARY) * _vectors(small, ORDINARY), axis=1)

    assert cosines.min() >= 0.98
    assert small.info.precision == "int8"


def test_vectors_have_unit_length(onnx_encoder: Encoder) -> None:
    lengths = np.linalg.norm(_vectors(onnx_encoder, [*ORDINARY, *ODD]), axis=1)

    assert np.abs(lengths - 1).max() < 1e-5


def test_no_text_and_no_token(onnx_encoder: Encoder) -> None:
    nothing, blank = onnx_encoder.encode([[], ["", "  \n", "\u200b"]])

    assert nothing.vectors.shape[0] == 0
    assert not blank.vectors.any()
    assert blank.n_tokens == (0, 0, 0)


def test_equal_texts_are_run_once_and_remembered(folder: ModelFolder) -> None:
    encoder, ran = _neural(folder)

    encoder.encode([["a fuse", "a pump", "a fuse"], ["a pump"]])
    encoder.encode([["a fuse"]])

    assert sorted(ran) == ["a fuse", "a pump"]
    encoder.clear_cache()
    encoder.encode([["a fuse"]])
    assert ran.count("a fuse") == 2


def test_the_cache_is_bounded_and_drops_the_least_recently_used(folder: ModelFolder) -> None:
    encoder, ran = _neural(folder, cache_size=2, threads=1)

    for text in ("one", "two", "one", "three", "one", "two"):
        encoder.encode([[text]])

    assert ran == ["one", "two", "three", "two"]
    many = encoder.encode([[f"text {i}" for i in range(5)]])[0]
    assert many.vectors.shape == (5, 384)


def test_a_vector_does_not_depend_on_company_order_or_threads(folder: ModelFolder) -> None:
    texts = [*ORDINARY, *ODD]
    single = _neural(folder, threads=1, cache_size=0)[0]
    alone = {text: _vectors(single, [text])[0] for text in texts}
    shuffled = random.Random(3).sample(texts, len(texts))

    for threads, order in ((1, texts), (2, shuffled), (4, texts[::-1])):
        found = dict(zip(order, _vectors(_neural(folder, threads=threads)[0], order), strict=True))
        for text, vector in alone.items():
            assert found[text].tobytes() == vector.tobytes()


def test_windows_read_a_text_to_its_end(folder: ModelFolder) -> None:
    encoder, _ = _neural(folder)
    ends = (LONG + " The cellar is flooded.", LONG + " The concert was lovely.")

    found = encoder.encode([ends])[0]

    assert min(found.n_tokens) > folder.window
    assert found.left_out == (0, 0)
    assert float(found.vectors[0] @ found.vectors[1]) < 0.9999


def test_windows_lose_no_word_and_fit_the_model(folder: ModelFolder) -> None:
    encoder, ran = _neural(folder, threads=1)
    encoder.encode([[LONG]])

    assert " ".join(ran).split() == LONG.split()
    assert all(encoder.encode([[piece]])[0].n_tokens[0] <= folder.window - 2 for piece in ran)


def test_truncation_and_the_limit_of_windows_are_counted(folder: ModelFolder) -> None:
    truncated = _neural(folder, overflow="truncate")[0].encode([[LONG + " a", LONG + " b", "short"]])[0]
    limited = _neural(folder, max_windows=2)[0].encode([[LONG]])[0]

    room = folder.window - 2
    assert truncated.left_out == (truncated.n_tokens[0] - room, truncated.n_tokens[1] - room, 0)
    assert truncated.vectors[0].tobytes() == truncated.vectors[1].tobytes()
    assert limited.n_tokens[0] - 2 * room <= limited.left_out[0] < limited.n_tokens[0] - room


def test_the_lexical_encoder_shares_one_vocabulary() -> None:
    rows = LexicalEncoder().encode([["red kite red", "kite red red", "blue door", "red door", ""]])[0].vectors

    assert rows[0] @ rows[1] == pytest.approx(1.0)
    assert rows[0] @ rows[2] == 0.0
    assert 0.0 < rows[0] @ rows[3] < 1.0
    assert not rows[4].any()
    # Texts of equal profile and no common word, which the published fallback calls the same.
    disjoint = LexicalEncoder().encode([["apple pear", "stone wall"]])[0].vectors
    assert disjoint[0] @ disjoint[1] == 0.0


PROBE = """
import sys
def refuse(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError(event)
sys.addaudithook(refuse)
from evalcore.encoder import EncoderConfig, load_encoder
from evalcore.errors import EncoderError
try:
    load_encoder(EncoderConfig(model={model!r}, backend={backend!r}))
except EncoderError as error:
    print(error)
"""


@pytest.mark.parametrize("model", ["./no/such/folder", "nobody/no-such-model", "not a model name"])
def test_a_missing_model_is_an_error_at_once_and_asks_no_network(model: str) -> None:
    started = time.monotonic()
    finished = _python(PROBE.format(model=model, backend="auto"))

    assert model in finished
    assert "cure: put the model's folder on this machine" in finished
    assert time.monotonic() - started < 20


def test_no_torch_where_the_export_is_there(onnx_encoder: Encoder) -> None:
    program = """
import sys
from evalcore import Evaluator
gate = Evaluator.from_profile("default")
print(gate.evaluate(query="Which fuse?", contexts=["Fuse F3."], response="Fuse F3.").fingerprint.backend)
print(*sorted({"torch", "transformers", "sentence_transformers", "sklearn", "pandas"} & set(sys.modules)))
"""
    assert _python(program).split() == ["onnxruntime"]


def _python(program: str, **environment: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.fixture
def empty_folder(tmp_path: Path) -> Path:
    (tmp_path / "model").mkdir()
    return tmp_path / "model"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "no sentence-transformers model in this folder"),
        ({"config.json": "{}"}, "tokenizer|cannot be loaded"),
        ({"modules.json": "{"}, "a model file cannot be read"),
        ({"modules.json": "[5]"}, "not laid out"),
        ({"modules.json": "[]", "sentence_bert_config.json": "[]"}, "not laid out"),
        ({"modules.json": "[]", "sentence_bert_config.json": '{"max_seq_length": "x"}'}, "not laid out"),
    ],
)
def test_a_folder_without_a_whole_model(empty_folder: Path, files: dict[str, str], message: str) -> None:
    for name, content in files.items():
        (empty_folder / name).write_text(content, encoding="utf-8")

    with pytest.raises(EncoderError, match=message) as caught:
        load_encoder(EncoderConfig(model=str(empty_folder)))
    assert str(empty_folder) in str(caught.value)


def test_broken_weights_are_an_error(empty_folder: Path, folder: ModelFolder) -> None:
    for file in folder.path.rglob("*"):
        if file.is_file():
            target = empty_folder / file.relative_to(folder.path)
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(b"garbage" if file.suffix == ".safetensors" else file.read_bytes())

    with pytest.raises(EncoderError) as caught:
        load_encoder(EncoderConfig(model=str(empty_folder)))
    assert str(empty_folder) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"garbage" * 100])
def test_a_broken_export_is_made_again(
    folder: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    good = onnx.export(folder, "fp32").read_bytes()
    monkeypatch.setenv("PROOFDESK_CACHE", str(tmp_path))
    broken = onnx.exported_path(folder, "fp32")
    broken.parent.mkdir()
    broken.write_bytes(content or good[: len(good) // 2])

    encoder = load_encoder(EncoderConfig(backend="auto"))

    assert encoder.info.backend == "onnxruntime"
    assert [file.name for file in broken.parent.iterdir()] == [broken.name]


def test_an_export_that_cannot_be_written_leaves_sentence_transformers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("PROOFDESK_CACHE", str(tmp_path / "file"))

    assert load_encoder(EncoderConfig(backend="auto")).info.backend == "sentence-transformers"
    with pytest.raises(EncoderError, match="set PROOFDESK_CACHE to a folder that can be written"):
        prepare_encoder(EncoderConfig(backend="onnx"))


def test_two_processes_may_export_at_once(folder: ModelFolder, tmp_path: Path) -> None:
    program = "from evalcore.encoder import *; print(prepare_encoder(EncoderConfig()))"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PROOFDESK_CACHE": str(tmp_path)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]

    said = [process.communicate(timeout=120)[0] for process in running]

    assert [process.returncode for process in running] == [0, 0]
    assert said[0] == said[1]
    assert [file.suffix for file in (tmp_path / "onnx").iterdir()] == [".onnx"]


def test_a_damaged_note_of_the_hash_is_made_again(
    folder: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFDESK_CACHE", str(tmp_path))
    locate("bundled")
    (note,) = (tmp_path / "weights").iterdir()
    note.write_bytes(b"\xff" * 64)

    assert locate("bundled").weights_hash == folder.weights_hash
    assert note.read_text(encoding="ascii") == folder.weights_hash


MISSING = DEFAULT.replace("model: bundled", "model: ./no/such/folder")


def test_the_fallback_is_said_everywhere_and_accepts_nothing(seed_samples: list[Sample]) -> None:
    gate = Evaluator(parse_profile(MISSING, source="p.yaml"))

    results = list(gate.evaluate_many(seed_samples))

    assert [result for result in results if result.decision.verdict is Verdict.ACCEPT] == []
    assert {result.fingerprint.backend for result in results} == {"lexical"}
    for result in results:
        assert "lexical_encoder" in result.states
        assert result.warnings[0].startswith("no embedding model took part; words were compared instead: ")
        assert "./no/such/folder" in result.warnings[0]


def test_no_fallback_raises() -> None:
    profile = parse_profile(MISSING.replace("fallback: lexical", "fallback: none"), source="p.yaml")

    with pytest.raises(EncoderError, match="no such model folder"):
        Evaluator(profile).evaluate(query="Which fuse?", contexts=["Fuse F3."], response="Fuse F3.")


def test_the_lexical_encoder_by_choice_has_another_fingerprint(onnx_encoder: Encoder) -> None:
    chosen = load_encoder(EncoderConfig(backend="lexical"))

    assert chosen.info == LexicalEncoder().info
    assert chosen.info.weights_hash != onnx_encoder.info.weights_hash
    assert prepare_encoder(EncoderConfig(backend="lexical")).startswith("lexical encoder")
