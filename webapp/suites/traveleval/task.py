"""What the page of a query shows."""

from __future__ import annotations

from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from benchmark.suites.traveleval.tasks import Query
from benchmark.suites.traveleval.tasks.listing import BUDGETS, CATEGORY_WORDS, LEVELS

_LONGEST_TITLE = 60
"""Characters of a query in lists."""


def title(task: Any) -> str:
    """The query, as far as a line takes it."""
    return Truncator(task.query).chars(_LONGEST_TITLE)


def context(query: Query) -> dict[str, Any]:
    """Its facts in words, and its wishes by category."""
    return {
        "level": _(LEVELS[query.tag]),
        "budget_class": _(BUDGETS[query.budget_class]),
        "wishes": [(_(CATEGORY_WORDS[category]), tags) for category, tags in query.tags.items()],
    }
