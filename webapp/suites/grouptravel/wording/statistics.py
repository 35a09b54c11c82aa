"""What the statistics of GroupTravelBench's tasks say."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.functional import Promise, lazy
from django.utils.translation import get_language, gettext_lazy, ngettext_lazy

from benchmark.suites.grouptravel.preferences import FIELDS, PreferenceField
from benchmark.suites.grouptravel.statistics.items import NAMES
from benchmark.suites.grouptravel.synthesis.archetypes import ARCHETYPES
from webapp.pages import ReportWords
from webapp.suites.grouptravel.wording.fields import field_label

_DIFFICULTIES = {"easy": gettext_lazy("easy"), "medium": gettext_lazy("medium"), "hard": gettext_lazy("hard")}
_SOURCES = {
    "food": gettext_lazy("food"),
    "attraction_category": gettext_lazy("kinds of sights"),
    "attraction_name": gettext_lazy("single sights"),
    "transport": gettext_lazy("transport"),
    "hotel": gettext_lazy("hotels"),
}
_SETS = {"ours": gettext_lazy("these tasks"), "paper": gettext_lazy("the paper")}
_YES = {"yes": gettext_lazy("yes"), "no": gettext_lazy("no")}
_FIGURES = {
    "tasks.all": gettext_lazy("tasks"),
    "tasks.easy": gettext_lazy("easy tasks"),
    "tasks.medium": gettext_lazy("medium tasks"),
    "tasks.hard": gettext_lazy("hard tasks"),
    "users.with_table": gettext_lazy("users with a preference table"),
    "items.total": gettext_lazy("items in all"),
    "items.per_user": gettext_lazy("items per user"),
    "compromisable.users": gettext_lazy("users who may compromise"),
    "compromisable.share": gettext_lazy("users who may compromise, %"),
    "coverage.budget": gettext_lazy("users with a budget, %"),
    "coverage.intensity": gettext_lazy("users with both limits per day, %"),
    "coverage.negative_item": gettext_lazy("users with something they do not want, %"),
    "budget.min": gettext_lazy("lowest budget, CNY"),
    "budget.max": gettext_lazy("highest budget, CNY"),
    "budget.mean": gettext_lazy("mean budget, CNY"),
    "budget.median": gettext_lazy("median budget, CNY"),
    "conflicts.tasks_with_any.count": gettext_lazy("tasks with a conflict"),
    "conflicts.tasks_with_any.share": gettext_lazy("tasks with a conflict, %"),
    "conflicts.mean": gettext_lazy("conflicts per task, mean"),
    "conflicts.median": gettext_lazy("conflicts per task, median"),
    "conflicts.max": gettext_lazy("conflicts per task, most"),
    "conflicts.transport_must_vs_reject_tasks": gettext_lazy(
        "tasks in which one user must use a transport that another refuses"
    ),
}
_REMARKS = {
    "two_tiers": gettext_lazy("the same item is in two lists of a user"),
    "twice": gettext_lazy("an item is twice in a list"),
    "broken_encoding": gettext_lazy("a text has broken encoding"),
    "no_text": gettext_lazy("an entry is not text and does not count"),
    "no_list": gettext_lazy("not a list; nothing in it counts"),
    "no_number": gettext_lazy("not a number above zero; it does not count"),
    "empty_table": gettext_lazy("a preference table has no item"),
    "foreign_city": gettext_lazy("preferences for a city that is not a destination; they count"),
    "departs_from_destination": gettext_lazy("the departure city is a destination"),
    "unknown_archetype": gettext_lazy("the paper does not have this archetype"),
    "other_size": gettext_lazy("the group's size is not that of its archetype"),
    "other_pattern": gettext_lazy("the compromise pattern names other users than those who may compromise"),
    "beyond_scales": gettext_lazy(
        "the difficulty scales do not cover this number of people, days and cities"
    ),
    "no_score": gettext_lazy("no difficulty score; the formula's counts"),
    "other_score": gettext_lazy("the difficulty score is not the formula's"),
    "other_type": gettext_lazy("the difficulty is not the formula's"),
}


def archetype_words(name: str) -> str:
    """`2-1 Couple`, in the language of the page."""
    known = ARCHETYPES[name]
    return f"{name} {known.name('zh' if (get_language() or '').startswith('zh') else 'en')}"


_archetype_lazy: Callable[[str], Promise] = lazy(archetype_words, str)  # type: ignore[assignment]  # stubs say str
_field_lazy: Callable[[PreferenceField], Promise] = lazy(field_label, str)  # type: ignore[assignment]

STATISTICS_WORDS = ReportWords(
    titles={
        "overview": (
            gettext_lazy("Overview"),
            gettext_lazy("These tasks compared with the 650 of the paper, figure by figure."),
        ),
        "archetypes": (gettext_lazy("Archetypes"), gettext_lazy("Tasks by kind of group.")),
        "crossed": (
            gettext_lazy("Size, cities and days by difficulty"),
            gettext_lazy(
                "Percentage of tasks in the charts, tasks in the table. Young children count as people."
            ),
        ),
        "fields": (
            gettext_lazy("Items by field"),
            gettext_lazy("Mean number of items per user in the chart. An entry of a list is an item."),
        ),
        "items_a_user": (
            gettext_lazy("Items per user"),
            gettext_lazy("Entries of all lists, the budget, and each limit per day."),
        ),
        "budgets": (gettext_lazy("Budgets"), gettext_lazy("Users by their budget in CNY.")),
        "conflicts_a_task": (
            gettext_lazy("Conflicts per task"),
            gettext_lazy(
                "An item that one user wants and another does not, in the same city, counted once for each "
                "ordered pair of users."
            ),
        ),
        "conflict_sources": (
            gettext_lazy("What conflicts are about"),
            gettext_lazy("Percentage of tasks with such a conflict."),
        ),
        "conflicts_by_difficulty": (
            gettext_lazy("Conflicts by difficulty"),
            gettext_lazy("Conflicts per task, by what they are about."),
        ),
        "destinations": (
            gettext_lazy("Destinations"),
            gettext_lazy("The 20 most frequent cities. Tier 1: large; 2: popular with tourists; 3: other."),
        ),
        "tiers": (
            gettext_lazy("Tiers of cities"),
            gettext_lazy("How many cities of each tier are destinations, and their share of all stops."),
        ),
        "departures": (
            gettext_lazy("Departures"),
            gettext_lazy("The most frequent departure cities. The paper names its first five."),
        ),
        "dates": (
            gettext_lazy("Dates"),
            gettext_lazy(
                "Percentage of tasks by month of departure, compared with a uniform draw from the "
                "paper's window."
            ),
        ),
        "cached_calls": (
            gettext_lazy("Cached tool calls"),
            gettext_lazy(
                "Percentage of the calls in all your tool caches, whichever tasks are chosen above. "
                "The paper's figures are those of its own cache."
            ),
        ),
        "remarks": (
            gettext_lazy("Remarks"),
            gettext_lazy("Faults that a published task should not have. The tasks count all the same."),
        ),
    },
    columns={
        "figure": gettext_lazy("figure"),
        "ours": gettext_lazy("these tasks"),
        "paper": gettext_lazy("the paper"),
        "expected": gettext_lazy("expected"),
        "ratio": gettext_lazy("ratio"),
        "tolerance": gettext_lazy("tolerance"),
        "within": gettext_lazy("within tolerance"),
        "archetype": gettext_lazy("archetype"),
        "size": gettext_lazy("people"),
        "aspect": gettext_lazy("counted by"),
        "category": gettext_lazy("how many"),
        "field": gettext_lazy("field"),
        "a_user": gettext_lazy("per user"),
        "paper_a_user": gettext_lazy("per user, the paper"),
        "items": gettext_lazy("items"),
        "users": gettext_lazy("users"),
        "budget": gettext_lazy("CNY"),
        "conflicts": gettext_lazy("conflicts"),
        "share": gettext_lazy("%"),
        "paper_share": gettext_lazy("%, the paper"),
        "about": gettext_lazy("about"),
        "conflict_count": gettext_lazy("conflicts"),
        "mean": gettext_lazy("per task"),
        "share_ratio": gettext_lazy("ratio"),
        "share_within": gettext_lazy("within tolerance"),
        "city": gettext_lazy("city"),
        "tier": gettext_lazy("tier"),
        "known": gettext_lazy("cities in the catalogue"),
        "used": gettext_lazy("destinations"),
        "stops": gettext_lazy("stops"),
        "paper_tasks": gettext_lazy("tasks, the paper"),
        "month": gettext_lazy("month"),
        "uniform": gettext_lazy("%, uniform"),
        "remark": gettext_lazy("remark"),
        "task": gettext_lazy("task"),
        "place": gettext_lazy("field"),
        "item": gettext_lazy("found"),
        "instead": gettext_lazy("expected"),
        "tool": gettext_lazy("tool"),
        "entries": gettext_lazy("cached calls"),
        "paper_entries": gettext_lazy("cached calls, the paper"),
        **_SOURCES,
    },
    axes={
        ("archetypes", ""): gettext_lazy("tasks"),
        ("crossed", "share"): gettext_lazy("% of tasks"),
        ("fields", ""): gettext_lazy("items per user"),
        ("conflict_sources", ""): gettext_lazy("% of tasks"),
        ("conflicts_a_task", "conflicts"): gettext_lazy("conflicts per task"),
        ("conflicts_by_difficulty", "conflicts"): gettext_lazy("conflicts per task"),
        ("dates", ""): gettext_lazy("% of tasks"),
        ("cached_calls", ""): gettext_lazy("% of cached calls"),
        ("items_a_user", "items"): gettext_lazy("items per user"),
    },
    values={
        "figure": _FIGURES,
        "tolerance": {"exact": gettext_lazy("exact")},
        "within": _YES,
        "share_within": _YES,
        "set": _SETS,
        "holder": {"ours": gettext_lazy("your caches"), "paper": gettext_lazy("the paper")},
        "difficulty": _DIFFICULTIES,
        "about": _SOURCES,
        "archetype": {
            "unnamed": gettext_lazy("none named"),
            **{name: _archetype_lazy(name) for name in ARCHETYPES},
        },
        "field": {NAMES[field]: _field_lazy(field) for field in FIELDS},
        "aspect": {
            "users": gettext_lazy("people"),
            "cities": gettext_lazy("cities"),
            "days": gettext_lazy("days"),
        },
        "category": {"other": gettext_lazy("other")},
        "panel": {
            "users ours": gettext_lazy("People, these tasks"),
            "users paper": gettext_lazy("People, the paper"),
            "cities ours": gettext_lazy("Cities, these tasks"),
            "cities paper": gettext_lazy("Cities, the paper"),
            "days ours": gettext_lazy("Days, these tasks"),
            "days paper": gettext_lazy("Days, the paper"),
        },
        "tier": {"other": gettext_lazy("not in the catalogue")},
        "remark": _REMARKS,
    },
    notes={
        "no_tasks": gettext_lazy("There are no tasks."),
        "within": ngettext_lazy(
            "%(n)s of %(of)s figures is within its tolerance, including those of the tables below.",
            "%(n)s of %(of)s figures are within their tolerance, including those of the tables below.",
            "n",
        ),
        "expected": gettext_lazy(
            "Expected: the paper's figure for this number of tasks, or of users where it is about "
            "items. Ratio: these tasks to the expected figure. Exact: a count is the expected one, "
            "rounded up or down."
        ),
        "other_size": ngettext_lazy(
            "The tolerances are for 650 tasks; %(n)s task may differ more from the paper by chance.",
            "The tolerances are for 650 tasks; %(n)s tasks may differ more from the paper by chance.",
            "n",
        ),
        "few_cities": ngettext_lazy(
            "These tasks lead to %(n)s city, the paper's to %(paper)s. Tasks over a world of few cities can meet "
            "every quota of archetypes, sizes, cities and days, but not the paper's spread of destinations.",
            "These tasks lead to %(n)s cities, the paper's to %(paper)s. Tasks over a world of few cities can meet "
            "every quota of archetypes, sizes, cities and days, but not the paper's spread of destinations.",
            "n",
        ),
        "budgets": gettext_lazy(
            "From %(min)s to %(max)s CNY, mean %(mean)s, median %(median)s; the paper: from %(paper_min)s to "
            "%(paper_max)s, mean %(paper_mean)s, median %(paper_median)s."
        ),
        "destinations": ngettext_lazy(
            "%(n)s city is a destination; the paper's tasks lead to %(paper)s.",
            "%(n)s cities are destinations; the paper's tasks lead to %(paper)s.",
            "n",
        ),
        "departures": ngettext_lazy(
            "Trips begin in %(n)s city, the paper's in %(paper)s.",
            "Trips begin in %(n)s cities, the paper's in %(paper)s.",
            "n",
        ),
        "dates": gettext_lazy(
            "From %(first)s to %(last)s; the paper: from %(paper_first)s to %(paper_last)s."
        ),
        "outside": ngettext_lazy(
            "%(n)s task is outside the paper's window.", "%(n)s tasks are outside the paper's window.", "n"
        ),
        "more_remarks": ngettext_lazy(
            "%(n)s more remark; the JSON file has all.", "%(n)s more remarks; the JSON file has all.", "n"
        ),
        "no_remarks": gettext_lazy("No remarks."),
        "cached_calls": ngettext_lazy(
            "%(n)s call is in your caches, %(paper)s in the paper's. The paper's text gives %(told)s "
            "of its bars, three of them rounded.",
            "%(n)s calls are in your caches, %(paper)s in the paper's. The paper's text gives "
            "%(told)s of its bars, three of them rounded.",
            "n",
        ),
        "no_cache": gettext_lazy("You have no tool cache with calls yet; see Caches."),
    },
    counterparts=gettext_lazy(
        "“Table 5” or “Figure 4” beside a heading: what the GroupTravelBench paper calls it."
    ),
    colours={
        "": {"": "var(--accent)"},
        "set": {"ours": "var(--accent)", "paper": "var(--muted)"},
        "holder": {"ours": "var(--accent)", "paper": "var(--muted)"},
        "difficulty": {"easy": "var(--reason1)", "medium": "var(--reason2)", "hard": "var(--reason8)"},
        "about": {source: f"var(--run{number})" for number, source in enumerate(_SOURCES, 1)},
    },
)
