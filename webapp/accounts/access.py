"""Who may see a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from webapp.accounts.models import User
from webapp.storage import STORAGE_ERRORS, unavailable

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def researchers_only(view: View[P]) -> View[P]:
    """Answer 403 to everybody but researchers; SigninMiddleware has sent strangers to the sign-in page."""

    @wraps(view)
    def checked_view(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not (isinstance(request.user, User) and request.user.is_researcher):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked_view


def researcher_of(request: HttpRequest) -> User:
    """The researcher who asks; use it below `researchers_only`."""
    assert isinstance(request.user, User)
    return request.user


class SigninMiddleware(LoginRequiredMiddleware):
    """Sends strangers to the sign-in page: a whole page for a whole page, never one inside another."""

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponseBase | None:
        """Look who asks; this is the first that needs the database, and no view is there yet to fail."""
        try:
            response: HttpResponseBase | None = super().process_view(request, *view)
        except STORAGE_ERRORS as error:
            return unavailable(error)
        return response

    def handle_no_permission(  # type: ignore[override]  # a redirect is not the only answer
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        """A part of a page asks its page to reload; only what can be asked for again is come back to."""
        if request.headers.get("HX-Request"):
            return HttpResponse(status=204, headers={"HX-Refresh": "true"})
        if request.method not in ("GET", "HEAD"):
            return redirect(self.get_login_url(view_func))
        return super().handle_no_permission(request, view_func)


def no_store_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Have no page kept by browsers and proxies: what a signed-in person saw is gone when they sign out."""

    def keep_nothing(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return keep_nothing
