"""What the forms of all parts have in common."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url


def gone_to(request: HttpRequest, where: Any) -> HttpResponse:
    """On to a page; by the browser itself where the form was sent by htmx, so that going back finds the form."""
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": resolve_url(where)})
    return redirect(where)
