"""The installation's key is changed: what it gave goes on while it is among the keys of before, and no longer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import Settings

from webapp.accounts.models import User
from webapp.labelling.annotators import annotator_by, invite, study_by
from webapp.labelling.models import LabelStudy
from webapp.people.invitations import invitation_of
from webapp.people.invitations import invite as invite_to_seat
from webapp.people.models import Guest
from webapp.people.programs import caller_by, token_of
from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db
NEW_KEY = "another key of fifty characters, for the years to come"


@pytest.mark.parametrize("kept", [True, False])
def test_links_and_sessions_of_an_old_key(
    kept: bool, settings: Settings, researcher: User, recorded_session: Callable[..., Session]
) -> None:
    client = Client()
    client.force_login(researcher)
    study = LabelStudy.objects.create(name="a study", panel=True)
    annotator = invite(study=study, name="Ada")
    seat = recorded_session("easy").seats.exclude(name="agent").first()
    assert seat is not None
    invitation = invite_to_seat(seat=seat)
    guest = Guest.objects.create(seat=seat, name="robot", program="robot")
    given = study.panel_token, annotator.token, invitation.token, token_of(guest)
    code = guest.return_code

    before, settings.SECRET_KEY = settings.SECRET_KEY, NEW_KEY
    settings.SECRET_KEY_FALLBACKS = [before] if kept else []
    found = study_by(given[0]), annotator_by(given[1]), invitation_of(given[2]), caller_by(given[3])
    assert [each is not None for each in found] == [kept] * 4
    assert guest.returns_by(code) is kept
    assert (client.get("/sessions/").status_code == 200) is kept
    assert annotator.token != given[1] and annotator_by(annotator.token) == annotator, (
        "new links are of the new key"
    )
