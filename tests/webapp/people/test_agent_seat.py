"""A person in the agent's seat: the tools, the plan, and what they believe, through their browser."""

from __future__ import annotations

import json
import re
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from benchmark.suites.traveleval.tasks import STARTER as TRAVELEVAL_STARTER
from tests.conftest import store_starter_tasks, store_starter_world
from tests.markup import text
from tests.people import Sitter, with_people
from webapp.catalogue.models import Task, World
from webapp.people.models import Guest
from webapp.people.tool_forms import PREFIX
from webapp.seats.models import InboxMessage, Seat
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.services import request_stop
from worker.sessions import advance

pytestmark = pytest.mark.django_db


def play_to_person(session: Session) -> None:
    """On to where the person has to act."""
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()


class AtDesk(Sitter):
    """A person's browser at the agent's seat."""

    @property
    def session(self) -> Session:
        return self.seat.session

    def desk(self, path: str = "", **asked: str) -> str:
        response = self.client.get(f"{self.path}desk/{path}", asked)
        assert response.status_code == 200
        return text(response)

    def call(self, tool: str, **given: str) -> Any:
        sure = {"sure": given.pop("sure")} if "sure" in given else {}
        arguments = {PREFIX + name: value for name, value in given.items()}
        sent = {"client_id": next(self.ids), **arguments, **sure}
        return self.client.post(f"{self.path}desk/tools/{tool}/", sent)

    def act(self, part: str, **given: Any) -> str:
        return text(self.client.post(f"{self.path}desk/{part}/", {"client_id": next(self.ids), **given}))

    def plan(self, do: str, **given: Any) -> str:
        return self.act("plan", do=do, **given)

    def save(self, at: str = "", **item: Any) -> str:
        return self.plan("save", at=at, **{f"item-{name}": value for name, value in item.items()})

    @property
    def draft(self) -> Any:
        return self.guest.plan_draft

    def inbox(self) -> list[InboxMessage]:
        return list(InboxMessage.objects.filter(seat=self.seat).order_by("pk"))

    def notes(self) -> None:
        """Send the notes that come first."""
        self.act("beliefs", leave="1")
        play_to_person(self.session)


def come_to_desk(task: Task, world: World) -> AtDesk:
    """Somebody in the agent's seat of a new session."""
    session = with_people(task, world, agent=PERSON)
    sitter = AtDesk(Seat.objects.get(session=session, name=AGENT))
    sitter.come()
    return sitter


@pytest.fixture(scope="module")
def first_turn(module_rows: None, starter_pack: Path) -> AtDesk:
    """Somebody at their first turn, which asks for notes."""
    world = store_starter_world(starter_pack)
    task = next(task for task in store_starter_tasks() if task.language == "en")
    sitter = come_to_desk(task, world)
    play_to_person(sitter.session)
    return sitter


@pytest.fixture
def task(db: None, first_turn: AtDesk) -> Task:
    return Task.objects.get(pk=first_turn.session.task_id)


@pytest.fixture
def early_comer(task: Task, starter_world: World) -> AtDesk:
    """Before their first turn."""
    return come_to_desk(task, starter_world)


@pytest.fixture
def agent(db: None, first_turn: AtDesk, kept_logs: None) -> AtDesk:
    """At their first turn, which asks for notes."""
    sitter = copy(first_turn)
    sitter.seat, sitter.client = Seat.objects.get(pk=sitter.seat.pk), Client()
    sitter.client.cookies = deepcopy(first_turn.client.cookies)
    return sitter


@pytest.fixture
def speaking(agent: AtDesk) -> AtDesk:
    """At a turn in which they may call tools and speak."""
    agent.notes()
    return agent


def test_the_desk_is_there_before_the_first_turn(early_comer: AtDesk) -> None:
    assert early_comer.desk() and early_comer.desk("plan/") and early_comer.desk("beliefs/")


def test_the_page_has_the_desk_and_no_travellers_card(agent: AtDesk) -> None:
    page = text(agent.client.get(agent.path))
    assert 'id="desk"' in page and "js/desk.js" in page
    assert 'id="card"' not in page and 'id="mention"' not in page and 'name="pass"' not in page
    assert "note what you believe each traveller wants" in page and 'data-asks="beliefs"' in page
    desk = agent.desk()
    assert desk.count('class="tool-form"') == 10
    for name in ("tools", "plan", "beliefs"):
        assert f'id="desk-{name}"' in desk
    assert 'id="get_poi_detail-id"' in desk and 'data-takes="name location"' in desk


def test_whoever_has_a_travellers_seat_has_no_desk(task: Task, starter_world: World) -> None:
    session = with_people(task, starter_world, "User1", agent=PERSON)
    seats = {seat.name: Sitter(seat).come() for seat in Seat.objects.filter(session=session, kind=PERSON)}
    traveller, agent = seats["User1"], seats[AGENT]
    paths = ("", "plan/", "beliefs/")
    for path in paths:
        assert traveller.client.get(f"{traveller.path}desk/{path}").status_code == 404
        assert agent.client.get(f"{agent.path}desk/{path}").status_code == 200
        assert traveller.client.get(f"{agent.path}desk/{path}").status_code == 403
        assert Client().get(f"{agent.path}desk/{path}").status_code == 403
    assert (
        traveller.client.post(f"{traveller.path}desk/tools/web_search/", {"client_id": "1"}).status_code
        == 404
    )
    assert traveller.client.post(f"{traveller.path}desk/plan/", {"do": "add-day"}).status_code == 404
    page = text(traveller.client.get(traveller.path))
    assert 'id="desk"' not in page and 'id="card"' in page
    assert agent.client.get(f"{agent.path}desk/nothing/").status_code == 404


def test_tools_rest_in_a_turn_for_notes(agent: AtDesk) -> None:
    answer = agent.call("web_search", query="tea")
    assert "No tools in this turn" in text(answer) and not agent.inbox()


def test_wrong_arguments_are_refused_at_their_field(speaking: AtDesk) -> None:
    had = len(speaking.inbox())
    answer = text(speaking.call("travel_search_trains", origin="上海市", destination="苏州市", date="soon"))
    assert 'role="alert"' in answer and "date" in answer
    field = answer[answer.index('id="travel_search_trains-date"') :]
    assert 'aria-invalid="true"' in field[: field.index(">")] and 'value="soon"' in field[: field.index(">")]
    missing = text(speaking.call("search_poi", keywords="景点"))
    assert 'aria-invalid="true"' in missing[missing.index('id="search_poi-city"') :]
    assert speaking.client.post(f"{speaking.path}desk/tools/rm/", {"client_id": "x"}).status_code == 404
    assert len(speaking.inbox()) == had


def test_a_call_is_made_and_its_result_stands_in_the_chat_alone(speaking: AtDesk) -> None:
    city = speaking.session.task.definition["metadata"]["cities"][0]
    answer = speaking.call("search_poi", keywords="景点", city=city)
    assert answer.headers["HX-Trigger"] == "seat:called" and "Called." in text(answer)
    waits = text(speaking.call("search_poi", keywords="美食", city=city))
    assert "still being handled" in waits
    play_to_person(speaking.session)
    page = text(speaking.client.get(speaking.path))
    chat = page[page.index('id="chat"') : page.index('id="now"')]
    assert "search_poi" in chat and 'data-use="name"' in chat and 'data-use="location"' in chat
    assert 'data-plan="open=activity&type=attraction&location=' in chat
    events = [event.body.type for event in whole_log(speaking.session.pk)]
    assert events[-2:] == ["tool_called", "tool_returned"]


def test_a_repeated_call_asks_first(speaking: AtDesk) -> None:
    first = {"query": "tea houses"}
    speaking.call("web_search", **first)
    play_to_person(speaking.session)
    asked = text(speaking.call("web_search", **first))
    assert "You have already made this call" in asked and 'name="sure"' in asked
    had = len(speaking.inbox())
    assert "Called." in text(speaking.call("web_search", **first, sure="1"))
    assert len(speaking.inbox()) == had + 1
    play_to_person(speaking.session)
    rests = text(speaking.call("web_search", query="something else"))
    assert "tools rest until your next turn" in rests


def test_words_belong_to_a_turn_for_words(agent: AtDesk) -> None:
    refused = text(agent.say("Hello all"))
    assert "send the tab “Beliefs”" in refused and not agent.inbox()
    agent.notes()
    assert "must speak" in text(agent.passes())
    assert agent.say("Hello @User1, what do you like?").headers["HX-Trigger"] == "seat:sent"
    early = text(agent.say("And one more thing"))
    assert "It is not your turn now" in early
    assert [message.content for message in agent.inbox()][-1] == "Hello @User1, what do you like?"


def test_what_they_believe_is_sent(agent: AtDesk) -> None:
    form = agent.desk("beliefs/")
    assert 'id="belief-User1"' in form and "Nothing is known yet" in form
    wrong = agent.act("beliefs", **{"of-User1-avg_budget": "much"})
    assert "nothing was sent" in wrong and not agent.inbox()
    answer = agent.act("beliefs", **{"of-User1-avg_budget": "3000", "of-User2-transport-reject": "飞机"})
    assert "Your notes are sent." in answer
    (message,) = agent.inbox()
    told = json.loads(message.content)
    assert told["User1"]["global_constraints"]["avg_budget"] == 3000
    play_to_person(agent.session)
    assert agent.table.fold.table == told
    assert "of ¥3,000" in agent.desk("plan/")
    assert "this is not one of them" in agent.act("beliefs", leave="1")


# The plan.


def test_the_draft_begins_with_the_days_of_the_request(agent: AtDesk) -> None:
    opened = agent.table.fold.opening
    shown = agent.desk("plan/")
    assert f'name="date-0" value="{opened.time[:10]}"' in shown
    assert "The first day is empty" in shown and agent.draft is None
    assert "disabled" in shown[shown.index('id="post-plan"') :][:120]


def test_a_plan_grows_and_is_checked(agent: AtDesk) -> None:
    cities = agent.session.task.definition["metadata"]
    home, city = cities["departure_city"], cities["cities"][0]
    agent.save(
        type="intercity_transport",
        day="0",
        start="08:00",
        end="10:00",
        from_city=home,
        to_city=city,
        mode="高铁",
        cost="90",
    )
    assert agent.draft["days"][0]["city_segments"] == [
        {
            "type": "intercity_transport",
            "from_city": home,
            "to_city": city,
            "transport_mode": "高铁",
            "start_time": "08:00",
            "end_time": "10:00",
            "avg_cost": 90,
        }
    ]
    users = agent.table.fold.opening.users
    shown = agent.save(
        type="food", day="0", start="12:00", end="13:00", city=city, location="A", who=users, cost="45.5"
    )
    assert "no transport from where the inter-city leg arrives" in shown
    assert "to fix it: add local transport to A right after the leg" in shown
    assert "the day ends without a hotel" in shown
    way = {"origin": "station", "destination": "A", "way": "步行", "who": users}
    shown = agent.save(type="intracity_transport", day="0", start="11:00", end="11:30", city=city, **way)
    assert "no transport from" not in shown
    block = agent.draft["days"][0]["city_segments"][1]
    assert [one["type"] for one in block["activities"]] == ["intracity_transport", "food"]
    assert block["activities"][1]["participants"] == ["All"] and block["activities"][1]["avg_cost"] == 45.5
    assert "avg_cost" not in block["activities"][0]
    costs = shown[shown.index("Cost per person") :]
    assert costs.count("¥136") == len(users)
    assert json.loads(json.dumps(agent.draft)) == agent.draft


def test_something_in_the_plan_is_changed_moved_and_removed(agent: AtDesk) -> None:
    rest = {"type": "rest", "day": "0", "city": "X"}
    users = list(agent.table.fold.opening.users)
    for hour in ("09", "11", "10"):
        agent.save(**rest, start=f"{hour}:00", end=f"{hour}:30", who=users)

    def starts(day: int = 0) -> list[str]:
        segments = agent.draft["days"][day]["city_segments"]
        return [one["start_time"] for segment in segments for one in segment["activities"]]

    assert starts() == ["09:00", "10:00", "11:00"]
    agent.plan("down:0-0-0")
    assert starts() == ["10:00", "09:00", "11:00"]
    agent.plan("up:0-0-0")
    assert starts() == ["10:00", "09:00", "11:00"]
    form = agent.desk("plan/", edit="0-0-2")
    assert 'value="11:00"' in form and 'name="at" value="0-0-2"' in form
    agent.save("0-0-2", **rest, start="08:00", end="08:30", who=users[:1])
    assert starts() == ["08:00", "10:00", "09:00"]
    assert agent.draft["days"][0]["city_segments"][0]["activities"][0]["participants"] == users[:1]
    agent.save("0-0-0", **{**rest, "day": "1"}, start="08:00", end="08:30", who=users)
    assert starts() == ["10:00", "09:00"] and starts(1) == ["08:00"]
    agent.plan("remove:1-0-0")
    assert agent.draft["days"][1]["city_segments"] == []
    assert "no longer in the plan" in agent.plan("remove:1-0-0")
    assert "no longer in the plan" in agent.plan("up:x")
    assert "no longer in the plan" in agent.plan("remove-day:40")


@pytest.mark.parametrize("removal", ["remove:0-0-0", "remove-day:0"])
def test_what_was_removed_comes_back_at_once(agent: AtDesk, removal: str) -> None:
    users = list(agent.table.fold.opening.users)
    agent.save(
        type="food", location="得月楼", cost="80", day="0", city="X", start="09:00", end="09:30", who=users
    )
    whole = agent.draft
    shown = agent.plan(removal)
    assert agent.draft != whole
    assert ("Removed: 得月楼" if removal.startswith("remove:") else "Removed: Day 1") in shown
    before = re.findall(r'name="before" value="(.*?)"><p', shown)[0]
    version = re.findall(r'name="version" value="(\w+)"', shown)[0]
    agent.plan("add-day")
    assert "changed in another window" in agent.plan("undo", before=before, version=version)
    agent.plan("remove-day:" + str(len(agent.draft["days"]) - 1))
    assert "not a JSON object" in agent.plan("undo", before="x")
    shown = agent.plan("undo", before=before, version=version)
    assert "This is your plan now." in shown
    assert agent.draft == whole


def test_two_windows_do_not_change_different_plans(agent: AtDesk) -> None:
    shown = agent.desk("plan/")
    version = re.findall(r'name="version" value="(\w+)"', shown)[0]
    had = shown.count('name="date-')
    agent.plan("add-day", version=version)
    assert len(agent.draft["days"]) == had + 1
    assert "changed in another window" in agent.plan("remove-day:0", version=version)
    assert len(agent.draft["days"]) == had + 1


def test_what_is_missing_is_told_at_its_field(agent: AtDesk) -> None:
    form = agent.save(type="attraction", day="0", start="09:00", end="", city="X", location="", cost="")
    assert "Choose at least one traveller." in form and "Give a cost, 0 where it is free." in form
    assert form.count("This field is required.") == 2
    assert agent.draft is None


def test_days_are_added_dated_and_removed(agent: AtDesk) -> None:
    agent.plan("add-day")
    had = [day["date"] for day in agent.draft["days"]]
    agent.plan("", **{"date-0": "2031-05-01"})
    assert [day["date"] for day in agent.draft["days"]] == ["2031-05-01", *had[1:]]
    assert "YYYY-MM-DD" in agent.plan("", **{"date-0": "tomorrow"})
    agent.plan("remove-day:0")
    assert [(day["day"], day["date"]) for day in agent.draft["days"]] == list(enumerate(had[1:], 1))


def test_a_result_is_taken_into_the_plan(agent: AtDesk) -> None:
    form = agent.desk("plan/", open="activity", type="food", location="得月楼", city="苏州市", avg_cost="80")
    assert 'value="得月楼"' in form and 'value="80"' in form and "Add to the plan" in form
    date = agent.table.fold.opening.time[:10]
    leg = agent.desk("plan/", open="leg", from_city="上海市", to_city="苏州市", start_time="08:12", date=date)
    assert (
        'value="08:12"' in leg and 'value="上海市"' in leg and 'value="intercity_transport" selected' in leg
    )
    assert '<option value="高铁">high-speed rail (高铁)</option>' in leg


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("", "not a JSON object"),
        ('{"days": [', "not a JSON object"),
        ("[1]", "not a JSON object"),
        ('{"days": 3}', "a list “days”"),
        ('{"days": [{}]}', "no list “city_segments”"),
        ('{"days": [{"city_segments": [{"city": "X"}]}]}', "without a list “activities”"),
        ('{"days": [{"city_segments": [], "x": "\\ud800"}]}', "JSON can't express"),
        ('{"days": [{"city_segments": [], "x": NaN}]}', "JSON can't express"),
        ('{"days": [{"city_segments": [], "x": 1' + "0" * 400 + "}]}", "too large"),
        ('{"a":' * 20 + "1" + "}" * 20, "too deeply nested"),
    ],
)
def test_json_that_is_no_plan_is_refused_and_stays_in_its_field(agent: AtDesk, raw: str, told: str) -> None:
    answer = agent.plan("raw", raw=raw)
    assert told in answer and agent.draft is None
    assert raw in answer


def test_odd_json_is_shown_all_the_same(agent: AtDesk) -> None:
    odd = {
        "days": [
            {
                "day": [1],
                "date": 7,
                "city_segments": [
                    {"type": "intercity_transport", "avg_cost": "much", "from_city": 3, "activities": 5},
                    {
                        "city": None,
                        "activities": [{"type": "party", "participants": "All", "start_time": 9}, {}],
                    },
                    {"city": "X", "activities": [{"type": "food", "location": ["a"], "avg_cost": 10**11}]},
                ],
            }
        ]
    }
    agent.plan("raw", raw=f"```json\n{json.dumps(odd)}\n```")
    assert agent.draft == odd
    for place in ("0-0", "0-1-0", "0-1-1", "0-2-0"):
        assert "plan-item" in agent.desk("plan/", edit=place)
    assert "plan-item" not in agent.desk("plan/", edit="0-0-0")
    assert "plan-item" in agent.desk("plan/", open="activity", day="0")
    agent.save(type="rest", day="0", start="09:00", end="10:00", city="X", who=agent.table.fold.opening.users)
    assert agent.draft["days"][0]["city_segments"][2]["activities"][0]["type"] == "rest"
    assert "make it invalid" in agent.desk("plan/")


def small(agent: AtDesk) -> dict[str, Any]:
    """One day without anything wrong by the published rules."""
    city = agent.session.task.definition["metadata"]["cities"][0]
    rest = {"type": "rest", "start_time": "09:00", "end_time": "10:00", "participants": ["All"]}
    segments = [{"city": city, "activities": [rest]}]
    return {"days": [{"day": 1, "date": agent.table.fold.opening.time[:10], "city_segments": segments}]}


def test_the_plan_is_posted_at_their_turn_and_ends_the_session(agent: AtDesk) -> None:
    plan = small(agent)
    agent.plan("raw", raw=json.dumps(plan))
    assert "when it is your turn to speak" in agent.plan("post", words="Here")
    agent.notes()
    assert "It is valid." in agent.desk("plan/")
    hidden = agent.plan("post", words="like ```this```")
    assert "they hide the plan" in hidden and "like ```this```" in hidden
    answer = agent.plan("post", words="Here it is.")
    assert "The plan is posted." in answer
    assert agent.inbox()[-1].content.startswith("Here it is.\n\n```json\n{")
    play_to_person(agent.session)
    agent.act("beliefs", leave="1")
    play_to_person(agent.session)
    session = agent.session
    assert session.ended and session.plan_generated and session.completion_reason == "plan_generated"
    page = text(agent.client.get(agent.path))
    assert "The plan, day by day" in page and "What of yours is in the plan" not in page
    assert 'id="desk"' not in page


def test_a_plan_with_issues_is_posted_when_they_say_so(speaking: AtDesk) -> None:
    plan = small(speaking)
    plan["days"].append({**plan["days"][0], "day": 2})
    speaking.plan("raw", raw=json.dumps(plan))
    had = len(speaking.inbox())
    asked = speaking.plan("post", words="Voilà")
    assert "Posting it ends the session." in asked and "Voilà" in asked and len(speaking.inbox()) == had
    assert "The plan is posted." in speaking.plan("post:sure", words="Voilà")


def test_a_draft_is_of_its_guest_alone(agent: AtDesk) -> None:
    agent.plan("add-day")
    assert Guest.objects.exclude(pk=agent.guest.pk).exclude(plan_draft=None).count() == 0
    assert str(len(agent.draft["days"])) in agent.desk("plan/")


SHORT_PLAN = {
    "daily_plans": [{"day": 1, "date": "2025-05-12", "activities": [{"location_name": "West Lake"}]}]
}


@pytest.mark.parametrize("planned", [True, False])
def test_the_end_shows_the_plan_where_a_benchmark_has_no_page_of_its_own_for_that(
    starter_world: World, planned: bool
) -> None:
    call_command("import_tasks", *TRAVELEVAL_STARTER, "--suite", "traveleval", "--world", "starter")
    task = Task.objects.filter(suite="traveleval").order_by("position")[0]
    sitter = AtDesk(Seat.objects.get(session=with_people(task, starter_world, agent=PERSON), name=AGENT))
    sitter.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    sitter.come()
    play_to_person(sitter.session)
    if planned:
        sitter.plan("post:sure", raw=json.dumps(SHORT_PLAN), words="Here.")
    else:
        request_stop(Session.objects.filter(pk=sitter.session.pk))
    play_to_person(sitter.session)
    page = text(sitter.client.get(sitter.path))
    assert ("West Lake" in page, "There is no plan" in page) == (planned, not planned)
