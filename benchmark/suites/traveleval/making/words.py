"""A query in words, by rule: one of a few sentences for each thing that it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, Literal

from benchmark.suites.traveleval.making.core import Core, Party
from benchmark.suites.traveleval.making.offer import BETWEEN_CITIES
from benchmark.suites.traveleval.making.wishes import Wishes
from benchmark.suites.traveleval.tasks.query import Category, Tags
from benchmark.suites.traveleval.tasks.tags import TAG_SETS, english_city
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language

PROMPTS = Prompts(Path(__file__).parent / "prompts")
_COUNTS: Final = {"zh": "零一两三四五六", "en": ("no", "one", "two", "three", "four", "five", "six")}
_COMMA: Final = {"zh": "、", "en": ", "}
_JOINTS: Final = {("zh", "and"): "和", ("zh", "or"): "或", ("en", "and"): " and ", ("en", "or"): " or "}
_VARIANTS: Final = "123"


def words_of(rng: Random, core: Core, wishes: Wishes, language: Language) -> str:
    """All that a query says, as one person would write it."""
    said = [_opening(rng, core, language)]
    subject = _pattern("alone" if sum(core.party) == 1 else "together", language)
    for category, own in wishes.items():
        for kind, tags in _parts(category, own):
            shown = _tag_words(category, tags, language, _joint(category, kind))
            said.append(_draw_pattern(rng, language, kind, we=subject, We=subject.capitalize(), tags=shown))
    return ("" if language == "zh" else " ").join(said)


def _joint(category: Category, kind: str) -> Literal["and", "or"]:
    """No hotel of the tables has two features."""
    return "or" if kind.endswith("rejected") or category == "accommodations" else "and"


def _pattern(key: str, language: Language, **fields: object) -> str:
    return PROMPTS.line(language, "query", key, **fields)


def _draw_pattern(rng: Random, language: Language, kind: str, **fields: object) -> str:
    known = [f"{kind}.{n}" for n in _VARIANTS if PROMPTS.has_line(language, "query", f"{kind}.{n}")]
    return _pattern(rng.choice(known), language, **fields)


def _opening(rng: Random, core: Core, language: Language) -> str:
    """Who goes where, when, how long, for how much."""
    city, day = (str if language == "zh" else english_city), core.first
    date_words = (
        f"{day.year}年{day.month}月{day.day}日" if language == "zh" else f"{day:%B} {day.day}, {day.year}"
    )
    return _draw_pattern(
        rng,
        language,
        f"opening_{_party_kind(core.party)}",
        number=_COUNTS[language][sum(core.party)],
        members=_members(core.party, language),
        start=city(core.way[0]),
        target=city(core.way[1]),
        days=core.days,
        budget=core.budget if language == "zh" else f"{core.budget:,}",
        first=date_words,
    )


def _party_kind(party: Party) -> str:
    if sum(party) <= 2:
        return {Party(1): "alone", Party(2): "pair", Party(1, 1): "child"}.get(party, "senior")
    return "family" if party.children or party.seniors else "friends"


def _members(party: Party, language: Language) -> str:
    """Two adults, one child and one senior."""
    named = [
        _pattern(f"{kind}.{'1' if count == 1 else '2'}", language, number=_COUNTS[language][count])
        for kind, count in party._asdict().items()
        if count
    ]
    return _join(named, language, "and")


def _parts(category: Category, own: Tags) -> Iterator[tuple[str, Sequence[str]]]:
    """What is wanted, then what is not; ways between cities and inside are told apart, and rhythms by name."""
    for verdict, tags in (("wanted", own.preferences), ("rejected", own.constraints)):
        if category == "rhythm":
            yield from ((f"{tag}_{verdict}", [tag]) for tag in tags)
        elif category == "transportation":
            between = [tag for tag in tags if tag in BETWEEN_CITIES]
            inside = [tag for tag in tags if tag not in BETWEEN_CITIES]
            yield from (
                (f"{where}_{verdict}", own) for where, own in (("ways", between), ("inside", inside)) if own
            )
        elif tags:
            yield f"{category}_{verdict}", tags


def _tag_words(category: Category, tags: Sequence[str], language: Language, joint: str) -> str:
    named = [TAG_SETS[category].get(tag, tag) if language == "en" else tag.replace("/", "或") for tag in tags]
    return _join(named, language, joint)


def _join(named: Sequence[str], language: Language, joint: str) -> str:
    """A, B and C."""
    *first, last = named
    return f"{(_COMMA[language]).join(first)}{_JOINTS[language, joint]}{last}" if first else last
