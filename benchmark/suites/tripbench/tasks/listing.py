"""What lists of tasks show of one, and filter and group by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmark.metrics import LEVEL
from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Place, TaskColumn, TaskField
from benchmark.suites.tripbench.tasks.task import SPLITS, STYLES, TIERS, Task

TIER_WORDS: Final = dict(zip(TIERS, (_("easy"), _("mid"), _("hard")), strict=True))
SUBSET_WORDS: Final = {
    **TIER_WORDS,
    "lit": _("LIT: many turns"),
    "fit": _("FIT: what can't be met"),
    "ais": _("AIS: vague wishes"),
    "pmr": _("PMR: two plans"),
}
SPLIT_WORDS: Final = dict(zip(SPLITS, (_("train"), _("test")), strict=True))
STYLE_WORDS: Final[Mapping[str, str]] = {
    "": _("plain"),
    **dict(
        zip(
            STYLES, (_("terse"), _("rambling"), _("anxious"), _("deferring"), _("fault-finding")), strict=True
        )
    ),
}
"""What the ways of talking are called."""
BEHAVIOUR_WORDS: Final[Mapping[str, str]] = {
    "append": _("adds"),
    "modify": _("changes"),
    "delete": _("takes back"),
    "rollback": _("goes back to"),
    "redirect": _("goes elsewhere"),
    "merge": _("joins two plans"),
}
"""What instructions do."""
_OF_TASKS: Final[tuple[Place, ...]] = ("tasks",)
_FOUND_BY: Final[tuple[Place, ...]] = ("tasks", "groups")
FIELDS: Final[tuple[TaskField[Task], ...]] = (
    TaskField(LEVEL, _("tier"), "choice", lambda task: task.tier, TIER_WORDS, True, True),
    TaskField("subset", _("subset"), "choice", lambda task: task.subset, SUBSET_WORDS, True, True),
    TaskField("split", _("split"), "choice", lambda task: task.split, SPLIT_WORDS, True, places=_FOUND_BY),
    TaskField(
        "style", _("way of talking"), "choice", lambda task: task.style, STYLE_WORDS, True, places=_FOUND_BY
    ),
    TaskField(
        "cities",
        _("cities"),
        "names",
        lambda task: [task.meta.origin, *task.meta.destinations],
        column="cities",
        places=_OF_TASKS,
    ),
    TaskField("days", _("days"), "count", lambda task: len(task.meta.dates), column="days", places=_FOUND_BY),
    TaskField("people", _("people"), "count", lambda task: task.meta.people, places=_FOUND_BY),
    TaskField(
        "constraints",
        _("constraints at the end"),
        "count",
        lambda task: len(task.demand_after(task.instructions).constraints),
        places=_FOUND_BY,
    ),
    TaskField("nodes", _("nodes"), "count", lambda task: len(task.nodes), places=_FOUND_BY),
    TaskField(
        "leaves",
        _("date"),
        "date",
        lambda task: task.meta.start_date,
        usual=True,
        column="departure_date",
        places=_OF_TASKS,
    ),
)
COLUMNS: Final = (TaskColumn(("subset",)), TaskColumn(("leaves",)))
"""What short lists show beside the title."""
SEARCH_KEYS: Final = ("cities", "leaves")
"""What a search looks through beside the ids."""
