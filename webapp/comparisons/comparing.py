"""All that is told of two to four sessions side by side, each part worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from benchmark.metrics import summary_metrics
from benchmark.suites import metrics_of, suite_named
from webapp.comparisons import calls, conversation, plans
from webapp.comparisons.conditions import PromptsLink, compare_conditions, prompts_links
from webapp.pages import ComparedPart, ComparedRow, pages_of
from webapp.plans.reading import has_plans
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading
from webapp.sessions.selectors import values_in
from webapp.wording.metrics import change_words, session_head, shown_values

LETTERS = "ABCD"


@dataclass(frozen=True, slots=True)
class Side:
    """A session in its column. hue: of its colour, from 1."""

    letter: str
    hue: int
    session: Session


@dataclass(frozen=True)
class Comparison:
    """Sessions of one benchmark; the first one is the base. readings: of their whole logs."""

    readings: Sequence[Reading]

    @property
    def sessions(self) -> list[Session]:
        return [reading.session for reading in self.readings]

    @property
    def suite(self) -> str:
        return self.readings[0].session.suite

    @property
    def sides(self) -> list[Side]:
        """The sessions with their letters."""
        return [Side(LETTERS[place], place + 1, one) for place, one in enumerate(self.sessions)]

    @property
    def has_tools(self) -> bool:
        return suite_named(self.suite).play.has_tools

    @property
    def has_plans(self) -> bool:
        return has_plans(self.suite)

    @property
    def same_task(self) -> bool:
        return len({session.task_id for session in self.sessions}) == 1

    @cached_property
    def notes(self) -> list[str]:
        """What a reader should know of these sessions first."""
        notes = [
            _("Session %(id)s has not ended yet: what it says and does later is missing here.")
            % {"id": session.pk}
            for session in self.sessions
            if not session.ended
        ]
        if not self.same_task:
            notes.append(
                _("These sessions have different tasks, so most of what differs comes from the task.")
            )
        return notes

    @cached_property
    def conditions(self) -> list[ComparedRow]:
        """What they were played under, a row each that any of them has."""
        return compare_conditions(self.readings)

    @cached_property
    def unlike_conditions(self) -> list[ComparedRow]:
        return [row for row in self.conditions if row.differs]

    @cached_property
    def like_conditions(self) -> list[ComparedRow]:
        return [row for row in self.conditions if not row.differs]

    @property
    def prompts_links(self) -> list[PromptsLink]:
        """Where other words were told, these stand line by line there."""
        return prompts_links(self.sessions)

    @cached_property
    def figures(self) -> list[ComparedRow]:
        """Those of summaries, and those that differ, with what each session has more or less than the first."""
        return [row for row, in_summary in self._all_figures if in_summary or row.differs]

    @cached_property
    def like_figures(self) -> list[ComparedRow]:
        """The others."""
        return [row for row, in_summary in self._all_figures if not in_summary and not row.differs]

    @cached_property
    def _all_figures(self) -> list[tuple[ComparedRow, bool]]:
        """The metrics of the rules, each with whether summaries have it."""
        values = [values_in(reading.score) for reading in self.readings]
        declared = metrics_of(self.suite)
        shown = [{one.metric.key: one for one in shown_values(declared, own)} for own in values]
        summary = {metric.key for metric in summary_metrics(declared)}
        rows = []
        # a metric that only some tasks have may be shown for some of the sessions alone
        for metric in (metric for metric in declared if any(metric.key in own for own in shown)):
            key = metric.key
            items = [[own[key].value] if key in own else [] for own in shown]
            changes = [
                change_words(metric, own[key] - values[0][key])
                if key in own and key in values[0] and side[key].number and own[key] != values[0][key]
                else ""
                for own, side in zip(values, shown, strict=True)
            ]
            rows.append((ComparedRow(session_head(metric).label, items, changes), key in summary))
        return rows

    @cached_property
    def parts(self) -> list[ComparedPart]:
        """What the benchmark itself compares."""
        return [part for part in pages_of(self.suite).session.compare(self.readings) if part.rows]

    @cached_property
    def conversations(self) -> conversation.Conversations:
        return conversation.align_readings(self.readings)

    @cached_property
    def calls(self) -> calls.ToolCalls:
        return calls.align_readings(self.readings)

    @cached_property
    def plans(self) -> plans.Plans:
        return plans.align_readings(self.readings)
