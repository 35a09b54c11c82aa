"""The readable page of the API."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.accounts.access import researchers_only
from webapp.accounts.tokens import SCOPES
from webapp.api.document import document_of
from webapp.api.reference import groups_of
from webapp.api.v1 import api


@researchers_only
def reference(request: HttpRequest) -> HttpResponse:
    """Every operation with its parameters and what it answers."""
    return render(request, "api/reference.html", {"groups": groups_of(document_of(api)), "scopes": SCOPES})
