"""`manage.py fork_session ID --at SEQ`: continue a session from one of its events, in this process."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError, CommandParser

from webapp.cassettes.forking import Players, fork, last_point
from webapp.commands import BAD_INPUT
from webapp.endpoints.choice import agents, needs_model, travellers
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.options import add_seat_argument, endpoint_named, seats_named
from webapp.people.options import add_study_argument, study_of_options
from webapp.prompts.options import add_other_prompts_argument, other_prompts_of
from webapp.sessions.models import Session
from webapp.sessions.services import MAX_SEED
from worker.management.commands.run_session import Command as RunSession


class Command(RunSession):
    help = (
        "Continue a session from an event with another agent, model, prompts or seed. "
        "Exit codes as of run_session."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("session", help="A session's id")
        parser.add_argument(
            "--at",
            type=int,
            metavar="SEQ",
            help="The last event that the fork keeps; by default the last that can be",
        )
        for option, help_text in (
            ("--agent", "The agent's scaffold"),
            ("--model", "What the agent speaks through (endpoint list)"),
            ("--users", "Who the travellers are"),
            ("--user-model", "What the travellers speak through"),
        ):
            parser.add_argument(option, metavar="NAME", help=f"{help_text}; by default as in the session")
        add_seat_argument(parser)
        add_study_argument(parser)
        add_other_prompts_argument(parser)
        parser.add_argument("--seed", type=int, help="Of what follows; by default the session's")
        parser.add_argument(
            "--json", action="store_true", help="Print the published run record, nothing else"
        )

    def _create(self, options: dict[str, Any]) -> Session:
        session = Session.objects.select_related("task", "world").filter(pk=options["session"]).first()
        if session is None:
            raise CommandError(f"there is no session “{options['session']}”", returncode=BAD_INPUT)
        players = _choose_players(Players.of(session), options, session.suite)
        chosen = options["at"] if options["at"] is not None else last_point(session) or session.last_seq
        made = fork(session=session, chosen=chosen, players=players, start=False)
        if made.fork_seq != chosen:
            self.stderr.write(f"event {chosen} is in the middle of a step: forked from event {made.fork_seq}")
        return made

    def _tell(self, session: Session, seconds: float) -> None:
        self.stdout.write(f"fork of {session.fork_of_id} from event {session.fork_seq}")
        super()._tell(session, seconds)


def _choose_players(own: Players, options: dict[str, Any], suite: str) -> Players:
    if options["seed"] is not None and not 0 <= options["seed"] <= MAX_SEED:
        raise CommandError(f"--seed must be 0 to {MAX_SEED}", returncode=BAD_INPUT)
    agent, users = options["agent"] or own.agent, options["users"] or own.users
    overrides = {**own.seat_overrides, **seats_named(options["seat"], suite)}
    speaks = needs_model(agents(suite).get(agent)), needs_model(travellers(suite).get(users))
    return replace(
        own,
        agent=agent,
        users=users,
        agent_model=_model(options["model"], own.agent_model if speaks[0] else None),
        user_model=_model(options["user_model"], own.user_model if speaks[1] else None),
        seed=own.seed if options["seed"] is None else options["seed"],
        seat_overrides=overrides,
        words=other_prompts_of(options),
        **study_of_options(options, agent, users, overrides, new=False),
    )


def _model(name: str | None, own: ModelEndpoint | None) -> ModelEndpoint | None:
    return endpoint_named(name) if name else own
