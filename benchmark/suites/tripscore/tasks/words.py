"""What a query asks, in words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Task
from benchmark.text.prompts import Prompts
from sandbox.tools.language import Language

_WORDS: Final = Prompts(Path(__file__).parent / "wording")


def request_words(task: Task, language: Language | None = None) -> str:
    """The person's own words, else a sentence for each thing that the query says; by default in its language."""
    return task.query.user_request.strip() or "".join(_sentences(task, language or task.language)).strip()


def _sentences(task: Task, language: Language) -> list[str]:
    query, said = task.query, query_fields(task, language)
    keys = ["trip" if query.departure_city else "local"]
    if query.returns and query.departure_city:
        keys.append("return")
    if query.fixed_order and len(query.cities) > 1:
        keys.append("order")
    wishes = query.preferences
    keys += [key for key in ("budget", "pacing", "attraction", "effort") if getattr(wishes, key)]
    return [_WORDS.line(language, "request", key, **said) for key in keys]


def query_fields(task: Task, language: Language) -> Mapping[str, str]:
    """What sentences take, in a language."""
    query = task.query
    between = ", " if language == "en" else "、"
    wishes = query.preferences

    length = "one-day" if query.days == 1 else "many-days"

    def word(value: str | None) -> str:
        key = fold_name(value or "").replace(" ", "-")
        known = _WORDS.has_line(language, "values", key)
        return _WORDS.line(language, "values", key) if known else value or ""

    return {
        "departure": query.departure_city or "",
        "cities": between.join(query.cities),
        "days": _WORDS.line(language, "values", length, count=query.days),
        "date": query.start_date.isoformat(),
        "budget": word(wishes.budget),
        "pacing": word(wishes.pacing),
        "attraction": between.join(map(word, wishes.attraction)),
        "effort": word(wishes.effort),
    }
