"""Evidence windows cover the passages and keep their size; blanks; the answers of the system asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.answer import Answer, TextConfig
from evalcore.errors import InputError
from evalcore.sample import Sample

RULES, PUBLISHED = TextConfig(), TextConfig(sentences="published", words="ascii", blank="zero")
configs = st.sampled_from([RULES, PUBLISHED, TextConfig(window_words=5)])
texts = st.text(
    alphabet=st.sampled_from([*"ab1 .!?\n\t|-#`>*", "Ж", "水", "。", "\u200b", "👍", "\u0301"]), max_size=400
)


def _answer(*contexts: str, response: str = "r", config: TextConfig = RULES) -> Answer:
    return Answer(sample=Sample(query="q", contexts=contexts, response=response), config=config)


@given(st.lists(texts, max_size=3), configs)
def test_windows_cover_every_sentence_in_order(contexts: list[str], config: TextConfig) -> None:
    answer = _answer(*contexts, config=config)

    for number, passage in enumerate(contexts):
        windows = [window for window in answer.windows if window.passage == number]
        covered: set[int] = set()
        end = 0
        for window in windows:
            assert passage[window.start : window.end] == window.text
            assert window.start >= end
            assert window.text.strip() == window.text != ""
            end = window.end
            covered.update(range(window.start, window.end))
        for sentence in answer.cut(passage):
            left = [at for at in range(sentence.start, sentence.end) if at not in covered]
            assert "".join(passage[at] for at in left).strip() == ""


@given(texts, configs)
def test_what_is_not_blank_has_a_sentence(text: str, config: TextConfig) -> None:
    answer = _answer("c", response=text, config=config)

    assert bool(answer.sentences) == (not answer.blank_response)
    assert bool(_answer(text, config=config).windows) == (not _answer(text, config=config).blank_contexts)


@pytest.mark.parametrize("size", [5, 40])
def test_windows_keep_their_size(size: int) -> None:
    passage = " ".join(f"Pump number {i} is protected by its own fuse." for i in range(300))
    windows = _answer(passage, config=TextConfig(window_words=size)).windows

    words = [len(window.text.split()) for window in windows]
    assert max(words) <= max(size, 9)
    assert sum(words) == len(passage.split())
    assert len(windows) <= 300


@pytest.mark.parametrize("passage", ["x" * 100_000, "水" * 100_000, "word " * 20_000, "a b c. " * 15_000])
def test_a_long_passage_is_cut_into_few_enough_windows(passage: str) -> None:
    windows = _answer(passage).windows

    assert max(len(window.text) for window in windows) <= 2 * 40 * 12
    assert len(windows) <= len(passage) // 40


def test_a_passages_windows_do_not_depend_on_its_neighbours() -> None:
    alone = _answer("One. Two words. Three more words.").windows
    third = [
        w for w in _answer("First.", "Second.", "One. Two words. Three more words.").windows if w.passage == 2
    ]

    assert [(w.start, w.end) for w in alone] == [(w.start, w.end) for w in third]


@pytest.mark.parametrize("text", ["\u200b", "\u2014", "..."])
def test_a_mark_is_blank_but_for_the_published_recipe(text: str) -> None:
    assert _answer("c", response=text).blank_response
    assert not _answer("c", response=text, config=PUBLISHED).blank_response


def test_no_passage_at_all_is_blank() -> None:
    assert _answer().blank_contexts
    assert _answer("", " ").blank_contexts
    assert not _answer("", "a").blank_contexts


def test_layout_without_a_sentence_is_one() -> None:
    (sentence,) = _answer("c", response=" ```python\n```\n").sentences

    assert (sentence.start, sentence.end, sentence.text) == (1, 14, "```python\n```")


def test_a_question_is_asked_once_and_its_failure_remembered() -> None:
    calls: list[str] = []

    def fails(question: str) -> str:
        calls.append(question)
        raise ValueError("no")

    answer = Answer(sample=Sample(query="q", contexts=[], response=""), config=RULES, answer_function=fails)
    for _ in range(3):
        with pytest.raises(InputError, match="ValueError: no"):
            answer.ask("why?")
    assert calls == ["why?"]
