"""TravelEval's own rubric: plans rated by a model over HTTP, and by people."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.core.actions import Say
from benchmark.core.participant import BuiltIn, Cast
from benchmark.core.view import View
from benchmark.suites import suite_named
from benchmark.suites.traveleval import participants
from benchmark.suites.traveleval.judging.rubric import judge_score
from benchmark.suites.traveleval.judging.transcript import plan_transcript
from benchmark.suites.traveleval.world import tables_of
from sandbox.worlds import open_world
from tests.labelling import add_item, annotator_of, make_study
from tests.model_server import ModelServer
from tests.scale.traveleval import query, sound_plan
from tests.seating import endpoint_at
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.judging.models import Judgement
from webapp.labelling import queue
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance

pytestmark = pytest.mark.django_db(transaction=True)
DIMENSIONS = ("credibility", "suitability", "pace", "route", "value", "experience")


@pytest.fixture
def session(
    starter_world: World, starter_pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Session:
    """A query that was answered with a plan."""
    own = query(nature_language="我们两个人从北京去杭州玩3天，预算6000元。").model_dump(mode="json")
    (tmp_path / "easy.json").write_text(json.dumps({"queries": [own]}, ensure_ascii=False))
    call_command("import_tasks", tmp_path / "easy.json", "--suite", "traveleval", stdout=StringIO())
    plan = json.dumps(sound_plan(tables_of(open_world(starter_pack)), Random(7)), ensure_ascii=False)

    class Planner:
        def act(self, view: View) -> Say:
            return Say(f"```json\n{plan}\n```")

    monkeypatch.setattr(participants, "CAST", Cast({"planner": BuiltIn(lambda context: Planner())}, {}))
    task = Task.objects.get(task_id="own-1")
    made = create_session(task=task, world=starter_world, setup=Setup(agent="planner"), start=False)
    advance(made.pk, budget_s=None, paced=False)
    made.refresh_from_db()
    return made


def test_a_model_rates_a_plan_in_six_dimensions(server: ModelServer, session: Session) -> None:
    endpoint_at(server.url, "good-judge")
    out = StringIO()
    call_command("judge", session.pk, "--model", "good-judge", stdout=out, stderr=StringIO())
    judgement = Judgement.objects.get()
    assert "1 judged, 0 unusable" in out.getvalue() and "value for money" in out.getvalue()
    ratings = {name: rating["score"] for name, rating in judgement.ratings.items()}
    assert ratings.keys() == {*DIMENSIONS} and set(ratings.values()) == {3}
    client = Client()
    client.force_login(User.objects.create_user("r", role=Role.RESEARCHER))
    assert client.get(session.get_absolute_url()).status_code == 200


def test_the_judge_is_shown_the_request_and_the_plan_in_the_language_of_the_session(session: Session) -> None:
    shown = plan_transcript(whole_log(session.pk))
    assert shown.language == "zh" and "我们两个人从北京去杭州玩3天" in shown.text
    assert "助手最后的行程在轮次" in shown.text and "daily_plans" in shown.text
    cited = {int(part.partition("]")[0]) for part in shown.text.split("\n[")[1:]}
    assert cited == shown.turns
    prompts = suite_named("traveleval").rating.rubric().forms["published"].prompts
    for language in ("zh", "en"):
        text = prompts.fill(language, "judge_system", rubric=prompts.fill(language, "rubric"))
        assert all(text.count(dimension) >= 2 for dimension in DIMENSIONS)


def test_the_score_is_the_mean_in_points() -> None:
    assert judge_score(dict.fromkeys(DIMENSIONS, 5), None) == 100
    assert judge_score({**dict.fromkeys(DIMENSIONS, 3), "pace": 1}, 4) == pytest.approx(
        100 * (16 / 6 - 1) / 4 * 0.8
    )


def test_people_rate_plans_by_the_same_rubric(session: Session) -> None:
    study = make_study(kind="rubric", suite="traveleval", pilot=False)
    assert study.scales == dict.fromkeys(DIMENSIONS, range(1, 6))
    item = add_item(study, session.task, session)
    assignment = queue.next_for(annotator_of(study))
    assert assignment is not None
    queue.answer(assignment, given=queue.Answer(scores=dict.fromkeys(DIMENSIONS, 4), seconds=30.0))
    assert item.labels.count() == 1
