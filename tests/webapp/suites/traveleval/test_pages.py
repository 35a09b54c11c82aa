"""A TravelEval session from the import of its query to its pages."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.core.actions import Say
from benchmark.core.participant import BuiltIn, Cast
from benchmark.suites.traveleval import participants
from benchmark.suites.traveleval.world import tables_of
from sandbox.worlds import open_world
from tests.markup import tight
from tests.scale.traveleval import query, sound_plan
from webapp.accounts.models import Role, User
from webapp.catalogue.models import Task, World
from webapp.forms import ChoiceRefused
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup, create_session
from webapp.suites.traveleval.task import title
from worker.sessions import advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    return client


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    own = query(nature_language="我们两个人从北京去杭州玩3天，预算6000元。").model_dump(mode="json")
    path = tmp_path / "easy.json"
    path.write_text(json.dumps({"version": "1.0", "queries": [own]}, ensure_ascii=False, indent=1))
    return path


@pytest.fixture
def task(queries: Path, starter_world: World) -> Task:
    call_command("import_tasks", queries, "--suite", "traveleval")
    task = Task.objects.get(task_id="own-1")
    assert task.collection.name == "easy"
    return task


@pytest.fixture
def play(
    task: Task, starter_world: World, starter_pack: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Session]:
    """Has a worker play the query with an agent that says what it is given."""
    plan = sound_plan(tables_of(open_world(starter_pack)), Random(7))

    def play_query(change: Callable[[dict[str, Any]], object] = dict, **options: object) -> Session:
        change(plan)

        class Planner:
            def act(self, view: Any) -> Say:
                return Say(f"```json\n{json.dumps(plan, ensure_ascii=False)}\n```")

        cast = Cast({"planner": BuiltIn(lambda context: Planner()), **participants.AGENTS}, {})
        monkeypatch.setattr(participants, "CAST", cast)
        session = create_session(
            task=task, world=starter_world, setup=Setup(agent="planner", options=options), start=False
        )
        advance(session.pk, budget_s=None, paced=False)
        session.refresh_from_db()
        return session

    return play_query


def html_of(response: Any) -> str:
    assert response.status_code == 200
    return tight(response.content.decode())


def test_a_query_is_played_scored_and_shown(client: Client, play: Callable[..., Session]) -> None:
    session = play()
    assert (session.status, session.completion_reason) == ("finished", "planned")
    assert session.values.filter(profile="published").count() == 41
    html = html_of(client.get(session.get_absolute_url()))
    assert "turn to the agent: it gives its plan" in html and "Query own-1: 北京 → 杭州" in html
    assert "The agent gave its plan." in html and "planner agent" in html and "scripted users" not in html
    assert "Rounds of ReAct" not in html, "options with their default are not told"
    assert (
        "fictitious attraction rate" in html and "share of meals" not in html and "without queues" not in html
    )
    scores = html_of(client.get(f"/sessions/{session.pk}/panel/scores/"))
    for group in ("Accuracy", "Compliance", "Temporality", "Spatiality", "Economy", "Utility"):
        assert group in scores
    assert "<summary>Where the profiles differ, by example</summary>" in scores
    assert "by the paper they queue all the same (博物馆 → 博物馆/纪念馆," in " ".join(scores.split())
    assert "PD" in scores and "the beds stand by themselves and among the tickets" in scores
    chinese = html_of(client.get(f"/sessions/{session.pk}/panel/scores/", HTTP_ACCEPT_LANGUAGE="zh-hans"))
    assert "两人有 3 个床位" in chinese
    plan = html_of(client.get(f"/sessions/{session.pk}/panel/plan/"))
    assert "Day 1, 杭州" in plan and "Costs of the party" in plan and "地铁 → " in plan
    assert "between cities" in plan and "intercity_transportation" not in plan
    assert client.get(f"/sessions/{session.pk}/panel/map/").status_code == 200


def test_the_execution_stands_beside_the_plan(client: Client, play: Callable[..., Session]) -> None:
    def make_late(plan: dict[str, Any]) -> None:
        plan["daily_plans"][1]["activities"][0].update(start_time="09:00", end_time="12:20")

    session = play(make_late)
    html = html_of(client.get(f"/sessions/{session.pk}/panel/execution/"))
    assert html.count("<section") == 3 and html.count(">executed<") == 6
    assert "The plan breaks first on day" in html and "missed <b>1</b>" in html
    assert "execution" in html_of(client.get(session.get_absolute_url()))
    colours = r'<div class="lane (t\d)"'
    address = f"/sessions/{session.pk}/panel/execution/"
    chinese = html_of(client.get(address, headers={"accept-language": "zh-hans"}))
    assert "计划" in chinese
    assert re.findall(colours, html) == re.findall(colours, chinese) == ["t1", "t2"] * 3


def test_the_execution_is_evidence_that_exports_hold(client: Client, play: Callable[..., Session]) -> None:
    session = play(lambda plan: plan["daily_plans"][1]["activities"][0].update(end_time="noon"))
    done = session.scores.get(profile="paper").figures["evidence"]["execution"]
    untimed = next(step for step in done["steps"] if step["outcome"] == "untimed")
    assert untimed["at"] == ["daily_plans", 1, "activities", 0] and untimed["planned"] is None
    assert done["steps"][0]["planned"] == done["steps"][0]["executed"]
    assert "execution" not in session.scores.get(profile="published").figures["evidence"]
    file = client.get(f"/sessions/{session.pk}/export.scores")
    scores = json.loads(b"".join(file.streaming_content))["scores"]  # type: ignore[attr-defined]
    assert scores["paper"]["evidence"]["execution"] == done and "missing" in scores["published"]
    packed = BytesIO(b"".join(client.get(f"/sessions/{session.pk}/export.inspect").streaming_content))  # type: ignore[attr-defined]
    with ZipFile(packed) as log:
        [sample] = [json.loads(log.read(name)) for name in log.namelist() if name.startswith("samples/")]
    assert "rows.str: at " in sample["scores"]["paper/str"]["explanation"]
    panel = html_of(client.get(f"/sessions/{session.pk}/panel/execution/"))
    assert "left out: its times can&#x27;t be read" in panel


def test_a_plan_of_which_nothing_can_be_executed_says_so(
    client: Client, play: Callable[..., Session]
) -> None:
    def break_all(plan: dict[str, Any]) -> None:
        plan["daily_plans"], plan["intercity_transport"] = {"day": 1}, None

    html = html_of(client.get(f"/sessions/{play(break_all).pk}/panel/execution/"))
    assert "Nothing of the plan can be executed." in html and "Everything comes about" not in html
    assert "is left out: intercity_transport, daily_plans" in html


def test_numbers_that_are_none_or_without_end_lose_their_figures_alone(
    client: Client, play: Callable[..., Session]
) -> None:
    def break_numbers(plan: dict[str, Any]) -> None:
        plan["daily_plans"][0]["activities"][0]["cost"] = math.nan
        plan["summary"]["total_budget"] = math.inf

    session = play(break_numbers)
    assert (session.status, session.completion_reason) == ("finished", "planned")
    assert session.scores.count() == 2
    for panel in ("plan", "scores", "execution", "versions"):
        html_of(client.get(f"/sessions/{session.pk}/panel/{panel}/"))
    html_of(client.get(session.get_absolute_url()))


def test_changed_names_stand_beside_the_plan(client: Client, play: Callable[..., Session]) -> None:
    def add_verb(plan: dict[str, Any]) -> None:
        first = plan["daily_plans"][0]["activities"][0]
        first["location_name"] = f"参观{first['location_name']}"

    html = html_of(client.get(f"/sessions/{play(add_verb, names='standard').pk}/panel/plan/"))
    assert "Names changed before scoring <small>1</small>" in html and "with the names of the tables" in html
    assert '<th scope="row">fictitious attraction rate</th><td class="n">16.7</td><td class="n">0.0' in html


def test_figures_that_are_missing_say_why(client: Client, play: Callable[..., Session]) -> None:
    session = play(lambda plan: plan["daily_plans"][0]["activities"][0].pop("start_time"))
    figures = session.scores.get(profile="published").figures
    assert figures["missing"]["dtu"] == {
        "reason": "unreadable",
        "field": "daily_plans.0.activities.0.start_time",
    }
    scores = html_of(client.get(f"/sessions/{session.pk}/panel/scores/"))
    assert "daily_plans.0.activities.0.start_time" in scores
    published = scores.split("<h2>published")[1]
    diversity = published.split("experience diversity index")[1].split("</tr>")[0]
    assert "not counted in means" in diversity and f"{figures['edi']:.3f}" in diversity
    assert not session.values.filter(profile="published", key="edi").exists() and figures["edi"] is not None


def test_the_page_of_a_query_tells_its_wishes(client: Client, task: Task) -> None:
    html = html_of(client.get(task.get_absolute_url()))
    assert "北京 → 杭州" in html and "杭帮菜" in html and "火锅" in html and "¥6,000" in html
    listing = html_of(client.get("/tasks/?suite=traveleval&difficulty=hard&group="))
    assert "预算6000元" in listing


def test_a_file_with_bad_queries_changes_nothing(queries: Path, starter_world: World) -> None:
    document = json.loads(queries.read_text())
    document["queries"].append({**document["queries"][0], "uid": "own-2", "days": "three"})
    queries.write_text(json.dumps(document, indent=1))
    with pytest.raises(CommandError, match=r"line \d+, days"):
        call_command("import_tasks", queries, "--suite", "traveleval")
    assert not Task.objects.filter(task_id__in=["own-1", "own-2"]).exists()


def test_golden_cases_are_scored_by_the_command(
    queries: Path, starter_world: World, starter_pack: Path, tmp_path: Path
) -> None:
    (tmp_path / "example_plans.json").write_text("[]")
    plan = sound_plan(tables_of(open_world(starter_pack)), Random(7))
    cases = [
        {"case": "one", "query_uid": "own-1", "query_patch": {"days": 4}, "itinerary": plan},
        {"case": "two", "query_uid": "own-1", "itinerary": {}},
    ]
    path, out = tmp_path / "plans.jsonl", tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, cases)))
    folder = tmp_path / "tasks"
    folder.mkdir()
    queries.rename(folder / "easy.json")
    given = ("--world", starter_world.name, "--tasks", folder)
    call_command("score-suite", "traveleval", path, *given, "--profile", "published", "--out", out)
    one, two = (json.loads(line) for line in out.read_text().splitlines())
    assert (one["case"], one["run"], one["metrics"]["TCS"]) == ("one", "success", 0)
    assert one["metrics"]["great_circle"].keys() == {"SSR", "CSM_P90", "CSM_P95"}
    with pytest.raises(CommandError, match=r"option densities can't be “slow=no”.*for some of packed, slow"):
        no_number = ("--profile", "paper", "--option", "densities=slow=no")
        call_command("score-suite", "traveleval", path, *given, *no_number, "--out", tmp_path / "no.jsonl")
    by_paper = ("--profile", "paper", "--option", "service_hours=06:00-23:00", "--option", "names=standard")
    call_command("score-suite", "traveleval", path, *given, *by_paper, "--out", tmp_path / "paper.jsonl")
    told = json.loads((tmp_path / "paper.jsonl").read_text().splitlines()[0])
    assert told["metrics"]["FRTC"] >= 0 and told["metrics"]["TCS"] == 0
    path.write_text(json.dumps({"case": "three", "query_uid": "nobody", "itinerary": {}}))
    with pytest.raises(CommandError, match="line 1, query_uid: there is no task nobody"):
        call_command("score-suite", "traveleval", path, *given, "--profile", "paper", "--out", out)
    assert (two["run"], two["metrics"], two["reason"]) == ("stops the batch", None, "refused")


def test_the_form_of_a_session_asks_for_nobody_beside_the_agent(
    client: Client, play: Callable[..., Session], task: Task, starter_world: World
) -> None:
    play()
    html = html_of(client.get(f"/sessions/new/?task={task.task_id}"))
    assert 'name="agent"' in html and 'name="users"' not in html
    for label in ("A plan off the schema", "Rounds of ReAct", "Reflections of Reflexion", "Queues at sights"):
        assert label in html
    sent = {"task": task.task_id, "world": starter_world.name, "agent": "planner", "seed": 0, "mode": "world"}
    fine = {"normalisation": "published", "embedder": "fields", "index": "exact", "examples": 8}
    wrong = {"service_hours": "always", "rounds": 9, "queue_base": "山=3"}
    refused = html_of(client.post("/sessions/new/", {**sent, **fine, **wrong}))
    for remedy in ("such as 06:00-23:00, or nothing", "write a number from 1 to 3", "“山=3” is wrong"):
        assert remedy in refused
    response = client.post("/sessions/new/", {**sent, **fine, "queue": "none", "rounds": 2})
    assert response.status_code == 302
    session = Session.objects.latest("created_at")
    assert (session.options["queue"], session.options["rounds"]) == ("none", 2)


def test_a_run_has_its_means_with_their_coverage_and_a_report(
    client: Client, play: Callable[..., Session], task: Task, starter_world: World
) -> None:
    play()
    run = create_run(
        name="plans",
        tasks=Task.objects.filter(pk=task.pk),
        world=starter_world,
        setup=Setup(agent="planner"),
        trials=2,
    )
    for session in run.sessions.all():
        advance(session.pk, budget_s=None, paced=False)
    page = html_of(client.get(run.get_absolute_url()))
    assert "FAR" in page and "BCS" in page
    report = html_of(client.get(f"/reports/?runs={run.pk}"))
    assert "Main results" in report and "FAR %" in report and "CSM P95" in report
    table = client.get(f"/sessions/?suite=traveleval&run={run.pk}")
    assert table.status_code == 200


def test_pages_of_runs_tell_of_nobody_beside_the_agent_and_of_options_that_are_not_as_usual(
    client: Client, play: Callable[..., Session], task: Task, starter_world: World
) -> None:
    play()
    setup = Setup(agent="planner", options={"queue": "none"})
    tasks = Task.objects.filter(pk=task.pk)
    run = create_run(name="plans", tasks=tasks, world=starter_world, setup=setup)
    page = html_of(client.get(run.get_absolute_url()))
    assert "Queues at sights: none" in page and "Hours of public transport" not in page
    for address in (task.get_absolute_url(), "/runs/", f"/runs/compare/?runs={run.pk}"):
        assert "scripted" not in html_of(client.get(address)).split("<form")[-1]


def test_titles_have_as_many_words_as_there_is_room_for() -> None:
    asked = (
        "The three of us, all adults, want to travel from Foshan to Hangzhou for 7 days,"
        " leaving on September 10, 2025, with a total budget of 10,000 RMB."
    )
    assert title(Task(query=asked)).endswith("Hangzhou for 7 days, leaving on September 10, 2025, with a…")


def test_parts_of_the_costs_are_shares_of_the_total(client: Client, play: Callable[..., Session]) -> None:
    plan = html_of(client.get(f"/sessions/{play().pk}/panel/plan/"))
    costs = plan.split("Costs of the party")[1].split("</table>")[0]
    assert "no budget" not in costs and costs.count("%</small>") == 6


def test_tables_as_files_have_the_columns_of_their_rows_and_no_option_hides_one(
    client: Client, play: Callable[..., Session], task: Task, starter_world: World
) -> None:
    play()
    setup = Setup(agent="planner", options={"rounds": 2})
    run = create_run(name="plans", tasks=Task.objects.filter(pk=task.pk), world=starter_world, setup=setup)
    advance(run.sessions.get().pk, budget_s=None, paced=False)
    head, *rows = b"".join(client.get("/sessions/table.csv").streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert {"far", "profit"} <= {*head.split(",")} and not {"pc", "gu", "unsolved"} & {*head.split(",")}
    assert len(rows) == 2
    [line] = b"".join(client.get(f"/runs/{run.pk}/export.jsonl").streaming_content).splitlines()  # type: ignore[attr-defined]
    row = json.loads(line)
    assert (row["option_rounds"], row["rounds"]) == (2, run.sessions.get().round)


def test_side_by_side_the_plan_is_left_out_of_what_was_said(
    client: Client, play: Callable[..., Session]
) -> None:
    first = play()
    other = play(lambda plan: plan["daily_plans"].pop(), names="standard")
    html = html_of(client.get(f"/sessions/compare/?session={first.pk}&session={other.pk}&tab=conversation"))
    assert html.count("(the plan)") == 2 and html.count("The plan in it differs.") == 2 and "```" not in html


@pytest.mark.parametrize(
    ("option", "remedy"),
    [
        (
            {"distances": "amap"},
            "set CARAVAN_AMAP_KEY for the server and its workers, or choose great_circle",
        ),
        ({"queue_base": "山=3"}, "write NAME=NUMBER"),
        ({"service_hours": "always"}, "write two times of day, such as 06:00-23:00"),
        ({"speed": 3}, "there is no option speed; choose one of"),
    ],
)
def test_a_run_with_an_option_that_can_not_be_is_refused_and_nothing_is_stored(
    task: Task, starter_world: World, monkeypatch: pytest.MonkeyPatch, option: dict[str, Any], remedy: str
) -> None:
    monkeypatch.delenv("CARAVAN_AMAP_KEY", raising=False)
    setup = Setup(agent="baseline_a", options=option)
    with pytest.raises(ChoiceRefused, match=remedy):
        create_run(name="plans", tasks=[task], world=starter_world, setup=setup)
    assert not Run.objects.exists() and not Session.objects.exists()
