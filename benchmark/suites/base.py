"""What the rest of Caravan needs of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from benchmark.core.engine import Step
from benchmark.core.events import AttendanceSet, Contract, Event, EventBody, Kinds, ParticipantJoined
from benchmark.core.events import Protocol as Rulebook
from benchmark.core.participant import Cast
from benchmark.core.rules import Rules
from benchmark.core.taskfiles import TaskFiles
from benchmark.inputs import LineProblem
from benchmark.judging import Rubric
from benchmark.labelling.answers import AnswerKind
from benchmark.labelling.comparing import CASES, Case, CaseReader
from benchmark.metrics import RESERVED_KEYS, Averaging, Metric
from sandbox.toolbox import SandboxSetup
from sandbox.toolsets.base import DEFAULT_TOOLSET
from sandbox.worlds import World

if TYPE_CHECKING:
    from benchmark.reports import Reporting
    from benchmark.reports.dataset import DatasetStatistics
    from benchmark.synthesis import Synthesis


class Task(Protocol):
    """What every benchmark's task has; the suite's own class adds the rest.

    users: the names of those who talk with the agent, in the order in which they are asked.
    """

    @property
    def language(self) -> str: ...

    @property
    def users(self) -> Sequence[str]: ...


TASK_COLUMNS = frozenset({"group", "difficulty", "size", "children", "conflicts", "days", "cities", "leaves"})
"""What tables show and filter by of the tasks of any benchmark that has it; `Suite.listed` gives the values."""


class Facet(NamedTuple):
    """Something that lists filter a benchmark's tasks by, beside the columns that all tasks have.

    key: in the `facets` that `Suite.listed` gives of a task. label: an English message id. values: what it can be,
    each with an English message id.
    """

    key: str
    label: str
    values: Mapping[str, str]


class Needs(NamedTuple):
    """What a task needs of a world.

    cities: their names. sights: the city and name of each that somebody must see. ways: between two cities.
    """

    cities: Sequence[str] = ()
    sights: Sequence[tuple[str, str]] = ()
    ways: Sequence[tuple[str, str]] = ()


class Opening(Protocol):
    """Makes the first events of a session: the task as everyone knows it, the seats, what each one knows alone.

    contract: what those over models are held to, None for the protocol's own.
    """

    def __call__(
        self,
        task: Any,
        *,
        seed: int = 0,
        protocol: Rulebook = "published",
        contract: Contract | None = None,
        world: str = "",
        pack_hash: str = "",
        sandbox: SandboxSetup | None = None,
        joined: Iterable[ParticipantJoined | AttendanceSet] = (),
    ) -> Step: ...


class Record(Protocol):
    """Tells a log as one line of the benchmark's published run files."""

    def __call__(
        self, events: Iterable[Event], *, task_index: int = 0, trial_id: int = 0
    ) -> dict[str, Any]: ...


class Score(Protocol):
    """Scores the log of an ended session: figures by profile, which the metrics read, each with its `evidence`.

    definition: of the task, as it is stored. world: what `Scoring.world` has made of the session's world.
    """

    def __call__(
        self,
        events: Sequence[Event],
        *,
        definition: Mapping[str, Any],
        world: Any,
        task_index: int = 0,
        trial_id: int = 0,
    ) -> dict[str, dict[str, Any]]: ...


ScoreFile = Callable[[Path, Path, Path, Callable[[int], None], str], Any]
"""Scores run records of another program by a profile: (records, places, out, progress, profile).

records: a record a line. places: the file of places that they are checked against. out: a line of figures for
each, in the same order, or nothing at all. progress is called with the number of records so far. It gives a tally of
its own, which counts the `records`. Raises ValueError, with the lines and fields that are wrong, and OSError.
"""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A run record as it stands on a line of a file. text: the line, character by character."""

    number: int
    text: str
    record: dict[str, Any]


class RecordTask(NamedTuple):
    """What a run record tells of its task.

    definition: the parts of a published task that the record has. columns: columns as `Suite.listed` gives them.
    """

    task_id: str
    definition: dict[str, Any]
    columns: dict[str, Any]


class RecordSession(NamedTuple):
    """What a run record tells of its session.

    steps: who acted, and the events, from the opening to the end; times and models are unknown. round: how many
    rounds there were. trial_id: None where the record names none that is a number.
    """

    steps: Sequence[tuple[str, Sequence[EventBody]]]
    round: int = 0
    trial_id: int | None = None
    crashed: bool = False


class ReadSession(Protocol):
    """Tells the session of a record. agent: what the researcher calls the agent. definition: of its task."""

    def __call__(
        self, record: Mapping[str, Any], *, agent: str, world: str, definition: Mapping[str, Any]
    ) -> RecordSession: ...


class ScoreRecord(Protocol):
    """Scores a published record as it is: figures by profile, each with its `evidence`."""

    def __call__(
        self, record: Mapping[str, Any], *, definition: Mapping[str, Any], world: Any
    ) -> dict[str, dict[str, Any]]: ...


@dataclass(frozen=True)
class Records:
    """How a benchmark's published run records come in.

    stream: the records of a file, or what is wrong with its lines; raises OSError, ValueError. task, session: what
    one tells. definition: the task of a told definition, as the files' would be, to be shown: whatever it lacks is
    empty. score: its figures. places: what scores need of a world, from a file of places as published; raises
    OSError, ValueError; None where scores need no world, so that records name none. id_field: tells tasks apart.
    """

    stream: Callable[[Path], Iterator[RecordLine | LineProblem]]
    task: Callable[[Mapping[str, Any]], RecordTask]
    session: ReadSession
    score: ScoreRecord
    definition: Callable[[Mapping[str, Any]], Any]
    places: Callable[[Path], Any] | None = None
    id_field: str = "task_id"


@dataclass(frozen=True)
class Scoring:
    """How the sessions of a benchmark are scored.

    code_version: raised whenever a figure or its evidence may come out differently for the same log. profiles: how
    sessions are averaged, by name. world: makes what scores need of a world's pack; it is read-only, and
    kept for other sessions and threads. file: for `manage.py score`, scores run files that other programs wrote; None
    where scores need no places, so that records are imported and scored like sessions.
    """

    code_version: str
    profiles: Mapping[str, Averaging]
    score: Score
    world: Callable[[World], Any] = lambda pack: None
    file: ScoreFile | None = None

    @property
    def profile(self) -> str:
        """The one that is shown where nobody has chosen another: the first."""
        return next(iter(self.profiles))


@dataclass(frozen=True)
class Suite:
    """A benchmark.

    name: in logs and in the database; it never changes. title: as it is called. kinds: of the events that its
    logs hold. rules: of its conversations. files: of its tasks; they read a stored definition as well. list_columns:
    what lists of tasks show of one and filter by, by column; below `facets` by own facets. columns: which of
    those that tables offer its tasks have. answer: what its sessions give that annotators see, models compare and
    files hold: a plan that its agents are asked for, or words; then no figure says how many made a plan.
    contracts: whether its users can be held to rules of speaking. cast: who can take its seats; a function, since
    participants take long to import. metrics: in the order in which a session shows them. judging: what judges
    are asked of its sessions. compared_case: what models that compare are shown of one; None for what `answer` says.
    reporting: what its reports hold; a function, since numpy takes long to import, None for what all have.
    statistics: what it tells of a set of tasks, a function for the same reason, None for nothing. synthesis: what
    makes tasks of its own, likewise. toolset: the name of the tools that its agents call. needs: what a task
    needs of a world; nothing where the world does not matter. starter: the files of the tasks that come with
    Caravan.
    converse: plays the canned conversations of a file; ValueError names a line that is wrong.
    """

    name: str
    title: str
    kinds: Kinds
    rules: Rules[Any]
    files: TaskFiles[Any]
    list_columns: Callable[[Any], dict[str, Any]]
    opening: Opening
    cast: Callable[[], Cast]
    record: Record
    scoring: Scoring
    metrics: tuple[Metric, ...] = ()
    judging: Rubric | None = None
    compared_case: CaseReader | None = None
    reporting: Callable[[], Reporting] | None = None
    statistics: Callable[[], DatasetStatistics] | None = None
    synthesis: Callable[[], Synthesis] | None = None
    toolset: str = DEFAULT_TOOLSET
    needs: Callable[[Any], Needs] = lambda task: Needs()
    facets: tuple[Facet, ...] = ()
    columns: frozenset[str] = TASK_COLUMNS
    answer: AnswerKind = "plan"
    contracts: bool = True
    starter: Sequence[Path] = ()
    converse: Callable[[Path, Rulebook], Iterator[dict[str, Any]]] | None = None
    records: Records | None = None

    @property
    def plans(self) -> bool:
        """Whether its agents are asked for a plan."""
        return self.answer == "plan"

    def case(self, events: Iterable[Event]) -> Case:
        """What models that compare are shown of an ended session. Raises ValueError where its log is none."""
        return (self.compared_case or CASES[self.answer])(events)

    def __post_init__(self) -> None:
        keys = [metric.key for metric in self.metrics]
        if refused := sorted({key for key in keys if key in RESERVED_KEYS or keys.count(key) > 1}):
            raise ValueError(f"suite {self.name}: these keys of metrics are taken: {', '.join(refused)}")
        of_sessions = {metric.key for metric in self.metrics if metric.scope == "session"}
        if unknown := sorted({key for metric in self.metrics for key in metric.made_of} - of_sessions):
            raise ValueError(f"suite {self.name}: no session has these metrics: {', '.join(unknown)}")
