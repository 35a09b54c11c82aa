"""What a query asks, in words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import Task
from benchmark.text.prompts import Prompts

_WORDS: Final = Prompts(Path(__file__).parent / "wording")


def request_words(task: Task) -> str:
    """The person's own words, else a sentence for each thing that the query says."""
    return task.query.user_request.strip() or "".join(_sentences(task)).strip()


def _sentences(task: Task) -> list[str]:
    query, said = task.query, query_fields(task)
    keys = ["trip" if query.departure_city else "local"]
    if query.returns and query.departure_city:
        keys.append("return")
    if query.fixed_order and len(query.cities) > 1:
        keys.append("order")
    wishes = query.preferences
    keys += [key for key in ("budget", "pacing", "attraction", "effort") if getattr(wishes, key)]
    return [_WORDS.line(task.language, "request", key, **said) for key in keys]


def query_fields(task: Task) -> Mapping[str, str]:
    """What sentences take, in the language of the task."""
    query, language = task.query, task.language
    between = ", " if language == "en" else "、"
    wishes = query.preferences

    def word(value: str | None) -> str:
        key = fold_name(value or "").replace(" ", "-")
        known = _WORDS.has_line(language, "values", key)
        return _WORDS.line(language, "values", key) if known else value or ""

    return {
        "departure": query.departure_city or "",
        "cities": between.join(query.cities),
        "days": str(query.days),
        "date": query.start_date.isoformat(),
        "budget": word(wishes.budget),
        "pacing": word(wishes.pacing),
        "attraction": between.join(wishes.attraction),
        "effort": word(wishes.effort),
    }
