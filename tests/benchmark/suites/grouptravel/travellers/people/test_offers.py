"""What a person can give up: every change of one item or cap, the marker that makes it, and the words beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.core.actions import Say
from benchmark.core.engine import Conversation, Step
from benchmark.core.events import EventBody, MessagePosted
from benchmark.core.view import AGENT
from benchmark.suites.grouptravel.conversation.compromise import user_said
from benchmark.suites.grouptravel.conversation.markers import FIELD_NAMES, with_value
from benchmark.suites.grouptravel.conversation.rules import RULES
from benchmark.suites.grouptravel.events import (
    CardDealt,
    CompromiseApplied,
    MarkerAttempted,
    Member,
    SessionOpened,
)
from benchmark.suites.grouptravel.preferences import filled_fields
from benchmark.suites.grouptravel.travellers.people.card_words import CardLine, card_lines, lines_with
from benchmark.suites.grouptravel.travellers.people.offers import (
    Offer,
    custom_raise,
    marker,
    may_yield,
    message,
    offers,
    words,
)
from benchmark.suites.grouptravel.travellers.scripted import ScriptedUser
from benchmark.suites.grouptravel.view import GroupView
from tests.benchmark.suites.grouptravel.travellers.people.people import (
    HANGZHOU,
    SUZHOU,
    english,
    odd_tables,
    whole_tables,
)
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import ME, TABLE, table, view
from tests.benchmark.suites.grouptravel.travellers.scripted.test_concessions import REQUESTS
from tests.properties import examples

BUDGET = "global_constraints.avg_budget"
PROTOCOLS: tuple[str, ...] = ("published", "paper")


def of(path: str, found: Iterable[Offer]) -> list[tuple[str, str, Any]]:
    return [(offer.act, offer.item, offer.value) for offer in found if offer.path == path]


def asked_offers(text: str, **options: Any) -> list[Offer]:
    return [offer for offer in offers(view(text, **options)) if offer.asked]


def engine_says(content: str, own: dict[str, Any], protocol: str) -> list[EventBody]:
    """What the conversation makes of User1's words in a solicited turn."""
    opened = SessionOpened(
        task_id="t",
        query="",
        time="",
        context="",
        travellers=(Member(name=ME, role=""),),
        max_turn=15,
        convergence_interval=3,
        options={"protocol": protocol},
    )
    card = CardDealt(user=ME, card={"role": "", "preference": own, "compromisable": True})
    talk = Conversation(RULES)
    talk.append(Step("system", (opened, card, MessagePosted(role=AGENT, content=f"@{ME} ?", opening=True))))
    return user_said(talk.state, ME, content)


def line_at(table: dict[str, Any], path: str, language: str) -> CardLine | None:
    return next((line for line in card_lines(table, language) if line.path == path), None)


def check_applied(seen: GroupView, own: dict[str, Any]) -> int:
    """Each offer is accepted by both protocols, changes the table as foretold, and shows no marker."""
    found = offers(seen)
    for offer in found:
        said = words(offer, seen.language)
        for protocol in PROTOCOLS:
            tried, applied, shown = engine_says(message(said, offer, seen), own, protocol)
            assert isinstance(tried, MarkerAttempted) and tried.verdict == "accepted"
            assert isinstance(applied, CompromiseApplied) and isinstance(shown, MessagePosted)
            after = with_value(own, applied.path, applied.value)
            assert after == with_value(own, offer.path, offer.value)
            foretold = lines_with(own, [(offer.path, offer.value)], seen.language)
            assert list(foretold) == [line_at(after, offer.path, seen.language)]
            assert shown.content == said
            assert marker(offer, seen) not in shown.content
    return len(found)


@pytest.mark.parametrize("attempt", [1, 2])
def test_every_offer_is_accepted_and_gives_the_table_that_was_foretold(attempt: int) -> None:
    assert check_applied(view("好的。", attempt=attempt), TABLE) > 20
    assert check_applied(english("Fine.", attempt=attempt), TABLE) > 20


@pytest.mark.parametrize("text", [text for text, _, _ in REQUESTS])
def test_what_the_agent_asks_for_is_accepted_too(text: str) -> None:
    assert check_applied(view(f"@{ME} {text}"), TABLE)


@given(whole_tables(), st.booleans())
@settings(max_examples=examples(40), deadline=None)
def test_offers_of_any_table_are_accepted(own: Any, again: bool) -> None:
    check_applied(view("好的。", wishes=own, attempt=1 + again), own)


@given(odd_tables())
@settings(max_examples=examples(150), deadline=None)
def test_an_odd_table_has_the_offers_that_it_can_have(own: Any) -> None:
    seen = view(f"@{ME} 您能让步吗？", wishes=own)
    for offer in offers(seen):
        assert offer.value != offer.was
        assert seen.card is not None
        assert with_value(seen.card.effective, offer.path, offer.value) != seen.card.effective
        assert words(offer, "zh") and words(offer, "en")


def test_each_wanted_item_can_be_dropped_and_each_shunned_one_allowed() -> None:
    found = offers(view("好的。"))
    must = f"{HANGZHOU}.attractions.must_visit"
    assert of(must, found) == [("drop", "灵隐寺", ["西湖风景名胜区"]), ("drop", "西湖风景名胜区", ["灵隐寺"])]
    assert of(f"{HANGZHOU}.food.reject_eat", found) == [("allow", "川菜", [])]
    assert of("global_constraints.hotel_preference.avoid", found) == [("allow", "豪华型", [])]


def test_an_offer_tells_the_whole_field_before_and_after() -> None:
    offer = next(o for o in offers(view("好的。")) if o.item == "灵隐寺")
    assert (offer.was, offer.value, offer.city) == (
        ["灵隐寺", "西湖风景名胜区"],
        ["西湖风景名胜区"],
        "杭州市",
    )
    assert (offer.given_names, offer.new) == (("灵隐寺",), ())


@pytest.mark.parametrize(
    ("cap", "values"),
    [
        (2500, [2800, 3000, 3800]),
        (1500, [1650, 1800, 2250]),
        (800, [880, 960, 1200]),
        (12000, [13000, 14500, 18000]),
        (3333.5, [3700, 4000, 5000]),
    ],
)
def test_a_budget_is_raised_by_about_a_tenth_a_fifth_and_a_half_to_figures_people_name(
    cap: float, values: list[float]
) -> None:
    assert [
        value for _, _, value in of(BUDGET, offers(view("好的。", wishes=table(avg_budget=cap))))
    ] == values


def test_limits_of_a_day_are_raised_by_one_and_by_two_and_a_day_has_24_hours() -> None:
    intensity = {"max_poi_per_day": 3, "max_active_hours": 23}
    found = offers(view("好的。", wishes=table(intensity=intensity)))
    assert [value for *_, value in of("global_constraints.intensity.max_poi_per_day", found)] == [4, 5]
    assert [value for *_, value in of("global_constraints.intensity.max_active_hours", found)] == [24]


@pytest.mark.parametrize(("text", "path", "value"), REQUESTS)
def test_what_the_agent_asks_for_comes_first(text: str, path: str, value: Any) -> None:
    first = offers(view(f"@{ME} {text}"))[0]
    assert first.asked
    assert (path, value) in [(offer.path, offer.value) for offer in asked_offers(f"@{ME} {text}")]


def test_what_is_put_to_somebody_else_is_not_asked_of_this_person() -> None:
    assert not asked_offers("@User2 您能放弃灵隐寺吗？")
    assert asked_offers("@User2 您好。@User1 您能放弃灵隐寺吗？")
    assert asked_offers("大家能放弃灵隐寺吗？")


def test_a_swap_that_the_agent_asks_for_is_offered() -> None:
    swap = asked_offers(f"@{ME} 您能接受把高铁换成火车吗？")
    assert [(o.act, o.item, o.value) for o in swap] == [("swap", "高铁", ["火车"])]
    assert words(swap[0], "en") == (
        "All right, I won't insist on high-speed rail (高铁) and can accept slow trains (火车) instead."
    )


def test_several_names_asked_for_are_offered_together_and_one_by_one() -> None:
    found = asked_offers(f"@{ME} 希望您能放弃西湖和灵隐寺")
    assert [(offer.item, len(offer.given_names)) for offer in found] == [
        ("", 2),
        ("灵隐寺", 1),
        ("西湖风景名胜区", 1),
    ]


def test_a_budget_that_the_agent_names_is_offered_as_named() -> None:
    found = asked_offers(f"@{ME} 目前方案人均3150元。您的预算能放宽吗？")
    assert 3150 in [offer.value for offer in found]
    named = offers(view(f"@{ME} 目前方案人均3150元。"))[0]
    assert (named.value, named.asked) == (3150, False)


@pytest.mark.parametrize("number", [2500, 100, 0, -1, float("inf"), float("nan"), 10**400])
def test_a_typed_cap_must_be_finite_and_higher_than_now(number: float) -> None:
    assert custom_raise(view("好的。"), BUDGET, number) is None


def test_a_typed_cap_is_offered_as_typed() -> None:
    seen = view(f"@{ME} 预算能不能提高到3000元？")
    typed = custom_raise(seen, BUDGET, 2650.0)
    assert typed is not None and (typed.value, typed.asked) == (2650, False)
    named = custom_raise(seen, BUDGET, 3000)
    assert named is not None and named.asked
    assert custom_raise(seen, "global_constraints.transport.must", 3) is None
    assert custom_raise(seen, "nowhere", 3) is None


def test_something_may_be_given_up_when_asked_with_a_compromise_left_and_a_card_that_allows_it() -> None:
    assert may_yield(view(f"@{ME} ?")) == ""
    assert may_yield(view("好的。", kind="polled")) == "not_asked"
    assert may_yield(view(f"@{ME} ?", left=0)) == "quota"
    assert may_yield(view(f"@{ME} ?", compromisable=False, left=0)) == "not_allowed"


@pytest.mark.parametrize(("text", "path", "value"), REQUESTS)
@pytest.mark.parametrize("retry", [{}, {"attempt": 2, "problem": "malformed"}])
def test_the_marker_is_the_one_that_the_scripted_traveller_writes(
    text: str, path: str, value: Any, retry: dict[str, Any]
) -> None:
    seen = view(f"@{ME} {text}", **retry)
    action = ScriptedUser().act(seen)
    assert isinstance(action, Say)
    offer = next(o for o in offers(seen) if (o.path, o.value) == (path, value))
    assert action.content.endswith(f"\n{marker(offer, seen)}")


def test_brackets_in_names_are_escaped() -> None:
    wishes = table()
    wishes["city_specific_preferences"]["杭州市"]["food"]["reject_eat"] = ["川菜", "西餐厅[综合]"]
    seen = view("好的。", wishes=wishes)
    offer = next(o for o in offers(seen) if o.item == "川菜")
    written = marker(offer, seen)
    assert written.count("[") == 2 and json.loads(written.split(" : ")[1][:-1]) == ["西餐厅[综合]"]


def test_a_city_that_no_marker_can_carry_has_no_offers() -> None:
    wishes = {"city_specific_preferences": {"A.B": {"food": {"must_eat": ["面"]}}}}
    assert offers(view("好的。", wishes=wishes)) == ()


def test_words_name_the_city_of_food_and_no_field() -> None:
    for code in ("zh", "en"):
        for offer in offers(view("好的。")):
            said = words(offer, code)
            assert not any(name in said for name in FIELD_NAMES if "_" in name or name == "intensity")
            assert all(name in said for name in offer.given_names)
            assert "[" not in said
    food = next(o for o in offers(view("好的。")) if o.item == "川菜")
    assert words(food, "zh") == "好吧，杭州市的川菜我也可以接受。"
    assert words(food, "en") == "All right, I can accept Sichuan food (川菜) in 杭州市."


def test_without_words_the_default_ones_are_sent() -> None:
    seen = view("好的。")
    offer = offers(seen)[0]
    assert message(" \n", offer, seen) == message(words(offer, "zh"), offer, seen)


def test_what_the_table_no_longer_holds_has_no_line() -> None:
    offer = next(o for o in offers(view("好的。")) if o.path.startswith(SUZHOU))
    assert list(lines_with({"global_constraints": {}}, [(offer.path, offer.value)], "zh")) == [None]


def test_an_offer_for_each_filled_field() -> None:
    assert {offer.path for offer in offers(view("好的。"))} == {
        field.path_in(city) for field, city, _ in filled_fields(TABLE)
    }
