"""Constraints 1 to 4: the form of a plan, and whether what it names is what the task gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmark.plans.view import Mark, Where
from benchmark.suites.tripscore.scoring.trip import PERIODS, POI, TRANSPORT, TYPES, Detail, Item, Trip
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.text import guarded

_CLOCK = guarded.compile(r"(?<![0-9])([01]?[0-9]|2[0-3]):([0-5][0-9])(?![0-9])")
MOST_MARKS: Final = 50
"""Of one constraint that are kept."""
_WORD = guarded.compile(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+")
_MOST_WORDS: Final = 50
_LONGEST_DAY: Final = 6
"""Digits of a day that is read."""


class _Form:
    """Reads a plan of any shape, and notes what is wrong."""

    def __init__(self) -> None:
        self.faults: list[Mark] = []
        self.where: dict[str, Any] = {}
        """Day, period and item that are being read, as far as there are such."""

    def note(self, at: Where, key: str, **params: Any) -> None:
        """One more fault, as long as somebody may want to read it."""
        if len(self.faults) < MOST_MARKS:
            self.faults.append(Mark(at, key, {**self.where, **params}))

    def texts(self, owner: Mapping[str, Any], at: Where, *keys: str) -> None:
        """Note texts that are missing or blank."""
        for key in keys:
            value = owner.get(key)
            if not isinstance(value, str) or not value.strip():
                self.note((*at, key), "no_text", field=_path((*at, key)))

    def objects(
        self, owner: Mapping[str, Any], at: Where, key: str, *, may_be_empty: bool = False
    ) -> Iterator[tuple[Where, Mapping[str, Any]]]:
        """The objects of a list with their places; notes what is none."""
        listed = owner.get(key)
        if not isinstance(listed, list) or not (listed or may_be_empty):
            self.note((*at, key), "no_list", field=_path((*at, key)))
            return
        for nth, part in enumerate(listed):
            if isinstance(part, Mapping):
                yield (*at, key, nth), part
            else:
                self.note((*at, key, nth), "no_object", field=_path((*at, key, nth)))

    def plan(self, plan: Mapping[str, Any]) -> None:
        """Of appendix H.4."""
        self.texts(plan, (), "itineraryName", "recommendReason")
        tips = plan.get("tips")
        for key in ("title", "info"):
            if not isinstance(tips, Mapping) or not isinstance(tips.get(key), str):
                self.note(("tips", key), "no_text", field=f"tips.{key}")
        for at, day in self.objects(plan, (), "dayInfos"):
            self.day(day, at, int(at[-1]) + 1)
            self.where = {}

    def day(self, day: Mapping[str, Any], at: Where, number: int) -> None:
        """One of dayInfos."""
        self.where = {"day": number}
        if not _is_number(day.get("day"), number):
            self.note(at, "day_number", found=_short(day.get("day")))
        self.texts(day, at, "scheduleTitle")
        for where, detail in self.objects(day, at, "scheduleDetail"):
            period = detail.get("period")
            self.where |= {"period": period} if period in PERIODS else {}
            self.texts(detail, where, "description")
            if period not in PERIODS:
                self.note(where, "period", found=_short(period))
            self.items(detail, where)
            self.where = {"day": number}

    def items(self, detail: Mapping[str, Any], at: Where) -> None:
        """A detailList."""
        seen: set[str] = set()
        place = self.where
        for where, item in self.objects(detail, at, "detailList", may_be_empty=True):
            self.where = {**place, "name": _name_of(item) or f"#{int(where[-1]) + 1}"}
            self.texts(item, where, "name")
            if item.get("type") not in TYPES:
                self.note(where, "type", found=_short(item.get("type")))
            id_ = item.get("id")
            if not isinstance(id_, str | int) or isinstance(id_, bool):
                self.note(where, "id", found=_short(id_))
            elif id_ != "":
                if (text := str(id_)) in seen:
                    self.note(where, "repeated_id", found=_short(text))
                seen.add(text)
            self.where = place


def form_faults(plan: object) -> list[Mark]:
    """1: what is not of the form of appendix H.4; None is an answer without a plan."""
    form = _Form()
    if isinstance(plan, Mapping):
        form.plan(plan)
    else:
        form.note((), "no_plan")
    return form.faults


def long_texts(plan: Mapping[str, Any]) -> list[str]:
    """The texts of more than 50 words (characters, in Chinese); they are told, and nothing is taken off for them."""
    tips = plan.get("tips")
    texts = {
        "recommendReason": plan.get("recommendReason"),
        "tips.info": tips.get("info") if isinstance(tips, Mapping) else None,
    }
    return [
        name
        for name, text in texts.items()
        if isinstance(text, str) and len(_WORD.findall(text)) > _MOST_WORDS
    ]


def _is_number(value: object, number: int) -> bool:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _LONGEST_DAY:
        return int(value) == number
    return isinstance(value, int) and not isinstance(value, bool) and value == number


def _path(at: Where) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at).lstrip(".")


def _name_of(item: Mapping[str, Any]) -> str:
    name = item.get("name")
    return name[:80].strip() if isinstance(name, str) else ""


def _short(value: object) -> str:
    return "–" if value is None else str(value)[:40]


def id_faults(trip: Trip) -> Iterator[Mark]:
    """2: ids that the reference does not have under their type."""
    for item in trip.items:
        known = item.place or item.leg
        if not known and not (item.is_external and trip.parameters.allow_external):
            yield item.mark("unknown_id", id=item.id[:40], type=item.kind)


def accuracy_faults(trip: Trip) -> Iterator[Mark]:
    """3: names and times that are not those of the reference."""
    for detail in _details(trip):
        for item in detail.items:
            known = item.place or item.leg
            if known and known.folded_name != fold_name(item.name):
                yield item.mark("other_name", real=known.name)
            if item.is_external and fold_name(item.name) in trip.lookup.attraction_names:
                yield item.mark("known_external")
        for link in detail.links:
            place = trip.lookup.attractions.get(link.id) or trip.lookup.hotels.get(link.id)
            if place and place.folded_name != fold_name(link.name):
                yield detail.mark("other_link", name=link.name[:80], real=place.name)
        yield from _other_times(detail)


def _other_times(detail: Detail) -> Iterator[Mark]:
    timed = [item.leg_times for item in detail.items if item.leg_times]
    if not timed or any(item.kind != TRANSPORT for item in detail.items):
        return
    known = {(moment.hour, moment.minute) for times in timed for moment in times}
    for found in _CLOCK.finditer(detail.description):
        if (int(found[1]), int(found[2])) not in known:
            yield detail.mark("other_time", time=found[0])


def relevance_faults(trip: Trip) -> Iterator[Mark]:
    """4: links and items of an entry that do not belong together."""
    for detail in _details(trip):
        links, listed = {link.id for link in detail.links}, {item.id for item in detail.items}
        for link in detail.links:
            if link.id not in listed:
                yield detail.mark("unlisted_link", name=link.name[:80])
        yield from (
            item.mark("unlinked")
            for item in detail.items
            if item.kind != TRANSPORT and not _is_written(item, detail, links)
        )


def _is_written(item: Item, detail: Detail, links: set[str]) -> bool:
    if item.id:
        return item.id in links
    return item.kind != POI or fold_name(item.name) in detail.externals


def _details(trip: Trip) -> Iterator[Detail]:
    return (detail for day in trip.details for detail in day)
