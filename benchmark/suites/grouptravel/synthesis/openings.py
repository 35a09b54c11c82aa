"""What each traveller says first: a few of their wishes, in the tone of their strength (sections 3.2, A.1, A.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmark.suites.grouptravel.preferences import CITY_ROOT, FIELD, FIELDS, descend, read
from benchmark.suites.grouptravel.synthesis.draws import dice, pick, pick_several
from benchmark.suites.grouptravel.synthesis.english import Kind as WordKind
from benchmark.suites.grouptravel.synthesis.english import join_parts, with_gloss, word
from benchmark.suites.grouptravel.synthesis.fares import DRIVE
from benchmark.suites.grouptravel.synthesis.profiles import OF_AGE, Profile
from benchmark.suites.grouptravel.synthesis.tastes import Kind, local_to, topics
from benchmark.text.prompts import Prompts

WORDS = Prompts(Path(__file__).parent / "prompts")
"""The sentences, a line each in openings.txt: the family, how its city is said, and the number of the variant."""
SHORTEST, LONGEST = 37, 73
"""Characters of a published message in Chinese."""
_USUAL = 52
"""Below which one adds a word to what one has said."""
_TWICE_AS_LONG = 4
_KINDS = {2: 0.05, 3: 0.6, 4: 0.35}
"""How many kinds of wishes a message holds."""
_SHARES = {
    "must_visit": 95, "must_eat": 40, "budget": 15, "hotel": 23, "transport": 22, "reject_eat": 52, "category": 10,
    "reject_visit": 8, "intensity": 4,
}  # fmt: skip
"""Weights by which kinds are drawn, so that each stands in about as many messages as published: must_visit in 84 of a
hundred, must_eat in 56, the budget in 44, hotels in 38, transport in 37, reject_eat in 31, a category in 25,
reject_visit in 8, a limit of the day in 6."""
_FIRM = ("budget", "transport", "must_visit", "must_eat", "reject_eat", "reject_visit")
_VARIANTS = 12
_ADDED_IN_ENGLISH = 0.45
_HOW_OFTEN_PAIRED, _ALSO = 0.7, 0.3
_LONGEST_PAIR = 24
"""Words of two English clauses that share a sentence."""
_FOND = 0.6
"""From which score on one says that one likes such things."""
_HALVES = {"transport": 0.3, "hotel": 0.35}
"""How often one says what one would rather not have beside what one would."""
_HOUSES = {
    "zh": ("茶馆", "茶室", "咖啡", "酒吧", "茶餐厅", "大排档", "美食街"),
    "en": (
        *("茶馆", "茶室", "咖啡", "酒吧", "茶餐厅", "大排档", "美食街"),
        *("自助", "面馆", "菜馆", "酒楼", "餐厅", "私房菜"),
    ),
}
"""Categories of food that are places where one sits rather than something that one eats."""
_ORDINARY = {"火车": "普通火车"}
"""A high-speed train is a train too: who insists on it and avoids the others says which."""
_FIELD_NAMES = tuple(part for field in FIELDS for part in field.keys if "_" in part)
_STRONG = {
    "must_visit": "attractions.must_visit",
    "reject_visit": "attractions.reject_visit",
    "must_eat": "food.must_eat",
    "reject_eat": "food.reject_eat",
}
_WEAK = {
    "category_positive": "attractions.category_pref.positive",
    "category_negative": "attractions.category_pref.negative",
    "prefer_eat": "food.prefer_eat",
    "avoid_eat": "food.avoid_eat",
}
_TIERS = ("must", "reject", "prefer", "avoid")
_OF_THE_TRIP = {
    "budget": ("avg_budget",),
    "hotel": ("hotel_preference.prefer",),
    "transport": tuple(f"transport.{tier}" for tier in _TIERS),
}
_SAID_ALREADY = 0.25
"""By what the weight of a wish is multiplied for each of those who have said it before."""
_CAPS = {"sights": "intensity.max_poi_per_day", "hours": "intensity.max_active_hours"}


class Persona(NamedTuple):
    """Who speaks, which decides the reasons that they give.

    fond_of: topics of `tastes`. tags: of the group, in Chinese; none for a child, who doesn't speak for it.
    """

    fond_of: frozenset[str] = frozenset()
    tags: tuple[str, ...] = ()


def persona_of(profile: Profile, tags: Sequence[str]) -> Persona:
    """The persona of a profile in a group with these (Chinese) tags."""
    scores = profile.interests | profile.flavours
    fond_of = frozenset(topic for topic, score in scores.items() if score >= _FOND)
    return Persona(fond_of, tuple(tags) if profile.age >= OF_AGE else ())


_NOBODY = Persona()
_SOLEMN = ("遇难", "烈士", "殉难")
_ANYBODYS = (".tail", ".local")
"""How the families of reasons end that are not of the speaker's own tastes."""


class Seed(NamedTuple):
    """One thing that is said.

    kind: of `_SHARES`. family: of its sentences. items: what it names, as the table writes it. city: "" for the whole
    trip. firm: whether it is of a strong tier. half: whether it adds to another seed of its kind.
    """

    kind: str
    family: str
    items: tuple[str, ...]
    city: str = ""
    firm: bool = False
    half: bool = False


def opening(
    user: str,
    table: Mapping[str, Any],
    language: str,
    *key: object,
    earlier: Sequence[str] = (),
    persona: Persona = _NOBODY,
) -> str:
    """One paragraph in the first person with two to four kinds of wishes, strong ones first; User1 names the budget.

    key: the seed and what else it depends on. earlier: what the others have said, whose sentences are rather not used
    again, as hardly anybody repeats what goes for the whole trip. persona: who speaks.
    """
    rng = dice(*key, "opening")
    weights = {
        kind: share * _SAID_ALREADY ** _times_said(kind, table, earlier) for kind, share in _SHARES.items()
    }
    order = pick_several(rng, weights, len(_SHARES))
    if user == "User1":
        order = ["budget", *(kind for kind in order if kind != "budget")]
    kinds = pick(rng, _KINDS)
    seeds = _seeds(order, table, language, rng)
    speech = _Speech(language, len(table[CITY_ROOT]) > 1, (*key, "opening"), tuple(earlier), persona)
    if language == "en":
        return speech.message_of(seeds[:kinds], int(rng.random() < _ADDED_IN_ENGLISH))
    return _fitting(seeds, kinds, speech)


def check_opening(user: str, text: str, table: Mapping[str, Any]) -> list[str]:
    """What is wrong with an opening message that a model has written, in sentences."""
    faults = []
    budget = str(read(table, FIELD["avg_budget"]))
    if not text.strip():
        return ["the message is empty"]
    if user == "User1" and budget not in text.replace(",", "").replace(" ", ""):
        faults.append(f"the first user names the budget, {budget}")
    faults += [f"{name} is the name of a field" for name in _FIELD_NAMES if name in text]
    if len(text) > LONGEST * _TWICE_AS_LONG:
        faults.append(f"{len(text)} characters are too many; write one short paragraph")
    if not any(name in text for name in _named_items(table)):
        faults.append("it names nothing of the own table word for word")
    return faults


def _named_items(table: Mapping[str, Any]) -> Iterator[str]:
    yield str(read(table, FIELD["avg_budget"]))
    for field in FIELDS:
        for city in ("",) if field.scope == "global" else tuple(descend(table, (CITY_ROOT,)) or ()):
            held = read(table, field, city)
            if isinstance(held, list):
                yield from held


# What is said.


def _times_said(kind: str, table: Mapping[str, Any], earlier: Iterable[str]) -> int:
    """How many have named all of what one would say of the trip as a whole."""
    fields = [FIELD[path] for path in _OF_THE_TRIP.get(kind, ())]
    held = next((value for field in fields if (value := read(table, field))), None)
    names = [str(name) for name in (held if isinstance(held, list) else [held])] if held else []
    return sum(all(name in text for name in names) for text in earlier) if names else 0


def _seeds(order: Iterable[str], table: Mapping[str, Any], language: str, rng: Random) -> list[list[Seed]]:
    """By kind, what is said of it; nothing that the table lacks, and no item twice."""
    seeds, named = list[list[Seed]](), set[str]()
    for kind in order:
        if group := _of_kind(kind, table, named, rng):
            seeds.append([_place_houses(seed, _HOUSES[language]) for seed in group])
            named.update(item for seed in group for item in seed.items)
    return seeds


def _of_kind(kind: str, table: Mapping[str, Any], named: Collection[str], rng: Random) -> list[Seed]:
    if kind == "budget":
        return [Seed(kind, kind, (str(read(table, FIELD["avg_budget"])),), firm=True)]
    if kind == "intensity":
        family = rng.choice(tuple(_CAPS))
        return [Seed(kind, family, (str(read(table, FIELD[_CAPS[family]])),), firm=True)]
    if kind == "transport":
        return _rides(table, rng)
    if kind == "hotel":
        return _hotels(table, rng)
    families = _WEAK if kind == "category" else {kind: _STRONG[kind]}
    ways = {family: held for family, path in families.items() if (held := _held_items(table, path, named))}
    if not ways:
        return []
    family = rng.choice(tuple(ways))
    city, item = rng.choice(ways[family])
    return [Seed(kind, family, (item,), city, kind in _STRONG)]


def _place_houses(seed: Seed, houses: Sequence[str]) -> Seed:
    if seed.family.endswith("eat") and any(part in seed.items[0] for part in houses):
        return seed._replace(family=f"{seed.family}_house")
    return seed


def _held_items(table: Mapping[str, Any], path: str, named: Collection[str]) -> list[tuple[str, str]]:
    """(city, item) of a field, without what was named already."""
    return [
        (city, item)
        for city in table[CITY_ROOT]
        for item in read(table, FIELD[path], city) or ()
        if item not in named
    ]


def _rides(table: Mapping[str, Any], rng: Random) -> list[Seed]:
    """The strongest wish, and now and then what is avoided beside it: not beside what must be, which says it all."""
    said = [
        Seed("transport", *_ride(tier, modes), firm=tier in ("must", "reject"))
        for tier in _TIERS
        if (modes := tuple(read(table, FIELD[f"transport.{tier}"]) or ()))
    ]
    open_ended = bool(said) and not said[0].family.endswith(".must")
    two = len(said) > 1 and said[-1].family.endswith("avoid") and open_ended
    if two and rng.random() < _HALVES["transport"]:
        return [said[0], said[-1]._replace(half=True)]
    return said[:1]


def _ride(tier: str, modes: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """One drives, and rides by all else."""
    if modes[0] == DRIVE:
        return f"drive.{tier}", modes[:1]
    return f"ride.{tier}", tuple(mode for mode in modes if mode != DRIVE)


def _hotels(table: Mapping[str, Any], rng: Random) -> list[Seed]:
    prefer, avoid = (
        tuple(read(table, FIELD[f"hotel_preference.{tier}"]) or ()) for tier in ("prefer", "avoid")
    )
    said = [Seed("hotel", "hotel.prefer", prefer)] if prefer else []
    if avoid and not prefer:
        said.append(Seed("hotel", "hotel.avoid", avoid[:1]))
    elif avoid and rng.random() < _HALVES["hotel"]:
        said.append(Seed("hotel", "hotel.then", avoid[:1], half=True))
    return said


# How it is said.


def _fitting(seeds: list[list[Seed]], kinds: int, speech: _Speech) -> str:
    """About as long as published ones: a short message gets a few words more, or a wish; a long one loses some."""
    text = speech.message_of(seeds[:kinds])
    if len(text) < _USUAL:
        text = speech.message_of(seeds[:kinds], 1)
    while len(text) < SHORTEST and kinds < len(seeds):
        kinds += 1
        text = speech.message_of(seeds[:kinds])
    if len(text) > LONGEST:
        seeds = [[seed for seed in group if not seed.half] for group in seeds]
        text = speech.message_of(seeds[:kinds])
    while len(text) > LONGEST and kinds > 1:
        kinds -= 1
        text = speech.message_of(seeds[:kinds])
    return text


class _Clause(NamedTuple):
    """A seed in words. addition: what is said beside it. repeats_city: whether it begins with the city of the one
    before.
    """

    seed: Seed
    text: str
    addition: str = ""
    repeats_city: bool = False


class _Speech(NamedTuple):
    """How seeds are worded. several: whether the trip has several cities, which are then named. key: of all draws.
    earlier: what the others have said. persona: who speaks.
    """

    language: str
    several: bool
    key: tuple[object, ...]
    earlier: tuple[str, ...] = ()
    persona: Persona = _NOBODY

    def message_of(self, groups: Iterable[Sequence[Seed]], added: int = 0) -> str:
        """A message of them. added: how many get a few words more."""
        used = set[str]()
        clauses, city = list[_Clause](), ""
        for seed in (seed for group in sorted(groups, key=_place) for seed in group):
            way = self._way(seed, city)
            line = self._line(seed, (f"{seed.family}{way}",), used)
            clauses.append(_Clause(seed, line, repeats_city=way == ".same"))
            city = seed.city if way == ".in" and _is_dish(seed) else ""
        order = list(range(len(clauses)))
        dice(*self.key, "added").shuffle(order)
        for at in order:
            clause = clauses[at]
            led = clause.seed.half or any(after.repeats_city for after in clauses[at + 1 : at + 2])
            if added and not led and (more := self._line(clause.seed, self._reasons(clause.seed), used)):
                clauses[at] = clause._replace(addition=more)
                added -= 1
        return self._english(clauses) if self.language == "en" else self._chinese(clauses)

    def _way(self, seed: Seed, city: str) -> str:
        """How the city of a wish is said, where the one before named `city` and no other place.

        After a sight, 那边 and `there` would point at it.
        """
        if not seed.city:
            return ""
        if not self.several or seed.city.removesuffix("市") in seed.items[0]:
            return ".here"
        return ".same" if seed.city == city else ".in"

    def _reasons(self, seed: Seed) -> tuple[str, ...]:
        """Families of what may be said beside a wish: what anybody says, of a local kitchen, of one's own tastes.

        Nothing beside a memorial to the dead.
        """
        if any(word in seed.items[0] for word in _SOLEMN):
            return ()
        kind: Kind = "food" if seed.family.endswith("eat") else "attraction"
        likes = [topic for topic in topics(kind, seed.items[0]) if topic in self.persona.fond_of]
        local = ["local"] if kind == "food" and local_to(seed.city, seed.items[0]) else []
        tags = self.persona.tags
        with_topic = [f"{tag}.{topic}" for tag in tags for topic in likes]
        return tuple(f"{seed.family}.{end}" for end in ("tail", *local, *likes, *tags, *with_topic))

    def _line(self, seed: Seed, families: Sequence[str], used: set[str]) -> str:
        """A sentence of the families, rather one that nobody has used and that repeats no turn of the message; ""
        where there is none.
        """
        names = [f"{family}.{number}" for family in families for number in range(1, _VARIANTS + 1)]
        held = [name for name in names if WORDS.has_line(self.language, "openings", name)]
        if not held:
            return ""
        dice(*self.key, families[0]).shuffle(held)
        turns = {name: self._turns(WORDS.line(self.language, "openings", name, **_BLANK)) for name in held}

        def cost(name: str) -> tuple[int, int, bool]:
            repeated = len(turns[name] & used)
            general = name.rpartition(".")[0].endswith(_ANYBODYS)
            return self._times_heard(name) + repeated, repeated, general

        chosen = min(held, key=cost)
        used |= turns[chosen]
        fields = {"item": self._items(seed), "amount": seed.items[0], "city": self._city(seed.city)}
        return WORDS.line(self.language, "openings", chosen, **fields)

    def _times_heard(self, name: str) -> int:
        """How many of the others have used a sentence, whatever they said by it."""
        fixed = WORDS.line(self.language, "openings", name, item="\0", amount="\0", city="\0").split("\0")
        return sum(max(fixed, key=len).strip().lower() in text.lower() for text in self.earlier)

    def _turns(self, text: str) -> set[str]:
        return {turn for turn in WORDS.line(self.language, "openings", "once").split("|") if turn in text}

    def _items(self, seed: Seed) -> str:
        if self.language == "en":
            return join_parts([self._with_gloss(seed, item) for item in seed.items], "or")
        *before, last = (_ORDINARY.get(item, item) for item in seed.items)
        first = "、".join(before)
        return f"{first}或者{last}" if first else last

    def _with_gloss(self, seed: Seed, item: str) -> str:
        kind = _GLOSSES.get(seed.kind)
        return with_gloss(kind, item) if kind else item

    def _city(self, city: str) -> str:
        """Without its 市, as people talk; in English its English name."""
        if self.language == "en":
            return word("cities", city)
        return city[:-1] if city.endswith("市") and len(city) > 2 else city

    def _english(self, clauses: Sequence[_Clause]) -> str:
        """Short clauses share a sentence, two at most; the last of several may begin with Also."""
        rng, sentences = dice(*self.key, "joints"), list[str]()
        for before, clause in zip([None, *clauses], clauses, strict=False):
            text = clause.text + self._reason_text(clause.addition)
            if before and clause.seed.half:
                sentences[-1] += self._continuation("but", text)
            elif before and self._may_pair(before, clause, sentences[-1], text, rng):
                sentences[-1] += self._continuation("and", text)
            elif len(sentences) > 1 and clause is clauses[-1] and rng.random() < _ALSO:
                sentences.append(self._continuation("also", text))
            else:
                sentences.append(text)
        return " ".join(f"{text[0].upper()}{text[1:]}." for text in sentences)

    def _may_pair(self, before: _Clause, clause: _Clause, sentence: str, text: str, rng: Random) -> bool:
        """Whether a clause may go on with a sentence: both short, of one tone, no limit of the day, unexplained."""
        alike = clause.seed.firm == before.seed.firm and "intensity" not in (
            clause.seed.kind,
            before.seed.kind,
        )
        short = len(f"{sentence} {text}".split()) <= _LONGEST_PAIR
        return alike and short and not {",", ";"} & set(sentence + text) and rng.random() < _HOW_OFTEN_PAIRED

    def _reason_text(self, reason: str) -> str:
        why = WORDS.line(self.language, "openings", "why")
        mark = "," if reason.startswith(why) else ";"
        return f"{mark} {reason}" if reason else ""

    def _continuation(self, name: str, text: str) -> str:
        return f"{WORDS.line(self.language, 'openings', name)} {text}"

    def _chinese(self, clauses: Sequence[_Clause]) -> str:
        """Clauses that belong together, and short ones, share a sentence."""
        rng, text, last = dice(*self.key, "joints"), "", len(clauses) - 1
        for at, clause in enumerate(clauses):
            if at:
                text += self._joint(clauses[at - 1], clause, text, rng if at == last > 1 else None)
            text += clause.text + (f"，{clause.addition}" if clause.addition else "")
        return f"{text}。"

    def _joint(self, before: _Clause, clause: _Clause, text: str, rng: Random | None) -> str:
        """What stands between two clauses. rng: for the last one, which often begins with a word like 另外."""
        if clause.seed.half:
            return "，"
        if clause.repeats_city:
            against = _is_set_against(clause.seed, before.seed)
            return f"，{WORDS.line(self.language, 'openings', 'but')}" if against else "，"
        short = len(text.rpartition("。")[2]) <= 16 and clause.seed.firm and not before.addition
        name = f"joint.{rng.randint(1, 3)}" if rng else ""
        known = WORDS.has_line(self.language, "openings", name)
        return f"{'，' if short else '。'}{WORDS.line(self.language, 'openings', name) if known else ''}"


_BLANK = {"item": "", "amount": "", "city": ""}
_GLOSSES: Mapping[str, WordKind] = {
    "must_eat": "values",
    "reject_eat": "values",
    "category": "values",
    "transport": "modes",
    "hotel": "values",
}


def _is_dish(seed: Seed) -> bool:
    """Whether it names food, which is no place."""
    return seed.family.endswith("eat")


def _is_food(seed: Seed) -> bool:
    return seed.family.removesuffix("_house").endswith("eat")


def _is_set_against(seed: Seed, before: Seed) -> bool:
    """Whether a dislike follows a wish of the same kind; a sight and a dish are no contrast."""
    return _is_against(seed) and not _is_against(before) and _is_food(seed) == _is_food(before)


def _is_against(seed: Seed) -> bool:
    return seed.family.startswith(("reject", "avoid", "category_negative"))


def _place(group: Sequence[Seed]) -> tuple[bool, int]:
    """Strong ones first, the budget before all."""
    first = group[0]
    return not first.firm, _FIRM.index(first.kind) if first.kind in _FIRM else len(_FIRM)
