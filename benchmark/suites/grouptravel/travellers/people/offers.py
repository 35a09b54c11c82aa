"""What a person in a traveller's seat can give up, and the message that does it (the compromise output protocol)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import floor, inf, isfinite, log10
from typing import Literal

from benchmark.suites.grouptravel.conversation.markers import find_marker, resolve_path
from benchmark.suites.grouptravel.preferences import cities, is_schema_path
from benchmark.suites.grouptravel.travellers.people.listening import is_meant, listening
from benchmark.suites.grouptravel.travellers.people.wording import join_names, texts
from benchmark.suites.grouptravel.travellers.scripted.concessions import (
    Change,
    requested_change,
    wanted_change,
)
from benchmark.suites.grouptravel.travellers.scripted.hearing import Hearing
from benchmark.suites.grouptravel.travellers.scripted.wishes import CAPPED_TOPICS, Wish, figure
from benchmark.suites.grouptravel.view import GroupView

Act = Literal["drop", "allow", "raise", "swap"]
Value = list[str] | int | float
Reason = Literal["", "not_asked", "quota", "not_allowed"]

SHARES = (0.1, 0.2, 0.5)
"""By how much of itself a budget is raised."""
STEPS = (1, 2)
"""By how many sights or hours a day a limit of a day is raised."""
_HOURS = 24
_SENSIBLE = (1.0, 1e9)
"""CNY between which a budget is a budget; others get no figures of ours."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One change of one field.

    path: full dotted path. act: `drop` (a wanted name), `allow` (a shunned name), `raise` (a cap), `swap` (a name for
    another). item: the name that is given up or allowed, "" for a cap and where it is several at once.
    topic: one of scripted.wishes.TOPICS.
    was, value: the whole field before, as it is read, and after: a list of names, or CNY a person, sights or hours a
    day. city: "" for a field of the whole trip. asked: whether the agent's newest message asks this person for it.
    """

    path: str
    act: Act
    item: str
    was: Value
    value: Value
    city: str
    topic: str
    asked: bool = False

    @property
    def given_names(self) -> tuple[str, ...]:
        """The names that leave the field."""
        return _missing(self.was, self.value)

    @property
    def new(self) -> tuple[str, ...]:
        """The names that come into the field."""
        return _missing(self.value, self.was)


def offers(view: GroupView) -> tuple[Offer, ...]:
    """Every single change that the person could give, what the agent asks for first; whether now, says `may_yield`.

    Only what the conversation would apply exactly: a city whose name no marker can carry has no offers.
    """
    hearing = listening(view)
    asked = list(_asked_offers(hearing))
    by_key = {_key(offer): offer for offer in asked}
    concerned = {(offer.path, name) for offer in asked if offer.act != "swap" for name in offer.given_names}
    for wish in hearing.wishes.all:
        for offer in _generic(wish):
            wanted = bool(offer.item) and (offer.path, offer.item) in concerned
            by_key.setdefault(_key(offer), replace(offer, asked=wanted))
    carried = [offer for offer in by_key.values() if _carried(offer, view)]
    return tuple(sorted(carried, key=lambda offer: not offer.asked))


def custom_raise(view: GroupView, path: str, number: float) -> Offer | None:
    """A cap at `path` raised to a `number` that the person typed; None unless it is finite and higher than now."""
    hearing = listening(view)
    wish = next((w for w in hearing.wishes.all if w.path == path and w.topic in CAPPED_TOPICS), None)
    if wish is None or not _finite(number) or number <= wish.cap:
        return None
    raised = _raise_offer(wish, number)
    asked = any(_key(offer) == _key(raised) for offer in _asked_offers(hearing) if offer.asked)
    return replace(raised, asked=asked) if _carried(raised, view) else None


def may_yield(view: GroupView) -> Reason:
    """Why nothing can be given up now, "" if something can.

    `not_allowed`: the card forbids it; `quota`: no compromise is left; `not_asked`: the last visible message is not
    the agent's to this person.
    """
    card = view.card
    if card is None or not card.compromisable:
        return "not_allowed"
    if card.compromises_left < 1:
        return "quota"
    return "" if view.turn.solicited else "not_asked"


def marker(offer: Offer, view: GroupView) -> str:
    """`[path : JSON]`; brackets inside names are escaped, after a refused attempt everything that is not ASCII."""
    return f"[{offer.path} : {_json(offer.value, ascii_only=view.turn.attempt > 1)}]"


def message(text: str, offer: Offer, view: GroupView) -> str:
    """The person's words, the default ones where there are none, and the marker on a line of its own."""
    said = text.rstrip() or words(offer, view.language)
    return f"{said}\n{marker(offer, view)}"


def words(offer: Offer, language: str) -> str:
    """A polite sentence that tells the offer, to be edited; no word of it is the name of a field."""
    wordings = texts(language, "concede")
    if offer.act == "raise":
        cap = offer.value if isinstance(offer.value, (int, float)) else 0
        return str(wordings[offer.topic]).format(n=figure(cap))
    old, new = join_names(offer.given_names, language), join_names(offer.new, language)
    local = "_in" if offer.act != "swap" and offer.city and offer.topic != "sights" else ""
    return str(wordings[offer.act + local]).format(items=old, old=old, new=new, city=offer.city)


def _generic(wish: Wish) -> Iterator[Offer]:
    if wish.topic in CAPPED_TOPICS:
        yield from (_raise_offer(wish, number) for number in _higher(wish) if number > wish.cap)
    act: Act = "drop" if wish.wanted else "allow"
    for name in dict.fromkeys(wish.items):
        yield _list_offer(wish, act, [other for other in wish.items if other != name])


def _higher(wish: Wish) -> Iterator[float]:
    if wish.topic != "budget":
        most = _HOURS if wish.topic == "pace_hours" else inf
        yield from (wish.cap + step for step in STEPS if wish.cap + step <= most)
    elif _SENSIBLE[0] <= wish.cap <= _SENSIBLE[1]:
        yield from (_round_up(wish.cap * (1 + share), wish.cap) for share in SHARES)


def _round_up(amount: float, cap: float) -> float:
    """`amount` in steps that people would name (50 of 1500, 100 of 3000), above `cap`."""
    size = 10.0 ** (floor(log10(cap)) - 1)
    step = size / 2 if cap < 20 * size else size
    nearest = floor(amount / step + 0.5) * step
    return round(nearest if nearest > cap else nearest + step, 2)


def _asked_offers(hearing: Hearing) -> Iterator[Offer]:
    """What the agent's newest message asks for, and budgets that it names besides."""
    if not is_meant(hearing):
        return
    pleas = [sentence for sentence in hearing.sentences if hearing.kinds[sentence] == "compromise"]
    if pleas:
        changes = [wanted_change(hearing), *(requested_change(plea, hearing) for plea in pleas)]
        yield from (_of_change(change) for change in changes if change is not None)
    for wish in hearing.wishes.about("budget"):
        for number in _named_budgets(hearing.addressed_text, hearing):
            if number > wish.cap:
                yield replace(_raise_offer(wish, number), asked=bool(pleas))


def _named_budgets(text: str, hearing: Hearing) -> Iterator[float]:
    """The amounts a person that `text` names, in CNY."""
    for match in hearing.language.patterns["proposal.budget"].finditer(text):
        number = hearing.language.value(match["number"])
        if number is not None and _finite(number):
            yield number


def _of_change(change: Change) -> Offer:
    if change.act == "raise":
        return replace(_raise_offer(change.wish, change.cap), asked=True)
    value = change.value
    act: Act = "swap" if change.act == "swap" else "drop" if change.act == "drop" else "allow"
    return replace(_list_offer(change.wish, act, value if isinstance(value, list) else []), asked=True)


def _raise_offer(wish: Wish, number: float) -> Offer:
    return Offer(wish.path, "raise", "", _whole(wish.cap), _whole(number), wish.city, wish.topic)


def _list_offer(wish: Wish, act: Act, names: list[str]) -> Offer:
    was = list(wish.items)
    given = _missing(was, names)
    item = given[0] if len(given) == 1 else ""
    return Offer(wish.path, act, item, was, names, wish.city, wish.topic)


def _missing(names: Value, among: Value) -> tuple[str, ...]:
    if not isinstance(names, list) or not isinstance(among, list):
        return ()
    return tuple(dict.fromkeys(name for name in names if name not in among))


def _whole(number: float) -> int | float:
    return int(number) if number == int(number) else number


def _finite(number: float) -> bool:
    try:
        return isfinite(number)
    except OverflowError:
        return False


def _key(offer: Offer) -> tuple[str, str]:
    return offer.path, json.dumps(offer.value)


def _carried(offer: Offer, view: GroupView) -> bool:
    """Whether the engine reads the marker as this very field and value, by both protocols."""
    if view.card is None or not isinstance(view.card.effective, dict):
        return False
    read = find_marker(message("-", offer, view))
    if read is None or resolve_path(view.card.effective, read.path) != offer.path:
        return False
    if not is_schema_path(offer.path, cities(view.card.preference)):
        return False
    return type(read.value) is type(offer.value) and bool(read.value == offer.value)


def _json(value: Value, *, ascii_only: bool) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    return f"[{', '.join(_escape(json.dumps(name, ensure_ascii=ascii_only)) for name in value)}]"


def _escape(name: str) -> str:
    return name.replace("[", "\\u005b").replace("]", "\\u005d")
