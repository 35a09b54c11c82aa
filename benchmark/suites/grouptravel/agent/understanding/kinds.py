"""Deciding what a name is: a mode, a hotel class, a kind of sight, a place, something to eat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Lexicon, Subject
from benchmark.suites.grouptravel.agent.understanding.names import Names
from benchmark.text import guarded

_MODE_NO_MORE = r"(?:站|票|餐|场|头|上|里)"


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds a name: the clause, the subject before it, what was asked, and what tools have told."""

    clause: str
    previous: Subject | None
    asked_subjects: frozenset[Subject]
    names: Names
    language: str


@dataclass(frozen=True, slots=True)
class Kind:
    """subject with the item as it goes into the table; sure: the word itself says so, not its surroundings."""

    subject: Subject
    item: str
    sure: bool = True


@lru_cache(maxsize=1024)
def subjects_in(clause: str, language: str) -> tuple[Subject, ...]:
    """What a clause says it is about."""
    subjects = lexicon(language).subjects.items()
    return tuple(subject for subject, pattern in subjects if guarded.search(pattern, clause))


def kind_of(text: str, setting: Setting) -> Kind | None:
    """What a name is, None when it is nothing that a table holds."""
    words = lexicon(setting.language)
    return (
        _mode(text, words)
        or _hotel(text, setting, words)
        or _category_or_cuisine(text, setting, words)
        or _kind_inside(text, setting, words)
        or _kind_of_unknown(text, setting, words)
    )


def _mode(text: str, words: Lexicon) -> Kind | None:
    mode = words.modes.get(text)
    return Kind("transport", mode) if mode else None


def _hotel(text: str, setting: Setting, words: Lexicon) -> Kind | None:
    name = words.hotels.get(text)
    if name is None:
        return None
    plain = text == name or text.endswith(("酒店", "型", "旅店", "公寓"))
    return Kind("hotels", name) if plain or _about(setting, "hotels") else None


def _about(setting: Setting, subject: Subject) -> bool:
    stated = subjects_in(setting.clause, setting.language)
    return subject in stated or (
        not stated and (setting.previous == subject or subject in setting.asked_subjects)
    )


def _category_or_cuisine(text: str, setting: Setting, words: Lexicon) -> Kind | None:
    plain = text.removesuffix("类") if len(text) > 2 else text
    is_category = plain in _categories(setting)
    is_cuisine = plain in _cuisines(setting)
    if plain in words.both or (is_category and is_cuisine):
        return Kind("food" if _leans_food(setting, words) else "categories", plain)
    if is_category:
        return Kind("categories", _canonical_category(plain, words))
    return Kind("food", plain) if is_cuisine else None


def _canonical_category(text: str, words: Lexicon) -> str:
    return text if text in words.categories else words.category_aliases.get(text, text)


def _categories(setting: Setting) -> frozenset[str]:
    return _all_categories(setting.language) | setting.names.categories.get("attraction", frozenset())


def _cuisines(setting: Setting) -> frozenset[str]:
    return _all_cuisines(setting.language) | setting.names.categories.get("restaurant", frozenset())


@lru_cache
def _all_categories(language: str) -> frozenset[str]:
    words = lexicon(language)
    return frozenset({*words.categories, *words.category_aliases})


@lru_cache
def _all_cuisines(language: str) -> frozenset[str]:
    return frozenset(lexicon(language).cuisines)


def _kind_inside(text: str, setting: Setting, words: Lexicon) -> Kind | None:
    """A mode or a hotel class inside a longer phrase (干净的民宿), where the clause is about those."""
    if _about(setting, "hotels"):
        name = _longest(text, tuple(words.hotels))
        if name:
            return Kind("hotels", words.hotels[name])
    name = _longest(text, tuple(words.modes))
    travels = guarded.search(r"[坐乘搭]|交通|往返|来回|去程|返程|出行", setting.clause) or _about(
        setting, "transport"
    )
    if name and travels and not guarded.search(guarded.escape(name) + _MODE_NO_MORE, text):
        return Kind("transport", words.modes[name])
    return None


def _longest(text: str, spellings: tuple[str, ...]) -> str | None:
    spellings_in_text = [spelling for spelling in spellings if len(spelling) > 1 and spelling in text]
    return max(spellings_in_text, key=len) if spellings_in_text else None


def _kind_of_unknown(text: str, setting: Setting, words: Lexicon) -> Kind | None:
    """A name that no list holds: food or sight by verb, ending, surroundings and what tools have told."""
    score = _lean(text, setting, words)
    if score == 0 and (
        _about(setting, "hotels") or _about(setting, "transport") or _about(setting, "intensity")
    ):
        return None
    if score == 0 and not (setting.asked_subjects & {"sights", "categories"} or len(text) > 2):
        return None
    return Kind("food" if score > 0 else "sights", text, sure=False)


def _leans_food(setting: Setting, words: Lexicon) -> bool:
    return _lean("", setting, words) > 0


def _lean(text: str, setting: Setting, words: Lexicon) -> float:
    """Above 0 food, below 0 sight, 0 nothing to tell. For what is eaten, the clause before is not asked."""
    rest = setting.clause.replace(text, "") if text else setting.clause
    eaten, visited = (guarded.search(words.verbs[subject], rest) for subject in ("food", "sights"))
    score = (2.5 if eaten else 0.0) - (1.6 if visited else 0.0)
    score += 1.5 if text.endswith(words.dish_endings) else 0
    score -= 2 if text.endswith(words.place_endings) else 0
    score += _from_surroundings(replace(setting, previous=None) if eaten else setting)
    known = setting.names.kind_of(text) if text else None
    return score + {"restaurant": 4.0, "attraction": -4.0, "landmark": -4.0}.get(known or "", 0.0)


def _from_surroundings(setting: Setting) -> float:
    score = {"food": 1.0, "sights": -1.0, "categories": -1.0}.get(setting.previous or "", 0.0)
    if "food" in setting.asked_subjects and not setting.asked_subjects & {"sights", "categories"}:
        score += 1.2
    elif setting.asked_subjects & {"sights", "categories"} and "food" not in setting.asked_subjects:
        score -= 1.2
    return score
