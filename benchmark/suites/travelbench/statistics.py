"""Statistics of a set of tasks beside the paper's (Figures 3 to 7 and 10). The paper counts solvable tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmark.remarks import gettext_noop as _
from benchmark.remarks import ngettext_noop
from benchmark.reports.bins import even_bins
from benchmark.reports.dataset import DatasetPart, DatasetStatistics
from benchmark.reports.table import Cell, Chart, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.travelbench.modes import SUBTASKS
from benchmark.suites.travelbench.tasks.facts import Facts, NameCounts, facts_of
from benchmark.suites.travelbench.tasks.task import CAUSES, Task
from sandbox.toolsets.travelbench import TOOLSET

_MOST_CITIES = 20
_PLACES = 2
PAPER_TASKS: Mapping[str, int] = {"single": 500, "multi": 500, "unsolved": 100}
PAPER_DAYS = {"weekday": 72.20, "weekend": 27.80}
PAPER_HOURS = {"10-12": 13.5, "14-16": 14.4, "16-18": 13.3, "00-02": 2.8, "04-06": 1.1}
PAPER_PROVINCES = {"广东省": 113, "北京市": 72, "山东省": 71, "江苏省": 68, "四川省": 54}
PAPER_CITIES = {
    "北京市北京市": 72,
    "上海市上海市": 46,
    "广东省广州市": 31,
    "四川省成都市": 28,
    "广东省深圳市": 25,
}
PAPER_AGES = {"18-24": 16.91, "35-39": 16.49, "60+": 12.94}
PAPER_CACHED = 200_000
"""Calls in the paper's cache, about; it shows their shares without figures (section 3.5)."""
PAPER_PLACES = {"provinces": 32, "cities": 243}
"""What the paper tells, in per cent, or tasks of provinces and cities; it shows the others without figures."""


@dataclass(frozen=True)
class Dataset:
    """Tasks counted. subtasks, causes, intents: of all; facts: of the solvable ones; calls: expected tool calls by
    subtask.
    """

    subtasks: NameCounts
    causes: NameCounts
    intents: NameCounts
    facts: Facts
    calls: Mapping[str, tuple[float, ...]]

    @classmethod
    def of(cls, tasks: Iterable[Task]) -> Dataset:
        """The statistics of some tasks."""
        every = list(tasks)
        solvable = [task for task in every if not task.causes]
        facts = facts_of(every)
        known = [(task.subtask, task.avg_tool_calls) for task in solvable if task.avg_tool_calls is not None]
        return cls(
            facts.tasks,
            NameCounts({cause: sum(getattr(task, cause) for task in every) for cause in CAUSES}),
            facts.intents,
            facts_of(solvable),
            {name: tuple(calls for of, calls in known if of == name) for name in ("single", "multi")},
        )


def statistics_json(data: Dataset) -> dict[str, Any]:
    """The counts by name, as JSON: `subtasks` and `causes` of all tasks, the others of solvable ones."""
    facts = data.facts
    parts = {
        "subtasks": data.subtasks,
        "causes": data.causes,
        "days": facts.days,
        "hours": facts.hours,
        "intents": facts.intents,
        "provinces": facts.provinces,
        "cities": facts.cities,
        "ages": facts.ages,
    }
    counts: dict[str, Any] = {name: dict(counted.counts) for name, counted in parts.items()}
    return counts | {"expected_calls": {name: _extent(calls) for name, calls in data.calls.items()}}


def _extent(calls: tuple[float, ...]) -> dict[str, float | None]:
    if not calls:
        return {"mean": None, "min": None, "max": None}
    return {"mean": sum(calls) / len(calls), "min": min(calls), "max": max(calls)}


# Tables.


def _table(columns: tuple[Column, ...], rows: list[list[Cell]], notes: tuple[Note, ...] = ()) -> Table:
    return Table(columns, rows, notes if rows else (*notes, Note("no_tasks")))


def subtasks(data: Dataset) -> Table:
    """A row a subtask, with expected tool calls; the causes of unsolvable tasks last."""
    rows: list[list[Cell]] = []
    for name in SUBTASKS:
        extent = _extent(data.calls.get(name, ()))
        counted = data.subtasks.counts.get(name, 0)
        rows.append([name, counted, PAPER_TASKS[name], extent["mean"], extent["min"], extent["max"]])
    causes = data.causes.counts.items()
    rows += [[cause, count, None, None, None, None] for cause, count in causes if data.causes.total]
    columns = (
        *(Column("subset", "name"), Column("tasks", "count"), Column("paper", "count")),
        *(Column("mean_calls"), Column("min_calls"), Column("max_calls")),
    )
    return _table(columns, rows if data.subtasks.total else [])


def _shares(
    key: str, paper: Mapping[str, float], of: Callable[[Facts], NameCounts], *, by_name: bool = False
) -> Any:
    """Builds a table with a row a name: tasks, their share, and the paper's share, in per cent."""

    def build(data: Dataset) -> Table:
        counted = of(data.facts)
        names = sorted(counted.counts) if by_name else list(counted.counts)
        rows: list[list[Cell]] = [
            [name, counted.counts[name], round(counted.percent(name), _PLACES), paper.get(name)]
            for name in names
        ]
        columns = (Column(key, "name"), Column("tasks", "count"), Column("share"), Column("paper_share"))
        return _table(columns, rows)

    return build


def places(data: Dataset) -> Table:
    """A row a province, the most frequent first."""
    counted = data.facts.provinces
    notes = (
        Note(
            "spread",
            {
                "provinces": len(counted.counts),
                "cities": len(data.facts.cities.counts),
                "paper_provinces": PAPER_PLACES["provinces"],
                "paper_cities": PAPER_PLACES["cities"],
            },
        ),
    )
    rows: list[list[Cell]] = [
        [name, count, round(counted.percent(name), _PLACES), PAPER_PROVINCES.get(name)]
        for name, count in counted.counts.items()
    ]
    columns = (
        *(Column("province", "name"), Column("tasks", "count"), Column("share")),
        Column("paper", "count"),
    )
    return _table(columns, rows, notes)


def cities(data: Dataset) -> Table:
    """A row a city, the most frequent first."""
    counts = list(data.facts.cities.counts.items())[:_MOST_CITIES]
    rows: list[list[Cell]] = [[name, count, PAPER_CITIES.get(name)] for name, count in counts]
    return _table((Column("city", "name"), Column("tasks", "count"), Column("paper", "count")), rows)


def intents_beside(sets: Mapping[str, Dataset]) -> Table:
    """A row an intent and set: tasks, unsolvable ones too, and their share of the set in per cent (figure 4).

    Sets in the order in which they are given, intents by how many tasks of all sets have them.
    """
    together: Counter[str] = Counter()
    for data in sets.values():
        together.update(data.intents.counts)
    rows: list[list[Cell]] = [
        [intent, name, data.intents.counts.get(intent, 0), round(data.intents.percent(intent), _PLACES)]
        for intent in dict(together.most_common())
        for name, data in sets.items()
    ]
    columns = (Column("intent", "name"), Column("set", "name"), Column("tasks", "count"), Column("share"))
    return _table(columns, rows)


def expected_calls(data: Dataset) -> Table:
    """A row a solvable subtask and bin: tasks by the mean number of tool calls that several models made, and their
    percentage of the subtask's; bins of one width.
    """
    known = {name: np.array(calls) for name, calls in data.calls.items() if calls}
    edges, names = even_bins(np.concatenate([np.empty(0), *known.values()]))
    rows: list[list[Cell]] = []
    for subtask, calls in known.items():
        counts = np.histogram(calls, [*edges, np.inf])[0]
        rows += [
            [subtask, name, int(count), round(100 * int(count) / len(calls), _PLACES)]
            for name, count in zip(names, counts, strict=True)
        ]
    columns = (Column("subset", "name"), Column("bin", "name"), Column("tasks", "count"), Column("share"))
    return _table(columns, rows)


def cached_calls(entries: Mapping[str, int]) -> Table:
    """A row a tool, the fullest first: calls in tool caches, and their percentage (figure 10).

    entries: calls by the tools' names in caches; tools that the benchmark lacks do not count.
    """
    own = {tool: entries.get(TOOLSET.stored_name(tool), 0) for tool in TOOLSET.tools}
    total = sum(own.values())
    rows: list[list[Cell]] = [
        [tool, count, round(100 * count / total, _PLACES) if total else None]
        for tool, count in sorted(own.items(), key=lambda entry: -entry[1])
    ]
    notes = [Note("cached_calls", {"n": total, "paper": PAPER_CACHED})]
    columns = (Column("tool", "name"), Column("entries", "count"), Column("share"))
    return Table(columns, rows, notes if total else [*notes, Note("no_cache")])


def _bars(x: str, y: str = "share", *, across: bool = False) -> Chart:
    return Chart("bars", x=x, y=y, across=across)


_hours = _shares("hours", PAPER_HOURS, lambda facts: facts.hours, by_name=True)
_ages = _shares("age", PAPER_AGES, lambda facts: facts.ages, by_name=True)
PARTS = (
    DatasetPart(
        "subtasks",
        subtasks,
        counterpart="Table 6",
        words=PartWords(
            _("Subtasks"),
            _("Tasks and the mean number of tool calls that several models made; why tasks are unsolvable."),
            columns={
                "mean_calls": _("expected calls, mean"),
                "min_calls": _("least"),
                "max_calls": _("most"),
            },
        ),
    ),
    DatasetPart(
        "expected_calls",
        expected_calls,
        Chart("bars", x="bin", y="share", facet="subset", most=100),
        counterpart="Figure 3",
        words=PartWords(
            _("Expected tool calls"),
            _("Percentage of tasks by the mean number of tool calls that several models made."),
            axes={"bin": _("tool calls per task"), "share": _("% of tasks")},
        ),
    ),
    DatasetPart(
        "intents",
        _shares("intent", {}, lambda facts: facts.intents),
        _bars("intent", across=True),
        counterpart="Figure 4",
        words=PartWords(
            _("Intents"), _("Solvable tasks by the root of their intent."), axes={"share": _("% of tasks")}
        ),
    ),
    DatasetPart(
        "days",
        _shares("day", PAPER_DAYS, lambda facts: facts.days),
        counterpart="B.2.3",
        words=PartWords(
            _("Weekdays and weekends"),
            _("Solvable tasks by the day on which they are asked."),
            columns={"day": _("day")},
            values={"day": {"weekday": _("weekday"), "weekend": _("weekend")}},
        ),
    ),
    DatasetPart(
        "hours",
        _hours,
        _bars("hours"),
        counterpart="Figure 6",
        words=PartWords(
            _("Time of day"),
            _("Solvable tasks by windows of two hours, China time."),
            columns={"hours": _("hours")},
            axes={"share": _("% of tasks")},
        ),
    ),
    DatasetPart(
        "provinces",
        places,
        _bars("province", "tasks", across=True),
        counterpart="Figure 5",
        words=PartWords(
            _("Provinces"),
            _("Solvable tasks by the users' provinces, read from the descriptions of positions."),
            columns={"province": _("province")},
            notes={
                "spread": _(
                    "These users are in %(provinces)s provinces and %(cities)s cities, the paper's in "
                    "%(paper_provinces)s and %(paper_cities)s."
                )
            },
        ),
    ),
    DatasetPart(
        "cities",
        cities,
        _bars("city", "tasks", across=True),
        counterpart="Figure 5",
        words=PartWords(_("Cities"), _("The 20 most frequent cities of users."), columns={"city": _("city")}),
    ),
    DatasetPart(
        "ages",
        _ages,
        _bars("age"),
        counterpart="Figure 7",
        words=PartWords(
            _("Ages"),
            _("Users by age group, from the profiles that give one."),
            columns={"age": _("age")},
            axes={"share": _("% of users")},
        ),
    ),
)
CACHE_PART = DatasetPart(
    "cached_calls",
    cached_calls,
    _bars("tool", across=True),
    counterpart="Figure 10",
    words=PartWords(
        _("Cached tool calls"),
        _("Percentage of the calls in all your tool caches, whichever tasks are chosen above."),
        columns={"tool": _("tool"), "entries": _("cached calls")},
        axes={"share": _("% of cached calls")},
        notes={
            "cached_calls": ngettext_noop(
                "%(n)s call is in your caches, about %(paper)s in the paper's.",
                "%(n)s calls are in your caches, about %(paper)s in the paper's.",
            ),
            "no_cache": _("You have no tool cache with calls yet; see Caches."),
        },
    ),
)
COMPARISON_PART = DatasetPart(
    "intents_beside",
    intents_beside,
    Chart("bars", x="intent", y="share", series="set", across=True),
    counterpart="Figure 4",
    words=PartWords(
        _("Intents side by side"),
        _(
            "Tasks of each set (collected, filtered, sampled) by the root of their intent, "
            "including unsolvable ones."
        ),
        columns={"set": _("set")},
        axes={"share": _("% of the set's tasks")},
    ),
)
STATISTICS = DatasetStatistics(
    of=Dataset.of,
    as_json=statistics_json,
    parts=PARTS,
    cache_part=CACHE_PART,
    comparison_part=COMPARISON_PART,
    words=PartWords(
        columns={
            "subset": _("subtask"),
            "paper": _("the paper"),
            "paper_share": _("%, the paper"),
            "intent": _("intent"),
        },
        values={
            "subset": {
                "single": _("single-turn"),
                "multi": _("multi-turn"),
                "unsolved": _("unsolvable"),
                "missing_tool": _("unsolvable: no tool can do it"),
                "missing_info": _("unsolvable: the needed information is missing"),
                "no_actionable": _("unsolvable: the message makes no request"),
            },
            "intent": {
                "discovery": _("discovery"),
                "planning_and_decision": _("planning and decision"),
                "dynamic_information": _("dynamic information"),
                "application_interaction": _("application interaction"),
                "rules_and_policies": _("rules and policies"),
            },
        },
        notes={"no_tasks": _("There are no tasks.")},
    ),
    counterparts=_(
        "The table, figure or appendix beside a heading is its counterpart in the TravelBench paper."
    ),
)
