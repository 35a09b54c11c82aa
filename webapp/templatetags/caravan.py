"""Template filters of every page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchmark.core.events import SHARED_BODIES, EventBody
from benchmark.metrics import Metric
from benchmark.suites import DEFAULT_SUITE, SUITES, metrics_of, suite_named
from benchmark.text.search_query import Field, field_piece
from webapp.catalogue.columns import (
    ShortColumn,
    level_label,
    search_hint,
    short_cells,
    short_columns,
    short_words,
    task_level,
    task_words,
)
from webapp.catalogue.wording import difficulty_words, place_kind_words, task_title
from webapp.endpoints import wording as models
from webapp.navigation import HOME, PLACES, NavigationPlace
from webapp.pages import Card, pages_of
from webapp.sessions.cast import colour_of, users_of
from webapp.sessions.models import Run, Session
from webapp.sessions.selectors import listed_values, sessions
from webapp.wording.endings import ending_words
from webapp.wording.lists import join_items
from webapp.wording.metrics import Head, ShownValue, listed_together, mean_digits, session_head, shown_values
from webapp.wording.models import call_words, draft_words, failure_words
from webapp.wording.numbers import amount_words, duration_words, number_words
from webapp.wording.options import option_line, option_meaning, telling_lines, usual_options
from webapp.wording.remarks import problem_words
from webapp.wording.results import argument_words, as_lines, readable
from webapp.wording.tools import error_kind_words, mode_words, source_words
from webapp.wording.worlds import world_words

register = template.Library()
SHOWN_SESSIONS = 20
LONGEST_SHOWN = 20_000
"""Characters of one text on a page."""
register.filter("ending", ending_words)
register.filter("colour_among", colour_of)
register.filter("joined", join_items)
register.filter("number", number_words)
register.filter("amount", amount_words)
register.filter(world_words)
register.filter("duration", duration_words)
for words in (
    *(as_lines, argument_words, difficulty_words, place_kind_words),
    *(task_title, task_words, task_level, short_cells, short_words, level_label),
    *(mode_words, source_words, error_kind_words, call_words, draft_words, failure_words, problem_words),
    *(models.capability_words, models.works_words, models.why_words, models.role_words, models.tokens_words),
    *(
        models.unknown_words,
        models.cost_words,
        models.unpriced_words,
        models.price_words,
        models.latency_words,
    ),
):
    register.filter(words)


@register.filter
def colour(name: str, session: Session) -> str:
    """The CSS class of a speaker."""
    return colour_of(name, users_of(session))


@register.filter
def is_at(path: str, address: str) -> bool:
    """Whether a page is the one of an address, or lies below it."""
    return path.startswith(address)


@register.simple_tag
def navigation_places() -> Sequence[NavigationPlace]:
    """Where the head of a researcher's pages leads, in its order."""
    return PLACES


@register.simple_tag
def keyed_places() -> Sequence[NavigationPlace]:
    """The same and the first page: all that a letter after `g` leads to."""
    return (HOME, *PLACES)


@register.simple_tag
def calls_search(tool: str, error: str, run: str = "") -> str:
    """The address of a search for all calls of a tool that ended in an error. tool, run: "" for all."""
    named: tuple[tuple[Field, str], ...] = (("tool", tool), ("error", error), ("run", run))
    query = " ".join(field_piece(field, value) for field, value in named if value)
    return f"{reverse('search')}?{urlencode({'q': query})}"


@register.filter
def bound_length(text: str) -> str:
    """A text as far as a page shows it, and how much more there is."""
    if len(text) <= LONGEST_SHOWN:
        return text
    more = _("… %(n)s more characters: download the session to read them.")
    return f"{text[:LONGEST_SHOWN]}\n{more % {'n': f'{len(text) - LONGEST_SHOWN:,}'}}"


_IN_MARKUP = {ord("<"): "\\u003C", ord("&"): "\\u0026"}


@register.filter
def json_data(value: Any, element_id: str) -> SafeString:
    """Data for a script, as a <template>: htmx leaves every <script> out of a part that it puts into a page."""
    told = json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False).translate(_IN_MARKUP)
    return SafeString(f'<template id="{element_id}">{told}</template>')


@register.filter
def clip_text(text: str, limit: int) -> dict[str, Any]:
    """A tool's result, made readable and cut to `limit` characters: {text, more}, more counting what is cut."""
    shown = readable(text)
    return {"text": shown[:limit], "more": max(0, len(shown) - limit)}


@register.simple_tag
def result_cards(text: str, suite: str) -> Sequence[Card]:
    """A tool's result as the cards that its benchmark makes of it; none for free text."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    return pages_of(suite).session.cards(result)


@register.simple_tag
def newest_sessions(**wanted: str) -> QuerySet[Session]:
    """The newest sessions of a task, over a cache or with an endpoint, as `sessions` takes them."""
    return sessions(**wanted)[:SHOWN_SESSIONS]


@register.filter
def columns_of(sessions: Iterable[Session]) -> list[Metric]:
    """The metrics that a list of these sessions shows: those of all their benchmarks."""
    return listed_together({session.suite: None for session in sessions} or [DEFAULT_SUITE])


@register.filter(name="option_lines")
def option_lines_of_run(run: Run) -> list[str]:
    """What was chosen for the sessions of a run, each option in a few words, as the pages of its sessions tell it."""
    return telling_lines(suite_named(run.suite).options, run.options)


@register.filter
def usual_option_lines(run: Run) -> list[tuple[str, str]]:
    """The same of the options that tables tell of each run, each with what it means."""
    options = run.options
    told = [option for option in usual_options(run.suite) if option.key in options]
    return [(option_line(each, options[each.key]), option_meaning(each, options[each.key])) for each in told]


@register.filter(name="short_columns")
def short_columns_of_suite(suite: str) -> list[ShortColumn]:
    """What short lists of sessions of a benchmark show of its tasks."""
    return short_columns([suite])


@register.filter
def short_columns_of(sessions: Iterable[Session]) -> list[ShortColumn]:
    """What a short list of these sessions shows of their tasks."""
    return short_columns({session.suite for session in sessions} or [DEFAULT_SUITE])


register.simple_tag(search_hint)


@register.filter
def head(metric: Metric) -> Head:
    """Over the values of a metric in a list of sessions."""
    return session_head(metric)


@register.filter
def making_query(suite: str) -> str:
    """The query that chooses a benchmark on the page of a new set of tasks; "" for one that makes none."""
    if suite not in SUITES or suite_named(suite).making.synthesis is None:
        return ""
    return f"?suite={suite}"


@register.filter
def has_users(suite: str) -> bool:
    """Whether anybody of a benchmark can talk with its agents."""
    return bool(suite_named(suite).play.cast().users)


@register.filter
def score_cells(session: Session, columns: Iterable[Metric]) -> list[ShownValue]:
    """The values of a session under these columns."""
    own = {cell.metric.key: cell for cell in shown_values(metrics_of(session.suite), listed_values(session))}
    return [own.get(metric.key) or ShownValue(metric, "–") for metric in columns]


@register.filter
def digits_of(metric: Metric, value: float | None) -> str:
    """A value of a metric as a number; a dash for none."""
    return mean_digits(metric, value)


@register.filter
def percent(share: float | None) -> str:
    """A share of 1 as per cent with one decimal; a dash for none."""
    return "–" if share is None else f"{share:.1%}"


@register.filter
def total_of(counts: dict[str, int]) -> int:
    """The sum of counts by name."""
    return sum(counts.values())


@register.filter
def own_fields(body: EventBody) -> str:
    """What the fields hold that the benchmark gave this kind of event, one a line."""
    shared = next((kind for kind in SHARED_BODIES if isinstance(body, kind)), EventBody)
    return as_lines(body.model_dump(mode="json", exclude=set(shared.model_fields)))


@register.filter
def all_fields(body: EventBody) -> str:
    """What all fields of an event hold but its kind, one a line."""
    return as_lines(body.model_dump(mode="json", exclude=set(EventBody.model_fields) | {"type"}))


@register.filter
def in_words(name: str) -> str:
    """A name of the log: `number_dealt` is number dealt."""
    return name.replace("_", " ")
