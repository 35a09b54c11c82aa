"""What the page of a new batch says of the run in its address."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = [pytest.mark.django_db]


def test_an_unknown_run_in_the_address_is_told(as_researcher: Client) -> None:
    page = as_researcher.get("/judging/new/?run=zzz").content.decode()
    assert "There is no run zzz." in page
    for address in ("/judging/new/", "/judging/new/?run="):
        assert "There is no run" not in as_researcher.get(address).content.decode()
