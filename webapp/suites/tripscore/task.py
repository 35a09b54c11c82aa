"""What the page of a task shows."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from benchmark.suites.tripscore.tasks import Task
from benchmark.suites.tripscore.tasks.listing import TYPES
from benchmark.text.width import cut_to_width
from webapp.suites.tripscore.plans import mode_words, wish_words
from webapp.wording.lists import join_items

_WIDEST_TITLE = 120
"""Of a request in lists; a Chinese character is two wide."""
_MOST_ROWS = 300
"""Of a list of the reference that are shown."""


def title(task: Any) -> str:
    """The request, as far as two lines take it."""
    return cut_to_width(task.query, _WIDEST_TITLE)


def facts(task: Task) -> dict[str, Any]:
    """Its query in words, and how many things its data hold."""
    query, reference = task.query, task.reference
    wishes = query.preferences
    return {
        "query": query,
        "type": _(TYPES[query.type]),
        "wishes": [
            (_("hotels"), wish_words(wishes.budget or "")),
            (_("pace"), wish_words(wishes.pacing or "")),
            (_("kinds of sights"), join_items([wish_words(tag) for tag in wishes.attraction])),
            (_("effort"), wish_words(wishes.effort or "")),
        ],
        "counts": [
            (_("sights"), len(reference.attractions)),
            (_("hotels"), len(reference.hotels)),
            (_("transport"), len(reference.transportation)),
        ],
    }


def context(task: Task) -> dict[str, Any]:
    """Its query in words, and the data."""
    reference = task.reference
    return {
        **facts(task),
        "attractions": [
            (place, [wish_words(tag) for tag in place.tags]) for place in reference.attractions[:_MOST_ROWS]
        ],
        "hotels": reference.hotels[:_MOST_ROWS],
        "legs": [(leg, mode_words(leg.mode)) for leg in reference.transportation[:_MOST_ROWS]],
    }
