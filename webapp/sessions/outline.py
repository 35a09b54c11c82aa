"""The outline of a session: its rounds, and the events worth jumping to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.events import ErrorRaised, Event, EventBody, MessagePosted, ToolReturned
from benchmark.suites.grouptravel.events import CompromiseApplied, MarkerAttempted, TurnGranted

SHOWN = 12


@dataclass
class Section:
    """A round, a convergence or the end. seq: where it begins; messages: said in it."""

    key: tuple[str, int]
    label: str
    seq: int
    messages: int = 0


@dataclass
class Mark:
    """A kind of event with the numbers of those that happened."""

    label: str
    numbers: list[int] = field(default_factory=list)

    @property
    def shown(self) -> list[int]:
        """The first ones, as many as there is room for."""
        return self.numbers[:SHOWN]


def sections(events: Iterable[Event]) -> list[Section]:
    """The parts of a session in order; hidden turns belong to what they lead to, mentions to what they interrupt."""
    found = [Section(("opening", 0), _("Opening"), 1)]
    for event in events:
        if isinstance(event.body, TurnGranted):
            key = _key(event.body)
            if event.body.place != "preempt" and key != found[-1].key:
                found.append(Section(key, _label(key), event.seq))
        elif isinstance(event.body, MessagePosted):
            found[-1].messages += 1
    return found


def _key(turn: TurnGranted) -> tuple[str, int]:
    part = turn.leads_to or turn.place
    if part in ("checkpoint", "opening", "finish", "end"):
        return part, turn.round if part == "checkpoint" else 0
    return "lap", turn.round


def _label(key: tuple[str, int]) -> str:
    part, number = key
    if part == "lap":
        return str(number + 1)
    if part == "checkpoint":
        return _("%(round)s · summary") % {"round": number + 1}
    return {"opening": _("Opening"), "finish": _("After the plan")}.get(part, _("Final plan"))


_MARKS: tuple[tuple[Promise, Callable[[EventBody], bool]], ...] = (
    (gettext_lazy("Compromise"), lambda b: isinstance(b, CompromiseApplied)),
    (gettext_lazy("Refused offer"), lambda b: isinstance(b, MarkerAttempted) and b.verdict != "accepted"),
    (gettext_lazy("Tool error"), lambda b: isinstance(b, ToolReturned) and b.error),
    (gettext_lazy("Plan"), lambda b: isinstance(b, MessagePosted) and b.has_plan),
    (gettext_lazy("Error"), lambda b: isinstance(b, ErrorRaised)),
)


def marks(events: Iterable[Event]) -> list[Mark]:
    """The kinds of events worth jumping to, with their numbers."""
    found = [(Mark(str(label)), wanted) for label, wanted in _MARKS]
    for event in events:
        for mark, wanted in found:
            if wanted(event.body):
                mark.numbers.append(event.seq)
    return [mark for mark, _wanted in found]
