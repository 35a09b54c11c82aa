"""Everything that writes cassettes, and sessions that run on them."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.cassettes import Cassette, first_difference
from benchmark.cassettes.storage import as_text, pack_exchange
from benchmark.core.engine import Conversation
from benchmark.core.events import (
    CRASHES,
    Event,
    EventBody,
    ParticipantJoined,
    PromptSetChosen,
    SessionFinished,
    SessionForked,
    SessionOpened,
    SessionStart,
    TurnGranted,
)
from benchmark.core.participant import OUTSIDE_KINDS, Cast, OverModel
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.models.exchange import Exchange
from benchmark.suites import suite_named
from benchmark.suites.base import OptionRefused, Options, read_options
from sandbox.simulation.prompt import prompt_version
from webapp import clock
from webapp.accounts.models import User
from webapp.cassettes.models import ModelExchange, ModelText
from webapp.cassettes.removals import refuse_changed, refuse_run
from webapp.cassettes.selectors import cassette_of, origin_of
from webapp.catalogue.models import Task, World
from webapp.catalogue.selectors import playable_tasks as played_tasks
from webapp.forms import ChoiceRefused
from webapp.jobs.services import hand_over
from webapp.seats.inbox import send_recorded, sent_to
from webapp.seats.models import InboxMessage
from webapp.seats.rows import joined_in, models_at, seat_rows
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import row_of, whole_log
from webapp.sessions.models import Session, Status
from webapp.sessions.services import Draft, store_sessions
from webapp.sessions.trial import show
from webapp.statements import insert_rows
from webapp.wording.remarks import remark_words

AS_RECORDED = (
    *("suite", "task", "world", "pack", "pack_hash", "seed", "options", "mode"),
    *("prompt_set", "sampling"),
    *("agent", "users", "agent_model", "user_model", "simulator_model"),
)
"""The columns of a replay that are its recording's. No cache is asked, so that its figures count every call once."""
log = logging.getLogger(__name__)


def record(session_id: str, exchanges: Sequence[Exchange]) -> None:
    """Keep what was asked of models and what came of it; call it in the transaction that stores their events."""
    kept = [pack_exchange(exchange) for exchange in exchanges]
    values = {digest: value for _stored, by in kept for digest, value in by.items()}
    here = ModelText.objects.filter(session_id=session_id, digest__in=values)
    known = set(here.values_list("digest", flat=True))
    ModelText.objects.bulk_create(
        (
            ModelText(session_id=session_id, digest=digest, text=as_text(value))
            for digest, value in values.items()
            if digest not in known
        ),
        ignore_conflicts=True,
    )
    insert_rows(
        [
            ModelExchange(session_id=session_id, **json.loads(as_text(exchange.plain())))
            for exchange, _values in kept
        ]
    )


def replay(*, session: Session, created_by: User | None = None, start: bool = True) -> Session:
    """A new session that runs on what `session` got from models and tools; `start` hands it to the workers.

    Of a replay, it is another one of the same recording. Prompts are those of this version.

    Raises:
        ChoiceRefused: the session has not ended, or somebody's words were removed from it.
    """
    recorded = origin_of(session)
    if not recorded.ended:
        raise ChoiceRefused(
            _("Session %(session)s has not ended, so it can't be run again to its end. Wait, or stop it.")
            % {"session": recorded.pk},
            "session",
        )
    if recorded.imported:
        words = _(
            "Session %(session)s was played elsewhere: its record has no model calls, so it can't be "
            "run again."
        )
        raise ChoiceRefused(words % {"session": recorded.pk}, "session")
    _refuse_without_messages(recorded)
    log_read = whole_log(recorded.pk)
    refuse_run(recorded, log_read)
    draft = _replay_draft(recorded, created_by)
    with transaction.atomic():
        refuse_changed(recorded, log_read)
        store_sessions([draft])
        send_recorded(draft.session.pk, sent_to(recorded.pk), has=draft.session.last_seq)
    if start:
        hand_over(kind=SESSION, subject=draft.session.pk)
    return draft.session


def _refuse_without_messages(recorded: Session) -> None:
    """Cassette files of before held nothing that was sent to seats from outside."""
    sent = recorded.seats.filter(kind__in=OUTSIDE_KINDS)
    if sent.exists() and not InboxMessage.objects.filter(seat__in=sent).exists():
        raise ChoiceRefused(
            _(
                "What was sent to the seats of session %(session)s is not stored here, so the session "
                "can't be run again."
            )
            % {"session": recorded.pk},
            "session",
        )


def _replay_draft(recorded: Session, created_by: User | None) -> Draft:
    begun = cassette_of(recorded).beginning
    now = clock.now()
    events = [replace(event, body=body, at=now) for event, body in zip(begun, _as_now(begun), strict=True)]
    session = Session(
        **{name: getattr(recorded, name) for name in AS_RECORDED},
        replay_of=recorded,
        created_by=created_by,
        last_seq=len(events),
    )
    joined = joined_in(events, session.agent, session.users)
    models = models_at(joined, recorded.seats.select_related("model"))
    seated = seat_rows(session.pk, joined, models)
    return Draft(session, [row_of(session.pk, event) for event in events], seated)


def _as_now(opening: Iterable[Event]) -> Iterable[EventBody]:
    """The opening events, with the versions of the prompts that this version of Caravan speaks by."""
    bodies = [event.body for event in opening]
    opened = next(body for body in bodies if isinstance(body, SessionOpened))
    told: Mapping[str, str] = {}
    for body in bodies:
        if isinstance(body, PromptSetChosen):
            told = body.files
        if isinstance(body, ParticipantJoined):
            with suite_named(opened.suite).library.in_place(told):
                body = rejoin_event(body, opened)
        yield body


def rejoin_event(joined: ParticipantJoined, opened: SessionOpened) -> ParticipantJoined:
    """Who joined, with the prompts of this version."""
    if joined.seat == SIMULATOR:
        return joined.model_copy(update={"prompts": prompt_version()})
    kind = suite_named(opened.suite).play.cast().at(joined.seat).get(joined.kind)
    if not isinstance(kind, OverModel):
        return joined
    return joined.model_copy(update={"prompts": kind.prompts(opened.language)})


def keep(cassette: Cassette) -> Session:
    """The session that a cassette was recorded from: the one that is here already, or one made from its file.

    Raises:
        ChoiceRefused: its task or its world is not here, or it is another one.
    """
    known = Session.objects.filter(pk=cassette.session).first()
    if known is not None and tuple(whole_log(known.pk)) == cassette.log:
        return known
    made = _remade(cassette, keep_id=known is None)
    _refuse_unshowable(cassette)
    with transaction.atomic():
        seated = seat_rows(made.pk, joined_in(cassette.log, made.agent, made.users), {})
        store_sessions([Draft(made, [row_of(made.pk, event) for event in cassette.log], seated)])
        record(made.pk, cassette.exchanges)
        send_recorded(made.pk, cassette.deliveries, has=made.last_seq)
    return made


def _remade(cassette: Cassette, *, keep_id: bool) -> Session:
    first, last = cassette.log[:1], cassette.log[-1:]
    opened, finished = (event[0].body if event else None for event in (first, last))
    if not isinstance(opened, SessionOpened) or not isinstance(finished, SessionFinished):
        raise ChoiceRefused(
            _(
                "The log in the cassette is incomplete: it must go from the opening of a session to its "
                "end. Export the session again."
            ),
            "session",
        )
    _refuse_unknown(cassette, suite_named(opened.suite).play.cast())
    task, (world, pack) = _task_of(cassette, opened), _pack_of(opened)
    named = {"id": cassette.session} if keep_id else {}
    return Session(
        **named,
        suite=opened.suite,
        task=task,
        world=world,
        pack=pack,
        pack_hash=opened.pack_hash,
        agent=cassette.agent,
        users=cassette.users,
        seed=_seed(cassette, opened),
        **_fork(cassette),
        options=opened.options,
        mode=opened.sandbox.mode,
        status=_status(finished),
        completion_reason=finished.reason,
        plan_generated=finished.plan_generated,
        last_seq=len(cassette.log),
        created_at=first[0].at,
        started_at=next((event.at for event in cassette.log if isinstance(event.body, TurnGranted)), None),
        finished_at=last[0].at,
    )


def _seed(cassette: Cassette, opened: SessionOpened) -> int:
    """Of a fork, that of its own part."""
    forks = (event.body for event in cassette.log if isinstance(event.body, SessionForked))
    return reduce(lambda now, forked: forked.with_seed(now), forks, opened).seed


def _fork(cassette: Cassette) -> dict[str, Any]:
    """The columns of a fork; its origin only where that is here and begins as its log does."""
    forked = cassette.fork
    if forked is None or not isinstance(forked.body, SessionForked):
        return {}
    shared = forked.seq - 1
    origin = Session.objects.filter(pk=forked.body.origin).first()
    same = origin is not None and tuple(whole_log(origin.pk)[:shared]) == cassette.log[:shared]
    return {"fork_of": origin if same else None, "fork_seq": shared}


def _refuse_unshowable(cassette: Cassette) -> None:
    tried = _remade(cassette, keep_id=False)
    try:
        show(tried, cassette.log)
    except Exception as error:  # whatever a page trips over: no session of ours has told it
        log.warning("cassette of session %s can't be shown", cassette.session, exc_info=error)
        raise ChoiceRefused(
            _("The cassette's log can't be shown (%(why)s). Export the session again.")
            % {"why": f"{type(error).__name__}: {error}"[:200]},
            "session",
        ) from error


def _refuse_unknown(cassette: Cassette, cast: Cast) -> None:
    joined = (event.body for event in cassette.log if isinstance(event.body, ParticipantJoined))
    seated = [(body.kind, ["tools"] if body.seat == SIMULATOR else cast.at(body.seat)) for body in joined]
    for kind, known in [(cassette.agent, cast.at(AGENT)), (cassette.users, cast.at("")), *seated]:
        if kind not in known:
            raise ChoiceRefused(
                _(
                    "This version of Caravan does not know the participant “%(kind)s”. Read the "
                    "cassette with a newer version."
                )
                % {"kind": kind},
                "agent",
            )


def _status(finished: SessionFinished) -> Status:
    if finished.reason == "stopped":
        return Status.STOPPED
    return Status.CRASHED if finished.reason in CRASHES else Status.FINISHED


def _task_of(cassette: Cassette, opened: SessionOpened) -> Task:
    task = played_tasks().filter(task_id=opened.task_id).first()
    if task is None:
        raise ChoiceRefused(
            _("This installation has no task %(task)s. Import it: manage.py import_tasks FILE.")
            % {"task": opened.task_id},
            "task",
        )
    suite = suite_named(opened.suite)
    start = SessionStart(
        seed=opened.seed,
        options=_options_of(opened),
        world=opened.world,
        pack_hash=opened.pack_hash,
        sandbox=opened.sandbox,
        seats=[
            event.body
            for event in cassette.opening
            if isinstance(event.body, PromptSetChosen | ParticipantJoined)
        ],
    )
    here = suite.play.opening(task.parsed_definition, start)
    if (
        difference := first_difference(cassette.opening, Conversation(suite.play.rules).append(here))
    ) is not None:
        raise ChoiceRefused(
            _(
                "Task %(task)s of this installation is not the one that was recorded: %(difference)s. "
                "Import the recorded task."
            )
            % {"task": opened.task_id, "difference": difference},
            "task",
        )
    return task


def _options_of(opened: SessionOpened) -> Options:
    try:
        return read_options(suite_named(opened.suite).options, opened.options)
    except OptionRefused as refusal:
        raise ChoiceRefused(
            _("What was chosen for the recorded session can't be: %(why)s. Export the session again.")
            % {"why": remark_words(refusal.remark)},
            "session",
        ) from refusal


def _pack_of(opened: SessionOpened) -> tuple[World, str]:
    """A world with the recorded state, now or when an earlier session was started, and the file of that state."""
    if (world := World.objects.filter(pack_hash=opened.pack_hash).first()) is not None:
        return world, world.pack
    earlier = Session.objects.select_related("world").filter(pack_hash=opened.pack_hash).first()
    if earlier is not None and earlier.world is not None:
        return earlier.world, earlier.pack
    raise ChoiceRefused(
        _(
            "This installation has no world “%(world)s” in the recorded state (hash %(hash)s). "
            "Import that world."
        )
        % {"world": opened.world, "hash": opened.pack_hash[:12]},
        "world",
    )
