"""Browsers that an account was signed in from: their own tries are counted apart from those of strangers."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

COOKIE = "caravan_browser"
COOKIE_AGE = timedelta(days=365)
MOST = 8
"""Accounts that a browser keeps, the newest."""
_SALT = "webapp.accounts.browsers"


def mark_of(request: HttpRequest, username: str) -> str:
    """What tells this browser from others that the account was signed in from, "" where it was not."""
    return str(_marks(request).get(_digest(username), ""))


def remember(request: HttpRequest, response: HttpResponseBase, username: str) -> None:
    """This browser has signed in to the account. The cookie names no account and lets nobody in."""
    name = _digest(username)
    marks = {known: mark for known, mark in _marks(request).items() if known != name}
    marks = dict([*marks.items(), (name, mark_of(request, username) or secrets.token_hex(8))][-MOST:])
    response.set_cookie(
        COOKIE,
        signing.dumps(marks, salt=_SALT),
        max_age=COOKIE_AGE,
        secure=settings.BEHIND_PROXY,
        httponly=True,
        samesite="Lax",
    )


def _marks(request: HttpRequest) -> dict[str, Any]:
    try:
        return dict(signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=COOKIE_AGE))
    except (signing.BadSignature, ValueError, TypeError):
        return {}


def _digest(username: str) -> str:
    return salted_hmac(_SALT, username.strip().casefold()).hexdigest()[:20]
