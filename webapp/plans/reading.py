"""The plan of a session at a moment, as its benchmark reads it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from benchmark.core.events import MessagePosted, PlanProposed
from benchmark.core.setting import AnySetting, open_nothing
from benchmark.plans.view import Mark, PlanView
from benchmark.suites import suite_named
from benchmark.suites.base import Plans
from webapp.pages import pages_of
from webapp.pages.plans import PlanPages, Sentence
from webapp.plans.mapping import pack_of
from webapp.plans.sentences import merge_sentences
from webapp.sessions.reading import Reading
from webapp.sessions.setting import setting_of


def has_plans(suite: str) -> bool:
    """Whether pages can show the plans of the benchmark of this name."""
    return suite_named(suite).plans is not None and pages_of(suite).plans is not None


@dataclass(frozen=True)
class SessionPlan:
    """The plan of a session whose benchmark has plans (`has_plans`)."""

    reading: Reading

    @cached_property
    def plans(self) -> Plans[Any, Any]:
        plans = suite_named(self.reading.session.suite).plans
        assert plans is not None
        return plans

    @cached_property
    def pages(self) -> PlanPages:
        pages = pages_of(self.reading.session.suite).plans
        assert pages is not None
        return pages

    @cached_property
    def plan(self) -> dict[str, Any] | None:
        """The last one that was proposed, None before there is one."""
        bodies = (event.body for event in reversed(self.reading.events))
        return next((body.plan for body in bodies if isinstance(body, PlanProposed)), None)

    @cached_property
    def proposed_at(self) -> int | None:
        """The number of the message that holds the plan."""
        return proposed_at(self.reading)

    @cached_property
    def setting(self) -> AnySetting:
        """Without the world, which only those need who ask for points."""
        opening = self.reading.events[0].body
        return replace(setting_of(self.reading.session, opening), open_pack=open_nothing)

    @cached_property
    def view(self) -> PlanView | None:
        """Without points."""
        return self._view(self.setting)

    @cached_property
    def located_view(self) -> PlanView | None:
        """With the points of places, where the world is here."""
        return self._view(replace(self.setting, open_pack=lambda: pack_of(self.reading.session)))

    def _view(self, setting: AnySetting) -> PlanView | None:
        if self.plan is None:
            return None
        view = self.plans.view(self.plan, setting)
        return view._replace(costs=tuple(self.pages.costs(self.reading))) if self.pages.costs else view

    def view_of(self, plan: dict[str, Any]) -> PlanView:
        """Another plan of the session, such as one that was withdrawn."""
        return self.plans.view(plan, self.setting)

    @cached_property
    def sentences(self) -> list[Sentence]:
        """What the scores find in the plan, none before there are any."""
        marks = self.pages.marks(self.reading) if self.pages.marks else _scored_marks(self.reading)
        return merge_sentences(map(self.pages.words, marks))


def proposed_at(reading: Reading) -> int | None:
    """The number of the last message that holds a plan."""
    events = reversed(reading.events)
    return next((e.seq for e in events if isinstance(e.body, MessagePosted) and e.body.has_plan), None)


def _scored_marks(reading: Reading) -> list[Mark]:
    """Those of the profile that is shown first, then what only another one finds."""
    profiles = suite_named(reading.session.suite).scoring.profiles
    scores = {score.profile: score.figures.get("evidence", {}) for score in reading.session.scores.all()}
    marks: dict[str, Mark] = {}
    for profile in profiles:
        for stored in scores.get(profile, {}).get("marks", ()):
            name = "" if profile == next(iter(profiles)) else profile
            mark = Mark(tuple(stored["at"]), stored["key"], stored["params"], tuple(stored["who"]), name)
            marks.setdefault(repr(mark._replace(profile="")), mark)
    return list(marks.values())
