"""Numbers of the paper that a run may have others of (appendix A.2): written as `name=number, name=number`."""

from __future__ import annotations

import math
import re
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
_PART = re.compile(r"\s*([^=,;]+?)\s*=\s*([0-9]+(?:\.[0-9]+)?)\s*", re.ASCII)


class Factors(NamedTuple):
    """What queues depend on. base: minutes. by_day, by_hour: what they are multiplied by."""

    base: Numbers = BASE_MINUTES
    by_day: Numbers = DATE_FACTORS
    by_hour: Numbers = HOUR_FACTORS


def numbers_text(numbers: Numbers) -> str:
    """As an option has them."""
    return ", ".join(f"{name}={number:g}" for name, number in numbers.items())


def read_numbers(text: str, usual: Numbers) -> Numbers:
    """The numbers of a text; those that it leaves out are the usual ones. Nothing that `refuse_numbers` refuses."""
    return {**usual, **{name: float(number) for name, number in _parts(text)}}


def _parts(text: str) -> list[tuple[str, str]]:
    found = (_PART.fullmatch(part) for part in re.split("[,;，；]", text) if part.strip())
    return [match.groups() for match in found if match]  # type: ignore[misc]


def refuse_numbers(text: str, usual: Numbers, least: float) -> Remark | None:
    """What somebody should write instead of a text, None for one that can be read. least: that a number may be."""
    seen: set[str] = set()
    for part in filter(str.strip, re.split("[,;，；]", text)):
        match = _PART.fullmatch(part)
        name, number = (match[1], float(match[2])) if match else ("", math.nan)
        if name not in usual or name in seen or not least <= number <= _MOST:
            words = _(
                "“%(part)s” is wrong: write NAME=NUMBER, parted by commas, each name once, from %(least)s to "
                "%(most)s, for some of %(names)s"
            )
            shown = {
                "part": part.strip()[:40],
                "least": f"{least:g}",
                "most": _MOST,
                "names": ", ".join(usual),
            }
            return Remark(words, shown)
        seen.add(name)
    return None
