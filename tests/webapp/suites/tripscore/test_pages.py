"""A TripScore session from the import of its task to its pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone, translation
from pydantic import ValidationError

from benchmark.core.actions import Say
from benchmark.core.participant import BuiltIn, Cast, SeatContext
from benchmark.plans.view import Mark, When
from benchmark.suites.tripscore import participants
from benchmark.suites.tripscore.briefing import briefing_of
from benchmark.suites.tripscore.planner.agent import PlannerAgent
from benchmark.suites.tripscore.scoring.parameters import DEFAULTS
from benchmark.suites.tripscore.scoring.reward import score_plan
from benchmark.suites.tripscore.tasks import Task as OwnTask
from tests.markup import tight
from tests.scale.tripscore import REFERENCE, broken_cases, case, plan
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.jobs.models import Job
from webapp.plans.times import time_words
from webapp.sessions.log import read_log
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session, pause_sessions, resume_sessions
from webapp.suites.tripscore.plans import FINDINGS, wish_words, words_of
from webapp.synthesis.models import TaskSynthesis
from worker.sessions import advance
from worker.steppers.task_sets import task_preview

pytestmark = pytest.mark.django_db
OWN = {
    **{key: case()[key] for key in ("id", "query")},
    "reference": {**REFERENCE, "note": "<b>kept</b>"},
    "more": [1],
}


@pytest.fixture
def client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    return client


@pytest.fixture
def task(tmp_path: Path, starter_world: World) -> Task:
    path = tmp_path / "trips.jsonl"
    path.write_text(json.dumps(OWN))
    call_command("import_tasks", path, "--suite", "tripscore")
    return Task.objects.get(task_id="own")


@pytest.fixture
def play(task: Task, starter_world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Session]:
    """Has a worker play the task with the planner, or with an agent that says what it is given."""

    class Speaker:
        def __init__(self, words: str) -> None:
            self.words = words

        def act(self, view: Any) -> Say:
            return Say(self.words)

    def play_task(words: str = "") -> Session:
        if words:
            agents = {**participants.AGENTS, "planner": BuiltIn(lambda context: Speaker(words))}
            monkeypatch.setattr(participants, "CAST", Cast(agents, {}))
        session = create_session(task=task, world=starter_world, setup=Setup(agent="planner"), start=False)
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
        return session

    return play_task


def html_of(response: Any) -> str:
    assert response.status_code == 200
    return tight(response.content.decode())


def panel(client: Client, session: Session, name: str) -> str:
    return html_of(client.get(f"/sessions/{session.pk}/panel/{name}/"))


def test_a_task_is_kept_as_it_came_and_shown(client: Client, task: Task) -> None:
    assert task.definition == OWN and task.language == "en"
    html = html_of(client.get(task.get_absolute_url()))
    assert "Home → Elm → Port" in html and "Old Mill" in html and "comfortable" in html and "and back" in html
    own = "/tasks/?suite=tripscore&tripscore-targets=Elm"
    rows = client.get(f"{own}&tripscore-pacing=moderate&tripscore-type=synthetic").context["rows"]
    assert len(rows) == 1
    assert not client.get(f"{own}&tripscore-effort=strenuous").context["rows"]


def test_a_bad_task_is_refused_with_line_and_field(tmp_path: Path, starter_world: World) -> None:
    hotels = [{**REFERENCE["hotels"][0], "id": "s1"}]
    wrong = [
        {**OWN, "id": "a", "reference": {**REFERENCE, "hotels": hotels}},
        {**OWN, "id": "b", "query": {**OWN["query"], "preferences": {"effort": "none"}}},
        {"id": "c", "query": OWN["query"]},
    ]
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join(map(json.dumps, [OWN, *wrong])))
    with pytest.raises(CommandError) as refused:
        call_command("import_tasks", path, "--suite", "tripscore")
    told = str(refused.value)
    for place in ("line 2, reference:", "line 3, query.preferences.effort:", "line 4, reference:"):
        assert place in told
    assert not Task.objects.filter(task_id__in=["own", "a", "b", "c"]).exists()


def test_the_planner_plays_a_session_to_its_reward(client: Client, play: Callable[..., Session]) -> None:
    session = play()
    assert (session.status, session.completion_reason) == ("finished", "planned")
    values = dict(session.values.filter(profile="published").values_list("key", "value"))
    assert values["reward"] > 3 and values["cond_reward"] == values["reward"] and values["feasible"] == 1
    html = panel(client, session, "reward")
    assert "of at most 3.100 by rules" in html and "default_visit_h" in html and "w1" in html
    assert html.count('class="n">weight<') == 2, "gates have no weights"
    html = panel(client, session, "plan")
    assert "Morning" in html and "Old Mill" in html and "2026-05-01" in html
    assert "?tab=tools" not in html, "nobody has tools"
    assert "Version 1 of 1" in panel(client, session, "versions") and "Old Mill" in panel(
        client, session, "map"
    )
    assert "Reward" in panel(client, session, "scores")


def test_what_is_against_a_plan_names_day_period_item_and_remedy(
    client: Client, play: Callable[..., Session]
) -> None:
    own = plan([[("Morning", "s3 1"), ("Evening", "h1")]])
    session = play(f"```json\n{json.dumps(own)}\n```")
    html = panel(client, session, "reward")
    assert "day 1, Morning, Night Bazaar" in html and "it is not open long enough" in html
    assert "choose another one, or another day or period" in html and "there are 1 days in place of 4" in html
    assert session.values.get(profile="published", key="reward").value == 0
    assert "not reached" in panel(client, session, "scores") or "ended before" in panel(
        client, session, "scores"
    )


def test_an_answer_without_a_plan_is_worth_the_least(client: Client, play: Callable[..., Session]) -> None:
    session = play("I can't do that.")
    assert session.completion_reason == "no_plan"
    values = dict(session.values.filter(profile="published").values_list("key", "value"))
    assert (values["reward"], values["delivered"]) == (-3, 0) and "feasible" not in values
    assert "the answer holds no JSON object" in panel(client, session, "reward")


REQUEST = {
    "task_id": "mine",
    "user_request": "We would like three quiet days by the lake, with tea and good food.",
    "cities": "杭州",
    "departure_city": "北京市",
    "start_date": "2026-05-04",
    "days": "3",
    "return_required": "on",
    "place-collection": "own",
    "place-world": "starter",
}


def test_a_persons_request_becomes_a_task_with_data_of_a_world(client: Client, starter_world: World) -> None:
    page = "/tasks/new?suite=tripscore"
    assert "GroupTravelBench" in html_of(client.get(page))
    response = client.post(page, {**REQUEST, "split": "test"})
    assert response.status_code == 302
    made = Task.objects.get(task_id="mine")
    query = made.definition["query"]
    assert (query["type"], query["cities"], query["return_required"]) == ("real", ["杭州市"], True)
    assert query["user_request"] == REQUEST["user_request"] and made.facets["split"] == "test"
    assert {len(entries) > 3 for entries in made.definition["reference"].values()} == {True}
    changed = {**REQUEST, "cities": "杭州市", "days": "2", "split": "test"}
    response = client.post(f"/tasks/{made.task_id}/edit", changed)
    new = Task.objects.get(task_id="mine.v2")
    assert new.definition["id"] == "mine.v2" and "task_id" not in new.definition
    assert (
        new.definition["query"]["days"] == 2 and new.definition["reference"] == made.definition["reference"]
    )


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"user_request": "Three days by the lake."}, "Say more: a request has at least 10 words"),
        ({"user_request": "想去杭州玩两天，好吗"}, "or 15 characters in Chinese"),
        ({"cities": "Atlantis"}, "The world has no city “Atlantis”; it has: "),
        ({"cities": "杭州, 杭州市"}, "A city is there twice"),
        ({"place-world": ""}, "Choose a world: sights, hotels and transport"),
        ({"days": "0"}, "greater than or equal to 1"),
        ({"start_date": "tomorrow"}, "Enter a valid date"),
        (
            {"cities": "广州, 杭州, 深圳", "days": "1"},
            "No plan could answer this request",
        ),
    ],
)
def test_a_request_that_can_not_be_planned_is_refused_with_the_reason(
    client: Client, starter_world: World, wrong: dict[str, str], why: str
) -> None:
    html = html_of(client.post("/tasks/new?suite=tripscore", {**REQUEST, **wrong}))
    assert why in html and not Task.objects.filter(task_id="mine").exists()
    checked = html_of(client.post("/tasks/check?suite=tripscore", {**REQUEST, **wrong, "suite": "tripscore"}))
    assert why in checked and "can be saved" not in checked


def test_a_set_of_queries_is_asked_for_and_previewed(client: Client, starter_world: World) -> None:
    limits = {"sights": "12", "hotels": "4", "services": "2"}
    own = {"suite": "tripscore", "collection": "c", "world": "starter", "seed": "1", "queries": "2", **limits}
    assert "Services a day between two cities" in html_of(client.get("/tasks/synthesis/?suite=tripscore"))
    response = client.post("/tasks/synthesis/", {**own, "prefix": "made-", "split": "train", "do": "preview"})
    row = TaskSynthesis.objects.get()
    assert response.url == row.get_absolute_url()
    assert task_preview(row.pk)
    html = html_of(client.get(row.get_absolute_url()))
    assert "2 tasks can be made over this world." in html
    assert "made-0001" in html and "--option queries=2" in html and "synthetic" in html
    refused = html_of(client.post("/tasks/synthesis/", {**own, "sights": "0", "prefix": "x-"}))
    assert "write a number from 1 to 100" in refused


def test_parameters_are_chosen_for_a_session_and_shown_beside_its_reward(
    client: Client, task: Task, starter_world: World
) -> None:
    html = html_of(client.get(f"/sessions/new/?task={task.task_id}"))
    assert "How it is scored: 29 options" in html and 'name="block_min_free"' in html
    setup = Setup(agent="planner", options={"w3": 2.0, "w1": "density=1"})
    session = create_session(task=task, world=starter_world, setup=setup, start=False)
    advance(session.pk, budget_s=None, paced=False)
    html = panel(client, session, "reward")
    assert "of at most 4.100 by rules" in html and html.count("of this run") == 2
    assert (
        "w1: weights of the soft constraints" in html and "schedule_density=1, hotel_consistency=0.5" in html
    )
    wrong = {"task": task.task_id, "world": starter_world.name, "agent": "planner", "far_share": "2"}
    html = html_of(client.post("/sessions/new/", wrong))
    assert "write a number from 0 to 1, such as 0.2" in html and '<details class="fine" open>' in html


def test_a_session_goes_on_after_its_worker_was_killed_and_after_a_pause(
    play: Callable[..., Session], task: Task, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    class WorkerKilled(BaseException):
        """What a worker that is killed does not handle."""

    def be_killed(_agent: PlannerAgent, _view: Any) -> Say:
        raise WorkerKilled

    whole = play()
    broken = create_session(task=task, world=starter_world, setup=Setup(agent="planner"), start=False)
    own = Session.objects.filter(pk=broken.pk)
    with monkeypatch.context() as patch:
        patch.setattr(PlannerAgent, "act", be_killed)
        with pytest.raises(WorkerKilled):
            advance(broken.pk, budget_s=None, paced=False)
    Job.objects.filter(subject=broken.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    pause_sessions(own)
    advance(broken.pk, budget_s=None, paced=False)
    assert own.get().status == "running" and not own.get().values.exists()
    resume_sessions(own)
    advance(broken.pk, budget_s=None, paced=False)
    broken.refresh_from_db()
    for session in (whole, broken):
        assert (session.status, session.completion_reason) == ("finished", "planned")
    logs = [[event.body for event in read_log(session)] for session in (broken, whole)]
    assert [*map(type, logs[0])] == [*map(type, logs[1])]
    assert logs[0][-2:] == logs[1][-2:]
    figures = [[*session.values.order_by("key").values_list("key", "value")] for session in (broken, whole)]
    assert figures[0] == figures[1]


def test_findings_have_words_and_a_remedy() -> None:
    seen = set()
    for own in broken_cases(300, seed=2):
        try:
            task = OwnTask.model_validate(own)
        except ValidationError:
            continue
        for mark in chain(*score_plan(own.get("plan"), task, DEFAULTS, {}).marks.values()):
            sentence = words_of(mark)
            assert sentence.text and sentence.mend
            seen.add(mark.key)
    assert len(seen) > 25 and seen <= {*FINDINGS}


def test_wishes_and_derived_tags_are_told_in_the_language_of_the_page() -> None:
    mark = Mark((), "stars", {"star": 3, "wish": "Best Value"})
    with translation.override("zh-hans"):
        assert "性价比高" in words_of(mark).text
        assert (time_words(When(text="Evening")), time_words(When(text="09:00"))) == ("晚上", "09:00")
        assert (wish_words("mountain-climbing"), wish_words("寺庙")) == ("登山", "寺庙")


def test_a_model_is_told_all_data_and_every_key(task: Task) -> None:
    kept = {**OWN, "reference": {**REFERENCE, "hotels": [{**REFERENCE["hotels"][0], "pool": "indoor"}]}}
    context = SeatContext(seat="Agent", task=OwnTask.model_validate(kept), tools=None)
    view: Any = type("View", (), {"language": "en"})
    told = briefing_of(context).system_prompt(view, ("role", "schema", "data"))
    assert (
        '"pool":"indoor"' in told and '"openTimeCalendar"' in told and "No 3" in told and '"days":4' in told
    )
