"""The map of a plan: its days, its stops and their numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from webapp.sessions.models import Session

pytestmark = pytest.mark.django_db


def map_data(client: Client, session: Session) -> dict[str, Any]:
    page = client.get(f"/sessions/{session.pk}/panel/map/").content.decode()
    found = re.search(r"<template id=\"[\w-]+\">(.*?)</template>", page, re.DOTALL)
    assert found is not None
    told: dict[str, Any] = json.loads(unescape(found[1]))
    return told


def test_numbers_are_unique_within_a_day_and_over_all_days(
    as_researcher: Client, recorded_session: Callable[..., Session]
) -> None:
    points = map_data(as_researcher, recorded_session("medium"))["points"]
    assert len({point["day"] for point in points}) > 1
    whole = [point["whole"] for point in points]
    assert len(set(whole)) == len(whole)
    of_days = [(point["day"], point["label"]) for point in points]
    assert len(set(of_days)) == len(of_days)
