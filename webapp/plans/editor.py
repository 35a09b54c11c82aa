"""The tab of the agent's desk where a person writes a plan as JSON: checked as it is written, shown, and posted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.setting import Setting, open_nothing
from benchmark.suites import suite_named
from benchmark.suites.base import Plans
from webapp.pages import Desk, DeskPart, DeskResult, pages_of
from webapp.pages.plans import PlanPages, Sentence
from webapp.plans.days import day_plans
from webapp.plans.mapping import pack_of, places_of
from webapp.plans.sentences import merge_sentences, sentences_elsewhere
from webapp.plans.text import message_with, read_plan, shape_faults
from webapp.sessions.setting import setting_of


def context(desk: Desk, _asked: Mapping[str, str]) -> dict[str, Any]:
    """The draft as JSON, day by day, with what is wrong with it as far as whoever writes it may know."""
    plan = desk.draft if isinstance(desk.draft, dict) else None
    lines = _faults(desk, plan) if plan is not None else []
    view = _plans(desk).view(plan or {}, _setting(desk))
    days = day_plans(view, _users(desk), lines)
    return {
        "begun": plan is not None,
        "days": days,
        "elsewhere": sentences_elsewhere(days, lines),
        "faults": len(lines),
        "checked": _plans(desk).check is not None,
        "users": _users(desk),
        "raw": "" if plan is None else json.dumps(plan, ensure_ascii=False, indent=1),
        "schema": json.dumps(_plans(desk).schema, ensure_ascii=False, indent=1),
        "may_post": _may_post(desk),
        "words": _("Here is our plan."),
        "adds": _pages(desk).add is not None,
    }


def _setting(desk: Desk) -> Setting[Any, Any]:
    """Without the world: what is written here is shown on no map. A check gets one with it."""
    return replace(setting_of(desk.session, desk.log[0].body), open_pack=open_nothing)


def _plans(desk: Desk) -> Plans[Any, Any]:
    plans = suite_named(desk.session.suite).plans
    assert plans is not None
    return plans


def _pages(desk: Desk) -> PlanPages:
    pages = pages_of(desk.session.suite).plans
    assert pages is not None
    return pages


def _users(desk: Desk) -> list[str]:
    return list(desk.fold.opening.users)


def _faults(desk: Desk, plan: dict[str, Any]) -> list[Sentence]:
    """Of its shape; of a plan that is of the schema, what the benchmark's own check finds, which may tell both."""
    plans, pages = _plans(desk), _pages(desk)
    faults = [] if plans.checks_shape else list(shape_faults(plan, plans.schema))
    if faults or plans.check is None:
        return faults
    setting = setting_of(desk.session, desk.log[0].body, places_of(desk.session))
    findings = plans.check(plan, replace(setting, open_pack=lambda: pack_of(desk.session)))
    return merge_sentences(map(pages.words, findings.marks))


def _may_post(desk: Desk) -> bool:
    return desk.yours and not pages_of(desk.session.suite).seat.agent.why_not(desk.fold)


def act(desk: Desk, given: Any) -> DeskResult:
    """Keep what is written, add something to it, or post it.

    Raises:
        ValueError: it is no plan, or can't be posted; the words say why.
    """
    raw, add = str(given.get("raw", "")), _pages(desk).add
    if given.get("add") and add is not None:
        draft = read_plan(raw) if raw.strip() else None
        draft, added = add(draft, {name: str(value) for name, value in given.items()}, _setting(desk))
        return DeskResult({"added": added}, draft=read_plan(json.dumps(draft, ensure_ascii=False)))
    plan = read_plan(raw)
    verb, _colon, sure = str(given.get("do", "")).partition(":")
    if verb != "post":
        return DeskResult(draft=plan)
    if not _may_post(desk):
        raise ValueError(_("The plan can be posted when it is your turn to speak."))
    words, plans = str(given.get("words", "")).strip(), _plans(desk)
    message = message_with(words, plan, lambda text: plans.find(text, None))
    if not sure and _faults(desk, plan):
        unsure = _("Something is wrong with the plan: see above.")
        return DeskResult({"unsure": unsure, "words": words}, draft=plan)
    return DeskResult(send=message, draft=plan)


PART = DeskPart("plan", gettext_lazy("Plan"), context, act, template="plans/editor.html")
