"""From the kinds and models that a researcher chose to the seats that a session's log records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.events import ParticipantJoined
from benchmark.core.participant import INBOX, OUTSIDE_KINDS, PERSON, UNIVERSAL_KINDS, Kind, OverModel
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.models import ModelSetup
from benchmark.suites import DEFAULT_SUITE, suite_named
from benchmark.suites.base import Task
from sandbox.simulation.prompt import PROMPT_VERSION
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused

FROM_OUTSIDE: Mapping[str, Promise] = {
    PERSON: gettext_lazy("a person"),
    INBOX: gettext_lazy("a program (API)"),
}
"""How those are called who take their seats from outside."""


@dataclass(frozen=True, slots=True)
class SeatPlayer:
    """Who takes one seat. kind: of participant; model: what they speak through, where they need one."""

    kind: str
    model: ModelEndpoint | None = None


def agents(suite: str = DEFAULT_SUITE) -> Mapping[str, Kind]:
    """The agents of a benchmark, then whoever can take any seat."""
    return {**suite_named(suite).cast().agents, **UNIVERSAL_KINDS}


def travellers(suite: str = DEFAULT_SUITE) -> Mapping[str, Kind]:
    """Those who can talk to an agent of a benchmark, then whoever can take any seat."""
    return {**suite_named(suite).cast().users, **UNIVERSAL_KINDS}


def kind_words(kind: str) -> str:
    """A kind of participant as pages name it."""
    return str(FROM_OUTSIDE.get(kind, kind))


def kind_choices(kinds: Iterable[str]) -> list[tuple[str, str]]:
    """These kinds as a form offers them."""
    return [(kind, kind_words(kind)) for kind in kinds]


def from_outside(words: Iterable[str]) -> bool:
    """Whether a person or a program takes one of the seats, which are given as KIND or KIND:MODEL."""
    return any(each in OUTSIDE_KINDS for each in words)


def needs_model(kind: Kind | None) -> bool:
    """Whether a participant speaks through a model."""
    return isinstance(kind, OverModel)


def check_model(kind: str, kinds: Mapping[str, Kind], endpoint: ModelEndpoint | None, field: str) -> None:
    """
    Raises:
        ChoiceRefused: the kind needs a model and none is chosen, or the other way round, or the model is retired, or
            as `setup_of`.
    """
    if not needs_model(kinds.get(kind)):
        if endpoint is not None:
            raise ChoiceRefused(_("“%(kind)s” needs no model; choose none.") % {"kind": kind}, field)
    elif endpoint is None:
        raise ChoiceRefused(_("“%(kind)s” needs a model; choose one.") % {"kind": kind}, field)
    else:
        usable(endpoint, field)


def usable(endpoint: ModelEndpoint, field: str) -> ModelSetup:
    """How a chosen endpoint is called.

    Raises:
        ChoiceRefused: it is retired, or as `setup_of`.
    """
    if endpoint.retired:
        words = _("Model “%(name)s” is retired; choose another, or restore it on its page.")
        raise ChoiceRefused(words % {"name": endpoint.name}, field)
    return setup_of(endpoint, field)


def check_models(
    *,
    agent: str,
    agent_model: ModelEndpoint | None,
    users: str,
    user_model: ModelEndpoint | None,
    suite: str = DEFAULT_SUITE,
) -> None:
    """
    Raises:
        ChoiceRefused: as `check_model`, for the agent and the travellers, or there is no such kind.
    """
    cast = suite_named(suite).cast()
    if agent not in cast.at(AGENT):
        words = _("There is no agent “%(kind)s” for this task; there are: %(known)s.")
        raise ChoiceRefused(words % {"kind": agent, "known": ", ".join(cast.agents)}, "agent")
    if users not in cast.at(""):
        raise ChoiceRefused(_unknown_kind_words("", users, suite), "users")
    check_model(agent, cast.agents, agent_model, "agent_model")
    check_model(users, cast.users, user_model, "user_model")


def setup_of(endpoint: ModelEndpoint, field: str) -> ModelSetup:
    """How an endpoint is called by sessions that start now.

    Raises:
        ChoiceRefused: a stored setting is none that this version allows.
    """
    try:
        return endpoint.setup()
    except ValueError as error:
        words = _(
            "Model “%(name)s” can't be used as it is stored; open its page and save its settings again."
        )
        raise ChoiceRefused(words % {"name": endpoint.name}, field) from error


def seats(
    task: Task,
    *,
    agent: str,
    agent_model: ModelEndpoint | None,
    users: str,
    user_model: ModelEndpoint | None,
    simulator_model: ModelEndpoint | None = None,
    suite: str = DEFAULT_SUITE,
    others: Mapping[str, SeatPlayer] | None = None,
) -> Iterator[ParticipantJoined]:
    """Who sits where: the agent, then the travellers in the task's order, then the model that answers for tools.

    others: the travellers that are something else than `users` over `user_model`, by name.

    Raises:
        ChoiceRefused: a kind and its model do not go together, or the task has no such traveller.
    """
    apart = dict(others or {})
    check_models(agent=agent, agent_model=agent_model, users=users, user_model=user_model, suite=suite)
    check_seats(apart, suite)
    refuse_strangers(apart, task.users)
    chosen = (
        {AGENT: SeatPlayer(agent, agent_model)}
        | dict.fromkeys(task.users, SeatPlayer(users, user_model))
        | apart
    )
    for seat, who in chosen.items():
        yield joined_as(seat, who, language=task.language, suite=suite)
    if simulator_model is not None:
        yield ParticipantJoined(
            seat=SIMULATOR,
            kind="tools",
            prompts=PROMPT_VERSION,
            model=usable(simulator_model, "simulator_model"),
        )


def joined_as(seat: str, who: SeatPlayer, *, language: str, suite: str = DEFAULT_SUITE) -> ParticipantJoined:
    """Somebody in a seat, as the log has them."""
    kind = suite_named(suite).cast().at(seat)[who.kind]
    if who.model is None or not isinstance(kind, OverModel):
        return ParticipantJoined(seat=seat, kind=who.kind)
    prompts = kind.prompts(language)
    return ParticipantJoined(seat=seat, kind=who.kind, prompts=prompts, model=who.model.setup())


def check_seats(others: Mapping[str, SeatPlayer], suite: str = DEFAULT_SUITE) -> None:
    """
    Raises:
        ChoiceRefused: as `check_model`, naming the seat, or there is no such kind.
    """
    for seat, chosen in others.items():
        kinds = suite_named(suite).cast().at(seat)
        try:
            if seat == AGENT or chosen.kind not in kinds:
                raise ChoiceRefused(_unknown_kind_words(seat, chosen.kind, suite), "seats")
            check_model(chosen.kind, kinds, chosen.model, "seats")
        except ChoiceRefused as refusal:
            raise _seat_refused(seat, refusal) from refusal


def chosen_seat(seat: str, words: str, suite: str = DEFAULT_SUITE) -> SeatPlayer:
    """Who takes a traveller's seat by the words KIND or KIND:MODEL of a form or a command.

    Raises:
        ChoiceRefused: there is no such kind or model, or as `check_seats`.
    """
    chosen = _in_words(seat, words)
    check_seats({seat: chosen}, suite)
    return chosen


def chosen_at(seat: str, words: str, suite: str = DEFAULT_SUITE) -> SeatPlayer:
    """The same of any seat of a session that goes on.

    Raises:
        ChoiceRefused: as `chosen_seat`.
    """
    if seat != AGENT:
        return chosen_seat(seat, words, suite)
    chosen = _in_words(seat, words)
    try:
        if chosen.kind not in agents(suite):
            known = ", ".join(agents(suite))
            why = _("there is no agent of the kind “%(kind)s”; there are: %(known)s.")
            raise ChoiceRefused(why % {"kind": chosen.kind, "known": known})
        check_model(chosen.kind, agents(suite), chosen.model, "seats")
    except ChoiceRefused as refusal:
        raise _seat_refused(seat, refusal) from refusal
    return chosen


def _in_words(seat: str, words: str) -> SeatPlayer:
    kind, _colon, name = words.partition(":")
    model = ModelEndpoint.objects.filter(name=name).first() if name else None
    if name and model is None:
        known = ", ".join(ModelEndpoint.objects.values_list("name", flat=True)) or _("none")
        why = _("there is no model “%(name)s”; there are: %(known)s.") % {"name": name, "known": known}
        raise _seat_refused(seat, why)
    return SeatPlayer(kind, model)


def _seat_refused(seat: str, why: object) -> ChoiceRefused:
    return ChoiceRefused(_("Seat “%(seat)s”: %(why)s") % {"seat": seat, "why": why}, "seats")


def _unknown_kind_words(seat: str, kind: str, suite: str) -> str:
    if seat == AGENT:
        return _("choose the agent in its own field, not among the travellers.")
    words = _("there is no traveller of the kind “%(kind)s”; there are: %(known)s.")
    return words % {"kind": kind, "known": ", ".join(travellers(suite))}


def refuse_strangers(others: Iterable[str], users: Sequence[str]) -> None:
    """
    Raises:
        ChoiceRefused: a seat is none of the task's.
    """
    for seat in others:
        if not users:
            words = _("The task has no seat “%(seat)s”: its agent works alone.")
            raise ChoiceRefused(words % {"seat": seat}, "seats")
        if seat not in users:
            words = _("The task has no seat “%(seat)s”; it has: %(known)s. Choose one of them.")
            raise ChoiceRefused(words % {"seat": seat, "known": ", ".join(users)}, "seats")
