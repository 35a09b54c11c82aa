"""What of an item may leave the server: its task and one or two plans, rendered alike, without their authors.

Nothing here names a session, an event, an agent or a model, nor what scores say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from benchmark.core.events import Event, MessagePosted
from benchmark.core.view import AGENT
from benchmark.labelling.blinding import Blind, blind_for
from webapp.endpoints.models import ModelEndpoint
from webapp.labelling.models import Kind, LabelItem, LabelStudy
from webapp.pages import pages_of
from webapp.sessions.log import FORGETTING, whole_log
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading

KEPT = 64
"""Sessions whose blinded logs, and items whose pages, a process keeps: several annotators see them soon after."""

UNSHOWABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What pages may trip over in a record of another program."""

_pages: dict[Any, SafeString] = {}


class Said(NamedTuple):
    """One message of the conversation."""

    who: str
    words: str


class Side(NamedTuple):
    """One session as it is shown. letter: A or B, "" where there is one alone. chat: None where it is not shown."""

    letter: str
    part: Any
    chat: list[Said] | None


class ShownItem(NamedTuple):
    """What the templates of an item need.

    task, plans: what the benchmark's templates need. sides: from left to right, none for a task alone.
    """

    task: dict[str, Any]
    task_template: str
    plans: dict[str, Any]
    plans_template: str
    sides: list[Side]
    users: list[str]

    @property
    def talks(self) -> bool:
        """Whether the conversations are shown."""
        return any(side.chat is not None for side in self.sides)


def shown_item(item: LabelItem, *, swapped: bool = False, blind: bool = True) -> ShownItem:
    """An item as an annotator sees it in the page's language.

    blind: names and dress of authors are masked; researchers may see it without.
    """
    page = pages_of(item.study.suite).labelled
    names = names_of(item) if blind else None
    sessions = [session for session in (item.left, item.right) if session is not None]
    readings = [_reading(session, names) for session in (sessions[::-1] if swapped else sessions)]
    plans = page.plans(readings) if page.plans else {"sides": list(map(_last_words, readings))}
    letters = ("A", "B") if len(readings) > 1 else ("",)
    definition, own = item.task.parsed, f"suites/{item.study.suite}/labelled"
    return ShownItem(
        task=page.task(definition) if page.task else _opening(readings),
        task_template=f"{own}/task.html" if page.task else "labelling/task.html",
        plans=plans,
        plans_template=f"{own}/plans.html" if page.plans else "labelling/words.html",
        sides=[
            Side(letter, part, _chat(reading, item.study))
            for letter, part, reading in zip(letters, plans["sides"], readings, strict=False)
        ],
        users=list(definition.users),
    )


def item_html(item: LabelItem, *, swapped: bool) -> SafeString:
    """The task and the plans of an item as annotators see them, in the page's language.

    Kept by a process while it is fresh: all annotators of an item see it in one of two orders.
    """
    study = item.study
    sessions = tuple((one.pk, one.last_seq) for one in (item.left, item.right) if one is not None)
    key = (item.pk, swapped, study.version, study.show_chat, sessions, names_of(item), get_language())
    if (found := _pages.get(key)) is None:
        context = {"shown": shown_item(item, swapped=swapped, blind=study.blind)}
        found = mark_safe(render_to_string("labelling/plans.html", context))  # a template's own
        while len(_pages) >= KEPT:
            _pages.pop(next(iter(_pages), None), None)
        _pages[key] = found
    return found


def why_unshowable(item: LabelItem) -> str:
    """What an item's page trips over, "" for nothing. item: need not be stored."""
    try:
        shown = shown_item(item, blind=item.study.blind)
        render_to_string("labelling/plans.html", {"shown": shown}).encode()
    except UNSHOWABLE as error:
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def language() -> str:
    """`zh` or `en`: what the page is in."""
    return "zh" if (get_language() or "").startswith("zh") else "en"


def names_of(item: LabelItem) -> frozenset[str]:
    """Who may not be named: the item's agents and models, and every model that this installation knows."""
    names = {item.left_agent, item.right_agent}
    for session in (item.left, item.right):
        if session is not None:
            names |= {session.agent}
    for name, model in ModelEndpoint.objects.values_list("name", "model"):
        names |= {name, model}
    return frozenset(names - {""})


def _last_words(reading: Reading) -> str:
    """What the agent said last, where the benchmark shows no plan of its own."""
    return next((body.content for body in reversed(_said(reading)) if body.role == AGENT), "")


def _opening(readings: list[Reading]) -> dict[str, Any]:
    """What was asked for, as the opening messages have it, where the benchmark tells no more."""
    said = _said(readings[0]) if readings else []
    return {"asked": [Said(body.role, body.content) for body in said if body.opening]}


def _said(reading: Reading) -> list[MessagePosted]:
    return [event.body for event in reading.events if isinstance(event.body, MessagePosted)]


def _chat(reading: Reading, study: LabelStudy) -> list[Said] | None:
    if not study.show_chat and study.kind != Kind.RUBRIC:
        return None
    return [Said(body.role, body.content) for body in _said(reading)]


# --- logs without names


def _reading(session: Session, names: frozenset[str] | None) -> Reading:
    return Reading(session, _shown_log(session.pk, session.suite, session.last_seq, names, language()))


@lru_cache(maxsize=KEPT)
def _shown_log(
    session_id: str, suite: str, last_seq: int, names: frozenset[str] | None, in_language: str
) -> list[Event]:
    """A log whose messages hold no plans, masked where names are given. Kept: what has ended changes no more.

    in_language: some words about plans are the page's.
    """
    said = pages_of(suite).labelled.said
    blind = None if names is None else blind_for(names)
    return [_shown(event, said, blind) for event in whole_log(session_id)[:last_seq]]


FORGETTING.extend((_shown_log.cache_clear, _pages.clear))


def _shown(event: Event, said: Callable[[str], str], blind: Blind | None) -> Event:
    body = event.body
    if isinstance(body, MessagePosted):
        words = said(body.content)
        if blind is not None:
            words = blind.words(words) if body.role == AGENT else blind.names_masked(words)
        return replace(event, body=body.model_copy(update={"content": words}))
    if blind is not None and isinstance(plan := getattr(body, "plan", None), dict):
        return replace(event, body=body.model_copy(update={"plan": blind.fields(plan)}))
    return event
