"""Sessions that continue another one from one of its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from benchmark.core.attendance import Attendance
from benchmark.core.engine import Conversation, Step
from benchmark.core.events import (
    AnswerSource,
    AttendanceSet,
    Event,
    ModelCalled,
    ParticipantJoined,
    PromptSetChosen,
    SessionForked,
    SessionOpened,
    TurnGranted,
)
from benchmark.core.forking import Point, points
from benchmark.core.state import SessionState, fold_events
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.models import Reply
from benchmark.suites import suite_named
from webapp import clock
from webapp.accounts.models import User
from webapp.caches.pins import copy_pins, scope_of
from webapp.cassettes.models import GivenAnswer, ModelExchange, ModelText
from webapp.cassettes.removals import refuse_changed, refuse_fork
from webapp.cassettes.selectors import origin_of
from webapp.cassettes.services import AS_RECORDED, rejoin_event
from webapp.endpoints.choice import SeatPlayer, seats
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.jobs.services import hand_over
from webapp.prompts.choice import OtherWords, other_words_event
from webapp.prompts.selectors import version_in_log
from webapp.seats.inbox import send_recorded, sent_to
from webapp.seats.rows import joined_in, seat_rows
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import row_of, whole_log
from webapp.sessions.models import Session
from webapp.sessions.services import Draft, read_sampling, store_sessions, waited_for

UNPLAYABLE = (AssertionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What the rules may trip over in a log that was derived from something else."""


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays on. agent, users: kinds; agent_model, user_model: what they speak through, where they need one.

    seat_overrides: the travellers that are something else than `users`, by name. attendance: how seats that are
    taken from outside are waited for, None: as before where the same kind sits there. study: as in `Setup`.
    words: what models are told from there on, None: as before.
    """

    agent: str
    users: str
    agent_model: ModelEndpoint | None
    user_model: ModelEndpoint | None
    seed: int
    seat_overrides: Mapping[str, SeatPlayer] = field(default_factory=dict)
    attendance: Attendance | None = None
    study: int | None = None
    words: OtherWords | None = None

    @classmethod
    def of(cls, session: Session) -> Players:
        """Those of a session."""
        apart = {seat.name: SeatPlayer(seat.kind, seat.model) for seat in session.seat_overrides}
        models = session.agent_model, session.user_model
        return cls(session.agent, session.users, *models, session.seed, apart)


@dataclass(frozen=True, slots=True)
class ForkAnswer:
    """The answer to the first request of a fork. reply: as it stands in the fork."""

    source: AnswerSource
    reply: Reply


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fork would begin. kept_events: its events; refusal: why it can't, "" where it can; next_turn: whose it
    is."""

    kept_events: Sequence[Event] = ()
    refusal: str = ""
    next_turn: TurnGranted | None = None


def place_at(session: Session, chosen: int) -> Place:
    """What `fork` would keep of a session up to its event `chosen`, and whose turn it is then."""
    log = whole_log(session.pk)
    try:
        _refuse_impossible(session, log, chosen)
        kept = log[: _point(session, log, chosen)]
        refuse_fork(session, log, len(kept))
    except ChoiceRefused as refusal:
        return Place(refusal=str(refusal))
    rules = suite_named(session.suite).play.rules
    state = fold_events(rules.state(), kept)
    turn = state.turn if state.turn and not state.ask_again else rules.next_turn(state)
    return Place(kept, next_turn=turn if isinstance(turn, TurnGranted) else None)


def fork(
    *,
    session: Session,
    chosen: int,
    players: Players,
    pace: float | None = None,
    created_by: User | None = None,
    start: bool = True,
    given: ForkAnswer | None = None,
) -> Session:
    """A new session that continues `session` after its event `chosen`, or the last one before with a complete step.

    Its log begins with the same events, its cassette with their model calls, its pins with those of their time.
    given: the answer to the first request of what follows, which is then not asked.

    Raises:
        ChoiceRefused: there is no such event, nothing can follow it, words were removed before it, a participant and
            its model do not go together, or the given answer is not of the request that comes next.
    """
    log = whole_log(session.pk)
    _refuse_impossible(session, log, chosen)
    kept = list(log[: _cut(session, log, chosen, players)])
    refuse_fork(session, log, len(kept))
    if given is not None:
        source = given.source
        _refuse_other_request(session, log, len(kept), source.call, kind_at(players, source.seat))
    conversation = _conversation_of(session, kept)
    state = conversation.state
    bodies = _bodies(session, state, chosen, players, given.source if given else None)
    conversation.append(Step("researcher", tuple(bodies)), clock.now())
    draft = _draft(session, conversation, players)
    draft.session.fork_seq, draft.session.pace, draft.session.created_by = len(kept), pace, created_by
    with transaction.atomic():
        refuse_changed(session, log)
        store_sessions([draft])
        _copy_exchanges(origin_of(session), draft.session, state.model_calls)
        _copy_pins(session, draft.session, kept)
        if given is not None:
            _store_given(draft.session, given, state.model_calls + 1)
        sent = (each for each in sent_to(session.pk) if each.taken_at_seq <= len(kept))
        send_recorded(draft.session.pk, sent, has=len(kept))
    if start:
        hand_over(kind=SESSION, subject=draft.session.pk)
    return draft.session


def why_not_before(session: Session, call: int) -> str:
    """Why no fork can begin with another answer to the request of this event, in words; "" where one can."""
    log = whole_log(session.pk)
    try:
        _refuse_impossible(session, log, call)
        kept = _point(session, log, max(call - 1, 1))
        refuse_fork(session, log, kept)
        asked = log[call - 1].body
        seat = asked.seat if isinstance(asked, ModelCalled) else ""
        _refuse_other_request(session, log, kept, call, kind_at(Players.of(session), seat))
    except ChoiceRefused as refusal:
        return str(refusal)
    return ""


def kind_at(players: Players, seat: str) -> str:
    """Which kind of participant takes a seat."""
    if seat == AGENT:
        return players.agent
    apart = players.seat_overrides.get(seat)
    return apart.kind if apart is not None else players.users


def _refuse_other_request(session: Session, log: Sequence[Event], kept: int, call: int, kind: str) -> None:
    """Refuse an answer where the request of event `call` is not the first thing that follows `kept` events.

    kind: who sits at its seat from there on; only the same kind makes of the answer what this one would have made.

    Raises:
        ChoiceRefused: it is not.
    """
    asked = log[call - 1].body
    assert isinstance(asked, ModelCalled)
    state = fold_events(suite_named(session.suite).play.rules.state(), log[:kept])
    between = (event.body for event in log[kept : call - 1])
    tried = all(isinstance(body, ModelCalled) and body.seat == asked.seat for body in between)
    if asked.seat == SIMULATOR or not tried or state.turn is None or state.turn.speaker != asked.seat:
        words = _(
            "The request of event %(n)s was made in the middle of a step, such as a tool call, and a session can be "
            "forked only where a step is complete."
        )
        raise ChoiceRefused(words % {"n": call}, "at")
    joined = state.seats.get(asked.seat)
    if joined is None or joined.kind != kind:
        words = _(
            "%(seat)s was “%(was)s” at event %(n)s and is “%(now)s” now, which reads answers otherwise."
        )
        told = {"seat": asked.seat, "was": joined.kind if joined else "", "n": call, "now": kind}
        raise ChoiceRefused(words % told, "at")


def _store_given(made: Session, given: ForkAnswer, number: int) -> None:
    source = given.source
    GivenAnswer.objects.create(
        session=made,
        number=number,
        seat=source.seat,
        reply=TypeAdapter(Reply).dump_python(given.reply, mode="json"),
        experiment=source.experiment,
        answer=source.number,
    )


def why_not(session: Session) -> str:
    """Why none of its events can be followed by a fork, in words; "" where one can."""
    try:
        _refuse_unplayable(session)
    except ChoiceRefused as refusal:
        return str(refusal)
    return ""


def _refuse_impossible(session: Session, log: Sequence[Event], chosen: int) -> None:
    if not 0 < chosen <= len(log):
        raise ChoiceRefused(
            _("Session %(session)s has no event %(n)s; it has %(last)s.")
            % {"session": session.pk, "n": chosen, "last": len(log)},
            "at",
        )
    _refuse_unplayable(session)


def _refuse_unplayable(session: Session) -> None:
    if session.task.of_records:
        raise ChoiceRefused(
            _(
                "The task of session %(session)s is known only from imported run records, which is "
                "not enough to continue it. Import the task file first, then the records."
            )
            % {"session": session.pk},
            "at",
        )
    if session.world is None:
        raise ChoiceRefused(
            _("Session %(session)s was imported without a world, so nothing can answer its tool calls.")
            % {"session": session.pk},
            "at",
        )


def _seats(session: Session, players: Players) -> Iterator[ParticipantJoined]:
    return seats(
        session.task.parsed_definition,
        agent=players.agent,
        agent_model=players.agent_model,
        users=players.users,
        user_model=players.user_model,
        suite=session.suite,
        others=players.seat_overrides,
        sampling=read_sampling(session.sampling),
    )


def _cut(session: Session, log: Sequence[Event], chosen: int, players: Players) -> int:
    """The last event that the fork keeps. Another kind of participant can't read drafts: its turn begins anew."""
    cut = _point(session, log, chosen)
    rules = suite_named(session.suite).play.rules
    state = fold_events(rules.state(), log[:cut])
    if state.turn is None or not state.drafts:
        return cut
    speaker = state.turn.speaker
    if speaker not in state.seats or kind_at(players, speaker) == state.seats[speaker].kind:
        return cut
    return max(event.seq for event in log[:cut] if isinstance(event.body, TurnGranted))


def _point(session: Session, log: Sequence[Event], chosen: int) -> int:
    """The last point up to the chosen event, or the opening's end.

    Raises:
        ChoiceRefused: nothing follows there.
    """
    points = _points(session, log)
    if not (last := _last(points)):
        words = _("The log of session %(session)s can't be continued.")
        raise ChoiceRefused(words % {"session": session.pk}, "at")
    here = [point for point in points if point.seq <= chosen] or points[:1]
    if not here[-1].goes_on:
        raise ChoiceRefused(
            _(
                "No event follows event %(n)s: it is the session's plan or end. Choose %(last)s or "
                "an earlier one."
            )
            % {"n": chosen, "last": last},
            "at",
        )
    return here[-1].seq


def _points(session: Session, log: Sequence[Event]) -> list[Point]:
    try:
        return list(points(suite_named(session.suite).play.rules, log))
    except UNPLAYABLE:
        return []


def last_point(session: Session) -> int:
    """The last event that a session can be forked from; 0 where there is none."""
    return _last(_points(session, whole_log(session.pk)))


def _last(points: Sequence[Point]) -> int:
    return max((point.seq for point in points if point.goes_on), default=0)


def _conversation_of(session: Session, log: Sequence[Event]) -> Conversation[SessionState]:
    return Conversation(suite_named(session.suite).play.rules, list(log))


def _bodies(
    session: Session,
    state: SessionState,
    chosen: int,
    players: Players,
    answer: AnswerSource | None,
) -> Iterator[SessionForked | PromptSetChosen | ParticipantJoined | AttendanceSet]:
    opened = state.opening
    assert opened is not None
    seed = players.seed if players.seed != opened.seed else None
    yield SessionForked(origin=session.pk, seq=state.seq, chosen=chosen, seed=seed, answer=answer)
    told = state.other_words
    if players.words is not None:
        other = other_words_event(players.words, session.suite)
        told = other.files
        yield other
    with suite_named(session.suite).library.in_place(told):
        now = list(_seats(session, players))
        simulator = [state.seats[SIMULATOR]] if SIMULATOR in state.seats else []
        goes_on = [_going_on(state.seats.get(each.seat), each, opened) for each in (*now, *simulator)]
    yield from (each for each in goes_on if each != state.seats.get(each.seat))
    yield from waited_for(now, players.attendance, session.suite)


def _going_on(
    was: ParticipantJoined | None, chosen: ParticipantJoined, opened: SessionOpened
) -> ParticipantJoined:
    """Who sits there now: the same kind over the same endpoint is asked as before, with the prompts of now."""
    if was is None or (was.kind, _endpoint(was)) != (chosen.kind, _endpoint(chosen)):
        return chosen
    return rejoin_event(was, opened)


def _endpoint(joined: ParticipantJoined) -> str:
    return joined.model.name if joined.model else ""


def _draft(session: Session, conversation: Conversation[SessionState], players: Players) -> Draft:
    events, state = conversation.events, conversation.state
    chosen = {
        name: getattr(players, name) for name in ("agent", "users", "agent_model", "user_model", "seed")
    }
    made = Session(
        **{name: getattr(session, name) for name in AS_RECORDED if name != "prompt_set"} | chosen,
        prompt_set=version_in_log(state.prompt_set),
        cache=origin_of(session).cache,
        fork_of=session,
        round=state.round,
        last_seq=state.seq,
    )
    models = dict.fromkeys(state.users, players.user_model)
    models |= {seat: seated.model for seat, seated in players.seat_overrides.items()}
    models |= {AGENT: players.agent_model, SIMULATOR: session.simulator_model}
    seated = seat_rows(made.pk, joined_in(events, made.agent, made.users), models)
    return Draft(made, [row_of(made.pk, event) for event in events], seated, players.study)


def _copy_exchanges(recorded: Session, made: Session, number: int) -> None:
    """The first exchanges of a recording, and what they refer to."""
    rows = ModelExchange.objects.filter(session=recorded, number__lte=number)
    kept = list(rows.values("number", "seat", "request", "reply", "failure"))
    ModelExchange.objects.bulk_create(ModelExchange(session=made, **row) for row in kept)
    used = {digest for row in kept for digest in (*row["request"]["messages"], row["request"]["tools"])}
    texts = ModelText.objects.filter(session=recorded).values_list("digest", "text")
    ModelText.objects.bulk_create(
        ModelText(session=made, digest=digest, text=text) for digest, text in texts if digest in used
    )


def _copy_pins(session: Session, made: Session, kept: Sequence[Event]) -> None:
    opened = kept[0].body
    if session.mode == "isolated" and isinstance(opened, SessionOpened):
        recorded = origin_of(session)
        scope = scope_of(run=recorded.run_id, session=recorded.pk, language=opened.language)
        own = scope_of(run=None, session=made.pk, language=opened.language)
        copy_pins(scope=scope, to=own, until=kept[-1].at)
