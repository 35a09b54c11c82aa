"""What each traveller says first: a few of their wishes, in the tone of their strength (sections 3.2, A.1, A.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import CITY_ROOT, FIELD, FIELDS, descend, read
from benchmark.suites.grouptravel.synthesis.draws import dice, pick, pick_several
from benchmark.suites.grouptravel.synthesis.english import glossed, listed, word
from benchmark.text.prompts import Prompts

WORDS = Prompts(Path(__file__).parent / "prompts")
"""The sentences, a line each in openings.txt: the kind of clause and the number of the variant."""
SHORTEST, LONGEST = 37, 73
"""Characters of a published message in Chinese."""
_USUAL = 50
"""Below which one says another thing."""
_TWICE_AS_LONG = 4
_MOST_SEEDS = 3
_SHARES = {
    "must_visit": 130, "must_eat": 44, "budget": 18, "hotel": 24, "transport": 24, "reject_eat": 28, "category": 17,
    "reject_visit": 8, "intensity": 4,
}  # fmt: skip
"""Weights by which kinds are drawn, so that each stands in about as many messages as published: must_visit in 84 of a
hundred, must_eat in 56, the budget in 44, hotels in 38, transport in 37, reject_eat in 31, a category in 25,
reject_visit in 8, a limit of the day in 6."""
_FIRM = ("budget", "transport", "must_visit", "must_eat", "reject_eat", "reject_visit")
_VARIANTS = 4
_HOUSES = ("茶馆", "茶室", "咖啡", "酒吧")
"""Categories of food where one sits rather than eats."""
_FIELD_NAMES = tuple(
    part for field in FIELDS for part in field.keys if "_" in part or part in ("must", "reject")
)


class Clause(NamedTuple):
    """A part of a message. firm: whether it is of a strong tier."""

    kind: str
    text: str
    firm: bool


def opening(user: str, table: Mapping[str, Any], language: str, *key: object) -> str:
    """One paragraph in the first person with one to three seeds, strong ones first; User1 names the budget.

    key: the seed and what else it depends on.
    """
    rng = dice(*key, "opening")
    makers = _makers(table, language)
    weights = {kind: float(share) for kind, share in _SHARES.items() if kind in makers}
    order = pick_several(rng, weights, len(weights))
    if user == "User1":
        order = ["budget", *(kind for kind in order if kind != "budget")]
    return _composed(_chosen(order, makers, language, rng), language, rng)


def check_opening(user: str, text: str, table: Mapping[str, Any]) -> list[str]:
    """What is wrong with an opening message that a model has written, in sentences."""
    found = []
    budget = str(read(table, FIELD["avg_budget"]))
    if not text.strip():
        return ["the message is empty"]
    if user == "User1" and budget not in text.replace(",", "").replace(" ", ""):
        found.append(f"the first user names the budget, {budget}")
    found += [f"{name} is the name of a field" for name in _FIELD_NAMES if "_" in name and name in text]
    if len(text) > LONGEST * _TWICE_AS_LONG:
        found.append(f"{len(text)} characters are too many; write one short paragraph")
    if not any(seed in text for seed in _seeds(table)):
        found.append("it names nothing of the own table word for word")
    return found


def _seeds(table: Mapping[str, Any]) -> Iterator[str]:
    yield str(read(table, FIELD["avg_budget"]))
    for field in FIELDS:
        for city in ("",) if field.scope == "global" else tuple(descend(table, (CITY_ROOT,)) or ()):
            held = read(table, field, city)
            if isinstance(held, list):
                yield from held


Maker = Callable[[Random], list[Clause]]


def _makers(table: Mapping[str, Any], language: str) -> dict[str, Maker]:
    """What can be said, by kind; only what the table holds."""
    cities = tuple(table[CITY_ROOT])
    say = _Speech(language, len(cities) > 1)
    makers: dict[str, Maker] = {"budget": lambda rng: [say.budget(read(table, FIELD["avg_budget"]), rng)]}
    for kind, path in (
        ("must_visit", "attractions.must_visit"),
        ("reject_visit", "attractions.reject_visit"),
        ("must_eat", "food.must_eat"),
        ("reject_eat", "food.reject_eat"),
    ):
        if held := _held(table, path, cities):
            makers[kind] = partial(_strong, say, kind, held)
    weak = [
        (kind, held)
        for kind, path in (
            ("category_positive", "attractions.category_pref.positive"),
            ("category_negative", "attractions.category_pref.negative"),
            ("prefer_eat", "food.prefer_eat"),
            ("avoid_eat", "food.avoid_eat"),
        )
        if (held := _held(table, path, cities))
    ]
    if weak:
        makers["category"] = lambda rng: [_weak(say, weak, rng)]
    makers["transport"] = lambda rng: say.transport({t: _modes(table, t) for t in _TIERS}, rng)
    makers["hotel"] = lambda rng: say.hotels(_hotels(table, "prefer"), _hotels(table, "avoid"), rng)
    makers["intensity"] = lambda rng: [say.pace(table, rng)]
    return makers


_TIERS = ("must", "reject", "prefer", "avoid")


def _modes(table: Mapping[str, Any], tier: str) -> list[str]:
    return list(read(table, FIELD[f"transport.{tier}"]) or ())


def _hotels(table: Mapping[str, Any], tier: str) -> list[str]:
    return list(read(table, FIELD[f"hotel_preference.{tier}"]) or ())


def _held(table: Mapping[str, Any], path: str, cities: Sequence[str]) -> list[tuple[str, str]]:
    """(city, item) of a field."""
    return [(city, item) for city in cities for item in read(table, FIELD[path], city) or ()]


def _strong(say: _Speech, kind: str, held: Sequence[tuple[str, str]], rng: Random) -> list[Clause]:
    city, item = rng.choice(held)
    return [say.item(kind, city, item, rng)]


def _weak(say: _Speech, weak: Sequence[tuple[str, list[tuple[str, str]]]], rng: Random) -> Clause:
    kind, held = rng.choice(weak)
    return _strong(say, kind, held, rng)[0]


class _Speech(NamedTuple):
    """How clauses are worded. several: whether the trip has several cities, which are then named."""

    language: str
    several: bool

    def budget(self, amount: int, rng: Random) -> Clause:
        return Clause("budget", self._line("budget", rng, amount=amount), True)

    def item(self, kind: str, city: str, item: str, rng: Random) -> Clause:
        named = city.removesuffix("市") in item
        there = "in" if self.several and not named else "here"
        house = "_house" if kind.endswith("eat") and any(part in item for part in _HOUSES) else ""
        return Clause(
            kind,
            self._line(f"{kind}{house}.{there}", rng, city=self._city(city), item=self._item(kind, item)),
            kind.startswith(("must", "reject")),
        )

    def transport(self, tiers: Mapping[str, list[str]], rng: Random) -> list[Clause]:
        """The strongest wish, and now and then what is avoided beside it."""
        said = [
            Clause("transport", self._mode(tier, modes[0], rng), tier in ("must", "reject"))
            for tier, modes in tiers.items()
            if modes
        ]
        unwanted = bool(tiers["avoid"]) and len(said) > 1 and rng.random() < 0.4
        return [said[0], said[-1]] if unwanted else said[:1]

    def hotels(self, prefer: Sequence[str], avoid: Sequence[str], rng: Random) -> list[Clause]:
        said = []
        if prefer:
            said.append(self._line("hotel.prefer", rng, item=self._either("hotels", prefer)))
        if avoid and (not prefer or rng.random() < 0.5):
            said.append(self._line("hotel.avoid", rng, item=self._name("hotels", avoid[0])))
        return [Clause("hotel", text, False) for text in said]

    def pace(self, table: Mapping[str, Any], rng: Random) -> Clause:
        path, kind = rng.choice(
            (("intensity.max_poi_per_day", "sights"), ("intensity.max_active_hours", "hours"))
        )
        return Clause("intensity", self._line(kind, rng, amount=read(table, FIELD[path])), True)

    def _mode(self, tier: str, mode: str, rng: Random) -> str:
        kind = "drive" if mode == "自驾" else "ride"
        return self._line(f"{kind}.{tier}", rng, item=self._name("modes", mode))

    def _either(self, kind: Any, names: Sequence[str]) -> str:
        told = [self._name(kind, name) for name in names]
        return listed(told, "or") if self.language == "en" else "或者".join(told)

    def _name(self, kind: Any, name: str) -> str:
        return glossed(kind, name) if self.language == "en" else name

    def _item(self, kind: str, item: str) -> str:
        if self.language != "en" or kind in ("must_visit", "reject_visit"):
            return item
        return glossed("attractions" if kind.startswith("category") else "foods", item)

    def _city(self, city: str) -> str:
        """Without its 市, as people talk; in English its English name."""
        if self.language == "en":
            return word("cities", city)
        return city[:-1] if city.endswith("市") and len(city) > 2 else city

    def _line(self, kind: str, rng: Random, **fields: object) -> str:
        variants = [
            n for n in range(1, _VARIANTS + 1) if WORDS.has_line(self.language, "openings", f"{kind}.{n}")
        ]
        return WORDS.line(self.language, "openings", f"{kind}.{rng.choice(variants)}", **fields)


def _chosen(order: Sequence[str], makers: Mapping[str, Maker], language: str, rng: Random) -> list[Clause]:
    """The first kinds that fit into one message; a fourth only where three are too short."""
    said: list[Clause] = []
    kinds = 0
    wanted = pick(rng, {2: 0.15, 3: 0.85})
    for kind in order:
        if kinds >= wanted and (language == "en" or _length(said) >= _USUAL or kinds > _MOST_SEEDS):
            break
        more = makers[kind](rng)
        while more and said and language != "en" and _length([*said, *more]) > LONGEST:
            more = more[:-1]
        if more:
            said += more
            kinds += 1
    return sorted(said, key=_place)


def _place(clause: Clause) -> tuple[bool, int]:
    """Strong ones first, the budget before all."""
    return not clause.firm, _FIRM.index(clause.kind) if clause.kind in _FIRM else len(_FIRM)


def _length(said: Sequence[Clause]) -> int:
    return sum(len(clause.text) + 2 for clause in said)


def _composed(said: Sequence[Clause], language: str, rng: Random) -> str:
    if language == "en":
        return " ".join(f"{clause.text[0].upper()}{clause.text[1:]}." for clause in said)
    text = said[0].text
    for at, clause in enumerate(said[1:], 1):
        joint = "。" if len(text.rpartition("。")[2]) > 16 or not clause.firm else "，"
        text += (
            joint + (rng.choice(("另外", "还有", "")) if at == len(said) - 1 and at > 1 else "") + clause.text
        )
    return f"{text}。"
