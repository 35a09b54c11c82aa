"""A benchmark that tells of its plans has every shared page of plans, and no line of theirs names it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from benchmark.core.actions import Say
from benchmark.core.participant import PERSON
from benchmark.core.setting import Setting
from benchmark.core.view import AGENT
from benchmark.plans.view import CostLine, Findings, Mark, PlanView
from benchmark.suites.base import Rating
from tests.labelling import add_item, make_study
from tests.markup import tight
from tests.people import Sitter, with_people
from tests.toyplans import itineraries, suite
from tests.toyplans import pages as toy_pages
from webapp.catalogue.models import Task, World
from webapp.labelling.blind import item_html
from webapp.pages import Panel, SessionPage, pages_of
from webapp.plans.panels import PANELS
from webapp.seats.models import InboxMessage, Seat
from webapp.sessions.models import Session, TurnValue
from webapp.sessions.outline import sections
from webapp.sessions.reading import Reading
from webapp.sessions.scoring import score_session
from worker.sessions import advance

pytestmark = pytest.mark.django_db
SAFE_MARKUP = "&lt;script&gt;alert(1)&lt;/script&gt;"


def html_of(response: Any) -> str:
    assert response.status_code == 200
    return tight(response.content.decode())


def panel(client: Client, session: Session, name: str) -> str:
    return html_of(client.get(f"/sessions/{session.pk}/panel/{name}/"))


def test_the_plan_stands_day_by_day_with_what_its_scores_say(
    client: Client, play: Callable[[], Session]
) -> None:
    session = play()
    assert (session.status, session.completion_reason) == ("finished", "agreed")
    assert [section.title for section in sections(Reading.of(session))] == ["Opening", "Round 1", "Round 2"]
    html = panel(client, session, "plan")
    assert "Day 1, 杭州市" in html and "09:00–09:50" in html and "¥40" in html and SAFE_MARKUP in html
    assert "<script>" not in html and "no tool returned this" not in html
    assert "it costs ¥20 too much" in html and "Cost of the party" in html
    assert '<span class="stricter">there is nothing to eat</span> <small>(strict rules only)</small>' in html


def test_costs_are_told_in_the_readers_language_beside_the_limit_as_it_was_set(
    client: Client, play: Callable[[], Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = play()
    assert "of ¥100</small>" in panel(client, session, "plan")
    lines = (CostLine("total", 120, 100.5), CostLine("hotel", 0, 0), CostLine("<b>%(x)s", 1))

    def view_costs(plan: Any, setting: Setting[Any, Any]) -> PlanView:
        return itineraries.view_plan(plan, setting)._replace(costs=lines)

    plans = replace(itineraries.PLANS, view=view_costs)
    monkeypatch.setattr(suite, "SUITE", replace(suite.SUITE, plans=plans))
    html = panel(client, session, "plan")
    assert "of ¥100.50</small>" in html and "of ¥0</small>" in html and "&lt;b&gt;%(x)s</span>" in html
    client.cookies["caravan_language"] = "zh-hans"
    html = panel(client, session, "plan")
    assert ">合计</span>" in html and "total" not in html


def test_every_shared_panel_of_plans_is_there(client: Client, play: Callable[[], Session]) -> None:
    session = play()
    assert {"plan", "map", "versions"} <= {shared.name for shared in PANELS}
    for shared in PANELS:
        html = panel(client, session, shared.name)
        assert f"{shared.label}</a>" in html and "灵隐寺" in html and "There is no plan yet." not in html
    assert '<div class="lanes">' in panel(client, session, "plan")


def test_figures_stand_in_their_groups_and_after_each_turn(
    client: Client, play: Callable[[], Session]
) -> None:
    session = play()
    values = session.turn_values.filter(profile="plain").order_by("turn").values_list("turn", "key", "value")
    assert list(values) == [(1, "faults", 3.0), (2, "faults", 1.0)]
    assert session.values.get(profile="plain", key="faults").value == 1.0
    html = panel(client, session, "scores")
    assert (
        html.index('scope="row">cost') < html.index("<h3>Soundness</h3>") < html.index('scope="row">faults')
    )
    turns = html.split("After each turn")[1].split("</table>")[0]
    assert turns.index('<th scope="row" class="n">1</th><td class="n">3') < turns.index(
        '<th scope="row" class="n">2</th><td class="n">1'
    )


def test_a_session_scored_again_keeps_no_turn_of_before(play: Callable[[], Session]) -> None:
    session = play()
    TurnValue.objects.create(session=session, profile="plain", turn=9, key="faults", value=9)
    score_session(session=session)
    assert set(session.turn_values.values_list("turn", flat=True)) == {1, 2}


def test_a_headline_that_counts_is_told_beside_the_first_agents_without_decimals(
    client: Client, play: Callable[[], Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    scoring = replace(suite.SUITE.scoring, metrics=(replace(suite.FAULTS, headline=True),))
    monkeypatch.setattr(suite, "SUITE", replace(suite.SUITE, scoring=scoring, rating=Rating()))
    session = play()
    assert "<small>planner agent: 1</small>" in html_of(client.get(session.get_absolute_url()))
    other = play()
    other.values.filter(key="faults").update(value=2)
    assert "<small>planner agent: 1.50</small>" in html_of(client.get(session.get_absolute_url()))


def test_a_figure_that_is_missing_says_why(
    client: Client, play: Callable[[], Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.toyplans.suite.Planner.act", lambda self, view: Say("I have no idea."))
    session = play()
    assert not session.values.exists()
    assert session.scores.get(profile="plain").figures["missing"]["cost"] == {
        "reason": "not_reached",
        "field": "days",
    }
    assert "the session ended before (days)" in panel(client, session, "scores")


def test_the_map_numbers_what_the_world_knows(client: Client, play: Callable[[], Session]) -> None:
    html = panel(client, play(), "map")
    assert "<b>1</b>" in html and "<b>2</b>" in html and "灵隐寺</a>" in html
    assert html.count("this world does not know the place") == 1


def test_each_version_of_the_plan_tells_what_it_changed(client: Client, play: Callable[[], Session]) -> None:
    html = panel(client, play(), "versions")
    assert "Version 1 of 2" in html and "1 day · 3 entries" in html
    assert "灵隐寺 was moved from 08:00–08:50 to 10:00–10:50." in html


def test_a_message_folds_its_plan(client: Client, play: Callable[[], Session]) -> None:
    html = html_of(client.get(play().get_absolute_url()))
    assert html.count("as written</summary>") == 2 and "How is this?</div>" in html
    assert html.count("A plan was found in this message") == 2


def test_two_sessions_stand_side_by_side(client: Client, play: Callable[[], Session]) -> None:
    one, other = play(), play()
    html = html_of(client.get(f"/sessions/compare/?session={one.pk}&session={other.pk}&tab=plans"))
    assert "3 places are the same" in html and "<time>09:00–09:50</time> 西湖风景名胜区 <small>¥40" in html


def test_annotators_see_a_pair_and_no_json(trip: Task, play: Callable[[], Session]) -> None:
    study = make_study(suite="toyplans", show_chat=True)
    html = tight(item_html(add_item(study, trip, play(), play()), swapped=False))
    assert html.count("Cost of the party") == 2 and html.count("灵隐寺") >= 2 and SAFE_MARKUP in html
    assert "(the plan)" in html and "```" not in html and "too much" not in html


def test_own_panels_stand_in_place_of_the_shared_ones(
    client: Client, play: Callable[[], Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    sketch = Panel("map", "Sketch", lambda reading, user: {"days": None}, "")  # type: ignore[arg-type]
    own = replace(toy_pages.PAGES, session=SessionPage(panels=(sketch,)))
    monkeypatch.setattr(toy_pages, "PAGES", own)
    pages_of.cache_clear()
    html = panel(client, play(), "map")
    assert "Sketch</a>" in html and "There is no plan yet." in html and "Map</a>" not in html


@pytest.fixture
def writer(trip: Task, starter_world: World) -> Sitter:
    """A person in the agent's seat at their first turn."""
    session = with_people(trip, starter_world, agent=PERSON, users="sleeper")
    sitter = Sitter(Seat.objects.get(session=session, name=AGENT)).come()
    advance(session.pk, budget_s=None, paced=False)
    return sitter


def write(writer: Sitter, raw: Any, do: str = "", **more: str) -> str:
    given = {"raw": raw if isinstance(raw, str) else json.dumps(raw), "do": do, **more}
    sent = {"client_id": next(writer.ids), **given}
    return html_of(writer.client.post(f"{writer.path}desk/plan/", sent))


def trip_of(*stops: dict[str, Any], **day: Any) -> dict[str, Any]:
    return {"days": [{"date": "2026-05-01", "city": "杭州市", "stops": list(stops), **day}]}


LAKE = {"kind": "visit", "name": "西湖风景名胜区", "start": "09:00", "end": "10:00", "cost": 0}


def test_a_person_writes_the_plan_as_text(writer: Sitter) -> None:
    assert 'data-asks="words"' in html_of(writer.client.get(writer.path))
    page = html_of(writer.client.get(f"{writer.path}desk/plan/"))
    assert "Write the plan above." in page and "&quot;days&quot;" in page
    assert "This is not a JSON object" in write(writer, '{"days": [}') and writer.guest.plan_draft is None
    page = write(writer, trip_of(LAKE, {**LAKE, "start": "9 o'clock"}, {"kind": "visit"}, city=7))
    assert "3 things are wrong" in page and "days[0].city: this must be: string" in page
    assert "this is not of the form" in page and "“name”, “start”, “end” is missing" in page
    page = write(writer, trip_of({**LAKE, "start": "08:00", "cost": 130}))
    assert "2 things are wrong" in page and "it begins at 08:00 already for Guest" in page
    assert "it costs ¥30 too much" in page and "nothing to eat" not in page
    page = write(writer, trip_of(LAKE))
    assert "A check finds nothing wrong." in page and "09:00–10:00" in page and "杭州市" in page
    assert writer.guest.plan_draft == trip_of(LAKE)


def test_a_check_knows_the_world(writer: Sitter, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(plan: Any, setting: Setting[Any, Any]) -> Findings:
        assert setting.pack is not None and setting.task.budget == 100
        return Findings((Mark((), "early", {"start": setting.pack.city("杭州").name}),))  # type: ignore[union-attr]

    monkeypatch.setattr(suite, "SUITE", replace(suite.SUITE, plans=replace(itineraries.PLANS, check=check)))
    assert "it begins at 杭州市 already" in write(writer, trip_of(LAKE))


def test_what_can_not_be_read_leaves_the_draft_as_it_is(writer: Sitter) -> None:
    write(writer, trip_of(LAKE))
    page = write(writer, '{"days": ')
    assert "This is the plan as it could last be read." in page and '{"days": </textarea>' in page.replace(
        "&quot;", '"'
    )
    assert writer.guest.plan_draft == trip_of(LAKE)


def test_a_person_posts_the_plan_once_it_is_right_or_they_insist(writer: Sitter) -> None:
    early = trip_of({**LAKE, "start": "08:00"})
    assert (
        "Post it anyway" in write(writer, early, "post", words="Hello") and not InboxMessage.objects.exists()
    )
    assert "they hide the plan" in write(writer, early, "post:sure", words="```json {} ```")
    assert "The plan is posted." in write(writer, early, "post:sure", words="Hello")
    session = writer.seat.session
    advance(session.pk, budget_s=None, paced=False)
    assert "The plan is posted." in write(writer, trip_of(LAKE), "post", words="Better?")
    advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    assert (
        session.completion_reason == "agreed" and session.scores.get(profile="plain").figures["faults"] == 0
    )
