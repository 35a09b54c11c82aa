"""Scores of a session, its use of tools and models: readings of its log, stored beside it."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import timedelta
from typing import Any

from django.db import Error, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.dispatch import Signal
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from benchmark.core.events import Event, PersonalDataRemoved, words_in
from benchmark.core.model_use import model_use
from benchmark.core.sheets import Sheet
from benchmark.core.tool_use import tool_use
from benchmark.jsonlines import json_line
from benchmark.metrics import evidence_digest, of_turns, values_of
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import Scoring
from webapp import clock
from webapp.catalogue.packs import pack_for_scores
from webapp.jobs import services as jobs
from webapp.jobs.kinds import Kind, register, retries, rows_of
from webapp.jobs.models import Job
from webapp.jobs.pools import Queue
from webapp.jobs.services import Claim
from webapp.sessions.log import read_log, whole_log
from webapp.sessions.models import ENDED_STATUSES, MetricValue, Score, Session, StoredRecord, TurnValue
from webapp.sessions.models import Event as StoredEvent
from webapp.sessions.setting import setting_of

log = logging.getLogger(__name__)

session_scored = Signal()
"""A session was scored: `session_id`, `suite`, `events`, `tool_use`, and `scores` by profile, as they were stored.

It is sent in the transaction that stores them.
"""
AT_ONCE = 100
"""Outdated sessions that become jobs at a time."""
HEAD_START = timedelta(seconds=10)
"""Whoever ends a session scores it as well; the others leave it to that worker for so long."""
Keeping = Callable[[Claim], AbstractContextManager[object]]
"""What keeps the lease of a job while its block lasts."""
_READ = ("suite", "status", "trial_id", "pack", "seed", "brought_by", "task__definition")
_STORED_FIELDS = ("code_version", "tried", "digest", "figures", "scored_at")


def record_line(session: Session) -> bytes:
    """The published run record of a session as a line; of an imported one, the line that came in."""
    stored = _stored_record(session)
    return json_line(record_of(session)) if stored is None else f"{stored}\n".encode()


MARKING: list[Callable[[Session, bytes], bytes]] = []
"""What apps above add to the line of a record that somebody takes away."""


def record_file(session: Session) -> bytes:
    """The same as a file to take away."""
    line = _with_choices(session, record_line(session))
    for mark in MARKING:
        line = mark(session, line)
    return line


def _with_choices(session: Session, line: bytes) -> bytes:
    """A line of a record that names the set of prompts and the sampling, where they were chosen."""
    chosen = {"prompt_set": session.set_named, "sampling": session.sampling}
    told = {name: value for name, value in chosen.items() if value}
    return json_line({**json.loads(line), **told}) if told else line


def record_of(session: Session) -> dict[str, Any]:
    """The published run record of a session, finished or not."""
    if (stored := _stored_record(session)) is not None:
        record: dict[str, Any] = json.loads(stored)
        return record
    suite, log = suite_named(session.suite), whole_log(session.pk)
    with suite.library.in_place(words_in(log)):
        return suite.play.record(log, task_index=session.task.position, trial_id=session.trial_id)


def _stored_record(session: Session) -> str | None:
    """The text of the record that an imported session is made of, None of any other."""
    if not session.imported:
        return None
    return StoredRecord.objects.values_list("text", flat=True).get(session=session)


def _scoring(session: Session) -> Scoring[Any, Any]:
    return suite_named(session.suite).scoring


def score_session(*, session: Session, keeping: Keeping = nullcontext) -> None:
    """Score a session by every profile, in place of earlier scores; store what it used as well.

    One that can't be scored (its log or its world's pack can't be read, or three workers ended while they scored it)
    keeps the scores it has, which go on naming the version that made them, or has empty ones; this version does not
    try it again. So does one from whose log somebody's words were removed: they were scored. One that another worker
    is scoring is left to it. Raises what the database does.
    """
    _try(session, whole_log, keeping)


def words_removed(session_id: str) -> bool:
    """Whether what somebody said in a session was removed from its log."""
    kind = PersonalDataRemoved.model_fields["type"].default
    return StoredEvent.objects.filter(session=session_id, type=kind).exists()


def scores_wanted(*, session_id: str) -> None:
    """A session has ended, and its scores are to be made; soon by another worker if this one dies now."""
    due_at = clock.now() + HEAD_START
    session = Session.objects.only("suite").get(pk=session_id)
    jobs.add(kind=SCORE, subjects=[session_id], group=_scoring(session).code_version, due_at=due_at)


def _try(session: Session, read: Callable[[str], Sequence[Event]], keeping: Keeping) -> None:
    claimed = _begin(session)
    if claimed is None:
        return None
    if claimed.attempts > SCORE.attempts:
        died = f"{SCORE.attempts} workers ended while they scored session {session.pk}"
        log.error("%s; it keeps what scores it has", died)
        return _give_up(session, claimed, died)
    if words_removed(session.pk):
        return _give_up(session, claimed, "words were removed from its log; it keeps its scores")
    try:
        with keeping(claimed):
            return _score(session, read(session.pk), claimed)
    except jobs.LeaseLost:
        log.info("another worker scores session %s", session.pk)
    except Error:  # the database is busy or away, which says nothing of this session
        with suppress(Error):
            jobs.release(claimed=claimed)
        raise
    except Exception as error:
        log.exception("session %s can't be scored; it keeps what scores it has", session.pk)
        _give_up(session, claimed, f"{type(error).__name__}: {error}")


def _begin(session: Session) -> Claim | None:
    """Take the job of scoring a session now; None where another worker has it."""
    version = _scoring(session).code_version
    jobs.add_missing(kind=SCORE, subjects=[session.pk], group=version)
    mine = jobs.open_jobs(SCORE).filter(subject=session.pk)
    mine.update(due_at=None)
    mine.exclude(group=version).update(group=version, attempts=0)
    return jobs.claim(kind=SCORE, subject=session.pk)


def _score(session: Session, events: Sequence[Event], claimed: Claim) -> None:
    sheets = _sheets(session, events)
    scores = {profile: sheet.as_json() for profile, sheet in sheets.items()}
    own = session.own(events)
    tools = {name: use.as_json() for name, use in tool_use(own).items()}
    models = [use.as_json() for use in model_use(own)]
    with transaction.atomic():
        if not jobs.finish(claimed=claimed):
            raise jobs.LeaseLost(session.pk)
        Session.objects.filter(pk=session.pk).update(tool_use=tools, model_use=models)
        _store(session, scores)
        _store_turns(session, sheets)
        session_scored.send(
            Session,
            session_id=session.pk,
            suite=session.suite,
            events=events,
            tool_use=tools,
            scores=scores,
        )


def _sheets(session: Session, events: Sequence[Event]) -> Mapping[str, Sheet]:
    """The scores by profile: of an imported session those of its record, else those of its log."""
    suite = suite_named(session.suite)
    setting = setting_of(session, events[0].body, pack_for_scores(session.suite, session.pack))
    if session.imported and suite.records is not None:
        return suite.records.score(record_of(session), setting)
    return suite.scoring.score(events, setting)


def _store(session: Session, scores: Mapping[str, dict[str, Any]]) -> None:
    Score.objects.bulk_create(
        [_row(session, profile, figures) for profile, figures in scores.items()],
        update_conflicts=True,
        unique_fields=["session", "profile"],
        update_fields=_STORED_FIELDS,
    )
    _store_values(session, scores)


def _store_values(session: Session, scores: Mapping[str, dict[str, Any]]) -> None:
    """What the rules gave, in place of what they gave before."""
    metrics = suite_named(session.suite).scoring.metrics
    values_by_profile = {profile: values_of(metrics, figures) for profile, figures in scores.items()}
    rows = [
        MetricValue(session=session, profile=profile, key=key, value=value)
        for profile, values in values_by_profile.items()
        for key, value in values.items()
    ]
    MetricValue.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["session", "profile", "rater", "key"],
        update_fields=["value"],
    )
    stored = MetricValue.objects.filter(session=session, rater="")
    for profile, values in values_by_profile.items():
        stored.filter(profile=profile).exclude(key__in=values).delete()


def _store_turns(session: Session, sheets: Mapping[str, Sheet]) -> None:
    """The values of turns, in place of those of before."""
    keys = {metric.key for metric in of_turns(suite_named(session.suite).scoring.metrics)}
    if not keys:
        return
    TurnValue.objects.filter(session=session).delete()
    TurnValue.objects.bulk_create(
        TurnValue(session=session, profile=profile, turn=turn, key=key, value=value)
        for profile, sheet in sheets.items()
        for turn, values in enumerate(sheet.turns, 1)
        for key, value in values.items()
        if key in keys
    )


def _row(session: Session, profile: str, figures: dict[str, Any]) -> Score:
    version = _scoring(session).code_version
    return Score(
        session=session,
        profile=profile,
        code_version=version,
        tried=version,
        digest=evidence_digest(figures["evidence"]),
        figures=figures,
    )


def outdated_sessions() -> QuerySet[Session]:
    """Ended sessions that lack the scores of a profile, or whose scores another version of the code made."""
    conditions: Any = Q()
    for suite in SUITES:
        scoring = suite_named(suite).scoring
        tried = Score.objects.filter(session=OuterRef("pk"), tried=scoring.code_version)
        lacking: Any = Q()
        for profile in scoring.profiles:
            lacking |= ~Exists(tried.filter(profile=profile))
        conditions |= Q(lacking, suite=suite)
    return Session.objects.filter(conditions, status__in=ENDED_STATUSES)


def find_outdated() -> int:
    """Have workers score some of the outdated sessions; how many there are, up to a bound."""
    sessions = list(outdated_sessions().only("suite")[:AT_ONCE])
    for suite in {session.suite for session in sessions}:
        own = [session.pk for session in sessions if session.suite == suite]
        jobs.add_missing(kind=SCORE, subjects=own, group=suite_named(suite).scoring.code_version)
    return len(sessions)


SCORE = register(
    Kind(
        "score",
        _("Scores of a session"),
        link=lambda job: reverse("session", args=[job.subject]),
        queue=Queue.MAINTENANCE,
        attempts=3,
        existing_subjects=rows_of(Session.staged_too.all),
        find=find_outdated,
    )
)
"""The group of such a job is the version of the scoring code that its attempts are counted for."""


def _is_outdated(session: Session) -> bool:
    """Whether `outdated_sessions` has this session; asked of one, without its nested queries."""
    scoring = _scoring(session)
    tried = dict(session.scores.values_list("profile", "tried"))
    return session.ended and any(tried.get(each) != scoring.code_version for each in scoring.profiles)


def rescore(*, session_id: str, keeping: Keeping = nullcontext) -> bool:
    """Bring an outdated session's scores up to date as `score_session` does; whether it was one."""
    session = Session.objects.select_related("task").only(*_READ).filter(pk=session_id).first()
    if session is None or not _is_outdated(session):
        jobs.drop(kind=SCORE, subject=session_id)
        return False
    _try(session, _passing_log, keeping)
    return True


def _passing_log(session_id: str) -> list[Event]:
    """A log that is not kept: those that pages show would make room for it."""
    return list(read_log(session_id))


@transaction.atomic
def _give_up(session: Session, claimed: Claim, problem: str) -> None:
    if not jobs.fail(claimed=claimed, error=problem):
        return
    scoring = _scoring(session)
    for profile in scoring.profiles:
        Score.objects.get_or_create(
            session=session, profile=profile, defaults={"code_version": "", "figures": {}}
        )
    Score.objects.filter(session=session).update(tried=scoring.code_version)


@retries(SCORE)
def _score_again(job: Job) -> None:
    Score.objects.filter(session=job.subject).update(tried="")
    jobs.enqueue(kind=SCORE, subject=job.subject, group=job.group)
