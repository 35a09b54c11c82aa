"""Writing sets of sessions."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from webapp.accounts.models import User
from webapp.forms import ChoiceRefused
from webapp.sessions.models import Session
from webapp.sets.models import LONGEST_QUERY, SessionSet

MOST_SESSIONS = 20_000
BATCH = 500


def add_to_set(
    *, name: str, session_ids: Iterable[str], query: str = "", created_by: User | None = None
) -> tuple[SessionSet, int]:
    """Put sessions into the set of this name, which is made if there is none; how many were not in it.

    Raises:
        ChoiceRefused: there is no session, or the set would hold more than MOST_SESSIONS. Nothing is stored.
    """
    wanted = list(dict.fromkeys(session_ids))
    if not wanted:
        raise ChoiceRefused(_("There is no session to put into the set."), "name")
    with transaction.atomic():
        chosen, _made = SessionSet.objects.get_or_create(name=name, defaults={"created_by": created_by})
        before = chosen.sessions.through.objects.filter(sessionset=chosen).count()
        for begin in range(0, len(wanted), BATCH):
            chosen.sessions.add(*Session.objects.filter(pk__in=wanted[begin : begin + BATCH]).only("pk"))
        held = chosen.sessions.through.objects.filter(sessionset=chosen).count()
        if held > MOST_SESSIONS:
            words = _("A set holds at most %(most)s sessions. Narrow the list down first.")
            raise ChoiceRefused(words % {"most": MOST_SESSIONS}, "name")
        chosen.query = query[:LONGEST_QUERY]
        chosen.save(update_fields=["query"])
    return chosen, held - before


def copy_set(*, chosen: SessionSet, name: str, created_by: User | None = None) -> SessionSet:
    """A new set with the same sessions.

    Raises:
        ChoiceRefused: there is a set of this name, or nothing to copy.
    """
    if SessionSet.objects.filter(name=name).exists():
        raise ChoiceRefused(_("There is a set of this name already. Choose another name."), "name")
    ids = chosen.sessions.values_list("pk", flat=True)
    made, _added = add_to_set(name=name, session_ids=ids, query=chosen.query, created_by=created_by)
    return made


def may_delete(user: User, chosen: SessionSet) -> bool:
    """Whether somebody may delete a set: its maker and administrators, and anybody where its maker is not known."""
    return user.is_superuser or chosen.created_by_id in (None, user.pk)


def delete_set(*, pk: int) -> None:
    """Forget a set; its sessions stay."""
    SessionSet.objects.filter(pk=pk).delete()
