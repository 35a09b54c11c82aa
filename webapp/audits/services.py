"""Storing who saw, exported and removed personal data, and forgetting it."""

from __future__ import annotations

import getpass
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from webapp.accounts.models import User
from webapp.audits.models import Access, Act, Way
from webapp.audits.subjects import kind_named

SEEN_AGAIN = timedelta(minutes=10)
"""Who looks at the same again within this time has seen it once: pages ask for their parts again and again."""
AT_ONCE = 1000


def note_access(
    *,
    account: User | None,
    act: Act,
    way: Way,
    place: str,
    kind: str,
    subject: str,
    people: int | None = None,
) -> None:
    """Keep that somebody did this. What holds no personal data is not kept. people: None to count them.

    Raises:
        django.db.Error: it can't be kept; then nothing may be shown.
    """
    if people is None:
        people = kind_named(kind).count(subject)
    if not people:
        return
    name = account.get_username() if account else getpass.getuser() if way == Way.COMMAND else ""
    told = {"account": account, "act": act, "way": way, "kind": kind, "subject": subject[:80]}
    told |= {"place": place[:60], "name": name[:150]}
    if act == Act.SEEN:
        lately = Access.objects.filter(**told, at__gte=timezone.now() - SEEN_AGAIN)
        if lately.exists():
            return
    Access.objects.create(**told, people=people)


def forget_old() -> int:
    """Delete some of what is older than the installation keeps. Returns how many."""
    if not settings.CARAVAN_AUDIT_DAYS:
        return 0
    old = Access.objects.filter(at__lt=timezone.now() - timedelta(days=settings.CARAVAN_AUDIT_DAYS))
    return Access.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:AT_ONCE])).delete()[0]
