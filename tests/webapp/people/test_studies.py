"""The pages of studies: made, changed, refused and deleted."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.markup import text
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.people.models import Study
from webapp.sessions.services import Setup, create_session

pytestmark = pytest.mark.django_db

STUDY_FIELDS: dict[str, Any] = {
    "name": "Panel",
    "consent_zh": "请阅读",
    "practice": "on",
    "turn_s": "60",
    "remind_s": "20",
    "away_s": "90",
    "misses": "2",
    "lacking": "replace",
    "dropout": "pass",
    "substitute": "",
    "questions": "fun* | scale | Was it fun? | 有趣吗？ | no…yes | 否…是",
    "completion": "C0DE",
}


def test_a_study_is_made_and_shown_again(as_researcher: Client) -> None:
    assert as_researcher.post("/studies/new/", STUDY_FIELDS).status_code == 302
    study = Study.objects.get()
    assert (study.turn_s, study.gather_s, study.dropout) == (60, None, "pass")
    assert study.text("consent", "zh") == "请阅读" and study.text("consent", "en") == ""
    (question,) = study.questions
    assert question["key"] == "fun" and question["required"]
    assert "fun* | scale | Was it fun? | 有趣吗？ | no…yes | 否…是" in text(
        as_researcher.get(f"/studies/{study.pk}/")
    )
    assert "Panel" in text(as_researcher.get("/studies/"))
    as_researcher.post(f"/studies/{study.pk}/", {**STUDY_FIELDS, "questions": " "})
    study.refresh_from_db()
    assert study.questions is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"remind_s": "60"}, "The reminder comes before the turn is over"),
        ({"turn_s": "-1"}, "greater than or equal to 1"),
        ({"substitute": "llm"}, "The substitute needs a model; choose one."),
        (
            {"questions": "ok | text | a\nfun | slider | b"},
            "Line 2, kind: “slider” is not a kind of question; write scale or text.",
        ),
        ({"name": ""}, "This field is required."),
    ],
)
def test_what_is_wrong_is_told_at_its_field_and_nothing_is_kept(
    as_researcher: Client, given: dict[str, str], told: str
) -> None:
    page = text(as_researcher.post("/studies/new/", {**STUDY_FIELDS, **given}))
    assert told in page and "请阅读" in page
    assert not Study.objects.exists()


def test_only_a_study_without_sessions_is_deleted(
    as_researcher: Client, starter_tasks: list[Task], starter_world: World
) -> None:
    as_researcher.post("/studies/new/", STUDY_FIELDS)
    study = Study.objects.get()
    setup = Setup(seats={"User1": SeatPlayer("person")}, attendance=study.attendance, study=study.pk)
    session = create_session(task=starter_tasks[0], world=starter_world, setup=setup, start=False)
    page = text(as_researcher.post(f"/studies/{study.pk}/delete/"))
    assert "This study has sessions" in page and Study.objects.exists()
    session.delete()
    assert as_researcher.post(f"/studies/{study.pk}/delete/").status_code == 302
    assert not Study.objects.exists()


def test_only_researchers_see_them(client: Client) -> None:
    assert client.get("/studies/").status_code == 302
    assert client.post("/studies/new/", STUDY_FIELDS).status_code == 302 and not Study.objects.exists()
