"""What claims nothing about the world is known as such, and nothing that claims anything is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.text import claims_something, load_lexicon

TEA = "What are the benefits of green tea for the heart?"
RESET = "How do I reset the ACME-5 modem?"


@pytest.mark.parametrize(
    "sentence",
    [
        "", " \n", "...", "\u200b", "Sure!", "Sure thing!", "Hello,", "Hi there!", "Good morning.",
        "Certainly!",
        "Of course!", "Great question!", "That's a great question.", "Thank you for your question!",
        "Thanks!",
        "Sure, I'd be happy to help you with that!", "You're welcome.", "Hello! Happy to help.",
        "## Summary", "# Conclusion", "**Summary**", "**Ingredients:**", "Ingredients:", "Key points:",
        "Note:",
        "Step-by-step instructions:", "Pros and cons:",
        "Here is what I found:", "Here's what I found:", "Here’s what I found:", "Here are the steps:",
        "Here is a summary of the key points:", "Below is a brief answer:",
        "Here is the information you need.",
        "Based on the given passages, here are the steps:", "According to the provided context:",
        "Based on the information provided in the passages:", "In summary,", "Here are 5 steps:",
        "Here are some key takeaways [1]:", "I found the following information:",
        "The steps are as follows:",
        "Follow these simple steps:", "Let me explain:", "Okay, let's break it down:", "To summarize:",
        "[1]", "[1][2]", "[1, 3]", "[^2]", "(Passage 2)", "Source: passage 2", "(Source: Document 1)",
        "Sources: [1], [3]",
        "(Ref: Passage 1)", "Sources: passages 1 and 3.",
        "Let me know if you need more.", "Let me know if you have any further questions!",
        "I hope this helps.",
        "I hope that helps! 😊", "Feel free to ask.", "If you have any other questions, please let me know!",
        "Have a nice day!", "Good luck!", "I'm here to help.", "Please don't hesitate to reach out.",
        "Would you like more information?", "Could you please clarify your question?", "Does this help?",
        "Is there anything else I can help with?", "Anything else?", "What model do you have?",
        "Which version are you using?", "How can I help you?", "What is your operating system?",
        "Привет!", "Здравствуйте!", "Добрый день,", "Хороший вопрос!", "Спасибо за ваш вопрос!",
        "Вот что я нашёл:", "Вот ответ на ваш вопрос:", "Согласно предоставленным документам:",
        "Ингредиенты:",
        "## Итог", "Вывод:", "На основе предоставленного контекста, вот краткий ответ:", "Вот 5 шагов:",
        "[2]",
        "Источник: документ 2", "Дайте знать, если нужна дополнительная информация.",
        "Надеюсь, это поможет!",
        "Если у вас есть ещё вопросы, обращайтесь.", "Рад помочь!", "Хорошего дня!", "Какая у вас модель?",
        "Чем ещё я могу помочь?", "Не могли бы вы уточнить вопрос?", "Шаги следующие:",
    ],
)  # fmt: skip
def test_talk_claims_nothing(sentence: str) -> None:
    assert not claims_something(sentence)


@pytest.mark.parametrize(
    ("sentence", "query"),
    [
        ("Here are the benefits of green tea:", TEA),
        ("## Benefits of green tea", TEA),
        ("Green tea:", TEA),
        ("Here is how to reset the ACME-5 modem:", RESET),
        ("Here are three ways to reset the modem:", RESET),
        ("Would you like to know how to reset the ACME-5 modem?", RESET),
        ("Sure!", RESET),
        ("Sure!", "Can you tell me what the fuse is?"),
        ("Вот как сбросить модем:", "Как сбросить модем?"),
        ("Конечно!", "Как сбросить модем?"),
    ],
)
def test_words_of_the_question_are_no_claims_in_a_lead_in(sentence: str, query: str) -> None:
    assert not claims_something(sentence, query)


@pytest.mark.parametrize(
    "sentence",
    [
        "Sure, it was built in 1987.", "Sure, Stanford.", "Hello, the bridge fell.", "Yes.", "No.",
        "1987", "Paris",
        "Red.", "👍", "Summary", "Conclusion", "None.", "Nothing else.", "It depends.", "Benefits", "Maybe.",
        "## 1987", "## Summary of the Stanford report", "## Closed on Mondays", "# The bridge fell",
        "Ingredients: flour, eggs", "Ingredients (for 4 people):", "Note: the valve must stay shut.",
        "Stanford:",
        "Here is the answer: 1987.", "Here is the answer - no.", "Here is the truth: the bridge fell:",
        "Here are the people who killed the king:", "Here is why the valve is unsafe:",
        "Here are 5 deaths:",
        "Here are 5.", "Here is Anna Keller:", "Here comes the bridge:", "Here is what Napoleon found:",
        "Based on the given passages, the steps are wrong.", "Based on the passages, no.",
        "According to NASA:",
        "According to the 1987 report:", "Based on the passages, 12 people died:",
        "[1987]", "[12345]", "(5)", "[1] The bridge fell.", "Passage 2 is wrong.", "Source: Smith 1987",
        "Source: passage 2 (Stanford)", "Document 12.", "Sources: 5",
        "Let me know if the dose of 50 mg is too high.", "Let me know if Anna calls.",
        "I hope this helps you to forget the war of 1812.", "I hope the bridge holds.",
        "If you need more than 50 mg, call a doctor.", "If you have diabetes, you need insulin.",
        "Feel free to exceed the dose.", "Thank you for not smoking.", "Thanks to the fuse, the pump runs.",
        "Good luck charms are sold there.", "Have a nice day at the museum.", "This helps.",
        "Did you know that the bridge fell in 1987?", "Isn't the valve unsafe?", "Who built it?",
        "Would you like to see the 1987 report?", "When did you meet Anna Keller?",
        "Why is the valve unsafe?",
        "What did you pay in 1987?", "Sure! It is safe.", "Of course the valve is safe.", "In short, no.",
        "Please note the valve is unsafe.", "So it fell.", "Well, never.", "Step 1: open the valve.",
        "Да.", "Нет.", "Привет, мост упал.", "Вот дата: 1987.", "Вот почему мост упал:",
        "Ингредиенты: мука",
        "Конечно, его построили в 1987 году.", "Надеюсь, мост выдержит.",
        "Дайте знать, если доза 50 мг велика.",
        "Когда вы встретили Анну Керенину?", "Согласно отчёту 1987 года:",
        "Если нужна доза 50 мг, обратитесь к врачу.",
        "桥倒了。", "مرحبا", "Hola", "שלום 1987", "Sure\u2028The bridge fell.", "Sure!!! THE BRIDGE FELL",
        "<b>Hello</b> the bridge fell", "Hello" * 100, "x" * 10_000, "Here is " + "the " * 200 + "answer:",
    ],
)  # fmt: skip
def test_a_claim_is_one(sentence: str) -> None:
    assert claims_something(sentence)


@pytest.mark.parametrize(
    ("sentence", "query"),
    [
        ("Sure!", "Is it safe?"),
        ("Of course.", "I have asthma. Is it safe?"),
        ("Certainly!", "Can dogs eat grapes?"),
        ("Конечно!", "Модем безопасен?"),
        ("Безусловно.", "Можно ли пить эту воду?"),
        ("Here are 5 steps:", "How many steps are there?"),
        ("Paris:", "Which is bigger, Paris or Rome?"),
        ("## Rome", "Which is bigger, Paris or Rome?"),
        ("**Paris**", "Which city is the capital, Paris?"),
        ("Here is the answer: 1987.", "Was it built in 1987?"),
        ("The vaccine is safe.", "Is the vaccine safe?"),
        ("If you have diabetes, you need insulin.", "Do I need insulin if I have diabetes?"),
        ("Here is why the earth is flat:", "Why is the earth flat?"),
        ("Here are the benefits of black tea:", TEA),
        ("## Benefits of green tea in 1987", TEA),
        ("## Benefits of green tea for Anna", TEA),
        ("Green tea prevents cancer:", TEA),
        ("Here is how to reset the ACME-7 modem:", RESET),
    ],
)
def test_what_may_be_the_answer_is_a_claim(sentence: str, query: str) -> None:
    assert claims_something(sentence, query)


openers = st.sampled_from(
    ["Sure! ", "Here is ", "Based on the passages, ", "Let me know if ", "## ", "Вот ", ""]
)


@given(openers, st.integers(21, 10**6), st.sampled_from(["", ":", ".", "?", "!"]))
def test_a_number_nobody_asked_for_is_always_a_claim(opener: str, number: int, mark: str) -> None:
    assert claims_something(f"{opener}{number}{mark}", "What is it?")


@given(openers, st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_judged(opener: str, text: str, query: str) -> None:
    assert claims_something(opener + text, query) in (True, False)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_pattern_holds_a_free_stretch(language: str) -> None:
    talk = load_lexicon(language).talk
    for key in ("openers", "affirmations", "courtesies", "lead_ins", "counted_lead_ins", "questions"):
        assert [pattern for pattern in getattr(talk, key) if ".{" in pattern or ".*" in pattern] == []
