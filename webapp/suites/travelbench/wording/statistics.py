"""What the statistics of TravelBench's tasks say."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext_lazy

from webapp.pages import ReportWords

STATISTICS_WORDS = ReportWords(
    titles={
        "subtasks": (
            gettext_lazy("Subtasks"),
            gettext_lazy(
                "Tasks and the mean number of tool calls that several models made; why tasks are unsolvable."
            ),
        ),
        "expected_calls": (
            gettext_lazy("Expected tool calls"),
            gettext_lazy("Percentage of tasks by the mean number of tool calls that several models made."),
        ),
        "intents": (gettext_lazy("Intents"), gettext_lazy("Solvable tasks by the root of their intent.")),
        "intents_beside": (
            gettext_lazy("Intents side by side"),
            gettext_lazy(
                "Tasks of each set (collected, filtered, sampled) by the root of their intent, "
                "including unsolvable ones."
            ),
        ),
        "days": (
            gettext_lazy("Weekdays and weekends"),
            gettext_lazy("Solvable tasks by the day on which they are asked."),
        ),
        "hours": (
            gettext_lazy("Time of day"),
            gettext_lazy("Solvable tasks by windows of two hours, China time."),
        ),
        "provinces": (
            gettext_lazy("Provinces"),
            gettext_lazy("Solvable tasks by the users' provinces, read from the descriptions of positions."),
        ),
        "cities": (gettext_lazy("Cities"), gettext_lazy("The 20 most frequent cities of users.")),
        "cached_calls": (
            gettext_lazy("Cached tool calls"),
            gettext_lazy(
                "Percentage of the calls in all your tool caches, whichever tasks are chosen above."
            ),
        ),
        "ages": (gettext_lazy("Ages"), gettext_lazy("Users by age group, from the profiles that give one.")),
    },
    columns={
        "subset": gettext_lazy("subtask"),
        "paper": gettext_lazy("the paper"),
        "paper_share": gettext_lazy("%, the paper"),
        "mean_calls": gettext_lazy("expected calls, mean"),
        "min_calls": gettext_lazy("least"),
        "max_calls": gettext_lazy("most"),
        "intent": gettext_lazy("intent"),
        "set": gettext_lazy("set"),
        "day": gettext_lazy("day"),
        "hours": gettext_lazy("hours"),
        "province": gettext_lazy("province"),
        "city": gettext_lazy("city"),
        "age": gettext_lazy("age"),
        "tool": gettext_lazy("tool"),
        "entries": gettext_lazy("cached calls"),
    },
    values={
        "subset": {
            "single": gettext_lazy("single-turn"),
            "multi": gettext_lazy("multi-turn"),
            "unsolved": gettext_lazy("unsolvable"),
            "missing_tool": gettext_lazy("unsolvable: no tool can do it"),
            "missing_info": gettext_lazy("unsolvable: the needed information is missing"),
            "no_actionable": gettext_lazy("unsolvable: the message makes no request"),
        },
        "intent": {
            "discovery": gettext_lazy("discovery"),
            "planning_and_decision": gettext_lazy("planning and decision"),
            "dynamic_information": gettext_lazy("dynamic information"),
            "application_interaction": gettext_lazy("application interaction"),
            "rules_and_policies": gettext_lazy("rules and policies"),
        },
        "day": {"weekday": gettext_lazy("weekday"), "weekend": gettext_lazy("weekend")},
    },
    axes={
        ("expected_calls", "bin"): gettext_lazy("tool calls per task"),
        ("expected_calls", "share"): gettext_lazy("% of tasks"),
        ("intents", "share"): gettext_lazy("% of tasks"),
        ("intents_beside", "share"): gettext_lazy("% of the set's tasks"),
        ("cached_calls", "share"): gettext_lazy("% of cached calls"),
        ("hours", "share"): gettext_lazy("% of tasks"),
        ("ages", "share"): gettext_lazy("% of users"),
    },
    notes={
        "cached_calls": ngettext_lazy(
            "%(n)s call is in your caches, about %(paper)s in the paper's.",
            "%(n)s calls are in your caches, about %(paper)s in the paper's.",
            "n",
        ),
        "no_cache": gettext_lazy("You have no tool cache with calls yet; see Caches."),
        "no_tasks": gettext_lazy("There are no tasks."),
        "spread": gettext_lazy(
            "These users are in %(provinces)s provinces and %(cities)s cities, the paper's in %(paper_provinces)s "
            "and %(paper_cities)s."
        ),
    },
    counterparts=gettext_lazy(
        "The table, figure or appendix beside a heading is its counterpart in the TravelBench paper."
    ),
)
