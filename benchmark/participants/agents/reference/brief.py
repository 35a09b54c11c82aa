"""What the request itself says: where from, where to, how long, how many."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from benchmark.participants.agents.reference.numerals import NUMBER, read_number
from benchmark.participants.view import View

_DAYS = re.compile(rf"({NUMBER})\s*(?:天|日游|日(?!期))|\b(\d+)[ -]days?\b", re.IGNORECASE)
_NIGHTS = re.compile(rf"({NUMBER})\s*[晚夜]|\b(\d+)[ -]nights?\b", re.IGNORECASE)
_HEADS = re.compile(
    rf"({NUMBER})\s*(?:个|名|位|口)?\s*(?:大人|成人|人|口之家)|\b(\d+)\s*(?:people|persons|travell?ers)\b",
    re.IGNORECASE,
)
_DEPARTURE = re.compile(
    r"(?:出发城市|出发地|出发点|departure(?: city)?)\s*[:：是为]?\s*([^\s；;，,。|]+)", re.IGNORECASE
)
_FROM = re.compile(r"从\s*([^\s；;，,。|去到出]{2,12}?)\s*(?:出发|去|到|飞)")
_AND = re.compile(r"[、/+]|(?<!呼)和(?![田龙县平静布顺政硕])|与|\band\b")
_PLACE = re.compile(r"^(?:去|到|游|玩|在)?([\u4e00-\u9fff]{2,12}?(?:市|县|区|州|盟|地区)?)$")


@dataclass(frozen=True, slots=True)
class Brief:
    """The trip before anybody has said a word.

    cities: destinations as the request writes them, in its order. days: at least 1. head_count: everybody,
    young children included. companions: names of the travellers without a preference table.
    """

    departure_city: str
    cities: tuple[str, ...]
    days: int
    start: date
    head_count: int
    companions: tuple[str, ...]
    language: str


def read_brief(view: View) -> Brief:
    """The brief of a view's query, context and date; what the texts leave out is taken from the group."""
    heads = _first(_HEADS, view.query)
    return Brief(
        departure_city=_departure(view),
        cities=_cities(view.query),
        days=max(1, _first(_DAYS, view.query) or _first(_NIGHTS, view.query) + 1),
        start=date.fromisoformat(view.time.strip()[:10]),
        head_count=max(heads, len(view.travellers) + len(view.companions)),
        companions=tuple(companion.name for companion in view.companions),
        language=view.language,
    )


def _first(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.search(text)
    return int(read_number(next(group for group in match.groups() if group)) or 0) if match else 0


def _departure(view: View) -> str:
    match = _DEPARTURE.search(view.context) or _FROM.search(view.context) or _FROM.search(view.query)
    return match.group(1) if match else ""


def _cities(query: str) -> tuple[str, ...]:
    """The leading list of the query: parts joined by 、 up to the first comma or number of days."""
    head = re.split(r"[，,；;。|]", _FROM.sub("", query).strip(), maxsplit=1)[0]
    head = re.split(rf"{NUMBER}\s*(?:天|日|晚|夜|人|days?)", head, maxsplit=1)[0]
    parts = (part.strip() for part in _AND.split(head))
    matches = [(_PLACE.match(part), part) for part in parts if part]
    return tuple(match.group(1) if match else part for match, part in matches)
