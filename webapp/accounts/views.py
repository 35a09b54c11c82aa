"""Signing in: with a password, or by a link that works once."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from webapp.accounts.forms import SigninForm
from webapp.accounts.services import redeem_signin_link


class SigninView(LoginView):
    """Name and password; people who are signed in go on at once."""

    template_name = "accounts/signin.html"
    authentication_form = SigninForm
    redirect_authenticated_user = True


@never_cache
@login_not_required
def signin_link(request: HttpRequest, token: str) -> HttpResponse:
    """Redeem a one-time link; a used one still brings home whoever it signed in."""
    user = redeem_signin_link(token=token, from_loopback=_from_loopback(request))
    if user is not None:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        return redirect("home")
    if request.user.is_authenticated:
        return redirect("home")
    return render(request, "accounts/bad_link.html", status=403)


def _from_loopback(request: HttpRequest) -> bool:
    """Whether this machine asks. A proxy on it asks for others, and says so in a header."""
    if any(name in request.headers for name in ("Forwarded", "X-Forwarded-For", "X-Real-IP")):
        return False
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
