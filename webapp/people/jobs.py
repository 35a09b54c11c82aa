"""The background work of people: removing what somebody said, once it can be removed."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from webapp.jobs.kinds import Kind, register, rows_of
from webapp.jobs.pools import Queue
from webapp.people.models import Guest

REMOVAL = register(
    Kind(
        "removal",
        _("Removal of a person's data"),
        link=lambda job: None,
        queue=Queue.SHORT,
        existing_subjects=rows_of(Guest.objects.all),
    )
)
"""The subject is the id of a guest; the group is who asked for it, see `personal.remove_data`."""
