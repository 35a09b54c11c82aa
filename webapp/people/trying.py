"""Trying it yourself: whoever starts a session takes a seat of it at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from webapp.accounts.access import researcher_of, researchers_only
from webapp.accounts.models import User
from webapp.catalogue.models import Task
from webapp.endpoints.choice import SeatPlayer
from webapp.forms import ChoiceRefused, gone_to
from webapp.people.guests import change_presence, remember
from webapp.people.invitations import take
from webapp.people.models import Guest
from webapp.sessions.forms import SessionForm
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session, hand_over
from webapp.sessions.studies import waiting


@require_POST
@researchers_only
def try_session(request: HttpRequest) -> HttpResponse:
    """Start what the form says, and go to a seat of it."""
    form = SessionForm(request.POST)
    if form.is_valid():
        try:
            guest = begin(**form.creation(), user=researcher_of(request))
        except ChoiceRefused as refusal:
            form.refuse(refusal)
        else:
            remember(request, guest)
            return gone_to(request, guest.get_absolute_url())
    return render(request, "sessions/new.html", {"form": form})


def begin(*, task: Task, setup: Setup, user: User, **creation: Any) -> Guest:
    """A session in which a researcher sits already.

    Raises:
        ChoiceRefused: as `create_session`.
    """
    seat, setup = with_person(task, setup)
    session = create_session(task=task, setup=setup, created_by=user, start=False, **creation)
    guest = take(seat=session.seats.get(name=seat), user=user, name=user.get_username())
    change_presence(guest, "joined")
    hand_over(Session.objects.filter(pk=session.pk))
    return guest


def with_person(task: Task, setup: Setup) -> tuple[str, Setup]:
    """The seat for whoever tries it: the first traveller who is a person, else an agent who is; else the first
    traveller, who becomes one.
    """
    kinds = kinds_of(task, setup)
    seat_of_person = next((seat for seat, kind in kinds.items() if kind == PERSON), None)
    if seat_of_person is not None:
        return seat_of_person, setup
    first = next(iter(kinds))
    waited = {} if setup.attendance else waiting(None)
    return first, replace(setup, seats={**setup.seats, first: SeatPlayer(PERSON)}, **waited)


def kinds_of(task: Task, setup: Setup) -> Mapping[str, str]:
    """Who sits where, by kind: the travellers, then the agent."""
    setup = setup.of(task.suite)
    apart = {name: seated.kind for name, seated in setup.seats.items()}
    return dict.fromkeys(task.parsed_definition.users, setup.users) | apart | {AGENT: setup.agent}
