"""Which answers only decline."""

import pytest

from evalcore.text import MAX_REFUSAL_CHARACTERS, is_refusal

DECLINES = [
    "I don't know; the documents do not mention Malta.",
    "I'm sorry, I could not find that information.",
    "The context does not provide this.",
    "I don't know.",
    "I don’t know",
    "Sorry, I can't help with that.",
    "I'm sorry, but I cannot answer that question.",
    "Unable to answer based on given passages.",
    "Unfortunately, the provided documents do not contain any information about shipping to Malta.",
    "Based on the provided context, I cannot determine who paid for the bridge.",
    "There is no information about Malta in the passages.",
    "The report does not say who paid.",
    "None of the sources mention a warranty. Please contact support.",
    "I do not have enough information to answer. Could you rephrase the question?",
    "This information is not available in the documents provided.",
    "That is not mentioned in the text.",
    "It is unclear from the passage when the line opened.",
    "The question cannot be answered from the given context.",
    "As an AI language model, I cannot provide medical advice.",
    "I have no idea.",
    "I'm not sure.",
    "Not mentioned in the context.",
    "Insufficient information.",
    "N/A",
    "No relevant information was found. If you share more details, I can help.",
    "The answer is not in the documents.",
    "I apologize, but I was unable to find this in the manual. Let me know if you need anything else.",
    "**I'm sorry**, the excerpts don't discuss fuel.",
    "В документах об этом не сказано.",
    "Я не знаю.",
    "К сожалению, не могу ответить",
    "Извините, я не нашёл этой информации. Обратитесь в поддержку.",
    "К сожалению, в предоставленных материалах нет информации о доставке на Мальту.",
    "У меня нет данных об этом.",
    "Об этом в тексте ничего не говорится.",
    "Контекст не содержит информации о гарантии.",
    "Невозможно ответить на этот вопрос.",
    "Не могу сказать: в отчёте это не указано. Могли бы вы уточнить вопрос?",
    "Неизвестно.",
    "Информация отсутствует.",
    "Документы не упоминают Мальту.",
    "Затрудняюсь ответить.",
]

STATES = [
    "The report does not say who paid, but the bridge cost 4 million euros and opened in 1998.",
    "The documents do not expire.",
    "Yes.",
    "No.",
    "No, pets are not allowed.",
    "The heater must not be used near open flames.",
    "Returns are not accepted after 14 days.",
    "The package does not contain batteries.",
    "The contract does not mention of itself a penalty; it sets one of 500 EUR.",
    "Shipping to Italy costs 9 EUR. I don't know about Malta.",
    "I'm sorry to hear that. The pump runs at 5 kW.",
    'The song "I Don\'t Know" was released in 1982.',
    "Smith says he does not know who built it.",
    "Nobody knows the exact date, which historians put near 1200.",
    "Please contact support.",
    "Could you rephrase?",
    "The pump cannot provide more than 5 kW.",
    "The text was written in 1998 and does not use the letter e.",
    "Users cannot find the setting because it moved to the Tools menu.",
    "There is no charge for delivery.",
    "It is not possible to open the lid while the motor runs.",
    "Unfortunately, the line closed in 2011.",
    "The documents do not mention Malta. Shipping to Italy costs 9 EUR.",
    "Sorry, the office is closed on Sundays.",
    "I cannot find Malta; Italy costs 9 EUR.",
    "The average cost cannot be determined. Carpet costs 3 dollars a foot.",
    "The information desk is not open on Monday.",
    "You should check the fuse.",
    "",
    "...",
    "Документы не имеют срока действия.",
    "Нет, с животными нельзя.",
    "Доставка в Италию стоит 9 евро. О Мальте не знаю.",
    "В отчёте не сказано, кто платил, но мост стоил 4 миллиона евро.",
    "Насос не может работать без воды.",
    "К сожалению, линию закрыли в 2011 году.",
    "В документе указано, что гарантия два года.",
    "Обратитесь в поддержку.",
    "Мост не был построен в 1998 году.",
    "Не используйте обогреватель рядом с огнём.",
    "Никто не знает точной даты, её относят к 1200 году.",
    "Этот насос не содержит свинца.",
]


@pytest.mark.parametrize("answer", DECLINES)
def test_an_answer_that_only_declines_is_a_refusal(answer: str) -> None:
    assert is_refusal(answer)


@pytest.mark.parametrize("answer", STATES)
def test_an_answer_that_states_something_is_no_refusal(answer: str) -> None:
    assert not is_refusal(answer)


def test_a_long_text_is_no_refusal() -> None:
    answer = "I don't know. "
    assert is_refusal(answer * 100)
    assert not is_refusal(answer * (MAX_REFUSAL_CHARACTERS // len(answer) + 1))
