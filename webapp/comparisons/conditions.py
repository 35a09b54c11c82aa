"""What sessions were played under, as their logs and rows tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from benchmark.core.events import ParticipantJoined, PromptSetChosen
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.models.setup import ModelSetup
from benchmark.reports.conditions import option_condition
from benchmark.suites import suite_named
from benchmark.suites.base import fill_options
from webapp.catalogue.wording import task_title
from webapp.pages import ComparedRow
from webapp.prompts.models import PromptSetVersion
from webapp.runs.cast import seats_in_words
from webapp.runs.conditions import SETUP_FIELDS, condition_name, condition_value_words
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading

_NAMES: Mapping[str, Promise] = {
    "task": gettext_lazy("task"),
    "language": gettext_lazy("language"),
    "agent_model": gettext_lazy("agent's model"),
    "user_model": gettext_lazy("users' model"),
    "simulator_model": gettext_lazy("model that simulates tools"),
    "prompt_set": gettext_lazy("set of prompts"),
    "seed": gettext_lazy("seed"),
    "profile": gettext_lazy("profile of the scores"),
    "fork": gettext_lazy("fork of"),
}
"""What is called otherwise of a session than of a run."""
SHIPPED_WORDS = gettext_lazy("as shipped")


@dataclass(frozen=True, slots=True)
class PromptsLink:
    """Where the sets of prompts of the base and of another session stand line by line. places: of both sessions."""

    places: tuple[int, int]
    href: str


def compare_conditions(readings: Sequence[Reading]) -> list[ComparedRow]:
    """A row a condition that any of the sessions has, models and their parameters first."""
    told = [dict(_conditions_of(reading)) for reading in readings]
    suite = readings[0].session.suite
    keys = dict.fromkeys(key for own in sorted(told, key=len, reverse=True) for key in own)
    rows = [
        ComparedRow(
            _name(key, suite),
            [[condition_value_words(key, own[key], suite)] if own.get(key) else [] for own in told],
        )
        for key in keys
    ]
    return [row for row in rows if any(row.items)]


def prompts_links(sessions: Sequence[Session]) -> list[PromptsLink]:
    """A link for each session whose set of prompts is another one than that of the first."""
    base = sessions[0]
    return [
        PromptsLink((0, place), _prompts_address(base, other))
        for place, other in enumerate(sessions)
        if other.prompt_set_id != base.prompt_set_id
    ]


def _prompts_address(base: Session, other: Session) -> str:
    sides = {"one": _set_name(base.prompt_set), "other": _set_name(other.prompt_set)}
    asked = urlencode({side: name for side, name in sides.items() if name})
    return f"{reverse('compare_prompts', args=[base.suite])}?{asked}"


def _set_name(version: PromptSetVersion | None) -> str:
    return "" if version is None else f"{version.prompt_set.name}@{version.number}"


def _name(key: str, suite: str) -> str:
    key, _dot, parameter = key.partition(".")
    name = str(_NAMES[key]) if key in _NAMES else condition_name(key, suite)
    return f"{name}: {parameter}" if parameter else name


def _conditions_of(reading: Reading) -> Iterator[tuple[str, str]]:
    """By key, in the order in which they are shown; a parameter of a model as `agent_model.temperature`."""
    session = reading.session
    bodies = [event.body for event in reading.events]
    joined = {body.seat: body for body in bodies if isinstance(body, ParticipantJoined)}
    yield "task", f"{session.task.task_id} · {task_title(session.task)}"
    yield "language", session.task.language
    yield "agent", session.agent
    yield from _model_conditions("agent_model", joined.get(AGENT))
    yield from _prompt_conditions(session, bodies)
    yield "users", session.users
    travellers = [body for seat, body in joined.items() if seat not in (AGENT, SIMULATOR)]
    yield from _model_conditions("user_model", next((body for body in travellers if body.model), None))
    apart = [
        (seat.name, seat.kind, seat.model.name if seat.model else None) for seat in session.seat_overrides
    ]
    yield "seats", seats_in_words(apart)
    yield from _model_conditions("simulator_model", joined.get(SIMULATOR))
    declared = suite_named(session.suite).options
    over_models = any(body.model for body in travellers)
    chosen = fill_options(declared, session.options)
    for option in declared:
        if over_models or not option.of_users:
            yield option_condition(option.key), str(chosen[option.key])
    yield "seed", str(session.seed)
    yield "world", session.world.name if session.world else ""
    yield "pack_hash", session.pack_hash
    yield "mode", session.mode if suite_named(session.suite).play.has_tools else ""
    yield "cache", session.cache.name if session.cache else ""
    versions = dict.fromkeys(f"{body.kind} {body.prompts}" for body in joined.values() if body.prompts)
    yield "prompts", ", ".join(versions)
    yield "profile", reading.score.profile if reading.score else ""
    yield "scoring", reading.score.code_version if reading.score else ""
    yield "commit", session.run.setup.get("commit", "") if session.run else ""
    yield "fork", f"{session.fork_of_id or '?'}#{session.fork_seq}" if session.fork_seq else ""


def _prompt_conditions(session: Session, bodies: Sequence[object]) -> Iterator[tuple[str, str]]:
    """The set as the log names it, which tells of sets as well that are not here."""
    chosen = [body for body in bodies if isinstance(body, PromptSetChosen)]
    if chosen:
        yield "prompt_set", f"{chosen[-1].name}@{chosen[-1].set_version} ({chosen[-1].digest[:8]})"
    else:
        yield "prompt_set", "" if session.imported else str(SHIPPED_WORDS)


def _model_conditions(key: str, joined: ParticipantJoined | None) -> Iterator[tuple[str, str]]:
    """The model and its server, then each parameter that is chosen; a temperature of None is the role's own."""
    setup: ModelSetup | None = joined.model if joined else None
    if setup is None:
        return
    host = urlsplit(setup.base_url).hostname or ""
    yield key, ", ".join(filter(None, (f"{setup.model} ({setup.name})", host)))
    for field in SETUP_FIELDS:
        value = getattr(setup, field)
        if value is not None and value is not False and value != "":
            yield f"{key}.{field}", str(value)
