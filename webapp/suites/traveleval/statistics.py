"""What the statistics of TravelEval's queries say."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from benchmark.suites.traveleval.tasks.listing import BROKEN_RULES, BUDGETS, CATEGORY_WORDS, LEVELS
from webapp.pages import ReportWords

STATISTICS_WORDS = ReportWords(
    titles={
        "days": (
            _("Days"),
            _("Queries by difficulty and days; those of a group are counted as progressive."),
        ),
        "budgets": (
            _("Classes of budgets"),
            _("Queries by difficulty and by the class that their budget reaches."),
        ),
        "wishes": (_("Wishes"), _("Queries that prefer or reject something, by category.")),
        "queues": (
            _("Sensitivity of the queue model"),
            _("A queue at a sight while one factor varies; it does not depend on the queries."),
        ),
        "broken": (
            _("Broken rules"),
            _(
                "Queries that break the rules by which the paper makes queries. They are imported as they are."
            ),
        ),
    },
    columns={
        "factor": _("factor"),
        "least": _("least, min"),
        "most": _("most, min"),
        "range": _("range"),
        "of_usual": _("range, % of the usual queue"),
        "level": _("difficulty"),
        "days": _("days"),
        "budget": _("budget"),
        "category": _("category"),
        "preferring": _("preferring"),
        "rejecting": _("rejecting"),
        "rule": _("rule"),
        "examples": _("such as"),
        "paper": _("the paper"),
    },
    values={
        "level": {**{key: _(word) for key, word in LEVELS.items()}, "progressive": _("progressive")},
        "budget": {key: _(word) for key, word in BUDGETS.items()},
        "category": {key: _(word) for key, word in CATEGORY_WORDS.items()},
        "factor": {"base": _("kind of sight"), "date": _("day"), "time": _("time of day")},
        "rule": {key: _(word) for key, word in BROKEN_RULES.items()},
    },
    notes={"no_tasks": _("There are no tasks.")},
    counterparts=_("The table beside a heading is its counterpart in the TravelEval paper."),
)
