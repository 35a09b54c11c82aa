"""Small numbers as people write them."""

from __future__ import annotations

_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}


def small_number(word: str) -> int:
    """3, 三 and 十三 as a number; in Chinese to 99. What is no number is 0."""
    if word.isdecimal():
        return int(word)
    tens, ten, ones = word.rpartition("十")
    return (10 * _DIGITS.get(tens, 1) if ten else 0) + _DIGITS.get(ones, 0)
