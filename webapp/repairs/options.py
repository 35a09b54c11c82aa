"""What commands take of repairs."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from webapp.commands import BAD_INPUT
from webapp.repairs.models import Repair


def repair_named(named: str) -> Repair:
    """The repair of this id.

    Raises:
        CommandError: there is none.
    """
    repair = Repair.objects.select_related("run", "endpoint").filter(pk=named).first()
    if repair is None:
        words = _("there is no repair “%(id)s”; the page of its run lists them") % {"id": named}
        raise CommandError(words, returncode=BAD_INPUT)
    return repair
