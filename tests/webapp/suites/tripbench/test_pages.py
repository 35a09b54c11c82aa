"""A TRIP-Bench session from the import of its task to its pages, with people at its seats."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from benchmark.plans.view import Mark
from benchmark.suites.tripbench.making.shortfalls import Shortfall
from benchmark.suites.tripbench.tasks.task import USER
from tests.markup import tight
from tests.people import Sitter, with_people
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.sessions.models import Session
from webapp.suites.tripbench.plans import words_of
from webapp.synthesis.models import TaskSynthesis
from worker.sessions import advance
from worker.steppers.task_sets import task_preview

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]
TASK = {
    "id": "lake",
    "language": "en",
    "tier": "mid",
    "subset": "ais",
    "style": "terse",
    "meta": {
        "origin": "上海市",
        "stays": [["杭州市", 1]],
        "start_date": "2026-05-01",
        "end_date": "2026-05-02",
        "people": 2,
    },
    "nodes": [
        {"instructions": [{"id": "s", "rubric": "hotel.star", "args": {"min": 4}, "is_vague": True}]},
        {"instructions": [{"id": "<late>", "rubric": "hotel.pet_friendly", "drops": ["s"]}]},
    ],
}
PLAN = {
    "trip_plan": {
        "start_date": "2026-05-01",
        "end_date": "2026-05-02",
        "number_of_people": 2,
        "daily_schedule": [
            {
                "date": "2026-05-01",
                "cities": "杭州市",
                "hotel": {"id": "nowhere", "products": [{"id": "x", "room_num": 1}]},
                "activities": [
                    {"time": "09:00-10:00", "type": "Hotel Check-in", "description": "Arrive <b>"}
                ],
            }
        ],
    }
}


@pytest.fixture
def task(tmp_path: Path, starter_world: World) -> Task:
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(TASK))
    call_command("import_tasks", path, "--suite", "tripbench")
    return Task.objects.get(task_id="lake")


@pytest.fixture
def client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    return client


def page_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return tight(answer.content.decode())


def advance_session(session: Session) -> None:
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()


def test_two_people_talk_and_each_sees_what_is_theirs(
    task: Task, starter_world: World, client: Client
) -> None:
    session = with_people(task, starter_world, USER, agent=PERSON, users="scripted")
    user, agent = (Sitter(session.seats.get(name=name)).come() for name in (USER, AGENT))
    advance_session(session)
    page = page_of(user.client, user.path)
    assert "There are 2 of us" in page and 'name="item-0"' in page and "What changes" not in page
    sent = {"content": "", "item-0": "1", "client_id": "first"}
    assert user.client.post(user.path + "say/", sent).status_code == 200
    assert user.client.post(user.path + "say/", sent).status_code == 200
    advance_session(session)
    page = page_of(agent.client, agent.path)
    assert "There are 2 of us" in page and "hotel.star" not in page and "item-0" not in page
    agent.say(f"Here you are. ```json\n{json.dumps(PLAN)}\n```")
    advance_session(session)
    early = page_of(client, session.get_absolute_url() + "?tab=verdicts")
    assert "not judged" in early and 'class="n">1</th>' in early and 'class="n">2</th>' not in early
    page = page_of(user.client, user.path)
    assert "What is wrong with the plan" in page and "What changes" in page
    user.say("No more.")
    advance_session(session)
    shown = page_of(client, session.get_absolute_url())
    assert "The user hears of 1 fault of the plan" in shown and "Arrive &lt;b&gt;" in shown
    assert "The message says: s" in shown and "Arrive <b>" not in shown
    for _ in range(8):
        agent.say("I leave it so.")
        advance_session(session)
        if session.ended:
            break
        user.say("Go on.")
        advance_session(session)
    assert session.completion_reason == "turns_spent" and session.plan_generated
    scores = page_of(client, session.get_absolute_url() + "?tab=scores")
    assert "violations of feasibility" in scores or "F_feas" in scores
    constraints = page_of(client, session.get_absolute_url() + "?tab=verdicts")
    assert constraints.count("<b>adds</b>") == 1 and "nothing has this id" in constraints
    assert "&lt;late&gt;" in constraints and "<late>" not in constraints
    plan = page_of(client, session.get_absolute_url() + "?tab=plan")
    assert "nothing has this id" in plan
    assert session.turn_values.filter(key="strict").count() == 8


def test_who_took_part_reads_the_names_of_hotels(task: Task, starter_world: World) -> None:
    session = with_people(task, starter_world, USER, agent=PERSON, users="scripted")
    user, agent = (Sitter(session.seats.get(name=name)).come() for name in (USER, AGENT))
    advance_session(session)
    user.say("Plan us a trip.")
    advance_session(session)
    named = json.dumps(PLAN).replace('"nowhere"', '"hangzhou-h-002"')
    agent.say(f"```json\n{named}\n```")
    advance_session(session)
    user.passes()
    advance_session(session)
    assert session.ended
    page = page_of(user.client, user.path)
    assert "杭州西湖国宾馆" in page and "<td>hangzhou-h-002" not in page


def test_a_task_tells_what_its_user_comes_for(task: Task, client: Client) -> None:
    page = page_of(client, task.get_absolute_url())
    assert "What the user comes to ask for" in page and "vaguely first" in page and "in place of s" in page
    assert "AIS" in page and "terse" in page


def test_findings_are_told_with_what_is_expected() -> None:
    gap = Mark(
        ("trip_plan",), "gap", {"constraint": "timeline", "day": 2, "expected": "≤ 120 min", "seen": "3 h"}
    )
    assert words_of(gap).sentence == "day 2: there is a long gap before it (expected: ≤ 120 min; found: 3 h)"
    unmet = Mark((), "unmet", {"constraint": "s", "rubric": "hotel.star", "expected": {"min": 4}, "seen": 3})
    with translation.override("zh-hans"):
        assert words_of(unmet).text.startswith("没有满足用户的愿望：")


def test_a_set_of_tasks_is_asked_for_previewed_and_made(
    client: Client, starter_world: World, tmp_path: Path
) -> None:
    own = {"suite": "tripbench", "collection": "c", "world": "starter", "seed": "1", "count": "2"}
    own |= {"subset": "easy", "split": "test", "english": "1", "prefix": "made-"}
    form = page_of(client, "/tasks/synthesis/?suite=tripbench")
    assert "The paper tests with 400." in form and 'value="400"' in form and "650" not in form
    client.post("/tasks/synthesis/", {**own, "do": "preview"})
    row = TaskSynthesis.objects.get()
    assert task_preview(row.pk)
    page = page_of(client, row.get_absolute_url())
    assert "made-easy-0001" in page
    assert "we leave" in page.lower() and "--option subset=easy" in page
    out = tmp_path / "made.jsonl"
    options = ["subset=easy", "english=1"]
    call_command(
        "synthesize", suite="tripbench", world="starter", count=2, seed=1, out=out, option=options, workers=2,
        stdout=StringIO(),
    )  # fmt: skip
    made = json.loads((tmp_path / "made.report.json").read_text())
    assert made["by_subset"] == {"easy": 2} and len(out.read_text().splitlines()) == 2
    TaskSynthesis.objects.filter(pk=row.pk).update(report=made, status=TaskSynthesis.Status.DONE)
    page = page_of(client, row.get_absolute_url())
    assert "tasks asked for" in page and "Tasks that are left out" not in page


def test_a_report_tells_what_was_asked_for_what_came_and_what_is_left_out(
    client: Client, starter_world: World
) -> None:
    lacking = Shortfall("made-fit-0002", "fit", [("plan", "A – B"), ("wishes", "A – C"), ("plan", "A – D")])
    report = {
        "tasks": 3, "asked": {"easy": 2, "fit": 2}, "by_subset": {"easy": 2, "fit": 1}, "by_days": {"3": 3},
        "english": 1, "instructions": 20, "left_out": [lacking.as_json()],
    }  # fmt: skip
    row = TaskSynthesis.objects.create(
        suite="tripbench", collection="c", world=starter_world, pack=starter_world.pack, status="done", done=3,
        report=report, order={"count": 4, "seed": 1, "first_id": 1, "model": "", "language": "zh", "first": None,
        "last": None, "prove": True, "own_travellers": False},
    )  # fmt: skip
    page = page_of(client, row.get_absolute_url())
    assert "3 of 4 tasks" in page and "FIT: what can" in page
    assert (
        "made-fit-0002 is left out: none of 3 draws came to a task: no plan was found that meets all" in page
    )
    assert "(2×, such as A – D); too few wishes were proved impossible (1×, such as A – C)" in page
    before = {key: value for key, value in report.items() if key not in ("asked", "left_out")}
    TaskSynthesis.objects.filter(pk=row.pk).update(report=before)
    assert "Tasks that are left out" not in page_of(client, row.get_absolute_url())
    assert "3 / 4" in page_of(client, "/tasks/synthesis/?suite=tripbench")
