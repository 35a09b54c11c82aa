"""The private preference table in plain words, as the person who has it is shown it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchmark.suites.grouptravel.preferences import Tier, filled_fields
from benchmark.suites.grouptravel.travellers.people.wording import join_names, texts
from benchmark.suites.grouptravel.travellers.scripted.wishes import Wish, figure, wish_of, wishes


@dataclass(frozen=True, slots=True)
class CardLine:
    """One filled field in words.

    path: its full dotted path. city: "" for what holds for the whole trip. items: the names as they stand in the
    table, none for a cap. cap: CNY a person, sights a day or hours a day; None for a list. text: without the city.
    """

    path: str
    city: str
    tier: Tier
    items: tuple[str, ...]
    cap: float | None
    text: str


def card_lines(table: Any, language: str) -> tuple[CardLine, ...]:
    """The filled fields of a preference table: global ones first, then by city in the table's order.

    Fields that are empty or of a wrong type are left out.
    """
    return tuple(_line(wish, language) for wish in wishes(table).all)


def lines_with(table: Any, changes: Iterable[tuple[str, Any]], language: str) -> Iterator[CardLine | None]:
    """For each path and value the line that `card_lines` would have there if the field held that value.

    None where it would have none, also where no field that is filled stands at the path.
    """
    fields = {field.path_in(city): (field, city) for field, city, _value in filled_fields(table)}
    for path, value in changes:
        wish = wish_of(*fields[path], value) if path in fields else None
        yield None if wish is None else _line(wish, language)


def item_lines(table: Any, language: str) -> dict[tuple[str, str], str]:
    """What `card_lines` says of one name alone, by path and name."""
    return {
        (wish.path, name): _text(replace(wish, items=(name,)), language)
        for wish in wishes(table).all
        for name in wish.items
    }


def _line(wish: Wish, language: str) -> CardLine:
    cap = None if wish.items else wish.cap
    return CardLine(wish.path, wish.city, wish.field.tier, wish.items, cap, _text(wish, language))


def _text(wish: Wish, language: str) -> str:
    if wish.topic == "transport":
        return _ways(wish, language)
    key = ".".join(wish.field.keys)
    templates = texts(language, "card")
    if wish.cap == 1:
        templates = {**templates, **texts(language, "one")}
    return str(templates[key]).format(items=join_names(wish.items, language), n=figure(wish.cap))


def _ways(wish: Wish, language: str) -> str:
    ways: Mapping[str, Any] = texts(language, "ways")
    told = [str(ways["verbs"].get(name, ways["other"])).format(items=name) for name in wish.items]
    between = str(ways["between" if wish.wanted else "negated_between"])
    return str(ways[wish.tier]).format(ways=between.join(told))
