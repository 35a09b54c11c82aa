"""What lists of queries show of one, and filter and group by."""

from __future__ import annotations

from benchmark.metrics import LEVEL
from benchmark.metrics import gettext_noop as _
from benchmark.suites.base import Place, TaskColumn, TaskField
from benchmark.suites.traveleval.tasks.query import Query
from benchmark.suites.traveleval.tasks.rules import broken_rules

LEVELS = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}
BUDGETS = {"economy": _("economy"), "medium": _("medium"), "high": _("high")}
CATEGORY_WORDS = {
    "transportation": _("transport"),
    "accommodations": _("hotel"),
    "diet": _("meals"),
    "attractions": _("sights"),
    "rhythm": _("rhythm"),
}
BROKEN_RULES = {
    "rounding": _("the budget is not rounded to 500, from 10,000 on to 2,000"),
    "composition": _("adults, children and seniors are not as many as travel"),
    "party": _("not one to six people with an adult, three children and two seniors at most"),
    "days": _("not two to seven days, as many as from the first date to the last"),
    "cities": _("the journey leads nowhere"),
    "categories": _("more or fewer categories of wishes than the difficulty has"),
    "tags": _("preferences or rejections that the difficulty does not have"),
    "known_tags": _("a tag that the paper does not list"),
}
_OF_TASKS: tuple[Place, ...] = ("tasks",)
_FOUND_BY: tuple[Place, ...] = ("tasks", "groups")
FIELDS: tuple[TaskField[Query], ...] = (
    TaskField(
        LEVEL,
        _("difficulty"),
        "choice",
        lambda task: task.tag,
        LEVELS,
        filtered=True,
        usual=True,
        column="difficulty",
    ),
    TaskField(
        "cities",
        _("cities"),
        "names",
        lambda task: [task.start_city, task.target_city],
        column="cities",
        places=_OF_TASKS,
    ),
    TaskField("target", _("destination"), "text", lambda task: task.target_city, usual=True, filtered=True),
    TaskField("days", _("days"), "count", lambda task: task.days, column="days", places=_FOUND_BY),
    TaskField(
        "people",
        _("people"),
        "count",
        lambda task: task.people_number,
        filtered=True,
        usual=True,
        places=_FOUND_BY,
    ),
    TaskField(
        "leaves",
        _("date"),
        "date",
        lambda task: task.first_day,
        usual=True,
        column="departure_date",
        places=_OF_TASKS,
    ),
    TaskField("budget", _("budget"), "number", lambda task: task.budget, filtered=True, places=_FOUND_BY),
    TaskField(
        "budget_class",
        _("class of the budget"),
        "choice",
        lambda task: task.budget_class,
        BUDGETS,
        filtered=True,
        places=_FOUND_BY,
    ),
    TaskField("group", _("group"), "text", lambda task: task.group, filtered=True, places=_FOUND_BY),
    TaskField(
        "broken_rules",
        _("broken rules"),
        "names",
        lambda task: [*broken_rules(task)],
        BROKEN_RULES,
        filtered=True,
        places=_OF_TASKS,
    ),
    TaskField(
        "wishes",
        _("wishes for"),
        "names",
        lambda task: [*task.tags],
        CATEGORY_WORDS,
        filtered=True,
        places=_FOUND_BY,
    ),
)
COLUMNS = (TaskColumn(("leaves",)), TaskColumn((LEVEL,)))
"""What short lists show beside the title."""
SEARCH_KEYS = ("cities", "leaves", LEVEL)
"""What a search looks through beside the ids."""
