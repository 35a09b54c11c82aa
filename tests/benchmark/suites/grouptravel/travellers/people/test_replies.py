"""Quick replies from the card to what the agent asks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.suites.grouptravel.travellers.people.replies import MOST, replies
from benchmark.suites.grouptravel.view import GroupView
from tests.benchmark.suites.grouptravel.travellers.people.people import english, odd_tables, whole_tables
from tests.benchmark.suites.grouptravel.travellers.scripted.cast import EMPTY, ME, table, view
from tests.properties import examples

GENERIC = ["可以，我没意见。", "不好意思，这个我不能接受。"]


def reply_texts(seen: GroupView) -> list[str]:
    return [reply.text for reply in replies(seen)]


def test_there_is_a_reply_for_each_wish_on_what_is_asked_and_one_that_holds_them_all() -> None:
    whole, *single = reply_texts(view(f"@{ME} 您对交通有什么要求？"))
    assert all(name in whole for name in ("高铁", "自驾", "火车", "飞机"))
    assert [name in text for name, text in zip(("高铁", "自驾", "火车", "飞机"), single, strict=False)] == [
        True
    ] * 4
    assert single[4:] == GENERIC


def test_a_single_wish_needs_no_reply_beside_it() -> None:
    budget, *rest = reply_texts(view(f"@{ME} 您的预算是多少？"))
    assert "2500" in budget and rest == GENERIC


def test_what_the_card_says_nothing_about_is_answered_so() -> None:
    found = replies(view(f"@{ME} 您的预算是多少？", wishes=EMPTY))
    assert found[0].label == "预算：没有要求" and not any(sign.isdigit() for sign in found[0].text)


def test_a_reply_about_several_cities_names_its_city() -> None:
    texts = reply_texts(view(f"@{ME} 您有哪些必去的景点？"))
    assert any("苏州" in text and "拙政园" in text and "灵隐寺" not in text for text in texts)


def test_what_is_to_be_confirmed_or_judged_by_name_is_answered() -> None:
    assert "高铁" in reply_texts(view(f"@{ME} 您想坐飞机，对吗？"))[0]
    assert "川菜" in reply_texts(view(f"@{ME} 你觉得川菜怎么样？"))[0]


@pytest.mark.parametrize("text", ["@User2 您的预算是多少？", "好的。", f"@{ME} 能接受川菜吗？"])
def test_agreeing_and_declining_are_always_there(text: str) -> None:
    assert reply_texts(view(text)) == GENERIC


def test_without_a_card_only_the_generic_ones_are_there() -> None:
    assert reply_texts(replace(view(f"@{ME} 您的预算是多少？"), card=None)) == GENERIC


def test_replies_are_in_the_language_of_the_conversation() -> None:
    found = replies(english(f"@{ME} What kind of hotel would you like?"))
    assert found[0].label == "Answer it all"
    assert found[1].label == "Hotel, like: homestays (民宿) and comfort hotels (舒适型)"
    assert [reply.label for reply in found[-2:]] == ["Agree", "Decline"]


def test_a_name_keeps_its_small_letter_at_the_head_of_a_sentence() -> None:
    own = table(hotel_preference={"prefer": ["mountain lodge"]})
    for seed in range(20):
        text = replies(english(f"@{ME} What kind of hotel would you like?", wishes=own, seed=seed))[0].text
        assert "mountain lodge" in text


@given(whole_tables(), st.sampled_from(["zh", "en"]))
@settings(max_examples=examples(60), deadline=None)
def test_replies_are_few_and_all_different(own: Any, language: str) -> None:
    questions = {
        "zh": "预算、交通、景点、吃的、住宿有什么要求？",
        "en": "What sights, food, hotels and budget would you like?",
    }
    seen = replace(view(f"@{ME} {questions[language]}", wishes=own), language=language)
    texts = reply_texts(seen)
    assert len(texts) == len(set(texts)) <= MOST
    assert len(texts) >= 2


@given(odd_tables(), st.text(max_size=30))
@settings(max_examples=examples(100), deadline=None)
def test_odd_tables_and_texts_are_survived(own: Any, text: str) -> None:
    for asked in (text, "您对交通、住宿、吃的、景点有什么要求？预算多少？"):
        assert all(reply.text and reply.label for reply in replies(view(f"@{ME} {asked}", wishes=own)))
