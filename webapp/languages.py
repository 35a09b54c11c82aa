"""The language that somebody reads, outside of a request's own middleware."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation


def switched_to(cookies: Mapping[str, str]) -> str:
    """The language that this browser was switched to, "" where it never was."""
    language = cookies.get(settings.LANGUAGE_COOKIE_NAME, "")
    return language if language in dict(settings.LANGUAGES) else ""


def language_of(cookies: Mapping[str, str], headers: Iterable[tuple[bytes, bytes]]) -> str:
    """What LocaleMiddleware would choose for a page: the cookie of the switch, else what the browser asks for.

    cookies and headers: as the scope of a websocket has them.
    """
    request = HttpRequest()
    request.COOKIES = dict(cookies)
    accepted = [value.decode("latin-1") for name, value in headers if name.lower() == b"accept-language"]
    request.META["HTTP_ACCEPT_LANGUAGE"] = ",".join(accepted)
    return translation.get_language_from_request(request)
