"""The parts of a number, Chinese or small and English, and what they come to."""

from __future__ import annotations

from benchmark.text import guarded

DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {
    "〇": 0,
    "两": 2,
    "俩": 2,
    "仨": 3,
    "壹": 1,
}
FIGURES = r"\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
SMALL = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_DIGITS = DIGITS | {word: value for value, word in enumerate(SMALL, 1)}
_UNITS = {"十": 10, "百": 100, "千": 1000, "k": 1000, "hundred": 100, "thousand": 1000}
_MYRIADS = ("万", "w")
_PARTS = guarded.compile(rf"{FIGURES}|[{''.join(DIGITS)}十百千万kw]|[a-z]{{2,}}", guarded.IGNORECASE)


def sum_parts(text: str) -> float:
    """The value of a written number. A lone digit behind a unit counts in the next lower one: 三千五 is 3500;
    behind a zero it is itself.

    Every text has a value here, 百 and 三四 (34) too. Stored scores rest on it, so it changes only with the version
    of the scoring.
    """
    whole = section = 0.0
    last: float | None = None
    unit = 1
    for part in _PARTS.findall(text.lower()):
        if part in _MYRIADS:
            whole, section, last, unit = (section + _last_digit_value(unit, last)) * 10_000, 0, None, 10_000
        elif part in _UNITS:
            unit = _UNITS[part]
            section, last = section + (1 if last is None else last) * unit, None
        elif part in "零〇" and last is None:
            unit = 1
        elif part in _DIGITS or part[0].isdigit():
            digit = _DIGITS[part] if part in _DIGITS else float(guarded.sub("[,，]", "", part))
            unit = unit if digit else 1
            last = digit if last is None else last * 10 + digit
    return whole + section + _last_digit_value(unit, last)


def _last_digit_value(unit: int, last: float | None) -> float:
    return (last or 0) * (unit / 10 if unit > 10 and (last or 0) < 10 else 1)
