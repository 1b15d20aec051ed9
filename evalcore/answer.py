"""One sample as the scorers read it: cut into sentences, words and evidence windows once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from evalcore import text as texts
from evalcore.errors import InputError
from evalcore.sample import Sample
from evalcore.statements import claims_of, findings_of, premises_of
from evalcore.text import Span

if TYPE_CHECKING:
    from evalcore.findings import Finding

AnswerFunction = Callable[[str], str]


class TextConfig(BaseModel):
    """The ``text`` section of a profile: how texts are cut and compared as words."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentences: Literal["published", "rules"] = "rules"
    words: Literal["ascii", "unicode"] = "unicode"
    join: str = "\n\n"
    """What stands between passages where the contexts are read as one text."""
    blank: Literal["state", "zero"] = "state"
    """Whether a blank text is a state of its own or, as published, a score of 0."""
    window_words: int = Field(default=40, ge=5)
    """Words of a passage that make one evidence window, cut at sentence ends where there are any."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """A stretch of a passage: ``contexts[passage][start:end] == text``."""

    passage: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A sample with everything that is derived from its texts, derived once.

    ``answer_function`` is None or answers another question with the system under judgement. What it gives
    is remembered, its failures too, since scorers name their texts first and score later.
    """

    sample: Sample
    config: TextConfig
    answer_function: AnswerFunction | None = None
    _answers: dict[str, str | InputError] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences of the response; none for a blank one."""
        if self.blank_response or (self.config.blank == "zero" and self.blank_contexts):
            return ()
        # A span such as "..." says nothing that could be held against the contexts.
        return tuple(span for span in self.cut(self.sample.response) if not self._blank(span.text))

    @cached_property
    def context(self) -> str:
        """All passages as one text."""
        return self.config.join.join(self.sample.contexts)

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        """The passages cut into evidence windows, in order."""
        return tuple(
            window
            for number, passage in enumerate(self.sample.contexts)
            for window in _windows(number, passage, self.cut(passage), self.config.window_words)
        )

    @cached_property
    def claims(self) -> tuple[bool, ...]:
        """For each sentence whether it claims something about the world; all of them do where none would."""
        return claims_of(self.sample.response, self.sentences, self.sample.query)

    @cached_property
    def premises(self) -> tuple[tuple[int, ...], ...]:
        """For each sentence the indices of the few windows that together hold its words best.

        Chosen by words alone, in reading order; empty for each where there is nothing to hold it against.
        """
        if not self.can_be_held:
            return ((),) * len(self.sentences)
        return premises_of(
            [self.words(sentence.text) for sentence in self.sentences],
            [self.words(window.text) for window in self.windows],
        )

    @cached_property
    def findings(self) -> tuple[tuple[Finding, ...], ...]:
        """For each sentence what it states that the contexts do not hold; offsets are those of the sentence.

        Empty for each where there is nothing to hold it against.
        """
        if not self.can_be_held:
            return ((),) * len(self.sentences)
        return findings_of(
            [sentence.text for sentence in self.sentences],
            self.sample.contexts,
            [[self.windows[index].text for index in chosen] for chosen in self.premises],
            self.sample.query,
        )

    @cached_property
    def can_be_held(self) -> bool:
        """Whether there is a response that states something and a context to hold it against."""
        declines = self.config.blank == "state" and self.is_refusal
        return not (self.blank_response or self.blank_contexts or declines)

    @cached_property
    def query_words(self) -> frozenset[str]:
        """Distinct words of the query."""
        return frozenset(self.words(self.sample.query))

    @cached_property
    def response_words(self) -> tuple[str, ...]:
        """Words of the response, in order, with repeats."""
        return tuple(self.words(self.sample.response))

    @cached_property
    def context_words(self) -> frozenset[str]:
        """Distinct words of all passages."""
        return frozenset(self.words(self.context))

    @cached_property
    def blank_query(self) -> bool:
        """Whether the query says nothing."""
        return self._blank(self.sample.query)

    @cached_property
    def blank_response(self) -> bool:
        """Whether the response says nothing."""
        return self._blank(self.sample.response)

    @cached_property
    def blank_contexts(self) -> bool:
        """Whether no passage says anything."""
        return all(self._blank(passage) for passage in self.sample.contexts)

    @cached_property
    def is_refusal(self) -> bool:
        """Whether the response only declines to answer."""
        return not self.blank_response and texts.is_refusal(self.sample.response)

    @cached_property
    def is_part_refusal(self) -> bool:
        """Whether some sentence of the response declines to answer and the whole does not."""
        return not self.is_refusal and any(texts.is_refusal(sentence.text) for sentence in self.sentences)

    def words(self, text: str) -> list[str]:
        """The words of a text under this profile's rule."""
        return texts.published_words(text) if self.config.words == "ascii" else texts.words(text)

    def ask(self, question: str) -> str:
        """The system's answer to another question, asked once.

        Raises
        ------
        InputError
            When there is no answer function, or it fails, or gives something other than a text.
        """
        if question not in self._answers:
            self._answers[question] = self._asked(question)
        found = self._answers[question]
        if isinstance(found, InputError):
            raise found
        return found

    def _asked(self, question: str) -> str | InputError:
        if self.answer_function is None:
            return InputError("no answer function was given")
        try:
            found = self.answer_function(question)
        except Exception as error:  # noqa: BLE001 - a caller's function may raise anything
            return InputError(f"the answer function failed: {type(error).__name__}: {error}")
        if not isinstance(found, str):
            return InputError(f"the answer function gave {type(found).__name__}, not a text")
        if not found.isascii() and any("\ud800" <= character <= "\udfff" for character in found):
            return InputError("the answer function gave a text that UTF-8 cannot carry")
        return found

    def _blank(self, text: str) -> bool:
        # The published recipe only knows white space; a dash or a zero-width space is content to it.
        return not text.strip() if self.config.blank == "zero" else texts.is_blank(text)

    def cut(self, text: str) -> tuple[Span, ...]:
        """The sentences of a text under this profile's rule; none for a blank one, else one at least."""
        if self._blank(text):
            return ()
        published = self.config.sentences == "published"
        found = texts.published_sentences(text) if published else texts.sentences(text)
        if found:
            return found
        # Words that stand in layout alone, such as the language of an empty code fence, are no sentence.
        trimmed = text.strip()
        start = text.index(trimmed)
        return (Span(start, start + len(trimmed), trimmed),)


def _windows(number: int, passage: str, sentences: tuple[Span, ...], size: int) -> list[Window]:
    """Group sentences into windows of about ``size`` words; a longer sentence is cut between its words."""
    pieces: list[tuple[int, int, int]] = []
    for sentence in sentences:
        pieces.extend(_pieces(sentence, size))
    windows: list[Window] = []
    start = end = held = 0
    for piece_start, piece_end, count in pieces:
        if held and held + count > size:
            windows.append(Window(passage=number, start=start, end=end, text=passage[start:end]))
            held = 0
        if not held:
            start = piece_start
        end = piece_end
        held += count
    if held:
        windows.append(Window(passage=number, start=start, end=end, text=passage[start:end]))
    return windows


def _pieces(sentence: Span, size: int) -> list[tuple[int, int, int]]:
    """(start, end, words) of a sentence, whole up to twice ``size`` words, else in runs of about that.

    A word counts twelve characters at most, so that a passage without any space is cut too.
    """
    text = sentence.text
    weight = max(len(text.split()), len(text) // 12)
    if weight <= 2 * size:
        return [(sentence.start, sentence.end, max(weight, 1))]
    step = 12 * size
    found: list[tuple[int, int, int]] = []
    at = 0
    while at < len(text):
        stop = min(at + step, len(text))
        if stop < len(text):
            space = text.rfind(" ", at + step // 2, stop)
            stop = space if space > at else stop
        piece = text[at:stop]
        trimmed = piece.strip()
        if trimmed:
            first = sentence.start + at + piece.index(trimmed[0])
            found.append((first, first + len(trimmed), size))
        at = stop
    return found
