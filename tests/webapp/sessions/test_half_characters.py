"""Half of an emoji, which a model's JSON may hold and no encoding has: stored, scored, shown, exported."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.core.events import MessagePosted, PlanProposed, SessionFinished
from benchmark.suites.grouptravel.events import TableInferred, TurnGranted
from benchmark.suites.grouptravel.scoring import PROFILES
from tests.webapp.conftest import Writer, activity
from webapp.fields import OrderedJSONField
from webapp.sessions.log import read_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import score_session

pytestmark = pytest.mark.django_db
HALF = "\ud83d西湖"


@pytest.fixture
def session(begin: Callable[[], Writer]) -> Session:
    """A session that ended with a plan for a place of that name."""
    visit = activity("attraction", HALF, "10:00", "12:00")
    plan = {
        "days": [
            {"day": 1, "date": "2026-05-01", "city_segments": [{"city": "杭州市", "activities": [visit]}]}
        ]
    }
    table = {"User1": {"city_specific_preferences": {"杭州市": {"attractions": {"must_visit": [HALF]}}}}}
    writer = begin()
    writer.add("system", TurnGranted(speaker="Agent", kind="summary", place="hidden", leads_to="opening"))
    writer.add("Agent", TableInferred(table=table))
    writer.add("system", TurnGranted(speaker="Agent", kind="final", place="end", round=20))
    said = f"```json\n{json.dumps(plan)}\n```"
    writer.add("Agent", MessagePosted(role="Agent", content=said, has_plan=True), PlanProposed(plan=plan))
    writer.add("system", SessionFinished(reason="max_turn_reached", plan_generated=True))
    return Session.objects.select_related("task").get(pk=writer.session.pk)


@pytest.mark.parametrize("value", [HALF, {HALF: ["a\\\udc00", "\x00", "😀", '"']}, "\udc00\ud83d"])
def test_any_json_text_is_stored_and_read_again(value: object) -> None:
    field: OrderedJSONField = OrderedJSONField()
    stored = field.get_prep_value(value)
    assert stored is not None and stored.encode()
    assert field.from_db_value(stored, None, None) == value


def test_other_text_is_stored_as_it_is() -> None:
    assert OrderedJSONField().get_prep_value({"西湖": "😀"}) == '{"西湖":"😀"}'


def test_a_plan_is_stored_and_scored(session: Session) -> None:
    plan = next(event.body.plan for event in read_log(session.pk) if isinstance(event.body, PlanProposed))
    assert plan["days"][0]["city_segments"][0]["activities"][0]["location"] == HALF
    score_session(session=session)
    assert {score.profile for score in session.scores.all()} == set(PROFILES)


@pytest.mark.parametrize("tab", ["scores", "plan"])
def test_pages_show_a_mark_in_its_place(session: Session, as_researcher: Client, tab: str) -> None:
    score_session(session=session)
    page = as_researcher.get(f"/sessions/{session.pk}/panel/{tab}/")
    assert page.status_code == 200
    assert "?西湖" in page.content.decode()


def test_the_record_is_exported(session: Session, as_researcher: Client) -> None:
    out = StringIO()
    call_command("export_session", session.pk, stdout=out)
    served = as_researcher.get(f"/sessions/{session.pk}/record.jsonl").content
    for record in json.loads(out.getvalue()), json.loads(served):
        cities = record["agent_preference_table"]["User1"]["city_specific_preferences"]
        assert cities["杭州市"]["attractions"]["must_visit"] == [HALF]
