"""The options of a command that say who plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.core.participant import Kind
from benchmark.suites import SUITES
from webapp.commands import BAD_INPUT, row_named
from webapp.endpoints.choice import (
    SeatPlayer,
    agents,
    check_models,
    chosen_seat,
    first_agent,
    first_traveller,
    travellers,
)
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused

_FIRST = "the first of the task's benchmark"


def add_participant_arguments(parser: CommandParser) -> None:
    """`--agent`, `--model`, `--users`, `--user-model`, `--seat`."""
    parser.add_argument(
        "--agent", **_one_of(agents), help=f"The agent's scaffold, by default {_FIRST}: %(choices)s"
    )
    parser.add_argument("--model", metavar="NAME", help="What the agent speaks through (endpoint list)")
    parser.add_argument(
        "--users", **_one_of(travellers), help=f"The travellers, by default {_FIRST}: %(choices)s"
    )
    parser.add_argument("--user-model", metavar="NAME", help="What the travellers speak through")
    add_seat_argument(parser)


def add_seat_argument(parser: CommandParser) -> None:
    """`--seat`, which may be repeated."""
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="NAME=KIND[:MODEL]",
        help="A traveller that is something else than --users, such as User2=llm:gpt, User2=person for somebody who "
        "comes by a link, or User2=inbox for a program; may be repeated",
    )


class Kinds:
    """Those of all benchmarks, whose participants are imported only until the kind that is looked for is found."""

    def __init__(self, those_of: Callable[[str], Mapping[str, Kind]]) -> None:
        self._those_of = those_of

    def __contains__(self, kind: object) -> bool:
        return any(kind in self._those_of(suite) for suite in SUITES)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({kind for suite in SUITES for kind in self._those_of(suite)}))


def _one_of(those_of: Callable[[str], Mapping[str, Kind]]) -> dict[str, Any]:
    """metavar: so that a parser is made without listing all of them."""
    return {"choices": Kinds(those_of), "metavar": "KIND"}


def participants_of(options: Mapping[str, Any], suite: str) -> dict[str, Any]:
    """The arguments of a session's setup that the options chose, for a benchmark.

    Raises:
        CommandError: there is no such participant or model, or a participant and its model do not go together.
    """
    chosen: dict[str, Any] = {
        "agent": options["agent"] or first_agent(suite),
        "agent_model": endpoint_named(options["model"]) if options["model"] else None,
        "users": options["users"] or first_traveller(suite),
        "user_model": endpoint_named(options["user_model"]) if options["user_model"] else None,
    }
    try:
        check_models(**chosen, suite=suite)
        others = seats_named(options["seat"], suite)
    except ChoiceRefused as refusal:
        option = {"agent_model": "model", "seats": "seat"}.get(refusal.field, refusal.field)
        raise CommandError(f"--{option.replace('_', '-')}: {refusal}", returncode=BAD_INPUT) from refusal
    return {**chosen, "seats": others}


def seats_named(given: Iterable[str], suite: str) -> dict[str, SeatPlayer]:
    """Who takes the travellers' seats by the words of `--seat`, by name.

    Raises:
        CommandError: a word can't be read.
        ChoiceRefused: as `chosen_seat`.
    """
    seats: dict[str, SeatPlayer] = {}
    for text in given:
        seat, chosen = _seat(text, suite)
        if seat in seats:
            raise CommandError(f"--seat: “{seat}” is given twice; say it once", returncode=BAD_INPUT)
        seats[seat] = chosen
    return seats


def _seat(text: str, suite: str) -> tuple[str, SeatPlayer]:
    """NAME=KIND or NAME=KIND:MODEL."""
    seat, _equals, who = text.partition("=")
    if not seat or not who or who.startswith(":") or who.endswith(":"):
        raise CommandError(
            f"--seat: “{text}” is not NAME=KIND or NAME=KIND:MODEL, such as User2=llm:gpt",
            returncode=BAD_INPUT,
        )
    return seat, chosen_seat(seat, who, suite)


def endpoint_named(name: str) -> ModelEndpoint:
    """The endpoint of that name. Raises CommandError with the names that there are."""
    return row_named(ModelEndpoint.objects.all(), name, "model", " (endpoint add brings one in)")
