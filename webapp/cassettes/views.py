"""Replaying from the page of a session."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from webapp.accounts.access import researcher_of, researchers_only
from webapp.cassettes.services import replay
from webapp.forms import ChoiceRefused, gone_to
from webapp.sessions.models import Session


@require_POST
@researchers_only
def replay_session(request: HttpRequest, session_id: str) -> HttpResponse:
    """Run a session again on what it recorded, and show the replay."""
    session = get_object_or_404(Session.objects.select_related("replay_of"), pk=session_id)
    try:
        return gone_to(request, replay(session=session, created_by=researcher_of(request)))
    except ChoiceRefused as refusal:
        messages.error(request, str(refusal))
        return gone_to(request, session)
