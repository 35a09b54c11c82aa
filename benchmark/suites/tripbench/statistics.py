"""Statistics of a set of tasks, beside what the paper tells of its own (Tables 2 and 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from benchmark.remarks import gettext_noop as _
from benchmark.reports.dataset import DatasetPart, DatasetStatistics
from benchmark.reports.table import Cell, Chart, Column, Note, Table
from benchmark.reports.words import PartWords
from benchmark.suites.tripbench.making.ordering import SHARES
from benchmark.suites.tripbench.making.tiers import SHAPES
from benchmark.suites.tripbench.modes import MULTI_TURN, most_turns
from benchmark.suites.tripbench.rubrics.labels import DOMAINS, LABELS, domain_of
from benchmark.suites.tripbench.tasks import Task
from benchmark.suites.tripbench.tasks.listing import BEHAVIOUR_WORDS, SUBSET_WORDS
from benchmark.suites.tripbench.tasks.task import Subset


def _count_constraints(task: Task) -> int:
    """Constraints at the end."""
    return len(task.demand_after(task.instructions).constraints)


def _count_first(task: Task) -> int:
    return sum(1 for one in task.nodes[0].instructions if one.rubric)


def _cities(task: Task) -> int:
    return len({task.meta.origin, *task.meta.destinations})


MEASURES: Final[dict[str, Callable[[Task], int]]] = {
    "days": lambda task: len(task.meta.dates),
    "cities": _cities,
    "people": lambda task: task.meta.people,
    "constraints": _count_constraints,
    "first": _count_first,
    "nodes": lambda task: len(task.nodes),
    "instructions": lambda task: len(task.instructions),
    "turns": lambda task: most_turns(task.tier, task.subset, MULTI_TURN),
}
"""What is counted of a task, by key."""
LANGUAGES: Final = ("zh", "en")


def _bounds(subset: Subset) -> dict[str, tuple[int, int]]:
    """The least and the most of Table 4, by measure; of the first message it does not tell LIT's."""
    shape = SHAPES[subset]
    told = {
        "days": (shape.days[0], shape.days[-1]),
        "cities": (shape.cities[0], shape.cities[-1]),
        "constraints": shape.constraints,
    }
    return told if subset == "lit" else {**told, "first": shape.first}


@dataclass(frozen=True)
class Dataset:
    """Tasks counted. measures: of each task of a subset, by subset and measure. behaviours: of instructions, by
    subset. rubrics: constraints that are brought up, by rubric and subset.
    """

    languages: Counter[tuple[str, str]]
    measures: dict[tuple[str, str], list[int]]
    behaviours: Counter[tuple[str, str]]
    rubrics: Counter[tuple[str, str]]

    @classmethod
    def of(cls, tasks: Iterable[Task]) -> Dataset:
        """The statistics of some tasks."""
        data = cls(Counter(), {}, Counter(), Counter())
        for task in tasks:
            data.languages[task.subset, task.language] += 1
            for key, measure in MEASURES.items():
                data.measures.setdefault((task.subset, key), []).append(measure(task))
            for one in task.instructions.values():
                data.behaviours[task.subset, one.behaviour] += 1
                if one.rubric:
                    data.rubrics[one.rubric, task.subset] += 1
        return data

    @property
    def total(self) -> int:
        """How many tasks there are."""
        return self.languages.total()

    def count(self, subset: str) -> int:
        """How many tasks of a subset there are."""
        return sum(self.languages[subset, language] for language in LANGUAGES)


def statistics_json(data: Dataset) -> dict[str, Any]:
    """The counts as JSON."""
    return {
        "tasks": data.total,
        "languages": {f"{subset} {language}": n for (subset, language), n in sorted(data.languages.items())},
        "measures": {
            f"{subset} {key}": {"least": min(own), "mean": sum(own) / len(own), "most": max(own)}
            for (subset, key), own in sorted(data.measures.items())
        },
        "behaviours": {f"{subset} {key}": n for (subset, key), n in sorted(data.behaviours.items())},
        "rubrics": dict(sorted(_by_rubric(data).items())),
    }


def _by_rubric(data: Dataset) -> Counter[str]:
    counted = Counter[str]()
    for (rubric, _subset), n in data.rubrics.items():
        counted[rubric] += n
    return counted


def _table(columns: tuple[Column, ...], rows: list[list[Cell]], data: Dataset) -> Table:
    return Table(columns, rows if data.total else [], () if data.total else (Note("no_tasks"),))


def _subsets(data: Dataset) -> Table:
    """A row a subset: tasks by language, and the paper's test tasks."""
    rows: list[list[Cell]] = [
        [subset, *(data.languages[subset, own] for own in LANGUAGES), data.count(subset), SHARES.get(subset)]
        for subset in SHAPES
    ]
    return _table(
        (Column("subset", "name"), *(Column(key, "count") for key in (*LANGUAGES, "tasks", "paper"))),
        rows,
        data,
    )


def _sizes(data: Dataset) -> Table:
    """A row a subset and measure: the least, the mean and the most, and the paper's bounds."""
    rows: list[list[Cell]] = []
    for subset in SHAPES:
        told = _bounds(subset)
        for key in MEASURES:
            if own := data.measures.get((subset, key)):
                least, most = told.get(key, (None, None))
                rows.append([subset, key, min(own), sum(own) / len(own), max(own), least, most])
    columns = (
        *(Column("subset", "name"), Column("measure", "name"), Column("least", "count")),
        *(Column("mean", places=2), Column("most", "count")),
        *(Column("paper_least", "count"), Column("paper_most", "count")),
    )
    return _table(columns, rows, data)


def _behaviours(data: Dataset) -> Table:
    """A row a subset and behaviour: instructions."""
    rows: list[list[Cell]] = [
        [subset, behaviour, data.behaviours[subset, behaviour]]
        for subset in SHAPES
        if data.count(subset)
        for behaviour in BEHAVIOUR_WORDS
    ]
    return _table(
        (Column("subset", "name"), Column("behaviour", "name"), Column("said", "count")), rows, data
    )


def _rubrics(data: Dataset) -> Table:
    """A row a rubric that is asked for: how often."""
    counted = _by_rubric(data)
    rows: list[list[Cell]] = [[domain_of(key), key, counted[key]] for key in LABELS if counted[key]]
    return _table((Column("domain", "name"), Column("rubric", "name"), Column("said", "count")), rows, data)


STATISTICS = DatasetStatistics(
    of=Dataset.of,
    as_json=statistics_json,
    parts=(
        DatasetPart(
            "subsets",
            _subsets,
            counterpart="Table 2",
            words=PartWords(
                _("Subsets and languages"),
                _(
                    "Tasks by subset and language, beside the test tasks that the overall figures of the paper weigh."
                ),
                columns={"zh": _("in Chinese"), "en": _("in English"), "paper": _("the paper")},
            ),
        ),
        DatasetPart(
            "sizes",
            _sizes,
            counterpart="Table 4",
            words=PartWords(
                _("How large tasks are"),
                _("What tasks have, beside the bounds of the paper; of LIT's first message it tells none."),
                columns={
                    "measure": _("measure"),
                    "least": _("least"),
                    "mean": _("mean"),
                    "most": _("most"),
                    "paper_least": _("paper, least"),
                    "paper_most": _("paper, most"),
                },
                values={
                    "measure": {
                        "days": _("days"),
                        "cities": _("cities, with the origin"),
                        "people": _("people"),
                        "constraints": _("constraints at the end"),
                        "first": _("constraints in the first message"),
                        "nodes": _("nodes"),
                        "instructions": _("instructions"),
                        "turns": _("turns at most"),
                    }
                },
            ),
        ),
        DatasetPart(
            "behaviours",
            _behaviours,
            Chart("stacked", x="subset", y="said", series="behaviour"),
            counterpart="Table 4",
            words=PartWords(
                _("What users do"),
                _(
                    "Instructions by subset and what they do. Reports of faults, local revisions, questions and "
                    "explorations come up in the conversation, so no task holds them."
                ),
                columns={"behaviour": _("what it does")},
                values={"behaviour": BEHAVIOUR_WORDS},
            ),
        ),
        DatasetPart(
            "rubrics",
            _rubrics,
            Chart("bars", x="rubric", y="said"),
            words=PartWords(
                _("What users ask for"),
                _("Instructions by the rubric of what they ask for; the paper draws its domains evenly."),
                columns={"domain": _("domain"), "rubric": _("rubric")},
                values={"domain": DOMAINS, "rubric": LABELS},
            ),
        ),
    ),
    words=PartWords(
        columns={"subset": _("subset"), "said": _("instructions")},
        values={"subset": SUBSET_WORDS},
        notes={"no_tasks": _("There are no tasks.")},
    ),
    counterparts=_("The table beside a heading is its counterpart in the TRIP-Bench paper."),
)
