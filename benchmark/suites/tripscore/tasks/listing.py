"""What lists of tasks show of one, and filter and group by."""

from __future__ import annotations

from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Place, TaskColumn, TaskField
from benchmark.suites.tripscore.tasks.names import fold_name
from benchmark.suites.tripscore.tasks.task import BANDS, REAL, SPLITS, SYNTHETIC, Task

SPLIT_WORDS = dict(zip(SPLITS, (_("train"), _("validation"), _("test")), strict=True))
TYPES = {SYNTHETIC: _("synthetic"), REAL: _("a person's words")}
BUDGETS = {
    "cost-effective": _("cost-effective"),
    "comfortable": _("comfortable"),
    "high-end": _("high-end"),
}
PACES = {"relaxed": _("relaxed"), "moderate": _("moderate"), "compact": _("compact")}
EFFORTS = {"light": _("light"), "moderate": _("moderate"), "strenuous": _("strenuous")}
WISHES: dict[str, str] = {
    "budget-conscious": _("budget-conscious"),
    "best value": _("best value"),
    "premium": _("premium"),
    **BUDGETS,
    **PACES,
    **EFFORTS,
    "hiking": _("hiking"),
    "cycling": _("cycling"),
    "theme-park": _("theme park"),
    "mountain-climbing": _("mountain climbing"),
}
"""What preferences and derived tags are called, by their folded values; other tags are the data's own."""
MODES = {
    "train": _("by train"),
    "flight": _("by air"),
    "bus": _("by bus"),
    "driving": _("by car"),
    "ferry": _("by ferry"),
    "ship": _("by ship"),
}
"""What the modes of legs are called; others are the data's own."""
_OF_TASKS: tuple[Place, ...] = ("tasks",)
_FOUND_BY: tuple[Place, ...] = ("tasks", "groups")


def band_of(task: Task) -> str:
    """The class of the wished hotels; "" where none is wished."""
    return BANDS.get(fold_name(task.query.preferences.budget or ""), "")


FIELDS: tuple[TaskField[Task], ...] = (
    TaskField("type", _("type"), "choice", lambda task: task.query.type, TYPES, True, True, places=_FOUND_BY),
    TaskField("split", _("split"), "choice", lambda task: task.split, SPLIT_WORDS, True, places=_FOUND_BY),
    TaskField(
        "cities",
        _("cities"),
        "names",
        lambda task: [
            *([task.query.departure_city] if task.query.departure_city else []),
            *task.query.cities,
        ],
        column="cities",
        places=_OF_TASKS,
    ),
    TaskField(
        "targets",
        _("destinations"),
        "names",
        lambda task: list(task.query.cities),
        filtered=True,
        usual=True,
        places=_FOUND_BY,
    ),
    TaskField("days", _("days"), "count", lambda task: task.query.days, column="days", places=_FOUND_BY),
    TaskField(
        "leaves",
        _("date"),
        "date",
        lambda task: task.query.start_date,
        usual=True,
        column="departure_date",
        places=_OF_TASKS,
    ),
    TaskField("hotels", _("hotels"), "choice", band_of, BUDGETS, filtered=True, places=_FOUND_BY),
    TaskField(
        "pacing",
        _("pace"),
        "choice",
        lambda task: fold_name(task.query.preferences.pacing or ""),
        PACES,
        filtered=True,
        places=_FOUND_BY,
    ),
    TaskField(
        "effort",
        _("effort"),
        "choice",
        lambda task: fold_name(task.query.preferences.effort or ""),
        EFFORTS,
        filtered=True,
        places=_FOUND_BY,
    ),
    TaskField(
        "kinds",
        _("kinds of sights"),
        "names",
        lambda task: list(task.query.preferences.attraction),
        filtered=True,
        places=_FOUND_BY,
    ),
)
COLUMNS = (TaskColumn(("leaves",)),)
"""What short lists show beside the title."""
SEARCH_KEYS = ("cities", "leaves")
"""What a search looks through beside the ids."""
