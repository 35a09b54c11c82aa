"""A number written in Chinese or English reads back, by every reader of numbers."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmark.suites.grouptravel.travellers.scripted.language import language
from benchmark.text import guarded
from benchmark.text.numerals import chinese, english
from benchmark.text.numerals.either import numbers_in

DIGITS = "零一二三四五六七八九"
SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = {2: "twenty", 3: "thirty", 4: "forty", 5: "fifty", 6: "sixty", 7: "seventy", 8: "eighty", 9: "ninety"}


def in_chinese(number: int) -> str:
    """A number below a hundred million."""
    high, low = divmod(number, 10_000)
    if not high:
        return _section(low) or DIGITS[0]
    gap = DIGITS[0] if 0 < low < 1000 else ""
    return f"{_section(high)}万{gap}{_section(low)}"


def _section(number: int) -> str:
    text, gap = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        if digit:
            text += (DIGITS[0] if gap and text else "") + DIGITS[digit] + name
        gap = not digit
    return text.removeprefix("一") if text.startswith("一十") else text


def in_english(number: int) -> str:
    """A number below a million."""
    if number < 20:
        return SMALL[number]
    if number < 100:
        return TENS[number // 10] + (f"-{SMALL[number % 10]}" if number % 10 else "")
    scale, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % scale
    gap = " and " if rest < 100 else " "
    return f"{in_english(number // scale)} {name}" + (f"{gap}{in_english(rest)}" if rest else "")


def single_number(text: str) -> float | None:
    """What `numbers_in` makes of a text that is one number."""
    found = list(numbers_in(text))
    return found[0].value if len(found) == 1 and text[found[0].start : found[0].end] == text else None


@given(st.integers(0, 99_999_999))
@example(20_010)
def test_a_number_in_chinese_reads_back(number: int) -> None:
    written = in_chinese(number)
    assert chinese.read_number(written) == number
    assert chinese.read_number(written, loose=True) == number
    assert language("zh").value(written) == number
    assert single_number(written) == number
    assert guarded.fullmatch(chinese.NUMBER, written)


@given(st.integers(0, 999_999))
def test_a_number_in_english_reads_back(number: int) -> None:
    written = in_english(number)
    assert english.read_number(written) == number
    assert english.read_number(written.capitalize()) == number
    assert language("en").value(written) == number
    assert guarded.fullmatch(english.NUMBER, written)


@given(st.integers(0, 999_999), st.booleans())
def test_figures_read_back(number: int, grouped: bool) -> None:
    written = f"{number:,}" if grouped else str(number)
    readers = (
        chinese.read_number,
        english.read_number,
        language("zh").value,
        language("en").value,
        single_number,
    )
    assert {read(written) for read in readers} == {number}


@pytest.mark.parametrize(
    ("text", "strict", "loose"),
    [
        ("千", None, 1000), ("百八", None, 180), ("万", None, 10_000), ("三五", 35, 5), ("三五千", 35_000, 5000),
        ("两三千", 3000, 3000), ("三四", 4, 4), ("一千零五", 1005, 1005), ("两千五", 2500, 2500),
        ("九个半", None, None),
        ("九半", 9.5, 9.5), ("十三", 13, 13), ("两", 2, 2), ("", None, None),
    ],
)  # fmt: skip
def test_estimates_in_chinese(text: str, strict: float | None, loose: float | None) -> None:
    assert (chinese.read_number(text), chinese.read_number(text, loose=True)) == (strict, loose)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1万5千", 15_000), ("1万五", 15_000), ("三千五", 3500), ("5k", 5000), ("nine", 9), ("2,300", 2300),
        ("百", 100), ("三四", 34), ("two thousand five hundred", 2500), ("3 thousand", 3000),
    ],
)  # fmt: skip
def test_numbers_of_either_language_are_found(text: str, value: float) -> None:
    assert single_number(text) == value
