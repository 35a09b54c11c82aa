"""Numbers as English is written: 2,500, 2.5k, two thousand five hundred, eight and a half."""

from __future__ import annotations

from benchmark.text import guarded

_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "grand": 1000, "k": 1000}
_WORD = "|".join(sorted(_UNITS, key=len, reverse=True))
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_MOST_WORDS = 20
"""Words after the first, or groups of digits: more of the shortest are longer than `LONGEST`, and a text of nothing
else is read soon.
"""
_DIGITS = rf"\d{{1,3}}(?:,\d{{3}}){{1,{_MOST_WORDS}}}(?:\.\d+)?|\d+(?:\.\d+)?"
NUMBER = (
    rf"(?>(?:{_DIGITS})(?:\s*(?:{_SCALE})\b)?(?:\s+and\s+a\s+half\b)?"
    rf"|\b(?:a\s+(?:couple\s+of\s+)?(?={_SCALE}\b)|(?:{_WORD})\b)"
    rf"(?:(?:[\s-]+(?:and\s+)?)?(?:{_WORD}|{_SCALE})\b){{0,{_MOST_WORDS}}}(?:\s+and\s+a\s+half\b(?:\s+(?:{_SCALE})\b)?)?)"
)
"""A regular expression (no groups, case to be ignored) for one written number, whole: words of it are no number."""
LONGEST = 80
"""Characters of a number: what is longer is none."""


def read_number(text: str) -> float | None:
    """The value of a written number, None when it is none. Twenty-five hundred is 2500, two and a half k 2500."""
    if len(text) > LONGEST:
        return None
    words = guarded.findall(rf"{_DIGITS}|[a-z]+", text.lower())
    half = words[-3:] == ["and", "a", "half"] or "half" in words
    plain = [word for word in words if word not in {"and", "a", "an", "of", "half"}]
    if not plain and not any(word in {"a", "half"} for word in words):
        return None
    values = [_value(word) for word in plain]
    if any(value is None for value in values) or not plain:
        return None
    return _sum_words(plain, half)


def _value(word: str) -> float | None:
    if word[:1].isdigit():
        return float(word.replace(",", ""))
    return 2 if word == "couple" else _UNITS.get(word, _SCALES.get(word))


def _sum_words(words: list[str], half: bool) -> float:
    """Units are added up; each scale multiplies what stands before it, thousands closing a part of the sum."""
    total, current = 0.0, 0.0
    for place, word in enumerate(words):
        scale = _SCALES.get(word)
        if scale is None:
            current += _value(word) or 0
        else:
            last = place == len(words) - 1
            current = (current + (0.5 if half and last and current else 0) or 1) * scale
            half = half and not (last and current)
            if scale >= 1000:
                total, current = total + current, 0.0
    return total + current + (0.5 if half else 0)
