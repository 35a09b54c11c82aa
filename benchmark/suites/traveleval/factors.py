"""Numbers of the paper that a run may have others of (appendix A.2): written as `name=number, name=number`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from benchmark.metrics import gettext_noop as _
from benchmark.remarks import Remark

Numbers = Mapping[str, float]
BASE_MINUTES: Final[Numbers] = MappingProxyType(
    {
        "人文景观": 3.0,
        "园林": 3.0,
        "自然风光": 3.5,
        "历史古迹": 4.0,
        "游乐园/体育娱乐": 6.0,
        "博物馆/纪念馆": 10.0,
    }
)
"""B by kind of sight."""
KINDS_ELSEWHERE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "博物馆": "博物馆/纪念馆",
        "文物古迹": "历史古迹",
        "游乐园": "游乐园/体育娱乐",
        "主题公园": "游乐园/体育娱乐",
    }
)
"""The museums, historical sites and amusement parks of Table A5, as worlds call them that have other tables."""
HOLIDAY, SHORT_HOLIDAY, WEEKEND, VACATION, PEAK, WEEKDAY = (
    *("holiday", "short_holiday", "weekend", "vacation"),
    *("peak", "weekday"),
)
DATE_FACTORS: Final[Numbers] = MappingProxyType(
    {HOLIDAY: 10.06, SHORT_HOLIDAY: 4.39, WEEKEND: 7.55, VACATION: 3.94, PEAK: 4.63, WEEKDAY: 1.0}
)
"""K_date by kind of day."""
HOUR_FACTORS: Final[Numbers] = MappingProxyType(
    {"8-10": 0.85, "10-12": 0.90, "12-16": 1.10, "16-20": 1.10, "20-24": 0.70}
)
"""K_time by the hours, from the first to before the last, in which a visit begins."""
DENSITIES: Final[Numbers] = MappingProxyType({"packed": 6.0, "slow": 2.0, "family": 2.75, "usual": 3.54})
"""Attractions a day that travellers want, by their rhythm and who they are."""
_MOST = 10_000


class Factors(NamedTuple):
    """What queues depend on. base: minutes. by_day, by_hour: what they are multiplied by."""

    base: Numbers = BASE_MINUTES
    by_day: Numbers = DATE_FACTORS
    by_hour: Numbers = HOUR_FACTORS


def numbers_text(numbers: Numbers) -> str:
    """As an option has them."""
    return ", ".join(f"{name}={number:g}" for name, number in numbers.items())


def read_numbers(text: str, usual: Numbers) -> Numbers:
    """The numbers of a text; those that it leaves out are the usual ones. What can't be read is left out."""
    told = dict(_name_and_number(part) for part in _parts(text))
    return {name: told[name] if math.isfinite(told.get(name, math.nan)) else usual[name] for name in usual}


def refuse_numbers(text: str, usual: Numbers, least: float) -> Remark | None:
    """What somebody should write instead of a text, None for one that can be read. least: that a number may be."""
    seen: set[str] = set()
    for part in _parts(text):
        name, number = _name_and_number(part)
        if name not in usual or name in seen or not least <= number <= _MOST:
            words = _(
                "“%(part)s” is wrong: write NAME=NUMBER, parted by commas, each name once, from %(least)s to "
                "%(most)s, for some of %(names)s"
            )
            shown = {"part": part[:40], "least": f"{least:g}", "most": _MOST, "names": ", ".join(usual)}
            return Remark(words, shown)
        seen.add(name)
    return None


def _parts(text: str) -> list[str]:
    for mark in "，;；":
        text = text.replace(mark, ",")
    return [part.strip() for part in text.split(",") if part.strip()]


def _name_and_number(part: str) -> tuple[str, float]:
    """NaN for what is no plain number."""
    name, _equals, number = (word.strip() for word in part.partition("="))
    is_plain = number.isascii() and number.replace(".", "", 1).isdigit()
    return name, float(number) if is_plain else math.nan
