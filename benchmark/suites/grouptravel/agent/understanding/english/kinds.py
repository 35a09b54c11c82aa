"""Deciding what an English speaker's name is: a mode, a hotel class, a kind of sight, a place, something to eat."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from benchmark.suites.grouptravel.agent.lexicon import en, lexicon
from benchmark.suites.grouptravel.agent.lexicon.model import Lexicon, Subject
from benchmark.suites.grouptravel.agent.understanding.english.names import NameMention
from benchmark.suites.grouptravel.agent.understanding.kinds import Kind
from benchmark.suites.grouptravel.agent.understanding.names import Names
from benchmark.text import guarded


@dataclass(frozen=True, slots=True)
class Clues:
    """What surrounds a name: the piece, the subject before it, what was asked, and what tools have told."""

    piece: str
    previous: Subject | None
    asked_subjects: frozenset[Subject]
    names: Names


@lru_cache(maxsize=1024)
def subjects_in(text: str) -> tuple[Subject, ...]:
    """What a piece says it is about; a narrower subject hides the wider one."""
    subjects = [
        subject
        for subject, pattern in en.SUBJECTS.items()
        if guarded.search(pattern, text, guarded.IGNORECASE)
    ]
    return tuple(subject for subject in subjects if en.NARROWER.get(subject) not in subjects)


@lru_cache
def _values() -> Lexicon:
    """The published values are Chinese words, whatever the talk."""
    return lexicon("zh")


def is_either(value: str) -> bool:
    """Whether a published value can be a kind of sight and something to eat."""
    return value in _values().both


def kind_of(name: NameMention, clues: Clues) -> Kind | None:
    """What a name is, None when it is nothing that a table holds."""
    text, values = name.text, _values()
    if text in values.modes:
        return _mode(name, clues, values)
    if text in values.hotels:
        return Kind("hotels", values.hotels[text])
    category = text in {*values.categories, *clues.names.categories.get("attraction", ())}
    cuisine = text in {*values.cuisines, *clues.names.categories.get("restaurant", ())}
    if is_either(text) or (category and cuisine):
        return Kind("food" if _lean("", clues) > 0 else "categories", text)
    if category:
        return Kind("categories", text)
    return Kind("food", text) if cuisine else _kind_of_unknown(text, clues, values)


def _mode(name: NameMention, clues: Clues, values: Lexicon) -> Kind | None:
    """A plain word such as drive or fly is a mode only where the talk is about travelling."""
    travels = "transport" in clues.asked_subjects or clues.previous == "transport" or not name.said
    stated = guarded.search(en.SUBJECTS["transport"], clues.piece, guarded.IGNORECASE)
    return Kind("transport", values.modes[name.text]) if travels or stated else None


def _kind_of_unknown(text: str, clues: Clues, values: Lexicon) -> Kind | None:
    score = _lean(text, clues)
    score += 1.5 if text.endswith(values.dish_endings) else 0
    score -= 2 if text.endswith(values.place_endings) else 0
    about = set(subjects_in(clues.piece)) & {"hotels", "transport"}
    if score == 0 and about:
        return None
    return Kind("food" if score > 0 else "sights", text, sure=bool(guarded.search(r"[\u3400-\u9fff]", text)))


def _lean(text: str, clues: Clues) -> float:
    """Above 0 food, below 0 sight, 0 nothing to tell. For what is eaten, the piece before is not asked."""
    rest = clues.piece.replace(text, "") if text else clues.piece
    eaten, visited = (
        guarded.search(en.VERBS[subject], rest, guarded.IGNORECASE) for subject in ("food", "sights")
    )
    score = (2.5 if eaten else 0.0) - (1.6 if visited else 0.0)
    if visited or not eaten:
        score += {"food": 1.0, "sights": -1.0, "categories": -1.0}.get(clues.previous or "", 0.0)
    if "food" in clues.asked_subjects and not clues.asked_subjects & {"sights", "categories"}:
        score += 1.2
    elif clues.asked_subjects & {"sights", "categories"} and "food" not in clues.asked_subjects:
        score -= 1.2
    known = clues.names.kind_of(text) if text else None
    return score + {"restaurant": 4.0, "attraction": -4.0, "landmark": -4.0}.get(known or "", 0.0)
