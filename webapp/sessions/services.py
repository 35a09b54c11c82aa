"""Everything that writes a session: creation, the log, its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby

from django.db import IntegrityError, transaction
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.dispatch import Signal
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.core.attendance import Attendance
from benchmark.core.engine import Conversation, Step
from benchmark.core.events import (
    CRASHES,
    AttendanceSet,
    MessagePosted,
    ParticipantJoined,
    SessionFinished,
    SessionStart,
)
from benchmark.core.events import Event as LogEvent
from benchmark.core.participant import OUTSIDE_KINDS, PERSON
from benchmark.core.state import SessionState
from benchmark.core.view import AGENT, SIMULATOR
from benchmark.models.sampling import Sampling
from benchmark.suites import suite_named
from benchmark.suites.base import OptionRefused, Options, read_options
from sandbox.toolbox import SandboxSetup
from sandbox.worlds import WorldError
from webapp import clock, counters
from webapp.accounts.models import User
from webapp.caches.choice import SandboxChoice, sandbox_setup
from webapp.catalogue.fitting import lack_words, missing_cities, unsold_goods
from webapp.catalogue.models import Task, World
from webapp.catalogue.packs import pack_of
from webapp.endpoints.choice import SeatPlayer, first_agent, first_traveller, seats
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.kinds import Busy, JobGroup, Kind, register, rows_of
from webapp.jobs.models import Job
from webapp.jobs.services import Claim, LeaseLost
from webapp.prompts.choice import chosen_event, refuse_unusable
from webapp.prompts.models import PromptSetVersion
from webapp.seats.models import Notice, Seat
from webapp.seats.rows import seat_rows
from webapp.sessions.log import row_of
from webapp.sessions.models import ENDED_STATUSES, Event, Run, Session, Status, new_session_id
from webapp.sessions.scoring import scores_wanted
from webapp.statements import insert_rows, row_about, update_rows
from webapp.wording.lists import join_items
from webapp.wording.remarks import remark_words

MAX_SEED = 2**31 - 1
BUSY_PAUSES_S = (0.02, 0.05, 0.1, 0.2, 0.4)
"""Between attempts to begin a session of a run whose limit another worker looks at; then the sweeper tries again."""
AT_ONCE = 100
"""Sessions handed to the workers at once: a session that somebody starts to watch need not wait for all of a run."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a researcher chooses for a session.

    agent, users: kinds of participants, "" for the benchmark's first, as forms have it; agent_model, user_model: what
    they speak through, where they need a model. options: what the benchmark lets choose, by key; the others have
    their defaults. pace: seconds between visible events, None for none. sandbox: who answers tool calls. seats: the
    travellers that are something else than the others, by name. attendance: how seats that are taken from
    outside are waited for; None: nobody is waited for at the beginning, and without an end later. study: which one
    it belongs to, by its key in the app above that has studies; None for none. own_wishes: people bring their own,
    so that the task's first words, which tell its table, are not said in their place. prompt_set: by whose words
    models are told what to do, None for the shipped ones. sampling: how the models of the agent (`agent`) and of the
    travellers (`users`) are asked, beside what their endpoints have.
    """

    agent: str = ""
    users: str = ""
    agent_model: ModelEndpoint | None = None
    user_model: ModelEndpoint | None = None
    seed: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    pace: float | None = None
    sandbox: SandboxChoice = field(default_factory=SandboxChoice)
    seats: Mapping[str, SeatPlayer] = field(default_factory=dict)
    attendance: Attendance | None = None
    study: int | None = None
    own_wishes: bool = False
    prompt_set: PromptSetVersion | None = None
    sampling: Mapping[str, Sampling] = field(default_factory=dict)

    @property
    def words(self) -> Mapping[str, str]:
        """What models are told otherwise than as shipped, as files of a set of prompts."""
        return self.prompt_set.files if self.prompt_set else {}

    def of(self, suite: str) -> Setup:
        """The same with the kinds of participants that a benchmark begins with, where none are chosen."""
        return replace(
            self, agent=self.agent or first_agent(suite), users=self.users or first_traveller(suite)
        )


def create_session(
    *,
    task: Task,
    world: World,
    setup: Setup,
    created_by: User | None = None,
    run: Run | None = None,
    trial_id: int = 0,
    start: bool = True,
    session_id: str | None = None,
) -> Session:
    """A new session with its opening events; `start` hands it to the workers. session_id: by default a random one.

    Raises:
        ChoiceRefused: the world lacks what the task needs, its pack can't be opened, the sandbox can't be set up, or
            a participant and its model do not go together, or an option can't be as it is chosen.
    """
    if lacking := lacks_of(task, world, setup.sandbox):
        raise ChoiceRefused(
            _(
                "World “%(world)s” has no %(lacks)s, which task %(task)s needs. Choose another world, or import one "
                "that has it."
            )
            % {"world": world.name, "lacks": join_items(lacking), "task": task.task_id},
            "world",
        )
    suite = suite_named(task.suite)
    with suite.library.in_place(setup.words):
        sandbox = sandbox_setup(setup.sandbox, world, suite.play.toolset)
    draft = draft_session(
        task=task,
        world=world,
        setup=setup,
        sandbox=sandbox,
        created_by=created_by,
        run=run,
        trial_id=trial_id,
        session_id=session_id,
    )
    store_sessions([draft])
    if start:
        jobs.hand_over(kind=SESSION, subject=draft.session.id, group=draft.session.run_id or "")
    return draft.session


@dataclass(frozen=True, slots=True)
class Draft:
    """A session that is not stored yet, its opening events, its seats, and the study that it belongs to."""

    session: Session
    events: list[Event]
    seats: list[Seat]
    study: int | None = None


def draft_session(
    *,
    task: Task,
    world: World,
    setup: Setup,
    sandbox: SandboxSetup,
    created_by: User | None = None,
    run: Run | None = None,
    trial_id: int = 0,
    session_id: str | None = None,
) -> Draft:
    """A session over a sandbox that is set up, whether or not the world suits the task.

    Raises:
        ChoiceRefused: the cache holds answers in another language than the task's, or a participant and its model
            do not go together.
    """
    _refuse_language(task, setup.sandbox)
    setup = setup.of(task.suite)
    suite, options = suite_named(task.suite), options_of(setup, task.suite)
    players = {name: getattr(setup, name) for name in ("agent", "agent_model", "users", "user_model")}
    simulator, words = setup.sandbox.simulating, setup.prompt_set
    if words is not None:
        refuse_unusable(words, suite.name)
    chosen = [chosen_event(words)] if words is not None else []
    with suite.library.in_place(setup.words):
        joined = list(
            seats(
                task.parsed_definition,
                **players,
                simulator_model=simulator,
                suite=suite.name,
                others=setup.seats,
                sampling=setup.sampling,
            )
        )
    opening = suite.play.opening(
        task.parsed_definition,
        SessionStart(
            seed=setup.seed,
            options=options,
            world=world.name,
            pack_hash=world.pack_hash,
            sandbox=sandbox,
            seats=[*chosen, *joined, *waited_for(joined, setup.attendance, suite.name)],
        ),
    )
    if setup.own_wishes:
        opening = _without_first_words(opening, joined)
    events = Conversation(suite.play.rules).append(opening, clock.now())
    session = Session(
        id=session_id or new_session_id(),
        suite=suite.name,
        task=task,
        world=world,
        pack=world.pack,
        pack_hash=world.pack_hash,
        **players,
        simulator_model=simulator,
        prompt_set=words,
        sampling=stored_sampling(setup.sampling),
        seed=setup.seed,
        options=dict(options),
        pace=setup.pace,
        mode=setup.sandbox.mode,
        cache=setup.sandbox.cache if setup.sandbox.mode != "world" else None,
        run=run,
        trial_id=trial_id,
        created_by=created_by,
        last_seq=len(events),
    )
    models = _models_at([each.seat for each in joined], setup)
    seated = seat_rows(session.id, joined, models)
    return Draft(session, [row_of(session.id, event) for event in events], seated, setup.study)


def stored_sampling(sampling: Mapping[str, Sampling]) -> dict[str, dict[str, object]]:
    """What is chosen, by role, as rows hold it: without what is not chosen."""
    return {role: dict(own.chosen_parameters) for role, own in sampling.items() if own}


def read_sampling(stored: Mapping[str, Mapping[str, object]]) -> dict[str, Sampling]:
    """The same from a row."""
    return {role: Sampling.model_validate(own) for role, own in stored.items()}


def options_of(setup: Setup, suite: str) -> Options:
    """The value of each option of a benchmark in this setup.

    Raises:
        ChoiceRefused: there is no such option, or a value can't be.
    """
    try:
        return read_options(suite_named(suite).options, setup.options)
    except OptionRefused as refusal:
        raise ChoiceRefused(remark_words(refusal.remark), "options") from refusal


def _without_first_words(opening: Step, joined: Iterable[ParticipantJoined]) -> Step:
    """The opening without what the task has people say at once."""
    people = {each.seat for each in joined if each.kind == PERSON}
    said = (body for body in opening.bodies if isinstance(body, MessagePosted) and body.role in people)
    left_out = set(map(id, said))
    return replace(opening, bodies=tuple(body for body in opening.bodies if id(body) not in left_out))


def waited_for(
    joined: Iterable[ParticipantJoined], attendance: Attendance | None, suite: str
) -> Iterator[AttendanceSet]:
    """The events that say how the seats which people and programs take are waited for."""
    for each in joined:
        if attendance is not None and each.kind in OUTSIDE_KINDS:
            yield AttendanceSet(seat=each.seat, attendance=_fitting(attendance, each.seat, suite))


def _fitting(attendance: Attendance, seat: str, suite: str) -> Attendance:
    """With a substitute that can take this seat: the benchmark's own where the chosen one can't."""
    if attendance.substitute in ("", *suite_named(suite).play.cast().at(seat)):
        return attendance
    return attendance.model_copy(update={"substitute": "", "model": None})


def _models_at(names: Iterable[str], setup: Setup) -> dict[str, ModelEndpoint | None]:
    """The models that were chosen, by the name of the seat."""
    chosen = {AGENT: setup.agent_model, SIMULATOR: setup.sandbox.simulating}
    chosen |= {name: seated.model for name, seated in setup.seats.items()}
    return {name: chosen.get(name, setup.user_model) for name in names}


def _refuse_language(task: Task, sandbox: SandboxChoice) -> None:
    if sandbox.mode == "world" or sandbox.cache is None or sandbox.cache.answers_in == task.language:
        return
    raise ChoiceRefused(
        _(
            "Cache “%(cache)s” has answers in %(language)s, but task %(task)s is in another "
            "language. Choose another cache."
        )
        % {
            "cache": sandbox.cache.name,
            "language": sandbox.cache.get_language_display(),
            "task": task.task_id,
        },
        "cache",
    )


sessions_changed = Signal()
"""Sessions were stored, or have another status: `session_ids`. It is sent in the transaction that stores that."""


sessions_stored = Signal()
"""New sessions were stored with their seats: `drafts`. It is sent in the transaction that stores them."""


def store_sessions(drafts: Sequence[Draft]) -> None:
    """Store drafted sessions, all or none."""
    with transaction.atomic():
        Session.objects.bulk_create(draft.session for draft in drafts)
        Event.objects.bulk_create(event for draft in drafts for event in draft.events)
        Seat.objects.bulk_create(seat for draft in drafts for seat in draft.seats)
        sessions_stored.send(Session, drafts=drafts)
        unfinished = (draft.session for draft in drafts if not draft.session.ended)
        for run, sessions in groupby(unfinished, key=lambda session: session.run_id or ""):
            jobs.add(kind=SESSION, subjects=[session.pk for session in sessions], group=run)
        sessions_changed.send(Session, session_ids=[draft.session.pk for draft in drafts])
        stored = sum(len(draft.events) for draft in drafts)
        transaction.on_commit(lambda: counters.add(counters.EVENTS, by=stored))


def lacks_of(task: Task, world: World, sandbox: SandboxChoice) -> list[str]:
    """In words that for want of which a task can't run in a world.

    No city in `isolated`: there the world answers nothing, its places only serve the scorer.

    Raises:
        ChoiceRefused: the world's pack can't be opened.
    """
    try:
        pack = pack_of(world)
        missing, unsold = missing_cities([task.needs], pack), unsold_goods([task.needs], pack)
    except WorldError as error:
        raise ChoiceRefused(
            _("World “%(world)s” can't be opened: %(why)s. Import it again.")
            % {"world": world.name, "why": error},
            "world",
        ) from error
    return [] if sandbox.mode == "isolated" and not unsold else lack_words(missing, unsold)


def claim(*, session_id: str) -> Claim | None:
    """Take an unfinished session that nobody has and that is due; None when there is none, or no room in its run."""
    for pause_s in BUSY_PAUSES_S:
        try:
            return jobs.claim(kind=SESSION, subject=session_id)
        except Busy:
            time.sleep(pause_s)
    return None


def begin_next(*, run_id: str) -> None:
    """Ask the workers to begin sessions of a run with a limit, where another one has ended."""
    for subject in jobs.due_to_begin(kind=SESSION, group=run_id):
        jobs.hand_over(kind=SESSION, subject=subject, group=run_id)


@transaction.atomic
def abandon(*, claimed: Claim) -> None:
    """End a session whose log this version can't read: nothing can be appended to it."""
    if not jobs.fail(claimed=claimed, error=_("The log can't be read.")):
        return
    Session.objects.filter(pk=claimed.subject).update(
        status=Status.CRASHED, completion_reason="runtime_error", finished_at=clock.now()
    )
    sessions_changed.send(Session, session_ids=[claimed.subject])


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a researcher has asked of a session that is being worked on, and whether notices wait for its log."""

    stop: bool
    pause: bool
    notices: bool = True


def wishes(session_id: str) -> Wishes:
    """What is asked of a session now.

    Raises:
        Session.DoesNotExist: it was deleted.
    """
    return _standing(session_id)[1]


def _standing(session_id: str) -> tuple[bool, Wishes]:
    """Whether a session has begun, and what is asked of it."""
    row = row_about(session_id, _standing_rows)
    if row is None:
        raise Session.DoesNotExist(session_id)
    new, *asked = map(bool, row)
    return not new, Wishes(*asked)


def _standing_rows(session_id: str) -> QuerySet[Session, tuple[bool, ...]]:
    new = ExpressionWrapper(Q(started_at=None), BooleanField())
    notices = Exists(Notice.objects.filter(session=session_id, taken_at_seq=None))
    return Session.staged_too.filter(pk=session_id).values_list(new, "stop_requested", "paused", notices)


def append(
    *,
    claimed: Claim,
    events: Sequence[LogEvent],
    state: SessionState,
    with_them: Callable[[], None] | None = None,
) -> Wishes:
    """Store a step's events, all or none, with what lists show of `state` after them.

    with_them: stores what belongs to these events in the same transaction. Returns what was asked for meanwhile.

    Raises:
        LeaseLost: another worker has the session; nothing is stored.
    """
    now = clock.now()
    try:
        with transaction.atomic():
            jobs.fence(claimed=claimed)
            insert_rows([row_of(claimed.subject, event) for event in events])
            shown = {"last_seq": events[-1].seq, "round": state.round, **_status(events, now)}
            update_rows(Session, shown, {"pk": claimed.subject})
            if with_them is not None:
                with_them()
            if isinstance(last := events[-1].body, SessionFinished):
                _end_job(claimed, last)
                scores_wanted(session_id=claimed.subject)
            began, wanted = _standing(claimed.subject)
            if not began:
                update_rows(Session, {"started_at": events[0].at}, {"pk": claimed.subject})
            if not began or isinstance(last, SessionFinished):
                sessions_changed.send(Session, session_ids=[claimed.subject])
        counters.add(counters.EVENTS, by=len(events))
        return wanted
    except IntegrityError as error:  # another worker has stored an event of the same number
        raise LeaseLost(claimed.subject) from error


def _status(events: Sequence[LogEvent], now: datetime) -> dict[str, object]:
    last = events[-1].body
    if not isinstance(last, SessionFinished):
        return {"status": Status.RUNNING}
    return {
        "status": _ended_as(last),
        "completion_reason": last.reason,
        "plan_generated": last.plan_generated,
        "finished_at": now,
    }


def _end_job(claimed: Claim, finished: SessionFinished) -> None:
    match _ended_as(finished):
        case Status.STOPPED:
            jobs.cancelled(claimed=claimed)
        case Status.CRASHED:
            jobs.fail(claimed=claimed, error=finished.reason)
        case _:
            jobs.finish(claimed=claimed)


def _ended_as(finished: SessionFinished) -> Status:
    if finished.reason in ("stopped", "deserted"):
        return Status.STOPPED
    return Status.CRASHED if finished.reason in CRASHES else Status.FINISHED


def request_stop(sessions: QuerySet[Session]) -> None:
    """Ask for the end of sessions: whoever works on one ends it after the step in flight."""
    with transaction.atomic():  # jobs first, as who appends does: each waits for the other otherwise
        jobs.want_cancelled(_jobs(sessions))
        sessions.exclude(status__in=ENDED_STATUSES).update(stop_requested=True)
    hand_over(sessions)


def pause_sessions(sessions: QuerySet[Session]) -> None:
    """Let them take no further step; those in flight are finished, and what they bring is kept."""
    with transaction.atomic():
        jobs.pause(_jobs(sessions))
        sessions.exclude(status__in=ENDED_STATUSES).update(paused=True)


def resume_sessions(sessions: QuerySet[Session]) -> None:
    """Go on at once with those that are paused."""
    with transaction.atomic():
        jobs.resume(_jobs(sessions))
        sessions.filter(paused=True).update(paused=False)
    hand_over(sessions)


def hand_over(sessions: QuerySet[Session]) -> None:
    """Ask the workers to go on with the first of those that have not ended; the sweeper brings in the others."""
    going = sessions.exclude(status__in=ENDED_STATUSES).order_by("created_at")
    for pk, run_id in going.values_list("pk", "run")[:AT_ONCE]:
        jobs.hand_over(kind=SESSION, subject=pk, group=run_id or "")


def _jobs(sessions: QuerySet[Session]) -> QuerySet[Job]:
    return jobs.open_jobs(SESSION).filter(subject__in=sessions.order_by().values("pk"))


def _limits() -> dict[str, int]:
    """By run, how many of its sessions may be begun and not ended."""
    waiting = Job.objects.filter(kind="session", ended_at=None, started_at=None, group=OuterRef("pk"))
    limits = Run.objects.exclude(at_once=None).filter(Exists(waiting))
    return {run.pk: run.at_once or 0 for run in limits.order_by("pk").only("at_once")}


def _job_groups(run_ids: Collection[str]) -> dict[str, JobGroup]:
    runs = Run.objects.filter(pk__in=run_ids).only("name")
    return {run.pk: JobGroup(run.name, run.get_absolute_url()) for run in runs}


def _begins(run_id: str) -> int | None:
    """The limit of a run, which nobody else looks at until this transaction ends.

    Raises:
        Busy: somebody does.
    """
    limited = Run.objects.exclude(at_once=None).filter(pk=run_id)
    if not run_id or not limited.exists():
        return None
    run = limited.select_for_update(skip_locked=True, no_key=True).order_by().only("at_once").first()
    if run is None:
        raise Busy(run_id)
    return run.at_once


def _error_words(reason: str) -> str:
    from webapp.wording.endings import ending_words  # late: it reads the pages of every benchmark

    return ending_words(reason) if reason.isidentifier() else reason


SESSION = register(
    Kind(
        "session",
        gettext_lazy("Session"),
        link=lambda job: reverse("session", args=[job.subject]),
        limits=_limits,
        begins=_begins,
        existing_subjects=rows_of(Session.staged_too.all),
        yields_to_others=True,
        groups=_job_groups,
        error_words=_error_words,
        cancel=lambda session_id: request_stop(Session.objects.filter(pk=session_id)),
    )
)
"""The group of such a job is the run of the session."""
