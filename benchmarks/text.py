"""Seconds the text room takes over a megabyte of ordinary and hostile text: `python -m benchmarks.text`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter

from evalcore.findings import ContextFacts, findings
from evalcore.text import is_blank, is_refusal, numbers, scripts, sentences, words

_PROSE = "The pump is rated at 5 kW, e.g. for Dr. Lee, and it was installed by the team in May 2019. "
_RUSSIAN = "Насос мощностью 5 кВт, т. е. обычный, установлен бригадой по ул. Ленина в 2019 г. Он работает. "
KINDS: dict[str, str] = {
    "English prose": _PROSE,
    "wrapped prose": _PROSE.replace(" and", "\nand"),
    "Russian prose": _RUSSIAN,
    "Chinese prose": "水泵功率为5千瓦。保修期为五年！产地是德国。",
    "list": "1. Range: 40 km\n2. Charge time: 3 h\n- Colour: silver\n",
    ".": ".",
    "a.": "a.",
    "a. ": "a. ",
    ". ": ". ",
    ".[1]": ".[1]",
    "(": "(",
    '. "(': '. "( ',
    "space": " ",
    "new line": "\n",
    "x + line": "x\n",
    "7": "7",
    "7,": "7,",
    "7 777": "777 ",
    "1. ": "1. ",
    "- ": "- ",
    "> # ": "> # ",
    "```": "```\n",
    "|": "|",
    "[1,": "[1,",
    "a@": "a@",
    "marks": "a" + "\u0301" * 500 + "\u0323" * 500,
    "surrogate": "\ud800",
}
CALLS: dict[str, Callable[[str], object]] = {
    "sentences": sentences,
    "words": words,
    "numbers": numbers,
    "scripts": scripts,
    "is_blank": is_blank,
    "is_refusal": is_refusal,
    "findings": lambda text: findings(text[:100_000], ContextFacts.of([text[:100_000]]), [text[:100_000]]),
}


def main() -> None:
    """Print seconds per call for each kind of text; the size in characters may be given."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    print(f"seconds for {size:,} characters")
    print(f"{'input':<15}" + "".join(f"{name:>12}" for name in CALLS))
    for kind, unit in KINDS.items():
        text = (unit * (size // len(unit) + 1))[:size]
        row = ""
        for call in CALLS.values():
            start = perf_counter()
            call(text)
            row += f"{perf_counter() - start:>12.3f}"
        print(f"{kind:<15}{row}", flush=True)


if __name__ == "__main__":
    main()
