"""A person in either seat of TravelBench."""

from __future__ import annotations

import pytest

from benchmark.core.participant import PERSON
from benchmark.core.view import AGENT
from benchmark.suites.travelbench.events import USER
from benchmark.suites.travelbench.modes import END_MARK
from tests.markup import tight
from tests.people import Sitter, with_people
from tests.webapp.conftest import HOSTILE
from webapp.catalogue.models import Task, World
from worker.sessions import advance

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]


def page_of(person: Sitter) -> str:
    answer = person.client.get(person.path)
    assert answer.status_code == 200
    return tight(answer.content.decode())


def test_a_person_answers_from_their_card_and_ends_the_talk(hostile: Task, starter_world: World) -> None:
    session = with_people(hostile, starter_world, USER, users="scripted")
    person = Sitter(session.seats.get(name=USER)).come()
    advance(session.pk, budget_s=None, paced=False)
    page = page_of(person)
    assert person.table.standing == "yours"
    assert "已婚，孩子五岁" in page and f'data-send="{END_MARK}"' in page
    assert HOSTILE not in page and "map_search_places" not in page
    person.say("新街口附近，人均100元以内")
    advance(session.pk, budget_s=None, paced=False)
    assert "map_search_places" not in page_of(person)
    person.say(END_MARK)
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    assert (session.status, session.completion_reason) == ("finished", "user_ended")
    assert hostile.definition["intent"][:8] in page_of(person)


def test_a_person_in_the_agent_s_seat_sees_no_intent(hostile: Task, starter_world: World) -> None:
    session = with_people(hostile, starter_world, agent=PERSON, users="scripted")
    person = Sitter(session.seats.get(name=AGENT)).come()
    advance(session.pk, budget_s=None, paced=False)
    page = page_of(person)
    assert person.table.standing == "yours"
    assert "回答请求，或者询问缺少的关键信息" in page and "第 1 步，共 20 步。" in page
    assert "一家三口" not in page and "孩子五岁" not in page
    person.say("推荐南京大牌档，人均 90 元。")
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    assert session.completion_reason == "user_ended"


def test_what_is_read_first_tells_of_requests_and_not_of_groups(
    shipped_tasks: dict[str, Task], starter_world: World
) -> None:
    task = shipped_tasks["travelbench-multi-starter-12"]  # an English one
    of_groups = ("give way", "plan a trip", "the plan", "@Agent", 'name="pass"')
    abouts = {USER: "You are a traveller who asks", AGENT: "You are the assistant of a traveller who asks"}
    for seat, about in abouts.items():
        names, agent = ([USER], "reference") if seat == USER else ([], PERSON)
        session = with_people(task, starter_world, *names, agent=agent, users="scripted")
        person = Sitter(session.seats.get(name=seat))
        invited = tight(person.client.get(person.link).content.decode())
        person.client.post(person.link)
        consent = page_of(person)
        person.client.post(person.path + "consent/", {"agree": "1"})
        practice = page_of(person)
        person.come()
        advance(session.pk, budget_s=None, paced=False)
        seated = page_of(person) + tight(person.client.get(person.path + "desk/").content.decode())
        part = "assistant" if seat == AGENT else "traveller"
        assert f"You take the part of the {part}." in invited and about in consent
        assert (seat == AGENT) or "Answer what you are asked, and no more" in practice
        for page in (invited, consent, practice, seated):
            assert [words for words in of_groups if words in page] == []
