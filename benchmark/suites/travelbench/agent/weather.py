"""The weather: of the days that are asked about, else of the season, and what follows for whoever asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from benchmark.suites.travelbench.agent import lexicon
from benchmark.suites.travelbench.agent.cities import in_english, short
from benchmark.suites.travelbench.agent.looking import Lookups
from benchmark.suites.travelbench.agent.request import Request, says
from benchmark.suites.travelbench.agent.telling import weather_line
from benchmark.suites.travelbench.agent.words import Words, answer_unnamed_place, nothing
from benchmark.text import guarded
from sandbox.tools.language import Language, Says

_FARTHEST = timedelta(days=15)
"""The most that forecasts reach."""
_LONGEST_SEASON = 160
_LEVEL = guarded.compile(r"\d+")
_COLD = (
    (0, Says("很冷，要穿羽绒服。", "Very cold: a down coat is needed.")),
    (
        6,
        Says(
            "早晚冷，穿厚外套；怕冷的话穿薄羽绒服。",
            "Cold in the morning and evening: a thick coat will do, a light down coat if you feel the cold.",
        ),
    ),
    (12, Says("有点凉，穿外套就行，不用羽绒服。", "A little chilly: a jacket will do, no down coat.")),
    (18, Says("不算冷，早晚加件薄外套。", "Not cold: a light jacket for the evening.")),
    (99, Says("不冷，不用外套。", "Not cold: no jacket needed.")),
)
_HOT = (
    (24, Says("不热。", "Not hot.")),
    (30, Says("白天有点热。", "A little hot by day.")),
    (35, Says("热，注意防晒。", "Hot: mind the sun.")),
    (99, Says("很热，中午少在外面走。", "Very hot: stay inside around noon.")),
)
_WIND = (
    (3, Says("风不大。", "Little wind.")),
    (5, Says("有风，不算大。", "Some wind, not strong.")),
    (6, Says("风偏大。", "Rather windy.")),
    (99, Says("风很大。", "Very windy.")),
)
_WET = Says("有雨，带上伞。", "Rain: take an umbrella.")
_DRY = Says("没有雨，不用带伞。", "No rain: you need no umbrella.")
_WHITE = Says("会下雪。", "It will snow.")
_BARE = Says("不会下雪。", "No snow.")


def weather(request: Request, lookups: Lookups, language: Language) -> Words:
    """By the forecast where it reaches, else as is usual for the season."""
    city, days = request.region, request.days
    if not city:
        return answer_unnamed_place(request, lookups, language)
    today = request.now.date()
    if (request.month and not days) or (days and max(days) - today > _FARTHEST):
        return _season(request, city, lookups, language)
    what = Says(f"{short(city)}的天气", f"The weather in {in_english(city)}").to(language)
    rows, text = _weather_rows(city, days or (today,), today, lookups)
    if not rows and not text:
        return nothing(what, language)
    head = (
        f"{what}{Says('：', ': ').to(language)}{' '.join(_verdicts(request.words, rows, language))}".strip()
    )
    lines = [weather_line(row, language) for row in rows] or [text]
    return Words("\n".join((head, *lines)))


def _weather_rows(
    city: str, days: Sequence[date], today: date, lookups: Lookups
) -> tuple[list[Mapping[str, Any]], str]:
    """The days as the tools tell them, or what they wrote where that has no form."""
    if list(days) == [today]:
        answer = lookups.call("weather_current_conditions", location=city)
        return ([answer.fields] if answer.fields else []), answer.text
    first, last = min(days), max(days)
    answer = lookups.call(
        "weather_forecast_days",
        location=city,
        date=first.isoformat(),
        days=(last - first).days if (last - first).days > 1 else None,
    )
    rows, wanted = answer.rows("days"), {day.isoformat() for day in days}
    return [row for row in rows if row.get("date") in wanted] or rows, answer.text


def _season(request: Request, city: str, lookups: Lookups, language: Language) -> Words:
    """No forecast reaches so far: what is known of the season."""
    month = request.days[0].month if request.days else request.month
    answer = lookups.call("web_search", query=f"{short(city)}天气 季节")
    text = answer.text or str(answer.fields.get("text", ""))
    lines = (guarded.split(r"[（(]", line)[0].strip() for line in text.splitlines())
    told = next((line for line in lines if guarded.search(lexicon.SEASON, line)), "")[:_LONGEST_SEASON]
    head = Says(
        f"{short(city)}{month}月还没有预报，预报最多到 15 天后。",
        f"There is no forecast for {in_english(city)} in {date(2000, month or 1, 1):%B} yet: "
        "it reaches 15 days at most.",
    ).to(language)
    usual = Says("往年的情况：", "In most years: ").to(language)
    return Words(f"{head}\n{usual}{told}" if told else head)


def _verdicts(said: str, rows: Sequence[Mapping[str, Any]], language: Language) -> Iterator[str]:
    """What was asked in a word. Nothing is said where no figures are told."""
    low, high = _figures(rows, "low"), _figures(rows, "high")
    skies = " ".join(str(row.get("condition", "")) for row in rows)
    if says(lexicon.COLD, said) and low:
        yield _up_to(_COLD, min(low), language)
    if says(lexicon.HOT, said) and high:
        yield _up_to(_HOT, max(high), language)
    levels = [int(level) for row in rows for level in _LEVEL.findall(str(row.get("wind") or ""))]
    if says(lexicon.WINDY, said) and levels:
        yield _up_to(_WIND, max(levels), language)
    if says(lexicon.RAINY, said) and skies.strip():
        yield (_WET if says(lexicon.WET_SKY, skies) else _DRY).to(language)
    if says(lexicon.SNOWY, said) and skies.strip():
        yield (_WHITE if says(lexicon.WHITE_SKY, skies) else _BARE).to(language)
    if len(rows) > 1 and says(lexicon.WHICH_DAY, said):
        best, second, *_ = sorted(rows, key=_worse)
        alike = Says("这几天天气差不多。", "The days are much alike.")
        better = Says(f"{best.get('date')} 天气更好。", f"{best.get('date')} is the better day.")
        yield (alike if _worse(best) == _worse(second) else better).to(language)


def _figures(rows: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    return [row[name] for row in rows if isinstance(row.get(name), int | float)]


def _worse(row: Mapping[str, Any]) -> tuple[bool, float]:
    high = row.get("high")
    return (
        says(lexicon.WET_SKY, str(row.get("condition", ""))),
        -float(high) if isinstance(high, int | float) else 0.0,
    )


def _up_to(bounds: Sequence[tuple[float, Says]], value: float, language: Language) -> str:
    return next(words for bound, words in bounds if value < bound).to(language)
