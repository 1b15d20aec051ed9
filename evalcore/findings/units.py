"""Units, currencies and scale words: what they measure and their size in a base unit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple


class Unit(NamedTuple):
    """What a unit measures, and how many base units one of it is.

    ``system`` parts units whose ratio is only approximately round: metric from imperial, days from months.
    """

    dimension: str
    factor: float
    system: str = ""


RATIO: Final = "ratio"
MONEY: Final = "money:"

_DAY = 86400.0
_MONTH = 30.4375 * _DAY
# Dimension, system, then "spellings = factor"; spellings apart by blanks. A capital is kept as it is.
_TABLE: tuple[tuple[str, str, str], ...] = (
    (
        RATIO,
        "",
        """% ％ percent pct процент процента процентов проценте процентами prozent pourcent
        个百分点=0.01; ‰=0.001
""",
    ),
    (
        "time",
        "",
        f"""s sec secs second seconds сек секунда секунды секунд секунду секундах 秒=1; ms millisecond
        milliseconds мс=0.001; min mins minute minutes мин минута минуты минут минуту минутах minuten 分钟=60;
        h hr hrs hour hours ч час часа часов часам часах stunde stunden 小时=3600; d day days день дня дней
        дню днях сутки суток tag tage tagen 天 日={_DAY}; week weeks wk wks неделя недели недель неделю
        неделях woche wochen 周 星期={7 * _DAY}; weekday weekdays={_DAY}; fortnight fortnights={14 * _DAY}""",
    ),
    (
        "time",
        "calendar",
        f"""month months mo mos месяц месяца месяцев месяце месяцах monat monate monaten 个月={_MONTH};
        quarter-year={3 * _MONTH}; year years yr yrs год года годов годах году лет годам jahr jahre jahren
        年={12 * _MONTH}; decade decades десятилетие десятилетия десятилетий={120 * _MONTH}; century
        centuries={1200 * _MONTH}""",
    ),
    (
        "length",
        "",
        """m metre metres meter meters м метр метра метров метре метрах метры 米=1; mm millimetre millimetres
        millimeter millimeters мм миллиметр миллиметра миллиметров 毫米=0.001; cm centimetre centimetres
        centimeter centimeters см сантиметр сантиметра сантиметров 厘米=0.01; km kilometre kilometres
        kilometer kilometers км километр километра километров километрах 公里 千米=1000; nm
        nanometre nanometres
        nanometer nanometers нм=1e-9; μm µm micron microns micrometre micrometers мкм=1e-6""",
    ),
    (
        "length",
        "imperial",
        """inch inches дюйм дюйма дюймов=0.0254; ft foot feet=0.3048; yd yard yards=0.9144; mile miles mi миля
        мили миль=1609.344""",
    ),
    (
        "mass",
        "",
        """g gram grams gramme grammes г грамм грамма граммов 克=0.001; kg kgs kilo kilos kilogram kilograms
        kilogramme кг килограмм килограмма килограммов 公斤 千克=1; mg milligram milligrams мг миллиграмм
        миллиграмма миллиграммов 毫克=1e-6; mcg μg µg microgram micrograms мкг=1e-9; t tonne tonnes т тонна
        тонны тонн тонну 吨=1000""",
    ),
    ("mass", "imperial", "lb lbs pound-mass=0.45359237; oz ounce ounces=0.0283495; ton tons=907.185"),
    (
        "volume",
        "",
        """l L litre litres liter liters л литр литра литров литре 升=1; ml mL millilitre
        millilitres milliliter
        milliliters мл миллилитр миллилитра миллилитров 毫升=0.001; cl=0.01; dl=0.1""",
    ),
    (
        "volume",
        "imperial",
        """gallon gallons gal=3.78541; pint pints=0.473176; quart quarts=0.946353; cup cups=0.24; tbsp
        tablespoon tablespoons=0.0148; tsp teaspoon teaspoons=0.0049""",
    ),
    ("volume", "", "m3 m³ м3 м³=1000"),
    (
        "area",
        "",
        """m2 m² sqm м2 м² 平方米=1; km2 km² км2 км²=1e6; ha hectare hectares га гектар гектара гектаров=1e4
""",
    ),
    ("area", "imperial", "acre acres=4046.86; sqft=0.092903"),
    (
        "power",
        "",
        """W watt watts Вт вт ватт 瓦=1; kW kw kilowatt kilowatts кВт квт киловатт киловатта 千瓦=1000; MW МВт
        megawatt megawatts=1e6; GW gigawatt gigawatts=1e9""",
    ),
    ("power", "imperial", "hp horsepower=745.7"),
    (
        "energy",
        "",
        """Wh=1; kWh kwh кВтч=1000; MWh=1e6; GWh=1e9; J joule joules=0.000277778; kJ=0.277778; kcal ккал
        calories calorie kilocalories=1.163""",
    ),
    ("voltage", "", "V volt volts В вольт вольта=1; mV=0.001; kV кВ=1000"),
    ("current", "", "A amp amps ampere amperes А ампер ампера=1; mA мА milliamps=0.001"),
    ("frequency", "", "Hz hertz Гц=1; kHz кГц=1e3; MHz МГц=1e6; GHz ГГц=1e9"),
    ("temperature", "", "°C ℃ celsius цельсия 摄氏度=1"),
    ("temperature", "fahrenheit", "°F ℉ fahrenheit=1"),
    ("temperature", "kelvin", "kelvin kelvins=1"),
    ("degree", "", "° degree degrees градус градуса градусов deg=1"),
    (
        "data",
        "",
        """bytes byte=1; KB kb kilobyte kilobytes КБ=1e3; MB megabyte megabytes МБ=1e6; GB gigabyte gigabytes
        ГБ gb=1e9; TB terabyte terabytes ТБ tb=1e12""",
    ),
    ("speed", "", "km/h kph kmh км/ч=1; m/s м/с=3.6"),
    ("speed", "imperial", "mph=1.609344; knots knot=1.852"),
    ("pressure", "", "Pa=1; kPa кПа=1e3; MPa МПа=1e6; bar bars бар=1e5; mbar=100; hPa=100"),
    ("pressure", "imperial", "psi=6894.76; mmHg=133.322"),
    ("sound", "", "dB дБ decibel decibels=1"),
    (MONEY + "USD", "", "$ US$ USD usd dollar dollars доллар доллара долларов долл 美元=1"),
    (MONEY + "EUR", "", "€ EUR eur euro euros евро 欧元=1"),
    (MONEY + "GBP", "", "£ GBP gbp pound pounds sterling фунт фунта фунтов 英镑=1"),
    (MONEY + "RUB", "", "₽ RUB rub руб рубль рубля рублей rouble roubles ruble rubles=1"),
    (MONEY + "JPY", "", "JPY yen иен 日元=1"),
    (MONEY + "CNY", "", "CNY RMB yuan юаней юаня 元 人民币=1"),
    (MONEY + "INR", "", "₹ INR rupee rupees рупий=1"),
    (MONEY + "CHF", "", "CHF francs franc=1"),
    (MONEY + "CENT", "", "¢ cent cents цент цента центов=1"),
)  # fmt: skip

SCALES: Final[dict[str, float]] = {
    "hundred": 1e2, "thousand": 1e3, "thousands": 1e3, "k": 1e3, "K": 1e3, "тыс": 1e3, "тысяча": 1e3,
    "тысячи": 1e3, "тысяч": 1e3, "tsd": 1e3, "million": 1e6,
    "millions": 1e6, "M": 1e6, "mn": 1e6, "mln": 1e6, "mio": 1e6,
    "Mio": 1e6, "millionen": 1e6, "mil": 1e6, "MM": 1e6, "млн": 1e6, "миллион": 1e6, "миллиона": 1e6,
    "миллионов": 1e6, "billion": 1e9, "billions": 1e9, "bn": 1e9, "bln": 1e9, "B": 1e9, "mrd": 1e9,
    "Mrd": 1e9, "млрд": 1e9, "миллиард": 1e9, "миллиарда": 1e9,
    "миллиардов": 1e9, "milliarden": 1e9, "trillion": 1e12,
    "trn": 1e12, "tn": 1e12, "трлн": 1e12, "триллион": 1e12, "триллиона": 1e12, "триллионов": 1e12,
    "万": 1e4, "亿": 1e8, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
# After a currency sign a small m, b or k is a scale, and no metre.
MONEY_SCALES: Final[dict[str, float]] = {"m": 1e6, "b": 1e9, "k": 1e3, "t": 1e12}
HAN_UNITS: Final = frozenset("年月天日秒分时周米升克吨瓦元个人次台件页岁本名位条倍层度")


@cache
def units() -> dict[str, Unit]:
    """Every unit by its spelling; look up as written first, then in lower case."""
    return dict(_spellings())


def find_unit(spelling: str) -> Unit | None:
    """The unit a spelling names, if any.

    Examples
    --------
    >>> find_unit("km")
    Unit(dimension='length', factor=1000.0, system='')
    """
    known = units()
    # Capitals matter in short symbols: M is no metre, K no kelvin and "A" mostly no ampere.
    return known.get(spelling) or (known.get(spelling.lower()) if len(spelling) > 2 else None)


def tolerance(one: Unit, other: Unit) -> float:
    """How far equal quantities in two units may lie apart, relative: conversions are rounded."""
    if one.system == other.system:
        return 1e-6
    return 0.035 if one.dimension == "time" else 0.025


def _spellings() -> Iterator[tuple[str, Unit]]:
    for dimension, system, rows in _TABLE:
        for row in rows.split(";"):
            names, _, factor = row.rpartition("=")
            for name in names.split():
                yield name, Unit(dimension, float(factor), system)
