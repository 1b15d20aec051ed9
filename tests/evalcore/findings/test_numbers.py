"""Numbers, units and dates: other spellings of what the contexts state are no findings, other values are."""

import pytest

from evalcore.findings import find_findings

BRIDGE = (
    "The bridge has 36 cables and cut noise by 15% in 2016. It weighs 2,450,000 kg and cost EUR 3.4 million."
)
SALES = "Sales fell 37.5% to 2,400,000 GBP on 7 June 2021; one in five buyers was new."
OPENING = (
    "It opened on 5 March 2019 and is shut on Mondays. The lift takes 90 seconds and holds 5 km of rope."
)
RUSSIAN = "Склад открыт 12 мая 2018 года. В нём 1 250 000 книг, срок хранения — пять лет, плата 300 рублей."
CHINESE = "该机器额定功率为3千瓦，重量为十二公斤。保修期为三年。公司成立于2018年。"


def kinds(sentence: str, *contexts: str) -> list[str]:
    found = find_findings(sentence, contexts)
    assert all(sentence[f.start : f.end] == f.text for f in found)
    return [f.kind for f in found]


@pytest.mark.parametrize(
    ("sentence", "context"),
    [
        ("The bridge has 36 cables.", BRIDGE),
        ("Sales fell 37.5 percent.", SALES),
        ("Sales fell by three eighths.", SALES),
        ("Sales fell by 3/8 [2].", SALES),
        ("They came to GBP 2400000 [1].", SALES),
        ("They came to 2.4 million pounds (£2.4m).", SALES),
        ("This was on 2021-06-07.", SALES),
        ("This was on June 7th, 2021.", SALES),
        ("This was on 07.06.2021, in 2021.", SALES),
        ("This was on 06/07/2021 or 07/06/2021.", SALES),
        ("Это было 7 июня 2021 года.", SALES),
        ("20% of buyers were new, a fifth of buyers.", SALES),
        ("1. Sales fell 37.5% (see https://shop.example/item/998877 and www.shop.example/4711).", SALES),
        ("It weighs 2450 tonnes.", BRIDGE),
        ("It weighs about 2.5 million kg.", BRIDGE),
        ("The lift takes one and a half minutes and holds 5000 m of rope.", OPENING),
        ("It opened in March 2019.", OPENING),
        ("В нём 1,25 млн книг, срок хранения 5 лет.", RUSSIAN),
        ("Срок хранения 60 месяцев, открыт 12.05.2018.", RUSSIAN),
        ("В нём миллион двести пятьдесят тысяч книг.", RUSSIAN),
        ("机器功率为3千瓦。", CHINESE),
        ("保修期为3年，重12千克。", CHINESE),
        ("公司成立于二〇一八年。", CHINESE),
        ("It runs for two years.", "It runs for 24 months."),
        ("It costs 20 cents.", "It costs 0.20 euros."),
        ("It boils at 212 °F.", "It boils at 100 °C."),
        ("The shop opens at 5 pm.", "The shop opens at 17:00."),
        ("Step 3: it has two doors.", "It has doors on both sides."),
        ("The total is 41.", "One hall has 17 seats, the other 24."),
        ("It was built in the 16th century.", "It was built in 1532."),
        ("It happened in 1994.", "It happened in the 1990s."),
    ],
)
def test_the_same_amount_in_another_form_is_no_finding(sentence: str, context: str) -> None:
    assert kinds(sentence, context) == []


@pytest.mark.parametrize(
    ("sentence", "context", "kind", "nearest"),
    [
        ("The bridge has 3,600 cables.", BRIDGE, "number", "36"),
        ("The bridge saved $15M in 2016.", BRIDGE, "number", "15%"),
        ("It cut noise by 15 decibels.", BRIDGE, "unit", "15%"),
        ("It cut noise by 1.5% in 2016.", BRIDGE, "number", "15%"),
        ("It cut noise by 15% in 2061.", BRIDGE, "date", "2016"),
        ("It cost USD 3.4 million.", BRIDGE, "unit", "EUR 3.4 million"),
        ("Sales fell 0.375%.", SALES, "number", "37.5%"),
        ("This was on 2021-06-17.", SALES, "date", "7 June 2021"),
        ("Half of the buyers were new.", "One in five buyers was new.", "number", "One in five"),
        ("It opened on 5 April 2019.", OPENING, "date", "5 March 2019"),
        ("It is shut on Tuesdays.", OPENING, "date", "Mondays"),
        ("The lift takes 90 minutes.", OPENING, "unit", "90 seconds"),
        ("Срок хранения — семь лет.", RUSSIAN, "number", "пять лет"),
        ("Плата 300 долларов.", RUSSIAN, "unit", "300 рублей"),
        ("Склад открыт 12 мая 2016 года.", RUSSIAN, "date", "12 мая 2018"),
        ("保修期为五年。", CHINESE, "number", "三年"),
        ("公司成立于2016年。", CHINESE, "date", "2018年"),
        ("Line 6 goes to the port.", "Line 4 goes to the port; there are 6 stops.", "number", "4"),
    ],
)
def test_another_amount_is_a_finding_with_the_nearest_of_the_context(
    sentence: str, context: str, kind: str, nearest: str
) -> None:
    (found,) = find_findings(sentence, [context])

    assert (found.kind, found.nearest) == (kind, nearest)
    assert found.message == f"{found.text.strip()} is not in the context (nearest: {nearest})"


def test_a_number_without_any_number_in_the_context_has_no_nearest() -> None:
    (found,) = find_findings("It cost 900 euros.", ["It was dear."])

    assert (found.nearest, found.message) == (None, "900 euros is not in the context")
