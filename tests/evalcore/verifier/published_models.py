"""Tiny models made on the spot, with weights set by hand so that it is plain which text they support."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertForTokenClassification,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
    ModernBertConfig,
    ModernBertForTokenClassification,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
)

WORDS = ["the", "oak", "is", "tall", "old", "and", "green", "stands", "in", "yard", ".", "##s"]
GOOD, BAD = "good", "bad"
"""A word that speaks for support and one that speaks against it, wherever a model reads it."""
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, GOOD, BAD]
POSITIONS = 64
_PLAIN, _GOOD, _BAD = 0, 1, 2


def save_tokenizer(folder: Path) -> None:
    """A word piece tokenizer of :data:`VOCABULARY` in lower case."""
    ids = {word: index for index, word in enumerate(VOCABULARY)}
    made = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])],
    )
    tokenizer: Any = PreTrainedTokenizerFast
    tokenizer(
        tokenizer_object=made, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(folder)  # fmt: skip


def pair_classifier(folder: Path, labels: Sequence[str], supported: int = 0) -> Path:
    """Its output ``supported`` rises with each GOOD and falls with each BAD anywhere in the input."""
    model: Any = BertForSequenceClassification(_config(labels))
    with torch.no_grad():
        _set_words(model)
        attention = model.bert.encoder.layer[0].attention
        # No query and no key: each token, the first among them, sees the mean of all.
        attention.self.value.weight.copy_(20 * torch.eye(16))
        attention.output.dense.weight.copy_(torch.eye(16))
        model.bert.pooler.dense.weight.copy_(torch.eye(16))
        model.classifier.weight[supported, _GOOD] = 8
        model.classifier.weight[supported, _BAD] = -8
    return _save(model, folder)


def nli_model(folder: Path) -> Path:
    """An NLI model that finds entailment where it reads GOOD."""
    return pair_classifier(folder, ("entailment", "neutral", "contradiction"))


def token_classifier(folder: Path, labels: Sequence[str], unsupported: int = 1) -> Path:
    """It calls a token unsupported if it is BAD, and knows nothing of the other tokens."""
    model = BertForTokenClassification(_config(labels))
    with torch.no_grad():
        _set_words(model)
        model.classifier.weight[unsupported, _BAD] = 4
        model.classifier.bias[unsupported] = -4
    return _save(model, folder)


def random_classifier(folder: Path, labels: Sequence[str], seed: int = 0) -> Path:
    """All weights drawn at random, large enough for the outputs to differ."""
    torch.manual_seed(seed)
    model = BertForSequenceClassification(_config(labels))
    with torch.no_grad():
        for weights in model.parameters():
            weights.add_(torch.randn_like(weights) * 0.3)
    return _save(model, folder)


def untrained(folder: Path, family: str) -> Path:
    """A model of another family as it comes from the box: of its words it knows nothing."""
    size: Any = {"vocab_size": len(VOCABULARY), "hidden_size": 16, "num_hidden_layers": 2,
            "num_attention_heads": 2, "intermediate_size": 16, "pad_token_id": 0}  # fmt: skip
    names = dict(enumerate(("entailment", "neutral", "contradiction")))
    torch.manual_seed(3)
    if family == "roberta":
        # Its positions are counted from behind the padding's number.
        config: Any = RobertaConfig(**size, max_position_embeddings=POSITIONS + 1, id2label=names)
        return _save(RobertaForSequenceClassification(config), folder)
    if family == "deberta":
        config = DebertaV2Config(**size, max_position_embeddings=POSITIONS, relative_attention=True,
                                 position_biased_input=False, pos_att_type=["p2c", "c2p"],
                                 type_vocab_size=0, id2label=names)  # fmt: skip
        return _save(DebertaV2ForSequenceClassification(config), folder)
    config = ModernBertConfig(**size, max_position_embeddings=POSITIONS, cls_token_id=2,
                              sep_token_id=3, bos_token_id=2, eos_token_id=3)  # fmt: skip
    return _save(ModernBertForTokenClassification(config), folder)


def _config(labels: Sequence[str]) -> BertConfig:
    return BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=1, num_attention_heads=1,
        intermediate_size=16, max_position_embeddings=POSITIONS, id2label=dict(enumerate(labels)),
        label2id={label: index for index, label in enumerate(labels)},
    )  # fmt: skip


def _set_words(model: Any) -> None:
    """All weights 0 but for the norms, and each word a direction: plain, GOOD or BAD."""
    for name, weights in model.named_parameters():
        weights.fill_(float("LayerNorm.weight" in name))
    table = model.bert.embeddings.word_embeddings.weight
    table[:, _PLAIN] = 1
    for word, channel in ((GOOD, _GOOD), (BAD, _BAD)):
        table[VOCABULARY.index(word)] = torch.nn.functional.one_hot(torch.tensor(channel), 16).float()


def _save(model: Any, folder: Path) -> Path:
    model.save_pretrained(folder)
    save_tokenizer(folder)
    return folder
