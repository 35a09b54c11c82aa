"""TripScore's judges over HTTP: ratings, what they list, the reward with them, points and routes."""

from __future__ import annotations

import json
from io import StringIO
from itertools import product
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.suites.tripscore.judging.comparing import QUESTIONS
from tests.labelling import add_item, make_study
from tests.markup import tight
from tests.model_server import ModelServer
from tests.scale.tripscore import REFERENCE, case
from tests.seating import endpoint_at
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.jobs.services import due_in
from webapp.judging.models import Judgement
from webapp.labelling.comparing import start_comparison
from webapp.labelling.jobs import COMPARISON_KIND
from webapp.labelling.models import Compared, Label
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance
from worker.steppers.comparisons import advance_comparison

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def session(starter_world: World, tmp_path: Path) -> Session:
    """A person's words, which the planner has answered."""
    query = {**case()["query"], "type": "real", "preferences": {}}
    query["user_request"] = "We would like three quiet days in Elm and Port, by train from Home and back."
    (tmp_path / "own.jsonl").write_text(json.dumps({"id": "real-1", "query": query, "reference": REFERENCE}))
    call_command("import_tasks", tmp_path / "own.jsonl", "--suite", "tripscore", stdout=StringIO())
    task = Task.objects.get(task_id="real-1")
    made = create_session(task=task, world=starter_world, setup=Setup(agent="planner"), start=False)
    advance(made.pk, budget_s=None, paced=False)
    made.refresh_from_db()
    return made


def test_a_judge_s_ratings_make_the_second_reward(server: ModelServer, session: Session) -> None:
    client = Client()
    client.force_login(User.objects.create_user("r", role=Role.RESEARCHER))
    endpoint_at(server.url, "good-judge")

    def judge(rubric: str) -> None:
        call_command("judge", session.pk, "--model", "good-judge", "--rubric", rubric, stdout=StringIO())

    def page() -> str:
        return tight(client.get(f"/sessions/{session.pk}/panel/reward/").content.decode())

    assert "Rules only" in page() and "of at most 3.000 by rules and 4.400 with judges" in page()
    judge("iconic")
    judge("diversity")
    assert not session.values.filter(key="rated")
    judge("user")
    ratings = {
        name: rating["score"] for row in Judgement.objects.all() for name, rating in row.ratings.items()
    }
    assert ratings == {"iconic": 3, "diversity": 3, "user": 3}
    rules = session.values.get(key="reward").value
    soft = rules - 2  # over five constraints whose weights come to 2.5; those of judges come to 0.3
    rated = session.values.get(key="rated")
    assert rated.value == pytest.approx(2 + (2.5 * soft + 0.3 * 0.5) / 2.8 + 1.4 * 0.6)
    assert "good-judge" in rated.rater
    html = page()
    assert "Rules only" not in html and f"Rated reward: <b>{rated.value:.3f}</b>, by {rated.rater}" in html
    assert (
        "rated 3 of 5" in html and "famous sights that are missing: one thing of missing_attractions" in html
    )
    listed = tight(client.get(f"/sessions/{session.pk}/?tab=judge").content.decode())
    assert "more of the same:" in listed and "<li>one thing of diversity_issues</li>" in listed
    assert "reward with a judge's ratings (good-judge" in tight(
        client.get(f"/sessions/{session.pk}/").content.decode().replace("&#x27;", "'")
    )


def test_a_plan_that_another_session_has_too_is_not_rated_again(
    server: ModelServer, session: Session, starter_world: World
) -> None:
    same = create_session(task=session.task, world=starter_world, setup=Setup(agent="planner"), start=False)
    advance(same.pk, budget_s=None, paced=False)
    endpoint_at(server.url, "good-judge")
    out = StringIO()
    for pk, rubric in product((session.pk, same.pk), ("iconic", "diversity", "user")):
        call_command("judge", pk, "--model", "good-judge", "--rubric", rubric, stdout=out)
    assert len(server.ledger.entries) == 6 and out.getvalue().count("1 with ratings re-used") == 3
    values = [own.values.get(key="rated").value for own in (session, same)]
    assert values[0] == values[1]
    client = Client()
    client.force_login(User.objects.create_user("r", role=Role.RESEARCHER))
    told = f"re-used from session {session.pk}, which shows the judge the same"
    for page in (f"/sessions/{same.pk}/panel/reward/", f"/sessions/{same.pk}/?tab=judge"):
        assert told in tight(client.get(page).content.decode())
    batch = same.judgements.first().batch
    assert told in tight(client.get(batch.get_absolute_url()).content.decode())
    call_command("judge", same.pk, "--model", "good-judge", "--rubric", "user", "--ask-anew", stdout=out)
    assert len(server.ledger.entries) == 8


def test_models_that_compare_are_asked_the_paper_s_questions(server: ModelServer, session: Session) -> None:
    """Both sides are one plan: its points are equal, and the same route in both orders means neither."""
    study = make_study(suite="tripscore")
    add_item(study, session.task, session, session)
    endpoint = endpoint_at(server.url, "good-judge")
    asked = [("pointwise", ""), ("pairwise", "one"), ("pairwise", "both")]
    for method, orders in asked:
        comparison = start_comparison(study=study, endpoint=endpoint, method=method, orders=orders)  # type: ignore[arg-type]
        while due := due_in(kind=COMPARISON_KIND, group=comparison.pk):
            advance_comparison(int(due[0]))
    labels = list(Label.objects.order_by("pk"))
    assert [label.choice for label in labels] == ["neither", "left", "neither"]
    assert labels[0].answer["left"] == labels[0].answer["right"] > 40
    raw = [row.raw for row in Compared.objects.order_by("pk")]
    assert raw[0][0].isdigit() and raw[1:] == [["Route A"], ["Route A", "Route A"]]
    assert all(QUESTIONS.edition in (label.rater.key or "") for label in labels)
