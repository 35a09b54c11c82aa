"""Every answer to a researcher that holds personal data is noted before it is sent."""

from __future__ import annotations

from collections.abc import Callable

from django.db import Error
from django.http import HttpRequest, HttpResponse

from webapp.accounts.models import ApiToken, User
from webapp.audits.models import Act, Way
from webapp.audits.services import note_access
from webapp.audits.subjects import subject_of
from webapp.storage import unavailable

NOTHING = 204


class AuditMiddleware:
    """Notes who asked for what; an answer that can't be noted is not given."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        match = request.resolver_match
        if match is None or not 200 <= response.status_code < 300 or response.status_code == NOTHING:
            return response
        account, way = _who_asks(request)
        found = subject_of(str(match.url_name), match.kwargs) if account else None
        if account is None or found is None:
            return response
        leaves = way == Way.API or response.headers.get("Content-Disposition", "").startswith("attachment")
        try:
            note_access(
                account=account,
                act=Act.EXPORTED if leaves else Act.SEEN,
                way=way,
                place=str(match.url_name),
                kind=found[0].name,
                subject=found[1],
            )
        except Error as error:
            response.close()
            return unavailable(error)
        return response


def _who_asks(request: HttpRequest) -> tuple[User | None, Way]:
    """The account, whether its browser or a program asks in its place."""
    token = getattr(request, "auth", None)
    if isinstance(token, ApiToken):
        return token.user, Way.API
    return (request.user if isinstance(request.user, User) else None), Way.PAGE
