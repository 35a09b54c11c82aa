"""What a person asks of a run that is there: each may be asked again, and does no more then."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from webapp.accounts.models import User
from webapp.cassettes.selectors import opening_of
from webapp.forms import ChoiceRefused
from webapp.jobs.kinds import retries
from webapp.jobs.models import Job
from webapp.runs.budget import Budget, budget_of, lock_run
from webapp.runs.services import BATCH, refuse_limits, refuse_size
from webapp.seats.rows import joined_in, models_at, seat_rows
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import row_of
from webapp.sessions.models import ENDED_STATUSES, Run, Session, Status
from webapp.sessions.services import (
    Draft,
    hand_over,
    pause_sessions,
    read_sampling,
    request_stop,
    resume_sessions,
    sessions_changed,
    store_sessions,
    stored_sampling,
)
from webapp.sessions.spending import spending_by_run

RETRIED_STATUSES = (Status.CRASHED, Status.STOPPED)


def pause(run: Run) -> None:
    """Let its sessions take no further step; those in flight are finished, and what they bring is kept."""
    with transaction.atomic():
        lock_run(run.pk)
        pause_sessions(run.sessions.all())


def resume(run: Run) -> None:
    """Go on at once with all that is paused; failed requests in a row are counted anew.

    Raises:
        ChoiceRefused: its budget is used up.
    """
    with transaction.atomic():
        now = lock_run(run.pk)
        budget = budget_of(now)
        if budget is not None and budget.used_up(spending_by_run([run.pk])[run.pk]):
            raise ChoiceRefused(
                _("The budget of this run is used up. Raise it first, then resume."), "budget"
            )
        Run.objects.filter(pk=run.pk).update(budget_used_up=False, paused_failing=False)
        resume_sessions(run.sessions.all())
        now.outages.all().delete()


def cancel(run: Run) -> None:
    """End all its sessions that have not ended, paused ones too; steps in flight are broken off."""
    with transaction.atomic():
        lock_run(run.pk)
        request_stop(run.sessions.all())


def rename(run: Run, name: str) -> None:
    """Call it something else."""
    with transaction.atomic():
        Run.objects.filter(pk=run.pk).update(name=name)
        sessions_changed.send(Session, session_ids=list(run.sessions.values_list("pk", flat=True)))


def set_limits(
    run: Run, *, at_once: int | None, budget: Budget | None, pause_after: int | None = None
) -> None:
    """How many sessions go on at once from now on, what they may spend, and after how many failed requests in a row
    they are paused (None: as before). Nothing that is paused is resumed.

    Raises:
        ChoiceRefused: as by `create_run`.
    """
    with transaction.atomic():
        now = lock_run(run.pk)
        refuse_limits(at_once, budget, now.setup)
        now.at_once = at_once
        now.budget = budget.amount if budget else None
        now.budget_unit = budget.unit if budget else now.budget_unit
        now.budget_alarm = budget.alarm if budget else now.budget_alarm
        if budget is None or not budget.is_alarming(spending_by_run([run.pk])[run.pk]):
            now.alarm_raised_at = None
        now.pause_after = now.pause_after if pause_after is None else pause_after
        limits = ("at_once", "budget", "budget_unit", "budget_alarm", "alarm_raised_at", "pause_after")
        now.save(update_fields=limits)
    hand_over(run.sessions.all())


def retry(run: Run, sessions: Collection[str] | None = None, created_by: User | None = None) -> int:
    """Play sessions that crashed or were stopped again, with their tasks and seeds; how many these are.

    sessions: their ids, None for all that crashed. The run has the new ones in place of the old, which stay as they
    are outside of it; what they have spent goes on counting for its budget.
    """
    with transaction.atomic():
        lock_run(run.pk)
        failed = run.sessions.filter(brought_by=None, status__in=RETRIED_STATUSES)
        wanted = failed.filter(status=Status.CRASHED) if sessions is None else failed.filter(pk__in=sessions)
        old_sessions = list(_with_seats(wanted))
        new = [
            _draft_again(old, seed=old.seed, trial_id=old.trial_id, created_by=created_by)
            for old in old_sessions
        ]
        run.sessions.filter(pk__in=[old.pk for old in old_sessions]).update(run=None, retried_in=run)
        sessions_changed.send(Session, session_ids=[old.pk for old in old_sessions])
        _add(run, new)
    hand_over(run.sessions.all())
    return len(old_sessions)


@retries(SESSION, grouped=True)
def _play_again(job: Job) -> None:
    run = Run.objects.filter(pk=job.group).first()
    if run is None or not retry(run, [job.subject]):
        raise ChoiceRefused(_("This session was retried already, or is no longer a part of its run."))


def set_trials(run: Run, trials: int, created_by: User | None = None) -> int:
    """Play each task until it has so many trials, under the settings that the run began with; how many are new.

    Raises:
        ChoiceRefused: the run has more already, it came in from a file, or it would have too many sessions.
    """
    with transaction.atomic():
        now = lock_run(run.pk)
        if now.setup.get("imported"):
            raise ChoiceRefused(
                _("This run was imported from a file, so nothing can be played in it."), "trials"
            )
        if trials < now.trials:
            words = _("This run has %(n)s trials of each task. Trials can be added, not taken away.")
            raise ChoiceRefused(words % {"n": now.trials}, "trials")
        first = list(_with_seats(run.sessions.filter(trial_id=0)))
        refuse_size(len(first), trials, now.seed)
        new = [
            _draft_again(session, seed=now.seed + trial, trial_id=trial, created_by=created_by)
            for trial in range(now.trials, trials)
            for session in first
        ]
        Run.objects.filter(pk=run.pk).update(trials=trials)
        _add(run, new)
    hand_over(run.sessions.all())
    return len(new)


def _with_seats(sessions: QuerySet[Session]) -> QuerySet[Session]:
    rows = sessions.order_by("created_at", "pk").select_related("sitting")
    return rows.prefetch_related("seats__model")


_KEPT_FIELDS = (
    *(
        "suite",
        "task_id",
        "world_id",
        "pack",
        "pack_hash",
        "agent",
        "users",
        "agent_model_id",
        "user_model_id",
    ),
    *("simulator_model_id", "options", "pace", "mode", "cache_id", "prompt_set_id"),
)


def _draft_again(old: Session, *, seed: int, trial_id: int, created_by: User | None) -> Draft:
    """A new session that begins as an old one did, with another seed. Its run is still to be said."""
    events, chosen = opening_of(old, seed=seed), read_sampling(old.sampling)
    session = Session(
        **{name: getattr(old, name) for name in _KEPT_FIELDS},
        seed=seed,
        sampling=stored_sampling({role: own.later(seed - old.seed) for role, own in chosen.items()}),
        trial_id=trial_id,
        created_by=created_by or old.created_by,
        last_seq=len(events),
    )
    joined = joined_in(events, session.agent, session.users)
    seated = seat_rows(session.pk, joined, models_at(joined, old.seats.all()))
    study = getattr(getattr(old, "sitting", None), "study_id", None)
    return Draft(session, [row_of(session.pk, event) for event in events], seated, study)


def _add(run: Run, drafts: list[Draft]) -> None:
    """New sessions of a run; of one that is paused they are, too."""
    going = run.sessions.exclude(status__in=ENDED_STATUSES)
    resting = going.filter(paused=True).exists() and not going.filter(paused=False).exists()
    for draft in drafts:
        draft.session.run = run
        draft.session.paused = resting
    for begin in range(0, len(drafts), BATCH):
        store_sessions(drafts[begin : begin + BATCH])
    if resting:
        pause_sessions(run.sessions.all())
