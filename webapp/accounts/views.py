"""Signing in: with a password, or by a link that works once."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.accounts.addresses import from_loopback
from webapp.accounts.browsers import remember
from webapp.accounts.forms import SigninForm
from webapp.accounts.services import redeem_signin_link, usable_signin_link


class SigninView(LoginView):
    """Name and password; people who are signed in go on at once."""

    template_name = "accounts/signin.html"
    authentication_form = SigninForm
    redirect_authenticated_user = True

    def form_valid(self, form: SigninForm) -> HttpResponse:  # type: ignore[override]  # our own form
        """Sign in, and keep in this browser that it was let in."""
        response = super().form_valid(form)
        remember(self.request, response, form.get_user().get_username())
        return response

    def form_invalid(self, form: SigninForm) -> HttpResponse:  # type: ignore[override]  # our own form
        """The form again; a try that was not looked at has a status of its own."""
        response = super().form_invalid(form)
        if form.wait_s:
            response.status_code = 429
            response.headers["Retry-After"] = str(form.wait_s)
        return response


@login_not_required
def signin_link(request: HttpRequest, token: str) -> HttpResponse:
    """Redeem a one-time link by a button: a preview that opens the link must not spend it.

    A used one still brings home whoever it signed in.
    """
    here = from_loopback(request)
    if request.method != "POST":
        link = usable_signin_link(token=token, from_loopback=here)
        return _button(request, link.user.username) if link else _no_link(request)
    user = redeem_signin_link(token=token, from_loopback=here)
    if user is None:
        return _no_link(request)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    response = redirect("home")
    remember(request, response, user.get_username())
    return response


def _button(request: HttpRequest, name: str) -> HttpResponse:
    response = render(request, "accounts/link.html", {"name": name})
    response.headers["Referrer-Policy"] = "origin"  # the address holds the token
    return response


def _no_link(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("home")
    return render(request, "accounts/bad_link.html", status=403)
