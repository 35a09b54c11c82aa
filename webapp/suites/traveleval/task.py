"""What the page of a query shows."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.tasks.listing import BUDGETS, CATEGORY_WORDS, LEVELS
from benchmark.text.width import cut_to_width

_WIDEST_TITLE = 120
"""Of a query in lists; a Chinese character is two wide."""


def title(task: Any) -> str:
    """The query, as far as two lines take it."""
    return cut_to_width(task.query, _WIDEST_TITLE)


def context(query: Query) -> dict[str, Any]:
    """Its facts in words, and its wishes by category."""
    return {
        "level": _(LEVELS[query.tag]),
        "budget_class": _(BUDGETS[query.budget_class]),
        "wishes": [(_(CATEGORY_WORDS[category]), tags) for category, tags in query.tags.items()],
    }
