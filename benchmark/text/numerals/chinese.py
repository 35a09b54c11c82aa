"""Numbers as Chinese is written: 3500, 3,500, 3.5k, 三千五, 一万二, 两百五十, 九个半."""

from __future__ import annotations

from benchmark.text import guarded
from benchmark.text.numerals.parts import DIGITS, FIGURES, sum_parts

HAN = "零〇一二两俩仨三四五六七八九十百千万半"
NUMBER = rf"(?>(?:{FIGURES})\s*(?:[kK](?![A-Za-z])|[wW](?![A-Za-z])|万|千|百)?\d?|[{HAN}]+)"
"""A regular expression (no groups) for one written number, whole: digits of it are no number."""
LONGEST = 20
"""Characters of a number: what is longer is none."""
_SCALED_FIGURES = guarded.compile(rf"(?:{FIGURES})\s*[kKwW万千百]?\d?")
_ROUGH = guarded.compile(r"^([一二两三四五六七八])([二三四五六七八九])([百千万]?)$")
_EITHER = guarded.compile("[一二两三四五六七八九](?=[一二两三四五六七八九])")
_DIGIT = "零〇一二两俩仨三四五六七八九"
_SECTION = rf"(?:[{_DIGIT}]+千)?(?:[{_DIGIT}]+百)?(?:[{_DIGIT}]*十)?[{_DIGIT}]*"
_WHOLE = guarded.compile(rf"(?=[^万])(?:{_SECTION}万)?{_SECTION}")
"""Digits alone, or units in falling order, each with what stands before it."""


def read_number(text: str, *, loose: bool = False) -> float | None:
    """The value of a written number, None when it is none. 三千五 is 3500; a rough 三四 counts as its upper end.

    loose: estimates are numbers too: a unit alone is one of it (上千), 三五千 counts as its upper end.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if loose:
        text = _upper_end(text)
    if _SCALED_FIGURES.fullmatch(text):
        return sum_parts("".join(text.split()))
    rough = _ROUGH.match(text)
    if rough and DIGITS[rough.group(2)] == DIGITS[rough.group(1)] + 1:
        text = rough.group(2) + rough.group(3)
    half = text.endswith("半") and len(text) > 1
    text = text.removesuffix("半") if half else text
    return sum_parts(text) + half / 2 if _WHOLE.fullmatch(text) else None


def _upper_end(text: str) -> str:
    text = _EITHER.sub("", text)
    return f"一{text}" if text[:1] in tuple("百千万") else text
