"""The sentences of a task that say what its fields say: `query`, `context` and the duration (table 6)."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.suites.grouptravel.synthesis.english import join_parts, with_gloss

_HAN = "零一两三四五六七八九"


def duration(days: int, language: str) -> str:
    """三天两夜; 3 days and 2 nights."""
    nights = days - 1
    if language == "en":
        return f"{_count_text(days, 'day')} and {_count_text(nights, 'night')}"
    return f"{_HAN[days]}天{_HAN[nights]}夜" if days < len(_HAN) else f"{days}天{nights}夜"


def query(cities: Sequence[str], lasts: str, people: int, language: str) -> str:
    """What everyone reads first; lasts: as `duration` says it."""
    if language == "en":
        return f"{join_parts([with_gloss('cities', city) for city in cities])}, {lasts}, a trip for {people} people"
    return f"{'、'.join(cities)}，{lasts}，{people}人的旅行计划"


def context(departure: str, day: str, group: str, people: int, children: Sequence[str], language: str) -> str:
    """Departure, date (YYYY-MM-DD) and group; children: the roles of those without a table."""
    if language == "en":
        home = with_gloss("cities", departure)
        text = f"Departure city: {home}; departure date: {day}; group: {group} ({people} people)"
        return f"{text}; children along: {', '.join(children)}" if children else text
    text = f"出发城市：{departure}；出行日期：{day}；团队类型：{group}（共{people}人）"
    return f"{text}；随行儿童：{'、'.join(children)}" if children else text


def _count_text(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
