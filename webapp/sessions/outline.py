"""The outline of a session: its parts, and the events worth jumping to."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.events import ErrorRaised, MessagePosted, ToolReturned, TurnGranted
from webapp.sessions.reading import Reading
from webapp.suites import MarkKind, pages_of, placed

SHOWN = 12
_MARKS = (
    MarkKind("tool_error", gettext_lazy("Tool error"), lambda b: isinstance(b, ToolReturned) and b.error),
    MarkKind("error", gettext_lazy("Error"), lambda b: isinstance(b, ErrorRaised)),
)


@dataclass
class Section:
    """A round, or another part. seq: where it begins; messages: said in it."""

    key: str
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


def sections(reading: Reading) -> list[Section]:
    """The parts of a session in order."""
    section_of = pages_of(reading.session.suite).section
    found = [Section("opening", _("Opening"), 1)]
    for event in reading.events:
        if isinstance(event.body, TurnGranted):
            named = section_of(event.body)
            if named is not None and named[0] != found[-1].key:
                found.append(Section(*named, event.seq))
        elif isinstance(event.body, MessagePosted):
            found[-1].messages += 1
    return found


def marks(reading: Reading) -> list[Mark]:
    """The kinds of events worth jumping to, with their numbers."""
    return [
        Mark(str(kind.label), [event.seq for event in reading.events if kind.wanted(event.body)])
        for kind in placed(_MARKS, pages_of(reading.session.suite).marks)
    ]
