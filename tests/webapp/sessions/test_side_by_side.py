"""Two sessions side by side."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from benchmark.core.events import MessagePosted, PlanProposed
from benchmark.core.participant import PERSON
from benchmark.metrics import Metric
from benchmark.suites.grouptravel.events import TurnGranted
from tests.markup import tight
from tests.webapp.conftest import HOSTILE, Writer, activity
from webapp.pages import ComparedRow
from webapp.seats.models import Role
from webapp.sessions import side_by_side
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading
from webapp.sessions.side_by_side import ChatMessage, align_rounds, pair_messages

messages = st.lists(
    st.builds(ChatMessage, st.sampled_from("AB"), st.sampled_from("xyz"), st.integers(1, 99)), max_size=8
)


@given(messages, messages)
def test_every_message_stands_once_in_its_order_and_only_equal_ones_count_as_alike(
    left: Sequence[ChatMessage], right: Sequence[ChatMessage]
) -> None:
    found = pair_messages(left, right)
    assert [one.seq for one, _ in found if one] == [said.seq for said in left]
    assert [one.seq for _, one in found if one] == [said.seq for said in right]
    if list(left) == list(right):
        assert all(one == other for one, other in found)


def test_an_item_that_the_other_side_has_less_often_is_marked_as_often() -> None:
    row = ComparedRow("day 1", ["tea", "tea", "lake"], ["lake", "tea"])
    left, right = ([(item.text, item.is_alone) for item in side] for side in row.sides)
    assert left == [("tea", False), ("tea", True), ("lake", False)]
    assert right == [("lake", False), ("tea", False)]
    assert row.differs


def talk(writer: Writer, *said: str) -> None:
    for n, text in enumerate(said):
        writer.add("system", TurnGranted(speaker="Agent", kind="polled", place="lap", round=n))
        writer.add("Agent", MessagePosted(role="Agent", content=text))


@pytest.mark.django_db
class TestPage:
    def test_a_metric_of_only_some_tasks_may_be_shown_for_one_of_two(
        self, begin: Callable[[], Writer], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first, second = (
            Reading(writer.session, whole_log(writer.session.pk)) for writer in (begin(), begin())
        )
        metrics = tuple(
            Metric(key=key, label=key, name=key, partial=key == "sometimes")
            for key in ("always", "sometimes")
        )
        values = iter([{"always": 1.0}, {"always": 2.0, "sometimes": 3.0}])
        monkeypatch.setattr(side_by_side, "metrics_of", lambda suite: metrics)
        monkeypatch.setattr(side_by_side, "values_in", lambda score: next(values))
        figures = next(
            part for part in side_by_side.context(first, second)["parts"] if part.name == "figures"
        )
        always, sometimes = figures.rows
        assert len(always.left) == len(always.right) == 1
        assert list(sometimes.left) == []
        assert len(sometimes.right) == 1

    def test_rounds_face_each_other_also_where_one_has_more(self, begin: Callable[[], Writer]) -> None:
        first, second = begin(), begin()
        talk(first, "hello", "the train?")
        talk(second, "hello", "the plane?", "agreed")
        rounds = align_rounds(
            *(Reading.of(Session.objects.get(pk=one.session.pk)) for one in (first, second))
        )
        found = [(each.label, each.alike) for each in rounds][-3:]
        assert [alike for _, alike in found] == [True, False, False]
        assert rounds[-1].pairs[0][0] is None

    def test_differences_come_first_and_what_is_alike_is_shown_on_demand(
        self, as_researcher: Client, begin: Callable[[], Writer]
    ) -> None:
        first, second = begin(), begin()
        talk(first, "hello", f"train {HOSTILE}")
        talk(second, "hello", "plane")
        for writer, place in ((first, "西湖"), (second, "灵隐寺")):
            stops = [activity("attraction", place, "09:00", "10:00")]
            segments = [{"city": "杭州市", "activities": stops}]
            writer.add("Agent", PlanProposed(plan={"days": [{"day": 1, "city_segments": segments}]}))
        address = f"/sessions/{first.session.pk}/beside/{second.session.pk}/"
        page = tight(as_researcher.get(address).content.decode())
        assert HOSTILE not in page
        assert re.search(r'class="alone">.{0,60}only here:.{0,40}09:00.{0,20}西湖', page)
        assert page.index("灵隐寺") < page.index("plane")
        assert ">hello<" not in page
        assert ">hello<" in tight(as_researcher.get(f"{address}?all=1").content.decode())

    def test_a_visit_on_another_day_is_moved_and_one_at_another_time_retimed(
        self, as_researcher: Client, begin: Callable[[], Writer]
    ) -> None:
        def days(*stops: tuple[str, str]) -> list[dict[str, object]]:
            return [
                {"day": day, "city_segments": [{"city": "杭州市", "activities": [visit]}]}
                for day, (place, start) in enumerate(stops, 1)
                for visit in [activity("attraction", place, start, "18:00")]
            ]

        first, second = begin(), begin()
        first.add(
            "Agent",
            PlanProposed(plan={"days": days(("西湖", "09:00"), ("灵隐寺", "10:00"), ("断桥", "11:00"))}),
        )
        second.add(
            "Agent",
            PlanProposed(plan={"days": days(("灵隐寺", "10:00"), ("西湖", "09:00"), ("断桥", "13:00"))}),
        )
        page = tight(
            as_researcher.get(f"/sessions/{first.session.pk}/beside/{second.session.pk}/").content.decode()
        )
        plan = page.split('id="plan"')[1].split("</tbody>")[0]
        assert "moved: day 2 in the other plan" in plan and "moved: day 1 in the other plan" in plan
        assert "retimed: 13:00" in plan and "retimed: 11:00" in plan
        assert "only here:" not in plan

    def test_a_finished_session_is_compared_with_itself_and_nothing_differs(
        self, as_researcher: Client, eventful: Session
    ) -> None:
        seat = eventful.seats.filter(role=Role.TRAVELLER)[0]
        type(seat).objects.filter(pk=seat.pk).update(kind=PERSON)
        page = as_researcher.get(f"/sessions/{eventful.pk}/beside/{eventful.pk}/").content.decode()
        assert 'class="alone"' not in page and "only here:" not in page
        assert tight(page).count(f"· {seat.name} person") == 2  # who plays is told of each side

    def test_a_session_that_is_not_there_or_a_visitor_sees_nothing(
        self, client: Client, as_researcher: Client, eventful: Session
    ) -> None:
        assert as_researcher.get(f"/sessions/{eventful.pk}/beside/nowhere/").status_code == 404
        client.logout()
        assert client.get(f"/sessions/{eventful.pk}/beside/{eventful.pk}/").status_code in {302, 403}
