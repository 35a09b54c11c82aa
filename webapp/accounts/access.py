"""Who may see a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from webapp.accounts.models import User

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def researchers_only(view: View[P]) -> View[P]:
    """Answer 403 to everybody but researchers; LoginRequiredMiddleware has sent strangers to the sign-in page."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not (isinstance(request.user, User) and request.user.is_researcher):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded


def researcher_of(request: HttpRequest) -> User:
    """The researcher who asks; use it below `researchers_only`."""
    assert isinstance(request.user, User)
    return request.user
