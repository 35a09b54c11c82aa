"""What benchmarks bring to the pages: each has a room that bears its name below `webapp.suites`, or does without.

A room is a package with a module `pages` that holds `PAGES`. Its filters for templates are in a module `tags`, which
its templates load by the benchmark's name. Its templates are below `templates/suites/NAME`: one at `events/TYPE.html`
or `panels/NAME.html` is taken before the shared one, which is below `templates/sessions`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from benchmark.core.events import Event, EventBody, TurnGranted
from webapp.pages.plans import PlanPages

ROOMS = "webapp.suites"


@dataclass(frozen=True)
class Panel:
    """A tab of a session page.

    context: what its template needs, from a reading of the session and a traveller's name. refresh: the types of the
    events that change what it shows. before: the name of the shared panel that an own one stands before. for_suite:
    whether sessions of the benchmark of this name have it; applies_to: whether a session has it. by_traveller:
    whether it shows each traveller something else.
    """

    name: str
    label: Promise
    context: Callable[[Any, str], dict[str, Any]]
    refresh: str
    before: str = ""
    for_suite: Callable[[str], bool] = lambda suite: True
    applies_to: Callable[[Any], bool] = lambda session: True
    by_traveller: bool = False


@dataclass(frozen=True)
class Mark:
    """Events worth jumping to.

    before: the name of the shared kind that an own one stands before. letter: the key that goes to the next of them.
    """

    name: str
    label: Promise
    applies_to: Callable[[EventBody], bool]
    before: str = ""
    letter: str = ""


@dataclass(frozen=True)
class Card:
    """One thing that a tool returned, for a reader: what it is called, and its facts."""

    title: str
    facts: Sequence[str]


@dataclass(frozen=True)
class ComparedRow:
    """A line of two sessions side by side: what each has there, a text an item. note: of the difference.

    changes: for either side, what has become of items that the other has in another way, by their places in it.
    """

    label: str
    left: Sequence[str]
    right: Sequence[str]
    note: str = ""
    changes: tuple[Mapping[int, str], Mapping[int, str]] = ({}, {})

    @property
    def differs(self) -> bool:
        return list(self.left) != list(self.right)

    @property
    def sides(self) -> tuple[list[ComparedItem], list[ComparedItem]]:
        """The items of either side."""
        first, second = self.changes
        return _mark_items(self.left, self.right, first), _mark_items(self.right, self.left, second)


class ComparedItem(NamedTuple):
    """One item of a side. is_alone: the other side has it in no way. change: how the other side has it otherwise."""

    text: str
    is_alone: bool
    change: str


def _mark_items(own: Sequence[str], other: Sequence[str], changed: Mapping[int, str]) -> list[ComparedItem]:
    left = Counter(other)
    items = []
    for place, item in enumerate(own):
        change = changed.get(place, "")
        items.append(ComparedItem(item, left[item] <= 0 and not change, change))
        left[item] -= 1
    return items


@dataclass(frozen=True)
class ComparedPart:
    """One part of two sessions side by side. name: in addresses."""

    name: str
    title: str
    rows: Sequence[ComparedRow]

    @property
    def alike(self) -> int:
        """Rows that do not differ."""
        return sum(not row.differs for row in self.rows)


@dataclass(frozen=True)
class ReportWords:
    """What the reports of a benchmark say beside the words that all have, or in their place.

    titles: of a part, its heading and what it shows. columns: their heads. axes: their titles by part and column, and
    of a column with all figures by part and figure. values: of names in columns, by column. notes: sentences. means:
    what each mean of several metrics is. counterparts: what `Table 1` beside a heading refers to. colours: CSS
    variables of names that charts tell apart, by column; under "" that of charts that tell none apart.
    """

    titles: Mapping[str, tuple[Promise, Promise]] = field(default_factory=dict)
    columns: Mapping[str, Promise] = field(default_factory=dict)
    axes: Mapping[tuple[str, str], Promise] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Promise]] = field(default_factory=dict)
    notes: Mapping[str, Promise] = field(default_factory=dict)
    means: Mapping[str, Promise] = field(default_factory=dict)
    counterparts: Promise | str = ""
    colours: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class WordCheck:
    """What a benchmark says of words before they are sent.

    refusal: why they can't be sent, "" where they can. revelations: what of the speaker's own they tell unasked.
    agreements: what they give up in words alone, as `turn.html` shows it; whoever speaks is asked whether it is given
    up indeed.
    """

    refusal: str = ""
    revelations: Sequence[str] = ()
    agreements: Sequence[Any] = ()


@dataclass(frozen=True)
class SeatPage:
    """What a traveller's seat shows of a benchmark. Each is given the seat's own `ViewFold`, which holds no more.

    places is what `Scoring.world` made of the session's world, None without one.

    card, turn: what `templates/suites/NAME/seat/card.html` and `turn.html` need; `turn` only at their turn. check: of
    words, and compose: words as they are sent, both with what the form chose beside them (`turn.html` holds the
    fields); ValueError says what is wrong. words: of what was composed, what is said. ending_context: what
    `ended.html` needs, from a reading of the session, the seat's name, the page's language and `places`. wishes: the
    form in which people bring their own wishes (`benchmark.core` gives the event by its `body`). agent: what the
    agent's seat shows. group: several speak, so words are addressed to somebody, and a turn can be passed. What is
    read first is in `seat/invited.html`, `about.html` and `guide.html`, where the shared texts, which are for groups,
    do not fit.
    """

    card: Callable[[Any, str, Any], dict[str, Any]] = lambda fold, language, places: {}
    turn: Callable[[Any, str], dict[str, Any]] = lambda fold, language: {}
    check: Callable[[Any, str, Mapping[str, str], str], WordCheck] = lambda fold, text, chosen, language: (
        WordCheck()
    )
    compose: Callable[[Any, str, Mapping[str, str]], str] = lambda fold, text, chosen: text
    ending_context: Callable[[Any, str, str, Any], dict[str, Any]] = lambda reading, seat, language, places: {}
    words: Callable[[str], str] = lambda text: text
    wishes: Callable[..., Any] | None = None
    agent: AgentPage = field(default_factory=lambda: AgentPage())  # noqa: PLW0108
    group: bool = True


@dataclass(frozen=True)
class FoundThing:
    """One thing that a tool returned, for a person in the agent's seat.

    uses: what fields of forms can be filled with, by kind (`name`, `location`, `id`). plan: the fields of the form
    that takes it into the plan, none where it is nothing that a plan holds.
    """

    card: Card
    uses: Mapping[str, str] = field(default_factory=dict)
    plan: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Desk:
    """What a person in the agent's seat works with beside the chat.

    fold: the seat's own `ViewFold`. log: of the session, by which rules check a plan; nothing of it is shown. draft:
    of the plan, as it is kept. yours: whether it is their turn, and nothing of theirs waits to be read.
    """

    session: Any
    fold: Any
    log: Sequence[Event]
    language: str
    draft: Any
    yours: bool


@dataclass(frozen=True)
class DeskResult:
    """What came of something done at the desk.

    context: more for its template. send: words for the session, "" for none. draft: the plan as it is kept from now
    on, None where it stays.
    """

    context: Mapping[str, Any] = field(default_factory=dict)
    send: str = ""
    draft: Any = None


@dataclass(frozen=True)
class DeskPart:
    """A tab of the desk.

    context: what its template needs, from the desk and what the address asks for. act: on what a form of it sent.
    template: a shared one, "" for `templates/suites/NAME/seat/agent/PART.html`.
    """

    name: str
    label: Promise
    context: Callable[[Desk, Mapping[str, str]], dict[str, Any]]
    act: Callable[[Desk, Any], DeskResult]
    template: str = ""


@dataclass(frozen=True)
class AgentPage:
    """What the agent's seat shows of a benchmark to a person who has it.

    turn: what `templates/suites/NAME/seat/agent/turn.html` needs at their turn, from their own `ViewFold`; without
    that template a shared one needs nothing. Its `asks` names the part of the desk that the turn is for, `words`
    where it is for the composer. why_not: why words of the composer can't be sent in this turn, "" where they can.
    cities: names that forms complete, from the task's definition. field_values: values that forms of tools begin
    with, by argument, from the `ViewFold`. things_in: of a tool's result, as it was parsed from JSON. parts: one of
    the name `plan` stands in place of the shared one of `Pages.plans`.
    """

    turn: Callable[[Any, str], dict[str, Any]] = lambda fold, language: {"asks": "words"}
    why_not: Callable[[Any], str] = lambda fold: ""
    cities: Callable[[Any], Sequence[str]] = lambda definition: ()
    field_values: Callable[[Any], Mapping[str, str]] = lambda fold: {}
    things_in: Callable[[Any], Sequence[FoundThing]] = lambda result: ()
    parts: Sequence[DeskPart] = ()


@dataclass(frozen=True)
class TaskEditor:
    """How tasks of a benchmark are made and changed in a form.

    form: of a task's definition (None for an empty one), of what was sent (None before) and, by `new`, whether the
    task is a new one, whose id is chosen. It is a Django form, with `definition()` for what it holds, right or wrong,
    and `reshaped(do)` for the same with a part more or less.
    check_context: what `templates/suites/NAME/editor/checked.html` needs, from that definition. Its fields are in
    `templates/suites/NAME/editor/fields.html`. review: what else is wrong with a task over a world that has its
    cities, as places and sentences.
    """

    form: Callable[..., Any]
    check_context: Callable[[Mapping[str, Any]], dict[str, Any]]
    review: Callable[[Any, Any], Sequence[tuple[str, str]]] = lambda task, pack: ()


@dataclass(frozen=True)
class SynthesisPage:
    """What the pages of tasks that are made here show of a benchmark that makes some.

    words: of a remark of a preview or a report. place: what `templates/suites/NAME/synthesis/task.html` needs of a
    place of a `Sample`; report: what `report.html` there needs of the report of a set.
    """

    words: Callable[[Mapping[str, Any]], str] = lambda remark: ""
    place: Callable[[Mapping[str, Any]], dict[str, Any]] = lambda place: {}
    report: Callable[[Mapping[str, Any]], dict[str, Any]] = lambda report: {}


@dataclass(frozen=True)
class LabelPage:
    """What annotators see of a benchmark: nothing that tells who made it, and no verdict.

    task: what `templates/suites/NAME/labelled/task.html` needs, from the task's definition; None where a task is
    shown by its opening messages. plans: what `labelled/plans.html` there needs of one or two sessions, from
    their readings, with what only one of them has marked: under `sides` something of each, and whatever it puts
    side by side. Without it plans are shown as `Pages.plans` has them, else the agent's words. ticks: what the
    scorer finds met and missed in the plan of a reading, as lines; `plans` shows it where it is asked to. None where
    the benchmark has no such rules. profile: what the simulated user of a task was told of itself, from the task's
    definition, "" for nothing; None where tasks have no profiles.
    """

    task: Callable[[Any], dict[str, Any]] | None = None
    plans: Callable[[Sequence[Any], bool], dict[str, Any]] | None = None
    ticks: Callable[[Any], list[str]] | None = None
    profile: Callable[[Any], str] | None = None


@dataclass(frozen=True)
class UserWords:
    """What forms call those who talk with the agent.

    all: the choice of who plays them; model: of what they speak through. each: the choice for one of them, as, where
    it is not made, `same` says; `none` where the tasks leave no such choice.
    """

    all: Promise
    model: Promise
    each: Promise
    same: Promise
    none: Promise


TRAVELLERS = UserWords(
    _("Travellers"),
    _("Their model"),
    each=_("Choose each traveller"),
    same=_("like the others"),
    none=_("These tasks have no traveller name in common."),
)


def round_of(turn: TurnGranted) -> tuple[str, str]:
    """The section of a turn where a benchmark has no other ones than its rounds."""
    return str(turn.round), str(turn.round + 1)


@dataclass(frozen=True)
class Pages:
    """What one benchmark brings.

    panels, marks: beside the shared ones, or in place of the one with the same name.
    section: of the outline, which a turn belongs to, as a key and a label; None for the section before it.
    standing: what goes on in a session, from its state, in a line; "" for the shared words.
    endings: how a session ended, by the reasons that are the benchmark's own.
    issues: kinds of what is wrong with a plan, by the types that its scoring counts.
    title: what a task is called in lists, from its row; "" where it is called by cities, days and travellers.
    task: what `templates/suites/NAME/task.html` needs beside `task` and `definition`, which is its argument.
    report: words of its reports. statistics: words of the statistics of its tasks. averages: a sentence on its
    averages over tasks, for the page of a run. crashes: what a session that crashed counts as, in a sentence.
    users: what those who talk with the agent are called.
    outcome: what `templates/suites/NAME/outcome.html` needs of a session that has ended, None where it shows nothing.
    cards: of a tool's result, as it was parsed from JSON; none where its text is shown.
    compare: what differs between two sessions, from their readings, beside scores and messages.
    good: when a figure is a good one, in a sentence or two for a first reader.
    seat: the page of a traveller's seat. label_page: what annotators see. editor: of tasks, None where they come from
    files alone. synthesis: of tasks that are made here.
    tally: a line of what a scored file held, and warnings; from the tally of `Scoring.file` and the catalogue's path.
    plans: of a benchmark whose `plans` tell how its plans are read; with it come panels of the plan, its map and its
    versions, plans side by side, those that annotators see, and a tab of the agent's desk. Own ones with the same
    name stand in their place.
    """

    panels: Sequence[Panel] = ()
    marks: Sequence[Mark] = ()
    section: Callable[[Any], tuple[str, str] | None] = round_of
    standing: Callable[[Any], str] = lambda state: ""
    endings: Mapping[str, Promise] = field(default_factory=dict)
    issues: Mapping[str, Promise] = field(default_factory=dict)
    title: Callable[[Any], str] = lambda task: ""
    task: Callable[[Any], dict[str, Any]] = lambda definition: {}
    report: ReportWords = field(default_factory=ReportWords)
    statistics: ReportWords = field(default_factory=ReportWords)
    averages: Promise | str = ""
    crashes: Promise | str = ""
    users: UserWords = TRAVELLERS
    cards: Callable[[Any], Sequence[Card]] = lambda result: ()
    outcome: Callable[[Any], dict[str, Any] | None] = lambda reading: None
    compare: Callable[[Any, Any], Sequence[ComparedPart]] = lambda first, second: ()
    good: Promise | str = ""
    tally: Callable[[Any, Path], tuple[str, Sequence[str]]] = lambda tally, catalogue: ("", ())
    seat: SeatPage = field(default_factory=SeatPage)
    label_page: LabelPage = field(default_factory=LabelPage)
    editor: TaskEditor | None = None
    synthesis: SynthesisPage = field(default_factory=SynthesisPage)
    plans: PlanPages | None = None


@cache
def pages_of(suite: str) -> Pages:
    """What the benchmark of this name brings; the defaults for one without a room."""
    if find_spec(f"{ROOMS}.{suite}") is None:
        return Pages()
    pages: Pages = import_module(f"{ROOMS}.{suite}.pages").PAGES
    return pages


def tag_libraries() -> dict[str, str]:
    """The modules of the rooms' filters, by the names by which templates load them."""
    names = (file.parent.name for file in Path(__file__).parents[1].glob("suites/*/tags.py"))
    return {name: f"{ROOMS}.{name}.tags" for name in names}


Part = TypeVar("Part", Panel, Mark)


def place_parts(shared: Sequence[Part], own: Sequence[Part]) -> list[Part]:
    """The shared parts with a benchmark's own ones among them; own ones that stand before none come last."""
    by_name = {part.name: part for part in own}
    parts: list[Part] = []
    for part in shared:
        parts += [other for other in own if other.before == part.name]
        parts.append(by_name.get(part.name, part))
    parts += [part for part in own if part not in parts]
    return parts
