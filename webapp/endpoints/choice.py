"""Check the participants and models that a researcher chose, and make the events that put them into their seats."""

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
from benchmark.models.sampling import NO_SAMPLING, Sampling
from benchmark.suites import DEFAULT_SUITE, suite_named
from benchmark.suites.base import Task
from sandbox.simulation.prompt import prompt_version
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.wording.remarks import remark_words

FROM_OUTSIDE: Mapping[str, Promise] = {
    PERSON: gettext_lazy("a person"),
    INBOX: gettext_lazy("a program (API)"),
}
"""The words for the kinds of participants that join by a link."""


NO_TRAVELLERS = "scripted"
"""What sessions and runs of a benchmark without travellers have stored since the first one."""


@dataclass(frozen=True, slots=True)
class SeatPlayer:
    """The participant that was chosen for one seat. model: None if its kind needs no model."""

    kind: str
    model: ModelEndpoint | None = None


def agents(suite: str = DEFAULT_SUITE) -> Mapping[str, Kind]:
    """The kinds of agents of a benchmark, then the kinds that can take any seat."""
    return {**suite_named(suite).play.cast().agents, **UNIVERSAL_KINDS}


def travellers(suite: str = DEFAULT_SUITE) -> Mapping[str, Kind]:
    """The kinds of travellers of a benchmark, then the kinds that can take any seat."""
    return {**suite_named(suite).play.cast().users, **UNIVERSAL_KINDS}


def first_agent(suite: str) -> str:
    """The kind of agent that plays a benchmark where nobody has chosen another: the first that it declares."""
    return next(iter(agents(suite)))


def first_traveller(suite: str) -> str:
    """The same of its travellers; `NO_TRAVELLERS` where nobody talks with the agent."""
    return next(iter(suite_named(suite).play.cast().users), NO_TRAVELLERS)


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
    """Check that a kind has a model if it needs one, and only then. field: where a form shows the refusal.

    Raises:
        ChoiceRefused: a model is missing, not needed or retired, or as `setup_of`.
    """
    if not needs_model(kinds.get(kind)):
        if endpoint is not None:
            raise ChoiceRefused(_("“%(kind)s” needs no model; choose none.") % {"kind": kind}, field)
    elif endpoint is None:
        raise ChoiceRefused(_("“%(kind)s” needs a model; choose one.") % {"kind": kind}, field)
    else:
        usable(endpoint, field)


def usable(endpoint: ModelEndpoint, field: str) -> ModelSetup:
    """The settings of a chosen endpoint.

    Raises:
        ChoiceRefused: the endpoint is retired, or as `setup_of`.
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
    """Check the kinds and models of the agent and of the travellers, if the benchmark has any.

    Raises:
        ChoiceRefused: as `check_model`, or there is no such kind.
    """
    cast = suite_named(suite).play.cast()
    if agent not in cast.at(AGENT):
        words = _("There is no agent “%(kind)s” for this task; there are: %(known)s.")
        raise ChoiceRefused(words % {"kind": agent, "known": ", ".join(agents(suite))}, "agent")
    if cast.users and users not in cast.at(""):
        raise ChoiceRefused(_unknown_kind_words("", users, suite), "users")
    check_model(agent, cast.agents, agent_model, "agent_model")
    check_model(users, cast.users, user_model, "user_model")


def setup_of(endpoint: ModelEndpoint, field: str, *, for_agent: bool = False) -> ModelSetup:
    """The settings of an endpoint for sessions that start now. for_agent: as for `ModelEndpoint.setup`.

    Raises:
        ChoiceRefused: this version does not allow one of the stored settings.
    """
    try:
        return endpoint.setup(for_agent=for_agent)
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
    sampling: Mapping[str, Sampling] | None = None,
) -> Iterator[ParticipantJoined]:
    """The participants of a session: the agent, the travellers in the task's order, the model that simulates tools.

    others: by name, the travellers that differ from `users` over `user_model`. sampling: of the agent (`agent`) and
    of the travellers (`users`), where it is chosen.

    Raises:
        ChoiceRefused: a kind and its model do not go together, a model can't be asked as chosen, or the task has no
            such traveller.
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
        own = sampling_at(seat, sampling)
        refuse_sampling(own, who.model, "agent" if seat == AGENT else "users")
        yield joined_as(seat, who, language=task.language, suite=suite, sampling=own)
    if simulator_model is not None:
        yield ParticipantJoined(
            seat=SIMULATOR,
            kind="tools",
            prompts=prompt_version(),
            model=usable(simulator_model, "simulator_model"),
        )


def sampling_at(seat: str, sampling: Mapping[str, Sampling] | None) -> Sampling:
    """What is chosen for whoever sits there. sampling: by `agent` and `users`."""
    return (sampling or {}).get("agent" if seat == AGENT else "users", NO_SAMPLING)


def refuse_sampling(sampling: Sampling, endpoint: ModelEndpoint | None, role: str) -> None:
    """Check that a model can be asked as it was chosen. role: `agent` or `users`, for the field of the refusal.

    Raises:
        ChoiceRefused: a value would not do what it says.
    """
    if endpoint is None or not sampling:
        return
    if (refused := sampling.refusal(setup_of(endpoint, f"{role}_model"))) is not None:
        field, why = refused
        raise ChoiceRefused(remark_words(why), f"{role}_{field}")


def joined_as(
    seat: str,
    who: SeatPlayer,
    *,
    language: str,
    suite: str = DEFAULT_SUITE,
    sampling: Sampling = NO_SAMPLING,
) -> ParticipantJoined:
    """The event by which a participant takes a seat. sampling: how its model is asked besides."""
    kind = suite_named(suite).play.cast().at(seat)[who.kind]
    if who.model is None or not isinstance(kind, OverModel):
        return ParticipantJoined(seat=seat, kind=who.kind)
    prompts = kind.prompts(language)
    setup = sampling.of(who.model.setup(for_agent=seat == AGENT))
    return ParticipantJoined(seat=seat, kind=who.kind, prompts=prompts, model=setup)


def check_seats(others: Mapping[str, SeatPlayer], suite: str = DEFAULT_SUITE) -> None:
    """Check the kinds and models of travellers that were chosen one by one.

    Raises:
        ChoiceRefused: as `check_model`, or there is no such kind; the message names the seat.
    """
    for seat, chosen in others.items():
        kinds = suite_named(suite).play.cast().at(seat)
        try:
            if seat == AGENT or chosen.kind not in kinds:
                raise ChoiceRefused(_unknown_kind_words(seat, chosen.kind, suite), "seats")
            check_model(chosen.kind, kinds, chosen.model, "seats")
        except ChoiceRefused as refusal:
            raise _seat_refused(seat, refusal) from refusal


def chosen_seat(seat: str, words: str, suite: str = DEFAULT_SUITE) -> SeatPlayer:
    """The participant of a traveller's seat that a form or a command names as KIND or KIND:MODEL.

    Raises:
        ChoiceRefused: there is no such kind or model, or as `check_seats`.
    """
    chosen = _in_words(seat, words)
    check_seats({seat: chosen}, suite)
    return chosen


def chosen_at(seat: str, words: str, suite: str = DEFAULT_SUITE) -> SeatPlayer:
    """As `chosen_seat`, but for any seat of a session that is being played.

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
    """Check that each of these seats is a traveller of the task.

    Raises:
        ChoiceRefused: one is not; the message names those that are.
    """
    for seat in others:
        if not users:
            words = _("The task has no seat “%(seat)s”: its agent works alone.")
            raise ChoiceRefused(words % {"seat": seat}, "seats")
        if seat not in users:
            words = _("The task has no seat “%(seat)s”; it has: %(known)s. Choose one of them.")
            raise ChoiceRefused(words % {"seat": seat, "known": ", ".join(users)}, "seats")
