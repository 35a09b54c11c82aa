"""Tokens of the API: what they may do, how they are made and withdrawn, and whom one stands for."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from webapp.accounts.models import ApiToken, Role, User
from webapp.fields import plain_name
from webapp.forms import ChoiceRefused

PREFIX = "caravan_"
"""With it a token is found by programs that look for secrets in code."""
SHOWN_LENGTH = len(PREFIX) + 6
"""Characters of a token that stay visible."""
MOST_DAYS = 366
USUAL_DAYS = 90
LONGEST_NAME = 60
NOTED_EVERY = timedelta(minutes=1)
"""How exactly it is known when a token was used last: a program may ask many times a second."""

READ_RUNS, READ_EVENTS, READ_LABELS, WRITE_RUNS = "read:runs", "read:events", "read:labels", "write:runs"
SCOPES: Mapping[str, Promise] = {
    READ_RUNS: _("Read runs, sessions, scores, judgements, tasks, worlds and reports"),
    READ_EVENTS: _("Read the logs of sessions: what was said, and what tools answered"),
    READ_LABELS: _("Read labels of people and models"),
    WRITE_RUNS: _("Start, pause, resume and cancel runs"),
}


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def issue_token(
    *, user: User, name: str, scopes: Collection[str], days: int = USUAL_DAYS
) -> tuple[ApiToken, str]:
    """A new token, and its text, which is kept nowhere.

    Raises:
        ChoiceRefused: the person is no researcher, the name is empty, no or an unknown scope is named, or the time
            is none from 1 to MOST_DAYS days.
    """
    if not (user.is_active and user.is_researcher):
        raise ChoiceRefused(_now("Only researchers can have tokens."), "user")
    name = plain_name(name, LONGEST_NAME)
    if not name:
        raise ChoiceRefused(_now("Give the token a name, such as that of the program that uses it."), "name")
    if unknown := [scope for scope in scopes if scope not in SCOPES]:
        words = _now("There is no scope %(unknown)s; there are: %(known)s.")
        given = {"unknown": ", ".join(unknown), "known": ", ".join(SCOPES)}
        raise ChoiceRefused(words % given, "scopes")
    if not scopes:
        raise ChoiceRefused(_now("Choose at least one thing that the token may do."), "scopes")
    if not 1 <= days <= MOST_DAYS:
        raise ChoiceRefused(_now("A token is valid for 1 to %(most)s days.") % {"most": MOST_DAYS}, "days")
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        beginning=text[:SHOWN_LENGTH],
        token_hash=_hash(text),
        scopes=[scope for scope in SCOPES if scope in scopes],
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token, text


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """A person's tokens, the newest first; those that were revoked are not told."""
    return user.api_tokens.filter(revoked_at=None)


def revoke_token(*, user: User, pk: int) -> bool:
    """End a token of this person. Returns False if they have none of this number, or it was ended before."""
    return bool(tokens_of(user).filter(pk=pk).update(revoked_at=timezone.now()))


def token_by(text: str) -> ApiToken | None:
    """The token of this text, if it lets a program in now; that it was used is noted, to the minute."""
    now = timezone.now()
    usable = ApiToken.objects.filter(
        token_hash=_hash(text), revoked_at=None, expires_at__gt=now, user__is_active=True
    )
    token = usable.filter(user__role=Role.RESEARCHER).select_related("user").first()
    if token is not None and (token.last_used_at is None or token.last_used_at < now - NOTED_EVERY):
        long_ago = Q(last_used_at=None) | Q(last_used_at__lt=now - NOTED_EVERY)
        ApiToken.objects.filter(long_ago, pk=token.pk).update(last_used_at=now)
    return token
