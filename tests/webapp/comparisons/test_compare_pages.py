"""Sessions side by side: which ones, and what the page and the command tell of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from itertools import count
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.core.events import MessagePosted, PlanProposed, PromptSetChosen, ToolCalled, ToolReturned
from benchmark.core.participant import PERSON
from benchmark.metrics import Metric
from benchmark.suites.grouptravel.events import TurnGranted
from tests.markup import tight
from tests.webapp.conftest import HOSTILE, Writer, activity
from webapp.accounts.models import User
from webapp.comparisons import calls, comparing, conversation
from webapp.comparisons.comparing import Comparison
from webapp.pages import ComparedRow
from webapp.prompts import services as prompts
from webapp.seats.models import Role
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading

pytestmark = pytest.mark.django_db
LoadSession = Callable[..., Session]
Begin = Callable[[], Writer]
NUMBERS = count(1)


def page(client: Client, *sessions: Session | Writer, tab: str = "overview", status: int = 200) -> str:
    ids = [one.session.pk if isinstance(one, Writer) else one.pk for one in sessions]
    answer = client.get("/sessions/compare/", {"session": ids, "tab": tab})
    assert answer.status_code == status
    return tight(answer.content.decode())


def compare(*sessions: Session | Writer) -> Comparison:
    found = (
        Session.objects.get(pk=one.session.pk if isinstance(one, Writer) else one.pk) for one in sessions
    )
    return Comparison([Reading.of(session) for session in found])


def talk(writer: Writer, *said: str) -> None:
    for n, text in enumerate(said):
        writer.add("system", TurnGranted(speaker="Agent", kind="polled", place="lap", round=n))
        writer.add("Agent", MessagePosted(role="Agent", content=text))


def call(writer: Writer, name: str, result: str = "[]", **arguments: Any) -> None:
    call_id = f"call-{next(NUMBERS)}"
    writer.add("Agent", ToolCalled(call_id=call_id, name=name, arguments=arguments, step=1))
    writer.add("Agent", ToolReturned(call_id=call_id, result=result))


def plan(writer: Writer, *days: list[tuple[str, str]]) -> None:
    told = [
        {
            "day": number,
            "city_segments": [
                {
                    "city": "杭州市",
                    "activities": [activity("attraction", place, start, "18:00") for place, start in day],
                }
            ],
        }
        for number, day in enumerate(days, 1)
    ]
    writer.add("Agent", PlanProposed(plan={"days": told}))


def test_an_item_that_others_have_less_often_is_marked_as_often() -> None:
    row = ComparedRow("day 1", [["tea", "tea", "lake"], ["lake", "tea"], ["tea"]])
    told = [[(item.text, list(item.lacking), item.is_alone) for item in side.items] for side in row.sides]
    assert told[0] == [("tea", [], False), ("tea", [1, 2], True), ("lake", [2], False)]
    assert told[1] == [("lake", [2], False), ("tea", [], False)]
    assert told[2] == [("tea", [], False)]
    assert row.differs and [side.differs for side in row.sides] == [False, True, True]


class TestChoice:
    def test_what_can_not_be_compared_is_refused_in_a_sentence(
        self, as_researcher: Client, recorded_session: LoadSession
    ) -> None:
        one, other = recorded_session("easy"), recorded_session("travelbench_single")
        five = [recorded_session("easy").pk for _ in range(5)]
        for ids, status, words in (
            ([one.pk, "nowhere"], 404, "There is no session “nowhere”."),
            ([one.pk, "A\x00/.."], 404, "There is no session “A"),
            ([one.pk, HOSTILE], 404, "There is no session"),
            ([one.pk], 200, f"Session {one.pk} is chosen. Choose one to three others"),
            ([], 200, "No session is chosen. Choose two to 4."),
            (five, 400, "Choose at most 4 sessions: 5 are chosen."),
            ([one.pk, one.pk], 400, f"Session {one.pk} is chosen twice."),
            ([one.pk, other.pk], 400, "Only sessions of one benchmark can be compared."),
        ):
            answer = as_researcher.get("/sessions/compare/", {"session": ids})
            assert answer.status_code == status, ids
            assert words in answer.content.decode() and HOSTILE not in answer.content.decode()

    def test_one_session_offers_those_of_its_task(
        self, as_researcher: Client, recorded_session: LoadSession
    ) -> None:
        one, other, unlike = recorded_session("easy"), recorded_session("easy"), recorded_session("medium")
        text = page(as_researcher, one)
        assert f'name="session" value="{other.pk}"' in text and unlike.pk not in text
        assert (
            f"/sessions/compare/?session={one.pk}"
            in as_researcher.get(f"/sessions/{one.pk}/").content.decode()
        )

    def test_a_session_that_goes_on_is_compared_as_far_as_it_is(
        self, as_researcher: Client, begin: Begin, recorded_session: LoadSession
    ) -> None:
        writer = begin()
        assert f"Session {writer.session.pk} has not ended yet" in page(
            as_researcher, writer, recorded_session("medium")
        )

    def test_visitors_and_annotators_see_nothing(
        self, client: Client, annotator: User, recorded_session: LoadSession
    ) -> None:
        one, other = recorded_session("easy"), recorded_session("easy")
        page(client, one, other, status=302)
        client.force_login(annotator)
        page(client, one, other, status=403)

    def test_the_address_of_before_leads_here(
        self, as_researcher: Client, recorded_session: LoadSession
    ) -> None:
        one, other = recorded_session("easy"), recorded_session("easy")
        answer = as_researcher.get(f"/sessions/{one.pk}/beside/{other.pk}/")
        assert answer["Location"] == f"/sessions/compare/?session={one.pk}&session={other.pk}"

    def test_four_sessions_can_be_put_in_another_order_or_left_out(
        self, as_researcher: Client, recorded_session: LoadSession
    ) -> None:
        ids = [recorded_session("easy").pk for _ in range(4)]
        for tab in ("overview", "conversation", "calls", "plans", "map"):
            answer = as_researcher.get("/sessions/compare/", {"session": ids, "tab": tab})
            text = answer.content.decode()
            assert answer.status_code == 200 and text.count('class="without"') == 4
            order = "&amp;session=".join([ids[2], ids[0], ids[1], ids[3]])
            assert f"?session={order}&amp;tab={tab}" in text


class TestOverview:
    def test_of_conditions_only_what_differs_is_open_with_model_and_parameters(
        self, as_researcher: Client, recorded_session: LoadSession
    ) -> None:
        one, other = recorded_session("easy"), recorded_session("models")
        comparison = compare(one, other)
        unlike = {row.label: row.items for row in comparison.unlike_conditions}
        assert unlike["agent, scaffold"] == [["reference"], ["llm"]]
        assert unlike["agent's model"][0] == [] and "agent's model: max_tokens" in unlike
        alike = [row.label for row in comparison.like_conditions]
        assert {"world", "sandbox", "language"} <= set(alike) and not set(alike) & set(unlike)
        text = page(as_researcher, one, other)
        assert f"{len(alike)} conditions are the same" in text
        assert text.index('id="conditions"') < text.index('id="figures"') < text.index('id="summary"')

    def test_sets_of_prompts_lead_to_their_words_line_by_line(
        self, as_researcher: Client, begin: Begin
    ) -> None:
        version = prompts.create_set(name="warm", suite="grouptravel")
        one, other = begin(), begin()
        Session.objects.filter(pk=other.session.pk).update(prompt_set=version)
        other.add("system", PromptSetChosen(name="warm", set_version=1, digest="0" * 64, files={}))
        text = page(as_researcher, one, other)
        assert "warm@1 (00000000)" in text and "as shipped" in text
        assert "/prompts/compare/grouptravel/?other=warm%401" in text

    def test_a_metric_of_only_some_tasks_may_be_shown_for_one_of_two(
        self, begin: Begin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        metrics = tuple(
            Metric(key=key, label=key, name=key, partial=key == "sometimes")
            for key in ("always", "sometimes")
        )
        values = iter([{"always": 1.0}, {"always": 2.5, "sometimes": 3.0}])
        monkeypatch.setattr(comparing, "metrics_of", lambda suite: metrics)
        monkeypatch.setattr(comparing, "values_in", lambda score: next(values))
        always, sometimes = compare(begin(), begin()).figures
        assert [len(own) for own in always.items] == [1, 1] and always.notes == ["", "+1.50"]
        assert [len(own) for own in sometimes.items] == [0, 1] and sometimes.notes == ["", ""]

    def test_a_session_and_its_copy_differ_in_nothing(
        self, as_researcher: Client, recorded_session: LoadSession
    ) -> None:
        one, other = recorded_session("easy"), recorded_session("easy")
        seat = other.seats.filter(role=Role.TRAVELLER)[0]
        comparison = compare(one, other)
        assert comparison.unlike_conditions == [] and not any(row.differs for row in comparison.figures)
        for found in (comparison.conversations, comparison.calls, comparison.plans):
            assert found.counts["same"] > 0 and sum(found.counts.values()) == found.counts["same"]
        assert "only here:" not in page(as_researcher, one, other)
        type(seat).objects.filter(pk=seat.pk).update(kind=PERSON)
        assert f"{seat.name} person" in page(as_researcher, one, other)


class TestConversation:
    def test_messages_face_each_other_with_the_words_marked_that_differ(
        self, as_researcher: Client, begin: Begin
    ) -> None:
        first, second = begin(), begin()
        talk(first, "hello", f"we take the train {HOSTILE}", "by the lake")
        talk(second, "hello", f"we take the plane {HOSTILE}", "a museum, perhaps, in the afternoon", "agreed")
        text = page(as_researcher, first, second, tab="conversation")
        assert HOSTILE not in text and "&lt;script&gt;" in text
        assert "<del>train </del>" in text and "<ins>plane </ins>" in text
        assert text.count("is-alone") == 3, "by the lake, a museum, agreed"
        assert "1 message is the same" in text

    def test_of_several_sessions_each_is_marked_against_the_first(
        self, as_researcher: Client, begin: Begin
    ) -> None:
        writers = [begin() for _ in range(3)]
        for writer, way in zip(writers, ("train", "train", "plane"), strict=True):
            talk(writer, f"we take the {way} to Suzhou")
        text = page(as_researcher, *writers, tab="conversation")
        assert text.count("<del>train </del><ins>plane </ins>") == 1 and text.count("<del>") == 1

    def test_what_is_beyond_the_bounds_is_told(
        self, as_researcher: Client, begin: Begin, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(conversation, "MOST_MESSAGES", 1)
        monkeypatch.setattr(conversation, "LONGEST_SHOWN", 3)
        monkeypatch.setattr(calls, "MOST_CALLS", 1)
        first, second = begin(), begin()
        talk(first, "hello there")
        talk(second, "hello", "again", "and again")
        text = page(as_researcher, first, second, tab="conversation")
        assert "more of session B are not compared" in text
        for writer in (first, second):
            call(writer, "find", city="Suzhou")
            call(writer, "ask", city="Suzhou")
        text = page(as_researcher, first, second, tab="calls")
        assert "1 more of session A is not compared" in text


class TestCalls:
    def test_calls_are_paired_in_order_with_marked_arguments_and_counted_by_tool(
        self, as_researcher: Client, begin: Begin
    ) -> None:
        first, second = begin(), begin()
        call(first, "search_poi", city="苏州市", keywords="博物馆")
        call(first, "maps_weather", location="苏州市")
        call(second, "search_poi", city="苏州市", keywords="美术馆", result='["a"]')
        call(second, "search_poi", city="广州市", keywords="早茶")
        call(second, "maps_weather", location="苏州市")
        found = compare(first, second).calls
        assert found.counts == {"same": 1, "changed": 1, "alone": 1}
        assert found.counts_by_tool == {"search_poi": [1, 2], "maps_weather": [1, 1]}
        text = page(as_researcher, first, second, tab="calls")
        assert "<del>博物</del>" in text and "<ins>美术</ins>" in text and "another result" in text
        assert "1 call is the same" in text


class TestPlans:
    def test_a_visit_on_another_day_is_moved_and_one_at_another_time_retimed(
        self, as_researcher: Client, begin: Begin
    ) -> None:
        first, second = begin(), begin()
        plan(first, [("西湖", "09:00"), ("断桥", "11:00")], [("灵隐寺", "10:00")], [("雷峰塔", "10:00")])
        plan(second, [("灵隐寺", "10:00"), ("断桥", "13:00")], [("西湖", "09:00")], [("雷峰塔", "10:00")])
        found = compare(first, second).plans
        assert found.counts == {"same": 1, "retimed": 1, "moved": 2, "changed": 0, "some": 0, "alone": 0}
        days = list(found.days)
        moved = next(
            line for stretch in days[0].stretches for line in stretch.lines if line.stops[0].name == "西湖"
        )
        assert [stop.day for stop in moved.stops] == ["", "2"]
        text = page(as_researcher, first, second, tab="plans")
        assert "<mark>13:00" in text and '<mark class="moved">day 2</mark>' in text
        assert "1 place is the same" in text

    def test_what_only_one_of_three_plans_has_is_told(self, as_researcher: Client, begin: Begin) -> None:
        writers = [begin() for _ in range(3)]
        plan(writers[0], [("西湖", "09:00"), ("断桥", "11:00")])
        plan(writers[1], [("西湖", "09:00")])
        found = compare(*writers).plans
        assert found.has_plan == [True, True, False]
        assert (found.counts["some"], found.counts["alone"]) == (1, 1)
        assert "Session C has no plan." in page(as_researcher, *writers, tab="plans")

    def test_all_plans_are_on_one_map_in_a_colour_each(self, as_researcher: Client, begin: Begin) -> None:
        first, second = begin(), begin()
        plan(first, [("西湖", "09:00"), ("灵隐寺", "11:00")])
        plan(second, [("西湖", "09:00"), ("雷峰塔", "11:00")])
        text = page(as_researcher, first, second, tab="map")
        told = json.loads(text.split('<template id="plans-map">')[1].split("</template>")[0])
        by_label = {point["label"]: point for point in told["points"]}
        assert {label: point["hue"] for label, point in by_label.items()} == {"A1 B1": None, "A2": 1, "B2": 2}
        assert [(path["hue"], path["rank"]) for path in told["paths"]] == [(1, 0), (2, 1)]

    def test_a_session_whose_world_is_not_here_is_named(self, as_researcher: Client, begin: Begin) -> None:
        first, second = begin(), begin()
        plan(first, [("西湖", "09:00")])
        text = page(as_researcher, first, second, tab="map")
        assert "Session B is not on the map" in text and "Session A is not" not in text


class TestCommand:
    def test_it_tells_the_same_as_text_and_as_json(self, begin: Begin) -> None:
        first, second = begin(), begin()
        for writer, way, place in ((first, "train", "西湖"), (second, "plane", "灵隐寺")):
            talk(writer, f"we take the {way} to Suzhou")
            call(writer, "search_poi", city="苏州市")
            plan(writer, [(place, "09:00")])
        out = StringIO()
        call_command("compare_sessions", first.session.pk, second.session.pk, stdout=out)
        text = out.getvalue()
        assert "conditions are the same" in text and "A alone: 西湖" in text and "Messages:" in text
        out = StringIO()
        call_command("compare_sessions", first.session.pk, second.session.pk, "--json", stdout=out)
        told = json.loads(out.getvalue())
        assert told["sessions"] == [first.session.pk, second.session.pk]
        rows = [row for section in told["messages"]["sections"] for row in section["rows"]]
        assert rows[-1]["text"] == ["we take the train to Suzhou", "we take the plane to Suzhou"]
        assert [row["name"] for row in told["plans"]["rows"]] == ["西湖", "灵隐寺"]
        assert told["calls"]["by_tool"] == {"search_poi": [1, 1]}

    def test_what_can_not_be_compared_is_refused_in_a_line(self, recorded_session: LoadSession) -> None:
        one = recorded_session("easy").pk
        for ids, words in (
            ([one], "Choose two to 4 sessions"),
            ([one, one], "chosen twice"),
            ([one, "nowhere"], "There is no session “nowhere”"),
            ([one] * 5, "at most 4"),
        ):
            with pytest.raises(CommandError, match=words):
                call_command("compare_sessions", *ids)
