"""Who asks the API, what they may do, and how often."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _
from limits import RateLimitItemPerMinute
from ninja.security import HttpBearer

from webapp.accounts import limits
from webapp.accounts.addresses import client_address
from webapp.accounts.models import ApiToken, User
from webapp.accounts.tokens import token_by
from webapp.apis import Refusal, count_request
from webapp.people.polling import poll_of

REQUESTS = RateLimitItemPerMinute(600, namespace="api")
"""Of one token."""
WRONG = RateLimitItemPerMinute(60, namespace="api-wrong")
"""Requests from one address with tokens that nobody has."""


def no_token_words() -> str:
    """What is said to who has none that is valid."""
    return _(
        "This token is not valid, or has expired. Make one under API tokens, or by manage.py api_token create, and "
        "send it as “Authorization: Bearer …”."
    )


class Token(HttpBearer):
    """A researcher's token that has this scope; any token where none is named."""

    def __init__(self, scope: str = "") -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        """The token, if it may do this. Raises Refusal."""
        words = _("Too many requests. Wait %(seconds)s s.")
        known = token_by(token)
        if known is None:
            count_request(WRONG, client_address(request) or "unknown", words)
            raise Refusal(401, "token", no_token_words())
        if not poll_of(request).is_repeat:
            count_request(REQUESTS, str(known.pk), words)
            _count_use(request, known.user)
        if self.scope and self.scope not in known.scopes:
            told = _("This token may not do this: it lacks the scope %(scope)s. Make one that has it.")
            raise Refusal(403, "scope", told % {"scope": self.scope})
        return known


def _count_use(request: HttpRequest, account: User) -> None:
    """Raises Refusal: too many of what costs."""
    try:
        limits.count_request(request, account)
    except limits.TooOften as refused:
        raise Refusal(429, "too_many", refused.words(), again_in_s=refused.wait_s) from refused


def signed_in(request: HttpRequest) -> User | None:
    """The researcher in whose browser something is read. No operation takes this: others' pages could send it."""
    user = request.user
    return user if isinstance(user, User) and user.is_active and user.is_researcher else None


def researcher_asking(request: HttpRequest) -> User:
    """The researcher in whose place a program asks."""
    token: ApiToken = request.auth  # type: ignore[attr-defined]  # what Token gave
    return token.user
