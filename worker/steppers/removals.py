"""Removing a person's words, as soon as nobody works on the sessions that hold them, and those of annotators."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import timedelta

from webapp import clock
from webapp.jobs import services
from webapp.jobs.models import Job
from webapp.labelling.jobs import LABEL_REMOVAL
from webapp.labelling.models import LabelStudy
from webapp.labelling.retention import erase as erase_annotators
from webapp.people.jobs import REMOVAL
from webapp.people.models import Guest
from webapp.people.personal import NotYet, erase
from webapp.people.retention import RETENTION, due_guests
from webapp.storage import STORAGE_ERRORS
from worker.lease_keeper import lease_keeper
from worker.outages import give_back_when_away
from worker.steppers.whole_job import WholeJob

PAUSE = timedelta(seconds=30)
"""Between looks whether it can be done; it is looked at once a session was scored as well."""
log = logging.getLogger(__name__)


def removal(guest_id: str) -> bool:
    """Whether the job was there to be had. Until the words can be removed it is given back."""
    claimed = services.claim(kind=REMOVAL, subject=guest_id)
    if claimed is None:
        return False
    if claimed.attempts > REMOVAL.attempts:
        return services.fail(claimed=claimed, error=f"{REMOVAL.attempts} workers ended while they did this")
    with lease_keeper().keep_lease(claimed), give_back_when_away(claimed, PAUSE):
        cause = Job.objects.values_list("group", flat=True).get(pk=claimed.job_id)
        try:
            if (
                cause != RETENTION or due_guests().filter(pk=guest_id).exists()
            ):  # a study may keep it longer by now
                erase(guest_id, by=cause)
        except NotYet:
            services.release(claimed=claimed, due_at=clock.now() + PAUSE)
        except Guest.DoesNotExist:
            services.finish(claimed=claimed)
        except STORAGE_ERRORS:
            raise
        except Exception as error:
            log.exception("the data of guest %s can't be removed", guest_id)
            services.fail(claimed=claimed, error=f"{type(error).__name__}: {error}")
        else:
            services.finish(claimed=claimed)
    return True


def _erase_annotators(claimed: services.Claim) -> None:
    with suppress(LabelStudy.DoesNotExist):  # a study that was deleted took its data with it
        erase_annotators(claimed.subject)


label_removal = WholeJob(LABEL_REMOVAL, _erase_annotators, lambda subject, problem: None)
