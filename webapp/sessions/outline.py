"""The outline of a session: its parts, and the events worth jumping to."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.events import ErrorRaised, MessagePosted, ToolReturned, TurnGranted
from benchmark.suites import suite_named
from webapp.pages import Mark, pages_of, place_parts
from webapp.sessions.reading import Reading

_TOOL_ERROR = Mark(
    "tool_error", gettext_lazy("Tool error"), lambda b: isinstance(b, ToolReturned) and b.error, letter="n"
)
_ERROR = Mark("error", gettext_lazy("Error"), lambda b: isinstance(b, ErrorRaised), letter="n")


def marks_of(suite: str) -> list[Mark]:
    """The kinds of events worth jumping to, the shared ones with a benchmark's own among them."""
    shared = [_TOOL_ERROR, _ERROR] if suite_named(suite).play.has_tools else [_ERROR]
    return place_parts(shared, pages_of(suite).session.marks)


@dataclass
class Section:
    """A round, or another part. seq: where it begins; messages: said in it."""

    key: str
    label: str
    seq: int
    messages: int = 0

    @property
    def title(self) -> str:
        """Its label where it stands alone."""
        return _("Round %(n)s") % {"n": self.label} if self.label[:1].isdigit() else self.label


def sections(reading: Reading) -> list[Section]:
    """The parts of a session in order."""
    section_of = pages_of(reading.session.suite).session.section
    outline = [Section("opening", _("Opening"), 1)]
    for event in reading.events:
        if isinstance(event.body, TurnGranted):
            named = section_of(event.body)
            if named is not None and named[0] != outline[-1].key:
                outline.append(Section(*named, event.seq))
        elif isinstance(event.body, MessagePosted):
            outline[-1].messages += 1
    return outline


def marks(reading: Reading) -> list[tuple[Promise, list[int]]]:
    """The label of each kind of events worth jumping to, with their numbers."""
    return [
        (kind.label, [event.seq for event in reading.events if kind.applies_to(event.body)])
        for kind in marks_of(reading.session.suite)
    ]
