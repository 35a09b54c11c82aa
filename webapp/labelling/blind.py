"""What of an item may leave the server: its task and one or two plans, or a message, without their authors.

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
from benchmark.labelling.answers import exchange_of
from benchmark.labelling.blinding import Blind, blind_for
from benchmark.labelling.messages import Fact, MessageRubric
from benchmark.suites import suite_named
from webapp.endpoints.models import ModelEndpoint
from webapp.labelling.models import Kind, LabelItem, LabelStudy
from webapp.pages import pages_of
from webapp.plans.messages import words_around_plan
from webapp.plans.pair import plans_of
from webapp.plans.reading import has_plans
from webapp.sessions.log import FORGETTING, whole_log
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading

CACHE_SIZE = 64
"""Sessions whose blinded logs, and items whose pages, a process keeps: several annotators see them soon after."""

UNSHOWABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What pages may trip over in a record of another program."""

_pages: dict[Any, SafeString] = {}


class ChatMessage(NamedTuple):
    """One message of the conversation."""

    who: str
    words: str


class Side(NamedTuple):
    """One session as it is shown. letter: A or B, "" where there is one alone. chat: None where it is not shown."""

    letter: str
    part: Any
    chat: list[ChatMessage] | None


class ShownMessage(NamedTuple):
    """A message that is rated. facts: what stands beside. earlier: what its speaker had said, or all had."""

    message: ChatMessage
    facts: list[Fact]
    earlier: list[ChatMessage]


class ShownItem(NamedTuple):
    """What the templates of an item need.

    task, plans: what the benchmark's templates need. sides: from left to right, none for a task alone. noun: `plan`
    or `words`, what the sides are. profile: of the user, "" where it is not shown. message: in place of the rest.
    """

    task: dict[str, Any]
    task_template: str
    plans: dict[str, Any]
    plans_template: str
    sides: list[Side]
    users: list[str]
    noun: str
    profile: str = ""
    message: ShownMessage | None = None

    @property
    def talks(self) -> bool:
        """Whether the conversations are shown."""
        return any(side.chat is not None for side in self.sides)


def shown_item(item: LabelItem, *, swapped: bool = False, blind: bool = True) -> ShownItem:
    """An item as an annotator sees it in the page's language.

    blind: names and dress of authors are masked; researchers may see it without.
    """
    names = names_of(item) if blind else None
    if (rubric := item.study.message_rubric) is not None:
        return _shown_message(item, rubric, names)
    page = pages_of(item.study.suite).label
    sessions = [session for session in (item.left, item.right) if session is not None]
    readings = [reading_of(session, names) for session in (sessions[::-1] if swapped else sessions)]
    plans, plans_template = _plans(item.study, readings)
    letters = ("A", "B") if len(readings) > 1 else ("",)
    definition, own = item.task.parsed_definition, f"suites/{item.study.suite}/labelled"
    return ShownItem(
        task=page.task(definition) if page.task else _opening(readings),
        task_template=f"{own}/task.html" if page.task else "labelling/task.html",
        plans=plans,
        plans_template=plans_template,
        sides=[
            Side(letter, part, chat_of(reading, item.study))
            for letter, part, reading in zip(letters, plans["sides"], readings, strict=False)
        ],
        users=list(definition.users),
        noun=suite_named(item.study.suite).rating.answer,
        profile=profile_in(item),
    )


def _shown_message(item: LabelItem, rubric: MessageRubric, names: frozenset[str] | None) -> ShownItem:
    """A message of a session, and nothing that was said after it.

    Raises:
        ValueError: the item is none, or its log has no such message.
    """
    if item.left is None or item.at is None:
        raise ValueError(f"{item} is no message")
    log = [event for event in reading_of(item.left, names).events if event.body.type in rubric.reads]
    facts = next((found.facts for found in rubric.messages(log) if found.at == item.at), None)
    said = [(event.seq, event.body) for event in log if isinstance(event.body, MessagePosted)]
    own = next((body for seq, body in said if seq == item.at), None)
    if facts is None or own is None:
        raise ValueError(f"{item} has no message {item.at}")
    earlier = [
        ChatMessage(body.role, body.content)
        for seq, body in said
        if seq < item.at and (item.study.show_chat or body.role == own.role)
    ]
    message = ShownMessage(ChatMessage(own.role, own.content), list(facts), earlier)
    return ShownItem({}, "", {}, "", [], [own.role], "words", message=message)


def item_html(item: LabelItem, *, swapped: bool) -> SafeString:
    """The task and the plans of an item as annotators see them, in the page's language.

    Kept by a process while it is fresh: all annotators of an item see it in one of two orders.
    """
    study = item.study
    sessions = tuple(
        (session.pk, session.last_seq) for session in (item.left, item.right) if session is not None
    )
    key = (item.pk, swapped, *_terms(study), sessions, names_of(item), get_language())
    if (page := _pages.get(key)) is None:
        context = {"shown": shown_item(item, swapped=swapped, blind=study.blind)}
        page = mark_safe(render_to_string("labelling/shown.html", context))  # a template's own
        while len(_pages) >= CACHE_SIZE:
            _pages.pop(next(iter(_pages), None), None)
        _pages[key] = page
    return page


def why_unshowable(item: LabelItem) -> str:
    """What an item's page trips over, "" for nothing. item: need not be stored."""
    try:
        shown = shown_item(item, blind=item.study.blind)
        render_to_string("labelling/shown.html", {"shown": shown}).encode()
    except UNSHOWABLE as error:
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def profile_in(item: LabelItem) -> str:
    """What the simulated user was told of itself, where the study shows it and there is any."""
    profile = pages_of(item.study.suite).label.profile
    return profile(item.task.parsed_definition) if item.study.show_profile and profile is not None else ""


def shows_ticks(study: LabelStudy) -> bool:
    """Whether annotators read what the scorer finds met and missed."""
    return study.show_ticks and pages_of(study.suite).label.ticks is not None


def _terms(study: LabelStudy) -> tuple[Any, ...]:
    """What changes an item's page."""
    return study.version, study.show_chat, study.show_ticks, study.show_profile


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


def _plans(study: LabelStudy, readings: list[Reading]) -> tuple[dict[str, Any], str]:
    """What is put side by side, and its template: the benchmark's own, the shared one of plans, or words."""
    own = pages_of(study.suite).label.plans
    if own is not None:
        return own(readings, study.show_ticks), f"suites/{study.suite}/labelled/plans.html"
    if has_plans(study.suite):
        return plans_of(readings), "plans/pair.html"
    return _in_words(study, readings), "labelling/words.html"


def _in_words(study: LabelStudy, readings: list[Reading]) -> dict[str, Any]:
    """What was said, where the benchmark shows no plan: all after the opening, or of a plan the last words."""
    exchanges = [exchange_of(_messages(reading)) for reading in readings]
    if suite_named(study.suite).rating.answer == "plan":
        exchanges = [exchange[-1:] for exchange in exchanges]
    return {"sides": [[ChatMessage(body.role, body.content) for body in exchange] for exchange in exchanges]}


def _opening(readings: list[Reading]) -> dict[str, Any]:
    """What was asked for, as the opening messages have it, where the benchmark tells no more."""
    said = _messages(readings[0]) if readings else []
    return {"asked": [ChatMessage(body.role, body.content) for body in said if body.opening]}


def _messages(reading: Reading) -> list[MessagePosted]:
    return [event.body for event in reading.events if isinstance(event.body, MessagePosted)]


def chat_of(reading: Reading, study: LabelStudy) -> list[ChatMessage] | None:
    """The whole conversation, where the study shows it and it is not the answer itself."""
    if suite_named(study.suite).rating.answer != "plan":
        return None
    if not study.show_chat and study.kind != Kind.RUBRIC:
        return None
    return [ChatMessage(body.role, body.content) for body in _messages(reading)]


# --- logs without names


def reading_of(session: Session, names: frozenset[str] | None) -> Reading:
    """A session in the page's language, masked where names are given."""
    return Reading(session, _shown_log(session.pk, session.suite, session.last_seq, names, language()))


@lru_cache(maxsize=CACHE_SIZE)
def _shown_log(
    session_id: str, suite: str, last_seq: int, names: frozenset[str] | None, in_language: str
) -> list[Event]:
    """A log whose messages hold no plans, masked where names are given. Kept: what has ended changes no more.

    in_language: some words about plans are the page's.
    """
    said = words_around_plan if has_plans(suite) else str
    blind = None if names is None else blind_for(names)
    return [_blind_event(event, said, blind) for event in whole_log(session_id)[:last_seq]]


FORGETTING.extend((_shown_log.cache_clear, _pages.clear))


def _blind_event(event: Event, said: Callable[[str], str], blind: Blind | None) -> Event:
    body = event.body
    if isinstance(body, MessagePosted):
        words = said(body.content)
        if blind is not None:
            words = blind.words(words) if body.role == AGENT else blind.names_masked(words)
        return replace(event, body=body.model_copy(update={"content": words}))
    if blind is not None and isinstance(plan := getattr(body, "plan", None), dict):
        return replace(event, body=body.model_copy(update={"plan": blind.fields(plan)}))
    return event
