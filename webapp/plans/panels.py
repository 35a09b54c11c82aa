"""The panels of a session that its plans bring: day by day, on the map, and version by version."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _

from webapp.pages import Panel
from webapp.plans.days import DayPlan, day_plans
from webapp.plans.mapping import map_context, pack_of
from webapp.plans.reading import SessionPlan, has_plans
from webapp.plans.sentences import sentences_elsewhere
from webapp.plans.versions import plan_versions
from webapp.sessions.reading import Reading


def plan_context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The plan of the session at this moment; `days` is None before there is one."""
    shown = SessionPlan(reading)
    if shown.view is None:
        return {"days": None}
    days = day_plans(shown.view, reading.users, shown.sentences)
    if shown.pages.sources is not None:
        _add_sources(days, shown.pages.sources(reading), shown.proposed_at)
    return {
        "days": days,
        "elsewhere": sentences_elsewhere(days, shown.sentences),
        "costs": shown.view.costs,
        "cost_words": shown.pages.cost_words,
        "traced": shown.pages.sources is not None,
        "proposed_at": shown.proposed_at,
        "more": shown.pages.more,
        **shown.pages.more_context(reading, shown.sentences),
    }


def _add_sources(
    days: Iterable[DayPlan], find: Callable[[str, int | None], int | None], proposed: int | None
) -> None:
    """Note of each place the event that names it."""
    for day in days:
        day.stops = [
            replace(stop, source=find(stop.place, proposed)) if stop.place else stop for stop in day.stops
        ]


def map_panel_context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """The days and the map; `days` is None before there is a plan, `planned` where the world is not here."""
    shown, session = SessionPlan(reading), reading.session
    if shown.plan is None:
        return {"days": None}
    pack = pack_of(session)
    if pack is None or shown.located_view is None:
        return {"days": None, "planned": True}
    return map_context(shown.located_view, reading.users, pack, session.world.name if session.world else "")


def versions_context(reading: Reading, _traveller: str) -> dict[str, Any]:
    """What the agent withdrew and proposed, the first one first."""
    shown = SessionPlan(reading)
    return {"versions": plan_versions(reading.events, shown.plans.find, shown.view_of)}


PLAN_EVENTS = "plan_proposed session_finished"
PANELS = (
    Panel("plan", _("Plan"), plan_context, PLAN_EVENTS, before="scores", for_suite=has_plans),
    Panel("map", _("Map"), map_panel_context, PLAN_EVENTS, before="scores", for_suite=has_plans),
    Panel(
        "versions",
        _("Versions"),
        versions_context,
        f"draft_withdrawn {PLAN_EVENTS}",
        before="scores",
        for_suite=has_plans,
    ),
)
