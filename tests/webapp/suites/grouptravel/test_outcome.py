"""What a session came to, and results of tools as cards."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args

import pytest
from django.test import Client
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from sandbox.toolsets.grouptravel.routing import RouteMode
from tests.markup import tight
from tests.webapp.conftest import HOSTILE, Writer
from webapp.catalogue.packs import pack_for_scores
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading
from webapp.suites.grouptravel.outcome import context
from webapp.suites.grouptravel.results import cards
from webapp.suites.grouptravel.seat.ending import ending_context

pytestmark = pytest.mark.django_db

anything = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)
FIELDS = (
    "name",
    "number",
    "price",
    "classes",
    "depart",
    "from_station",
    "duration_minutes",
    "opening_hours",
    "low",
)


@given(
    st.sampled_from(["pois", "trains", "flights", "days"]),
    st.lists(st.dictionaries(st.sampled_from(FIELDS), anything) | anything, max_size=3),
)
def test_no_result_that_a_model_may_make_up_breaks_a_card(key: str, items: list[Any]) -> None:
    found = cards(json.loads(json.dumps({key: items})))
    assert len(found) == sum(isinstance(item, dict) for item in items)


def test_a_card_tells_what_one_looks_for() -> None:
    place = {"name": "西湖", "category": "风景区", "price": 0.0, "opening_hours": "全天开放", "rating": 4.8}
    train = {
        "number": "G491",
        "from_station": "武汉站",
        "to_station": "杭州东站",
        "depart": "07:00",
        "arrive": "11:54",
        "duration_minutes": 294,
        "classes": [{"name": "二等座", "price": 357.0}],
    }
    [shown] = cards({"pois": [place]})
    assert (shown.title, shown.facts) == ("西湖", ["风景区", "free", "全天开放", "rated 4.8"])
    [shown] = cards({"trains": [train]})
    assert shown.facts == ["07:00 武汉站 → 11:54 杭州东站", "294 min", "二等座 ¥357"]
    assert cards([1]) == cards("text") == cards({"other": 1}) == []


def test_who_got_what_is_told_at_the_end_alone(
    as_researcher: Client, eventful: Session, begin: Callable[[], Writer]
) -> None:
    found = context(Reading.of(eventful))
    assert found is not None
    assert [one.user for one in found["got"]] == Reading.of(eventful).users
    for one in found["got"]:
        assert one.met + len(one.missed_wishes) == one.musts
    assert sum(one.musts for one in found["got"]) > 0
    assert found["issues"] and sum(n for _, n in found["issues"]) == len(
        eventful.scores.get(profile="published").figures["evidence"]["validity"]
    )
    page = tight(as_researcher.get(f"/sessions/{eventful.pk}/outcome/").content.decode())
    assert "not valid" in page and HOSTILE not in page
    assert context(Reading.of(begin().session)) is None


def test_a_route_tells_in_words_how_it_is_travelled() -> None:
    way = {"distance_m": 1200, "duration_minutes": 9}
    with translation.override("zh-hans"):
        titles = [cards({**way, "mode": mode})[0].title for mode in (*get_args(RouteMode), "hovercraft")]
    assert titles == ["公共交通", "驾车", "步行", "骑行", "hovercraft"]


def test_what_came_of_it_is_told_to_a_traveller_in_their_own_language(
    recorded_session: Callable[[str], Session],
) -> None:
    session = recorded_session("english")
    reading = Reading.of(session)
    places = pack_for_scores(session.suite, session.pack)
    told = {language: ending_context(reading, "User1", language, places) for language in ("en", "zh")}
    wishes = {language: " ".join(wish.text for wish in shown["met"]) for language, shown in told.items()}
    assert "You" in wishes["en"] and "一定要" not in wishes["en"]
    assert "一定要" in wishes["zh"] and "You" not in wishes["zh"]
