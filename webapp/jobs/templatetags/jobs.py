"""What the Jobs page says of a job."""

from __future__ import annotations

from datetime import timedelta

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from webapp import clock
from webapp.jobs.models import Job, State
from webapp.jobs.selectors import Holdup
from webapp.jobs.services import MAIL
from webapp.jobs.waits import Reason, Wait

register = template.Library()


@register.filter
def job_state_words(job: Job) -> str:
    """How it stands with a job, and what it waits for."""
    now = clock.now()
    if job.state != State.OPEN:
        return str(job.get_state_display())
    if job.cancel_requested:
        return _("is being cancelled")
    if job.expires_at is not None:
        return _("running") if job.expires_at >= now else _stopped_words(now - job.expires_at)
    if job.paused:
        return _("paused")
    if job.waits_for == MAIL:
        return _("waits for a person or a program")
    if job.waits_for:
        return _("waits for a place at %(model)s") % {"model": job.waits_for}
    if job.due_at is not None and job.due_at > now:
        at = date_format(timezone.localtime(job.due_at), "H:i:s")
        return _("continues at %(time)s") % {"time": at}
    return _("waits for a worker")


def _stopped_words(ago: timedelta) -> str:
    if ago < timedelta(minutes=1):
        return _("its worker has stopped")
    return _("its worker stopped %(time)s ago") % {"time": _length(ago)}


def _length(period: timedelta) -> str:
    """In minutes, hours or days, the largest of which there is one."""
    minutes = int(period.total_seconds() // 60)
    if minutes < 60:
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    if (hours := minutes // 60) < 24:
        return ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours}
    return ngettext("%(n)s day", "%(n)s days", hours // 24) % {"n": hours // 24}


@register.filter
def holdup_words(holdup: Holdup) -> str:
    """Why the jobs of a queue do not come forward."""
    late = _length(holdup.late) if holdup.late >= timedelta(minutes=1) else _("less than a minute")
    words = {"queue": holdup.queue.label, "time": late}
    if holdup.deserted:
        return (
            _("No worker of the queue “%(queue)s” lives. Its oldest job has been due for %(time)s.") % words
        )
    return (
        _("All workers of the queue “%(queue)s” are busy. Its oldest job has been due for %(time)s.") % words
    )


@register.filter
def wait_words(wait: Wait) -> str:
    """What jobs wait for."""
    match wait.reason:
        case Reason.PAUSED:
            return _("to be resumed")
        case Reason.MAIL:
            return _("a person or a program")
        case Reason.PLACE:
            return _("a place at %(model)s") % {"model": wait.model}
        case Reason.ROOM:
            return _("others to end: at most %(n)s at once") % {"n": wait.limit}
        case Reason.TIME if wait.until is not None:
            at = date_format(timezone.localtime(wait.until), "H:i:s")
            return _("a moment: the first continues at %(time)s") % {"time": at}
    return _("a worker")


@register.filter
def job_attempts_words(job: Job) -> str:
    """How often it was begun without coming to anything, "" for what is as it should be."""
    if job.state != State.OPEN or job.attempts < 2:
        return ""
    return ngettext("%(n)s attempt", "%(n)s attempts", job.attempts) % {"n": job.attempts}


@register.filter
def job_progress_words(job: Job) -> str:
    """How far it is, "" where that is not known."""
    if not job.of:
        return ""
    return _("%(done)s of %(of)s") % {"done": f"{job.done:,}", "of": f"{job.of:,}"}
