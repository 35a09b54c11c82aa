"""Results of tools in words: nothing is told that a result does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchmark.text import guarded
from sandbox.tools.language import Language, Says
from sandbox.worlds.value_names import value_names

MOST_SHOWN = 6
_MODES = {
    "driving": Says("驾车", "by car"),
    "transit": Says("公共交通", "by public transport"),
    "walking": Says("步行", "on foot"),
    "bicycling": Says("骑行", "by bicycle"),
}
_CLASSES = {
    "二等座": "second class",
    "一等座": "first class",
    "商务座": "business class",
    "无座": "standing",
    "硬座": "hard seat",
    "软座": "soft seat",
    "硬卧": "hard sleeper",
    "软卧": "soft sleeper",
    "经济舱": "economy",
    "公务舱": "business",
    "商务舱": "business",
    "头等舱": "first",
}
_SEPARATOR = Says("；", "; ")
_PAIR = r"-?\d{1,3}\.\d{2,}\s*[,，]\s*-?\d{1,3}\.\d{2,}"
_POINT = guarded.compile(_PAIR)
_LED_POINT = guarded.compile(
    rf"[ ，,；;]*(?:[到至从在于]|\b(?:to|from|at|in)\b)?\s*[（(]?\s*(?:坐标|经纬度|位置|coordinates?|location)?"
    rf"\s*[:：=]?\s*[（(]?{_PAIR}[）)]?[）)]?",
    guarded.IGNORECASE,
)
_KILOMETRE = 1000
_MOST_STEPS = 8


def place_lines(rows: Iterable[Mapping[str, Any]], language: Language) -> Iterator[str]:
    """A numbered line a place."""
    for number, row in enumerate(list(rows)[:MOST_SHOWN], 1):
        yield f"{number}. {row.get('name', '?')}{_facts(_of_place(row, language), language)}"


def _of_place(row: Mapping[str, Any], language: Language) -> Iterator[str | None]:
    yield _kind(row.get("category"), language)
    yield _text(row.get("address") or row.get("area"))
    yield _put(row.get("rating"), Says("评分 {}", "rated {}"), language)
    yield _cost(row.get("cost"), language)
    yield _hours(row.get("hours"), language)
    yield _distance(row.get("distance_m"), language)
    largest = _distance(row.get("largest_distance_m"), language)
    yield Says(f"离各位最远 {largest}", f"at most {largest} from each").to(language) if largest else None


def _kind(category: Any, language: Language) -> str | None:
    """The kind of one place: a museum, not museums."""
    name = value_names(language).get(category, category) if isinstance(category, str) else ""
    if language != "en" or " and " in name:
        return name or None
    return guarded.sub(r"(?<=ch)es$|(?<![su])s$", "", guarded.sub(r"ies$", "y", name)) or None


def _hours(hours: Any, language: Language) -> str | None:
    """What has no figure in it is a sentence already: always open."""
    if isinstance(hours, str) and not any(sign.isdigit() for sign in hours):
        return hours or None
    return _put(hours, Says("营业时间 {}", "open {}"), language)


def _cost(cost: Any, language: Language) -> str | None:
    if cost == 0:
        return Says("免费", "free").to(language)
    return _put(cost, Says("约 {} 元", "about {} CNY"), language)


def fact_text(row: Mapping[str, Any], language: Language) -> str:
    """What is known of a place, after a colon."""
    return _facts(_of_place(row, language), language)


def way_lines(rows: Iterable[Mapping[str, Any]], end: str, language: Language) -> Iterator[str]:
    """A line a way, and its steps. end: what the place is called to which the way leads."""
    for row in rows:
        steps = row.get("transfers") or row.get("roads") or ()
        yield f"- {way_text(row, language)}"
        yield from (f"  · {_POINT.sub(end, str(step))}" for step in list(steps)[:_MOST_STEPS])


def way_text(row: Mapping[str, Any], language: Language) -> str:
    """A way in a few words."""
    return f"{mode_name(row, language)}{_facts(_of_way(row, language), language)}"


def mode_name(row: Mapping[str, Any], language: Language) -> str:
    """How a way is gone."""
    mode = _MODES.get(str(row.get("mode")))
    return mode.to(language) if mode else str(row.get("mode", "?"))


def without_points(text: str) -> str:
    """A text without coordinates, which tell a reader nothing, and without the words that lead to them."""
    return _LED_POINT.sub("", text)


def _of_way(row: Mapping[str, Any], language: Language) -> Iterator[str | None]:
    yield _distance(row.get("distance_m"), language)
    yield minutes_text(row.get("duration_minutes"), language)
    yield _put(row.get("fare"), Says("票价 {} 元", "fare {} CNY"), language)
    if row.get("estimated"):
        yield Says("为估算值", "an estimate").to(language)


def service_lines(
    rows: Iterable[Mapping[str, Any]], part: tuple[str, str] | None, language: Language
) -> list[str]:
    """A line a train or flight that leaves within a part of the day."""
    within = [row for row in rows if part is None or part[0] <= str(row.get("depart", "")) < part[1]]
    return [f"- {_service(row, language)}" for row in within[:MOST_SHOWN]]


def _service(row: Mapping[str, Any], language: Language) -> str:
    start = row.get("origin_station") or row.get("origin_airport") or ""
    end = row.get("destination_station") or row.get("destination_airport") or ""
    way = f"{row.get('depart', '?')} {start} → {row.get('arrive', '?')} {end}"
    direct = Says("直达", "direct").to(language) if row.get("direct") else None
    facts = _facts(
        [minutes_text(row.get("duration_minutes"), language), direct, _fare(row, language)], language
    )
    return f"{row.get('number', '?')} {way}{facts}"


def _fare(row: Mapping[str, Any], language: Language) -> str | None:
    held = row.get("fares") or row.get("prices") or ()
    fares = [fare for fare in held if isinstance(fare, dict)]
    told = [f"{_class_name(fare.get('name'), language)} {_number(fare.get('price'))}" for fare in fares[:2]]
    return f"{', '.join(told)} {Says('元', 'CNY').to(language)}" if told else None


def _class_name(name: Any, language: Language) -> str:
    """What a class of seats or beds is called."""
    written = _text(name) or "?"
    return _CLASSES.get(written, written) if language == "en" else written


def weather_line(row: Mapping[str, Any], language: Language) -> str:
    """A day's weather, with what follows for one's clothes."""
    low, high = row.get("low"), row.get("high")
    degrees = f"{low}–{high} °C" if low is not None and high is not None else None
    wind = _text(row.get("wind"))
    head = " ".join(filter(None, (_text(row.get("date")), _text(row.get("day_label")))))
    told = _SEPARATOR.to(language).join(filter(None, (_text(row.get("condition")), degrees, wind)))
    return f"{head}{Says('：', ': ').to(language) if head else ''}{told}"


def _facts(facts: Iterable[str | None], language: Language) -> str:
    told = _SEPARATOR.to(language).join(filter(None, facts))
    return f"{Says('：', ': ').to(language)}{told}" if told else ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _put(value: Any, words: Says, language: Language) -> str | None:
    return words.to(language).format(_number(value)) if value not in (None, "") else None


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _distance(metres: Any, language: Language) -> str | None:
    if not isinstance(metres, int | float):
        return None
    if metres < _KILOMETRE:
        return f"{metres:.0f} {Says('米', 'm').to(language)}"
    return f"{metres / _KILOMETRE:.1f} {Says('公里', 'km').to(language)}"


def minutes_text(minutes: Any, language: Language) -> str | None:
    """A length of time; None where it is no figure."""
    if not isinstance(minutes, int | float):
        return None
    hours, rest = divmod(round(minutes), 60)
    if hours and not rest:
        return Says(f"{hours} 小时", f"{hours} h").to(language)
    if hours:
        return Says(f"{hours} 小时 {rest} 分钟", f"{hours} h {rest} min").to(language)
    return Says(f"{rest} 分钟", f"{rest} min").to(language)
