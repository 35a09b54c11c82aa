"""What commands take of runs and sessions."""

from __future__ import annotations

from argparse import ArgumentError
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandError, CommandParser
from pydantic import ValidationError

from benchmark.models.sampling import Sampling
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import AnySuite, Option, OptionRefused, Options, read_options, read_pairs
from webapp.commands import BAD_INPUT
from webapp.sessions.models import Run
from webapp.sessions.sampling import ROLES, SAMPLING_FIELDS

OptionsOf = Callable[[AnySuite], Sequence[Option]]
"""What a benchmark lets choose of something."""


def play_options(suite: AnySuite) -> Sequence[Option]:
    """Of its sessions."""
    return suite.options


def add_option_arguments(parser: CommandParser, options_of: OptionsOf = play_options) -> None:
    """`--option KEY=VALUE`, and `--KEY VALUE` for each option whose key is no other argument's; call it last."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="What the benchmark lets choose; may be repeated. "
        + "; ".join(f"{name}: {_option_words(options_of(suite_named(name)))}" for name in SUITES),
    )
    for option in _all_options(options_of):
        with suppress(ArgumentError):  # another argument is called so
            parser.add_argument(f"--{option.key}", dest=_dest(option.key), help=f"--option {option.key}=…")


def _option_words(options: Sequence[Option]) -> str:
    return ", ".join(f"{each.key}={'|'.join(each.values) or each.type.__name__}" for each in options) or "–"


def _all_options(options_of: OptionsOf) -> list[Option]:
    """Those of all benchmarks, each key once."""
    return list({each.key: each for name in SUITES for each in options_of(suite_named(name))}.values())


def _dest(key: str) -> str:
    return f"option_{key}"


def options_in(given: Mapping[str, Any], suite: str, options_of: OptionsOf = play_options) -> Options:
    """What the arguments of a command chose, with the defaults of the benchmark's other options.

    Raises:
        CommandError: there is no such option, a value can't be, or one is given twice.
    """
    short = [(each.key, given.get(_dest(each.key))) for each in _all_options(options_of)]
    pairs = [f"{key}={value}" for key, value in short if value is not None]
    try:
        return read_options(options_of(suite_named(suite)), read_pairs([*given["option"], *pairs]))
    except OptionRefused as refusal:
        raise CommandError(f"--option: {refusal}", returncode=BAD_INPUT) from refusal


def add_sampling_arguments(parser: CommandParser) -> None:
    """`--temperature` and the like for the agent's model, `--users-temperature` for those of the users."""
    types: dict[str, Any] = {"temperature": float, "top_p": float, "max_tokens": int, "seed": int}
    for role, whose in (("agent", "the agent's model"), ("users", "the users' models")):
        for name in SAMPLING_FIELDS:
            parser.add_argument(
                _sampling_flag(role, name),
                dest=f"sampling_{role}_{name}",
                **(
                    {"choices": ("on", "off")}
                    if name == "thinking"
                    else {"type": types[name], "metavar": "N"}
                ),
                help=f"{name} of {whose}, in place of what its settings have",
            )


def _sampling_flag(role: str, name: str) -> str:
    """Sessions have a seed of their own."""
    shown = "sampling-seed" if name == "seed" else name.replace("_", "-")
    return f"--{shown}" if role == "agent" else f"--users-{shown}"


def sampling_in(given: Mapping[str, Any]) -> dict[str, Sampling]:
    """What the arguments chose, by role.

    Raises:
        CommandError: a value can't be.
    """
    chosen = {}
    for role in ROLES:
        named = {name: given.get(f"sampling_{role}_{name}") for name in SAMPLING_FIELDS}
        try:
            own = Sampling.model_validate({name: value for name, value in named.items() if value is not None})
        except ValidationError as error:
            first = error.errors()[0]
            flag = _sampling_flag(role, str(first["loc"][0]))
            said = f"{flag}: {first['msg']}, not {first['input']}"
            raise CommandError(said, returncode=BAD_INPUT) from error
        if own:
            chosen[role] = own
    return chosen


def run_named(named: str) -> Run:
    """The run of this id, else the one of this name.

    Raises:
        CommandError: there is none, or several have the name.
    """
    by_name = Run.objects.filter(name=named)
    run = Run.objects.filter(pk=named).first() or (by_name.first() if by_name.count() == 1 else None)
    if run is not None:
        return run
    if ids := list(by_name.order_by("created_at").values_list("pk", flat=True)):
        said = f"{len(ids)} runs are called “{named}”: give the id of one, {', '.join(ids)}"
        raise CommandError(said, returncode=BAD_INPUT)
    raise CommandError(
        f"there is no run {named}; give the id of a run, which its page tells, or its name",
        returncode=BAD_INPUT,
    )
