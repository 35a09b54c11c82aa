"""The one interface of every participant, built in or human, and the kinds of them that a benchmark has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from benchmark.core.actions import Action
from benchmark.core.inbox import INBOX, Correspondent, Inbox
from benchmark.core.view import AGENT, View
from benchmark.models import Model

V_contra = TypeVar("V_contra", bound=View, contravariant=True)


class Participant(Protocol[V_contra]):
    """A seat's occupant. It holds no state that matters: all it knows is in the view, so any process can go on.

    `act` may be called again for the same turn (after tools have run, after a refused answer, after a crash) and
    must depend on the view alone; chance comes from `view.seed`.
    """

    def act(self, view: V_contra) -> Action:
        """One step: one utterance, one batch of tool calls, a pass, or `Waiting`."""
        ...


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A participant that needs no model."""

    make: Callable[[], Participant[Any]]


@dataclass(frozen=True, slots=True)
class OverModel:
    """A participant that speaks through a model.

    prompts: the version of its prompts in a language. tools: whether it is offered any.
    """

    make: Callable[[Model], Participant[Any]]
    prompts: Callable[[str], str]
    tools: bool = True


@dataclass(frozen=True, slots=True)
class FromOutside:
    """A participant that acts by what is sent to its seat."""

    make: Callable[[Inbox], Participant[Any]] = Correspondent


Kind = BuiltIn | OverModel | FromOutside
EVERYWHERE: Mapping[str, Kind] = {INBOX: FromOutside()}
"""The kinds that can take any seat of any benchmark."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Who can take the seats of a benchmark's sessions, by the names of their kinds."""

    agents: Mapping[str, Kind]
    users: Mapping[str, Kind]

    def at(self, seat: str) -> Mapping[str, Kind]:
        """Who can sit at this seat."""
        return {**EVERYWHERE, **(self.agents if seat == AGENT else self.users)}

    def offers_tools(self, agent: str) -> bool:
        """Whether an agent of this kind is offered the tools; one that is not known here may be."""
        kind = self.agents.get(agent)
        return not isinstance(kind, OverModel) or kind.tools
